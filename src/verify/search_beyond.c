/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hunt for violations beyond the limits.
 *
 * It begins with the smallest setup that is not decided. Each further one gets as much of what is
 * left as those behind it. What is found is violated; nothing is ever said to hold.
 */
#include "base/clock.h"
#include "base/limit.h"
#include "verify/search.h"
#include "verify/verify_internal.h"

static uint64_t undecided(const struct run *run)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < run->intent_count; i++)
        if (run->report->results[i].verdict == VERDICT_UNDECIDED)
            bits |= UINT64_C(1) << i;
    return bits;
}

static uint64_t share(uint64_t left, uint64_t setups)
{
    return left == UINT64_MAX ? left : (left + setups - 1) / setups;
}

static void search_setup(struct run *run, uint64_t setup, uint64_t asked, uint64_t steps,
                         uint64_t time_ms)
{
    const struct search_limits limits = {.seed = run->options->search.seed,
                                         .rounds = UINT32_MAX,
                                         .by_chance = true,
                                         .effort = UINT64_MAX};
    struct verify_report *report = run->report;
    struct setup_query query = query_of(run, setup, asked);
    struct setup_outcome outcome;
    query.told = asked;
    query.states_most = steps;
    query.time_most_ms = time_ms;
    query.stop = run->options->interrupted;
    setup_search(&query, &limits, &run->explored, run->memory, &outcome);
    report->search.runs += outcome.runs;
    report->search.steps += outcome.states;
    for (uint64_t found = outcome.violated; found; found &= found - 1)
        report->search.found++;
    report->applied |= outcome.applied;
    report->came |= outcome.came;
    keep_violations(run, &report->setups.items[setup], &outcome);
    if (outcome.violated)
        VEC_PUSH(run->arena, &run->kept, outcome.arena);
    else
        setup_outcome_release(&outcome);
}

static bool is_interrupted(const struct run *run)
{
    return run->options->interrupted && atomic_load(run->options->interrupted);
}

void search_beyond(struct run *run)
{
    const struct verify_search_options *options = &run->options->search;
    const uint64_t count = run->report->setups.count;
    const int64_t started = clock_now_ns();
    for (uint64_t setup = run->report->setups_explored;
         options->steps_most > 0 && setup < count && undecided(run) && !is_interrupted(run);
         setup++) {
        uint64_t steps = options->steps_most;
        uint64_t time_ms = options->time_most_ms;
        limit_spend(&steps, run->report->search.steps);
        limit_spend_ns(&time_ms, clock_now_ns() - started);
        if (steps == 0 || time_ms == 0)
            return;
        search_setup(run, setup, undecided(run), share(steps, count - setup),
                     share(time_ms, count - setup));
    }
}
