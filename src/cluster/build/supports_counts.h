/* SPDX-License-Identifier: Apache-2.0 */
/* Quotas that count objects which controllers make during a run: ReplicaSets, Jobs and
 * ControllerRevisions. */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_COUNTS_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_COUNTS_H

#include <stdbool.h>

struct object;
struct support;

/* A quota that has enough for all that controllers may ever make changes nothing. Reports one that
 * may have too little, which no model tells the consequences of. False: the name counts none of
 * these. */
bool supports_count(const struct support *support, const struct object *quota, const char *name);

#endif
