/* How good a position looks: the engine's own estimate, for one seat and for all. The same numbers as bots/judge.py, to the bit. */

/* heuristic(state, seat) */
static PyObject *rw_py_heuristic(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 2) { PyErr_SetString(PyExc_TypeError, "a state and a seat are expected"); return NULL; }
    rw_state *s = rw_state_of(args[0]);
    if (!s) return NULL;
    int64_t who = PyLong_AsLongLong(args[1]), found = 0, *to = &found;
    if (who == -1 && PyErr_Occurred()) return NULL;
    if (RW_TRY(*to = fn_heuristic(s, who))) return rw_raise(args[0]);
    return PyLong_FromLongLong(found);
}
/* estimates(state, seats): for each of so many seats */
static PyObject *rw_py_estimates(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 2) { PyErr_SetString(PyExc_TypeError, "a state and a number of seats are expected"); return NULL; }
    rw_state *s = rw_state_of(args[0]);
    if (!s) return NULL;
    int64_t seats = PyLong_AsLongLong(args[1]), found = 0, *to = &found;
    if (seats < 0) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no seats"); return NULL; }
    PyObject *list = PyList_New((Py_ssize_t)seats);
    for (int64_t p = 0; list && p < seats; p++) {
        if (RW_TRY(*to = fn_heuristic(s, p))) { Py_DECREF(list); return rw_raise(args[0]); }
        PyObject *v = PyLong_FromLongLong(found);
        if (v) PyList_SET_ITEM(list, (Py_ssize_t)p, v); else Py_CLEAR(list);
    }
    return list;
}
/* margins(state, seats, unit, rivalry): how far each seat is ahead by these estimates */
static PyObject *rw_py_margins(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 4) { PyErr_SetString(PyExc_TypeError, "four arguments are expected"); return NULL; }
    rw_state *s = rw_state_of(args[0]);
    if (!s) return NULL;
    Py_ssize_t seats = PyLong_AsSsize_t(args[1]);
    double unit = PyFloat_AsDouble(args[2]), rivalry = PyFloat_AsDouble(args[3]);
    if (PyErr_Occurred()) return NULL;
    if (seats < 1 || seats > 64) { PyErr_SetString(PyExc_ValueError, "seats are from 1 to 64"); return NULL; }
    double points[64], best = -1e300, second = -1e300, total = 0;
    for (Py_ssize_t p = 0; p < seats; p++) {
        int64_t found = 0, *to = &found;
        if (RW_TRY(*to = fn_heuristic(s, (int64_t)p))) return rw_raise(args[0]);
        double x = points[p] = (double)found / unit;
        total += x;
        if (x > best) { second = best; best = x; }
        else if (x > second) second = x;
    }
    PyObject *list = PyList_New(seats);
    for (Py_ssize_t p = 0; list && p < seats; p++) {
        double x = points[p], ahead = x == best ? second : best;
        PyObject *v = PyFloat_FromDouble(seats == 1 ? x : x - rivalry * (ahead + (total - x) / (double)(seats - 1)));
        if (v) PyList_SET_ITEM(list, p, v); else Py_CLEAR(list);
    }
    return list;
}
