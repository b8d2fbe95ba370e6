/* An estimate that is not the engine's own → a module that judges the states of that engine; both keep the same things in the same places. */
#include "rw_errors.h"

typedef struct { PyObject_HEAD rw_state state; } rw_object;
static PyObject *rw_type, *rw_asking_type;

static rw_state *rw_state_of(PyObject *o) {
    if ((PyObject *)Py_TYPE(o) == rw_type || (PyObject *)Py_TYPE(o) == rw_asking_type) return &((rw_object *)o)->state;
    PyErr_Format(PyExc_TypeError, "a state of this game is expected, not %.80s", Py_TYPE(o)->tp_name);
    return NULL;
}
#include "rw_judge.h"

/* finish(failed, engine): whose states are judged */
static PyObject *rw_py_finish(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 2) { PyErr_SetString(PyExc_TypeError, "a function and an engine are expected"); return NULL; }
    Py_XSETREF(rw_hook_failed, Py_NewRef(args[0]));
    Py_XSETREF(rw_module, Py_NewRef(args[1]));
    Py_XSETREF(rw_type, PyObject_GetAttrString(args[1], "State"));
    Py_XSETREF(rw_asking_type, PyObject_GetAttrString(args[1], "AskingState"));
    if (!rw_type || !rw_asking_type) return NULL;
    Py_RETURN_NONE;
}
static PyMethodDef rw_functions[] = {
    {"heuristic", RW_FAST(rw_py_heuristic)}, {"estimates", RW_FAST(rw_py_estimates)}, {"margins", RW_FAST(rw_py_margins)},
    {"finish", RW_FAST(rw_py_finish)}, {NULL, NULL, 0, NULL},
};
static struct PyModuleDef rw_definition = {PyModuleDef_HEAD_INIT, "judge", NULL, -1, rw_functions, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC RW_NAME(RW_MODULE)(void) {
    PyObject *m = PyModule_Create(&rw_definition);
    if (m && PyModule_AddStringConstant(m, "LAYOUT", RW_LAYOUT)) Py_CLEAR(m);
    return m;
}
