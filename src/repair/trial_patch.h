/* SPDX-License-Identifier: Apache-2.0 */
/* One set of edits on its way through the tests that a repair has to pass. */
#ifndef FATHOM_REPAIR_TRIAL_PATCH_H
#define FATHOM_REPAIR_TRIAL_PATCH_H

#include "base/budget.h"
#include "repair/candidates.h"
#include "repair/repair.h"
#include "repair/violated_part.h"

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
    struct violated_parts parts;    /* of those runs that one part of the cluster is enough for */
    VEC(struct check_intent) usual; /* intents that nobody asked for */
    struct known_runs roomy;        /* a setup with room for all pods, if there is one */
    VEC(struct kept_setup) kept;    /* the roomy setup, then those of the counterexamples */
    struct repair_deeds deeds;      /* what controllers do there, apart from the violations */
    bool knows_deeds;
    bool knows_usual;
    uint64_t states_of_one; /* a candidate that takes more is put off */
    bool put_off;           /* there was such a candidate */
    uint64_t states_left;
    struct repair *repair;
};

/* Looks at what a repair must not make worse. */
void patch_trials_begin(struct patch_trials *trials);
/* The scope of a setup that is kept: 0 is the roomy one, the others are those of known runs. */
bool patch_trials_kept_scope(const struct patch_trials *trials, struct arena *arena,
                             uint32_t number, const struct scope *scope, struct scope *single);
/* How many pods become ready; nothing if there is no such setup. */
struct repair_ready patch_trials_ready(const struct patch_trials *trials, struct arena *arena,
                                       const struct verify_plan *plan, const struct scope *single);
/* Does what held of the usual intents hold still? False also once a limit is reached. */
bool patch_trials_keep_usual(struct patch_trials *trials, struct arena *arena,
                             const struct scope *scope);

/* Has a limit been reached? (trial_run.c) */
bool patch_trials_over(struct patch_trials *trials);
/* `first`: the first violation is enough. */
void patch_trials_verify(struct patch_trials *trials, struct arena *arena,
                         const struct scope *scope, const struct check_intent *intents,
                         uint32_t count, bool first, struct verify_report *report);

/* Learns the runs that violate intents, and which part of the cluster is enough for each. */
void patch_trials_learn(struct patch_trials *trials, struct arena *arena,
                        const struct verify_plan *plan, const struct scope *scope,
                        const struct verify_report *report);

/* Which of the runs, from this one on, an edit leaves as they are (`standing`), and in which of
 * their setups their intent is violated with it (`uncured`). */
void patch_trials_standing(struct patch_trials *trials, const struct edit *edit, uint32_t from,
                           uint64_t *standing, uint64_t *uncured);

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
