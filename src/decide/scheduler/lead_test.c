/* SPDX-License-Identifier: Apache-2.0 */
/* Leads worked out by hand, for each plugin. */
#include "decide/scheduler/lead.h"
#include "decide/scheduler/rule_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TAINT(key)    "{key: " key ", value: v, effect: PreferNoSchedule}"
#define NEW           POD("new", "", "1", "")
#define OLD(name, on) POD(name, ", labels: {app: a}", "1", RUNNING(on, "01"))
#define PREFERS(one, two)                                                                        \
    POD("new", "", "1",                                                                          \
        ", affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "          \
        "[{weight: " one ", preference: {matchExpressions: [{key: disk, operator: In, values: "  \
        "[d1]}]}}, {weight: " two ", preference: {matchExpressions: [{key: disk, operator: In, " \
        "values: [d2]}]}}]}}")
#define SHUNS                                                                                  \
    POD("new", ", labels: {app: a}", "1",                                                      \
        ", affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "     \
        "[{weight: 10, podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: " \
        "{matchLabels: {app: a}}}}]}}")
#define ANYWAY(skew)                                                                             \
    POD("new", ", labels: {app: a}", "1",                                                        \
        ", topologySpreadConstraints: [{maxSkew: " skew                                          \
        ", topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway" SELECT_A \
        "}]")
#define ZONE(name, zone) NODE(name, ", topology.kubernetes.io/zone: " zone, "4", "")
#define SERVICE                                                                               \
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: a}, ports: " \
    "[{port: 80}]}}" END
#define STRATEGY(text)                                                                            \
    PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {" text "}}}, "      \
            "{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 1}, " \
            "{name: memory, weight: 1}, {name: ephemeral-storage, weight: 1}]}}]")

static const int64_t GIB = INT64_C(1024) * 1024 * 1024;
static const struct beside nothing = {0, 0};
static const struct beside anything = {INT64_MAX - 1, INT64_MAX - 1};

struct led {
    struct memory memory;
    struct arena arena;
    struct profiles profiles;
    struct view view;
    struct scheduler *scheduler;
    uint32_t pod;
};

/* Places the pod `new`. */
static void begin_by(struct led *led, const char *manifests, int version)
{
    struct objects objects = {0};
    const struct features features = features_of_version(version);
    memory_init(&led->memory, SIZE_MAX);
    arena_init(&led->arena, &led->memory);
    rule_objects(&led->arena, manifests, &objects);
    struct catalog *catalog = catalog_create(&led->arena, &features);
    catalog_surround(catalog, &objects);
    led->view = view_of_objects(&led->arena, catalog, &objects);
    led->profiles = rule_profiles(&led->arena, &objects);
    led->scheduler = scheduler_create(&led->arena, catalog, &led->profiles);
    for (uint32_t p = 0; p < catalog->pods.count; p++)
        if (strcmp(catalog->pods.items[p]->pod->meta.name, "new") == 0)
            led->pod = p;
    assert_non_null(scheduler_decide(led->scheduler, &led->view, led->pod, VIEW_NONE));
}

static void begin(struct led *led, const char *manifests)
{
    begin_by(led, manifests, 26);
}

static void end(struct led *led)
{
    scheduler_release(led->scheduler);
    arena_release(&led->arena);
}

/* By so many points the first node leads at least, as the plugin says. */
static int64_t lead_in(const struct led *led, const struct plugin *plugin, const char *ahead,
                       const char *behind, const struct beside *beside)
{
    const struct plan *plan = led->scheduler->cycle.plan;
    uint32_t place = 0;
    while (plan->profile->scores[place].plugin != plugin)
        place++;
    const struct lead lead = {.plugin = plugin,
                              .part = plan->score_parts[place],
                              .cycle = &led->scheduler->cycle,
                              .place = place,
                              .ahead = view_find_node(&led->view, ahead),
                              .behind = view_find_node(&led->view, behind),
                              .beside = beside};
    return plugin->lead ? plugin->lead(&lead) : plugin->lead_beside(&lead);
}

static int64_t lead(const struct led *led, const struct plugin *plugin, const char *ahead,
                    const char *behind)
{
    return lead_in(led, plugin, ahead, behind, NULL);
}

/* The node with the most taints may be among those that are compared, or not. */
static void taints(void **state)
{
    const struct plugin *plugin = &plugin_taint_toleration;
    struct led led;
    (void)state;
    begin(&led, NODE_SPEC("n1", "", "") NODE_SPEC("n2", "", "taints: [" TAINT("a") "]")
                    NODE_SPEC("n3", "", "taints: [" TAINT("a") ", " TAINT("b") "]") NEW);
    assert_int_equal(lead(&led, plugin, "n1", "n2"), 50);
    assert_int_equal(lead(&led, plugin, "n1", "n3"), 100);
    assert_int_equal(lead(&led, plugin, "n2", "n3"), 50);
    assert_int_equal(lead(&led, plugin, "n2", "n1"), -100);
    assert_int_equal(lead(&led, plugin, "n3", "n2"), -50);
    end(&led);
}

static void preferred_nodes(void **state)
{
    const struct plugin *plugin = &plugin_node_affinity;
    struct led led;
    (void)state;
    begin(&led, NODE("n1", ", disk: d1", "4", "") NODE("n2", ", disk: d2", "4", "")
                    NODE("n3", "", "4", "") PREFERS("20", "30"));
    assert_int_equal(lead(&led, plugin, "n2", "n1"), 33);
    assert_int_equal(lead(&led, plugin, "n1", "n3"), 66);
    assert_int_equal(lead(&led, plugin, "n1", "n2"), -34);
    assert_int_equal(lead(&led, plugin, "n3", "n1"), -100);
    end(&led);
}

/* A point may be lost to rounding, but not between the lowest and the highest. */
static void preferred_pods(void **state)
{
    const struct plugin *plugin = &plugin_inter_pod_affinity;
    struct led led;
    (void)state;
    begin(&led, NODE("n1", "", "4", "") NODE("n2", "", "4", "") NODE("n3", "", "4", "")
                    OLD("o1", "n1") OLD("o2", "n2") OLD("o3", "n2") SHUNS);
    assert_int_equal(lead(&led, plugin, "n3", "n2"), 100);
    assert_int_equal(lead(&led, plugin, "n3", "n1"), 49);
    assert_int_equal(lead(&led, plugin, "n1", "n2"), 49);
    assert_int_equal(lead(&led, plugin, "n1", "n3"), -100);
    end(&led);
}

/* With two zones the products are 2.77 and 1.39, with three 3.22 and 1.61: 3 and 1, or 3 and 2. */
static void spread_over_zones(void **state)
{
    const struct plugin *plugin = &plugin_pod_topology_spread;
    struct led led;
    (void)state;
    begin(&led, ZONE("n1", "a") ZONE("n2", "b") OLD("o1", "n1") OLD("o2", "n1") OLD("o3", "n2")
                    ANYWAY("1"));
    assert_int_equal(lead(&led, plugin, "n2", "n1"), 66);
    assert_int_equal(lead(&led, plugin, "n1", "n2"), -67);
    end(&led);
    begin(&led, ZONE("n1", "a") ZONE("n2", "b") ZONE("n3", "c") NODE("n4", "", "4", "")
                    OLD("o1", "n1") OLD("o2", "n1") OLD("o3", "n2") ANYWAY("1"));
    assert_int_equal(lead(&led, plugin, "n2", "n1"), 33);
    assert_int_equal(lead(&led, plugin, "n3", "n2"), 33); /* 1 of 3, or 2 of 3 */
    assert_int_equal(lead(&led, plugin, "n3", "n1"), 100);
    /* A node without the key has no points. */
    assert_int_equal(lead(&led, plugin, "n1", "n4"), 0);
    assert_int_equal(lead(&led, plugin, "n4", "n1"), -100);
    /* Without the third zone it is as before. */
    led.view.node_count = 2;
    assert_non_null(scheduler_decide(led.scheduler, &led.view, led.pod, VIEW_NONE));
    assert_int_equal(lead(&led, plugin, "n2", "n1"), 66);
    end(&led);
}

/* Nodes of one zone can be the only ones: 2 pods count 2 * log(3) = 2.2, or 2.8 with two zones.
 * The larger the skew that is allowed, the less the pods count. */
static void spread_within_a_zone(void **state)
{
    const struct plugin *plugin = &plugin_pod_topology_spread;
    struct led led;
    (void)state;
    begin(&led, ZONE("n1", "a") ZONE("n2", "a") ZONE("n3", "b") OLD("o1", "n1") OLD("o2", "n2")
                    ANYWAY("1"));
    assert_int_equal(lead(&led, plugin, "n1", "n2"), 0);
    assert_int_equal(lead(&led, plugin, "n3", "n2"), 100);
    end(&led);
    begin(&led, ZONE("n1", "a") ZONE("n2", "a") ZONE("n3", "b") OLD("o1", "n1") OLD("o2", "n2")
                    ANYWAY("4"));
    assert_int_equal(lead(&led, plugin, "n3", "n2"), 50); /* 3 of 6 */
    end(&led);
}

/* By default, over nodes and zones: 1.39 + 2 + 1.39 + 4 and 6, that is 9 and 6. With a third node
 * 1.61 + 2 + 1.39 + 4 is 9, too, and with a third zone 9 as well. */
static void spread_by_default(void **state)
{
    const struct plugin *plugin = &plugin_pod_topology_spread;
    struct led led;
    (void)state;
    begin(&led, ZONE("n1", "a") ZONE("n2", "b") ZONE("n3", "c") OLD("o1", "n1")
                    SERVICE POD("new", ", labels: {app: a}", "1", ""));
    assert_int_equal(lead(&led, plugin, "n2", "n1"), 33);
    assert_int_equal(lead(&led, plugin, "n1", "n2"), -34);
    assert_int_equal(lead(&led, plugin, "n2", "n3"), 0);
    end(&led);
}

/* Of 4 CPUs and 8 GiB the pod takes 1 and 1: 75 and 87 are left, 81 on average. */
static void least_allocated(void **state)
{
    const struct plugin *plugin = &plugin_node_resources_fit;
    struct led led;
    (void)state;
    begin(&led, NODE("n1", "", "4", "") NODE("n2", "", "4", "") OLD("o1", "n2") NEW);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &nothing), 81 - 62);
    assert_int_equal(lead_in(&led, plugin, "n2", "n1", &nothing), 62 - 81);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &(struct beside){1000, GIB}), 0);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &(struct beside){1000, 0}), 68 - 62);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &anything), -62);
    end(&led);
}

static void most_allocated(void **state)
{
    const struct plugin *plugin = &plugin_node_resources_fit;
    struct led led;
    (void)state;
    begin(&led,
          NODE("n1", "", "4", "") NODE("n2", "", "4", "") NEW STRATEGY("type: MostAllocated"));
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &nothing), 18 - 100);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &anything), 18 - 100);
    end(&led);
}

static void by_ratio(void **state)
{
    const struct plugin *plugin = &plugin_node_resources_fit;
    struct led led;
    (void)state;
    begin(&led, NODE("n1", "", "4", "") NODE("n2", "", "4", "") NEW STRATEGY(
                    "type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: "
                    "[{utilization: 0, score: 10}, {utilization: 100, score: 0}]}"));
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &nothing), -100);
    end(&led);
}

/* A quarter and an eighth are used. If others use all the CPU they deviate by 7/16, if they use all
 * memory by 3/8. */
static void balanced(void **state)
{
    const struct plugin *plugin = &plugin_node_resources_balanced_allocation;
    struct led led;
    (void)state;
    begin(&led, NODE("n1", "", "4", "") NODE("n2", "", "4", "") NEW);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &nothing), 93 - 100);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &(struct beside){4000, 0}), 56 - 100);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &(struct beside){0, 8 * GIB}), 62 - 100);
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &anything), 56 - 100);
    end(&led);
    /* Of three resources nothing is known but that they deviate by at most a half. */
    begin(&led, "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "
                "4, memory: 8Gi, ephemeral-storage: 8Gi, pods: '10'}}}" END NODE("n2", "", "4", "")
                    NEW STRATEGY("type: LeastAllocated"));
    assert_int_equal(lead_in(&led, plugin, "n1", "n2", &nothing), 49 - 100);
    assert_int_equal(lead_in(&led, plugin, "n2", "n1", &nothing), 93 - 100);
    end(&led);
}

/* By so many points the first node leads, if others hold so much on the second one. */
static int64_t lead_between(const struct led *led, const struct plugin *plugin,
                            const struct beside *least, const struct beside *most)
{
    const struct plan *plan = led->scheduler->cycle.plan;
    uint32_t place = 0;
    while (plan->profile->scores[place].plugin != plugin)
        place++;
    return plugin->lead_beside(&(struct lead){.plugin = plugin,
                                              .part = plan->score_parts[place],
                                              .cycle = &led->scheduler->cycle,
                                              .place = place,
                                              .ahead = view_find_node(&led->view, "n1"),
                                              .behind = view_find_node(&led->view, "n2"),
                                              .beside = &nothing,
                                              .behind_least = least,
                                              .behind_most = most});
}

/* Both nodes have 4 CPU and 8 GiB, and the pod requests 1 CPU and 1 GiB: a quarter, and an eighth.
 * With 2 CPU of others three quarters are used. */
static void others_behind(void **state)
{
    const struct beside two = {2000, 0};
    const struct beside three = {3000, 0};
    const struct beside balancing = {3000, 8 * GIB};
    struct led led;
    (void)state;
    begin(&led, NODE("n1", "", "4", "") NODE("n2", "", "4", "") NEW);
    const struct plugin *fit = &plugin_node_resources_fit;
    assert_int_equal(lead_between(&led, fit, NULL, NULL), 0);
    assert_int_equal(lead_between(&led, fit, &two, &three), (75 + 87) / 2 - (25 + 87) / 2);
    assert_int_equal(lead_between(&led, fit, &nothing, &three), 0);
    const struct plugin *balance = &plugin_node_resources_balanced_allocation;
    assert_int_equal(lead_between(&led, balance, NULL, NULL), 93 - 100);
    assert_int_equal(lead_between(&led, balance, &two, &three), 93 - 68);
    assert_int_equal(lead_between(&led, balance, &nothing, &three), 93 - 93);
    assert_int_equal(lead_between(&led, balance, &two, &balancing), 93 - 100);
    end(&led);
}

/* From 1.36 on the change counts: with 2 CPU of others a quarter of CPU and an eighth of memory
 * move the two apart by an eighth, at least 5 points after rounding. If others may use more memory
 * than CPU, the pod may bring them together. */
static void change_behind(void **state)
{
    const struct beside two = {2000, 0};
    const struct beside some = {0, GIB};
    const struct plugin *balance = &plugin_node_resources_balanced_allocation;
    struct led led;
    (void)state;
    begin_by(&led, NODE("n1", "", "4", "") NODE("n2", "", "4", "") NEW, 36);
    const int64_t ahead = 50 + (50 - 13) / 2;
    assert_int_equal(lead_between(&led, balance, NULL, NULL), ahead - (50 + (50 + 13) / 2));
    assert_int_equal(lead_between(&led, balance, &two, &two), ahead - (50 + (50 - 6) / 2));
    assert_int_equal(lead_between(&led, balance, &nothing, &some), ahead - (50 + (50 + 13) / 2));
    end(&led);
}

/* One of two nodes has an image of 1024 MiB, which counts one half: (512 - 23) of (1000 - 23). */
static void images(void **state)
{
    const struct plugin *plugin = &plugin_image_locality;
    struct led led;
    (void)state;
    begin(&led, NODE("n1", "", "4", ", images: [{names: ['i:latest'], sizeBytes: 1073741824}]")
                    NODE("n2", "", "4", "") NEW);
    assert_int_equal(lead(&led, plugin, "n1", "n2"), 50);
    assert_int_equal(lead(&led, plugin, "n2", "n1"), -50);
    /* In total; and if nothing is known of images. Taints, spreading and the like are equal. */
    assert_int_equal(scheduler_lead(led.scheduler, 0, 1, NULL), 50);
    assert_int_equal(scheduler_lead(led.scheduler, 0, 1, plugin), -100);
    assert_int_equal(scheduler_lead_beside(led.scheduler, 0, 1, &nothing), 93 - 100);
    end(&led);
}

/* Leads are weighed: PodTopologySpread counts twice. */
static void weights(void **state)
{
    struct led led;
    (void)state;
    begin(&led, ZONE("n1", "a") ZONE("n2", "b") OLD("o1", "n1") ANYWAY("1"));
    assert_int_equal(scheduler_lead(led.scheduler, 1, 0, NULL), 200);
    assert_int_equal(scheduler_lead_beside(led.scheduler, 1, 0, &anything), -62 + 56 - 100);
    end(&led);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taints),
        cmocka_unit_test(preferred_nodes),
        cmocka_unit_test(preferred_pods),
        cmocka_unit_test(spread_over_zones),
        cmocka_unit_test(spread_within_a_zone),
        cmocka_unit_test(spread_by_default),
        cmocka_unit_test(least_allocated),
        cmocka_unit_test(most_allocated),
        cmocka_unit_test(by_ratio),
        cmocka_unit_test(balanced),
        cmocka_unit_test(others_behind),
        cmocka_unit_test(change_behind),
        cmocka_unit_test(images),
        cmocka_unit_test(weights),
    };
    return cmocka_run_group_tests_name("lead", tests, NULL, NULL);
}
