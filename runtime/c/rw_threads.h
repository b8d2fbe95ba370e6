/* One job for many places, done by several threads. They stay from one time to the next: a step of a thousand games takes less time than
 * starting a thread does, and hardly more than waking one up, so that they look out for more work for a moment before they sleep.
 *
 * Places are handed out in pieces, lowest first: whoever is done sooner takes more, and the first place where something failed is
 * the same for any number of threads. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

typedef struct rw_share rw_share;
/* what is done at one place; anything but 0 has failed */
typedef int (*rw_job)(rw_share *share, int64_t i);
/* what a thread works with: states, each with its row of a buffer */
struct rw_share {
    rw_job job;
    rw_state *states;
    char *rows;       /* what is read or written, one row for each state */
    int64_t step;     /* bytes of a row */
    int64_t wide;     /* bytes of a number in it */
    const struct rw_vector *vector; /* where all that a step gives is written */
    uint64_t base;    /* what random numbers come from */
    int64_t at;       /* the state under way */
};

#define RW_MOST_THREADS 64
/* how often whoever waits looks before it sleeps: about 100 microseconds */
#define RW_LOOKS 4096
#if defined(__x86_64__) || defined(__i386__)
#define RW_PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define RW_PAUSE() __asm__ volatile("yield")
#else
#define RW_PAUSE() atomic_signal_fence(memory_order_seq_cst)
#endif

/* The door of the work under way, one word that changes at once: how many are inside, and how many more are wanted.
 * Nobody waits for threads that wake up late: once there is nothing left to take, nobody more is wanted. */
enum { RW_INSIDE = 1, RW_WANTED = 1 << 8 };
#define RW_IS_INSIDE(door) ((door) & 0xff)
#define RW_IS_WANTED(door) ((door) >> 8)

static struct {
    pthread_mutex_t owner;       /* held by the thread of Python's that has work */
    pthread_mutex_t lock;        /* for falling asleep, and for failures */
    pthread_cond_t more, done;
    int threads;                 /* that were started, beside Python's own */
    bool fork_is_known;
    atomic_uint door;
    atomic_int asleep;           /* threads that wait to be woken */
    atomic_bool owner_sleeps;
    const rw_share *work;
    int64_t count, piece;
    atomic_int_fast64_t next;    /* the first place that nobody has taken */
    int64_t failed;              /* the first place where something failed, -1 if none */
    rw_thread error;
} rw_crew = {.owner = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* piece after piece, until none is left */
static void rw_do_pieces(void) {
    rw_share share = *rw_crew.work;
    for (;;) {
        int64_t from = atomic_fetch_add(&rw_crew.next, rw_crew.piece);
        if (from >= rw_crew.count) return;
        int64_t to = from + rw_crew.piece < rw_crew.count ? from + rw_crew.piece : rw_crew.count;
        share.at = from;
        if (!RW_TRY(while (share.at < to && !share.job(&share, share.at)) share.at++)) continue;
        pthread_mutex_lock(&rw_crew.lock);
        if (rw_crew.failed < 0 || share.at < rw_crew.failed) { rw_crew.failed = share.at; rw_crew.error = rw_this; }
        pthread_mutex_unlock(&rw_crew.lock);
        /* what comes before it has been taken by somebody, and is done to its end */
        atomic_store(&rw_crew.next, rw_crew.count);
    }
}
/* waits until somebody is wanted, and goes in */
static void rw_go_in(void) {
    for (int looks = 0;; looks++) {
        unsigned door = atomic_load(&rw_crew.door);
        while (RW_IS_WANTED(door))
            if (atomic_compare_exchange_weak(&rw_crew.door, &door, door - RW_WANTED + RW_INSIDE)) return;
        if (looks < RW_LOOKS) { RW_PAUSE(); continue; }
        pthread_mutex_lock(&rw_crew.lock);
        atomic_fetch_add(&rw_crew.asleep, 1);
        while (!RW_IS_WANTED(atomic_load(&rw_crew.door))) pthread_cond_wait(&rw_crew.more, &rw_crew.lock);
        atomic_fetch_sub(&rw_crew.asleep, 1);
        pthread_mutex_unlock(&rw_crew.lock);
        looks = 0;
    }
}
static void *rw_helper(void *nothing) {
    for (;;) {
        rw_go_in();
        rw_do_pieces();
        if (RW_IS_INSIDE(atomic_fetch_sub(&rw_crew.door, RW_INSIDE)) > 1 || !atomic_load(&rw_crew.owner_sleeps)) continue;
        pthread_mutex_lock(&rw_crew.lock);
        pthread_cond_signal(&rw_crew.done);
        pthread_mutex_unlock(&rw_crew.lock);
    }
    return nothing;
}
/* a copy of the process has none of its threads */
static void rw_alone(void) {
    pthread_mutex_init(&rw_crew.owner, NULL); pthread_mutex_init(&rw_crew.lock, NULL);
    pthread_cond_init(&rw_crew.more, NULL); pthread_cond_init(&rw_crew.done, NULL);
    rw_crew.threads = 0;
    atomic_store(&rw_crew.door, 0); atomic_store(&rw_crew.asleep, 0); atomic_store(&rw_crew.owner_sleeps, false);
}
/* as many threads beside Python's own, or as many as can be had; signals are for Python's */
static void rw_hire(int threads) {
    if (rw_crew.threads >= threads) return;
    if (!rw_crew.fork_is_known) rw_crew.fork_is_known = pthread_atfork(NULL, NULL, rw_alone) == 0;
    if (!rw_crew.fork_is_known) return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_t id;
    while (rw_crew.threads < threads && pthread_create(&id, &attr, rw_helper, NULL) == 0) rw_crew.threads++;
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
static void rw_wait_for_all(void) {
    /* nobody more comes in */
    unsigned door = atomic_load(&rw_crew.door);
    while (!atomic_compare_exchange_weak(&rw_crew.door, &door, door - RW_IS_WANTED(door) * RW_WANTED)) {}
    for (int looks = 0; looks < RW_LOOKS; looks++) {
        if (!RW_IS_INSIDE(atomic_load(&rw_crew.door))) return;
        RW_PAUSE();
    }
    pthread_mutex_lock(&rw_crew.lock);
    atomic_store(&rw_crew.owner_sleeps, true);
    while (RW_IS_INSIDE(atomic_load(&rw_crew.door))) pthread_cond_wait(&rw_crew.done, &rw_crew.lock);
    atomic_store(&rw_crew.owner_sleeps, false);
    pthread_mutex_unlock(&rw_crew.lock);
}
/* the job at all places; the first place where something failed, -1 if none, and what it was in rw_this */
static int64_t rw_all(rw_share whole, int64_t count, int threads) {
    /* threads of Python's that come at the same time do their work by themselves */
    if (threads < 2 || count < 2 || pthread_mutex_trylock(&rw_crew.owner)) {
        whole.at = 0;
        return RW_TRY(while (whole.at < count && !whole.job(&whole, whole.at)) whole.at++) ? whole.at : -1;
    }
    rw_hire(threads - 1);
    rw_crew.work = &whole;
    rw_crew.count = count;
    rw_crew.piece = count / (8 * threads) + 1;
    rw_crew.failed = -1;
    atomic_store(&rw_crew.next, 0);
    int wanted = threads - 1 < rw_crew.threads ? threads - 1 : rw_crew.threads;
    atomic_fetch_add(&rw_crew.door, (unsigned)wanted * RW_WANTED);
    if (atomic_load(&rw_crew.asleep)) {
        pthread_mutex_lock(&rw_crew.lock);
        pthread_cond_broadcast(&rw_crew.more);
        pthread_mutex_unlock(&rw_crew.lock);
    }
    rw_do_pieces();
    rw_wait_for_all();
    int64_t failed = rw_crew.failed;
    if (failed >= 0) rw_this = rw_crew.error;
    pthread_mutex_unlock(&rw_crew.owner);
    return failed;
}
