/* The type State: what is called often is here, the rest is Python's (runtime/native.py adds it to the type). */

/* states that are no longer used are kept for the next copy, as many as this */
#define RW_KEPT 64
static rw_object *rw_kept[RW_KEPT];
static int rw_kept_count;

static rw_object *rw_fresh(PyTypeObject *type) {
    if (type == rw_type && rw_kept_count) {
        rw_object *o = rw_kept[--rw_kept_count];
        return (rw_object *)PyObject_Init((PyObject *)o, type);
    }
    return PyObject_New(rw_object, type);
}
static void rw_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    if (type == rw_type && rw_kept_count < RW_KEPT) rw_kept[rw_kept_count++] = (rw_object *)self;
    else PyObject_Free(self);
    Py_DECREF(type);
}
static PyObject *rw_clone(PyObject *self, PyObject *Py_UNUSED(none)) {
    rw_object *copy = rw_fresh(Py_TYPE(self));
    if (copy) memcpy(&copy->state, &((rw_object *)self)->state, sizeof(rw_state));
    return (PyObject *)copy;
}
/* a state of this engine, or of another one that keeps the same things in the same places */
static rw_state *rw_state_of(PyObject *o) {
    if (Py_TYPE(o) == rw_type || Py_TYPE(o) == rw_asking_type) return &((rw_object *)o)->state;
    PyErr_Format(PyExc_TypeError, "a state of this game is expected, not %.80s", Py_TYPE(o)->tp_name);
    return NULL;
}

/* ---------------------------------------------------------------- what is asked */

static PyObject *rw_current_player(PyObject *self, PyObject *Py_UNUSED(none)) { return PyLong_FromLong((long)((rw_object *)self)->state.x_who); }
static PyObject *rw_is_terminal(PyObject *self, PyObject *Py_UNUSED(none)) { return PyBool_FromLong(((rw_object *)self)->state.x_pc == 0); }
static PyObject *rw_is_chance_node(PyObject *self, PyObject *Py_UNUSED(none)) { return PyBool_FromLong(((rw_object *)self)->state.x_who == -1); }

/* the same options are listed again and again: tuples are kept by what they list */
#define RW_LISTED 2048
static struct { int64_t pc; uint64_t w[RW_OPTION_WORDS]; PyObject *tuple; } rw_listed[RW_LISTED];

static PyObject *rw_legal_actions(PyObject *self, PyObject *Py_UNUSED(none)) {
    rw_state *s = &((rw_object *)self)->state;
    int64_t pc = s->x_pc;
    const uint64_t *w = rw_opts(s);
    int n = rw_words_at(pc);
    uint64_t h = (uint64_t)pc;
    for (int i = 0; i < n; i++) h = (h ^ w[i]) * UINT64_C(0x9E3779B97F4A7C15), h ^= h >> 29;
    unsigned at = (unsigned)(h >> 7) % RW_LISTED;
    if (rw_listed[at].tuple && rw_listed[at].pc == pc && memcmp(rw_listed[at].w, w, 8 * (size_t)n) == 0) return Py_NewRef(rw_listed[at].tuple);
    PyObject *tuple = PyTuple_New((Py_ssize_t)rw_size_in(w, n));
    Py_ssize_t k = 0;
    for (int i = 0; tuple && i < n; i++)
        for (uint64_t r = w[i]; r; r &= r - 1) {
            PyObject *v = PyLong_FromLong((long)(rw_offset[pc] + 64 * i + rw_ctz(r)));
            if (!v) { Py_DECREF(tuple); return NULL; }
            PyTuple_SET_ITEM(tuple, k++, v);
        }
    if (!tuple) return NULL;
    Py_XDECREF(rw_listed[at].tuple);
    rw_listed[at].tuple = Py_NewRef(tuple);
    rw_listed[at].pc = pc;
    memcpy(rw_listed[at].w, w, 8 * (size_t)n);
    return tuple;
}

static PyObject *rw_apply_action(PyObject *self, PyObject *action) {
    rw_state *s = &((rw_object *)self)->state;
    PyObject *number = NULL;
    if (!PyLong_CheckExact(action)) {
        number = PyObject_CallOneArg(rw_hook_action, action);
        if (!number) return NULL;
        action = number;
    }
    int over;
    long long given = PyLong_AsLongLongAndOverflow(action, &over);
    int64_t v = over ? -1 : given - rw_offset[s->x_pc];
    if (over || given < 0 || !rw_is_option(s, v)) {
        PyObject *error = PyObject_CallFunctionObjArgs(rw_hook_illegal, rw_module, self, action, NULL);
        Py_XDECREF(number);
        if (error) { PyErr_SetObject((PyObject *)Py_TYPE(error), error); Py_DECREF(error); }
        return NULL;
    }
    Py_XDECREF(number);
    bool asks = Py_TYPE(self) == rw_asking_type;
    int code = RW_TRY(if (asks) rw_stop(s, rw_decide(s, s->x_pc, v)); else rw_run(s, v));
    if (code) return rw_raise_by(rw_hook_located, self);
    Py_RETURN_NONE;
}
static PyMethodDef rw_methods[] = {
    {"clone", rw_clone, METH_NOARGS, NULL}, {"current_player", rw_current_player, METH_NOARGS, NULL},
    {"is_terminal", rw_is_terminal, METH_NOARGS, NULL}, {"is_chance_node", rw_is_chance_node, METH_NOARGS, NULL},
    {"legal_actions", rw_legal_actions, METH_NOARGS, NULL}, {"apply_action", rw_apply_action, METH_O, NULL},
    {"__copy__", rw_clone, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef rw_getset[RW_FIELDS + 1];
static PyType_Slot rw_type_slots[] = {{Py_tp_dealloc, rw_dealloc}, {Py_tp_methods, rw_methods}, {Py_tp_getset, rw_getset}, {0, NULL}};
static PyType_Spec rw_type_spec = {
    "rulewright.native.State", sizeof(rw_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, rw_type_slots};
/* a state becomes one that asks by its class alone, so that both must be made and unmade alike */
static PyType_Slot rw_asking_slots[] = {{Py_tp_dealloc, rw_dealloc}, {0, NULL}};
static PyType_Spec rw_asking_spec = {
    "rulewright.native.AskingState", sizeof(rw_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, rw_asking_slots};
