/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/front/plugin_guard.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXIT_HOLDS, EXIT_VIOLATED, EXIT_CANNOT_ASK, EXIT_LIMIT };
enum { LOOK_EVERY_MS = 100 };

/* A search that is at its limit ends by itself between two calls. */
static const int64_t grace_ns = 500000000;

/* What a process that waits for this one reads when it is no more: the call of one thread. The
 * texts of functions are Fathom's own, at the same address in both; the plugin's are copied. */
struct shared_call {
    _Atomic(const char *) function;
    char plugin[PLUGIN_GUARD_NAME_BYTES - 64];
};

enum { SHARED_CALLS_MOST = 256 };

/* The calls of one thread. It is never freed: whoever looks may look at any time. */
struct guard {
    _Atomic(const char *) plugin;
    _Atomic(const char *) function; /* NULL: it is in no call */
    atomic_int_fast64_t entered_ns;
    struct guard *next;
    struct shared_call *shared; /* NULL: nobody waits, or there are too many threads */
    /* A plugin that overflows its stack has none left to handle that on. */
    char stack[64 << 10];
};

static _Thread_local struct guard *own;
static _Atomic(struct guard *) guards;
static atomic_int_fast64_t longest_ns;
static atomic_int_fast64_t until_ns;
static struct shared_call *shared_calls;
static atomic_uint shared_count;
static pid_t process; /* a plugin may fork: its children are its own affair */

_Noreturn static void end_process(int code)
{
    for (;;)
        syscall(SYS_exit_group, code);
}

static void write_text(const char *text)
{
    const ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* there is nobody else to tell */
}

/* Nothing here allocates or takes a lock that the plugin may have left taken. The call may end
 * meanwhile. */
_Noreturn static void give_up(const struct guard *guard, const char *what, int code)
{
    const char *function = atomic_load(&guard->function);
    write_text("fathom: ");
    write_text(function ? function : "a thread");
    write_text(" of ");
    write_text(atomic_load(&guard->plugin));
    write_text(what);
    write_text("\n");
    end_process(code);
}

static bool is_in_call(const struct guard *guard)
{
    return guard && atomic_load(&guard->function);
}

/* Who ends the process? We do so only when no call is under way, and in the first thread.
 * NULL: we do. */
static const struct guard *find_ender(void)
{
    const struct guard *last = atomic_load(&guards);
    if (!last || getpid() != process)
        return NULL;
    if (is_in_call(own))
        return own;
    for (const struct guard *guard = last; guard; guard = guard->next)
        if (is_in_call(guard))
            return guard;
    return syscall(SYS_gettid) == process ? NULL : last;
}

static void on_exit_of_process(void)
{
    const struct guard *ender = find_ender();
    if (ender)
        give_up(ender, ": it ended the process", EXIT_CANNOT_ASK);
}

/* These take the place of the C library's, which run no handlers. We ourselves leave so when
 * memory is exhausted, or something is wrong with us; that is no verdict. */
void _exit(int code)
{
    if (code == EXIT_HOLDS || code == EXIT_VIOLATED)
        on_exit_of_process();
    end_process(code);
}

void _Exit(int code)
{
    _exit(code);
}

/* Whose crash is it? That of a thread which no search has started is the plugin's. NULL: ours. */
static const struct guard *find_crasher(void)
{
    if (own)
        return is_in_call(own) ? own : NULL;
    return getpid() == process && syscall(SYS_gettid) != process ? atomic_load(&guards) : NULL;
}

static void on_crash(int number)
{
    const struct guard *crasher = find_crasher();
    if (crasher)
        give_up(crasher,
                number == SIGABRT  ? ": it aborted"
                : number == SIGFPE ? ": it crashed (arithmetic exception)"
                : number == SIGILL ? ": it crashed (illegal instruction)"
                                   : ": it crashed (invalid memory)",
                EXIT_CANNOT_ASK);
    signal(number, SIG_DFL);
    raise(number);
}

/* Has the call that began then gone on for too long? */
static void look_at(const struct guard *guard)
{
    const int64_t entered = atomic_load(&guard->entered_ns);
    const int64_t most = atomic_load(&longest_ns);
    const int64_t until = atomic_load(&until_ns);
    const int64_t now = clock_now_ns();
    const bool too_long = most > 0 && now - entered > most;
    const bool too_late = until > 0 && now > until + grace_ns && now - entered > grace_ns;
    if ((!too_long && !too_late) || !is_in_call(guard) ||
        atomic_load(&guard->entered_ns) != entered)
        return;
    if (too_late)
        give_up(guard, ": the time limit was reached while it was at work (--timeout)", EXIT_LIMIT);
    give_up(guard, ": it did not return in time (--controller-timeout)", EXIT_CANNOT_ASK);
}

static void *watch_calls(void *context)
{
    (void)context;
    for (;;) {
        poll(NULL, 0, LOOK_EVERY_MS);
        for (const struct guard *guard = atomic_load(&guards); guard; guard = guard->next)
            look_at(guard);
    }
    return NULL;
}

static void install(void)
{
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
    const struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    pthread_t thread;
    process = getpid();
    for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
        sigaction(crashes[i], &action, NULL);
    if (atexit(on_exit_of_process) != 0 || at_quick_exit(on_exit_of_process) != 0)
        bug("there is no room for what is done at the end");
    if (pthread_create(&thread, NULL, watch_calls, NULL) != 0)
        bug("cannot start a thread");
    pthread_detach(thread);
}

void plugin_guard_start(int64_t call_most_ns)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const int64_t known = atomic_load(&longest_ns);
    if (call_most_ns > 0 && (known == 0 || call_most_ns < known))
        atomic_store(&longest_ns, call_most_ns);
    pthread_once(&once, install);
}

void plugin_guard_until(int64_t deadline_ns)
{
    atomic_store(&until_ns, deadline_ns);
}

static struct guard *guard_create(const char *plugin)
{
    struct guard *guard = calloc(1, sizeof(*guard));
    if (!guard)
        bug("memory is exhausted");
    atomic_init(&guard->plugin, plugin);
    guard->next = atomic_load(&guards);
    while (!atomic_compare_exchange_weak(&guards, &guard->next, guard)) {
    }
    const unsigned place = shared_calls ? atomic_fetch_add(&shared_count, 1) : SHARED_CALLS_MOST;
    if (place < SHARED_CALLS_MOST)
        guard->shared = &shared_calls[place];
    const stack_t other = {.ss_sp = guard->stack, .ss_size = sizeof(guard->stack)};
    sigaltstack(&other, NULL);
    return guard;
}

void plugin_guard_enter(const char *plugin, const char *function)
{
    const char *before = own ? atomic_load(&own->plugin) : NULL;
    if (!own)
        own = guard_create(plugin);
    if (own->shared && before != plugin)
        snprintf(own->shared->plugin, sizeof(own->shared->plugin), "%s", plugin);
    atomic_store(&own->plugin, plugin);
    atomic_store(&own->entered_ns, clock_now_ns());
    atomic_store(&own->function, function);
    if (own->shared)
        atomic_store(&own->shared->function, function);
}

void plugin_guard_leave(void)
{
    atomic_store(&own->function, NULL);
    if (own->shared)
        atomic_store(&own->shared->function, NULL);
}

bool plugin_guard_share(void)
{
    void *memory = mmap(NULL, SHARED_CALLS_MOST * sizeof(struct shared_call),
                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    shared_calls = memory;
    return true;
}

bool plugin_guard_last_call(char caller[PLUGIN_GUARD_NAME_BYTES])
{
    for (unsigned i = 0; shared_calls && i < SHARED_CALLS_MOST; i++) {
        const char *function = atomic_load(&shared_calls[i].function);
        if (!function)
            continue;
        snprintf(caller, PLUGIN_GUARD_NAME_BYTES, "%s of %s", function, shared_calls[i].plugin);
        return true;
    }
    return false;
}
