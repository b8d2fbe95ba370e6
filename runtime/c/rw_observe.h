/* What a seat sees as numbers: whole ones from the engine's own function, then scaled. The same numbers as without C. */

/* four at a time, which every machine can do */
typedef int32_t rw_four __attribute__((vector_size(16)));
typedef float rw_four_floats __attribute__((vector_size(16)));
static void rw_seen_by(rw_state *s, int64_t seat, float *out) {
    int32_t cells[RW_SEEN];
    memset(cells, 0, sizeof cells);
    fn_observe(s, seat, cells);
    int i = 0;
    for (; i + 4 <= RW_SEEN; i += 4) {
        rw_four whole;
        rw_four_floats scale, part;
        memcpy(&whole, cells + i, 16);
        memcpy(&scale, rw_scale + i, 16);
        part = __builtin_convertvector(whole, rw_four_floats) * scale;
        memcpy(out + i, &part, 16);
    }
    for (; i < RW_SEEN; i++) out[i] = (float)cells[i] * rw_scale[i];
}
/* one byte for each action: whether it is legal */
static void rw_mark(const rw_state *s, char *row) {
    memset(row, 0, RW_ACTIONS);
    if (!s->x_pc) return;
    const uint64_t *w = rw_const_opts(s);
    for (int k = 0; k < rw_words_at(s->x_pc); k++)
        for (uint64_t r = w[k]; r; r &= r - 1) row[rw_offset[s->x_pc] + 64 * k + rw_ctz(r)] = 1;
}
/* a state, a seat and a buffer that can be written, of so many bytes */
static rw_state *rw_read_seen(PyObject *const *args, Py_ssize_t n, int64_t *seat, Py_buffer *view, Py_ssize_t bytes) {
    if (n != 3) { PyErr_SetString(PyExc_TypeError, "a state, a buffer and a seat are expected"); return NULL; }
    rw_state *s = rw_state_of(args[0]);
    if (!s) return NULL;
    *seat = PyLong_AsLongLong(args[2]);
    if (*seat == -1 && PyErr_Occurred()) return NULL;
    if (PyObject_GetBuffer(args[1], view, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS)) return NULL;
    if (view->len == bytes) return s;
    PyErr_Format(PyExc_ValueError, "%zd bytes are expected, not %zd", bytes, view->len);
    PyBuffer_Release(view);
    return NULL;
}
/* observe(state, buffer, seat) */
static PyObject *rw_py_observe(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    int64_t seat;
    Py_buffer view;
    rw_state *s = rw_read_seen(args, n, &seat, &view, 4 * RW_SEEN);
    if (!s) return NULL;
    int code = RW_TRY(rw_seen_by(s, seat, view.buf));
    PyBuffer_Release(&view);
    if (code) return rw_raise(args[0]);
    Py_RETURN_NONE;
}
/* mark_legal(state, buffer, seat): nothing is marked where another seat decides; -1 stands for whoever does */
static PyObject *rw_py_mark_legal(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t n) {
    int64_t seat;
    Py_buffer view;
    rw_state *s = rw_read_seen(args, n, &seat, &view, RW_ACTIONS);
    if (!s) return NULL;
    if (seat < 0 || seat == s->x_who) rw_mark(s, view.buf);
    else memset(view.buf, 0, RW_ACTIONS);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}
