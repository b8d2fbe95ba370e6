/* The module itself. */

/* finish(failed, located, illegal, action): what of Python the module calls */
static PyObject *rw_py_finish(PyObject *m, PyObject *const *args, Py_ssize_t n) {
    if (n != 4) { PyErr_SetString(PyExc_TypeError, "four functions are expected"); return NULL; }
    PyObject **hooks[] = {&rw_hook_failed, &rw_hook_located, &rw_hook_illegal, &rw_hook_action};
    for (int i = 0; i < 4; i++) { Py_XDECREF(*hooks[i]); *hooks[i] = Py_NewRef(args[i]); }
    rw_module = m;
    Py_RETURN_NONE;
}
static PyMethodDef rw_functions[] = {
    {"new_state", rw_new_state, METH_O, NULL}, {"begin", rw_py_begin, METH_O, NULL}, {"begin_asking", rw_py_begin_asking, METH_O, NULL},
    {"run", RW_FAST(rw_py_run)}, {"run_asking", RW_FAST(rw_py_run_asking)}, {"follow", RW_FAST(rw_py_follow)},
    {"refresh", rw_py_refresh, METH_O, NULL}, {"fits", rw_py_fits, METH_O, NULL}, {"rank_keys", rw_py_rank_keys, METH_O, NULL},
    {"heuristic", RW_FAST(rw_py_heuristic)}, {"estimates", RW_FAST(rw_py_estimates)}, {"playout", RW_FAST(rw_py_playout)},
    {"playout_until", RW_FAST(rw_py_playout_until)}, {"playout_turns", RW_FAST(rw_py_playout_turns)},
    {"playouts_from", RW_FAST(rw_py_playouts_from)}, {"playouts", RW_FAST(rw_py_playouts)}, {"finish", RW_FAST(rw_py_finish)},
    {"promising", RW_FAST(rw_py_promising)}, {"credit", RW_FAST(rw_py_credit)}, {"margins", RW_FAST(rw_py_margins)},
    {"observe", RW_FAST(rw_py_observe)}, {"mark_legal", RW_FAST(rw_py_mark_legal)},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef rw_definition = {PyModuleDef_HEAD_INIT, "engine", NULL, -1, rw_functions, NULL, NULL, NULL, NULL};

static int rw_add_all(PyObject *m) {
    for (int i = 0; i < RW_FIELDS; i++) {
        const rw_field *f = &rw_fields[i];
        rw_getset[i] = (PyGetSetDef){f->name, rw_get_field, rw_set_field, NULL, (void *)(uintptr_t)f};
    }
    rw_cells_type = (PyTypeObject *)PyType_FromSpec(&rw_cells_spec);
    rw_type = (PyTypeObject *)PyType_FromSpec(&rw_type_spec);
    rw_batch_type = (PyTypeObject *)PyType_FromSpec(&rw_batch_spec);
    if (!rw_cells_type || !rw_type || !rw_batch_type) return -1;
    PyObject *bases = PyTuple_Pack(1, rw_type);
    rw_asking_type = bases ? (PyTypeObject *)PyType_FromSpecWithBases(&rw_asking_spec, bases) : NULL;
    Py_XDECREF(bases);
    if (!rw_asking_type) return -1;
    PyObject *names = PyTuple_New(RW_FIELDS), *offsets = PyList_New(RW_POINTS), *sizes = PyList_New(RW_POINTS);
    if (!names || !offsets || !sizes) return -1;
    for (int i = 0; i < RW_FIELDS; i++) PyTuple_SET_ITEM(names, i, PyUnicode_FromString(rw_fields[i].name));
    for (int i = 0; i < RW_POINTS; i++) {
        PyList_SET_ITEM(offsets, i, PyLong_FromLong(rw_offset[i]));
        PyList_SET_ITEM(sizes, i, PyLong_FromLong(rw_size[i]));
    }
    if (PyErr_Occurred()) return -1;
    return PyModule_AddObject(m, "FIELDS", names) || PyModule_AddObject(m, "OFFSET", offsets) || PyModule_AddObject(m, "SIZE", sizes)
        || PyModule_AddObjectRef(m, "State", (PyObject *)rw_type) || PyModule_AddObjectRef(m, "AskingState", (PyObject *)rw_asking_type)
        || PyModule_AddObjectRef(m, "Batch", (PyObject *)rw_batch_type)
        || PyModule_AddObjectRef(m, "COMPILED", Py_True) || PyModule_AddObjectRef(m, "GAME", Py_None)
        || PyModule_AddStringConstant(m, "LAYOUT", RW_LAYOUT)
        || PyModule_AddIntConstant(m, "ACTIONS", RW_ACTIONS) || PyModule_AddIntConstant(m, "STATE_BYTES", (long)sizeof(rw_state));
}
PyMODINIT_FUNC RW_NAME(RW_MODULE)(void) {
    PyObject *m = PyModule_Create(&rw_definition);
    if (m && rw_add_all(m)) Py_CLEAR(m);
    return m;
}
