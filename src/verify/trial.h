/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trial of what holds: does it hold as well if more may happen?
 *
 * An intent that holds is tried once more with the strongest setting that makes a difference
 * to its Check (strength.h), and then, where nobody has said that only order counts, with
 * clocks as well. A trial is small: it has a number of states and a time, and what it does not
 * decide with them it says. The verdict stays what it is.
 *
 * If the intent is violated then, the weakest setting is looked for that violates it, so that the
 * counterexample shows which premise it needed lifted. It is found with this intent alone, as
 * somebody finds it again who asks for this intent and this setting.
 */
#ifndef FATHOM_VERIFY_TRIAL_H
#define FATHOM_VERIFY_TRIAL_H

#include "verify/strength.h"
#include "verify/verify.h"

struct trial_limits {
    uint64_t states_to_try; /* of all settings; to find the weakest takes as many again */
    uint64_t states_most; /* of all explorations together; UINT64_MAX: no limit, so for the time */
    uint64_t time_most_ms;
};

/* One intent with one setting. */
struct intent_trial {
    struct strength under;
    struct string_list options; /* that ask for it, beside those that were given */
    struct string_list lifts;   /* premises that do not count there */
    enum verdict verdict;
    enum explore_reason reason; /* if undecided */
    uint64_t states;            /* explored, if undecided */
    /* If it is violated: */
    const struct verify_result *violation;
    const struct verify_report *found; /* that it is part of */
    const struct scope *scope;
    const char *command; /* that shows the same; the caller's */
};

enum { TRIALS_MOST = 2 };

struct intent_trials {
    struct intent_trial items[TRIALS_MOST]; /* without clocks, then with them */
    uint32_t count;                         /* 0: it was not tried */
};

struct trial_run {
    struct arena arena;
    struct verify_report found;
};

struct trials {
    struct intent_trials *intents; /* by intent of the plan; NULL: nothing was tried */
    uint64_t states;               /* that were explored */
    VEC(struct trial_run *) runs;  /* that something is told of */
};

/* Tries what holds in `found`. The options are those of the verification, without a checkpoint.
 * `scope_options` is what the plan was made with. */
void trials_run(struct arena *arena, struct memory *memory, const struct verify_plan *plan,
                const struct scope_options *scope_options, const struct verify_options *options,
                const struct trial_limits *limits, const struct verify_report *found,
                struct trials *trials);
void trials_release(struct trials *trials);

/* Is there anything in the report that a trial could be made of? */
bool trials_wanted(const struct verify_plan *plan, const struct scope_options *scope_options,
                   const struct verify_options *options, const struct verify_report *found);

#endif
