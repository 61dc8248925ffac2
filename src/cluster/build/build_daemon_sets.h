/* SPDX-License-Identifier: Apache-2.0 */
/* What DaemonSets need of nodes and pods before anything happens. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_DAEMON_SETS_H
#define FATHOM_CLUSTER_BUILD_BUILD_DAEMON_SETS_H

#include "cluster/forward.h"

#include <stdint.h>

/* Adds a template for a node of this template as the one that a pod asks for. */
void add_target_template(struct population *population, uint32_t template);
/* Makes the pod ask for such a node. */
void pod_ask_for_target(struct arena *arena, struct pod *pod);
/* The workload's DaemonSet with another template. */
const struct daemon_set *daemon_set_with(struct arena *arena, const struct workload *workload,
                                         const struct pod_template *template);
/* Finds where pods of DaemonSets belong; all templates are known. */
void find_daemon_places(struct population *population);

#endif
