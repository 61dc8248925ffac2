/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of pods: by revision, stage, level and, with clocks, by the slot of their cohort. */
#include "cluster/state/classes.h"
#include "base/error.h"
#include "cluster/state/clock.h"
#include "cluster/state/configs.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

uint32_t class_of_new(struct worker *worker, uint32_t revision)
{
    const struct population *population = worker->population;
    const bool ages = population->clock && population->clock->has_cohorts;
    return class_in_slot(
        worker, revision, population->needs_readiness ? STAGE_STARTING : STAGE_READY,
        revision_workload(population, revision)->first_level, ages ? SLOT_NEW : SLOT_NONE);
}

/* The class of such a pod with these marks instead of its own. */
static uint32_t class_marked(struct worker *worker, uint32_t class, uint32_t marks)
{
    const struct class_info info = *class_info(worker, class);
    return class_in_slot(worker, info.revision, info.stage, info.level, marks);
}

uint32_t class_admitted(struct worker *worker, uint32_t bound)
{
    const struct class_info info = *class_info(worker, bound);
    const uint32_t admitted = class_of_new(worker, info.revision);
    return worker->population->clock ? admitted : class_marked(worker, admitted, info.slot);
}

uint32_t class_late(struct worker *worker, uint32_t class, bool late)
{
    const uint32_t others = class_info(worker, class)->slot & ~(uint32_t)SLOT_LATE;
    return worker->population->drains_list
               ? class_marked(worker, class, others | (late ? SLOT_LATE : SLOT_NONE))
               : class;
}

uint32_t class_chosen(struct worker *worker, uint32_t class)
{
    return class_marked(worker, class, class_info(worker, class)->slot | SLOT_CHOSEN);
}

bool config_has_chosen(const struct worker *worker, uint32_t config)
{
    const struct node_config *node = config_at(worker, config);
    for (uint32_t p = 0; p < node->pod_entry_count; p++)
        if (class_is_chosen(worker->population, class_info(worker, node->pods[p].pod)))
            return true;
    return false;
}

/* The pod as the scheduler marks it when it preempts it. */
static const struct pod *pod_preempted(struct arena *arena, const struct pod *pod)
{
    struct pod *copy = arena_copy(arena, pod, sizeof(*pod));
    struct conditions *conditions = &copy->status.conditions;
    struct condition *items = ARENA_ARRAY(arena, struct condition, conditions->count + 1);
    for (uint32_t i = 0; i < conditions->count; i++)
        items[i] = conditions->items[i];
    items[conditions->count] = (struct condition){.type = "DisruptionTarget",
                                                  .status = "True",
                                                  .reason = "PreemptionByScheduler",
                                                  .last_transition_time = 0,
                                                  .last_update_time = TIME_NONE,
                                                  .last_heartbeat_time = TIME_NONE};
    *conditions = (struct conditions){items, conditions->count + 1};
    return copy;
}

/* Classes of all kinds of pods in one more slot. They are made a slot at a time,
 * and not as pods come into them, so that their numbers, and with them the order
 * of pods on a node, do not depend on what was explored first. */
static void add_slot(struct worker *worker)
{
    const struct population *population = worker->population;
    const uint32_t slot = SLOT_NONE + 1 + worker->slot_count++;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const uint32_t workload = population->revisions.items[r].workload;
        const uint32_t levels = population->workloads.items[workload].level_count;
        VEC_PUSH(&worker->arena, &worker->slot_classes[r], worker->classes.count);
        for (uint32_t i = 0; i < STAGE_COUNT * levels; i++) {
            const struct class_info info = {r, (enum pod_stage)(i / levels), i % levels, slot};
            const uint32_t like = class_at(population, r, info.stage, info.level);
            const struct pod *pod = worker->catalog->pods.items[like]->pod;
            if (population->marks_victims && (slot & SLOT_CHOSEN) &&
                info.stage == STAGE_TERMINATING)
                pod = pod_preempted(worker->catalog->arena, pod);
            const uint32_t class = catalog_add_pod_like(worker->catalog, pod, like);
            if (class != worker->classes.count)
                bug("class %u has number %u", worker->classes.count, class);
            VEC_PUSH(&worker->arena, &worker->classes, info);
        }
    }
}

uint32_t class_in_slot(struct worker *worker, uint32_t revision, enum pod_stage stage,
                       uint32_t level, uint32_t slot)
{
    if (slot == SLOT_NONE)
        return class_at(worker->population, revision, stage, level);
    const uint32_t levels = revision_workload(worker->population, revision)->level_count;
    while (worker->slot_count < slot - SLOT_NONE)
        add_slot(worker);
    return worker->slot_classes[revision].items[slot - SLOT_NONE - 1] + (uint32_t)stage * levels +
           level;
}

void class_make(struct worker *worker, uint32_t class)
{
    while (class >= worker->classes.count)
        add_slot(worker);
}

uint32_t class_like(struct worker *worker, const struct class_info *info, enum pod_stage stage,
                    uint32_t level)
{
    const struct clock *clock = worker->population->clock;
    if (!clock)
        return class_in_slot(worker, info->revision, stage, level, info->slot);
    const bool begins = info->slot == SLOT_NONE && stage != info->stage &&
                        clock->pods[info->revision].since[stage].count > 0;
    return class_in_slot(worker, info->revision, stage, level, begins ? SLOT_CHANGED : info->slot);
}

/* The level of a pod that terminates without being an endpoint. */
static uint32_t level_of_end(const struct worker *worker, uint32_t revision, enum pod_end end)
{
    const struct job_rules *rules = revision_workload(worker->population, revision)->job_rules;
    if (!rules || !rules->waits_for_ends)
        return ENDING_UNSERVED;
    return ENDING_UNSERVED + (rules->ends_alike && end == END_DELETED ? END_DISRUPTED : end);
}

uint32_t class_ending(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end)
{
    const struct class_info *info = class_info(worker, class);
    const struct job_rules *rules =
        revision_workload(worker->population, info->revision)->job_rules;
    const enum node_condition condition = config_condition(worker, config);
    worker->findings.held.ends |= condition == NODE_UP || condition == NODE_POOL ||
                                  condition == NODE_CUT || condition == NODE_CUT_AWHILE;
    bool endpoint = !rules || !rules->waits_for_ends;
    if (worker->population->endpoints)
        endpoint = class_revision(worker, class)->served && pod_is_ready_on(worker, info, config);
    /* Whoever was chosen is marked as preempted, even if somebody else deleted it first. */
    const uint32_t marks = worker->population->marks_victims ? info->slot & SLOT_CHOSEN : SLOT_NONE;
    return class_in_slot(worker, info->revision, STAGE_TERMINATING,
                         endpoint ? ENDING_ENDPOINT : level_of_end(worker, info->revision, end),
                         marks);
}

uint32_t class_deleted(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end)
{
    return class_info(worker, class)->stage == STAGE_WAITING
               ? VIEW_NONE
               : class_ending(worker, config, class, end);
}

uint32_t config_end(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end)
{
    return config_replace(worker, config, class, class_ending(worker, config, class, end));
}

uint32_t config_delete(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end)
{
    return config_replace(worker, config, class, class_deleted(worker, config, class, end));
}
