/* SPDX-License-Identifier: Apache-2.0 */
/* A scheduling decision for people and for programs. */
#ifndef FATHOM_DECIDE_SCHEDULER_DECISION_TEXT_H
#define FATHOM_DECIDE_SCHEDULER_DECISION_TEXT_H

#include "base/json_out.h"
#include "decide/scheduler/scheduler.h"

struct pod_decision {
    const struct pod *pod;
    const struct view *view;
    const char *held_back; /* why the pod does not come into the queue: nothing else counts */
    const struct decision *decision;
    const struct preemption *preemption; /* NULL: not tried, some node is feasible */
};

/* As recorded from kube-scheduler: status, scores, best, preemption. */
void decision_write_json(struct arena *arena, struct json_out *json, const char *key,
                         const struct pod_decision *result);

/* A table of the nodes, then what happens. */
void decision_write_text(struct arena *arena, struct text *text, const struct pod_decision *result);

#endif
