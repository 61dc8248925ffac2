/* SPDX-License-Identifier: Apache-2.0 */
/* One set of edits on its way through the tests that a repair has to pass. */
#ifndef FATHOM_REPAIR_TRIAL_PATCH_H
#define FATHOM_REPAIR_TRIAL_PATCH_H

#include "base/budget.h"
#include "repair/candidates.h"
#include "repair/repair.h"

/* What a setup is like as it is: a repair must not make it worse. */
struct kept_setup {
    bool there;
    struct repair_ready ready; /* NULL: not known */
    uint64_t held;             /* bit i: usual intent i holds */
};

/* What stays the same for all sets. */
struct patch_trials {
    struct arena *arena;
    struct memory *memory;
    const struct verify_plan *plan;
    const struct repair_options *options;
    struct budget budget;
    struct edit_case of;
    struct known_runs runs;
    VEC(struct check_intent) usual; /* intents that nobody asked for */
    struct known_runs roomy;        /* a setup with room for all pods, if there is one */
    VEC(struct kept_setup) kept;    /* the roomy setup, then those of the counterexamples */
    struct repair_deeds deeds;      /* what controllers do there, apart from the violations */
    bool knows_deeds;
    uint64_t states_of_one; /* a candidate that takes more is put off */
    bool put_off;           /* there was such a candidate */
    uint64_t states_left;
    struct repair *repair;
};

/* Looks at what a repair must not make worse. */
void patch_trials_begin(struct patch_trials *trials);
/* Has a limit been reached? */
bool patch_trials_over(struct patch_trials *trials);

struct patch_trial {
    enum candidate_stage stage;
    unsigned losses;
    const char *too_much; /* what it costs beyond the budget; NULL: nothing */
    const char *silenced; /* what controllers never do any more; NULL: nothing */
    struct repair_world world;
    struct verify_report found; /* if it passed; with the world, to be released by the caller */
    bool made;
    bool put_off; /* a limit on its states was reached */
};

/* `only_kind`: reject what is guarded, or costs too much, before anything is explored. */
void patch_try(struct patch_trials *trials, const struct edit *const *edits, uint32_t count,
               bool only_kind, struct patch_trial *trial);
void patch_trial_release(struct patch_trial *trial);

#endif
