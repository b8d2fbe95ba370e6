/* What every part of an engine in C stands on: words, and failing with a place in the spec.
 *
 * A check that fails never goes on: it notes what failed and leaves the engine by longjmp, to where Python called it. */
#ifndef RW_BASE_H
#define RW_BASE_H
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RW_COLD __attribute__((noinline, cold))
#define RW_LIKELY(x) __builtin_expect(!!(x), 1)
#define RW_INLINE static inline __attribute__((always_inline))
/* from here on the C compiler takes less time over what it writes: for what games are not played in. gcc only; never more than was asked for */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define RW_SOONER _Pragma("GCC push_options") _Pragma("GCC optimize(\"O1\")")
#define RW_AS_BEFORE _Pragma("GCC pop_options")
#else
#define RW_SOONER
#define RW_AS_BEFORE
#endif

/* what can fail; runtime/native.py makes the errors of them */
enum {
    RW_OK, RW_NO_OPTION, RW_TOO_MANY_STEPS, RW_OUT_OF_RANGE, RW_EMPTY_ZONE, RW_NOTHING_TO_ROLL, RW_LIST_TOO_LONG, RW_NO_EXTREME, RW_LOST,
    RW_INDEX, RW_NO_ENTRY, RW_ZERO_DIVISION, RW_OVERFLOW, RW_NO_PLACE, RW_STORE, RW_NO_MEMORY, RW_ENDLESS,
    RW_NOT_IN_LIST
};

/* rows that needed more room than their loop was thought to need; given back when the engine is left */
typedef struct rw_block { struct rw_block *next; } rw_block;

typedef struct {
    jmp_buf *to;
    int code;
    int64_t at; /* the file and line of the rule, 0 where that is not known */
    int64_t a, b, c, d;
    rw_block *blocks;
} rw_thread;

static __thread rw_thread rw_this;

_Noreturn RW_COLD static void rw_fail(int code, int64_t at, int64_t a, int64_t b, int64_t c, int64_t d) {
    rw_thread *t = &rw_this;
    t->code = code; t->at = at; t->a = a; t->b = b; t->c = c; t->d = d;
    longjmp(*t->to, 1);
}

RW_COLD static void rw_free_blocks(void) {
    while (rw_this.blocks) { rw_block *b = rw_this.blocks; rw_this.blocks = b->next; free(b); }
}

RW_COLD static void *rw_room(size_t bytes) {
    rw_block *b = malloc(sizeof(rw_block) + bytes);
    if (!b) rw_fail(RW_NO_MEMORY, 0, 0, 0, 0, 0);
    b->next = rw_this.blocks; rw_this.blocks = b;
    return b + 1;
}

/* runs what may fail: 0 if it did not */
#define RW_TRY(what) __extension__({ \
    jmp_buf rw_env; jmp_buf *rw_before = rw_this.to; \
    rw_this.to = &rw_env; rw_this.code = RW_OK; \
    if (_setjmp(rw_env) == 0) { what; } \
    rw_this.to = rw_before; \
    if (__builtin_expect(rw_this.blocks != NULL, 0)) rw_free_blocks(); \
    rw_this.code; })

/* ---------------------------------------------------------------- numbers, as Python counts */

RW_INLINE int64_t rw_add(int64_t a, int64_t b, int64_t at) {
    int64_t r;
    if (__builtin_add_overflow(a, b, &r)) rw_fail(RW_OVERFLOW, at, 0, 0, 0, 0);
    return r;
}
RW_INLINE int64_t rw_sub(int64_t a, int64_t b, int64_t at) {
    int64_t r;
    if (__builtin_sub_overflow(a, b, &r)) rw_fail(RW_OVERFLOW, at, 0, 0, 0, 0);
    return r;
}
RW_INLINE int64_t rw_mul(int64_t a, int64_t b, int64_t at) {
    int64_t r;
    if (__builtin_mul_overflow(a, b, &r)) rw_fail(RW_OVERFLOW, at, 0, 0, 0, 0);
    return r;
}
RW_INLINE int64_t rw_neg(int64_t a, int64_t at) { return rw_sub(0, a, at); }
/* a product that must stay within what numbers should reach */
RW_INLINE int64_t rw_times(int64_t a, int64_t b, int64_t at) {
    int64_t r, most = INT64_C(1) << 62;
    if (__builtin_mul_overflow(a, b, &r) || r > most || r < -most) rw_fail(RW_OVERFLOW, at, 0, 0, 0, 0);
    return r;
}
/* a fingerprint with one more value in it, as support.py works it out */
RW_INLINE uint64_t rw_mix_in(uint64_t so_far, uint64_t value) {
    uint64_t x = (so_far ^ value) + UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}
RW_INLINE int64_t rw_fingerprint(int64_t so_far, uint64_t value) {
    return (int64_t)(rw_mix_in((uint64_t)so_far, value) & ((UINT64_C(1) << 52) - 1));
}
/* of a set of several words; empty ones at its end do not count */
RW_INLINE int64_t rw_fingerprint_in(int64_t so_far, const uint64_t *w, int n) {
    uint64_t found = (uint64_t)so_far;
    while (n > 1 && w[n - 1] == 0) n--;
    for (int i = 0; i < n; i++) found = rw_mix_in(found, w[i]);
    return (int64_t)(found & ((UINT64_C(1) << 52) - 1));
}
RW_INLINE int64_t rw_div(int64_t a, int64_t b, int64_t at) {
    if (b == 0) rw_fail(RW_ZERO_DIVISION, at, 0, 0, 0, 0);
    if (b == -1) return rw_neg(a, at);
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}
RW_INLINE int64_t rw_mod(int64_t a, int64_t b, int64_t at) {
    if (b == 0) rw_fail(RW_ZERO_DIVISION, at, 0, 0, 0, 0);
    if (b == -1) return 0;
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* ---------------------------------------------------------------- places in arrays, as Python finds them */

RW_COLD static int64_t rw_place_before(int64_t i, int64_t n, int64_t at) {
    if (i < -n || i >= n) rw_fail(RW_INDEX, at, i, n, 0, 0);
    return i + n;
}
RW_INLINE int64_t rw_at(int64_t i, int64_t n, int64_t at) {
    return RW_LIKELY((uint64_t)i < (uint64_t)n) ? i : rw_place_before(i, n, at);
}
/* the entry at a place counted from 1 */
RW_INLINE int64_t rw_entry(int64_t place, int64_t n, int64_t at) {
    if (place < 1) rw_fail(RW_NO_ENTRY, at, place, 0, 0, 0);
    if (place > n) rw_fail(RW_INDEX, at, place - 1, n, 0, 0);
    return place - 1;
}

/* a value that is kept in so many bits; `low` and `high` are what the rules allow */
#define RW_KEEP(type, value, low, high, at) __extension__({ \
    int64_t rw_v = (value); \
    if (__builtin_expect((type)rw_v != rw_v, 0)) rw_fail(RW_STORE, at, rw_v, low, high, 0); \
    (type)rw_v; })
#define RW_KEEP_SET(type, value, at) __extension__({ \
    uint64_t rw_v = (value); \
    if (__builtin_expect((type)rw_v != rw_v, 0)) rw_fail(RW_NO_PLACE, at, 0, 0, 0, 0); \
    (type)rw_v; })

/* ---------------------------------------------------------------- random numbers: multiply with carry, base 2**30 */

#define RW_MULTIPLIER INT64_C(559070097)
#define RW_BITS 30
#define RW_LOW INT64_C(0x3FFFFFFF)

/* which of n options that are all alike: a remainder, for few options by a product with the inverse instead of a division */
#define RW_INVERSE(n) UINT64_MAX / (n) + 1
static const uint64_t rw_inverse[65] = {0,
    RW_INVERSE(1), RW_INVERSE(2), RW_INVERSE(3), RW_INVERSE(4), RW_INVERSE(5), RW_INVERSE(6), RW_INVERSE(7), RW_INVERSE(8),
    RW_INVERSE(9), RW_INVERSE(10), RW_INVERSE(11), RW_INVERSE(12), RW_INVERSE(13), RW_INVERSE(14), RW_INVERSE(15), RW_INVERSE(16),
    RW_INVERSE(17), RW_INVERSE(18), RW_INVERSE(19), RW_INVERSE(20), RW_INVERSE(21), RW_INVERSE(22), RW_INVERSE(23), RW_INVERSE(24),
    RW_INVERSE(25), RW_INVERSE(26), RW_INVERSE(27), RW_INVERSE(28), RW_INVERSE(29), RW_INVERSE(30), RW_INVERSE(31), RW_INVERSE(32),
    RW_INVERSE(33), RW_INVERSE(34), RW_INVERSE(35), RW_INVERSE(36), RW_INVERSE(37), RW_INVERSE(38), RW_INVERSE(39), RW_INVERSE(40),
    RW_INVERSE(41), RW_INVERSE(42), RW_INVERSE(43), RW_INVERSE(44), RW_INVERSE(45), RW_INVERSE(46), RW_INVERSE(47), RW_INVERSE(48),
    RW_INVERSE(49), RW_INVERSE(50), RW_INVERSE(51), RW_INVERSE(52), RW_INVERSE(53), RW_INVERSE(54), RW_INVERSE(55), RW_INVERSE(56),
    RW_INVERSE(57), RW_INVERSE(58), RW_INVERSE(59), RW_INVERSE(60), RW_INVERSE(61), RW_INVERSE(62), RW_INVERSE(63), RW_INVERSE(64),
};
#undef RW_INVERSE
RW_INLINE int64_t rw_among(int64_t x, int64_t n) {
    uint64_t low = (uint64_t)(x & RW_LOW);
    if (RW_LIKELY((uint64_t)n <= 64)) return (int64_t)((unsigned __int128)(rw_inverse[n] * low) * (uint64_t)n >> 64);
    return (int64_t)(low % (uint64_t)n);
}
RW_INLINE int64_t rw_step(int64_t x) { return RW_MULTIPLIER * (x & RW_LOW) + (x >> RW_BITS); }

/* a state for any whole number: its size modulo 2**64 and whether it is below zero are all that counts */
static int64_t rw_from_seed(uint64_t size, bool negative) {
    uint64_t x = size * 2 + negative + UINT64_C(0x632BE59BD9B4E019);
    x ^= x >> 32; x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 29; x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32; x *= UINT64_C(0x2545F4914F6CDD1D);
    x ^= x >> 33;
    return 1 + (int64_t)(x % (uint64_t)((RW_MULTIPLIER << RW_BITS) - 2));
}
#endif
