/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of pods: by revision, stage, level and, with clocks, by the slot of their cohort. */
#ifndef FATHOM_CLUSTER_STATE_CLASSES_H
#define FATHOM_CLUSTER_STATE_CLASSES_H

#include "cluster/forward.h"
#include "cluster/state/clock.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <stdint.h>

/* The class of such pods without an age that matters. */
static inline uint32_t class_at(const struct population *population, uint32_t revision,
                                enum pod_stage stage, uint32_t level)
{
    const struct revision *of = &population->revisions.items[revision];
    return of->classes[stage * population->workloads.items[of->workload].level_count + level];
}

/* The class of a pod that has just been bound and admitted. */
uint32_t class_of_new(struct worker *worker, uint32_t revision);
/* The same of one that was bound before, and had this class. */
uint32_t class_admitted(struct worker *worker, uint32_t bound);

/* Did the pod come to its node while that was drained? The drain found the pods that were there
 * when it began, and leaves all others alone. */
static inline bool class_is_late(const struct population *population, const struct class_info *info)
{
    return population->drains_list && (info->slot & SLOT_LATE);
}
/* The class of such a pod that comes late, or does not any more. */
uint32_t class_late(struct worker *worker, uint32_t class, bool late);

/* The same of one that is late, and is not any more. Classes of pods with marks are there from the
 * beginning. */
static inline uint32_t class_in_time(const struct worker *worker, const struct class_info *info)
{
    const struct population *population = worker->population;
    const uint32_t marks = info->slot & ~(uint32_t)SLOT_LATE;
    const uint32_t workload = population->revisions.items[info->revision].workload;
    if (marks == SLOT_NONE)
        return class_at(population, info->revision, info->stage, info->level);
    return worker->slot_classes[info->revision].items[marks - SLOT_NONE - 1] +
           (uint32_t)info->stage * population->workloads.items[workload].level_count + info->level;
}

/* Has the scheduler chosen the pod to make room, and not deleted it yet? */
static inline bool class_is_chosen(const struct population *population,
                                   const struct class_info *info)
{
    return population->marks_victims && (info->slot & SLOT_CHOSEN) &&
           info->stage != STAGE_TERMINATING;
}
/* The class of such a pod that is chosen. */
uint32_t class_chosen(struct worker *worker, uint32_t class);
/* Is a pod of the config chosen? */
bool config_has_chosen(const struct worker *worker, uint32_t config);

/* The class of such pods in a slot. */
uint32_t class_in_slot(struct worker *worker, uint32_t revision, enum pod_stage stage,
                       uint32_t level, uint32_t slot);

/* Makes classes until there is one of this number. */
void class_make(struct worker *worker, uint32_t class);

/* The class of a pod like this one, in another stage or at another level. */
uint32_t class_like(struct worker *worker, const struct class_info *info, enum pod_stage stage,
                    uint32_t level);

/* What a pod of the class, on a node of this config, becomes when it is told to end. */
uint32_t class_ending(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end);
/* The same when it is deleted; VIEW_NONE: it waited for the node, and is gone at once. */
uint32_t class_deleted(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end);
/* The config with one pod of the class told to end, or deleted. */
uint32_t config_end(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end);
uint32_t config_delete(struct worker *worker, uint32_t config, uint32_t class, enum pod_end end);

#endif
