/* The functions of the module: those that the generated Python has, and loops of bots. */

/* the random state for any whole number of Python's, and for numbers after it */
typedef struct { uint64_t bits; int negative; bool far; long long value; } rw_seed;
static int rw_read_seed(PyObject *o, rw_seed *seed) {
    if (!PyLong_Check(o)) { PyErr_SetString(PyExc_TypeError, "a seed is a whole number"); return -1; }
    int over;
    seed->value = PyLong_AsLongLongAndOverflow(o, &over);
    seed->far = over != 0;
    seed->negative = over < 0;
    seed->bits = PyLong_AsUnsignedLongLongMask(o);
    return PyErr_Occurred() ? -1 : 0;
}
static int64_t rw_seed_after(const rw_seed *seed, int64_t more) {
    uint64_t bits = seed->bits + (uint64_t)more;
    bool negative;
    if (seed->far) negative = seed->negative;
    else { __int128 sum = (__int128)seed->value + more; negative = sum < 0; }
    return rw_from_seed(negative ? -bits : bits, negative);
}

static PyObject *rw_new_state(PyObject *Py_UNUSED(m), PyObject *given) {
    rw_seed seed;
    if (rw_read_seed(given, &seed)) return NULL;
    rw_object *o = rw_fresh(rw_type);
    if (!o) return NULL;
    rw_begin_fields(&o->state);
    o->state.x_rng = rw_seed_after(&seed, 0);
    return (PyObject *)o;
}
/* a function of a state alone */
#define RW_ON_STATE(name, what) \
    static PyObject *name(PyObject *Py_UNUSED(m), PyObject *o) { \
        rw_state *s = rw_state_of(o); \
        if (!s) return NULL; \
        if (RW_TRY(what)) return rw_raise(o); \
        Py_RETURN_NONE; }
RW_ON_STATE(rw_py_begin, rw_begin(s))
RW_ON_STATE(rw_py_begin_asking, rw_stop(s, rw_start(s)))
RW_ON_STATE(rw_py_refresh, fn_refresh(s))

/* a function of a state and a number */
#define RW_ON_NUMBER(name, what) \
    static PyObject *name(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) { \
        if (n != 2) { PyErr_SetString(PyExc_TypeError, "a state and a number are expected"); return NULL; } \
        rw_state *s = rw_state_of(args[0]); \
        if (!s) return NULL; \
        int64_t v = PyLong_AsLongLong(args[1]); \
        if (v == -1 && PyErr_Occurred()) return NULL; \
        if (RW_TRY(what)) return rw_raise(args[0]); \
        Py_RETURN_NONE; }
RW_ON_NUMBER(rw_py_run, rw_run(s, v))
RW_ON_NUMBER(rw_py_run_asking, rw_stop(s, rw_decide(s, s->x_pc, v)))
RW_ON_NUMBER(rw_py_follow, rw_follow(s, v))

static PyObject *rw_py_fits(PyObject *Py_UNUSED(m), PyObject *o) {
    rw_state *s = rw_state_of(o);
    if (!s) return NULL;
    bool found = false, *to = &found;
    if (RW_TRY(*to = rw_fits(s))) return rw_raise(o);
    return PyBool_FromLong(found);
}
static PyObject *rw_py_rank_keys(PyObject *Py_UNUSED(m), PyObject *o) {
    rw_state *s = rw_state_of(o);
    if (!s) return NULL;
    int64_t room[RW_RANK_MOST * RW_RANK_WIDTH];
    rw_rows rows = {0, RW_RANK_MOST, room}, *to = &rows;
    if (RW_TRY(fn_rank_keys(s, to))) return rw_raise(o);
    /* there is one row for each participant, so that there was room for all of them */
    PyObject *list = PyList_New((Py_ssize_t)rows.n);
    for (int64_t i = 0; list && i < rows.n; i++) {
        PyObject *row = PyTuple_New(RW_RANK_WIDTH);
        for (int k = 0; row && k < RW_RANK_WIDTH; k++) {
            PyObject *v = PyLong_FromLongLong(rows.a[RW_RANK_WIDTH * i + k]);
            if (v) PyTuple_SET_ITEM(row, k, v); else Py_CLEAR(row);
        }
        if (row) PyList_SET_ITEM(list, (Py_ssize_t)i, row); else Py_CLEAR(list);
    }
    return list;
}

/* ---------------------------------------------------------------- games inside the engine */

static PyObject *rw_py_playout(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 2) { PyErr_SetString(PyExc_TypeError, "a state and a random state are expected"); return NULL; }
    rw_state *s = rw_state_of(args[0]);
    if (!s) return NULL;
    int64_t x = PyLong_AsLongLong(args[1]), made = 0, *to = &made;
    if (x == -1 && PyErr_Occurred()) return NULL;
    if (RW_TRY(*to = rw_playout(s, x))) return rw_raise(args[0]);
    return PyLong_FromLongLong(made);
}
/* weights as an array of whole words, or a list of numbers that is made into one; *own must be freed */
static int rw_read_weights(PyObject *given, Py_buffer *view, const int64_t **weights, int64_t **own) {
    *weights = NULL; *own = NULL; view->obj = NULL;
    if (PyObject_CheckBuffer(given)) {
        if (PyObject_GetBuffer(given, view, PyBUF_SIMPLE)) return -1;
        if (view->len == 0) { PyBuffer_Release(view); return 0; }
        if (view->len < (Py_ssize_t)(RW_ACTIONS * 8)) {
            PyBuffer_Release(view);
            PyErr_SetString(PyExc_ValueError, "there must be a weight for every action");
            return -1;
        }
        *weights = view->buf;
        return 0;
    }
    PyObject *all = PySequence_Fast(given, "weights are a list of numbers");
    if (!all) return -1;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(all);
    int bad = 0;
    if (n && n < RW_ACTIONS) { PyErr_SetString(PyExc_ValueError, "there must be a weight for every action"); bad = -1; }
    else if (n) {
        *own = malloc((size_t)n * 8);
        if (!*own) { PyErr_NoMemory(); bad = -1; }
        for (Py_ssize_t i = 0; !bad && i < n; i++) {
            (*own)[i] = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(all, i));
            if ((*own)[i] == -1 && PyErr_Occurred()) { free(*own); *own = NULL; bad = -1; }
        }
        *weights = *own;
    }
    Py_DECREF(all);
    return bad;
}
/* playout_until(s, x, n, who, weights); `turns` of whoever then decides where it is given instead of who */
static PyObject *rw_until(PyObject *const *args, bool by_turns) {
    rw_state *s = rw_state_of(args[0]);
    if (!s) return NULL;
    int64_t x = PyLong_AsLongLong(args[1]), n = PyLong_AsLongLong(args[2]), who = PyLong_AsLongLong(args[3]);
    if (PyErr_Occurred()) return NULL;
    Py_buffer view; const int64_t *weights; int64_t *own;
    if (rw_read_weights(args[4], &view, &weights, &own)) return NULL;
    int64_t *to = &x;
    int code;
    if (by_turns) code = RW_TRY(for (int64_t t = 0; t < who; t++) *to = rw_playout_until(s, *to, n, s->x_who, weights));
    else code = RW_TRY(*to = rw_playout_until(s, *to, n, who, weights));
    free(own);
    if (view.obj) PyBuffer_Release(&view);
    return code ? rw_raise(args[0]) : PyLong_FromLongLong(x);
}
static PyObject *rw_py_playout_until(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 5) { PyErr_SetString(PyExc_TypeError, "five arguments are expected"); return NULL; }
    return rw_until(args, false);
}
static PyObject *rw_py_playout_turns(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 5) { PyErr_SetString(PyExc_TypeError, "five arguments are expected"); return NULL; }
    return rw_until(args, true);
}
/* for each seed a copy of the state, played on at random to the end */
static PyObject *rw_py_playouts_from(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    if (n != 2) { PyErr_SetString(PyExc_TypeError, "a state and a list of seeds are expected"); return NULL; }
    if (!rw_state_of(args[0])) return NULL;
    PyObject *seeds = PySequence_Fast(args[1], "seeds are a list of numbers");
    if (!seeds) return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(seeds);
    PyObject *ends = PyList_New(count);
    for (Py_ssize_t i = 0; ends && i < count; i++) {
        rw_seed seed;
        PyObject *end = rw_read_seed(PySequence_Fast_GET_ITEM(seeds, i), &seed) ? NULL : rw_clone(args[0], NULL);
        if (!end) { Py_CLEAR(ends); break; }
        PyList_SET_ITEM(ends, i, end);
        rw_state *s = &((rw_object *)end)->state;
        s->x_rng = rw_seed_after(&seed, 0);
        if (RW_TRY(rw_playout(s, rw_seed_after(&seed, 1)))) { rw_raise(end); Py_CLEAR(ends); }
    }
    Py_DECREF(seeds);
    return ends;
}
/* random games one after another, without Python's lock; the number of decisions in all */
static PyObject *rw_py_playouts(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    rw_seed seed;
    if (n != 2) { PyErr_SetString(PyExc_TypeError, "a count and a seed are expected"); return NULL; }
    int64_t count = PyLong_AsLongLong(args[0]), total = 0, *to = &total;
    if ((count == -1 && PyErr_Occurred()) || rw_read_seed(args[1], &seed)) return NULL;
    rw_object *o = rw_fresh(rw_type);
    if (!o) return NULL;
    rw_state *s = &o->state;
    int code;
    Py_BEGIN_ALLOW_THREADS
    code = RW_TRY(for (int64_t i = 0; i < count; i++) {
        rw_begin_fields(s);
        s->x_rng = rw_seed_after(&seed, i);
        rw_begin(s);
        *to += rw_playout(s, rw_seed_after(&seed, i + 7919));
    });
    Py_END_ALLOW_THREADS
    PyObject *found = code ? rw_raise((PyObject *)o) : PyLong_FromLongLong(total);
    Py_DECREF(o);
    return found;
}
