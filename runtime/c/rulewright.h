/* All that an engine in C stands on. Python's own header comes first, as it asks to. */
/* What takes gcc a quarter of its time and makes no game faster. It stands here because no other compiler knows all of these words. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("no-gcse", "no-tree-pre", "no-code-hoisting", "no-rerun-cse-after-loop", "no-ivopts", "no-crossjumping", "no-tree-tail-merge")
#pragma GCC optimize("no-ipa-cp", "no-ipa-sra", "no-ipa-icf", "no-ipa-ra", "no-schedule-insns2", "no-tree-slp-vectorize", "no-tree-loop-vectorize")
#pragma GCC optimize("no-tree-dominator-opts", "no-tree-pta", "ira-region=one")
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include "rw_base.h"
#include "rw_sets.h"
#include "rw_zones.h"
#include "rw_lists.h"

/* how Python gets at a field of the state: numbers and sets by their bytes, -1 for what is no array */
enum { RW_NUMBER, RW_MEMBERS, RW_OPTIONS, RW_LIST, RW_LIST_OF_SETS };
typedef struct {
    const char *name;
    int kind;
    size_t at;
    int64_t length;
    int bytes;      /* of a number, a set, or one entry of a list */
    int64_t room;   /* entries of a list */
    size_t step;    /* from one entry of an array to the next */
} rw_field;

/* how modules of Python tell of their functions, and what makes them */
#define RW_FAST(name) (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL
#define RW_NAME2(name) PyInit_##name
#define RW_NAME(name) RW_NAME2(name)
