/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/plugin_ward.h"

#include "cli/session.h"
#include "cli/watchdog.h"
#include "manifest/document.h"
#include "reconcile/front/plugin_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child;

static bool names_plugin(const struct input *input)
{
    for (uint32_t i = 0; i < input->units.count; i++) {
        const struct value *spec = value_find(input->units.items[i].root, "spec");
        if (value_find(value_find(spec, "controller"), "plugin"))
            return true;
    }
    return false;
}

static void pass_on(int number)
{
    if (child > 0)
        kill(child, number);
}

/* What the terminal sends to the group reaches the child by itself, so both get it; the command
 * takes two that come together for one wish (interrupt.h). */
static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { PASSED_COUNT = sizeof(passed) / sizeof(*passed) };

static void listen_for_signals(void)
{
    const struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    struct sigaction before;
    for (size_t i = 0; i < PASSED_COUNT; i++)
        if (sigaction(passed[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(passed[i], &action, NULL);
}

static sigset_t passed_set(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < PASSED_COUNT; i++)
        sigaddset(&set, passed[i]);
    return set;
}

/* The child was killed by a signal. Whoever wanted that knows; a plugin that did it is named. */
static _Noreturn void end_as_killed(int number)
{
    char caller[PLUGIN_GUARD_NAME_BYTES];
    if (plugin_guard_last_call(caller)) {
        fprintf(stderr, "fathom: %s: the process was killed (signal %d, %s)\n", caller, number,
                strsignal(number));
        _exit(EXIT_INPUT);
    }
    if (number != SIGINT && number != SIGTERM && number != SIGHUP && number != SIGQUIT)
        fprintf(stderr, "fathom: the process was killed (signal %d, %s)\n", number,
                strsignal(number));
    signal(number, SIG_DFL);
    raise(number);
    _exit(EXIT_UNDECIDED);
}

static _Noreturn void wait_for_child(const sigset_t *mask)
{
    int status = 0;
    listen_for_signals();
    pthread_sigmask(SIG_SETMASK, mask, NULL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        end_as_killed(WTERMSIG(status));
    _exit(WEXITSTATUS(status));
}

void plugin_ward_start(const struct input *input)
{
    const sigset_t held = passed_set();
    const pid_t ward = getpid();
    sigset_t mask;
    if (!names_plugin(input) || !plugin_guard_share())
        return;
    fflush(NULL); /* what is not written yet would be written by both */
    watchdog_pause();
    pthread_sigmask(SIG_BLOCK, &held, &mask);
    child = fork();
    if (child > 0)
        wait_for_child(&mask);
    if (child == 0) {
        /* Whoever kills the ward means the command. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != ward)
            _exit(EXIT_UNDECIDED);
    }
    watchdog_resume();
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
