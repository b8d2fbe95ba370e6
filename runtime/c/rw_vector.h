/* Many games as who trains steps them: one call for a step of all, and everything that it gives, in arrays that Python owns. */

/* the arrays, one row for each game; `bases` are the numbers that the seeds of a place come from */
enum { RW_V_SEEN, RW_V_MASKS, RW_V_REWARDS, RW_V_SCORES, RW_V_DONE, RW_V_SEAT, RW_V_ROUNDS, RW_V_LENGTHS, RW_V_BASES, RW_V_ARRAYS };
typedef struct rw_vector {
    float *seen;
    char *masks;
    float *rewards, *scores;
    char *done;
    int64_t *seat, *rounds, *lengths;
    const uint64_t *bases;
    Py_buffer views[RW_V_ARRAYS];
} rw_vector;

/* codes beside those of failures: no end in sight, and a game that ends before anybody was asked */
enum { RW_NO_END = 101, RW_NO_DECISION };

static uint64_t rw_mixed(uint64_t x) {
    x ^= x >> 30; x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 27; x *= UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}
/* the n-th of the numbers that come from one; rulewright/vector.py does the same */
static uint64_t rw_drawn(uint64_t base, int64_t n) { return rw_mixed(base + UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(n + 1)); }

/* what each player has won: one win, shared by the teams that are first (a seat by itself is one, where partners do not win together);
   against the game, what they reached of what there was to reach */
static void rw_shares(rw_state *s, float *rewards) {
    int64_t room[RW_RANK_MOST * RW_RANK_WIDTH];
    rw_rows rows = {0, RW_RANK_MOST, room};
    fn_rank_keys(s, &rows);
    if (RW_TOGETHER) {
        int64_t key = rows.a[1];
        key = key < 0 ? 0 : key > RW_TOGETHER ? RW_TOGETHER : key;
        for (int p = 0; p < RW_PLAYERS; p++) rewards[p] = (float)((double)key / RW_TOGETHER);
        return;
    }
    int best = 0, players = 0, neutral = 0;
    bool counted[RW_PLAYERS] = {false};
    for (int64_t i = 0; i < rows.n; i++) {
        const int64_t *row = rows.a + RW_RANK_WIDTH * i;
        bool first = true;
        for (int64_t j = 0; first && j < rows.n; j++) {
            const int64_t *other = rows.a + RW_RANK_WIDTH * j;
            for (int k = 1; k < RW_RANK_WIDTH; k++)
                if (other[k] != row[k]) { first = other[k] < row[k]; break; }
        }
        if (row[0] >= RW_PLAYERS) neutral++;
        if (!first) continue;
        if (row[0] >= RW_PLAYERS) { best++; continue; }
        rewards[row[0]] = 1;
        players++;
        best += !counted[rw_team[row[0]]];
        counted[rw_team[row[0]]] = true;
    }
    /* where a neutral participant is ranked too, players can win together */
    double share = neutral && players == RW_PLAYERS && best == players ? 1.0 : best ? 1.0 / best : 1.0;
    for (int p = 0; p < RW_PLAYERS; p++) rewards[p] = (float)(rewards[p] * share);
}
/* what whoever decides sees and may do */
static int rw_show_one(rw_share *share, int64_t i) {
    const rw_vector *v = share->vector;
    rw_state *s = &share->states[i];
    if (!s->x_pc) { rw_this.code = RW_NO_DECISION; return 1; }
    v->seat[i] = s->x_who;
    rw_seen_by(s, s->x_who, v->seen + i * RW_SEEN);
    rw_mark(s, v->masks + i * RW_ACTIONS);
    return 0;
}
/* whether an action is legal */
static int rw_legal_one(rw_share *share, int64_t i) {
    const rw_state *s = &share->states[i];
    if (s->x_pc && rw_is_option(s, rw_number_at(share->rows + i * 8, 8) - rw_offset[s->x_pc])) return 0;
    rw_this.code = RW_ILLEGAL;
    return 1;
}
/* an action; where that ends a game, what it gave, and a new one in its place */
static int rw_advance_one(rw_share *share, int64_t i) {
    const rw_vector *v = share->vector;
    rw_state *s = &share->states[i];
    /* asked again: the numbers are Python's, and its other threads go on */
    if (rw_legal_one(share, i)) return 1;
    rw_run(s, rw_number_at(share->rows + i * 8, 8) - rw_offset[s->x_pc]);
    float *rewards = v->rewards + i * RW_PLAYERS;
    for (int p = 0; p < RW_PLAYERS; p++) rewards[p] = 0;
    v->done[i] = !s->x_pc;
    if (s->x_pc) {
        if (++v->lengths[i] >= RW_MOST) { rw_this.code = RW_NO_END; return 1; }
    } else {
        rw_shares(s, rewards);
        for (int p = 0; p < RW_PLAYERS; p++) v->scores[i * RW_PLAYERS + p] = (float)s->x_score[p];
        v->lengths[i] = 0;
        rw_new_game(s, (int64_t)(rw_drawn(v->bases[i], ++v->rounds[i]) >> 1));
    }
    return rw_show_one(share, i);
}
/* a legal action for each, all alike, from one number */
static int rw_draw_one(rw_share *share, int64_t i) {
    rw_state *s = &share->states[i];
    int64_t v = s->x_pc ? rw_offset[s->x_pc] + rw_choose(s, (int64_t)rw_drawn(share->base, i)) : 0;
    memcpy(share->rows + i * 8, &v, 8);
    return 0;
}

/* ---------------------------------------------------------------- what Python calls */

static void rw_unbind(rw_batch_object *b) {
    if (!b->vector) return;
    for (int k = 0; k < RW_V_ARRAYS; k++) PyBuffer_Release(&b->vector->views[k]);
    free(b->vector);
    b->vector = NULL;
}
static PyObject *rw_batch_bind(PyObject *self, PyObject *args) {
    static const int64_t sizes[RW_V_ARRAYS] = {4 * RW_SEEN, RW_ACTIONS, 4 * RW_PLAYERS, 4 * RW_PLAYERS, 1, 8, 8, 8, 8};
    rw_batch_object *b = (rw_batch_object *)self;
    if (!rw_is_free(b)) return NULL;
    if (PyTuple_GET_SIZE(args) != RW_V_ARRAYS) { PyErr_Format(PyExc_TypeError, "%d arrays are expected", RW_V_ARRAYS); return NULL; }
    rw_vector *v = calloc(1, sizeof *v);
    if (!v) return PyErr_NoMemory();
    for (int k = 0; k < RW_V_ARRAYS; k++) {
        int failed = PyObject_GetBuffer(PyTuple_GET_ITEM(args, k), &v->views[k], PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS);
        if (!failed && v->views[k].len != b->count * sizes[k]) {
            PyErr_Format(PyExc_ValueError, "array %d: %lld bytes are expected, not %zd", k, (long long)(b->count * sizes[k]), v->views[k].len);
            PyBuffer_Release(&v->views[k]);
            failed = 1;
        }
        if (failed) {
            while (k-- > 0) PyBuffer_Release(&v->views[k]);
            free(v);
            return NULL;
        }
    }
    v->seen = v->views[RW_V_SEEN].buf; v->masks = v->views[RW_V_MASKS].buf;
    v->rewards = v->views[RW_V_REWARDS].buf; v->scores = v->views[RW_V_SCORES].buf;
    v->done = v->views[RW_V_DONE].buf; v->seat = v->views[RW_V_SEAT].buf; v->rounds = v->views[RW_V_ROUNDS].buf;
    v->lengths = v->views[RW_V_LENGTHS].buf; v->bases = v->views[RW_V_BASES].buf;
    rw_unbind(b);
    b->vector = v;
    Py_RETURN_NONE;
}
/* None, or what is wrong with the first game where something is: a word and its number */
static PyObject *rw_vector_run(PyObject *self, rw_share whole, int threads) {
    rw_batch_object *b = (rw_batch_object *)self;
    if (!rw_is_free(b) || !rw_are_threads(threads)) return NULL;
    int64_t failed = rw_batch_all(b, whole, threads);
    if (failed < 0) Py_RETURN_NONE;
    int code = rw_this.code;
    if (code == RW_ILLEGAL) return Py_BuildValue("sL", "illegal", (long long)failed);
    if (code == RW_NO_END) return Py_BuildValue("sL", "endless", (long long)failed);
    if (code == RW_NO_DECISION) return Py_BuildValue("sL", "no decision", (long long)failed);
    PyObject *state = rw_batch_get(self, (Py_ssize_t)failed);
    if (state) rw_raise_by(rw_hook_located, state);
    Py_XDECREF(state);
    return NULL;
}
static rw_vector *rw_bound(PyObject *self) {
    rw_vector *v = ((rw_batch_object *)self)->vector;
    if (!v) PyErr_SetString(PyExc_ValueError, "bind the arrays first");
    return v;
}
/* 64 bit numbers, one for each game */
static int rw_row_of_words(rw_batch_object *b, PyObject *given, Py_buffer *view, int flags) {
    if (PyObject_GetBuffer(given, view, flags | PyBUF_C_CONTIGUOUS)) return -1;
    if (view->len == b->count * 8) return 0;
    PyErr_Format(PyExc_ValueError, "%lld bytes are expected, not %zd", (long long)(b->count * 8), view->len);
    PyBuffer_Release(view);
    return -1;
}
static PyObject *rw_batch_advance(PyObject *self, PyObject *args) {
    rw_batch_object *b = (rw_batch_object *)self;
    PyObject *given;
    int threads;
    Py_buffer view;
    rw_vector *v = rw_bound(self);
    if (!v || !PyArg_ParseTuple(args, "Oi", &given, &threads) || rw_row_of_words(b, given, &view, 0)) return NULL;
    rw_share whole = {.job = rw_legal_one, .states = b->states, .rows = view.buf, .vector = v};
    /* all or nothing: what is not legal is found before anything is done */
    PyObject *out = rw_vector_run(self, whole, threads);
    if (out == Py_None) {
        Py_DECREF(out);
        whole.job = rw_advance_one;
        out = rw_vector_run(self, whole, threads);
    }
    PyBuffer_Release(&view);
    return out;
}
static PyObject *rw_batch_show(PyObject *self, PyObject *args) {
    int threads;
    rw_vector *v = rw_bound(self);
    if (!v || !PyArg_ParseTuple(args, "i", &threads)) return NULL;
    return rw_vector_run(self, (rw_share){.job = rw_show_one, .states = ((rw_batch_object *)self)->states, .vector = v}, threads);
}
static PyObject *rw_batch_draw(PyObject *self, PyObject *args) {
    rw_batch_object *b = (rw_batch_object *)self;
    PyObject *given;
    unsigned long long base;
    int threads;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "KOi", &base, &given, &threads) || rw_row_of_words(b, given, &view, PyBUF_WRITABLE)) return NULL;
    PyObject *out = rw_vector_run(self, (rw_share){.job = rw_draw_one, .states = b->states, .rows = view.buf, .base = base}, threads);
    PyBuffer_Release(&view);
    return out;
}
