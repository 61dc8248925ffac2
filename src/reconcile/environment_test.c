/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T-ENV 1 to 6 of the specification of controllers: what the environment makes
 * possible, each shown by a step of the graph, and what it does not.
 */
#include "reconcile/reconcile_fixture.h"

/* Every state of the graph, in the order in which they are met. */
enum { STATES_MOST = 60000, STEPS_MOST = 64 };

struct state_words {
    uint32_t *words;
    uint32_t length;
};

struct graph {
    struct step_sink sink;
    struct fixture *fixture;
    struct state_words *states;
    uint32_t count;
    struct step steps[STEPS_MOST]; /* out of the state being expanded */
    uint32_t targets[STEPS_MOST];
    uint32_t step_count;
};

static uint32_t graph_add(struct graph *graph, const uint32_t *words, uint32_t length)
{
    for (uint32_t i = graph->count; i-- > 0;)
        if (graph->states[i].length == length &&
            memcmp(graph->states[i].words, words, length * sizeof(*words)) == 0)
            return i;
    assert_in_range(graph->count, 0, STATES_MOST - 1);
    graph->states[graph->count] = (struct state_words){
        arena_copy(&graph->fixture->arena, words, length * sizeof(*words)), length};
    return graph->count++;
}

static bool graph_emit(struct step_sink *sink, const struct step *step)
{
    struct graph *graph = (struct graph *)sink;
    assert_in_range(graph->step_count, 0, STEPS_MOST - 1);
    graph->steps[graph->step_count] = *step;
    graph->targets[graph->step_count++] = graph_add(graph, step->words, step->length);
    return true;
}

typedef void look_at(void *context, const struct env_world *before, const struct step *step,
                     const struct env_world *after);

/* Calls back with every step of the graph. */
static void walk(struct fixture *fixture, look_at *look, void *context)
{
    struct graph graph = {.sink = {.emit = graph_emit}, .fixture = fixture};
    graph.states = ARENA_ARRAY(&fixture->arena, struct state_words, STATES_MOST);
    fixture->environment = environment_create(&fixture->memory, &fixture->controller,
                                              &fixture->options, &fixture->problems);
    assert_non_null(fixture->environment);
    const struct model *model = environment_model(fixture->environment);
    void *worker = model->worker_create(model, &fixture->memory);
    model->initial(model, worker, &graph.sink);
    for (uint32_t i = 0; i < graph.count; i++) {
        graph.step_count = 0;
        model->expand(model, worker, graph.states[i].words, graph.states[i].length, &graph.sink);
        struct arena arena;
        arena_init(&arena, &fixture->memory);
        const struct env_world *before = environment_world(
            fixture->environment, &arena, graph.states[i].words, graph.states[i].length);
        for (uint32_t k = 0; k < graph.step_count; k++) {
            const struct state_words *target = &graph.states[graph.targets[k]];
            look(context, before, &graph.steps[k],
                 environment_world(fixture->environment, &arena, target->words, target->length));
        }
        arena_release(&arena);
    }
    model->worker_free(model, &fixture->memory, worker);
    assert_false(environment_failed(fixture->environment));
}

static const struct datum *stored(const struct env_world *world, const char *kind)
{
    for (uint32_t i = 0; i < world->store.count; i++)
        if (strcmp(datum_text(datum_member(world->store.items[i], "kind"), ""), kind) == 0)
            return world->store.items[i];
    return NULL;
}

static const struct world_key *key_of(const struct env_world *world, const char *kind)
{
    for (uint32_t i = 0; i < world->key_count; i++)
        if (strcmp(world->keys[i].key.kind, kind) == 0)
            return &world->keys[i];
    return NULL;
}

static int64_t replicas(const struct datum *object)
{
    return datum_number(datum_at(object, "spec.replicas"), -1);
}

struct counts {
    uint32_t late_effects, late_in_vain;
    uint32_t failed, failed_applied;
    uint32_t old_snapshots;
    uint32_t stale_status, wrong_deletes;
    uint32_t reports, reports_when_stable, unsettled;
    uint32_t both_at_once;
};

/* T-ENV-1: a request from before a crash is handled after it; nobody reads the answer. */
static void look_at_orphans(void *context, const struct env_world *before, const struct step *step,
                            const struct env_world *after)
{
    struct counts *counts = context;
    if (step->action == ACTION_CRASH) {
        assert_null(after->rounds[0].resource);
        assert_null(after->rounds[0].scheduled);
        const uint32_t pending = before->rounds[0].has_request;
        assert_int_equal(after->orphan_count, before->orphan_count + pending);
    }
    if (step->action != ACTION_SERVE_ORPHAN)
        return;
    assert_int_equal(after->crashes, 1);
    assert_int_equal(after->orphan_count, before->orphan_count - 1);
    assert_int_equal(before->rounds[0].has_response, after->rounds[0].has_response);
    if (before->store.count != after->store.count)
        counts->late_effects++;
    else
        counts->late_in_vain++;
}

static void env_1_requests_outlive_their_sender(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {0};
    add_link(fixture, "ConfigMap", "", "data.conf=conf", false);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"conf\":\"a\"}");
    fixture->options.crashes = 1;
    walk(fixture, look_at_orphans, &counts);
    assert_in_range(counts.late_effects, 1, UINT32_MAX);
    assert_in_range(counts.late_in_vain, 1, UINT32_MAX);
}

/* T-ENV-2: what fails is not applied, unless that is asked for. */
static void look_at_failures(void *context, const struct env_world *before, const struct step *step,
                             const struct env_world *after)
{
    struct counts *counts = context;
    if (step->action != ACTION_FAIL_CONTROLLER)
        return;
    const bool applied = step_variant(step->argument) == 3;
    assert_int_equal(after->failures, before->failures + 1);
    assert_true(after->rounds[0].has_response);
    assert_int_not_equal(after->rounds[0].response.error, API_OK);
    if (!applied)
        assert_int_equal(before->store.count, after->store.count);
    counts->failed++;
    counts->failed_applied += before->store.count != after->store.count;
}

static void env_2_failed_requests_are_not_applied(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {0};
    add_link(fixture, "ConfigMap", "", "data.conf=conf", false);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"conf\":\"a\"}");
    fixture->options.failures = 1;
    walk(fixture, look_at_failures, &counts);
    assert_in_range(counts.failed, 3, UINT32_MAX);
    assert_int_equal(counts.failed % 3, 0);
    assert_int_equal(counts.failed_applied, 0);
    environment_free(fixture->environment);
    fixture->options.timeout_applied = true;
    walk(fixture, look_at_failures, &counts);
    assert_in_range(counts.failed_applied, 1, UINT32_MAX);
}

/* T-ENV-3: a round may work with an old copy of its resource. */
static void look_at_snapshots(void *context, const struct env_world *before,
                              const struct step *step, const struct env_world *after)
{
    (void)before;
    struct counts *counts = context;
    if (step->action == ACTION_RUN && stored(after, "Cluster") &&
        replicas(after->rounds[0].resource) != replicas(stored(after, "Cluster")))
        counts->old_snapshots++;
}

static void env_3_rounds_may_start_with_an_old_copy(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {0};
    add_link(fixture, "StatefulSet", "", "spec.replicas=replicas", true);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":1}");
    add_operation(fixture, SCRIPT_UPDATE, "a", "{\"replicas\":2}");
    fixture->options.no_status = true;
    walk(fixture, look_at_snapshots, &counts);
    assert_in_range(counts.old_snapshots, 1, UINT32_MAX);
    environment_free(fixture->environment);
    counts.old_snapshots = 0;
    fixture->options.fuse_schedule = true;
    walk(fixture, look_at_snapshots, &counts);
    assert_int_equal(counts.old_snapshots, 0);
}

/* T-ENV-4: late reports of a status conflict, late deletions delete the wrong object. */
static void look_at_late(void *context, const struct env_world *before, const struct step *step,
                         const struct env_world *after)
{
    struct counts *counts = context;
    const struct datum *set = stored(before, "StatefulSet");
    if (step->action == ACTION_SERVE_STATUS && set) {
        const struct world_key *key = key_of(before, "StatefulSet");
        const bool stale = !datum_equal(datum_at(key->status.object, "metadata.resourceVersion"),
                                        datum_at(set, "metadata.resourceVersion"));
        if (stale) {
            counts->stale_status++;
            assert_true(datum_equal(datum_member(set, "status"),
                                    datum_member(stored(after, "StatefulSet"), "status")));
        }
    }
    if (step->action == ACTION_SERVE_COLLECTOR && set && stored(before, "Cluster") &&
        datum_equal(datum_at(set, "metadata.ownerReferences[0].uid"),
                    datum_at(stored(before, "Cluster"), "metadata.uid"))) {
        counts->wrong_deletes++;
        assert_null(stored(after, "StatefulSet"));
    }
}

static void env_4_late_messages_do_harm(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {0};
    /* Without an owner check it takes the old set over, which the collector then deletes. */
    add_link(fixture, "StatefulSet", "", "spec.replicas=replicas", false);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":3}");
    add_operation(fixture, SCRIPT_DELETE, "a", NULL);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":1}");
    fixture->options.fuse_schedule = true;
    walk(fixture, look_at_late, &counts);
    assert_in_range(counts.stale_status, 1, UINT32_MAX);
    assert_in_range(counts.wrong_deletes, 1, UINT32_MAX);
}

/* T-ENV-5: what is stable reports nothing until it is really written. */
static void look_at_stability(void *context, const struct env_world *before,
                              const struct step *step, const struct env_world *after)
{
    struct counts *counts = context;
    const struct world_key *key = key_of(before, "StatefulSet");
    const struct world_key *later = key_of(after, "StatefulSet");
    if (step->action == ACTION_REPORT_STATUS) {
        counts->reports++;
        counts->reports_when_stable += key->stable;
    }
    if (!key || !key->stable || !later || later->stable)
        return;
    counts->unsettled++;
    assert_int_equal(step->action, ACTION_SERVE_CONTROLLER);
    assert_false(datum_equal(key->object, later->object));
}

static void env_5_stable_objects_report_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {0};
    add_link(fixture, "StatefulSet", "", "spec.replicas=replicas", true);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"replicas\":1}");
    add_operation(fixture, SCRIPT_UPDATE, "a", "{\"replicas\":2}");
    walk(fixture, look_at_stability, &counts);
    assert_in_range(counts.reports, 1, UINT32_MAX);
    assert_in_range(counts.unsettled, 1, UINT32_MAX);
    assert_int_equal(counts.reports_when_stable, 0);
}

/* T-ENV-6: each resource has a round of its own, at the same time. */
static void look_at_rounds(void *context, const struct env_world *before, const struct step *step,
                           const struct env_world *after)
{
    (void)before;
    (void)step;
    struct counts *counts = context;
    counts->both_at_once += after->rounds[0].has_request && after->rounds[1].has_request;
}

static void env_6_resources_have_rounds_of_their_own(void **state)
{
    struct fixture *fixture = *state;
    struct counts counts = {0};
    add_link(fixture, "ConfigMap", "-cm", "data.conf=conf", false);
    add_operation(fixture, SCRIPT_CREATE, "a", "{\"conf\":\"a\"}");
    add_operation(fixture, SCRIPT_CREATE, "b", "{\"conf\":\"b\"}");
    fixture->options.renaming = RENAME_BY_PLACE;
    fixture->options.keep_all = false;
    walk(fixture, look_at_rounds, &counts);
    assert_in_range(counts.both_at_once, 1, UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(env_1_requests_outlive_their_sender, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(env_2_failed_requests_are_not_applied, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(env_3_rounds_may_start_with_an_old_copy, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(env_4_late_messages_do_harm, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(env_5_stable_objects_report_nothing, fixture_setup,
                                        fixture_teardown),
        cmocka_unit_test_setup_teardown(env_6_resources_have_rounds_of_their_own, fixture_setup,
                                        fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
