/* SPDX-License-Identifier: Apache-2.0 */
/* What setups are like as they are: how many pods become ready, and which usual intents hold. */
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "repair/trial_patch.h"

#include <string.h>

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

bool patch_trials_kept_scope(const struct patch_trials *trials, struct arena *arena,
                             uint32_t number, const struct scope *scope, struct scope *single)
{
    if (number == 0)
        return trials->roomy.count > 0 && known_run_scope(arena, &trials->roomy, 0, scope, single);
    return known_run_scope(arena, &trials->runs, number - 1, scope, single);
}

struct repair_ready patch_trials_ready(const struct patch_trials *trials, struct arena *arena,
                                       const struct verify_plan *plan, const struct scope *single)
{
    struct setups setups = {0};
    scope_enumerate(arena, single, &setups);
    return setups.count == 1 ? repair_ready_pods(arena, trials->memory, single, &setups.items[0],
                                                 plan->intents.items, plan->intents.count,
                                                 &trials->options->run.population, &trials->budget)
                             : (struct repair_ready){0};
}

/* Asks for usual intents from this one on, with so many states. Gives what holds of them; what is
 * undecided is added to `open`. */
static uint64_t ask_usual(struct patch_trials *trials, struct arena *arena,
                          const struct scope *single, uint32_t from, uint32_t count,
                          uint64_t states_most, uint64_t *open)
{
    const uint64_t left = trials->states_left;
    const uint64_t of_one = trials->states_of_one;
    struct verify_report report;
    uint64_t held = 0;
    trials->states_left = trials->states_of_one = states_most;
    patch_trials_verify(trials, arena, single, &trials->usual.items[from], count, false, &report);
    for (uint32_t i = 0; i < report.result_count; i++) {
        const uint64_t bit = UINT64_C(1) << (from + i);
        held |= report.results[i].verdict == VERDICT_HOLDS ? bit : 0;
        *open |= report.results[i].verdict == VERDICT_UNDECIDED ? bit : 0;
    }
    verify_release(&report);
    trials->states_left = left;
    trials->states_of_one = of_one;
    return held;
}

/* Which of the usual intents hold there, of those that are wanted; unless it takes long. What takes
 * long together is asked one by one, so that one that is not decided does not hide the others. */
static uint64_t usual_held(struct patch_trials *trials, struct arena *arena,
                           const struct scope *single, uint64_t wanted)
{
    enum { STATES_TOGETHER = 10000, STATES_MOST = 100000 };
    uint64_t open = 0;
    uint64_t held = 0;
    uint64_t never = 0;
    if (trials->usual.count == 0 || wanted == 0)
        return 0;
    held = ask_usual(trials, arena, single, 0, trials->usual.count, STATES_TOGETHER, &open);
    for (uint32_t i = 0; i < trials->usual.count && !patch_trials_over(trials); i++)
        if (open & wanted & UINT64_C(1) << i)
            held |= ask_usual(trials, arena, single, i, 1, STATES_MOST, &never);
    return held;
}

/* Is it the setup of one before it? */
static bool is_kept_already(const struct patch_trials *trials, uint32_t number)
{
    bool same = number > 0 && trials->roomy.count > 0 &&
                known_runs_same_setup(&trials->roomy, 0, &trials->runs, number - 1);
    for (uint32_t i = 1; i < number && !same; i++)
        same = known_runs_same_setup(&trials->runs, i - 1, &trials->runs, number - 1);
    return same;
}

void patch_trials_begin(struct patch_trials *trials)
{
    const struct verify_plan *plan = trials->plan;
    const struct setup *roomy = repair_roomy_setup(trials->arena, &plan->scope);
    if (roomy)
        known_runs_add_setup(trials->arena, &plan->scope, roomy, &trials->roomy);
    trials->repair->cost = repair_cost_of(&plan->scope);
    list_usual(trials);
    for (uint32_t i = 0; i <= trials->runs.count && !patch_trials_over(trials); i++) {
        struct kept_setup setup = {0};
        struct scope single;
        setup.there = !is_kept_already(trials, i) &&
                      patch_trials_kept_scope(trials, trials->arena, i, &plan->scope, &single);
        if (setup.there)
            setup.ready = patch_trials_ready(trials, trials->arena, plan, &single);
        VEC_PUSH(trials->arena, &trials->kept, setup);
    }
}

/* Before the first candidate is asked for it, because it takes long in a large cluster. */
static void learn_usual(struct patch_trials *trials)
{
    uint64_t held = 0;
    if (trials->knows_usual)
        return;
    trials->knows_usual = true;
    for (uint32_t i = 0; i < trials->kept.count && !patch_trials_over(trials); i++) {
        struct kept_setup *setup = &trials->kept.items[i];
        struct scope single;
        if (setup->there &&
            patch_trials_kept_scope(trials, trials->arena, i, &trials->plan->scope, &single))
            setup->held = usual_held(trials, trials->arena, &single, UINT64_MAX);
        held |= setup->held;
    }
    trials->repair->intents_kept = (uint32_t)__builtin_popcountll(held);
}

bool patch_trials_keep_usual(struct patch_trials *trials, struct arena *arena,
                             const struct scope *scope)
{
    bool good = true;
    learn_usual(trials);
    for (uint32_t i = 0; good && i < trials->kept.count; i++) {
        const uint64_t held = trials->kept.items[i].held;
        struct scope single;
        if (held && patch_trials_kept_scope(trials, arena, i, scope, &single))
            good = !(held & ~usual_held(trials, arena, &single, held));
    }
    return good && !patch_trials_over(trials);
}
