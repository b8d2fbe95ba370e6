/* What a tree search does most often, over the lists that it keeps in Python: the same numbers as bots/search.py, to the bit. */

static int rw_lists(PyObject *const *args, int from, int to) {
    for (int i = from; i < to; i++)
        if (!PyList_CheckExact(args[i])) { PyErr_SetString(PyExc_TypeError, "lists are expected"); return -1; }
    return 0;
}
/* an entry of a list of floats, of whole numbers; *bad is set where there is none */
RW_INLINE double rw_float_at(PyObject *list, Py_ssize_t i, bool *bad) {
    if (i < 0 || i >= PyList_GET_SIZE(list) || !PyFloat_CheckExact(PyList_GET_ITEM(list, i))) { *bad = true; return 0; }
    return PyFloat_AS_DOUBLE(PyList_GET_ITEM(list, i));
}
RW_INLINE Py_ssize_t rw_int_at(PyObject *list, Py_ssize_t i, bool *bad) {
    if (i < 0 || i >= PyList_GET_SIZE(list) || !PyLong_CheckExact(PyList_GET_ITEM(list, i))) { *bad = true; return 0; }
    Py_ssize_t found = PyLong_AsSsize_t(PyList_GET_ITEM(list, i));
    if (found < 0) { PyErr_Clear(); *bad = true; }
    return found;
}
/* puts a new object in the place of an entry that is there */
static int rw_put(PyObject *list, Py_ssize_t i, PyObject *value) {
    if (!value) return -1;
    PyObject *before = PyList_GET_ITEM(list, i);
    PyList_SET_ITEM(list, i, value);
    Py_DECREF(before);
    return 0;
}
static void *rw_no_tree(void) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "these lists are not those of a tree");
    return NULL;
}
/* promising(tried, means, roots, low, high, explore, visits) */
static PyObject *rw_py_promising(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 7) { PyErr_SetString(PyExc_TypeError, "seven arguments are expected"); return NULL; }
    if (rw_lists(args, 0, 3)) return NULL;
    PyObject *tried = args[0], *means = args[1], *roots = args[2];
    double low = PyFloat_AsDouble(args[3]), high = PyFloat_AsDouble(args[4]), explore = PyFloat_AsDouble(args[5]);
    double visits = PyFloat_AsDouble(args[6]), best = -1e300;
    if (PyErr_Occurred()) return NULL;
    double scale = high > low ? 1.0 / (high - low) : 1.0, bonus = explore * sqrt(log(visits + 1));
    bool bad = PyList_GET_SIZE(tried) == 0;
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tried); i++) {
        Py_ssize_t at = rw_int_at(tried, i, &bad);
        double value = (rw_float_at(means, at, &bad) - low) * scale + bonus / rw_float_at(roots, at, &bad);
        if (value > best) { best = value; found = i; }
    }
    return bad ? rw_no_tree() : Py_NewRef(PyList_GET_ITEM(tried, found));
}
/* credit(path, seats, brought, visits, totals, means, roots, low, high) */
static PyObject *rw_py_credit(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 9) { PyErr_SetString(PyExc_TypeError, "nine arguments are expected"); return NULL; }
    if (rw_lists(args, 0, 9)) return NULL;
    PyObject *path = args[0], *seats = args[1], *brought = args[2], *visits = args[3], *totals = args[4], *means = args[5], *roots = args[6];
    bool bad = PyList_GET_SIZE(path) != PyList_GET_SIZE(seats);
    for (Py_ssize_t i = -1; !bad && i < PyList_GET_SIZE(path); i++) {
        Py_ssize_t node = i < 0 ? 0 : rw_int_at(path, i, &bad), count = rw_int_at(visits, node, &bad) + 1;
        rw_float_at(roots, node, &bad);
        if (bad || rw_put(visits, node, PyLong_FromSsize_t(count)) || rw_put(roots, node, PyFloat_FromDouble(sqrt((double)count)))) return rw_no_tree();
        if (i < 0) continue;
        Py_ssize_t who = rw_int_at(seats, i, &bad);
        double total = rw_float_at(totals, node, &bad) + rw_float_at(brought, who, &bad), mean = total / (double)count;
        double low = rw_float_at(args[7], who, &bad), high = rw_float_at(args[8], who, &bad);
        rw_float_at(means, node, &bad);
        if (bad || rw_put(totals, node, PyFloat_FromDouble(total)) || rw_put(means, node, PyFloat_FromDouble(mean))) return rw_no_tree();
        if (mean < low && rw_put(args[7], who, PyFloat_FromDouble(mean))) return NULL;
        if (mean > high && rw_put(args[8], who, PyFloat_FromDouble(mean))) return NULL;
    }
    if (bad) return rw_no_tree();
    Py_RETURN_NONE;
}
