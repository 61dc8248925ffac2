/* SPDX-License-Identifier: Apache-2.0 */
/* What DaemonSets need of nodes and pods before anything happens. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_DAEMON_SETS_H
#define FATHOM_CLUSTER_BUILD_BUILD_DAEMON_SETS_H

#include <stdint.h>

struct arena;
struct daemon_set;
struct pod;
struct pod_template;
struct population;
struct workload;

/* A template for the one node that a pod asks for; the others are told apart. */
void add_target_template(struct population *population, uint32_t template);
void pod_ask_for_target(struct arena *arena, struct pod *pod);
/* The workload's DaemonSet with another template. */
const struct daemon_set *daemon_set_with(struct arena *arena, const struct workload *workload,
                                         const struct pod_template *template);
/* When all templates are known. */
void find_daemon_places(struct population *population);

#endif
