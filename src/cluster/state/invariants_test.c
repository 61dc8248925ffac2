/* SPDX-License-Identifier: Apache-2.0 */
/* Every invariant of a state can be broken, and is noticed then with its number and with the
 * name of who broke it. A check that notices something ends the program, so that each is made
 * in a process of its own. */
#include "cluster/population.h"
#include "cluster/state/classes.h"
#include "cluster/state/invariants.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "setup/scope_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_OF_A_BUG = 70 };

static const char manifests[] =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    "spec:\n  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n"
    "    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: i}]}\n"
    "---\napiVersion: fathom/v1\nkind: Check\nmetadata: {name: check}\n"
    "spec:\n  nodeGroups:\n  - {name: worker, count: 2, node: {status: {allocatable: {cpu: '4', "
    "memory: 4Gi, pods: '10'}}}}\n"
    "  workloads: [{name: Deployment/default/web, replicas: 2}]\n"
    "  events: [{name: nodeFailure, atMost: 1}]\n"
    "  intents: [{name: podsSchedulable}]\n";

struct broken {
    const char *name;
    const char *says; /* NULL: nothing is wrong */
    void (*break_state)(struct worker *worker, struct state *state);
};

static void break_nothing(struct worker *worker, struct state *state)
{
    (void)worker;
    (void)state;
}

static void take_a_node(struct worker *worker, struct state *state)
{
    (void)worker;
    state->nodes[0].count--;
}

static void put_a_waiting_pod_on_the_node(struct worker *worker, struct state *state)
{
    const struct node_config *config = worker->catalog->configs.items[state->nodes[0].config];
    const struct pod_count pod = {class_at(worker->population, 0, STAGE_WAITING, 0), 1};
    state->nodes[0].config = catalog_intern_config_waiting(worker->catalog, config->template->id,
                                                           &pod, 1, NULL, 0, NULL, 0);
}

static void name_a_revision_that_is_not_there(struct worker *worker, struct state *state)
{
    state->present[0] = worker->population->revisions.count;
}

static void let_an_event_come_too_often(struct worker *worker, struct state *state)
{
    (void)worker;
    state->event_used[0] = 2;
}

static void look_at_a_workload_that_is_not_there(struct worker *worker, struct state *state)
{
    state->focus = worker->population->managed_count + 1;
}

static const struct broken broken[] = {
    {"a state as it is", NULL, break_nothing},
    {"a node is missing", "invariant 1", take_a_node},
    {"a pod that waits is on the node", "invariant 2", put_a_waiting_pod_on_the_node},
    {"the present revision is none", "invariant 3", name_a_revision_that_is_not_there},
    {"an event came twice", "invariant 6", let_an_event_come_too_often},
    {"the focus is no workload", "invariant 6", look_at_a_workload_that_is_not_there},
};

/* What the check says before it ends the process with the exit code of a bug; "" if it finds
 * nothing. */
static void run_in_child(void (*check)(struct worker *worker, const void *context),
                         struct worker *worker, const void *context, char *said, size_t room)
{
    int ends[2];
    int status = 0;
    size_t length = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        check(worker, context);
        _exit(0);
    }
    close(ends[1]);
    while (length + 1 < room && (got = read(ends[0], said + length, room - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), length > 0 ? EXIT_OF_A_BUG : 0);
}

static void check_broken(struct worker *worker, const void *context)
{
    const struct broken *how = context;
    const struct population *population = worker->population;
    uint32_t words[WORDS_MOST];
    struct state *state = state_copy(worker, population->initial);
    how->break_state(worker, state);
    const uint32_t length = state_pack(worker, state, words);
    invariants_check(worker, words, length, "the test");
}

/* The order of nodes is part of the form: two entries of one config are one. */
static void check_form(struct worker *worker, const void *context)
{
    const struct population *population = worker->population;
    uint32_t words[WORDS_MOST];
    (void)context;
    const uint32_t length = state_pack(worker, state_copy(worker, population->initial), words);
    const struct view_node all = node_unpack(population, words[population->word_of_nodes]);
    const struct view_node one = {all.config, 1};
    words[population->word_of_nodes] = node_pack(population, one);
    words[length] = node_pack(population, one);
    invariants_check(worker, words, length + 1, "the test");
}

static void check_writes(struct worker *worker, const void *context)
{
    const struct state *from = worker->population->initial;
    struct state *to = state_copy(worker, from);
    to->replicas[0]++;
    invariants_check_writes(worker, from, to, *(const unsigned *)context, "the test");
}

static struct population *population_of(struct fixture *fixture)
{
    struct setups setups = {0};
    assert_true(fixture_load(fixture, manifests));
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    const struct population_options options = {.features = features_of_version(26)};
    struct population *population = population_create(
        &fixture->memory, &fixture->scope, &setups.items[0], fixture->check->intents,
        fixture->check->intent_count, &options, &fixture->problems);
    assert_non_null(population);
    return population;
}

static void what_breaks_is_named(void **state)
{
    struct fixture fixture;
    char said[512];
    (void)state;
    struct population *population = population_of(&fixture);
    struct worker *worker = population->maker;
    for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
        run_in_child(check_broken, worker, &broken[i], said, sizeof(said));
        if (broken[i].says ? !strstr(said, broken[i].says) || !strstr(said, "the test")
                           : *said != '\0')
            fail_msg("%s: found \"%s\"", broken[i].name, said);
    }
    run_in_child(check_form, worker, NULL, said, sizeof(said));
    assert_non_null(strstr(said, "invariant 7"));
    population_free(population);
    fixture_release(&fixture);
}

static void actors_write_what_they_say(void **state)
{
    const unsigned right = PART_WORKLOADS;
    const unsigned wrong = PART_PODS;
    struct fixture fixture;
    char said[512];
    (void)state;
    struct population *population = population_of(&fixture);
    struct worker *worker = population->maker;
    run_in_child(check_writes, worker, &right, said, sizeof(said));
    assert_string_equal(said, "");
    run_in_child(check_writes, worker, &wrong, said, sizeof(said));
    assert_non_null(strstr(said, "invariant 8"));
    population_free(population);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_breaks_is_named),
        cmocka_unit_test(actors_write_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
