/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler's decision in words: the conditions, errors and
 * events that the controller writes, letter by letter, since people search for
 * them; and the status that these go into.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_HPA_TEXT_H
#define FATHOM_DECIDE_CONTROLLER_HPA_TEXT_H

#include "base/arena.h"
#include "base/json_out.h"
#include "decide/controller/hpa.h"

enum hpa_condition_type {
    HPA_ABLE_TO_SCALE,
    HPA_SCALING_ACTIVE,
    HPA_SCALING_LIMITED,
    HPA_CONDITION_COUNT
};

struct hpa_condition {
    const char *reason; /* NULL: not set yet */
    const char *message;
    bool status;
};

/* The status of the object, carried from sync to sync. */
struct hpa_status {
    struct hpa_condition conditions[HPA_CONDITION_COUNT]; /* in the order of their names */
    int32_t desired_replicas;
    struct hpa_proposal *metrics; /* the last that were written; NULL: none yet */
};

/* One sync of one object. */
struct hpa_sync {
    const struct horizontal_pod_autoscaler *object;
    const struct hpa_input *input;
    const struct hpa_proposal *proposals;
    const struct hpa_decision *decision;
};

/* "cpu resource utilization (percentage of request)" */
const char *hpa_metric_name(struct arena *arena, const struct features *features,
                            const struct metric_spec *metric);

/* Why the metric gave no proposal, as the controller says it. */
const char *hpa_metric_error(struct arena *arena, const struct hpa_sync *sync, uint32_t metric);

/* The error that the sync returns, NULL if it succeeds. */
const char *hpa_sync_error(struct arena *arena, const struct hpa_sync *sync);

/* The reason in the event of the rescale; "" when the controller gives none. */
const char *hpa_rescale_reason(struct arena *arena, const struct hpa_sync *sync);

/* The status after the sync; the texts are in the arena. */
void hpa_status_update(struct arena *arena, struct hpa_status *status, const struct hpa_sync *sync);

/* status.currentMetrics of the object. */
void hpa_write_metrics(struct arena *arena, struct json_out *json, const char *key,
                       const struct hpa_sync *sync, const struct hpa_proposal *metrics);
void hpa_write_conditions(struct json_out *json, const char *key, const struct hpa_status *status);

#endif
