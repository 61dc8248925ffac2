/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several groups grows: a chain of filters, each of which keeps the best options. */
#ifndef FATHOM_DECIDE_AUTOSCALER_EXPANDER_H
#define FATHOM_DECIDE_AUTOSCALER_EXPANDER_H

#include "decide/autoscaler/autoscaler.h"

/* Options that are still in the running. */
typedef VEC(const struct scale_option *) option_list;

/* Leaves the best options, all of which the real program may choose. */
void expand_best(struct cluster_autoscaler *autoscaler, option_list *options);

/* Why the autoscaler would not start with this chain; NULL: it would. */
const char *expanders_wrong(struct arena *arena, const struct string_list *chain);

/* Lower is better. */
void keep_lowest(struct cluster_autoscaler *autoscaler, option_list *options,
                 double (*score)(const struct cluster_autoscaler *autoscaler,
                                 const struct scale_option *option));

double expander_price(const struct cluster_autoscaler *autoscaler,
                      const struct scale_option *option);
void expander_priority(struct cluster_autoscaler *autoscaler, option_list *options);

/* Checks the regular expressions of the priorities; false if one of them is not supported. */
bool priorities_check(struct arena *arena, const char *priorities, const char **why);

#endif
