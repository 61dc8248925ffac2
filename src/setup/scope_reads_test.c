/* SPDX-License-Identifier: Apache-2.0 */
/* What plugins say they read is kept of nodes, and nothing else; of a plugin that
 * says nothing everything is kept. */
#include "setup/scope_reads.h"

#include "decide/scheduler/plugin.h"
#include "decide/scheduler/plugin_reads.h"
#include "object/arena_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct label disk_label[] = {{"disk", "ssd"}};
static struct label node_labels[] = {
    {"kubernetes.io/hostname", "n1"}, {"disk", "ssd"}, {"colour", "red"}};
static struct label notes[] = {{"note", "mine"}};

static struct node node_with_labels(void)
{
    return (struct node){
        .meta = {.name = "n1", .labels = {node_labels, 3}, .annotations = {notes, 1}},
    };
}

/* A plugin of the registry, or one that does not say what it reads. */
static struct reads reads_of(const struct plugin *plugin, const struct pod_spec *spec)
{
    struct reads reads;
    reads_init(&reads, &arena);
    plugin_reads_incoming(plugin, &reads, spec);
    return reads;
}

static void every_plugin_says_what_it_reads(void **state)
{
    (void)state;
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if (!plugin_registry[i]->reads)
            fail_msg("%s does not say what it reads", plugin_registry[i]->name);
}

static void what_a_plugin_reads_is_kept(void **state)
{
    (void)state;
    const struct pod_spec spec = {.node_selector = {disk_label, 1}};
    const struct node node = node_with_labels();
    const struct reads reads = reads_of(&plugin_node_affinity, &spec);
    const struct node *slice = reads_slice_node(&reads, &node);
    assert_non_null(labels_find(&slice->meta.labels, "disk"));
    assert_null(labels_find(&slice->meta.labels, "colour"));
    assert_int_equal(slice->meta.annotations.count, 0);
    assert_false(node_mentions_has(&reads.mentions, &node));
}

static void a_silent_plugin_reads_everything(void **state)
{
    (void)state;
    const struct plugin silent = {.name = "Silent"};
    const struct pod_spec spec = {0};
    const struct pod pod = {0};
    const struct node node = node_with_labels();
    const struct reads reads = reads_of(&silent, &spec);
    const struct node *slice = reads_slice_node(&reads, &node);
    assert_int_equal(slice->meta.labels.count, 3);
    assert_int_equal(slice->meta.annotations.count, 1);
    assert_true(reads_has_image(&reads, "web:1"));
    assert_true(reads_has_resource(&reads, "example.com/gpu"));
    assert_true(reads_has_pod_label(&reads, "app"));
    assert_true(node_mentions_has(&reads.mentions, &node));
    assert_true(plugin_looks_at(&silent, NULL, &pod, &pod));
}

static void pods_are_looked_at_by_those_who_say_so(void **state)
{
    (void)state;
    struct container_port port = {.container_port = 80, .host_port = 80};
    struct container container = {.ports = &port, .port_count = 1};
    const struct pod plain = {0};
    const struct pod with_port = {.spec = {.containers = &container, .container_count = 1}};
    struct volume disk = {.name = "v", .source = VOLUME_EPHEMERAL_CLAIM};
    const struct pod with_volume = {.spec = {.volumes = &disk, .volume_count = 1}};
    assert_false(plugin_looks_at(&plugin_node_ports, NULL, &plain, &with_port));
    assert_false(plugin_looks_at(&plugin_node_ports, NULL, &with_port, &plain));
    assert_true(plugin_looks_at(&plugin_node_ports, NULL, &with_port, &with_port));
    assert_true(plugin_looks_at(&plugin_volume_restrictions, NULL, &with_volume, &with_volume));
    assert_false(plugin_looks_at(&plugin_node_resources_fit, NULL, &with_port, &with_port));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plugin_says_what_it_reads),
        cmocka_unit_test(what_a_plugin_reads_is_kept),
        cmocka_unit_test(a_silent_plugin_reads_everything),
        cmocka_unit_test(pods_are_looked_at_by_those_who_say_so),
    };
    return cmocka_run_group_tests_name("scope reads", tests, set_up, tear_down);
}
