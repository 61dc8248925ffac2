/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watchdog.h"

#include "base/budget.h"
#include "cli/progress_line.h"
#include "cli/session.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* What is known is told within this time after the limit, and with as much more memory: WORK_MS of
 * processor time, and GRACE_MS of the clock where others keep the processors busy. Sanitizers take
 * twenty times as long, and several times the memory that they watch over. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = true, GRACE_MS = 160000, WORK_MS = 60000, LOOK_MS = 50 };
#else
enum { SANITIZED = false, GRACE_MS = 8000, WORK_MS = 3000, LOOK_MS = 50 };
#endif
static const size_t GRACE_BYTES = (size_t)256 << 20;

static struct watchdog_limits watched;
static int64_t limit_ns;    /* of the clock; 0: there is none */
static int64_t deadline_ns; /* with the grace */
static int64_t work_most_ns;

static pthread_t watcher;
static bool watches; /* true while the thread runs */
static sem_t stop;   /* the thread ends when it is posted */

static _Noreturn void end_undecided(const char *what, const char *option, const char *value)
{
    char line[256];
    progress_line_wipe();
    const int length =
        snprintf(line, sizeof(line), "fathom: undecided: the %s limit was reached%s%s%s%s%s\n",
                 what, value ? " (" : "", value ? option : "", value ? value : "", value ? ")" : "",
                 watched.tells ? ", and what is known could not be told within it" : "");
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0)
        _exit(EXIT_UNDECIDED);
    _exit(EXIT_UNDECIDED);
}

static bool takes_too_much(void)
{
    const size_t grace = watched.tells ? watched.memory_bytes / 4 + GRACE_BYTES : 0;
    return !SANITIZED && watched.memory_bytes > 0 &&
           (watched.spills ? clock_private_bytes() : clock_resident_bytes()) >
               watched.memory_bytes + grace;
}

static int64_t work_so_far_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Has it worked for too long since the limit? `work_at_limit_ns` is -1 before. */
static bool takes_too_long(int64_t *work_at_limit_ns)
{
    const int64_t now = clock_now_ns();
    if (limit_ns == 0 || now < limit_ns)
        return false;
    if (*work_at_limit_ns < 0)
        *work_at_limit_ns = work_so_far_ns();
    return now >= deadline_ns || work_so_far_ns() - *work_at_limit_ns >= work_most_ns;
}

/* Waits until it is time to look again; true: the thread is to end. */
static bool is_stopped(void)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (sem_clockwait(&stop, CLOCK_MONOTONIC, &until) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

static void *watch(void *unused)
{
    int64_t work_at_limit_ns = -1;
    while (!is_stopped()) {
        if (takes_too_long(&work_at_limit_ns))
            end_undecided("time", "--timeout ", watched.timeout);
        if (takes_too_much())
            end_undecided("memory", "--memory ", watched.memory);
    }
    return unused;
}

void watchdog_start(const struct watchdog_limits *limits)
{
    const uint64_t longest_ms = UINT64_C(1) << 40;
    watched = *limits;
    if (limits->time_most_ms < longest_ms) {
        const int64_t quarter_ms = limits->tells ? (int64_t)limits->time_most_ms / 4 : 0;
        limit_ns = clock_now_ns() + (int64_t)limits->time_most_ms * 1000000;
        deadline_ns = limit_ns + (limits->tells ? quarter_ms + GRACE_MS : 0) * 1000000;
        work_most_ns = (limits->tells ? quarter_ms + WORK_MS : 0) * 1000000;
    }
    watchdog_resume();
}

void watchdog_pause(void)
{
    if (!watches)
        return;
    sem_post(&stop);
    pthread_join(watcher, NULL);
    watches = false;
}

void watchdog_resume(void)
{
    if (limit_ns == 0 && watched.memory_bytes == 0)
        return;
    watches = sem_init(&stop, 0, 0) == 0 && pthread_create(&watcher, NULL, watch, NULL) == 0;
}
