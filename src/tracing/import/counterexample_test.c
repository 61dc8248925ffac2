/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of counterexamples: which roots each step goes back to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tracing/import/counterexample.h"

struct fixture {
    struct memory memory;
    struct arena arena;
    struct change_graph graph;
};

static int begin(void **state)
{
    struct fixture *fixture = test_calloc(1, sizeof(*fixture));
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    fixture->graph.arena = &fixture->arena;
    *state = fixture;
    return 0;
}

static int end(void **state)
{
    struct fixture *fixture = *state;
    arena_release(&fixture->arena);
    test_free(fixture);
    return 0;
}

static const struct change_merge *merge_of(const struct change_graph *graph,
                                           const struct fathom_trace_id *cpid)
{
    for (uint32_t i = 0; i < graph->merges.count; i++)
        if (fathom_trace_id_equal(&graph->merges.items[i].cpid, cpid))
            return &graph->merges.items[i];
    return NULL;
}

static bool goes_back(const struct change_graph *graph, const struct fathom_trace_id *cpid,
                      const struct fathom_trace_id *root)
{
    const struct change_merge *merge = merge_of(graph, cpid);
    assert_non_null(merge); /* every CPID is a node of the merge graph */
    bool found = fathom_trace_id_equal(cpid, root);
    for (uint32_t i = 0; i < merge->source_count; i++)
        found = goes_back(graph, &merge->sources[i], root) || found;
    return found;
}

static uint32_t roots_in(const struct change_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->merges.count; i++)
        count += graph->merges.items[i].source_count == 0;
    return count;
}

#define CAUSES(...)                            \
    .causes = (const uint32_t[]){__VA_ARGS__}, \
    .cause_count = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* A custom resource is made, deleted and made anew; a round that knows only the
 * first writes what a round of the second then changes. */
static void every_step_goes_back_to_its_own_roots(void **state)
{
    struct fixture *fixture = *state;
    const struct counterexample_step steps[] = {
        {.actor = "user", .detail = "creates", .object = "C/d/a", CAUSES(0), .outside = true},
        {.actor = "user", .detail = "deletes", .object = "C/d/a", CAUSES(1), .outside = true},
        {.actor = "user", .detail = "creates", .object = "C/d/a", CAUSES(2), .outside = true},
        {.actor = "controller", .detail = "creates the set", .object = "S/d/a", CAUSES(1)},
        {.actor = "controller", .detail = "changes the set", .object = "S/d/a", CAUSES(3, 4)},
    };
    const struct counterexample run = {"check", "never shrinks", steps, 5};
    change_add_counterexample(&fixture->graph, &run);
    const struct change_graph *graph = &fixture->graph;
    assert_int_equal(graph->spans.count, 5); /* nothing goes back to the start */
    assert_int_equal(roots_in(graph), 3);
    const struct change_span *spans = graph->spans.items;
    assert_true(spans[0].root && spans[1].root && spans[2].root && !spans[3].root);
    /* The first write knows of the first creation alone. */
    assert_true(goes_back(graph, &spans[3].cpid, &spans[0].cpid));
    assert_false(goes_back(graph, &spans[3].cpid, &spans[1].cpid));
    for (uint32_t i = 0; i < 3; i++)
        assert_true(goes_back(graph, &spans[4].cpid, &spans[i].cpid));
    assert_int_equal(spans[4].cause_count, 2);
    assert_int_equal(spans[4].causes[0].span, 2);
    assert_int_equal(spans[4].causes[1].span, 3);
    assert_string_equal(spans[4].failure, "violation: never shrinks");
    assert_null(spans[3].failure);
    assert_string_equal(spans[3].object.kind, "S");
    assert_int_equal(spans[4].step, 5);
}

static void what_nobody_caused_comes_from_the_start(void **state)
{
    struct fixture *fixture = *state;
    const struct counterexample_step steps[] = {
        {.actor = "Deployment", .detail = "creates", .object = "ReplicaSet/d/a", CAUSES(0)},
        {.actor = "world", .detail = "node fails", .object = "Node/n", CAUSES(0), .outside = true},
        {.actor = "taint-manager", .detail = "evicts", .object = "Pod/d/a-1", CAUSES(1, 2)},
    };
    const struct counterexample run = {"check", "noEvictionLoop", steps, 3};
    change_add_counterexample(&fixture->graph, &run);
    /* A second run of the same names is another one. */
    change_add_counterexample(&fixture->graph, &run);
    const struct change_graph *graph = &fixture->graph;
    assert_int_equal(graph->spans.count, 8);
    assert_int_equal(roots_in(graph), 4);
    const struct change_span *spans = graph->spans.items;
    assert_string_equal(spans[0].service, "manifests");
    assert_true(fathom_trace_id_equal(&spans[1].cpid, &spans[0].cpid));
    assert_false(goes_back(graph, &spans[2].cpid, &spans[0].cpid));
    assert_true(goes_back(graph, &spans[3].cpid, &spans[0].cpid));
    assert_true(goes_back(graph, &spans[3].cpid, &spans[2].cpid));
    assert_false(fathom_trace_id_equal(&spans[0].cpid, &spans[4].cpid));
    assert_int_equal(spans[7].causes[0].span, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_step_goes_back_to_its_own_roots, begin, end),
        cmocka_unit_test_setup_teardown(what_nobody_caused_comes_from_the_start, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
