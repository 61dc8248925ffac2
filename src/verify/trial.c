/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/trial.h"

#include "base/clock.h"
#include "base/limit.h"

struct trying {
    struct arena *arena;
    struct memory *memory;
    const struct verify_plan *plan;
    struct verify_plan *clocked; /* the same with clocks; NULL: not tried */
    struct verify_options options;
    struct trial_limits left;
    struct strength asked;
    uint32_t settings; /* that are tried: one or two */
    struct trials *trials;
};

static const struct verify_plan *plan_under(const struct trying *trying,
                                            const struct strength *under)
{
    return under->clocked && !trying->asked.clocked ? trying->clocked : trying->plan;
}

/* ---- one exploration ---- */

static uint64_t lesser(uint64_t left, uint64_t right)
{
    return left < right ? left : right;
}

/* What one of so many gets. */
static uint64_t shared(uint64_t limit, uint32_t count)
{
    return limit == UINT64_MAX ? limit : (limit + count - 1) / count;
}

/* Why nothing more can be explored; EXPLORE_DECIDED: something can. */
static enum explore_reason ended(const struct trying *trying)
{
    const atomic_bool *interrupted = trying->options.interrupted;
    if (interrupted && atomic_load(interrupted))
        return EXPLORE_INTERRUPTED;
    if (trying->left.time_most_ms == 0)
        return EXPLORE_TIME;
    return trying->left.states_most == 0 ? EXPLORE_STATES : EXPLORE_DECIDED;
}

static struct trial_run *run_under(struct trying *trying, const struct strength *under,
                                   const struct check_intent *intents, uint32_t count,
                                   uint64_t time_most_ms)
{
    struct verify_options options = trying->options;
    struct trial_run *run = ARENA_NEW(trying->arena, struct trial_run);
    const int64_t started = clock_now_ns();
    arena_init(&run->arena, trying->memory);
    options.population.interleaving = under->interleaving;
    options.population.budgets_lag = under->budgets_lag;
    options.population.sets_lag = under->sets_lag;
    options.exhaustive = false;
    options.states_most =
        lesser(shared(trying->left.states_to_try, trying->settings), trying->left.states_most);
    options.time_most_ms = time_most_ms;
    verify_run(&run->arena, trying->memory, &plan_under(trying, under)->scope, intents, count,
               &options, &run->found);
    limit_spend(&trying->left.states_most, run->found.states);
    trying->trials->states += run->found.states;
    limit_spend_ns(&trying->left.time_most_ms, clock_now_ns() - started);
    return run;
}

static void run_release(struct trial_run *run)
{
    verify_release(&run->found);
    arena_release(&run->arena);
}

/* ---- one intent ---- */

static struct intent_trial *add_trial(struct trying *trying, uint32_t intent,
                                      const struct strength *under)
{
    struct intent_trials *all = &trying->trials->intents[intent];
    struct intent_trial *trial = &all->items[all->count++];
    *trial = (struct intent_trial){.under = *under};
    return trial;
}

static void tell_violation(struct trying *trying, struct intent_trial *trial,
                           const struct strength *under, struct trial_run *run,
                           const struct verify_result *result)
{
    trial->under = *under;
    trial->verdict = VERDICT_VIOLATED;
    trial->violation = result;
    trial->found = &run->found;
    trial->scope = &plan_under(trying, under)->scope;
}

/* The weakest setting that violates this intent by itself. False: none is found with what is
 * left of the limits. */
static bool find_weakest(struct trying *trying, uint32_t intent, const struct strength *most,
                         struct intent_trial *trial)
{
    struct strength list[STRENGTHS_MOST];
    const uint32_t count = strength_list(&trying->asked, most, list);
    for (uint32_t i = 0; i < count && ended(trying) == EXPLORE_DECIDED; i++) {
        const struct verify_plan *plan = plan_under(trying, &list[i]);
        struct trial_run *run =
            run_under(trying, &list[i], &plan->intents.items[intent], 1, trying->left.time_most_ms);
        const struct verify_result *result = &run->found.results[0];
        if (result->verdict == VERDICT_VIOLATED) {
            tell_violation(trying, trial, &list[i], run, result);
            VEC_PUSH(trying->arena, &trying->trials->runs, run);
            return true;
        }
        run_release(run);
    }
    return false;
}

/* ---- all intents with one setting ---- */

/* Those that hold and were not violated by a trial before. */
static uint32_t collect(struct trying *trying, const struct verify_report *found,
                        const struct verify_plan *plan, uint32_t *numbers,
                        struct check_intent *intents)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < found->result_count; i++) {
        const struct intent_trials *before = &trying->trials->intents[i];
        if (found->results[i].verdict != VERDICT_HOLDS ||
            (before->count > 0 && before->items[0].verdict == VERDICT_VIOLATED))
            continue;
        numbers[count] = i;
        intents[count++] = plan->intents.items[i];
    }
    return count;
}

static void judge(struct trying *trying, uint32_t intent, const struct strength *under,
                  struct trial_run *run, const struct verify_result *result, bool *told)
{
    struct intent_trial *trial = add_trial(trying, intent, under);
    trial->verdict = result->verdict;
    trial->reason = result->reason;
    trial->states = run->found.states;
    if (result->verdict != VERDICT_VIOLATED || find_weakest(trying, intent, under, trial))
        return;
    tell_violation(trying, trial, under, run, result);
    *told = true;
}

/* `share`: how many settings the time that is left is for. */
static void try_under(struct trying *trying, const struct strength *under,
                      const struct verify_report *found, uint32_t share)
{
    const struct verify_plan *plan = plan_under(trying, under);
    uint32_t *numbers = ARENA_ARRAY(trying->arena, uint32_t, found->result_count + 1);
    struct check_intent *intents =
        ARENA_ARRAY(trying->arena, struct check_intent, found->result_count + 1);
    const uint32_t count = collect(trying, found, plan, numbers, intents);
    if (count == 0)
        return;
    const enum explore_reason reason = ended(trying);
    for (uint32_t i = 0; reason != EXPLORE_DECIDED && i < count; i++) {
        struct intent_trial *trial = add_trial(trying, numbers[i], under);
        trial->verdict = VERDICT_UNDECIDED;
        trial->reason = reason;
    }
    if (reason != EXPLORE_DECIDED)
        return;
    struct trial_run *run =
        run_under(trying, under, intents, count, shared(trying->left.time_most_ms, share));
    bool told = false;
    for (uint32_t i = 0; i < count; i++)
        judge(trying, numbers[i], under, run, &run->found.results[i], &told);
    if (told)
        VEC_PUSH(trying->arena, &trying->trials->runs, run);
    else
        run_release(run);
}

/* ---- the trial ---- */

/* The plan with clocks; NULL if not all of it is modelled with clocks. */
static struct verify_plan *plan_with_clocks(struct arena *arena, const struct verify_plan *plan,
                                            const struct scope_options *options)
{
    struct scope_options clocked = *options;
    struct input_unit *unit = ARENA_NEW(arena, struct input_unit);
    struct verify_plan *copy = ARENA_NEW(arena, struct verify_plan);
    clocked.time = TIME_CLOCKED;
    *unit = *plan->unit;
    problems_init(&unit->problems, arena);
    return verify_plan_make(arena, unit, &clocked, copy) && unit->problems.errors == 0 ? copy
                                                                                       : NULL;
}

static bool something_holds(const struct verify_report *found)
{
    for (uint32_t i = 0; i < found->result_count; i++)
        if (found->results[i].verdict == VERDICT_HOLDS)
            return true;
    return false;
}

bool trials_wanted(const struct verify_plan *plan, const struct scope_options *scope_options,
                   const struct verify_options *options, const struct verify_report *found)
{
    const struct strength asked = strength_asked(plan, &options->population);
    const struct strength most = strength_most(plan, &options->population);
    return something_holds(found) &&
           (!strength_same(&asked, &most) || strength_may_clock(plan, scope_options));
}

static void add_words(struct trying *trying, struct intent_trials *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        struct intent_trial *trial = &all->items[i];
        trial->options = strength_options(trying->arena, &trying->asked, &trial->under);
        trial->lifts = strength_lifts(trying->arena, &trying->asked, &trial->under);
    }
}

void trials_run(struct arena *arena, struct memory *memory, const struct verify_plan *plan,
                const struct scope_options *scope_options, const struct verify_options *options,
                const struct trial_limits *limits, const struct verify_report *found,
                struct trials *trials)
{
    struct trying trying = {
        .arena = arena,
        .memory = memory,
        .plan = plan,
        .options = *options,
        .left = *limits,
        .asked = strength_asked(plan, &options->population),
        .trials = trials,
    };
    *trials = (struct trials){0};
    if (!trials_wanted(plan, scope_options, options, found))
        return;
    trials->intents = ARENA_ARRAY(arena, struct intent_trials, found->result_count + 1);
    if (strength_may_clock(plan, scope_options))
        trying.clocked = plan_with_clocks(arena, plan, scope_options);
    struct strength most = strength_most(plan, &options->population);
    const bool stronger = !strength_same(&most, &trying.asked);
    trying.settings = stronger && trying.clocked ? 2 : 1;
    if (stronger)
        try_under(&trying, &most, found, trying.settings);
    most.clocked = true;
    if (trying.clocked)
        try_under(&trying, &most, found, 1);
    for (uint32_t i = 0; i < found->result_count; i++)
        add_words(&trying, &trials->intents[i]);
}

void trials_release(struct trials *trials)
{
    for (uint32_t i = 0; i < trials->runs.count; i++)
        run_release(trials->runs.items[i]);
}
