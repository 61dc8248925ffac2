/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the API server fills in when a pod is stored (v1.26).
 *
 * In a template it leaves the requests alone and fills them in when the pod is
 * made. Our templates are what their pods will be, so it is done at once.
 */
#include "object/pod_parts.h"

#include <stddef.h>

void pod_spec_set_defaults(struct arena *arena, struct pod_spec *spec)
{
    containers_set_defaults(arena, spec->containers, spec->container_count, spec->host_network);
    containers_set_defaults(arena, spec->init_containers, spec->init_container_count,
                            spec->host_network);
    resource_list_round(&spec->overhead);
    if (spec->resources) {
        resource_list_round(&spec->resources->limits);
        resource_list_round(&spec->resources->requests);
    }
    if (!spec->scheduler_name)
        spec->scheduler_name = "default-scheduler";
    /* Deleting a pod with a negative period takes a second. */
    if (spec->termination_grace_seconds < 0)
        spec->termination_grace_seconds = 1;
}
