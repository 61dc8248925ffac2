/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits, interruption and progress: the reasons to end a search early.
 *
 * Each thread calls limit_tick with every state and every batch; how often the
 * clock is really read adapts to how long the work between takes, so that limits
 * are kept to about a millisecond for models of any speed and the clock costs
 * nothing in fast ones. The first reason stands; all threads see it.
 */
#ifndef FATHOM_EXPLORE_LIMIT_H
#define FATHOM_EXPLORE_LIMIT_H

#include "explore/explore.h"

struct limits {
    const struct explore_options *options;
    atomic_int reason; /* enum explore_reason */
    int64_t started_ns;
    int64_t deadline_ns; /* INT64_MAX: none */
    int64_t progress_ns; /* when to call next */
    int64_t progress_last_ns;
    uint64_t progress_last_states;
};

struct limit_watch {
    uint32_t left; /* ticks until the clock is read */
    uint32_t interval;
    int64_t last_ns;
    bool tells_progress; /* one thread does */
};

void limits_init(struct limits *limits, const struct explore_options *options);
void limits_end(struct limits *limits, enum explore_reason reason);

static inline enum explore_reason limits_reason(struct limits *limits)
{
    return (enum explore_reason)atomic_load_explicit(&limits->reason, memory_order_relaxed);
}

/* True if it is time to call limits_check. */
static inline bool limit_tick(struct limit_watch *watch)
{
    if (watch->left > 0) {
        watch->left--;
        return false;
    }
    return true;
}

/* Reads the clock and the interrupt flag. True: it is time for a progress report. */
bool limits_check(struct limits *limits, struct limit_watch *watch);
/* The same for work after the search: true when time is over or the user wants to
 * stop; the reason is noted unless another stands already. */
bool limits_expired(struct limits *limits, struct limit_watch *watch);
/* Calls back; the rates are filled in here. */
void limits_progress(struct limits *limits, struct explore_progress *progress);

#endif
