/* SPDX-License-Identifier: Apache-2.0 */
/* What the texts of expressions show of what they look at: whoever believes it leaves things out,
 * so that a wrong yes is a wrong verdict. Cases are expressions over pods and workloads as a
 * cluster has them. */
#include "expression/expression_reach.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct expression_value no_variable(void *context, struct arena *scratch)
{
    (void)context, (void)scratch;
    return expression_absent();
}

static struct expression_value no_field(void *context, struct arena *scratch,
                                        struct expression_object object)
{
    (void)context, (void)scratch, (void)object;
    return expression_absent();
}

static const struct expression_class pod_class, node_class, workload_class;
static const struct expression_type pod_type = {.kind = EXPRESSION_OBJECT, .class = &pod_class},
                                    node_type = {.kind = EXPRESSION_OBJECT, .class = &node_class},
                                    pod_bag = {.kind = EXPRESSION_BAG, .element = &pod_type},
                                    workload_type = {.kind = EXPRESSION_OBJECT,
                                                     .class = &workload_class},
                                    workload_map = {.kind = EXPRESSION_MAP,
                                                    .element = &workload_type};
static const struct expression_field pod_fields[] = {
    {"ready", &expression_bool, no_field, "ready", false},
    {"labels", &expression_map_of_string, no_field, "labels", false},
    {"node", &node_type, no_field, "its node", true},
};
static const struct expression_field node_fields[] = {
    {"pods", &pod_bag, no_field, "its pods", false},
};
static const struct expression_field workload_fields[] = {
    {"ready", &expression_int, no_field, "ready", false},
    {"pods", &pod_bag, no_field, "its pods", false},
};
#define CLASS(name, fields)                                \
    {                                                      \
        name, fields, sizeof(fields) / sizeof((fields)[0]) \
    }
static const struct expression_class pod_class = CLASS("pod", pod_fields);
static const struct expression_class node_class = CLASS("node", node_fields);
static const struct expression_class workload_class = CLASS("workload", workload_fields);
static const struct expression_variable variables[] = {
    {"pods", &pod_bag, no_variable, "pods"},
    {"workloads", &workload_map, no_variable, "workloads"},
};
static const struct expression_environment environment = {variables, 2};
static const struct expression_parting parting = {
    .bag = "pods", .map = "workloads", .beyond = "node"};

static const struct expression *compile(const char *text)
{
    struct problems problems;
    problems_init(&problems, &arena);
    const struct expression *expression = expression_compile(
        &arena, text, &environment, &expression_bool, (struct place){0}, NULL, &problems);
    if (!expression)
        fail_msg("%s: %s", text, problems.items[0].message);
    return expression;
}

static const struct {
    const char *text;
    bool each; /* true of the whole if it is of each part */
    bool some; /* false of the whole if it is of each part */
} partings[] = {
    {"pods.all(p, p.ready)", true, false},
    {"pods.exists(p, p.ready)", false, true},
    {"!pods.exists(p, !p.ready)", true, false},
    {"!pods.all(p, p.ready)", false, true},
    {"pods.filter(p, p.labels.app == 'web').all(p, has(p.node))", true, false},
    {"workloads.all(w, workloads[w].ready > 1)", true, false},
    {"workloads.filter(w, workloads[w].ready > 0).exists(v, workloads[v].ready > 1)", false, true},
    {"workloads.all(w, workloads[w].pods.filter(p, p.ready).size() >= 1)", true, false},
    {"pods.all(p, p.ready) && workloads.all(w, workloads[w].ready > 1)", true, false},
    {"pods.all(p, p.labels.all(k, k != 'x' || p.ready))", true, false},
    /* Of how many there are, or of whether there is one, parts know nothing. */
    {"pods.size() > 1", false, false},
    {"pods.filter(p, p.ready).size() >= 2", false, false},
    {"pods.exists_one(p, p.ready)", false, false},
    {"pods.all(p, p.ready) || workloads.all(w, workloads[w].ready > 1)", false, false},
    {"pods.exists(p, p.ready) && pods.exists(p, !p.ready)", false, false},
    {"pods.all(p, p.ready) ? true : false", false, false},
    /* Others are looked at from inside. */
    {"pods.all(p, p.ready || pods.exists(q, q.ready))", false, false},
    {"pods.all(p, p.node.pods.size() < 2)", false, false},
    {"pods.all(p, dyn(p).node == 1)", false, false},
    {"pods.filter(p, pods.size() > 1).all(p, p.ready)", false, false},
    {"workloads.all(w, workloads.size() > 1)", false, false},
    {"workloads.all(w, workloads['Deployment/a'].ready > 1)", false, false},
    {"workloads.all(w, workloads.exists(v, workloads[v].ready > workloads[w].ready))", false,
     false},
    {"workloads.all(w, pods.all(p, workloads[w].ready > 1))", false, false},
    {"pods.all(p, workloads['Deployment/a'].ready > 1)", false, false},
    {"workloads.all(w, ['Deployment/a'].exists(v, workloads[v].ready > 1))", false, false},
    {"workloads.map(w, workloads[w]).all(w, w.ready > 1)", false, false},
    {"[1, 2].all(x, x > 0)", false, false},
};

static void parts_decide_where_each_element_is_by_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(partings) / sizeof(partings[0]); i++) {
        const struct expression *expression = compile(partings[i].text);
        if (expression_is_of_each(expression, &parting) != partings[i].each)
            fail_msg("%s: of each", partings[i].text);
        if (expression_is_of_some(expression, &parting) != partings[i].some)
            fail_msg("%s: of some", partings[i].text);
    }
}

static void to_ask_whether_a_member_is_there_does_not_follow_it(void **state)
{
    (void)state;
    assert_false(expression_follows(compile("pods.all(p, has(p.node))"), "node"));
    assert_true(expression_follows(compile("pods.all(p, p.node.pods.size() > 1)"), "node"));
    assert_true(expression_follows(compile("pods.all(p, has(p.node.pods))"), "node"));
    assert_true(expression_follows(compile("pods.all(p, dyn(p).node == 1)"), "node"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_decide_where_each_element_is_by_itself),
        cmocka_unit_test(to_ask_whether_a_member_is_there_does_not_follow_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
