/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/interrupt.h"

#include "cli/progress_line.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>

/* The one thing that a signal may touch. */
static atomic_bool interrupted;

static atomic_llong interrupted_at_ms;

static long long now_ms(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The second signal ends the program at once, for those who do not want to wait for what is known.
 * One that follows within a moment is the same wish: timeout(1) sends two, one to the program and
 * one to its group. */
static void on_interrupt(int number)
{
    enum { MOMENT_MS = 500 };
    if (!atomic_load(&interrupted)) {
        atomic_store(&interrupted_at_ms, now_ms());
        atomic_store(&interrupted, true);
    } else if (now_ms() - atomic_load(&interrupted_at_ms) > MOMENT_MS) {
        progress_line_wipe();
        signal(number, SIG_DFL);
        raise(number);
    }
}

const atomic_bool *interrupt_listen(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = 0};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

static sigset_t both_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    return ends;
}

void interrupt_hold(void)
{
    const sigset_t ends = both_signals();
    pthread_sigmask(SIG_BLOCK, &ends, NULL);
}

void interrupt_wait(void)
{
    const sigset_t ends = both_signals();
    int number = 0;
    sigwait(&ends, &number);
}

int interrupt_descriptor(void)
{
    const sigset_t ends = both_signals();
    interrupt_hold();
    return signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}
