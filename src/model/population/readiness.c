/* SPDX-License-Identifier: Apache-2.0 */
/* Is there anybody who can tell a pod that is bound from one that is ready? */
#include "model/population/clock.h"
#include "model/population/observed.h"
#include "model/population/reductions.h"

/* Readiness can be left out where only what is settled is looked at: the start
 * of a pod then changes nothing that anybody reads (docs/fidelity.md). */
bool readiness_matters(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].ordinal >= 0 ||
            population->revisions.items[r].never_ready)
            return true;
    for (uint32_t i = 0; i < population->intents.count; i++)
        switch (population->intents.items[i].source->kind) {
        case INTENT_PODS_SCHEDULABLE:
        case INTENT_NO_REPLICA_SWING:
        case INTENT_NO_REPLICA_OSCILLATION:
        case INTENT_NO_EVICTION_LOOP:
        case INTENT_NODES_HEALTHY:
        case INTENT_NEVER_PREEMPTED:
        case INTENT_NEVER_EVICTED:
        case INTENT_ONLY_ON:
        case INTENT_NEVER_ON: break;
        default: return true;
        }
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].event->kind == EVENT_APPLY ||
            population->events.items[e].event->kind == EVENT_MAINTENANCE)
            return true;
    if (population->clock && clock_delays_readiness(population))
        return true;
    /* The fewer are ready, the more each has to bear. */
    if (population->load_count > 0)
        for (uint32_t e = 0; e < population->events.count; e++)
            if (population->events.items[e].event->kind == EVENT_KERNEL_PANIC)
                return true;
    return population->options.full_interleaving || observed_needs_readiness(population);
}
