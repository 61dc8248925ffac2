/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

/* The one thing that a signal may touch. */
static atomic_bool interrupted;

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

const atomic_bool *interrupt_listen(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
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
