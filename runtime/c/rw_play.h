/* Playing: from one decision to the next, and at random to the end. The same steps as in the generated Python. */
#define RW_STEPS 100000
#define RW_FORCED (INT64_C(1) << 40)

RW_INLINE int rw_words_at(int64_t pc) { return RW_OPTION_WORDS == 1 ? 1 : (rw_size[pc] + 63) >> 6; }
RW_INLINE uint64_t *rw_opts(rw_state *s) { return (uint64_t *)(void *)&s->x_opts; }
RW_INLINE const uint64_t *rw_const_opts(const rw_state *s) { return (const uint64_t *)(const void *)&s->x_opts; }
RW_INLINE int64_t rw_first_option(rw_state *s) { return rw_first_in(rw_opts(s), rw_words_at(s->x_pc)); }

static void rw_end(rw_state *s) {
    s->x_pc = 0; s->x_who = -4;
    memset(rw_opts(s), 0, 8 * RW_OPTION_WORDS);
}
/* jump from block to block until the game stops; forced decisions are taken */
static void rw_follow(rw_state *s, int64_t pc) {
    int64_t steps = 0;
    while (pc > 0) {
        pc = pc < RW_FORCED ? rw_go_on(s, pc) : rw_decide(s, s->x_pc, rw_first_option(s));
        if (++steps > RW_STEPS && pc > 0) rw_fail(RW_TOO_MANY_STEPS, 0, -1 - (pc < RW_FORCED ? pc : s->x_pc), 0, 0, 0);
    }
    if (pc < 0) rw_end(s);
}
/* the same, but forced decisions are left to who must take them */
static void rw_stop(rw_state *s, int64_t pc) {
    int64_t steps = 0;
    while (pc > 0 && pc < RW_FORCED) {
        pc = rw_go_on(s, pc);
        if (++steps > RW_STEPS) rw_fail(RW_TOO_MANY_STEPS, 0, -1 - (pc < RW_FORCED ? pc : s->x_pc), 0, 0, 0);
    }
    if (pc < 0) rw_end(s);
}
RW_INLINE void rw_run(rw_state *s, int64_t v) {
    int64_t pc = rw_decide(s, s->x_pc, v);
    if (pc) rw_follow(s, pc);
}
RW_INLINE bool rw_is_option(const rw_state *s, int64_t v) {
    return v >= 0 && v < rw_size[s->x_pc] && (rw_const_opts(s)[v >> 6] >> (v & 63) & 1);
}
/* an option of the pending decision, by the low digit of x */
RW_INLINE int64_t rw_choose(const rw_state *s, int64_t x) {
    const uint64_t *w = rw_const_opts(s);
    int n = rw_words_at(s->x_pc);
    if (n == 1) return rw_nth(w[0], rw_among(x, rw_pop(w[0])));
    return rw_nth_in(w, n, rw_among(x, rw_size_in(w, n)));
}
/* on at random to the end; the number of decisions */
static int64_t rw_playout(rw_state *s, int64_t x) {
    for (int64_t n = 0; n < RW_MOST; n++) {
        if (!s->x_pc) return n;
        x = rw_step(x);
        rw_run(s, rw_choose(s, x));
    }
    if (s->x_pc) rw_fail(RW_ENDLESS, 0, 0, 0, 0, 0);
    return RW_MOST;
}
/* on at random for at most n decisions, while `who` decides (-1: whoever); the random state afterwards */
static int64_t rw_playout_until(rw_state *s, int64_t x, int64_t n, int64_t who, const int64_t *weights) {
    while (s->x_pc && n > 0 && (who < 0 || s->x_who == who)) {
        x = rw_step(x);
        int64_t v = weights ? rw_pick_in(rw_const_opts(s), rw_words_at(s->x_pc), x, weights + rw_offset[s->x_pc]) : rw_choose(s, x);
        rw_run(s, v);
        n--;
    }
    return x;
}
static void rw_new(rw_state *s, uint64_t size, bool negative) {
    rw_begin_fields(s);
    s->x_rng = rw_from_seed(size, negative);
}
static void rw_begin(rw_state *s) { rw_follow(s, rw_start(s)); }
static void rw_new_game(rw_state *s, int64_t seed) {
    rw_new(s, seed < 0 ? -(uint64_t)seed : (uint64_t)seed, seed < 0);
    rw_begin(s);
}
RW_INLINE int64_t rw_seeded(int64_t seed) { return rw_from_seed(seed < 0 ? -(uint64_t)seed : (uint64_t)seed, seed < 0); }
