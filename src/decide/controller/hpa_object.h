/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a cluster's objects to what the HorizontalPodAutoscaler's controller
 * sees: the pods of its target as classes (of one pod each) with their samples
 * and requests.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_HPA_OBJECT_H
#define FATHOM_DECIDE_CONTROLLER_HPA_OBJECT_H

#include "base/vec.h"
#include "decide/controller/hpa.h"
#include "manifest/document.h"
#include "object/object.h"

/* What the target's scale says, and whose pods it has. */
struct hpa_scale {
    int32_t spec_replicas;
    int32_t status_replicas;
    const struct label_selector *selector;
};

/* The scale of a Deployment, ReplicaSet, StatefulSet or ReplicationController
 * in these objects; false, with a problem, if it is not there. */
bool hpa_find_scale(struct arena *arena, const struct objects *objects,
                    const struct horizontal_pod_autoscaler *autoscaler, struct hpa_scale *scale,
                    struct problems *problems);

/* A metric as the controller goes by it; the values of Object and External
 * metrics are left out. */
struct hpa_metric hpa_metric_of(const struct metric_spec *spec);

/* What such pods request of a Resource or ContainerResource metric. */
struct hpa_request hpa_request_of(const struct metric_spec *metric, const struct pod *pod,
                                  const struct features *features);

/* The input of one sync at `now`. `metrics` are the values of other metrics
 * than those of PodMetrics objects, or NULL:
 *   {"pods": {NAME: [{"pod", "value", "timestamp"}]}, "object": {NAME: VALUE},
 *    "external": {NAME: [VALUE, ...]}}
 * The input points into the arena and the objects. */
bool hpa_read_input(struct arena *arena, const struct objects *objects,
                    const struct horizontal_pod_autoscaler *autoscaler,
                    const struct hpa_scale *scale, const struct value *metrics, int64_t now,
                    const struct features *features, struct hpa_input *input,
                    struct problems *problems);

#endif
