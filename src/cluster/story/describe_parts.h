/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes and the pods on them, in words. */
#ifndef FATHOM_CLUSTER_STORY_DESCRIBE_PARTS_H
#define FATHOM_CLUSTER_STORY_DESCRIBE_PARTS_H

#include "cluster/forward.h"

#include <stdint.h>

/* The name of a node with a name of its own, otherwise that of its group. */
const char *describe_node_name(struct worker *worker, uint32_t config);
/* "node a", "a node of group workers"; in the scratch arena. */
const char *describe_node(struct worker *worker, uint32_t config);
/* The CPU that a pod of the class uses. */
long long describe_cpu_milli(const struct worker *worker, uint32_t class);
/* "2 web, 1 web terminating"; in the scratch arena. */
const char *describe_pods(struct worker *worker, uint32_t config);

#endif
