/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much a verification allows to happen: when periodic controllers act, whose writes come
 * late, whether delays take their time. What a weaker setting leaves out is a premise of its
 * report; a stronger one lifts this premise.
 *
 * Clocks neither add runs nor take them away alone: delays come to matter, and what cannot
 * happen in time is gone. So settings with clocks are compared among themselves.
 */
#ifndef FATHOM_VERIFY_STRENGTH_H
#define FATHOM_VERIFY_STRENGTH_H

#include "verify/plan.h"

struct strength {
    enum population_interleaving interleaving;
    bool budgets_lag;
    bool sets_lag; /* ReplicaSets see late what others took (population_options) */
    bool clocked;
};

/* "settled", "controllers", "full": the value of --interleaving. */
const char *interleaving_name(enum population_interleaving interleaving);

/* What the command line and the Check ask for. */
struct strength strength_asked(const struct verify_plan *plan,
                               const struct population_options *options);
/* The same, stronger in whatever makes a difference to this plan, clocks aside. */
struct strength strength_most(const struct verify_plan *plan,
                              const struct population_options *options);
bool strength_same(const struct strength *left, const struct strength *right);

/* Do controllers act by the clock, while nobody has said that only order counts? */
bool strength_may_clock(const struct verify_plan *plan, const struct scope_options *options);

enum { STRENGTHS_MOST = 16 };
/* All settings from `asked` to `most` with the clocks of `most`, without `asked` itself: each
 * comes after those that are weaker, so the last one is `most`. Gives their number. */
uint32_t strength_list(const struct strength *asked, const struct strength *most,
                       struct strength list[STRENGTHS_MOST]);

/* The options that make it of what was asked for: "--interleaving full", "--lag all". */
struct string_list strength_options(struct arena *arena, const struct strength *asked,
                                    const struct strength *strength);
/* The premises that it lifts, in a few words each. */
struct string_list strength_lifts(struct arena *arena, const struct strength *asked,
                                  const struct strength *strength);

#endif
