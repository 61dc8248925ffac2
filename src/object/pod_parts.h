/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a pod's schema, defaults and validation, each in a file of its
 * own; for pod.c, pod_defaults.c and pod_validation.c. */
#ifndef FATHOM_OBJECT_POD_PARTS_H
#define FATHOM_OBJECT_POD_PARTS_H

#include "object/schemas.h"

extern const struct schema container_schema;
extern const struct schema resource_requirements_schema;
extern const struct schema affinity_schema;
extern const struct schema node_affinity_schema;
extern const struct schema topology_spread_constraint_schema;
extern const struct schema pod_status_schema;
extern const struct field_hook volumes_hook;
extern const struct field_hook lifecycle_hook; /* of a container */

/* Rounds quantities as the API server does. */
void pod_status_set_defaults(struct pod_status *status);

void containers_set_defaults(struct arena *arena, struct container *containers, uint32_t count,
                             bool host_network);

void node_affinity_validate(struct reading *reading, const struct path *path,
                            const struct node_affinity *affinity);

/* These take the path of the pod's spec. */
void containers_validate(struct reading *reading, const struct path *path,
                         const struct pod_spec *spec);
void affinity_validate(struct reading *reading, const struct path *path,
                       const struct pod_spec *spec);
void topology_spread_validate(struct reading *reading, const struct path *path,
                              const struct pod_spec *spec);
void volumes_validate(struct reading *reading, const struct path *path,
                      const struct pod_spec *spec);

#endif
