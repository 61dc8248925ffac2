/* SPDX-License-Identifier: Apache-2.0 */
/* One cluster as a population and as its twin: the same verdicts? */
#include "cluster/threads/crew.h"
#include "manifest/manifest.h"
#include "object/admission.h"
#include "twin/compare.h"
#include "verify/explore_setup.h"
#include "verify/modular.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INTENTS_TRIED_MOST = 24 };

bool trial_load(struct trial *trial, const char *file, const char *text)
{
    const struct scope_options options = {0};
    struct documents documents = {0};
    memset(trial, 0, sizeof(*trial));
    memory_init(&trial->memory, SIZE_MAX);
    arena_init(&trial->arena, &trial->memory);
    problems_init(&trial->problems, &trial->arena);
    bool good =
        manifest_parse(&trial->arena, file, text, strlen(text), &documents, &trial->problems) &&
        object_decode(&trial->arena, &documents, NULL, &trial->objects, &trial->problems) &&
        objects_admit(&trial->arena, &trial->objects, &(struct admission_options){0},
                      &trial->problems);
    for (uint32_t i = 0; i < trial->objects.count; i++)
        if (trial->objects.items[i].kind == OBJECT_CHECK)
            trial->check = trial->objects.items[i].as.check;
    good = good && trial->check &&
           scope_build(&trial->arena, &trial->objects, trial->check, &options, &trial->scope,
                       &trial->problems) &&
           population_supports(&trial->scope, trial->check->intents, trial->check->intent_count,
                               &trial->problems);
    for (uint32_t i = 0; !good && i < trial->problems.count; i++)
        printf("%s\n", problem_format(&trial->arena, &trial->problems.items[i]));
    if (good)
        scope_enumerate(&trial->arena, &trial->scope, &trial->setups);
    return good;
}

struct population_options trial_options(const struct trial *trial,
                                        enum population_reductions reductions)
{
    static const enum population_interleaving interleavings[] = {
        [TWIN_SETTLED] = INTERLEAVING_SETTLED,
        [TWIN_CONTROLLERS] = INTERLEAVING_CONTROLLERS,
        [TWIN_FULL] = INTERLEAVING_FULL,
        [TWIN_RACING] = INTERLEAVING_RACING,
    };
    return (struct population_options){
        .features = twin_features(trial->check),
        .interleaving = interleavings[twin_interleaving_of(trial->check)],
        .budgets_lag = twin_lags(trial->check),
        .images_pulled = twin_pulls_images(trial->check),
        .image_bytes = twin_image_bytes(trial->check),
        .reductions = reductions,
    };
}

static void tell_path(const struct run_path *path)
{
    for (uint32_t i = 0; i < path->step_count; i++)
        printf("    %s %s\n", population_action_actor(path->steps[i].action),
               population_action_verb(path->steps[i].action));
}

static struct exploration *explore_all(struct memory *memory, const struct model *model)
{
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    return explore_run(model, &options, memory);
}

/* Whoever verifies explores again if loops that cannot be left may be rests. */
static bool leaves_loops_out(struct crew *crew, enum population_reductions reductions)
{
    return crew_findings(crew)->may_loop && reductions != REDUCTIONS_NEVER_LOOPS_REST;
}

/* One cluster, in both. */
struct comparison {
    struct trial *trial;
    enum population_reductions reductions;
    const struct setup *setup;
    const struct model *model;
    struct twin *twin;
    const struct exploration *naive;
    uint64_t unfair; /* intents whose loops forget a node */
    uint64_t turns;  /* those with loops that are fair to each node, but not to all as one */
    uint64_t lazy;   /* those with loops of the twin in which somebody never acts */
    uint32_t limit;
    bool tell;
    bool must_match; /* nothing else is looked at where the graphs differ */
    bool guessed;    /* whoever verifies explores again what is violated */
    struct totals totals;
};

static bool goes_on(const struct property_result *result)
{
    return result->verdict == VERDICT_VIOLATED && result->path.loops && !result->path.loop_rests;
}

static void tell_difference(const struct property_result *left, const struct property_result *right,
                            const char *difference)
{
    printf("  %s%s: %s (%u steps) in the population, %s (%u steps) in the twin\n",
           left->property->name, difference ? difference : "", verdict_name(left->verdict),
           left->has_path ? left->path.step_count : 0, verdict_name(right->verdict),
           right->has_path ? right->path.step_count : 0);
    tell_path(left->has_path ? &left->path : &right->path);
}

static bool follow(struct comparison *comparison, const struct property_result *violated)
{
    comparison->totals.replayed++;
    comparison->totals.loops += goes_on(violated);
    if (twin_follows(&comparison->trial->memory, twin_model(comparison->twin), violated->property,
                     &violated->path))
        return true;
    if (comparison->tell)
        printf("  %s: the twin cannot follow the counterexample\n", violated->property->name);
    return false;
}

/* `numbers` are those of the twin's properties that the population has; NULL: all.
 * Where the two do not have the same steps (`difference` says why) paths are not
 * equally long. */
static enum result compare_verdicts(struct comparison *comparison,
                                    const struct exploration *quotient,
                                    const struct exploration *naive, const uint32_t *numbers,
                                    const char *difference)
{
    enum result result = SAME;
    for (uint32_t i = 0; i < quotient->property_count; i++) {
        const uint32_t number = numbers ? numbers[i] : i;
        const struct property_result *left = &quotient->properties[i];
        const struct property_result *right = &naive->properties[number];
        const enum property_kind kind = left->property->kind;
        const bool safety =
            !difference && (kind == PROPERTY_INVARIANT || kind == PROPERTY_STEP_INVARIANT);
        const bool unfair = goes_on(left) && (comparison->unfair >> number & 1);
        const bool turns = left->doubted && (comparison->turns >> number & 1);
        const enum verdict verdict = unfair  ? VERDICT_HOLDS
                                     : turns ? VERDICT_VIOLATED
                                             : left->verdict;
        const bool lazy = goes_on(right) && (comparison->lazy >> number & 1);
        if (comparison->guessed && left->verdict == VERDICT_VIOLATED)
            continue;
        if (verdict != (lazy ? VERDICT_HOLDS : right->verdict) ||
            (safety && left->has_path && left->path.step_count != right->path.step_count)) {
            if (comparison->tell)
                tell_difference(left, right, difference);
            result = DIFFERENT;
        } else if (!difference && left->has_path && !unfair && !follow(comparison, left)) {
            result = DIFFERENT;
        }
    }
    return result;
}

/* Loops that are fair to kinds of nodes only, or to each of the nodes only, as
 * src/verify/confirm_loops.c finds them. */
static void find_unfair(struct comparison *comparison, const struct exploration *quotient)
{
    struct population_options options = trial_options(comparison->trial, comparison->reductions);
    const struct check *check = comparison->trial->check;
    struct memory *memory = &comparison->trial->memory;
    bool any = false;
    for (uint32_t i = 0; i < quotient->property_count; i++)
        any |= goes_on(&quotient->properties[i]) || quotient->properties[i].doubted;
    if (!any)
        return;
    options.nodes = NODES_ONE_DISTINGUISHED;
    struct crew *crew =
        crew_create(NULL, memory, &comparison->trial->scope, comparison->setup, check->intents,
                    check->intent_count, &options, &comparison->trial->problems);
    struct exploration *distinguished = explore_all(memory, crew_model(crew));
    for (uint32_t i = 0; i < distinguished->property_count; i++)
        if (goes_on(&quotient->properties[i]) &&
            distinguished->properties[i].verdict == VERDICT_HOLDS) {
            comparison->unfair |= UINT64_C(1) << i;
            comparison->totals.unfair++;
        } else if (quotient->properties[i].doubted &&
                   distinguished->properties[i].verdict == VERDICT_VIOLATED) {
            comparison->turns |= UINT64_C(1) << i;
            comparison->totals.turns++;
        }
    explore_free(distinguished);
    crew_free(crew);
}

/* Loops of the twin that are fair to each pod, because none of them is there for
 * long, and not to their kind: who would have had to serve one or another of them
 * never did. */
static void find_lazy(struct comparison *comparison, struct twin *twin,
                      const struct exploration *quotient, const struct exploration *naive)
{
    bool any = false;
    for (uint32_t i = 0; i < quotient->property_count; i++)
        any |= quotient->properties[i].verdict == VERDICT_HOLDS && goes_on(&naive->properties[i]);
    if (!any)
        return;
    twin_be_fair_to_kinds(twin, true);
    struct exploration *kinds = explore_all(&comparison->trial->memory, twin_model(twin));
    twin_be_fair_to_kinds(twin, false);
    for (uint32_t i = 0; i < kinds->property_count; i++)
        if (goes_on(&naive->properties[i]) && kinds->properties[i].verdict == VERDICT_HOLDS) {
            comparison->lazy |= UINT64_C(1) << i;
            comparison->totals.lazy++;
        }
    explore_free(kinds);
}

/* ---- what is left out ---- */

bool intent_is_unaware(enum intent_kind kind)
{
    switch (kind) {
    case INTENT_PODS_SCHEDULABLE:
    case INTENT_NO_REPLICA_SWING:
    case INTENT_NO_REPLICA_OSCILLATION:
    case INTENT_NO_EVICTION_LOOP:
    case INTENT_NODES_HEALTHY:
    case INTENT_NEVER_PREEMPTED:
    case INTENT_NEVER_EVICTED:
    case INTENT_ONLY_ON:
    case INTENT_NEVER_ON:
    case INTENT_NEVER_ON_DRAINED: return true;
    default: return false;
    }
}

bool intent_is_patient(enum intent_kind kind)
{
    return kind < INTENT_ALWAYS && kind != INTENT_REPLICAS_AT_LEAST &&
           kind != INTENT_DRAIN_COMPLETES && kind != INTENT_NODES_HEALTHY;
}

/* Does the expression say nothing by which pods that are ready differ from others? */
static bool is_unaware_text(const char *text)
{
    return !text ||
           (!strstr(text, "ready") && !strstr(text, "phase") && !strstr(text, "converged"));
}

static bool unaware(const struct check_intent *intent)
{
    if (intent->expression)
        return intent->kind != INTENT_ALWAYS_POSSIBLE && is_unaware_text(intent->expression) &&
               is_unaware_text(intent->condition) && is_unaware_text(intent->to);
    return intent_is_unaware(intent->kind);
}

static bool patient(const struct check_intent *intent)
{
    return intent_is_patient(intent->kind);
}

static bool any(const struct check_intent *intent)
{
    (void)intent;
    return true;
}

/* Those that are about one workload at a time, so that workloads may part. */
static bool single(const struct check_intent *intent)
{
    return !intent->expression && intent->kind != INTENT_DRAIN_COMPLETES &&
           intent->kind != INTENT_NODES_HEALTHY && intent->kind != INTENT_ENDPOINTS_LIVE &&
           intent->kind != INTENT_TRAFFIC_BALANCED &&
           (intent->kind != INTENT_PODS_SCHEDULABLE || intent->mode != INTENT_MODE_EVENTUALLY);
}

/* Those that do not ask which node a pod is on. */
static bool placeless(const struct check_intent *intent)
{
    if (intent->expression)
        return false;
    switch (intent->kind) {
    case INTENT_BALANCED:
    case INTENT_DRAIN_COMPLETES:
    case INTENT_ENDPOINTS_LIVE:
    case INTENT_NODES_HEALTHY:
    case INTENT_TRAFFIC_BALANCED:
    case INTENT_ONLY_ON:
    case INTENT_NEVER_ON:
    case INTENT_NEVER_ON_DRAINED: return false;
    case INTENT_PODS_SCHEDULABLE: return intent->mode != INTENT_MODE_EVENTUALLY;
    default: return true;
    }
}

static bool single_and_patient(const struct check_intent *intent)
{
    return single(intent) && patient(intent);
}

/* The same with some of the intents, or with reductions. */
static enum result try_reduced(struct comparison *comparison,
                               bool (*wanted)(const struct check_intent *),
                               enum population_reductions reductions, const char *how)
{
    struct trial *trial = comparison->trial;
    const struct population_options options = trial_options(trial, reductions);
    struct check_intent intents[INTENTS_TRIED_MOST];
    uint32_t numbers[INTENTS_TRIED_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < trial->check->intent_count && count < INTENTS_TRIED_MOST; i++)
        if (wanted(&trial->check->intents[i])) {
            numbers[count] = i;
            intents[count++] = trial->check->intents[i];
        }
    struct crew *crew = crew_create(NULL, &trial->memory, &trial->scope, comparison->setup, intents,
                                    count, &options, &trial->problems);
    struct exploration *quotient = explore_all(&trial->memory, crew_model(crew));
    comparison->totals.focus += crew_findings(crew)->focus;
    comparison->guessed = crew_findings(crew)->guessed;
    comparison->totals.guessed += comparison->guessed;
    const bool again = leaves_loops_out(crew, reductions);
    const enum result result =
        again || crew_findings(crew)->needs_all
            ? SAME
            : compare_verdicts(comparison, quotient, comparison->naive, numbers, how);
    comparison->guessed = false;
    explore_free(quotient);
    crew_free(crew);
    return again ? try_reduced(comparison, wanted, REDUCTIONS_NEVER_LOOPS_REST, how) : result;
}

static enum result try_all_reduced(struct comparison *comparison)
{
    const struct {
        bool (*wanted)(const struct check_intent *);
        enum population_reductions reductions;
        const char *how;
    } ways[] = {
        {unaware, REDUCTIONS_NEVER, ", sliced"},
        {any, REDUCTIONS_ALWAYS, ", creation first"},
        {patient, REDUCTIONS_ALWAYS, ", creation first and ready at once"},
        {single, REDUCTIONS_ALWAYS, ", workloads one at a time"},
        {single_and_patient, REDUCTIONS_ALWAYS, ", workloads one at a time and ready at once"},
        {unaware, REDUCTIONS_ALWAYS, ", readiness guessed"},
        {placeless, REDUCTIONS_ALWAYS, ", starts counted"},
    };
    enum result result = SAME;
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
        if (try_reduced(comparison, ways[i].wanted, ways[i].reductions, ways[i].how) != SAME)
            result = DIFFERENT;
    return result;
}

/* ---- in parts ---- */

/* What is said of the intent where each workload is verified by itself. */
static enum verdict verdict_in_parts(const struct setup_outcome *outcome, uint32_t intent)
{
    return outcome->undecided >> intent & 1  ? VERDICT_UNDECIDED
           : outcome->violated >> intent & 1 ? VERDICT_VIOLATED
                                             : VERDICT_HOLDS;
}

/* Workload by workload as far as possible (verify/modular.h). What is decided there must be what
 * the twin says of all workloads together. */
static enum result try_in_parts(struct comparison *comparison)
{
    struct trial *trial = comparison->trial;
    const struct check *check = trial->check;
    const struct population_options options = trial_options(trial, REDUCTIONS_OF_LARGE);
    atomic_uint_fast64_t states = 0;
    const struct setup_query query = {
        .scope = &trial->scope,
        .setup = comparison->setup,
        .intents = check->intents,
        .intent_count = check->intent_count,
        .asked = (UINT64_C(1) << check->intent_count) - 1,
        .population = &options,
        .modular = true,
        .components_first = true,
        .states_most = (uint64_t)10 * comparison->limit,
        .time_most_ms = UINT64_MAX,
        .threads = 1,
        .states = &states,
    };
    struct setup_outcome outcome;
    enum result result = SAME;
    if (trial->scope.workload_count < 2)
        return SAME;
    modular_explore(&query, &trial->memory, &trial->memory, &outcome);
    comparison->totals.parts += outcome.components > 0;
    for (uint32_t i = 0; i < check->intent_count; i++) {
        const struct property_result *naive = &comparison->naive->properties[i];
        const bool lazy = goes_on(naive) && (comparison->lazy >> i & 1);
        const enum verdict verdict = verdict_in_parts(&outcome, i);
        comparison->totals.by_parts += outcome.by_components >> i & 1;
        if (verdict == VERDICT_UNDECIDED || verdict == (lazy ? VERDICT_HOLDS : naive->verdict))
            continue;
        if (comparison->tell)
            printf("  %s: %s in parts, %s in the twin\n", naive->property->name,
                   verdict_name(verdict), verdict_name(naive->verdict));
        result = DIFFERENT;
    }
    setup_outcome_release(&outcome);
    return result;
}

/* A twin that takes every step, also those that the population leaves out. */
static enum result try_all_steps(struct comparison *comparison, const struct exploration *quotient)
{
    struct trial *trial = comparison->trial;
    struct twin *twin =
        twin_create(&trial->memory, &trial->scope, comparison->setup, trial->check->intents,
                    trial->check->intent_count, comparison->model->properties, TWIN_TAKES_ALL);
    struct explore_options options;
    enum result result = SAME;
    if (trial->scope.start == START_CANONICAL)
        twin_begin_as(twin, comparison->twin);
    explore_options_init(&options);
    options.all = true;
    options.states_most = (uint64_t)10 * comparison->limit;
    struct exploration *naive = explore_run(twin_model(twin), &options, &trial->memory);
    if (naive->complete && !twin_overflowed(twin))
        find_lazy(comparison, twin, quotient, naive);
    if (naive->complete && !twin_overflowed(twin))
        result = compare_verdicts(comparison, quotient, naive, NULL, ", all steps taken");
    explore_free(naive);
    twin_free(twin);
    return result;
}

static enum result compare(struct comparison *comparison)
{
    struct memory *memory = &comparison->trial->memory;
    struct exploration *quotient = explore_all(memory, comparison->model);
    struct exploration *naive = explore_all(memory, twin_model(comparison->twin));
    comparison->naive = naive;
    find_unfair(comparison, quotient);
    find_lazy(comparison, comparison->twin, quotient, naive);
    enum result result = compare_verdicts(comparison, quotient, naive, NULL, NULL);
    /* With reductions another settled state may be the one that is chosen. */
    if ((comparison->trial->scope.start != START_CANONICAL &&
         (try_all_reduced(comparison) != SAME || try_in_parts(comparison) != SAME)) ||
        (twin_leaves_out(comparison->twin) && try_all_steps(comparison, quotient) != SAME))
        result = DIFFERENT;
    explore_free(naive);
    explore_free(quotient);
    return result;
}

static void add_totals(struct totals *totals, const struct totals *one,
                       const struct graph *quotient, const struct graph *naive)
{
    totals->states += quotient->words.count;
    totals->naive_states += naive->words.count;
    totals->edges += quotient->edges.count;
    for (uint32_t a = 0; a < ACTIONS_MOST; a++)
        totals->of_action[a] += quotient->of_action[a];
    totals->replayed += one->replayed;
    totals->loops += one->loops;
    totals->unfair += one->unfair;
    totals->turns += one->turns;
    totals->lazy += one->lazy;
    totals->focus += one->focus;
    totals->guessed += one->guessed;
    totals->parts += one->parts;
    totals->by_parts += one->by_parts;
}

/* The graphs, and if they are the same, the verdicts. */
static enum result compare_all(struct comparison *comparison, const struct graph *quotient,
                               struct totals *totals)
{
    struct graph naive;
    enum result result = SKIPPED;
    /* The twin has some times as many states: no need to count them in vain. */
    graph_build(&naive, &comparison->trial->memory, twin_model(comparison->twin), comparison->twin,
                quotient->too_large ? 1 : comparison->limit);
    if (!quotient->too_large && !naive.too_large && !twin_overflowed(comparison->twin)) {
        result = compare_graphs(quotient, &naive, comparison->tell);
        if (comparison->must_match && result == DIFFERENT) {
            arena_release(&naive.arena);
            return result;
        }
        if (compare(comparison) != SAME)
            result = DIFFERENT;
        if (totals)
            add_totals(totals, &comparison->totals, quotient, &naive);
    }
    arena_release(&naive.arena);
    return result;
}

/* A canonical start is some settled state of the twin, or the beginning if nothing
 * settles: from one of them all must be the same. */
static enum result compare_starts(struct comparison *comparison, const struct graph *quotient,
                                  struct totals *totals)
{
    struct trial *trial = comparison->trial;
    struct map seen;
    struct graph starts;
    enum result result = SKIPPED;
    const bool tell = comparison->tell;
    graph_build_until(&starts, &trial->memory, twin_model(comparison->twin), comparison->twin,
                      quotient->too_large ? 1 : comparison->limit, twin_action_begin());
    map_init(&seen, &starts.arena);
    comparison->must_match = true;
    for (uint32_t i = 0; i <= starts.last.count && !starts.too_large && result != SAME; i++) {
        const uint32_t state = i < starts.last.count ? starts.last.items[i] : 0;
        struct map_entry *entry =
            map_put(&seen, arena_printf(&starts.arena, "%u", starts.folds.items[state]));
        if (entry->value)
            continue;
        entry->value = comparison;
        comparison->tell = tell && i == 0;
        twin_begin_at(comparison->twin, starts.words.items[state]);
        result = compare_all(comparison, quotient, totals);
    }
    arena_release(&starts.arena);
    return result;
}

/* `again`: true if it has to be done with loops as rests, and is not done. */
static enum result try_with(struct trial *trial, const struct setup *setup, uint32_t limit,
                            bool tell, struct totals *totals, enum population_reductions reductions,
                            bool *again)
{
    const struct population_options options = trial_options(trial, reductions);
    struct crew *crew =
        crew_create(NULL, &trial->memory, &trial->scope, setup, trial->check->intents,
                    trial->check->intent_count, &options, &trial->problems);
    const struct model *model = crew_model(crew);
    struct twin *twin = twin_create(&trial->memory, &trial->scope, setup, trial->check->intents,
                                    trial->check->intent_count, model->properties, TWIN_MIRRORS);
    enum result result = SKIPPED;
    if (twin) {
        struct graph quotient;
        struct comparison comparison = {.trial = trial,
                                        .reductions = reductions,
                                        .setup = setup,
                                        .model = model,
                                        .twin = twin,
                                        .limit = limit,
                                        .tell = tell};
        graph_build(&quotient, &trial->memory, model, NULL, limit / 2);
        *again = leaves_loops_out(crew, reductions);
        if (!*again && !crew_findings(crew)->overflowed && !crew_findings(crew)->restless)
            result = trial->scope.start == START_CANONICAL
                         ? compare_starts(&comparison, &quotient, totals)
                         : compare_all(&comparison, &quotient, totals);
        arena_release(&quotient.arena);
        twin_free(twin);
    }
    crew_free(crew);
    return result;
}

enum result try_setup(struct trial *trial, const struct setup *setup, uint32_t limit, bool tell,
                      struct totals *totals)
{
    bool again = false;
    enum result result = try_with(trial, setup, limit, tell, totals, REDUCTIONS_NEVER, &again);
    if (again)
        result = try_with(trial, setup, limit, tell, totals, REDUCTIONS_NEVER_LOOPS_REST, &again);
    return result;
}
