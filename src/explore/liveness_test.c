/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness on graphs small enough to see the answer: every temporal form, with
 * and without fairness, and the lasso that shows the violation. */
#include "explore/explore.h"
#include "explore/graph_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define NONE     FAIRNESS_NONE
#define OPTIONAL FAIRNESS_OPTIONAL
#define EDGES(...)              \
    (const struct graph_edge[]) \
    {                           \
        __VA_ARGS__,            \
        {                       \
            UINT32_MAX, 0       \
        }                       \
    }

struct liveness_case {
    const char *name;
    const struct graph_edge *edges;
    uint64_t atoms[8];
    struct property property;
    enum verdict verdict;
    uint32_t steps, loop_from; /* of the lasso */
    bool rests;
};

enum { P = 1, Q = 2, MARK = 1, OTHER = 2 };
#define IS(kind_, ...)                                        \
    {                                                         \
        .name = #kind_, .kind = PROPERTY_##kind_, __VA_ARGS__ \
    }
#define WITH_P .p = {.all = P}

static const struct liveness_case cases[] = {
    {"eventually: a chain that ends in p",
     EDGES({0, 1, NONE}, {1, 2, NONE}),
     {0, 0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_HOLDS},
    {"eventually: a chain that ends without p rests there",
     EDGES({0, 1, NONE}),
     {0, 0},
     IS(EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     1,
     1,
     true},
    {"eventually: p on the way is enough",
     EDGES({0, 1, NONE}, {1, 2, NONE}),
     {0, P, 0},
     IS(EVENTUALLY, WITH_P),
     VERDICT_HOLDS},
    {"eventually: one way around p, into a loop",
     EDGES({0, 1, NONE}, {0, 2, NONE}, {2, 3, NONE}, {3, 2, NONE}),
     {0, P, 0, 0},
     IS(EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     3,
     1},
    {"eventually: a loop behind p does not count",
     EDGES({0, 1, NONE}, {1, 2, NONE}, {2, 2, NONE}),
     {0, P, 0},
     IS(EVENTUALLY, WITH_P),
     VERDICT_HOLDS},
    {"eventually: a fair class leaves the loop",
     EDGES({0, 0, 0}, {0, 1, 1}),
     {0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_HOLDS},
    {"eventually: without fairness it need not",
     EDGES({0, 0, 0}, {0, 1, 1}),
     {0, P},
     IS(EVENTUALLY, WITH_P, .without_fairness = true),
     VERDICT_VIOLATED,
     1,
     0},
    {"eventually: a class that is now and then disabled need not be taken",
     EDGES({0, 1, 0}, {1, 0, 0}, {0, 2, 1}),
     {0, 0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     2,
     0},
    {"eventually: an unfair step may be passed over for ever",
     EDGES({0, 0, 0}, {0, 1, NONE}),
     {0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     1,
     0},
    {"eventually: an outside event may never come",
     EDGES({0, 1, OPTIONAL}),
     {0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     0,
     0,
     true},
    {"eventually: a lone step without promise is taken",
     EDGES({0, 1, NONE}),
     {0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_HOLDS},
    {"eventually always: the loop leaves p",
     EDGES({0, 1, NONE}, {1, 0, NONE}),
     {P, 0},
     IS(EVENTUALLY_ALWAYS, WITH_P),
     VERDICT_VIOLATED,
     2,
     0},
    {"eventually always: p for good in the end",
     EDGES({0, 1, NONE}, {1, 2, NONE}, {2, 1, NONE}),
     {0, P, P},
     IS(EVENTUALLY_ALWAYS, WITH_P),
     VERDICT_HOLDS},
    {"eventually always: rests in the end without p",
     EDGES({0, 1, NONE}),
     {P, 0},
     IS(EVENTUALLY_ALWAYS, WITH_P),
     VERDICT_VIOLATED,
     1,
     1,
     true},
    {"always eventually: again and again",
     EDGES({0, 1, NONE}, {1, 0, NONE}),
     {P, 0},
     IS(ALWAYS_EVENTUALLY, WITH_P),
     VERDICT_HOLDS},
    {"always eventually: can stop coming back",
     EDGES({0, 1, NONE}, {1, 0, NONE}, {1, 2, NONE}, {2, 1, NONE}),
     {P, 0, 0},
     IS(ALWAYS_EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     3,
     1},
    {"leads to: answered",
     EDGES({0, 1, NONE}, {1, 2, NONE}, {2, 0, NONE}),
     {0, P, Q},
     IS(LEADS_TO, WITH_P, .q = {.all = Q}),
     VERDICT_HOLDS},
    {"leads to: p and q at once is answered",
     EDGES({0, 1, NONE}, {1, 1, NONE}),
     {0, P | Q},
     IS(LEADS_TO, WITH_P, .q = {.all = Q}),
     VERDICT_HOLDS},
    {"leads to: unanswered the second time",
     EDGES({0, 1, NONE}, {1, 2, NONE}, {2, 3, NONE}, {3, 4, NONE}, {4, 4, NONE}),
     {0, P, Q, P, 0},
     IS(LEADS_TO, WITH_P, .q = {.all = Q}),
     VERDICT_VIOLATED,
     5,
     4},
    {"leads to: a loop without p asks nothing",
     EDGES({0, 1, NONE}, {1, 1, NONE}),
     {0, 0},
     IS(LEADS_TO, WITH_P, .q = {.all = Q}),
     VERDICT_HOLDS},
    {"leads to: q before p is no answer",
     EDGES({0, 1, NONE}, {1, 2, NONE}),
     {Q, P, 0},
     IS(LEADS_TO, WITH_P, .q = {.all = Q}),
     VERDICT_VIOLATED,
     2,
     2,
     true},
    {"always possible: the way to p need not be taken",
     EDGES({0, 1, NONE}, {1, 0, NONE}, {1, 2, NONE}),
     {0, 0, P},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_HOLDS},
    {"always possible: a loop that nothing leaves",
     EDGES({0, 1, NONE}, {0, 2, NONE}, {2, 3, NONE}, {3, 2, NONE}),
     {0, P, 0, 0},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_VIOLATED,
     3,
     1},
    {"always possible: a dead end",
     EDGES({0, 1, NONE}, {1, 0, NONE}, {1, 2, NONE}),
     {P, 0, 0},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_VIOLATED,
     2,
     2,
     true},
    {"always possible: p before is no comfort",
     EDGES({0, 1, NONE}, {1, 1, NONE}),
     {P, 0},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_VIOLATED,
     2,
     1},
    {"always possible: fairness has no say",
     EDGES({0, 0, 0}, {0, 1, 1}, {1, 0, 0}),
     {0, P},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_HOLDS},
    {"no cycle: the mark is in a loop",
     EDGES({0, 1, NONE, MARK}, {1, 0, NONE}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK),
     VERDICT_VIOLATED,
     2,
     0},
    {"no cycle: the mark is before the loop",
     EDGES({0, 1, NONE, MARK}, {1, 1, NONE}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK),
     VERDICT_HOLDS},
    {"no cycle: the only loop has what is avoided",
     EDGES({0, 1, NONE, MARK}, {1, 0, NONE, OTHER}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK, .avoids = OTHER),
     VERDICT_HOLDS},
    {"no cycle: both marks in different loops of one component",
     EDGES({0, 1, NONE, MARK}, {1, 0, NONE}, {0, 2, NONE, OTHER}, {2, 0, NONE}),
     {0, 0, 0},
     IS(NO_CYCLE, .marks = MARK | OTHER),
     VERDICT_VIOLATED,
     4,
     0},
    {"no cycle: both marks, never in one loop",
     EDGES({0, 0, NONE, MARK}, {0, 1, NONE}, {1, 1, NONE, OTHER}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK | OTHER),
     VERDICT_HOLDS},
    {"no cycle: an unfair loop does not count",
     EDGES({0, 0, 0, MARK}, {0, 1, 1}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK),
     VERDICT_HOLDS},
    {"no cycle: the loop goes out of its way for fairness",
     EDGES({0, 0, 0, MARK}, {0, 1, 1}, {1, 0, 0}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK),
     VERDICT_VIOLATED,
     3,
     0},
    {"no cycle: must visit the atom",
     EDGES({0, 0, NONE, MARK}, {0, 1, NONE}, {1, 0, NONE}),
     {0, Q},
     IS(NO_CYCLE, .marks = MARK, .visits = Q),
     VERDICT_VIOLATED,
     3,
     0},
    {"no cycle: p everywhere in it",
     EDGES({0, 1, NONE, MARK}, {1, 0, NONE}),
     {P, 0},
     IS(NO_CYCLE, WITH_P, .marks = MARK),
     VERDICT_HOLDS},
};

static uint32_t edge_count(const struct graph_edge *edges)
{
    uint32_t count = 0;
    while (edges[count].from != UINT32_MAX)
        count++;
    return count;
}

static void run_case(const struct liveness_case *wanted, uint32_t threads)
{
    const struct graph graph = {wanted->edges, edge_count(wanted->edges), wanted->atoms};
    const struct model model = graph_model(&graph, 2, &wanted->property, 1);
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct explore_options options;
    explore_options_init(&options);
    options.threads = threads;
    struct exploration *result = explore_run(&model, &options, &memory);
    const struct property_result *property = &result->properties[0];
    if (property->verdict != wanted->verdict)
        fail_msg("%s: %s", wanted->name, verdict_name(property->verdict));
    if (wanted->verdict == VERDICT_VIOLATED) {
        const struct run_path *path = &property->path;
        assert_true(property->has_path);
        assert_true(path->loops);
        if (path->step_count != wanted->steps || path->loop_from != wanted->loop_from ||
            path->loop_rests != wanted->rests)
            fail_msg("%s: %u steps, loop from %u%s", wanted->name, path->step_count,
                     path->loop_from, path->loop_rests ? ", rests" : "");
    }
    explore_free(result);
    assert_int_equal(memory.used_bytes, 0);
}

static void every_form_is_judged_as_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        run_case(&cases[i], 1);
        run_case(&cases[i], 3);
    }
}

/* A class that the model declares enabled without a step of it. */
static void enabling_expand(const struct model *model, void *worker, const uint32_t *words,
                            uint32_t length, struct step_sink *sink)
{
    graph_expand(model, worker, words, length, sink);
    step_sink_enable(sink, 1);
}

static void a_declared_class_makes_a_loop_unfair(void **state)
{
    (void)state;
    const struct graph graph = {EDGES({0, 1, 0, MARK}, {1, 0, 0}), 2, NULL};
    const struct property property = IS(NO_CYCLE, .marks = MARK);
    struct model model = graph_model(&graph, 2, &property, 1);
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct explore_options options;
    explore_options_init(&options);
    struct exploration *result = explore_run(&model, &options, &memory);
    assert_int_equal(result->verdict, VERDICT_VIOLATED);
    explore_free(result);
    model.expand = enabling_expand;
    result = explore_run(&model, &options, &memory);
    assert_int_equal(result->verdict, VERDICT_HOLDS);
    explore_free(result);
}

/* ---- gates: class 1 has its turns in some states only ---- */

struct gated_case {
    const char *name;
    const struct graph_edge *edges;
    uint32_t open; /* bit i: the gate is open in state i */
    enum verdict verdict;
};

/* State 4 alone has p, and class 1 alone leads there. */
static const struct gated_case gated_cases[] = {
    {"whoever could act whenever the gate is open is not forgotten",
     EDGES({0, 1, 0}, {1, 0, 0}, {1, 4, 1}, {4, 4, NONE}), 1U << 1, VERDICT_HOLDS},
    {"who could act all the time, with the gate closed, need not",
     EDGES({0, 1, 0}, {1, 0, 0}, {0, 4, 1}, {1, 4, 1}, {4, 4, NONE}), 0, VERDICT_VIOLATED},
    {"who finds nothing to do where the gate is open need not",
     EDGES({0, 1, 0}, {1, 0, 0}, {1, 4, 1}, {4, 4, NONE}), 1U << 0 | 1U << 1, VERDICT_VIOLATED},
    {"a part of a loop in which the gate is never open",
     EDGES({0, 1, 0}, {1, 0, 0}, {0, 2, 0}, {2, 0, 0}, {2, 4, 1}, {4, 4, NONE}), 1U << 2,
     VERDICT_VIOLATED},
    {"on the way into such a part the gate is open",
     EDGES({0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {2, 3, 0}, {3, 1, 0}, {3, 4, 1}, {4, 4, NONE}),
     1U << 0 | 1U << 3, VERDICT_VIOLATED},
};

struct gated_graph {
    struct graph graph;
    uint32_t open;
};

static void gated_expand(const struct model *model, void *worker, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    const struct gated_graph *gated = model->context;
    graph_expand(model, worker, words, length, sink);
    if (gated->open >> words[0] & 1)
        step_sink_open(sink, 0);
}

static uint32_t gate_of_one(const struct model *model, uint32_t class)
{
    (void)model;
    return class == 1 ? 0 : GATE_NONE;
}

static void a_class_behind_a_gate_has_its_turns_there(void **state)
{
    static const uint64_t atoms[] = {0, 0, 0, 0, P};
    const struct property properties[] = {IS(EVENTUALLY, WITH_P), IS(ALWAYS_EVENTUALLY, WITH_P),
                                          IS(EVENTUALLY_ALWAYS, WITH_P)};
    (void)state;
    for (size_t i = 0; i < sizeof(gated_cases) / sizeof(*gated_cases); i++) {
        const struct gated_case *wanted = &gated_cases[i];
        const struct gated_graph gated = {{wanted->edges, edge_count(wanted->edges), atoms},
                                          wanted->open};
        struct model model = graph_model(&gated.graph, 2, properties, 3);
        model.expand = gated_expand;
        model.class_gate = gate_of_one;
        model.gate_count = 1;
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        struct explore_options options;
        explore_options_init(&options);
        options.all = true;
        struct exploration *result = explore_run(&model, &options, &memory);
        for (uint32_t p = 0; p < 3; p++)
            if (result->properties[p].verdict != wanted->verdict)
                fail_msg("%s: %s", wanted->name, properties[p].name);
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
    }
}

/* ---- steps that a run takes finitely often ---- */

struct finite_case {
    const char *name;
    const struct graph_edge *edges;
    uint64_t atoms[8];
    struct property property;
    enum verdict verdict;
    uint32_t steps, loop_from; /* of the lasso */
};

/* They bear OTHER. */
static const struct finite_case finite_cases[] = {
    {"a loop by way of one is none",
     EDGES({0, 1, NONE}, {1, 0, OPTIONAL, OTHER}),
     {P, 0},
     IS(EVENTUALLY_ALWAYS, .p = {.none = P}),
     VERDICT_HOLDS},
    {"nor is one from a state to itself",
     EDGES({0, 0, OPTIONAL, OTHER}, {0, 1, 0}),
     {P, 0},
     IS(EVENTUALLY_ALWAYS, .p = {.none = P}),
     VERDICT_HOLDS},
    {"it may never come again",
     EDGES({0, 1, NONE}, {1, 0, OPTIONAL, OTHER}),
     {0, P},
     IS(EVENTUALLY_ALWAYS, .p = {.none = P}),
     VERDICT_VIOLATED,
     1,
     1},
    {"it may come before the loop",
     EDGES({0, 1, OPTIONAL, OTHER}, {1, 2, NONE}, {2, 1, NONE}),
     {0, P, 0},
     IS(EVENTUALLY_ALWAYS, .p = {.none = P}),
     VERDICT_VIOLATED,
     3,
     1},
    {"a loop beside it counts",
     EDGES({0, 1, NONE}, {1, 0, OPTIONAL, OTHER}, {1, 2, NONE}, {2, 0, NONE}),
     {P, 0, 0},
     IS(ALWAYS_EVENTUALLY, .p = {.all = Q}),
     VERDICT_VIOLATED,
     3,
     0},
    {"the way of a run that has to stay in the terrain",
     EDGES({0, 1, OPTIONAL, OTHER}, {0, 3, NONE}, {1, 2, NONE}, {2, 1, NONE}, {3, 3, NONE}),
     {0, 0, 0, P},
     IS(EVENTUALLY, WITH_P),
     VERDICT_VIOLATED,
     3,
     1},
    {"the same after p",
     EDGES({0, 1, OPTIONAL, OTHER}, {0, 3, NONE}, {1, 2, NONE}, {2, 1, NONE}, {3, 3, NONE}),
     {P, 0, 0, Q},
     IS(LEADS_TO, WITH_P, .q = {.all = Q}),
     VERDICT_VIOLATED,
     3,
     1},
    {"the mark of a loop by way of one",
     EDGES({0, 1, NONE, MARK}, {1, 0, OPTIONAL, OTHER}),
     {0, 0},
     IS(NO_CYCLE, .marks = MARK),
     VERDICT_HOLDS},
    {"a way to p by one is a way",
     EDGES({0, 1, NONE}, {1, 0, NONE}, {1, 2, OPTIONAL, OTHER}),
     {0, 0, P},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_HOLDS},
    {"a loop that only leads to another one without p",
     EDGES({0, 1, OPTIONAL, OTHER}, {1, 0, OPTIONAL, OTHER}),
     {0, 0},
     IS(ALWAYS_POSSIBLE, WITH_P),
     VERDICT_VIOLATED,
     0,
     0},
};

static void finite_steps_are_no_part_of_loops(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(finite_cases) / sizeof(*finite_cases); i++) {
        const struct finite_case *wanted = &finite_cases[i];
        const struct graph graph = {wanted->edges, edge_count(wanted->edges), wanted->atoms};
        struct model model = graph_model(&graph, 2, &wanted->property, 1);
        struct memory memory;
        struct explore_options options;
        model.finite_marks = OTHER;
        memory_init(&memory, SIZE_MAX);
        explore_options_init(&options);
        struct exploration *result = explore_run(&model, &options, &memory);
        const struct property_result *property = &result->properties[0];
        if (property->verdict != wanted->verdict)
            fail_msg("%s: %s", wanted->name, verdict_name(property->verdict));
        if (wanted->verdict == VERDICT_VIOLATED && (property->path.step_count != wanted->steps ||
                                                    property->path.loop_from != wanted->loop_from))
            fail_msg("%s: %u steps, loop from %u", wanted->name, property->path.step_count,
                     property->path.loop_from);
        explore_free(result);
        assert_int_equal(memory.used_bytes, 0);
    }
}

static void vacuous_properties_are_told(void **state)
{
    (void)state;
    const struct graph graph = {EDGES({0, 1, NONE}, {1, 0, NONE}), 2, (const uint64_t[]){0, 0}};
    const struct property properties[] = {
        IS(NO_CYCLE, .marks = MARK), IS(LEADS_TO, WITH_P, .q = {.all = Q}), IS(NO_CYCLE, WITH_P)};
    const struct model model = graph_model(&graph, 2, properties, 3);
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct explore_options options;
    explore_options_init(&options);
    struct exploration *result = explore_run(&model, &options, &memory);
    assert_int_equal(result->verdict, VERDICT_HOLDS);
    assert_true(result->properties[0].vacuous);
    assert_true(result->properties[1].vacuous);
    assert_false(result->properties[2].vacuous);
    explore_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_judged_as_by_hand),
        cmocka_unit_test(a_declared_class_makes_a_loop_unfair),
        cmocka_unit_test(a_class_behind_a_gate_has_its_turns_there),
        cmocka_unit_test(finite_steps_are_no_part_of_loops),
        cmocka_unit_test(vacuous_properties_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
