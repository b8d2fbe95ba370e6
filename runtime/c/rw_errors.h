/* What failed → an error of Python's; runtime/native.py knows the words. */

/* functions of runtime/native.py, given when the module is finished */
static PyObject *rw_module, *rw_hook_failed, *rw_hook_located, *rw_hook_illegal, *rw_hook_action;

/* calls a hook with all that is known of the failure, and raises what it gives */
static void *rw_raise_by(PyObject *hook, PyObject *state) {
    rw_thread t = rw_this;
    if (t.code == RW_NO_MEMORY) return PyErr_NoMemory();
    int64_t file = t.at >> RW_LINE_BITS, line = t.at & ((1 << RW_LINE_BITS) - 1);
    PyObject *error = PyObject_CallFunction(
        hook, "OOizLLLLL", rw_module, state ? state : Py_None, t.code, file ? rw_files[file - 1] : NULL,
        (long long)line, (long long)t.a, (long long)t.b, (long long)t.c, (long long)t.d);
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}
/* as it is: whoever called says where it happened */
static void *rw_raise(PyObject *state) { return rw_raise_by(rw_hook_failed, state); }
