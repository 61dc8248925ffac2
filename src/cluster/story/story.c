/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names along a run. The teller keeps concrete nodes and pods beside the packed
 * state. story_begin.c gives the first names, story_follow.c lets them follow each
 * step, story_words.c makes a sentence of it, story_picture.c shows where all are.
 */
#include "cluster/story/story.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_causes.h"
#include "cluster/story/story_follow.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_why.h"
#include "cluster/story/story_words.h"
#include "cluster/story/words.h"

#include <string.h>

/* The time that passes before the step; 0: it is not a periodic controller's. */
static int64_t period_of(const struct story_telling *telling)
{
    const struct population *population = telling->population;
    const uint32_t action = telling->step->action;
    if (population->clock)
        return action == ACT_TIME ? clock_ticks_ns(population, telling->step->argument) : 0;
    if (action == ACT_AUTOSCALE)
        return scope_sync_period_ns(population->scope);
    return action == ACT_DESCHEDULE ? scope_descheduling_interval_ns(population->scope) : 0;
}

/* The one workload that the step is about. */
static uint32_t workload_of(const struct story_telling *telling)
{
    const struct population *population = telling->population;
    const struct state *from = telling->from;
    const struct state *to = telling->to;
    if (telling->revision)
        return telling->revision->workload < population->managed_count ? telling->revision->workload
                                                                       : UINT32_MAX;
    uint32_t found = population->managed_count == 1 ? 0 : UINT32_MAX;
    for (uint32_t w = 0; w < population->managed_count; w++) {
        bool changed = from->replicas[w] != to->replicas[w] || from->present[w] != to->present[w];
        for (uint32_t r = 0; r < population->revisions.count; r++)
            changed |= population->revisions.items[r].workload == w &&
                       (from->sets[r].replicas != to->sets[r].replicas ||
                        from->pending[r] != to->pending[r]);
        found = changed ? w : found;
    }
    return found;
}

void storyteller_tell(struct storyteller *teller, const struct step *step, struct story_step *told)
{
    const struct arena_mark mark = arena_mark(&teller->worker->scratch);
    struct story_telling telling =
        words_telling(teller->worker, teller->words, teller->length, step);
    telling.teller = teller;
    telling.arena = teller->arena;
    telling.told = told;
    *told = (struct story_step){
        .actor = population_action_actor(step->action),
        .action = population_action_verb(step->action),
        .outside = step->fairness == FAIRNESS_OPTIONAL,
        .waits = step->length == teller->length &&
                 memcmp(step->words, teller->words, step->length * sizeof(*step->words)) == 0,
        .quiet =
            teller->population->clock && action_has((enum population_action)step->action, IS_QUIET),
        .period_ns = period_of(&telling),
        .deed = step_deed_tell(&telling),
    };
    story_explain(&telling);
    if ((step->action == ACT_SET_CREATE || step->action == ACT_SET_DELETE) && telling.revision)
        told->actor = words_owner_kind(telling.revision);
    story_follow(teller, telling.to);
    if ((step->action == ACT_UNSCHEDULABLE || step->action == ACT_MULTI_ATTACH) && telling.revision)
        story_note_waiting(&telling);
    if (teller->subjects.count == 1)
        telling.pod = teller->pods.items[teller->subjects.items[0]].name;
    told->node = story_node_name(&telling);
    told->workload = workload_of(&telling);
    told->object = story_object(&telling);
    told->detail = story_detail(&telling);
    if (step->action == ACT_DEPLOYMENT_SYNC)
        story_name_set(&telling);
    if (!teller->without_causes)
        story_find_causes(&telling);
    arena_rewind(&teller->worker->scratch, mark);
    teller->words = arena_copy(teller->arena, step->words, step->length * sizeof(*step->words));
    teller->length = step->length;
}
