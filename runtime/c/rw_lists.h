/* Lists, and rows of numbers that are put in order by all entries but the last, greatest first. */
#ifndef RW_LISTS_H
#define RW_LISTS_H
#include "rw_sets.h"

typedef struct { int64_t n, room; int64_t *a; } rw_rows;

/* room for one more row */
RW_INLINE int64_t *rw_row(rw_rows *r, int width) {
    if (__builtin_expect(r->n == r->room, 0)) {
        int64_t *more = rw_room((size_t)(2 * r->room + 8) * (size_t)width * sizeof(int64_t));
        memcpy(more, r->a, (size_t)r->n * (size_t)width * sizeof(int64_t));
        r->a = more; r->room = 2 * r->room + 8;
    }
    return r->a + width * r->n++;
}
/* below, the same or above: the keys of two rows */
RW_INLINE int rw_compare(const int64_t *a, const int64_t *b, int width) {
    for (int i = 0; i < width - 1; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}
/* the last entry of the row with the greatest keys, the first of equals; -1 of nothing */
static inline int64_t rw_best(const rw_rows *r, int width) {
    if (r->n == 0) return -1;
    const int64_t *best = r->a;
    for (int64_t i = 1; i < r->n; i++)
        if (rw_compare(r->a + width * i, best, width) > 0) best = r->a + width * i;
    return best[width - 1];
}
static void rw_merge_rows(int64_t *a, int64_t *b, int64_t n, int width) {
    if (n < 2) return;
    int64_t half = n / 2;
    rw_merge_rows(a, b, half, width);
    rw_merge_rows(a + width * half, b, n - half, width);
    memcpy(b, a, (size_t)(n * width) * sizeof(int64_t));
    for (int64_t i = 0, j = half, k = 0; k < n; k++) {
        bool left = j == n || (i < half && rw_compare(b + width * i, b + width * j, width) >= 0);
        memcpy(a + width * k, b + width * (left ? i++ : j++), (size_t)width * sizeof(int64_t));
    }
}
/* greatest keys first; equals stay in order */
static inline void rw_sort(rw_rows *r, int width) {
    if (r->n > 24) {
        rw_merge_rows(r->a, rw_room((size_t)(r->n * width) * sizeof(int64_t)), r->n, width);
        return;
    }
    for (int64_t i = 1; i < r->n; i++) {
        int64_t row[width];
        memcpy(row, r->a + width * i, sizeof row);
        int64_t j = i;
        for (; j > 0 && rw_compare(r->a + width * (j - 1), row, width) < 0; j--)
            memcpy(r->a + width * j, r->a + width * (j - 1), sizeof row);
        memcpy(r->a + width * j, row, sizeof row);
    }
}
#endif
