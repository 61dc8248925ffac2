/* SPDX-License-Identifier: Apache-2.0 */
/* How often the clock is read: doubled while the work between two readings took
 * less than a quarter of a millisecond, cut when it took more than one. */
#include "explore/limit.h"

#include "base/clock.h"

#include <assert.h>

enum { SHORT_NS = 250000, LONG_NS = 1000000, INTERVAL_MOST = 4096 };

void limits_init(struct limits *limits, const struct explore_options *options)
{
    *limits = (struct limits){.options = options, .started_ns = clock_now_ns()};
    atomic_init(&limits->reason, EXPLORE_DECIDED);
    limits->deadline_ns = INT64_MAX;
    const uint64_t most_ms = (uint64_t)INT64_MAX / 2000000;
    if (options->time_most_ms < most_ms)
        limits->deadline_ns = limits->started_ns + (int64_t)options->time_most_ms * 1000000;
    limits->progress_last_ns = limits->started_ns;
    limits->progress_ns = limits->started_ns + (int64_t)options->progress_interval_ms * 1000000;
}

void limits_end(struct limits *limits, enum explore_reason reason)
{
    assert(reason != EXPLORE_DECIDED);
    int none = EXPLORE_DECIDED;
    atomic_compare_exchange_strong(&limits->reason, &none, (int)reason);
}

static void adapt(struct limit_watch *watch, int64_t now)
{
    const int64_t took = now - watch->last_ns;
    if (took < SHORT_NS && watch->interval < INTERVAL_MOST)
        watch->interval = watch->interval * 2 + 1;
    else if (took > LONG_NS)
        watch->interval /= 4;
    watch->last_ns = now;
    watch->left = watch->interval;
}

static bool raised(const atomic_bool *flag)
{
    return flag && atomic_load_explicit(flag, memory_order_relaxed);
}

static bool expired(struct limits *limits, int64_t now)
{
    if (now >= limits->deadline_ns) {
        limits_end(limits, EXPLORE_TIME);
        return true;
    }
    if (raised(limits->options->interrupted) || raised(limits->options->model_failed)) {
        limits_end(limits, EXPLORE_INTERRUPTED);
        return true;
    }
    return false;
}

bool limits_expired(struct limits *limits, struct limit_watch *watch)
{
    const int64_t now = clock_now_ns();
    adapt(watch, now);
    return expired(limits, now);
}

bool limits_check(struct limits *limits, struct limit_watch *watch)
{
    const int64_t now = clock_now_ns();
    adapt(watch, now);
    expired(limits, now);
    return watch->tells_progress && limits->options->progress && now >= limits->progress_ns;
}

void limits_progress(struct limits *limits, struct explore_progress *progress)
{
    assert(limits->options->progress);
    const int64_t now = clock_now_ns();
    const double since = (double)(now - limits->progress_last_ns) / 1e9;
    progress->seconds = (double)(now - limits->started_ns) / 1e9;
    progress->states_per_second =
        since > 0 ? (double)(progress->states - limits->progress_last_states) / since : 0;
    limits->progress_last_ns = now;
    limits->progress_last_states = progress->states;
    limits->progress_ns = now + (int64_t)limits->options->progress_interval_ms * 1000000;
    limits->options->progress(limits->options->progress_context, progress);
}
