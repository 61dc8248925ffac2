/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was understood of an object, in a line: for `fathom check-manifests`.
 *
 * The numbers are those that the model works with: requests as the scheduler
 * counts them, replicas as the API server defaults them.
 */
#ifndef FATHOM_REPORT_DESCRIBE_OBJECT_H
#define FATHOM_REPORT_DESCRIBE_OBJECT_H

#include "decide/view.h"

struct description {
    const struct object *object;
    bool modelled;           /* the model has a place for this kind */
    bool has_requests;       /* it is a pod, or makes pods */
    int64_t pods;            /* how many; of a DaemonSet that depends on the nodes: 0 */
    struct amounts requests; /* of each */
    const char *summary;     /* "3 pods, each cpu 500m, memory 1Gi; recreate" */
};

struct description describe_object(struct arena *arena, struct catalog *catalog,
                                   const struct object *object);

/* A part of something that is described itself, such as a pod of a ReplicaSet. */
bool description_is_owned(const struct description *description);

/* "cpu 500m, memory 1Gi"; "" when there is nothing. */
const char *amounts_format(struct arena *arena, const struct catalog *catalog,
                           const struct amounts *amounts);
const char *amount_cpu_format(struct arena *arena, int64_t milli);
const char *amount_bytes_format(struct arena *arena, int64_t bytes);

#endif
