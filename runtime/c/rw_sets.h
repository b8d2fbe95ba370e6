/* Sets as bits in one word or several: finding, counting, picking and listing members. */
#ifndef RW_SETS_H
#define RW_SETS_H
#include "rw_base.h"

RW_INLINE int rw_ctz(uint64_t x) { return __builtin_ctzll(x); }
RW_INLINE int rw_pop(uint64_t x) { return __builtin_popcountll(x); }

/* ---------------------------------------------------------------- one word */

RW_INLINE bool rw_has(uint64_t s, int64_t place, int64_t at) {
    if (RW_LIKELY((uint64_t)place < 64)) return s >> place & 1;
    if (place < 0) rw_fail(RW_NO_PLACE, at, place, 0, 0, 0);
    return false;
}
RW_INLINE uint64_t rw_one(int64_t place, int64_t at) { return UINT64_C(1) << rw_at(place, 64, at); }
RW_INLINE uint64_t rw_up_to(int64_t n) { return n <= 0 ? 0 : n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }
RW_INLINE int64_t rw_first(uint64_t s) { return s ? rw_ctz(s) : -1; }
/* the greatest member */
RW_INLINE int64_t rw_topmost(uint64_t s) { return s ? 63 - __builtin_clzll(s) : -1; }
/* the first place that is not taken */
RW_INLINE int64_t rw_first_free(uint64_t s) { return ~s ? rw_ctz(~s) : 64; }
RW_INLINE uint64_t rw_shl(uint64_t s, int64_t n, int64_t at) {
    if (n < 0) rw_fail(RW_NO_PLACE, at, n, 0, 0, 0);
    return n < 64 ? s << n : 0;
}
RW_INLINE uint64_t rw_shr(uint64_t s, int64_t n, int64_t at) {
    if (n < 0) rw_fail(RW_NO_PLACE, at, n, 0, 0, 0);
    return n < 64 ? s >> n : 0;
}

/* the member with n smaller ones, -1 if there are not so many */
RW_INLINE int64_t rw_nth(uint64_t s, int64_t n) {
#ifdef __BMI2__
    uint64_t found = n < 64 ? __builtin_ia32_pdep_di(UINT64_C(1) << n, s) : 0;
    return found ? rw_ctz(found) : -1;
#else
    while (n > 0 && s) { s &= s - 1; n--; }
    return s ? rw_ctz(s) : -1;
#endif
}

/* ---------------------------------------------------------------- several words, side by side */

RW_INLINE bool rw_any_in(const uint64_t *w, int n) {
    uint64_t all = 0;
    for (int i = 0; i < n; i++) all |= w[i];
    return all != 0;
}
RW_INLINE bool rw_has_in(const uint64_t *w, int n, int64_t place, int64_t at) {
    if (RW_LIKELY((uint64_t)place < (uint64_t)(64 * n))) return w[place >> 6] >> (place & 63) & 1;
    if (place < 0) rw_fail(RW_NO_PLACE, at, place, 0, 0, 0);
    return false;
}
RW_INLINE int64_t rw_size_in(const uint64_t *w, int n) {
    int64_t size = 0;
    for (int i = 0; i < n; i++) size += rw_pop(w[i]);
    return size;
}
RW_INLINE int64_t rw_first_in(const uint64_t *w, int n) {
    for (int i = 0; i < n; i++) if (w[i]) return 64 * i + rw_ctz(w[i]);
    return -1;
}
RW_INLINE int64_t rw_topmost_in(const uint64_t *w, int n) {
    for (int i = n - 1; i >= 0; i--) if (w[i]) return 64 * i + rw_topmost(w[i]);
    return -1;
}
RW_INLINE int64_t rw_first_free_in(const uint64_t *w, int n) {
    for (int i = 0; i < n; i++) if (~w[i]) return 64 * i + rw_ctz(~w[i]);
    return 64 * n;
}
RW_INLINE int64_t rw_nth_in(const uint64_t *w, int n, int64_t k) {
    for (int i = 0; i < n; i++) {
        int here = rw_pop(w[i]);
        if (k < here) return 64 * i + rw_nth(w[i], k);
        k -= here;
    }
    return -1;
}
/* the next member, taken out; -1 of nothing. *i is the word where it may be */
RW_INLINE int64_t rw_take_in(uint64_t *w, int n, int *i) {
    for (; *i < n; ++*i) {
        uint64_t x = w[*i];
        if (x) { w[*i] = x & (x - 1); return 64 * *i + rw_ctz(x); }
    }
    return -1;
}
/* a member in proportion to weights[member], chosen by the low digit of x; any where all weigh nothing */
static int64_t rw_pick_in(const uint64_t *w, int n, int64_t x, const int64_t *weights) {
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        for (uint64_t r = w[i]; r; r &= r - 1) total += weights[64 * i + rw_ctz(r)];
    if (total == 0) return rw_nth_in(w, n, (x & RW_LOW) * rw_size_in(w, n) >> RW_BITS);
    int64_t left = (x & RW_LOW) * total >> RW_BITS;
    for (int i = 0; i < n; i++)
        for (uint64_t r = w[i]; r; r &= r - 1) {
            left -= weights[64 * i + rw_ctz(r)];
            if (left < 0) return 64 * i + rw_ctz(r);
        }
    return -1;
}

/* a set of N words and what is done with it; each engine asks for the sizes that it has */
#define RW_SET(N) \
    typedef struct { uint64_t w[N]; } rw_set##N; \
    RW_INLINE rw_set##N rw_and##N(rw_set##N a, rw_set##N b) { for (int i = 0; i < N; i++) a.w[i] &= b.w[i]; return a; } \
    RW_INLINE rw_set##N rw_or##N(rw_set##N a, rw_set##N b) { for (int i = 0; i < N; i++) a.w[i] |= b.w[i]; return a; } \
    RW_INLINE rw_set##N rw_xor##N(rw_set##N a, rw_set##N b) { for (int i = 0; i < N; i++) a.w[i] ^= b.w[i]; return a; } \
    RW_INLINE rw_set##N rw_not##N(rw_set##N a) { for (int i = 0; i < N; i++) a.w[i] = ~a.w[i]; return a; } \
    RW_INLINE bool rw_same##N(rw_set##N a, rw_set##N b) { return memcmp(&a, &b, sizeof a) == 0; } \
    RW_INLINE rw_set##N rw_rest##N(rw_set##N a) { \
        for (int i = 0; i < N; i++) if (a.w[i]) { a.w[i] &= a.w[i] - 1; break; } \
        return a; } \
    RW_INLINE rw_set##N rw_one##N(int64_t place, int64_t at) { \
        rw_set##N a = {{0}}; \
        if (place < 0) rw_fail(RW_NO_PLACE, at, place, 0, 0, 0); \
        if (place < 64 * N) a.w[place >> 6] = UINT64_C(1) << (place & 63); \
        return a; } \
    RW_INLINE rw_set##N rw_up_to##N(int64_t n) { \
        rw_set##N a; \
        for (int i = 0; i < N; i++) a.w[i] = rw_up_to(n - 64 * i); \
        return a; } \
    RW_INLINE rw_set##N rw_shl##N(rw_set##N a, int64_t n, int64_t at) { \
        rw_set##N b = {{0}}; \
        if (n < 0) rw_fail(RW_NO_PLACE, at, n, 0, 0, 0); \
        if (n >= 64 * N) return b; \
        int far = (int)(n >> 6), by = (int)(n & 63); \
        for (int i = N - 1; i >= far; i--) { \
            b.w[i] = a.w[i - far] << by; \
            if (by && i > far) b.w[i] |= a.w[i - far - 1] >> (64 - by); } \
        return b; } \
    RW_INLINE rw_set##N rw_shr##N(rw_set##N a, int64_t n, int64_t at) { \
        rw_set##N b = {{0}}; \
        if (n < 0) rw_fail(RW_NO_PLACE, at, n, 0, 0, 0); \
        if (n >= 64 * N) return b; \
        int far = (int)(n >> 6), by = (int)(n & 63); \
        for (int i = 0; i + far < N; i++) { \
            b.w[i] = a.w[i + far] >> by; \
            if (by && i + far + 1 < N) b.w[i] |= a.w[i + far + 1] << (64 - by); } \
        return b; } \
    RW_INLINE rw_set##N rw_wide##N(const uint64_t *w, int n) { \
        rw_set##N a = {{0}}; \
        for (int i = 0; i < N && i < n; i++) a.w[i] = w[i]; \
        return a; } \
    RW_INLINE rw_set##N rw_of##N(uint64_t first) { rw_set##N a = {{0}}; a.w[0] = first; return a; }
#endif
