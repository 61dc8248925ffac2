/* SPDX-License-Identifier: Apache-2.0 */
/* Counterexamples and witnesses of safety properties: a trail, executed once more. */
#include "explore/explain.h"

#include "base/clock.h"
#include "explore/property.h"
#include "explore/replay.h"
#include "explore/trail_find.h"

/* Is the time limit so near that a path should not be looked for? */
static bool too_late(struct search *search)
{
    const enum explore_reason reason = limits_reason(&search->limits);
    return search->parallel && (reason == EXPLORE_TIME || reason == EXPLORE_INTERRUPTED);
}

void explain_safety(struct search *search)
{
    const int64_t started = clock_now_ns();
    struct phases *phases = search->options->phases;
    const uint64_t began = phases ? phases_thread_ns() : 0;
    for (uint32_t i = 0; i < search->model->property_count; i++) {
        struct property_result *result = &search->result->properties[i];
        if (!search->properties[i].decided || result->has_path ||
            property_is_liveness(result->property) || result->verdict == VERDICT_UNDECIDED)
            continue;
        struct trail trail;
        trail_init(&trail, search->memory);
        result->has_path = !too_late(search) && trail_find(search, i, &trail) &&
                           replay_trail(search, result->property, &trail, &result->path);
        trail_release(&trail);
        if (!result->has_path) {
            result->verdict = VERDICT_UNDECIDED;
            result->reason = too_late(search) ? limits_reason(&search->limits) : EXPLORE_MEMORY;
        }
    }
    if (phases)
        atomic_fetch_add(&phases->finding_paths, phases_thread_ns() - began);
    search->result->statistics.path_seconds += (double)(clock_now_ns() - started) / 1e9;
}
