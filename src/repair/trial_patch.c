/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/trial_patch.h"

#include <string.h>

enum { RUNS_MOST = 12 };

/* ---- runs and parts ---- */

/* Is the intent of the run violated in the scope, as far as some states tell? */
static bool is_violated_in(struct patch_trials *trials, struct arena *arena,
                           const struct verify_plan *plan, const struct scope *scope, uint32_t run)
{
    enum { STATES_MOST = 20000 }; /* with more, the whole is explored as quickly */
    const uint32_t intent = known_run_intent(&trials->runs, run);
    const uint64_t of_one = trials->states_of_one;
    struct verify_report report;
    trials->states_of_one = STATES_MOST;
    patch_trials_verify(trials, arena, scope, &plan->intents.items[intent], 1, true, &report);
    trials->states_of_one = of_one;
    const bool violated = verify_verdict(&report) == VERDICT_VIOLATED;
    verify_release(&report);
    return violated;
}

/* Is the violation of the part's run there when nothing else is in the cluster? */
static bool is_violated_alone(struct patch_trials *trials, struct arena *arena,
                              const struct verify_plan *plan, const struct violated_part *part)
{
    struct scope single;
    if (!violated_part_scope(arena, part, &trials->runs, &plan->scope, &single))
        return false;
    return is_violated_in(trials, arena, plan, &single, part->run);
}

void patch_trials_learn(struct patch_trials *trials, struct arena *arena,
                        const struct verify_plan *plan, const struct scope *scope,
                        const struct verify_report *report)
{
    uint32_t run = trials->runs.count;
    known_runs_add(trials->arena, scope, report, &trials->runs);
    for (uint32_t i = 0; i < report->result_count; i++) {
        const struct verify_result *result = &report->results[i];
        struct violated_part part;
        if (result->verdict != VERDICT_VIOLATED || !result->setup)
            continue;
        if (violated_part_of(&trials->of, scope, result, run++, &part) &&
            is_violated_alone(trials, arena, plan, &part))
            VEC_PUSH(trials->arena, &trials->parts, part);
    }
}

/* Do the edits leave out a part that violates an intent by itself? */
static bool leaves_a_part(const struct patch_trials *trials, const struct edit *const *edits,
                          uint32_t count)
{
    for (uint32_t i = 0; i < trials->parts.count; i++)
        if (!violated_part_is_changed(&trials->parts.items[i], edits, count))
            return true;
    return false;
}

static bool is_violated_in_a_part(struct patch_trials *trials, struct patch_trial *trial)
{
    for (uint32_t i = trials->parts.count; i-- > 0;)
        if (is_violated_alone(trials, &trial->world.arena, &trial->world.plan,
                              &trials->parts.items[i]))
            return true;
    return false;
}

/* Is the intent of the run violated in its setup, as far as some states tell? */
static bool is_uncured(struct patch_trials *trials, struct arena *arena,
                       const struct verify_plan *plan, uint32_t run)
{
    struct scope single;
    for (uint32_t i = 0; i < trials->parts.count; i++)
        if (trials->parts.items[i].run == run)
            return is_violated_alone(trials, arena, plan, &trials->parts.items[i]);
    if (!known_run_scope(arena, &trials->runs, run, &plan->scope, &single))
        return false;
    return is_violated_in(trials, arena, plan, &single, run);
}

/* The parts that the edit leaves as they are, by their runs. */
static uint64_t unchanged_parts(const struct patch_trials *trials, const struct edit *edit)
{
    uint64_t runs = 0;
    for (uint32_t i = 0; i < trials->parts.count; i++)
        if (trials->parts.items[i].run < 64 &&
            !violated_part_is_changed(&trials->parts.items[i], &edit, 1))
            runs |= UINT64_C(1) << trials->parts.items[i].run;
    return runs;
}

static uint64_t first_runs(uint32_t count)
{
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

void patch_trials_standing(struct patch_trials *trials, const struct edit *edit, uint32_t from,
                           uint64_t *standing, uint64_t *uncured)
{
    const uint64_t unchanged = unchanged_parts(trials, edit);
    struct repair_world world;
    const char *why;
    *standing |= unchanged;
    *uncured |= unchanged;
    if ((unchanged | first_runs(from)) == first_runs(trials->runs.count))
        return;
    if (repair_world_make(trials->memory, &trials->of, trials->plan, trials->options, &edit, 1,
                          &world, &why)) {
        *standing |= known_runs_standing(trials->memory, &trials->runs, trials->runs.count,
                                         &world.plan, &trials->options->run);
        for (uint32_t i = from; i < trials->runs.count && i < 64 && !patch_trials_over(trials); i++)
            if ((*standing | unchanged) >> i & 1 ||
                is_uncured(trials, &world.arena, &world.plan, i))
                *uncured |= UINT64_C(1) << i;
    }
    repair_world_release(&world);
}

/* ---- with edits ---- */

/* Is the violation one of another kind than those that are known? */
static bool is_new(const struct patch_trials *trials, const struct scope *scope,
                   const struct verify_report *report)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        const struct verify_result *result = &report->results[i];
        const char *whose =
            result->whose < scope->workload_count ? scope->workloads[result->whose].name : NULL;
        if (result->verdict == VERDICT_VIOLATED && !known_runs_are_of(&trials->runs, i, whose))
            return true;
    }
    return false;
}

/* Explores; a violation is remembered if it is a new one, or `always`. False unless all hold. */
static bool holds(struct patch_trials *trials, struct patch_trial *trial, const struct scope *scope,
                  bool always, struct verify_report *report)
{
    const struct verify_plan *plan = &trial->world.plan;
    patch_trials_verify(trials, &trial->world.arena, scope, plan->intents.items,
                        plan->intents.count, true, report);
    const enum verdict verdict = verify_verdict(report);
    if (verdict == VERDICT_VIOLATED && trials->runs.count < RUNS_MOST &&
        (always || is_new(trials, scope, report)))
        patch_trials_learn(trials, &trial->world.arena, plan, scope, report);
    if (verdict == VERDICT_UNDECIDED) {
        trials->repair->undecided++;
        trials->put_off = true;
        trial->put_off = true;
    }
    return verdict == VERDICT_HOLDS;
}

/* The setups of the known violations, the last ones first. */
static bool holds_in_setups(struct patch_trials *trials, struct patch_trial *trial)
{
    bool good = true;
    for (uint32_t i = trials->runs.count; good && i-- > 0;) {
        struct verify_report report;
        struct scope single;
        if (!known_run_scope(&trial->world.arena, &trials->runs, i, &trial->world.plan.scope,
                             &single))
            continue;
        holds(trials, trial, &single, false, &report);
        good = verify_verdict(&report) != VERDICT_VIOLATED;
        verify_release(&report);
    }
    return good;
}

/* What became of the pods of one setup. */
enum readiness { READINESS_KEPT, READINESS_LESS, READINESS_NONE };

static uint32_t ready_of(const struct scope *scope, const uint32_t *ready, const char *name)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (strcmp(scope->workloads[w].name, name) == 0)
            return ready[w];
    return 0;
}

/* At most so many at any time, and so many when nothing moves any more, if it comes to that. */
static enum readiness compare_ready(const struct scope *before,
                                    const struct repair_ready *ready_before,
                                    const struct scope *after,
                                    const struct repair_ready *ready_after)
{
    enum readiness worst = READINESS_KEPT;
    for (uint32_t w = 0; w < before->workload_count; w++) {
        const char *name = before->workloads[w].name;
        const uint32_t most = ready_after->most ? ready_of(after, ready_after->most, name) : 0;
        const uint32_t first = ready_after->first ? ready_of(after, ready_after->first, name) : 0;
        const bool rests = ready_before->first[w] != UINT32_MAX && first != UINT32_MAX;
        if ((most < ready_before->most[w] || (rests && first < ready_before->first[w])) &&
            worst == READINESS_KEPT)
            worst = READINESS_LESS;
        if (most == 0 && ready_before->most[w] > 0)
            worst = READINESS_NONE;
    }
    return worst;
}

/* Do as many pods become ready as before? Where there is room, that is required; in the setups of
 * counterexamples fewer may fit, which is a loss, but never none. */
static bool is_as_ready(struct patch_trials *trials, struct patch_trial *trial)
{
    struct arena *arena = &trial->world.arena;
    const struct scope *after = &trial->world.plan.scope;
    for (uint32_t i = 0; i < trials->kept.count; i++) {
        const struct kept_setup *before = &trials->kept.items[i];
        struct scope single;
        if (!before->there || !before->ready.most)
            continue;
        struct repair_ready ready = {0};
        if (patch_trials_kept_scope(trials, arena, i, after, &single))
            ready = patch_trials_ready(trials, arena, &trial->world.plan, &single);
        const enum readiness readiness =
            compare_ready(&trials->plan->scope, &before->ready, after, &ready);
        if (readiness == READINESS_NONE || (i == 0 && readiness == READINESS_LESS))
            return false;
        trial->losses |= readiness == READINESS_LESS ? PROTECTION_ROOM : 0;
    }
    return true;
}

static bool is_refused(const struct patch_trials *trials, const struct patch_trial *trial)
{
    return trial->losses & protections_guarded() & ~trials->options->allowed;
}

/* ---- what controllers do ---- */

enum { DEED_STATES_BEFORE = 10000, DEED_STATES_AFTER = 100000 };

static void find_deeds(struct patch_trials *trials, struct arena *arena,
                       const struct verify_plan *plan, const struct repair_deeds *blamed,
                       const struct repair_deeds *wanted, uint32_t states_most,
                       struct repair_deeds *found)
{
    for (uint32_t i = 0; i < trials->kept.count; i++) {
        struct scope single;
        const struct repair_deeds_query query = {.plan = plan,
                                                 .single = &single,
                                                 .options = trials->options,
                                                 .blamed = blamed,
                                                 .wanted = wanted,
                                                 .states_most = states_most,
                                                 .budget = &trials->budget};
        if (trials->kept.items[i].there &&
            patch_trials_kept_scope(trials, arena, i, &plan->scope, &single))
            repair_deeds_find(arena, trials->memory, &query, found);
    }
}

/* Verifying ends with the violations. What would have come and applied behind them, and in spite of
 * them, is known from here. */
static void learn_deeds(struct patch_trials *trials)
{
    struct repair_deeds blamed = {0};
    if (trials->knows_deeds)
        return;
    trials->knows_deeds = true;
    repair_deeds_blame(trials->arena, &trials->plan->scope, &trials->repair->before, &blamed);
    find_deeds(trials, trials->arena, trials->plan, &blamed, NULL, DEED_STATES_BEFORE,
               &trials->deeds);
}

/* What happened before can happen still: events come, intents apply. An intent may be violated
 * without anything that it applies to, as a rollout that nobody began is not complete: then there
 * is nothing to lose. */
static bool is_as_lively(struct patch_trials *trials, const struct verify_report *after)
{
    const struct verify_report *before = &trials->repair->before;
    learn_deeds(trials);
    if ((before->came | trials->deeds.came) & ~after->came)
        return false;
    for (uint32_t i = 0; i < before->result_count; i++)
        if (after->results[i].of_nothing && (before->applied | trials->deeds.applied) >> i & 1)
            return false;
    return true;
}

/* Notes what no controller does any more. Where there are too many states to tell, what was not
 * found counts as not done. False: the search is over. */
static bool find_silenced(struct patch_trials *trials, struct patch_trial *trial)
{
    struct repair_deeds found = {0};
    find_deeds(trials, &trial->world.arena, &trial->world.plan, NULL, &trials->deeds,
               DEED_STATES_AFTER, &found);
    if (patch_trials_over(trials))
        return false;
    trial->silenced = repair_deeds_missing(trials->arena, &trials->deeds, &found);
    trial->losses |= trial->silenced ? PROTECTION_ACTION : 0;
    return true;
}

/* Is it worth exploring? */
static bool is_fit(struct patch_trials *trials, struct patch_trial *trial,
                   const struct edit *const *edits, uint32_t count, bool only_kind)
{
    const struct verify_plan *plan = trials->plan;
    const char *why;
    trial->made = true;
    if (!repair_world_make(trials->memory, &trials->of, plan, trials->options, edits, count,
                           &trial->world, &why) ||
        trial->world.plan.intents.count != plan->intents.count)
        return false;
    trial->losses = repair_losses(plan, &trial->world, edits, count);
    trial->losses |= repair_recreates(&trials->of, &trial->world) ? PROTECTION_RECREATE : 0;
    const struct repair_cost cost = repair_cost_of(&trial->world.plan.scope);
    trial->too_much =
        repair_too_much(trials->arena, &trials->repair->cost, &cost, &trials->options->budget);
    if (only_kind && (is_refused(trials, trial) || trial->too_much))
        return false;
    const unsigned fewer = PROTECTION_OBJECT | PROTECTION_REPLICAS | PROTECTION_RANGE;
    return (trial->losses & fewer) || !repair_narrows(&plan->scope, &trial->world.plan.scope);
}

void patch_try(struct patch_trials *trials, const struct edit *const *edits, uint32_t count,
               bool only_kind, struct patch_trial *trial)
{
    struct repair *repair = trials->repair;
    *trial = (struct patch_trial){.stage = STAGE_INVALID};
    repair->tried++;
    if (leaves_a_part(trials, edits, count)) {
        trial->stage = STAGE_REPLAYED;
        repair->by_part++;
        return;
    }
    if (!is_fit(trials, trial, edits, count, only_kind))
        return;
    trial->stage = STAGE_REPLAYED;
    if (known_runs_replay(trials->memory, &trials->runs, &trial->world.plan,
                          &trials->options->run)) {
        repair->by_replay++;
        return;
    }
    if (is_violated_in_a_part(trials, trial)) {
        repair->by_part++;
        trial->stage = STAGE_SETUP;
        return;
    }
    if (!is_as_ready(trials, trial) || (only_kind && is_refused(trials, trial))) {
        repair->by_vacuity++;
        trial->stage = STAGE_INVALID;
        return;
    }
    trial->stage = STAGE_SETUP;
    if (!holds_in_setups(trials, trial)) {
        repair->by_setup++;
        return;
    }
    trial->stage = STAGE_WHOLE;
    repair->verified++;
    if (!holds(trials, trial, &trial->world.plan.scope, true, &trial->found)) {
        verify_release(&trial->found);
        return;
    }
    trial->stage = STAGE_KEPT;
    if (is_as_lively(trials, &trial->found) &&
        patch_trials_keep_usual(trials, &trial->world.arena, &trial->world.plan.scope) &&
        find_silenced(trials, trial)) {
        if (!only_kind || !is_refused(trials, trial)) {
            trial->stage = STAGE_PASSED;
            return;
        }
        repair->by_vacuity++;
        trial->stage = STAGE_INVALID;
    }
    verify_release(&trial->found);
}

void patch_trial_release(struct patch_trial *trial)
{
    if (trial->stage == STAGE_PASSED)
        verify_release(&trial->found);
    if (trial->made)
        repair_world_release(&trial->world);
}
