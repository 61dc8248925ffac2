/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last resort for limits on time and memory.
 *
 * Phases ask for their limits by themselves (base/budget.h, base/memory.h) and tell what is known
 * when one is reached. What does not ask, because nobody thought that it could take long, is ended
 * by a thread of its own: some time after --timeout or a signal, or when the process has taken far
 * more than --memory, the program ends as undecided (exit code 3) with a message. Commands that
 * tell nothing when they are cut short get no time beyond the limit.
 */
#ifndef FATHOM_CLI_WATCHDOG_H
#define FATHOM_CLI_WATCHDOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct watchdog_limits {
    uint64_t time_most_ms; /* UINT64_MAX: none */
    size_t memory_bytes;   /* 0: none */
    const char *timeout;   /* as written on the command line; NULL: not given */
    const char *memory;
    bool spills; /* pages of files are the system's, and count no more */
    bool tells;  /* what is known when a limit is reached, which takes time and memory */
};

/* Once in a process. Does nothing where no thread can be started. */
void watchdog_start(const struct watchdog_limits *limits);

/* Around a fork: threads stay behind, and what they hold at that moment, a lock of the allocator
 * for instance, is held for ever in the child. */
void watchdog_pause(void);
void watchdog_resume(void);

#endif
