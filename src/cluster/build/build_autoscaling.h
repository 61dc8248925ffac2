/* SPDX-License-Identifier: Apache-2.0 */
/* The cluster autoscaler of a model. */
#ifndef FATHOM_CLUSTER_BUILD_BUILD_AUTOSCALING_H
#define FATHOM_CLUSTER_BUILD_BUILD_AUTOSCALING_H

#include "base/error.h"
#include "cluster/forward.h"
#include "setup/setup.h"

struct autoscaled_group;
struct autoscaler_options;
struct features;
struct support;

/* As the Check has it; NULL: there is none. */
const struct autoscaling *autoscaling_create(struct population *population,
                                             struct problems *problems);

/* Can the provider fail to create a node, so that groups are kept off? */
bool autoscaling_may_fail(const struct population *population);

/* The flags, as the version and the Check have them. */
void autoscaling_read_options(struct arena *arena, const struct check_cluster_autoscaler *given,
                              const struct features *features, struct autoscaler_options *options,
                              struct problems *problems);

/* Changes those that are different for the group. */
void autoscaling_read_group_options(struct arena *arena, const struct autoscaled_group *group,
                                    struct autoscaler_options *options, struct problems *problems);

/* What the priority expander goes by: the text of its ConfigMap; NULL: there is none. */
const char *autoscaling_priorities(const struct objects *objects);

/* Reports what of the Check is not modelled beside the cluster autoscaler (supports.c). */
void supports_autoscaling(const struct support *support, const struct check *check,
                          struct place place);

#endif
