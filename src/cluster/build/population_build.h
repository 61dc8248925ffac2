/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the model of a setup: its parts, in the order in which they need each other. */
#ifndef FATHOM_CLUSTER_BUILD_POPULATION_BUILD_H
#define FATHOM_CLUSTER_BUILD_POPULATION_BUILD_H

#include "cluster/forward.h"

#include <stdbool.h>

/* Makes it the model of another setup, which differs in how many nodes of its groups and
 * how many replicas there are, and in nothing else. False: more than that would change,
 * and nothing has been. */
bool population_resize(struct population *population, const struct setup *setup);

#endif
