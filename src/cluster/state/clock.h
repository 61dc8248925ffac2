/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clocked time: periods and delays as configured.
 *
 * Every duration in a state is time left or an age, so that states recur:
 *
 *   periodic controllers   ticks until the next sync or cycle
 *   an autoscaler          what it remembers, in its bounded form, by syncs ago
 *   pods                   ages of cohorts: pods that began in the same instant
 *   nodes                  since when they are lost, since when they are tainted
 *   CronJobs               which time of the calendar comes next, and ticks until it comes
 *   Jobs with a deadline   how long they have been there
 *
 * A tick is the greatest duration that divides all that matter; docs/fidelity.md
 * says why nothing is lost between two ticks. Ages only matter at thresholds: durations that a
 * controller compares an age with. All ages beyond the last threshold count as one.
 *
 * In one instant the fast steps come first, then what is due, one after the other in every
 * order. To pass a threshold is such a step, so a controller that acts in the same instant may
 * see the pod before or after the threshold. Ages are therefore kept in halves of ticks: even
 * ones are at an instant, odd ones just past it.
 *
 * Pods of different cohorts have different classes: a class has a slot, and the state says which
 * cohort the slot stands for.
 *
 *   SLOT_NONE    no age of the pod matters
 *   SLOT_NEW     the pod begins in this instant; never in a packed state
 *   SLOT_CHANGED the pod comes into its stage in this instant, and began long ago; never in a
 *                packed state
 *   3, 4, ...    a cohort of the state
 *
 * Cohorts of nodes work the same, by the slot of the node's template.
 */
#ifndef FATHOM_CLUSTER_STATE_CLOCK_H
#define FATHOM_CLUSTER_STATE_CLOCK_H

#include "cluster/state/nodes.h"
#include "cluster/state/workloads.h"

#include <stdbool.h>
#include <stdint.h>

/* Without clocks pods have no ages, and slots are sets of marks: pods that came to a node while it
 * was drained, which the drain does not know, and pods that the scheduler has chosen to preempt; it
 * has deleted those of them that terminate. */
enum { SLOT_LATE = 1, SLOT_CHOSEN = 2 };

enum { SLOT_NONE, SLOT_NEW, SLOT_CHANGED, SLOT_FIRST, COHORTS_MOST = 64, NODE_COHORTS_MOST = 16 };

/* Ticks, rising, none of them 0. */
struct thresholds {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};

/* The ages of the pods of a revision that make a difference. */
struct pod_times {
    uint32_t ready_earliest; /* ticks from its start until it is ready: at least so many, */
    uint32_t ready_latest;   /* and at most so many; 0: it is ready at once */
    uint32_t min_ready;      /* ticks until a ready pod is available */
    uint32_t run_earliest;   /* of a Job's pod: ticks from when it is ready until it ends */
    uint32_t run_latest;     /* at most so many; 0: at any time */
    struct thresholds start[STAGE_COUNT]; /* since it began on its node */
    struct thresholds since[STAGE_COUNT]; /* since it came into this stage */
};

/* A load that comes in waves. */
struct wave {
    uint32_t event;
    uint32_t *lengths; /* of its steps, in ticks */
};

/* A CronJob that makes Jobs by its calendar (setup/cron_calendar.h). */
struct cron_times {
    const struct setup_cron_job *setup;
    uint32_t *gaps; /* ticks from each time to the next */
    int64_t *times; /* of the calendar, in nanoseconds after its first */
};

/* A Job of a CronJob that has a deadline, or whose pods may fail. */
struct timed_job {
    uint32_t workload;
    uint32_t deadline;   /* ticks; 0: it has none */
    uint32_t first_wait; /* ticks from the first failure of a pod until it is replaced; twice as
                            many after each further one; 0: it is replaced at once */
    uint32_t longest_wait;
};

struct clock {
    int64_t tick_ns;
    uint32_t sync_period;     /* of autoscalers, in ticks */
    uint32_t cycle_period;    /* of the descheduler; 0: there is none */
    uint32_t delay_after_add; /* of the cluster autoscaler's removals */
    uint32_t delay_after_delete;
    struct pod_times *pods;                        /* by revision */
    struct thresholds nodes[NODE_CONDITION_COUNT]; /* since a node came into the condition */
    struct thresholds *patterns;                   /* by workload: where steps of usage begin */
    struct wave *waves;
    uint32_t wave_count;
    struct cron_times *crons;
    uint32_t cron_count;
    struct timed_job *timed_jobs;
    uint32_t timed_job_count;
    bool has_cohorts;      /* true if an age of some pod matters */
    bool has_node_cohorts; /* true if an age of some node matters */
};

/* The template of nodes of the kind in this condition, by the slot of their cohort. */
static inline uint32_t kind_template(const struct node_kind *kind, enum node_condition condition,
                                     uint32_t slot)
{
    return slot == SLOT_NONE ? kind->templates[condition]
                             : kind->timed[condition] + slot - SLOT_NEW;
}

/* The classes of one revision's pods in slots. */
struct slot_classes {
    uint32_t *items; /* by slot, from the one behind SLOT_NONE on: the first of its classes,
                        which stand by stage and level */
    uint32_t count;
    uint32_t capacity;
};

#endif
