/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler, one sync at rest.
 *
 * At rest time may pass, as long as it takes: stabilization windows and rate
 * limits run out. So the controller decides without memory here, which covers
 * what it may do some day; that it does it later than this is a matter of
 * time, not of order.
 */
#include "model/controller/hpa.h"
#include "model/controller/hpa_memory.h"
#include "model/population/population_internal.h"

static void sync(struct expansion *expansion, const struct autoscaler *autoscaler)
{
    struct population *population = expansion->population;
    const uint32_t number = autoscaler->workload;
    const struct hpa_input input = autoscaler_input(population, expansion->state, autoscaler);
    struct hpa_proposal *proposals =
        ARENA_ARRAY(&population->scratch, struct hpa_proposal, input.metric_count + 1);
    const struct hpa_memory memory = {.started = true};
    struct hpa_decision decision;
    hpa_decide(&input, &memory, proposals, &decision);
    if (decision.replicas == expansion->state->replicas[number])
        return;
    struct population_state *next = state_copy(population, expansion->state);
    state_set_replicas(population, next, number, decision.replicas);
    make_elders(population, next, number);
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_AUTOSCALE,
                                       .workload = number,
                                       .revision = UINT32_MAX,
                                       .node = UINT32_MAX,
                                       .amount = (uint32_t)decision.replicas});
}

void step_autoscalers(struct expansion *expansion)
{
    for (uint32_t a = 0; a < expansion->population->autoscalers.count; a++)
        sync(expansion, &expansion->population->autoscalers.items[a]);
}
