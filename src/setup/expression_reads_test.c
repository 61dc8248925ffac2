/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes are counted and not told apart, so that an expression that asks for their host names has to
 * be noticed, however it does so. */
#include "setup/expression_reads.h"

#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
    const char *text;
    bool has_hostnames;
} cases[] = {
    {"pods.exists(p, p.node.labels['kubernetes.io/hostname'] == 'node-2')", true},
    {"nodes.exists(n, n.labels[\"kubernetes.io/\" + 'hostname'] == 'node-2')", true},
    {"nodes.all(n, n.labels.all(k, n.labels[k] != 'node-2'))", true},
    {"nodes.all(n, n.labels.exists ( k, n.labels[k] == 'node-2'))", true},
    {"nodes.all(n, n.labels.map(k, n.labels[k]).size() > 0)", true},
    {"nodes.all(n, n.labels == {'kubernetes.io/hostname': 'node-2'})", true},
    {"nodes.all(n, {'kubernetes.io/hostname': 'node-2'} == n.labels)", true},
    {"nodes.all(n, [n.labels].exists(l, l['kubernetes.io/hostname'] == 'node-2'))", true},
    {"nodes.all(n, dyn(n).labels['kubernetes.io/hostname'] == 'node-2')", true},
    {"nodes.all(n, n . labels /**/ [ 'kubernetes.io/hostname' ] == 'node-2')", true},
    {"nodes.all(n, n.labels[r'kubernetes.io/hostname'] == 'node-2')", true},
    {"nodes.all(n, n.labels['kubernetes.io\\u002fhostname'] == 'node-2')", true},
    {"nodes.all(n, 'kubernetes.io/hostname' in n.labels)", true},
    {"nodes.all(n, 'kubernetes.io/' + 'hostname' in n.labels)", true},
    {"nodes.all(n, 'zone' in n.labels && {'a': 'b'} == n.labels)", true},
    {"zones.all(z, z.nodes.all(n, n.labels['kubernetes.io/hostname'] == 'node-2'))", true},
    {"nodes.all(n, n.labels.`kubernetes.io/hostname` == 'node-2')", true},
    {"nodes.all(n, has(n . labels . `kubernetes.io/hostname`))", true},
    {"nodes.all(n, n.`labels`['kubernetes.io/hostname'] == 'node-2')", true},
    {"pods.all(p, p.`node`.`labels` == {})", true},
    {"nodes.all(n, n.labels.`topology.kubernetes.io/zone` == 'a')", false},
    {"nodes.all(n, n.`labels`.`zone` == 'a')", false},
    {"nodes.all(n, n.labels.zone == 'a')", false},
    {"nodes.all(n, n.labels['zone'] == 'a')", false},
    {"nodes.all(n, has(n.labels.zone))", false},
    {"nodes.all(n, 'zone' in n.labels && 'pool' in n.labels)", false},
    {"nodes.all(n, n.labels.size() > 1)", false},
    {"nodes.exists(n, n.ready)", false},
    /* Pods have no host names of their own. */
    {"pods.all(p, p.labels == {'app': 'web'})", false},
    {"pods.all(p, p.labels.exists(k, k == 'app'))", false},
};

/* So does what else nodes and pods are told apart by, if it is read under its name in backquotes.
 */
static void quoted_names_are_noticed(void **state)
{
    struct reads labels, resources, all;
    (void)state;
    reads_init(&labels, &arena);
    reads_add_expression(&labels, "pods.all(p, has(p.`labels`.app))");
    assert_true(labels.all_pod_labels);
    reads_init(&resources, &arena);
    reads_add_expression(&resources, "pods.all(p, 'cpu' in p.`requests`)");
    assert_true(resources.all_resources && !resources.all_pod_labels);
    reads_init(&all, &arena);
    reads_add_expression(&all, "nodes.all(n, n.`group` == 'a')");
    assert_true(all.everything);
}

static void host_names_are_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reads reads;
        reads_init(&reads, &arena);
        reads_add_expression(&reads, cases[i].text);
        if (reads.mentions.all_hostnames != cases[i].has_hostnames)
            fail_msg("%s", cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(host_names_are_noticed),
                                       cmocka_unit_test(quoted_names_are_noticed)};
    return cmocka_run_group_tests_name("expression reads", tests, set_up, tear_down);
}
