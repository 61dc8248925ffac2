/* SPDX-License-Identifier: Apache-2.0 */
/* What DaemonSets need of nodes and pods before anything happens. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_DAEMON_SETS_H
#define FATHOM_CLUSTER_BUILD_BUILD_DAEMON_SETS_H

#include "cluster/forward.h"

#include <stdint.h>

/* Pods of DaemonSets ask for one node, by its name. Nodes of a group have none: the one that is
 * asked for is told by this label, which only it has. No label of a manifest can look like it. */
#define LABEL_TARGET "the node itself"

/* Makes the pod ask for the node with that label. */
void pod_ask_for_target(struct arena *arena, struct pod *pod);
/* Finds where pods of DaemonSets belong; all templates are known. */
void find_daemon_places(struct population *population);

#endif
