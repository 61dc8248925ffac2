/* SPDX-License-Identifier: Apache-2.0 */
/* One Check on its way to the model: what is to be explored, and what is asked. */
#ifndef FATHOM_VERIFY_PLAN_H
#define FATHOM_VERIFY_PLAN_H

#include "cluster/population.h"
#include "object/input.h"

struct verify_plan {
    struct input_unit *unit;
    const struct check *check; /* of the unit; NULL: there is none */
    struct scope scope;
    VEC(struct check_intent) intents;
    bool in_vain;                  /* it was made when the run was over: there are no setups */
    bool usual;                    /* no intents were given: these are the default ones */
    VEC(const char *) assumptions; /* what was assumed, in sentences */
};

/* Of one unit. The intents are those of the options, or those of the Check, or the usual
 * ones. False, with problems of the unit, if anything is wrong or not modelled. */
bool verify_plan_make(struct arena *arena, struct input_unit *unit,
                      const struct scope_options *options, struct verify_plan *plan);

/* The same with a Check that was made and not read. */
bool verify_plan_ask(struct arena *arena, struct input_unit *unit, const struct check *check,
                     const struct scope_options *options, struct verify_plan *plan);

/* A plan for each unit whose objects are right: what is wrong with the objects of the
 * others would only be said in other words. False if not all of them could be made. */
bool verify_plans_make(struct arena *arena, struct input *input,
                       const struct scope_options *options, struct verify_plan *plans);

struct verify_report;
/* Parts of the Check that had no effect in any run, in sentences (idle.c). */
struct string_list verify_idle(struct arena *arena, const struct verify_plan *plan,
                               const struct verify_report *report);

/* What the model and what was found out rely on, in sentences (premises.c). */
struct string_list verify_premises(struct arena *arena, const struct verify_plan *plan,
                                   const struct population_options *options,
                                   const struct verify_report *found);

#endif
