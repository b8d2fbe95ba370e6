/* Many states side by side, stepped without Python's lock by as many threads as asked for.
 *
 * Everything goes over arrays that Python hands in as buffers and owns: actions in, masks, seats and whatever else is read out of
 * the states. To read out more, write a function of one state and one row, and give it a method by RW_BATCH_ROWS. */
#include "rw_threads.h"

typedef struct { PyObject_HEAD int64_t count; rw_state *states; struct rw_vector *vector; bool busy; } rw_batch_object;
static PyTypeObject *rw_batch_type;

/* whether nobody is at work in a batch; Python's lock is held */
static bool rw_is_free(const rw_batch_object *b) {
    if (b->busy) PyErr_SetString(PyExc_RuntimeError, "another thread is at work in this batch");
    return !b->busy;
}
static bool rw_are_threads(int threads) {
    bool are = threads >= 1 && threads <= RW_MOST_THREADS;
    if (!are) PyErr_Format(PyExc_ValueError, "threads are from 1 to %d", RW_MOST_THREADS);
    return are;
}
/* a job for all states, without Python's lock; the first state where it failed, -1 if none */
static int64_t rw_batch_all(rw_batch_object *b, rw_share whole, int threads) {
    int64_t failed;
    b->busy = true;
    Py_BEGIN_ALLOW_THREADS
    failed = rw_all(whole, b->count, threads);
    Py_END_ALLOW_THREADS
    b->busy = false;
    return failed;
}

/* ---------------------------------------------------------------- what is done with one state */

static int64_t rw_number_at(const char *p, int64_t wide) {
    if (wide == 4) { int32_t v; memcpy(&v, p, 4); return v; }
    int64_t v; memcpy(&v, p, 8); return v;
}
/* codes beside those of failures */
enum { RW_ILLEGAL = 100 };
static int rw_step_one(rw_share *share, int64_t i) {
    rw_state *s = &share->states[i];
    if (!s->x_pc) return 0;  /* over: whatever is given for it is left alone */
    int64_t v = rw_number_at(share->rows + i * share->step, share->wide) - rw_offset[s->x_pc];
    if (!rw_is_option(s, v)) { rw_this.code = RW_ILLEGAL; return 1; }
    return RW_TRY(rw_run(s, v));
}
static int rw_random_one(rw_share *share, int64_t i) {
    rw_state *s = &share->states[i];
    char *row = share->rows + i * share->step;
    int64_t x; memcpy(&x, row, 8);
    if (!s->x_pc) return 0;
    x = rw_step(x);
    memcpy(row, &x, 8);
    return RW_TRY(rw_run(s, rw_choose(s, x)));
}
static int rw_begin_one(rw_share *share, int64_t i) {
    int64_t seed; memcpy(&seed, share->rows + i * share->step, 8);
    return RW_TRY(rw_new_game(&share->states[i], seed));
}
/* one byte for each action: whether it is legal */
static int rw_bytes_one(rw_share *share, int64_t i) { rw_mark(&share->states[i], share->rows + i * share->step); return 0; }
/* one bit for each action, in whole words */
static int rw_packed_one(rw_share *share, int64_t i) {
    const rw_state *s = &share->states[i];
    uint64_t *row = (uint64_t *)(void *)(share->rows + i * share->step);
    memset(row, 0, (size_t)share->step);
    int at = rw_offset[s->x_pc] >> 6, by = rw_offset[s->x_pc] & 63, last = (int)(share->step / 8);
    const uint64_t *w = rw_const_opts(s);
    for (int k = 0; k < rw_words_at(s->x_pc); k++) {
        row[at + k] |= w[k] << by;
        if (by && at + k + 1 < last) row[at + k + 1] |= w[k] >> (64 - by);
    }
    return 0;
}
static int rw_players_one(rw_share *share, int64_t i) { share->rows[i] = (char)share->states[i].x_who; return 0; }
static int rw_scores_one(rw_share *share, int64_t i) {
    int64_t *row = (int64_t *)(void *)(share->rows + i * share->step);
    const rw_state *s = &share->states[i];
    for (int k = 0; k < (int)(sizeof s->x_score / sizeof *s->x_score); k++) row[k] = s->x_score[k];
    return 0;
}
/* what whoever decides sees */
static int rw_seen_one(rw_share *share, int64_t i) {
    rw_state *s = &share->states[i];
    float *row = (float *)(void *)(share->rows + i * share->step);
    return RW_TRY(rw_seen_by(s, s->x_who < 0 ? 0 : s->x_who, row));
}
/* a random game after the other, each state as often as it is asked for */
static int rw_playout_one(rw_share *share, int64_t i) {
    int64_t x; memcpy(&x, share->rows + i * share->step, 8);
    rw_state *s = &share->states[i];
    int64_t *to = &x;
    int code = RW_TRY(*to = rw_playout(s, *to));
    if (!code) memcpy(share->rows + i * share->step, &x, 8);
    return code;
}

/* ---------------------------------------------------------------- the type */

static PyObject *rw_batch_new(PyTypeObject *type, PyObject *args, PyObject *named) {
    static char *names[] = {"count", NULL};
    Py_ssize_t count;
    if (!PyArg_ParseTupleAndKeywords(args, named, "n", names, &count)) return NULL;
    if (count < 1 || (size_t)count > (SIZE_MAX / 2) / sizeof(rw_state)) { PyErr_SetString(PyExc_ValueError, "a batch has at least one state"); return NULL; }
    rw_batch_object *o = (rw_batch_object *)type->tp_alloc(type, 0);
    if (!o) return NULL;
    o->count = count;
    o->states = calloc((size_t)count, sizeof(rw_state));
    if (!o->states) { Py_DECREF(o); return PyErr_NoMemory(); }
    for (Py_ssize_t i = 0; i < count; i++) { rw_new(&o->states[i], 0, false); rw_end(&o->states[i]); }
    return (PyObject *)o;
}
static void rw_unbind(rw_batch_object *b);
static void rw_batch_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    rw_unbind((rw_batch_object *)self);
    free(((rw_batch_object *)self)->states);
    type->tp_free(self);
    Py_DECREF(type);
}
static Py_ssize_t rw_batch_length(PyObject *self) { return (Py_ssize_t)((rw_batch_object *)self)->count; }
static PyObject *rw_batch_get(PyObject *self, Py_ssize_t i) {
    rw_batch_object *b = (rw_batch_object *)self;
    if (i < 0 || i >= b->count) { PyErr_SetString(PyExc_IndexError, "there is no such state in the batch"); return NULL; }
    if (!rw_is_free(b)) return NULL;
    rw_object *o = rw_fresh(rw_type);
    if (o) o->state = b->states[i];
    return (PyObject *)o;
}
static int rw_batch_put(PyObject *self, Py_ssize_t i, PyObject *value) {
    rw_batch_object *b = (rw_batch_object *)self;
    if (i < 0 || i >= b->count) { PyErr_SetString(PyExc_IndexError, "there is no such state in the batch"); return -1; }
    if (!rw_is_free(b)) return -1;
    rw_state *s = value ? rw_state_of(value) : NULL;
    if (!s) { if (!value) PyErr_SetString(PyExc_TypeError, "a state of a batch can't be deleted"); return -1; }
    b->states[i] = *s;
    return 0;
}
/* runs a job over the rows of a buffer; raises for the first state where it failed */
static PyObject *rw_batch_run(PyObject *self, PyObject *args, rw_job job, bool writes, int64_t step, const char *what) {
    rw_batch_object *b = (rw_batch_object *)self;
    PyObject *given;
    int threads = 1;
    if (!PyArg_ParseTuple(args, "O|i", &given, &threads)) return NULL;
    if (!rw_is_free(b) || !rw_are_threads(threads)) return NULL;
    Py_buffer view;
    if (PyObject_GetBuffer(given, &view, writes ? PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT : PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) return NULL;
    int64_t wide = 8;
    if (step == 0) {
        /* actions: as many bytes as their numbers have */
        wide = view.itemsize;
        step = wide;
        if (wide != 4 && wide != 8) step = -1;
    }
    if (step < 0 || view.len != b->count * step) {
        PyErr_Format(PyExc_ValueError, "%s: %lld bytes are expected, not %zd", what, (long long)(b->count * (step < 0 ? 4 : step)), view.len);
        PyBuffer_Release(&view);
        return NULL;
    }
    rw_share whole = {.job = job, .states = b->states, .rows = view.buf, .step = step, .wide = wide};
    int64_t failed = rw_batch_all(b, whole, threads), action = 0;
    if (failed >= 0 && rw_this.code == RW_ILLEGAL) action = rw_number_at((char *)view.buf + failed * step, wide);
    PyBuffer_Release(&view);
    if (failed < 0) Py_RETURN_NONE;
    PyObject *state = rw_batch_get(self, (Py_ssize_t)failed);
    if (!state) return NULL;
    if (rw_this.code == RW_ILLEGAL) {
        PyObject *error = PyObject_CallFunction(rw_hook_illegal, "OOL", rw_module, state, (long long)action);
        if (error) { PyErr_SetObject((PyObject *)Py_TYPE(error), error); Py_DECREF(error); }
    } else rw_raise_by(rw_hook_located, state);
    Py_DECREF(state);
    return NULL;
}
#define RW_BATCH_ROWS(name, job, writes, step, what) \
    static PyObject *name(PyObject *self, PyObject *args) { return rw_batch_run(self, args, job, writes, step, what); }
RW_BATCH_ROWS(rw_batch_step, rw_step_one, false, 0, "actions, as 32 or 64 bit numbers")
RW_BATCH_ROWS(rw_batch_random, rw_random_one, true, 8, "random states, as 64 bit numbers")
RW_BATCH_ROWS(rw_batch_begin, rw_begin_one, false, 8, "seeds, as 64 bit numbers")
RW_BATCH_ROWS(rw_batch_masks, rw_bytes_one, true, RW_ACTIONS, "masks, one byte for each action")
RW_BATCH_ROWS(rw_batch_packed, rw_packed_one, true, (RW_ACTIONS + 63) / 64 * 8, "masks, one bit for each action in whole words")
RW_BATCH_ROWS(rw_batch_players, rw_players_one, true, 1, "seats, one byte for each state")
RW_BATCH_ROWS(rw_batch_scores, rw_scores_one, true, (int64_t)(8 * (sizeof ((rw_state *)0)->x_score / sizeof *((rw_state *)0)->x_score)), "scores, as 64 bit numbers")
RW_BATCH_ROWS(rw_batch_observe, rw_seen_one, true, 4 * RW_SEEN, "observations, as 32 bit floats")
RW_BATCH_ROWS(rw_batch_playouts, rw_playout_one, true, 8, "random states, as 64 bit numbers")
#include "rw_vector.h"
static PyMethodDef rw_batch_methods[] = {
    {"begin", rw_batch_begin, METH_VARARGS, "begin(seeds, threads=1): a new game in each place"},
    {"step", rw_batch_step, METH_VARARGS, "step(actions, threads=1): an action in each state that is not over"},
    {"random_steps", rw_batch_random, METH_VARARGS, "random_steps(x, threads=1): any legal action in each state; x are random states"},
    {"playouts", rw_batch_playouts, METH_VARARGS, "playouts(x, threads=1): each state to its end; x are random states, then numbers of decisions"},
    {"masks", rw_batch_masks, METH_VARARGS, "masks(out, threads=1): which actions are legal, one byte each"},
    {"packed_masks", rw_batch_packed, METH_VARARGS, "packed_masks(out, threads=1): which actions are legal, one bit each"},
    {"players", rw_batch_players, METH_VARARGS, "players(out, threads=1): who decides in each state, one signed byte each"},
    {"bind", rw_batch_bind, METH_VARARGS, "bind(observations, masks, rewards, scores, done, seat, rounds, lengths, bases): where steps are written"},
    {"advance", rw_batch_advance, METH_VARARGS, "advance(actions, threads): a step of all and what it gives; games that are over begin again"},
    {"show", rw_batch_show, METH_VARARGS, "show(threads): what whoever decides sees and may do"},
    {"draw", rw_batch_draw, METH_VARARGS, "draw(base, out, threads): a legal action for each, all alike"},
    {"observe", rw_batch_observe, METH_VARARGS, "observe(out, threads=1): what whoever decides sees"},
    {"scores", rw_batch_scores, METH_VARARGS, "scores(out, threads=1): the score of every participant"},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot rw_batch_slots[] = {
    {Py_tp_new, rw_batch_new}, {Py_tp_dealloc, rw_batch_dealloc}, {Py_tp_methods, rw_batch_methods},
    {Py_sq_length, rw_batch_length}, {Py_sq_item, rw_batch_get}, {Py_sq_ass_item, rw_batch_put}, {0, NULL},
};
static PyType_Spec rw_batch_spec = {"rulewright.native.Batch", sizeof(rw_batch_object), 0, Py_TPFLAGS_DEFAULT, rw_batch_slots};
