/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watchdog.h"

#include "base/budget.h"
#include "cli/progress_line.h"
#include "cli/session.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* What is known is told within this time after the limit, and with as much more memory. Sanitizers
 * take twenty times as long, and several times the memory that they watch over. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = true, GRACE_MS = 160000, LOOK_MS = 50 };
#else
enum { SANITIZED = false, GRACE_MS = 8000, LOOK_MS = 50 };
#endif
static const size_t GRACE_BYTES = (size_t)256 << 20;

static struct watchdog_limits watched;
static int64_t deadline_ns;

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
           clock_resident_bytes() > watched.memory_bytes + grace;
}

static void *watch(void *unused)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    for (;;) {
        nanosleep(&pause, NULL);
        if (deadline_ns > 0 && clock_now_ns() >= deadline_ns)
            end_undecided("time", "--timeout ", watched.timeout);
        if (takes_too_much())
            end_undecided("memory", "--memory ", watched.memory);
    }
    return unused;
}

void watchdog_start(const struct watchdog_limits *limits)
{
    pthread_t thread;
    const uint64_t longest_ms = UINT64_C(1) << 40;
    const uint64_t grace_ms = limits->tells ? limits->time_most_ms / 4 + GRACE_MS : 0;
    watched = *limits;
    if (limits->time_most_ms < longest_ms)
        deadline_ns = clock_now_ns() + (int64_t)(limits->time_most_ms + grace_ms) * 1000000;
    if (deadline_ns == 0 && limits->memory_bytes == 0)
        return;
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
}
