/* SPDX-License-Identifier: Apache-2.0 */
/* The judge judged: the naive engine gives the known answers of the zoo. */
#include "explore/zoo/zoo_known.h"
#include "explore/zoo/zoo_test.h"
#include "naive/naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void naive_counts_are_the_known_ones(void **state)
{
    (void)state;
    for (const struct zoo_count *known = zoo_counts; known->model; known++) {
        struct bench bench;
        bench_init(&bench);
        const struct model *model = bench_model(&bench, known->model);
        assert_non_null(model);
        struct naive_graph graph;
        naive_explore(&graph, &bench.arena, model);
        assert_int_equal(graph.states.count, known->states);
        assert_int_equal(graph.edges.count, known->transitions);
        assert_int_equal(graph.depth, known->depth);
        assert_int_equal(bench_release(&bench), 0);
    }
}

static void judge(const char *line, const char *property, bool unfair, bool violated, int length)
{
    struct bench bench;
    bench_init(&bench);
    const struct model *model = bench_model(&bench, line);
    assert_non_null(model);
    model = zoo_with_property(&bench.arena, model, property, unfair);
    assert_non_null(model);
    struct naive_graph graph;
    naive_explore(&graph, &bench.arena, model);
    const struct naive_answer answer = naive_judge(&graph, model->properties);
    if (answer.violated != violated)
        fail_msg("%s: %s%s", line, property, unfair ? " without fairness" : "");
    if (length != ZOO_ANY_LENGTH)
        assert_int_equal(answer.length, length);
    assert_int_equal(bench_release(&bench), 0);
}

static void naive_verdicts_are_the_known_ones(void **state)
{
    (void)state;
    for (const struct zoo_verdict *known = zoo_verdicts; known->model; known++) {
        judge(known->model, known->property, false, known->fair == VERDICT_VIOLATED, known->length);
        judge(known->model, known->property, true, known->unfair == VERDICT_VIOLATED,
              known->length);
    }
}

static void naive_judges_the_fairness_zoo_as_by_hand(void **state)
{
    (void)state;
    for (size_t cage = 0; zoo_cages[cage].model; cage++)
        for (size_t form = 0; zoo_forms[form]; form++)
            for (size_t unfair = 0; unfair < 2; unfair++)
                judge(zoo_cages[cage].model, zoo_forms[form], unfair,
                      zoo_cages[cage].expected[3 * form + unfair] == 'V', ZOO_ANY_LENGTH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_counts_are_the_known_ones),
        cmocka_unit_test(naive_verdicts_are_the_known_ones),
        cmocka_unit_test(naive_judges_the_fairness_zoo_as_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
