/* Multisets of pieces: bit `k + kinds*c` is set when there are more than c pieces of kind k. */
#ifndef RW_ZONES_H
#define RW_ZONES_H
#include "rw_sets.h"

/* how many pieces of a kind; `column` has the bits of the first kind */
RW_INLINE int64_t rw_count(uint64_t zone, int64_t kind, uint64_t column, int64_t at) {
    return rw_pop(rw_shr(zone, kind, at) & column);
}
RW_INLINE uint64_t rw_more(uint64_t zone, int64_t kind, int64_t kinds, uint64_t column, int64_t at) {
    return zone | rw_shl(1, kind + kinds * rw_count(zone, kind, column, at), at);
}
RW_INLINE uint64_t rw_less(uint64_t zone, int64_t kind, int64_t kinds, uint64_t column, int64_t at) {
    return zone ^ rw_shl(1, kind + kinds * (rw_count(zone, kind, column, at) - 1), at);
}
static inline uint64_t rw_union(uint64_t a, uint64_t b, int64_t kinds, uint64_t column) {
    if (!a) return b;
    for (; b; b &= b - 1) a = rw_more(a, rw_ctz(b) % kinds, kinds, column, 0);
    return a;
}

/* the same for zones of several words */
static inline int64_t rw_count_in(const uint64_t *w, int n, int64_t kind, int64_t kinds, int64_t at) {
    if (kind < 0) rw_fail(RW_NO_PLACE, at, kind, 0, 0, 0);
    int64_t found = 0, most = 64 * n;
    for (int64_t i = kind; i < most && (w[i >> 6] >> (i & 63) & 1); i += kinds) found++;
    return found;
}
static inline void rw_flip_in(uint64_t *w, int n, int64_t place, int64_t at) {
    if (place < 0) rw_fail(RW_NO_PLACE, at, place, 0, 0, 0);
    if (place < 64 * n) w[place >> 6] ^= UINT64_C(1) << (place & 63);
}
static inline void rw_more_in(uint64_t *w, int n, int64_t kind, int64_t kinds, int64_t at) {
    rw_flip_in(w, n, kind + kinds * rw_count_in(w, n, kind, kinds, at), at);
}
static inline void rw_less_in(uint64_t *w, int n, int64_t kind, int64_t kinds, int64_t at) {
    rw_flip_in(w, n, kind + kinds * (rw_count_in(w, n, kind, kinds, at) - 1), at);
}
static inline void rw_union_in(uint64_t *a, const uint64_t *b, int n, int64_t kinds) {
    for (int i = 0; i < n; i++)
        for (uint64_t r = b[i]; r; r &= r - 1) rw_more_in(a, n, (64 * i + rw_ctz(r)) % kinds, kinds, 0);
}
#define RW_ZONE(N) \
    RW_INLINE rw_set##N rw_more##N(rw_set##N z, int64_t kind, int64_t kinds, int64_t at) { rw_more_in(z.w, N, kind, kinds, at); return z; } \
    RW_INLINE rw_set##N rw_less##N(rw_set##N z, int64_t kind, int64_t kinds, int64_t at) { rw_less_in(z.w, N, kind, kinds, at); return z; } \
    RW_INLINE rw_set##N rw_union##N(rw_set##N a, rw_set##N b, int64_t kinds) { \
        if (!rw_any_in(a.w, N)) return b; \
        rw_union_in(a.w, b.w, N, kinds); return a; }
#endif
