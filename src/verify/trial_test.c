/* SPDX-License-Identifier: Apache-2.0 */
/* What holds, tried with stronger settings: which ones, how far, and what is told of it. */
#include "verify/trial.h"
#include "verify/whole_report.h"

/* A drain goes by a status from before the workload became smaller. */
#define SMALLER_AND_DRAINED(more)                                                         \
    CHECK(GROUP("a", "3"),                                                                \
          "  start: settled\n"                                                            \
          "  events: [{name: scale, workload: Deployment/default/web, to: [2]}, {name: "  \
          "maintenance}]\n"                                                               \
          "  intents: [{name: replicasAtLeast, workload: Deployment/default/web, value: " \
          "2}, {name: replicasAtMost, value: 9}]\n" more)                                 \
    WEB("4", "") PDB("minAvailable: 2")
/* An autoscaler, for which it matters whether it waits for the others. */
#define SCALED_WITH(intents, more)                                                                 \
    CHECK(GROUP("a", "1"),                                                                         \
          "  intents: " intents "\n"                                                               \
          "  events: [{name: cpuChange, workload: Deployment/default/web, levels: [10%]}]\n" more) \
    WEB("2", "") HPA("")
#define SCALED(more) SCALED_WITH("[{name: replicasAtMost, value: 4}]", more)
/* Nothing here depends on a setting. */
#define PLAIN                                                                                   \
    CHECK(GROUP("a", "2"), "  intents: [{name: converges}]\n  events: [{name: maintenance}]\n") \
    WEB("2", "")

struct tried {
    struct fixture fixture;
    struct input_unit unit;
    struct scope_options scope;
    struct verify_plan plan;
    struct verify_options options;
    struct verify_report found;
    struct trials trials;
};

static const struct trial_limits plenty = {UINT64_MAX, UINT64_MAX, UINT64_MAX};

static const struct strength weak = {INTERLEAVING_SETTLED, false, false, false};

static void make_plan(struct tried *tried, const char *manifests, struct strength asked)
{
    *tried = (struct tried){.options = unlimited()};
    assert_true(fixture_load(&tried->fixture, manifests));
    tried->options.population.features = features_of_version(FEATURES_MINOR_FIRST);
    tried->options.population.interleaving = asked.interleaving;
    tried->options.population.budgets_lag = asked.budgets_lag;
    tried->unit.objects = tried->fixture.objects;
    problems_init(&tried->unit.problems, &tried->fixture.arena);
    for (uint32_t i = 0; i < tried->unit.objects.count; i++)
        if (tried->unit.objects.items[i].kind == OBJECT_CHECK)
            tried->unit.object = &tried->unit.objects.items[i];
    assert_true(verify_plan_make(&tried->fixture.arena, &tried->unit, &tried->scope, &tried->plan));
}

static void try_all(struct tried *tried, const struct trial_limits *limits)
{
    struct fixture *fixture = &tried->fixture;
    verify_run(&fixture->arena, &fixture->memory, &tried->plan.scope, tried->plan.intents.items,
               tried->plan.intents.count, &tried->options, &tried->found);
    trials_run(&fixture->arena, &fixture->memory, &tried->plan, &tried->scope, &tried->options,
               limits, &tried->found, &tried->trials);
}

static void try_manifests(struct tried *tried, const char *manifests,
                          const struct trial_limits *limits)
{
    make_plan(tried, manifests, weak);
    try_all(tried, limits);
}

static void release(struct tried *tried)
{
    trials_release(&tried->trials);
    verify_release(&tried->found);
    fixture_release(&tried->fixture);
}

static const char *words(struct tried *tried, const struct string_list *list)
{
    const char *joined = "";
    for (uint32_t i = 0; i < list->count; i++)
        joined =
            arena_printf(&tried->fixture.arena, "%s%s%s", joined, i > 0 ? " " : "", list->items[i]);
    return joined;
}

static void assert_trial(struct tried *tried, const struct intent_trial *trial,
                         enum verdict verdict, const char *options)
{
    assert_int_equal(trial->verdict, verdict);
    assert_string_equal(words(tried, &trial->options), options);
}

static void a_counterexample_names_the_premise_that_it_lifts(void **state)
{
    (void)state;
    struct tried tried;
    try_manifests(&tried, SMALLER_AND_DRAINED(""), &plenty);
    assert_int_equal(verify_verdict(&tried.found), VERDICT_HOLDS);
    const struct intent_trials *first = &tried.trials.intents[0];
    assert_int_equal(first->count, 1);
    assert_trial(&tried, &first->items[0], VERDICT_VIOLATED, "--lag budgets");
    assert_string_equal(words(&tried, &first->items[0].lifts), "budget status does not lag");
    /* It is the one that a verification with this setting finds. */
    struct verify_options lagging = tried.options;
    struct verify_report alone;
    lagging.population.budgets_lag = true;
    verify_run(&tried.fixture.arena, &tried.fixture.memory, &tried.plan.scope,
               tried.plan.intents.items, 1, &lagging, &alone);
    assert_int_equal(alone.results[0].step_count, first->items[0].violation->step_count);
    verify_release(&alone);
    /* The other intent is tried in the same exploration, and holds. */
    assert_int_equal(tried.trials.intents[1].count, 1);
    assert_trial(&tried, &tried.trials.intents[1].items[0], VERDICT_HOLDS, "--lag all");
    release(&tried);
}

static void what_is_violated_anyway_is_not_tried(void **state)
{
    (void)state;
    struct tried tried;
    try_manifests(
        &tried,
        SCALED_WITH("[{name: replicasAtMost, value: 1}, {name: replicasAtMost, value: 4}]", ""),
        &plenty);
    assert_int_equal(tried.found.results[0].verdict, VERDICT_VIOLATED);
    assert_int_equal(tried.trials.intents[0].count, 0);
    assert_int_equal(tried.found.results[1].verdict, VERDICT_HOLDS);
    assert_int_equal(tried.trials.intents[1].count, 2);
    release(&tried);
}

static void the_strongest_settings_leave_nothing_to_try(void **state)
{
    (void)state;
    struct tried tried;
    make_plan(&tried, SMALLER_AND_DRAINED(""), (struct strength){.budgets_lag = true});
    try_all(&tried, &plenty);
    assert_int_equal(tried.found.results[1].verdict, VERDICT_HOLDS);
    assert_null(tried.trials.intents);
    release(&tried);
}

static void only_what_makes_a_difference_is_tried(void **state)
{
    (void)state;
    struct tried tried;
    try_manifests(&tried, PLAIN, &plenty);
    assert_int_equal(verify_verdict(&tried.found), VERDICT_HOLDS);
    assert_null(tried.trials.intents);
    release(&tried);
}

static uint64_t states_under(enum population_interleaving interleaving, const char *manifests)
{
    struct verify_options options = unlimited();
    options.population.interleaving = interleaving;
    return verify(manifests, options).states;
}

/* A trial explores what a verification with its options does. */
static void a_trial_is_a_verification(void **state)
{
    (void)state;
    struct tried tried;
    try_manifests(&tried, SCALED(""), &plenty);
    const uint64_t ordered = states_under(INTERLEAVING_FULL, SCALED("  time: asynchronous\n"));
    const uint64_t clocked = states_under(INTERLEAVING_FULL, SCALED("  time: clocked\n"));
    assert_int_not_equal(ordered, tried.found.states);
    assert_int_not_equal(ordered, clocked);
    assert_int_equal(tried.trials.states, ordered + clocked);
    release(&tried);
}

static void clocks_are_tried_unless_somebody_decided_about_them(void **state)
{
    (void)state;
    struct tried tried;
    try_manifests(&tried, SCALED(""), &plenty);
    assert_int_equal(tried.trials.intents[0].count, 2);
    assert_trial(&tried, &tried.trials.intents[0].items[0], VERDICT_HOLDS, "--interleaving full");
    assert_trial(&tried, &tried.trials.intents[0].items[1], VERDICT_HOLDS,
                 "--interleaving full --time clocked");
    release(&tried);

    try_manifests(&tried, SCALED("  time: asynchronous\n"), &plenty);
    assert_int_equal(tried.trials.intents[0].count, 1);
    release(&tried);

    make_plan(&tried, SCALED(""), weak);
    tried.scope.time = TIME_ASYNCHRONOUS; /* as --time says */
    try_all(&tried, &plenty);
    assert_int_equal(tried.trials.intents[0].count, 1);
    release(&tried);

    /* With clocks nothing settles for good, so this start has none. */
    try_manifests(&tried, SCALED("  start: settled\n"), &plenty);
    assert_int_equal(tried.trials.intents[0].count, 1);
    release(&tried);

    make_plan(&tried, SCALED("  time: clocked\n"),
              (struct strength){.interleaving = INTERLEAVING_FULL});
    try_all(&tried, &plenty);
    assert_null(tried.trials.intents);
    release(&tried);
}

static void assert_undecided(const struct tried *tried, enum explore_reason reason)
{
    assert_int_equal(verify_verdict(&tried->found), VERDICT_HOLDS);
    for (uint32_t i = 0; i < tried->found.result_count; i++) {
        assert_int_equal(tried->trials.intents[i].count, 1);
        assert_int_equal(tried->trials.intents[i].items[0].verdict, VERDICT_UNDECIDED);
        assert_int_equal(tried->trials.intents[i].items[0].reason, reason);
    }
}

static void the_limits_are_kept(void **state)
{
    (void)state;
    static const struct {
        struct trial_limits limits;
        enum explore_reason reason;
        uint64_t states;
    } cases[] = {
        {{50, UINT64_MAX, UINT64_MAX}, EXPLORE_STATES, 51},
        {{UINT64_MAX, 50, UINT64_MAX}, EXPLORE_STATES, 51},
        {{UINT64_MAX, 0, UINT64_MAX}, EXPLORE_STATES, 0},
        {{UINT64_MAX, UINT64_MAX, 0}, EXPLORE_TIME, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tried tried;
        try_manifests(&tried, SMALLER_AND_DRAINED(""), &cases[i].limits);
        assert_undecided(&tried, cases[i].reason);
        assert_int_equal(tried.trials.states, cases[i].states);
        assert_int_equal(tried.trials.intents[0].items[0].states, cases[i].states);
        release(&tried);
    }
}

/* Two settings share the states. */
static void settings_share_the_states(void **state)
{
    (void)state;
    struct tried tried;
    try_manifests(&tried, SCALED(""), &(struct trial_limits){20, UINT64_MAX, UINT64_MAX});
    assert_int_equal(tried.trials.intents[0].count, 2);
    for (uint32_t t = 0; t < 2; t++) {
        assert_int_equal(tried.trials.intents[0].items[t].verdict, VERDICT_UNDECIDED);
        assert_int_equal(tried.trials.intents[0].items[t].states, 11);
    }
    release(&tried);
}

static void an_interruption_leaves_the_verdicts(void **state)
{
    (void)state;
    struct tried tried;
    atomic_bool interrupted = false;
    struct fixture *fixture = &tried.fixture;
    make_plan(&tried, SMALLER_AND_DRAINED(""), weak);
    verify_run(&fixture->arena, &fixture->memory, &tried.plan.scope, tried.plan.intents.items,
               tried.plan.intents.count, &tried.options, &tried.found);
    atomic_store(&interrupted, true);
    tried.options.interrupted = &interrupted;
    trials_run(&fixture->arena, &fixture->memory, &tried.plan, &tried.scope, &tried.options,
               &plenty, &tried.found, &tried.trials);
    assert_undecided(&tried, EXPLORE_INTERRUPTED);
    assert_int_equal(tried.trials.states, 0);
    release(&tried);
}

/* Without states for it the weakest setting is not looked for: all that is lifted is named. */
static void without_states_all_settings_are_named(void **state)
{
    (void)state;
    struct tried tried;
    make_plan(&tried, SMALLER_AND_DRAINED(DUPLICATES), weak);
    try_all(&tried, &plenty);
    assert_trial(&tried, &tried.trials.intents[0].items[0], VERDICT_VIOLATED, "--lag budgets");
    release(&tried);
    /* As many as violate the intent with all settings, and one more. */
    for (uint64_t most = 1;; most++) {
        try_manifests(&tried, SMALLER_AND_DRAINED(DUPLICATES),
                      &(struct trial_limits){UINT64_MAX, most, UINT64_MAX});
        const struct intent_trial *trial = &tried.trials.intents[0].items[0];
        const bool violated = trial->verdict == VERDICT_VIOLATED;
        if (violated) {
            assert_trial(&tried, trial, VERDICT_VIOLATED, "--interleaving full --lag all");
            assert_string_equal(words(&tried, &trial->lifts),
                                "settle-first budget status does not lag ReplicaSets see at once "
                                "which pods are left");
        }
        release(&tried);
        if (violated)
            return;
    }
}

static void settings_come_after_weaker_ones(void **state)
{
    (void)state;
    const struct strength asked = {INTERLEAVING_SETTLED, false, false, false};
    struct strength list[STRENGTHS_MOST];
    assert_int_equal(
        strength_list(&asked, &(struct strength){INTERLEAVING_FULL, true, false, false}, list), 5);
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t k = i + 1; k < 5; k++)
            assert_false(list[k].interleaving <= list[i].interleaving &&
                         list[k].budgets_lag <= list[i].budgets_lag);
    assert_true(strength_same(&list[4], &(struct strength){INTERLEAVING_FULL, true, false, false}));
    /* With clocks, what was asked for with clocks is the first. */
    assert_int_equal(
        strength_list(&asked, &(struct strength){INTERLEAVING_FULL, false, false, true}, list), 3);
    assert_true(
        strength_same(&list[0], &(struct strength){INTERLEAVING_SETTLED, false, false, true}));
    /* Both kinds of lag, one after the other, then together. */
    assert_int_equal(
        strength_list(&asked, &(struct strength){INTERLEAVING_SETTLED, true, true, false}, list),
        3);
    assert_true(list[0].budgets_lag && !list[0].sets_lag);
    assert_true(!list[1].budgets_lag && list[1].sets_lag);
    assert_true(list[2].budgets_lag && list[2].sets_lag);
    const struct strength later = {INTERLEAVING_CONTROLLERS, false, false, false};
    assert_int_equal(
        strength_list(&later, &(struct strength){INTERLEAVING_FULL, false, false, false}, list), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counterexample_names_the_premise_that_it_lifts),
        cmocka_unit_test(what_is_violated_anyway_is_not_tried),
        cmocka_unit_test(the_strongest_settings_leave_nothing_to_try),
        cmocka_unit_test(only_what_makes_a_difference_is_tried),
        cmocka_unit_test(a_trial_is_a_verification),
        cmocka_unit_test(clocks_are_tried_unless_somebody_decided_about_them),
        cmocka_unit_test(the_limits_are_kept),
        cmocka_unit_test(settings_share_the_states),
        cmocka_unit_test(an_interruption_leaves_the_verdicts),
        cmocka_unit_test(without_states_all_settings_are_named),
        cmocka_unit_test(settings_come_after_weaker_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
