/* SPDX-License-Identifier: Apache-2.0 */
/* What the scheduler runs with when it is told nothing; the merging of plugin
 * sets and all messages are data in test/defaults and test/messages. */
#include "object/scheduler_configuration.h"

#include "manifest/manifest.h"
#include "object/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_default_configuration(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    static const char empty[] =
        "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}";
    struct documents documents = {0};
    struct objects objects = {0};
    struct problems problems;
    problems_init(&problems, &arena);
    assert_true(manifest_parse(&arena, "empty", empty, strlen(empty), &documents, &problems));
    assert_true(object_decode(&arena, &documents, NULL, &objects, &problems));
    assert_int_equal(objects.count, 1);
    const struct scheduler_configuration *configuration =
        objects.items[0].as.scheduler_configuration;
    assert_int_equal(configuration->profile_count, 1);
    assert_int_equal(configuration->percentage_of_nodes_to_score, 0);
    assert_int_equal(configuration->pod_initial_backoff_seconds, 1);
    assert_int_equal(configuration->pod_max_backoff_seconds, 10);

    const struct scheduler_profile *profile = &configuration->profiles[0];
    assert_string_equal(profile->scheduler_name, "default-scheduler");
    assert_int_equal(profile->plugins[EXTENSION_MULTI_POINT].enabled_count, 22);
    for (int point = 0; point < EXTENSION_MULTI_POINT; point++)
        assert_int_equal(profile->plugins[point].enabled_count, 0);
    assert_int_equal(profile->plugins[EXTENSION_MULTI_POINT].enabled[3].weight, 3);
    assert_string_equal(profile->plugins[EXTENSION_MULTI_POINT].enabled[3].name, "TaintToleration");

    assert_int_equal(profile->node_resources_fit.scoring_strategy, SCORING_LEAST_ALLOCATED);
    assert_int_equal(profile->node_resources_fit.resources.count, 2);
    assert_int_equal(profile->node_resources_fit.resources.items[1].weight, 1);
    assert_int_equal(profile->balanced_allocation.resources.count, 2);
    assert_int_equal(profile->pod_topology_spread.defaulting, SPREAD_DEFAULTING_SYSTEM);
    assert_int_equal(profile->inter_pod_affinity.hard_pod_affinity_weight, 1);
    assert_null(profile->node_affinity.added_affinity);
    assert_int_equal(profile->default_preemption.candidate_nodes_percentage_least, 10);
    assert_int_equal(profile->default_preemption.candidate_nodes_least, 100);
    assert_int_equal(profile->volume_binding.bind_timeout_seconds, 600);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_default_configuration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
