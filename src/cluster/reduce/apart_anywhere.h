/* SPDX-License-Identifier: Apache-2.0 */
/* Another way to show that workloads can be looked at one at a time (apart.c): they may get into
 * each other's way as much as they like, if it is all the same where a pod is put. */
#ifndef FATHOM_CLUSTER_REDUCE_APART_ANYWHERE_H
#define FATHOM_CLUSTER_REDUCE_APART_ANYWHERE_H

#include <stdbool.h>

struct parting;
struct population_state;
struct population_worker;

/* Is it all the same, here, to everybody and to every intent where pods are put? */
bool places_are_alike(struct population_worker *worker, const struct population_state *state);
/* Is there a node for every pod, wherever all others have been put? All have been followed. */
bool room_suffices(struct parting *parting);

#endif
