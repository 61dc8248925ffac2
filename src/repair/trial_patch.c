/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/trial_patch.h"

#include "base/limit.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"

#include <string.h>

enum { RUNS_MOST = 12 };

bool patch_trials_over(struct patch_trials *trials)
{
    struct repair *repair = trials->repair;
    const atomic_bool *interrupted = trials->budget.interrupted;
    if (interrupted && atomic_load(interrupted))
        repair->ended_by = EXPLORE_INTERRUPTED;
    else if (budget_is_over(&trials->budget))
        repair->ended_by = EXPLORE_TIME;
    else if (trials->states_left == 0)
        repair->ended_by = EXPLORE_STATES;
    return repair->ended_by != EXPLORE_DECIDED;
}

static void verify(struct patch_trials *trials, struct arena *arena, const struct scope *scope,
                   const struct check_intent *intents, uint32_t count, bool first,
                   struct verify_report *report)
{
    struct verify_options run = trials->options->run;
    run.stop_at_first = first;
    run.time_most_ms = budget_left_ms(&trials->budget);
    run.states_most =
        trials->states_left < trials->states_of_one ? trials->states_left : trials->states_of_one;
    verify_run(arena, trials->memory, scope, intents, count, &run, report);
    limit_spend(&trials->states_left, report->states);
}

/* ---- as it is ---- */

static bool is_asked(const struct verify_plan *plan, enum intent_kind kind)
{
    for (uint32_t i = 0; i < plan->intents.count; i++)
        if (plan->intents.items[i].kind == kind)
            return true;
    return false;
}

static bool has_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

/* Usual intents that nobody asked for. */
static void list_usual(struct patch_trials *trials)
{
    const struct verify_plan *plan = trials->plan;
    struct problems problems;
    enum intent_kind kind;
    problems_init(&problems, trials->arena);
    for (uint32_t place = 1; (kind = intent_kind_usual(place)) != INTENT_KIND_COUNT; place++) {
        struct check_intent intent = {.kind = kind};
        const enum object_kind with = intent_class_of(&intent)->usual_with;
        if (!is_asked(plan, kind) &&
            (with == OBJECT_OTHER || has_kind(&plan->unit->objects, with)) &&
            intent_parse_option(trials->arena, intent_kind_name(kind), &intent, &problems) &&
            population_supports(&plan->scope, &intent, 1, &problems))
            VEC_PUSH(trials->arena, &trials->usual, intent);
    }
}

/* The scope of a setup that is kept: 0 is the roomy one, the others are those of known runs. */
static bool kept_scope(const struct patch_trials *trials, struct arena *arena, uint32_t number,
                       const struct scope *scope, struct scope *single)
{
    if (number == 0)
        return trials->roomy.count > 0 && known_run_scope(arena, &trials->roomy, 0, scope, single);
    return known_run_scope(arena, &trials->runs, number - 1, scope, single);
}

/* Nothing if there is no such setup. */
static struct repair_ready ready_pods(const struct patch_trials *trials, struct arena *arena,
                                      const struct verify_plan *plan, const struct scope *single)
{
    struct setups setups = {0};
    scope_enumerate(arena, single, &setups);
    return setups.count == 1 ? repair_ready_pods(arena, trials->memory, single, &setups.items[0],
                                                 plan->intents.items, plan->intents.count,
                                                 &trials->options->run.population, &trials->budget)
                             : (struct repair_ready){0};
}

/* Which of the usual intents hold there, of those that are wanted; unless it takes long. */
static uint64_t usual_held(struct patch_trials *trials, struct arena *arena,
                           const struct scope *single, uint64_t wanted)
{
    enum { STATES_MOST = 100000 };
    const uint64_t left = trials->states_left;
    struct verify_report report;
    uint64_t held = 0;
    if (trials->usual.count == 0 || wanted == 0)
        return 0;
    trials->states_left = STATES_MOST;
    verify(trials, arena, single, trials->usual.items, trials->usual.count, false, &report);
    for (uint32_t i = 0; i < report.result_count; i++)
        held |= report.results[i].verdict == VERDICT_HOLDS ? UINT64_C(1) << i : 0;
    verify_release(&report);
    trials->states_left = left;
    return held;
}

void patch_trials_begin(struct patch_trials *trials)
{
    struct repair *repair = trials->repair;
    const struct verify_plan *plan = trials->plan;
    uint64_t held = 0;
    const struct setup *roomy = repair_roomy_setup(trials->arena, &plan->scope);
    if (roomy)
        known_runs_add_setup(trials->arena, &plan->scope, roomy, &trials->roomy);
    repair->cost = repair_cost_of(&plan->scope);
    known_runs_add(trials->arena, &plan->scope, &repair->before, &trials->runs);
    list_usual(trials);
    for (uint32_t i = 0; i <= trials->runs.count && !patch_trials_over(trials); i++) {
        struct kept_setup setup = {0};
        struct scope single;
        setup.there = kept_scope(trials, trials->arena, i, &plan->scope, &single);
        if (setup.there) {
            setup.ready = ready_pods(trials, trials->arena, plan, &single);
            setup.held = usual_held(trials, trials->arena, &single, UINT64_MAX);
        }
        held |= setup.held;
        VEC_PUSH(trials->arena, &trials->kept, setup);
    }
    repair->intents_kept = (uint32_t)__builtin_popcountll(held);
}

/* ---- with edits ---- */

/* Explores; a violation is remembered. False unless all hold. */
static bool holds(struct patch_trials *trials, struct patch_trial *trial, const struct scope *scope,
                  bool remember, struct verify_report *report)
{
    const struct verify_plan *plan = &trial->world.plan;
    verify(trials, &trial->world.arena, scope, plan->intents.items, plan->intents.count, true,
           report);
    const enum verdict verdict = verify_verdict(report);
    if (verdict == VERDICT_VIOLATED && remember && trials->runs.count < RUNS_MOST)
        known_runs_add(trials->arena, scope, report, &trials->runs);
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

/* What happened before can happen still: events come, intents apply. */
static bool is_as_lively(const struct patch_trials *trials, const struct verify_report *after)
{
    const struct verify_report *before = &trials->repair->before;
    if (before->came & ~after->came)
        return false;
    for (uint32_t i = 0; i < before->result_count; i++)
        if (after->results[i].of_nothing && !before->results[i].of_nothing)
            return false;
    return true;
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
        if (kept_scope(trials, arena, i, after, &single))
            ready = ready_pods(trials, arena, &trial->world.plan, &single);
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

/* Does what held of the usual intents hold still? */
static bool keeps(struct patch_trials *trials, struct patch_trial *trial)
{
    struct arena *arena = &trial->world.arena;
    bool good = is_as_lively(trials, &trial->found);
    for (uint32_t i = 0; good && i < trials->kept.count; i++) {
        const uint64_t held = trials->kept.items[i].held;
        struct scope single;
        if (held && kept_scope(trials, arena, i, &trial->world.plan.scope, &single))
            good = !(held & ~usual_held(trials, arena, &single, held));
    }
    return good;
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
        if (trials->kept.items[i].there && kept_scope(trials, arena, i, &plan->scope, &single))
            repair_deeds_find(arena, trials->memory, &query, found);
    }
}

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

/* Notes what no controller does any more. Where there are too many states to tell, what was not
 * found counts as not done. False: the search is over. */
static bool find_silenced(struct patch_trials *trials, struct patch_trial *trial)
{
    struct repair_deeds found = {0};
    learn_deeds(trials);
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
    if (!is_fit(trials, trial, edits, count, only_kind))
        return;
    trial->stage = STAGE_REPLAYED;
    if (known_runs_replay(trials->memory, &trials->runs, &trial->world.plan,
                          &trials->options->run)) {
        repair->by_replay++;
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
    if (keeps(trials, trial) && find_silenced(trials, trial)) {
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
