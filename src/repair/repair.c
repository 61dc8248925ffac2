/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/repair.h"

#include "repair/trial_patch.h"

#include <math.h>
#include <string.h>

struct search {
    struct patch_trials trials;
    struct edits edits;
    struct repair_candidates
        singles; /* that give up nothing that is guarded, and cost little enough */
    struct repair_candidates others;
};

/* ---- patches ---- */

static void keep_patch(struct search *search, struct patch_trial *trial,
                       const struct edit *const *edits, uint32_t count)
{
    struct repair *repair = search->trials.repair;
    struct arena *arena = search->trials.arena;
    struct repair_patch patch = {.edit_count = count, .losses = trial->losses};
    patch.edits = ARENA_ARRAY(arena, const struct edit *, count + 1);
    memcpy(patch.edits, edits, sizeof(*edits) * count);
    patch.cost = repair_cost_of(&trial->world.plan.scope);
    patch.setups = trial->found.setups_explored;
    patch.too_much = trial->too_much;
    patch.silenced = trial->silenced;
    repair_describe(arena, &search->trials.of, &trial->world, &patch);
    const unsigned refused =
        trial->losses & protections_guarded() & ~search->trials.options->allowed;
    if (refused || trial->too_much)
        VEC_PUSH(arena, &repair->weakening, patch);
    else
        VEC_PUSH(arena, &repair->patches, patch);
}

/* Does a patch that was found have an edit of the same field of the same object, or is it a part of
 * these edits? */
static bool is_superset(const struct repair_patch *patch, const struct edit *const *edits,
                        uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t p = 0; p < patch->edit_count; p++)
        for (uint32_t i = 0; i < count; i++)
            if (candidates_clash(patch->edits[p], edits[i])) {
                found++;
                break;
            }
    return found == patch->edit_count;
}

static bool is_known(const struct repair *repair, const struct edit *const *edits, uint32_t count)
{
    for (uint32_t i = 0; i < repair->patches.count; i++)
        if (is_superset(&repair->patches.items[i], edits, count))
            return true;
    for (uint32_t i = 0; i < repair->weakening.count; i++)
        if (is_superset(&repair->weakening.items[i], edits, count))
            return true;
    return false;
}

/* A number between the last one that fails and one that repairs it, by halves. */
static const struct edit *approach(struct search *search, const struct edit *edit)
{
    enum { HALVES = 3 };
    const struct edit *best = edit;
    double fails = edit->before;
    for (uint32_t i = 0; i < HALVES && edit->numeric && fabs(best->after - fails) >= 2; i++) {
        struct edit *middle = ARENA_NEW(search->trials.arena, struct edit);
        struct patch_trial trial;
        const double number = round((best->after + fails) / 2);
        if (!edit_with_number(&search->trials.of, edit, number, middle))
            break;
        patch_try(&search->trials, (const struct edit *const *)&middle, 1, false, &trial);
        if (trial.stage == STAGE_PASSED)
            best = middle;
        else
            fails = number;
        patch_trial_release(&trial);
    }
    return best;
}

/* ---- one edit ---- */

static bool has_enough(const struct search *search, bool weakening)
{
    const struct repair *repair = search->trials.repair;
    return (weakening ? repair->weakening.count : repair->patches.count) >=
           search->trials.options->patches_most;
}

static void try_single(struct search *search, struct repair_candidate *candidate, bool kind)
{
    struct patch_trial trial;
    const struct edit *edit = candidate->edit;
    patch_try(&search->trials, &edit, 1, kind, &trial);
    candidate->stage = trial.stage;
    candidate->losses = trial.losses;
    candidate->put_off = trial.put_off;
    if (trial.stage == STAGE_PASSED) {
        const struct edit *nearer = approach(search, edit);
        if (nearer != edit) {
            patch_trial_release(&trial);
            patch_try(&search->trials, &nearer, 1, kind, &trial);
        }
        if (trial.stage == STAGE_PASSED)
            keep_patch(search, &trial, &nearer, 1);
    }
    patch_trial_release(&trial);
}

static void try_all(struct search *search, struct repair_candidates *candidates, bool again,
                    bool weakening)
{
    for (uint32_t i = 0; i < candidates->count; i++) {
        if (has_enough(search, weakening) || patch_trials_over(&search->trials))
            return;
        if ((again && !candidates->items[i].put_off) ||
            is_known(search->trials.repair, &candidates->items[i].edit, 1))
            continue;
        try_single(search, &candidates->items[i], !weakening);
    }
}

/* What takes many states is put off until everything else has failed. */
static void try_singles(struct search *search, struct repair_candidates *candidates, bool weakening)
{
    static const uint64_t states[] = {40000, 400000, 4000000};
    const struct repair *repair = search->trials.repair;
    for (uint32_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
        search->trials.states_of_one = states[i];
        search->trials.put_off = false;
        try_all(search, candidates, i > 0, weakening);
        if ((weakening ? repair->weakening.count : repair->patches.count) > 0 ||
            !search->trials.put_off)
            break;
    }
    search->trials.states_of_one = states[1];
}

/* ---- several edits ---- */

static bool fit_together(const struct edit *const *edits, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (candidates_clash(edits[i], edits[j]))
                return false;
    return true;
}

/* Is every part of the set with one edit less no repair? Those of single edits were tried. */
static bool is_minimal(struct search *search, const struct edit *const *edits, uint32_t count,
                       bool weakening)
{
    for (uint32_t leave = 0; count > 2 && leave < count; leave++) {
        const struct edit *part[REPAIR_EDITS_MOST];
        struct patch_trial trial;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++)
            if (i != leave)
                part[kept++] = edits[i];
        patch_try(&search->trials, part, kept, !weakening, &trial);
        const bool repairs = trial.stage == STAGE_PASSED;
        patch_trial_release(&trial);
        if (repairs)
            return false;
    }
    return true;
}

static void try_set(struct search *search, const struct edit *const *edits, uint32_t count,
                    bool weakening)
{
    struct patch_trial trial;
    patch_try(&search->trials, edits, count, !weakening, &trial);
    if (trial.stage == STAGE_PASSED && is_minimal(search, edits, count, weakening))
        keep_patch(search, &trial, edits, count);
    patch_trial_release(&trial);
}

/* Which sets are tried: those of which some edit repairs each violation by itself; those of which
 * some edit stops each counterexample; then the others. */
enum set_pass { PASS_CURED, PASS_STOPPED, PASS_BLIND, PASS_COUNT };

static enum set_pass pass_of(const struct repair_candidate *const *set, uint32_t size)
{
    uint64_t standing = UINT64_MAX;
    uint64_t uncured = UINT64_MAX;
    for (uint32_t i = 0; i < size; i++) {
        standing &= set[i]->standing;
        uncured &= set[i]->uncured;
    }
    return !uncured ? PASS_CURED : !standing ? PASS_STOPPED : PASS_BLIND;
}

/* All sets of the pass whose places in the list add up to `sum`, so that those of the best come
 * first. */
static void try_sum(struct search *search, const struct repair_candidates *of, uint32_t size,
                    uint32_t sum, bool weakening, enum set_pass pass, uint64_t *left)
{
    for (uint32_t a = 0; a < of->count && a <= sum; a++)
        for (uint32_t b = a + 1; b < of->count && a + b <= sum; b++) {
            const uint32_t c = sum - a - b;
            if (size == 2 ? c != 0 : c <= b || c >= of->count)
                continue;
            if (*left == 0 || has_enough(search, weakening) || patch_trials_over(&search->trials))
                return;
            const struct repair_candidate *const those[] = {&of->items[a], &of->items[b],
                                                            size > 2 ? &of->items[c] : NULL};
            if (pass_of(those, size) != pass)
                continue;
            const struct edit *const set[] = {those[0]->edit, those[1]->edit,
                                              size > 2 ? those[2]->edit : NULL};
            if (!fit_together(set, size) || is_known(search->trials.repair, set, size))
                continue;
            (*left)--;
            try_set(search, set, size, weakening);
        }
}

/* What was learned from candidates that failed tells which sets are worth a try. */
static void find_standing(struct search *search, struct repair_candidates *of)
{
    struct patch_trials *trials = &search->trials;
    for (uint32_t i = 0; i < of->count && !patch_trials_over(trials); i++) {
        struct repair_candidate *candidate = &of->items[i];
        patch_trials_standing(trials, candidate->edit, candidate->runs, &candidate->standing,
                              &candidate->uncured);
        candidate->runs = trials->runs.count;
    }
}

static void try_sets(struct search *search, struct repair_candidates *singles, uint32_t size,
                     bool weakening)
{
    enum { BLIND_SHARE = 4 };
    struct repair_candidates of = {0};
    find_standing(search, singles);
    candidates_rank_for_sets(search->trials.arena, singles, &of);
    const uint32_t last = size * of.count;
    for (enum set_pass pass = PASS_CURED; pass < PASS_COUNT; pass++) {
        uint64_t left = search->trials.options->tries_most / (pass == PASS_BLIND ? BLIND_SHARE : 1);
        for (uint32_t sum = 1; sum < last && left > 0; sum++)
            try_sum(search, &of, size, sum, weakening, pass, &left);
        if (left == 0)
            search->trials.repair->all_tried = false;
    }
}

/* ---- the search ---- */

static void list_candidates(struct search *search)
{
    const unsigned refused = protections_guarded() & ~search->trials.options->allowed;
    for (uint32_t i = 0; i < search->edits.count; i++) {
        const struct edit *edit = &search->edits.items[i];
        const struct repair_candidate candidate = {.edit = edit, .losses = edit->row->loss};
        if (edit->row->loss & refused)
            VEC_PUSH(search->trials.arena, &search->others, candidate);
        else
            VEC_PUSH(search->trials.arena, &search->singles, candidate);
    }
    candidates_rank(&search->singles);
    candidates_rank(&search->others);
}

/* What would repair it if it were allowed: what the rows say, and what objects or costs show. */
static void find_weakening(struct search *search)
{
    for (uint32_t i = 0; i < search->singles.count; i++)
        if (search->singles.items[i].stage == STAGE_INVALID)
            VEC_PUSH(search->trials.arena, &search->others, search->singles.items[i]);
    candidates_rank(&search->others);
    try_singles(search, &search->others, true);
}

static void find_weakening_pairs(struct search *search)
{
    for (uint32_t i = 0; i < search->singles.count; i++)
        if (search->singles.items[i].stage != STAGE_INVALID)
            VEC_PUSH(search->trials.arena, &search->others, search->singles.items[i]);
    try_sets(search, &search->others, 2, true);
}

/* Sets of three take longest, and come after single edits that would have to be allowed. */
static void find_patches(struct search *search)
{
    struct repair *repair = search->trials.repair;
    try_singles(search, &search->singles, false);
    if (repair->patches.count == 0)
        try_sets(search, &search->singles, 2, false);
    if (repair->patches.count == 0)
        find_weakening(search);
    if (repair->patches.count == 0)
        try_sets(search, &search->singles, 3, false);
    if (repair->patches.count == 0 && repair->weakening.count == 0)
        find_weakening_pairs(search);
    if (repair->patches.count > 0)
        repair->weakening.count = 0; /* found before sets of three were tried */
    if (repair->patches.count > 0)
        repair->end = REPAIR_FOUND;
    else
        repair->end = repair->ended_by == EXPLORE_DECIDED ? REPAIR_NONE : REPAIR_LIMIT;
}

/* The search is given up after so many states, unless the options say otherwise. */
enum { STATES_OF_SEARCH = 12000000 };

static uint64_t states_for(const struct repair_options *options)
{
    return options->run.states_most == UINT64_MAX ? STATES_OF_SEARCH : options->run.states_most;
}

void repair_run(struct arena *arena, struct memory *memory, const struct verify_plan *plan,
                const struct repair_options *options, struct repair *repair)
{
    struct search search = {
        .trials = {.arena = arena,
                   .memory = memory,
                   .plan = plan,
                   .options = options,
                   .budget = budget_of(options->run.time_most_ms),
                   .states_left = states_for(options),
                   .repair = repair},
    };
    const int64_t started = clock_now_ns();
    search.trials.budget.interrupted = options->run.interrupted;
    *repair = (struct repair){.plan = plan, .all_tried = true};
    verify_run(arena, memory, &plan->scope, plan->intents.items, plan->intents.count, &options->run,
               &repair->before);
    const enum verdict verdict = verify_verdict(&repair->before);
    repair->end = verdict == VERDICT_HOLDS ? REPAIR_NEEDLESS : REPAIR_UNDECIDED;
    repair->ended_by = verdict == VERDICT_VIOLATED ? EXPLORE_DECIDED : repair->before.ended_by;
    if (verdict == VERDICT_VIOLATED) {
        repair_case_read(arena, plan, options, &repair->before, &search.trials.of);
        search.trials.states_of_one = UINT64_MAX;
        patch_trials_learn(&search.trials, arena, plan, &plan->scope, &repair->before);
        patch_trials_begin(&search.trials);
        edits_make(&search.trials.of, &search.edits);
        repair->edits = search.edits.count;
        list_candidates(&search);
        find_patches(&search);
    }
    repair->seconds = (double)(clock_now_ns() - started) / 1e9;
}

void repair_release(struct repair *repair)
{
    verify_release(&repair->before);
}
