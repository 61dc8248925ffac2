/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names along a run. The teller keeps concrete nodes and pods beside the packed
 * state. story_begin.c gives the first names, story_follow.c lets them follow each
 * step, story_words.c makes a sentence of it, story_picture.c shows where all are.
 */
#include "cluster/story/story.h"
#include "cluster/emit.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/population_model.h"
#include "cluster/state/population_worker.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story_causes.h"
#include "cluster/story/story_follow.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_names.h"
#include "cluster/story/story_why.h"
#include "cluster/story/story_words.h"

#include <string.h>

static int64_t period_of(const struct storyteller *teller, const struct step *step)
{
    const struct check *check = teller->population->scope->check;
    const uint32_t action = step->action;
    const int64_t second = 1000000000;
    if (teller->population->clock)
        return action == ACT_TIME ? clock_ticks_ns(teller->population, step->argument) : 0;
    if (action == ACT_AUTOSCALE)
        return check && check->controllers.horizontal_pod_autoscaler
                   ? check->controllers.horizontal_pod_autoscaler->sync_period_ns
                   : 15 * second;
    if (action == ACT_DESCHEDULE)
        return check && check->controllers.descheduler ? check->controllers.descheduler->interval_ns
                                                       : 300 * second;
    return 0;
}

/* The one workload that the step is about. */
static uint32_t workload_of(const struct storyteller *teller, uint32_t revision,
                            const struct population_state *from, const struct population_state *to)
{
    const struct population *population = teller->population;
    if (revision < population->revisions.count) {
        const uint32_t workload = population->revisions.items[revision].workload;
        return workload < population->managed_count ? workload : UINT32_MAX;
    }
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
    struct population_worker *worker = teller->worker;
    const struct population *population = teller->population;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct population_state *from = state_unpack(worker, teller->words, teller->length);
    const struct population_state *to = state_unpack(worker, step->words, step->length);
    const bool passes = population->clock && step->action == ACT_TIME;
    const uint32_t revision = passes ? UINT32_MAX : step_subject_of(step).revision;
    *told = (struct story_step){
        .actor = population_action_actor(step->action),
        .action = population_action_verb(step->action),
        .outside = step->fairness == FAIRNESS_OPTIONAL,
        .waits = step->length == teller->length &&
                 memcmp(step->words, teller->words, step->length * sizeof(*step->words)) == 0,
        .quiet = population->clock && action_has((enum population_action)step->action, IS_QUIET),
        .period_ns = period_of(teller, step),
    };
    story_explain(teller, from, to, step, told);
    if ((step->action == ACT_SET_CREATE || step->action == ACT_SET_DELETE) &&
        revision < population->revisions.count)
        told->actor = story_owner_kind(teller, revision);
    story_follow(teller, from, to);
    if (step->action == ACT_UNSCHEDULABLE && revision < population->revisions.count)
        story_note_waiting(teller, from, revision, step_subject_of(step).node);
    const char *pod =
        teller->subjects.count == 1 ? story_pod_name(teller, teller->subjects.items[0]) : NULL;
    told->node = story_node_name(teller, step, from);
    told->workload = workload_of(teller, revision, from, to);
    told->object = story_object(teller, step, revision, pod, told->node, told->workload);
    told->detail = story_detail(teller, from, to, step, revision, pod, told);
    if (step->action == ACT_DEPLOYMENT_SYNC)
        story_name_set(teller, from, to, told);
    if (!teller->without_causes)
        story_find_causes(teller, from, to, step, told);
    arena_rewind(&worker->scratch, mark);
    story_remember(teller, step->words, step->length);
}
