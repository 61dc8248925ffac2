/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No node has less of a lead than it is said to have at least (lead.h).
 *
 * In random clusters a pod is placed twice: once with all pods, node by node, and once without
 * those of others, with equal nodes as one entry. Whatever scores the first decision gives to two
 * nodes, the second one must have said no more of the distance, for each plugin and in total:
 * whether it knows what others hold on the node behind, about what they hold, or nothing of it.
 */
#include "decide/scheduler/folding.h"
#include "decide/scheduler/lead.h"
#include "decide/scheduler/rule_cases.h"
#include "decide/scheduler/scheduler_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CLUSTERS = 4000, NODES_MOST = 7, OTHERS_MOST = 10 };

struct totals {
    uint32_t pairs;
    uint32_t ahead;       /* pairs of which one is surely ahead */
    uint32_t exact;       /* scores of plugins that are exactly what was said */
    uint32_t loose;       /* and those that are not */
    uint32_t turned_down; /* nodes that others have filled */
};

/* ---- random clusters ---- */

struct random_cluster {
    struct text text;
    uint64_t seed;
    uint32_t nodes;
};

static uint32_t below(struct random_cluster *cluster, uint32_t most)
{
    return scheduler_case_random(&cluster->seed, most);
}

static bool once_in(struct random_cluster *cluster, uint32_t times)
{
    return below(cluster, times) == 0;
}

#define PICK(cluster, items) ((items)[below((cluster), sizeof(items) / sizeof((items)[0]))])

static void add_node(struct random_cluster *cluster, uint32_t number)
{
    static const char *const cpu[] = {"2", "4", "8", "3900m"};
    static const char *const memory[] = {"4Gi", "8Gi", "15Gi"};
    struct text *text = &cluster->text;
    text_printf(text, "{apiVersion: v1, kind: Node, metadata: {name: n%u, labels: {", number);
    text_printf(text, "kubernetes.io/hostname: n%u", number);
    if (!once_in(cluster, 8))
        text_printf(text, ", topology.kubernetes.io/zone: z%u", below(cluster, 3));
    if (!once_in(cluster, 4))
        text_printf(text, ", rack: r%u", below(cluster, 3));
    if (once_in(cluster, 2))
        text_printf(text, ", disk: d%u", below(cluster, 2));
    text_printf(text, "}}, spec: {taints: [");
    for (uint32_t t = 0; t < 3; t++)
        if (once_in(cluster, 4))
            text_printf(text, "{key: t%u, value: v, effect: PreferNoSchedule}, ", t);
    text_printf(text, "]}, status: {allocatable: {cpu: %s, memory: %s, pods: '8'",
                PICK(cluster, cpu), PICK(cluster, memory));
    if (once_in(cluster, 2))
        text_printf(text, ", ephemeral-storage: 20Gi");
    if (once_in(cluster, 2))
        text_printf(text, ", example.org/gpu: '%u'", 2 + below(cluster, 3));
    text_printf(text, "}");
    if (once_in(cluster, 3))
        text_printf(text, ", images: [{names: ['i:latest'], sizeBytes: %u}]",
                    300000000 + 100000000 * below(cluster, 9));
    text_printf(text, "}}" END);
}

static void add_container(struct random_cluster *cluster)
{
    static const char *const requests[] = {
        "",
        "cpu: 100m",
        "memory: 500Mi",
        "cpu: 300m, memory: 300Mi",
        "cpu: '1', memory: 1Gi",
        "cpu: 1500m, memory: 300Mi",
        "cpu: 200m, memory: 3Gi",
        "cpu: 250m, memory: 1Gi, example.org/gpu: '1'}, limits: {example.org/gpu: '1'",
        "cpu: 100m, memory: 100Mi, ephemeral-storage: 4Gi",
    };
    text_printf(&cluster->text, "{name: c, image: i, resources: {requests: {%s}}}",
                PICK(cluster, requests));
}

static void add_preference(struct random_cluster *cluster, const char *kind)
{
    static const char *const keys[] = {"kubernetes.io/hostname", "topology.kubernetes.io/zone",
                                       "rack"};
    text_printf(&cluster->text,
                "%s: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: %u, "
                "podAffinityTerm: {topologyKey: %s, labelSelector: {matchLabels: {app: a}}}}]}, ",
                kind, 1 + below(cluster, 100), PICK(cluster, keys));
}

static void add_affinity(struct random_cluster *cluster, bool of_nodes)
{
    text_printf(&cluster->text, ", affinity: {");
    if (of_nodes && once_in(cluster, 2)) {
        text_printf(&cluster->text,
                    "nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [");
        for (uint32_t d = 0; d < 2; d++)
            text_printf(&cluster->text,
                        "{weight: %u, preference: {matchExpressions: [{key: disk, operator: In, "
                        "values: [d%u]}]}}, ",
                        1 + below(cluster, 60), d);
        text_printf(&cluster->text, "]}, ");
    }
    if (once_in(cluster, 3))
        add_preference(cluster, "podAffinity");
    if (once_in(cluster, 3))
        add_preference(cluster, "podAntiAffinity");
    text_printf(&cluster->text, "}");
}

/* Others fill a node for pods that request something. */
static void fill_node(struct random_cluster *cluster, uint32_t node)
{
    text_printf(&cluster->text,
                "{apiVersion: v1, kind: Pod, metadata: {name: other-of-n%u, labels: {app: b}}, "
                "spec: {containers: [{name: c, image: i, resources: {requests: {%s}}}], nodeName: "
                "n%u}, status: {phase: Running, startTime: '2026-01-01T00:00:00Z'}}" END,
                node, once_in(cluster, 2) ? "cpu: '8'" : "memory: 15Gi", node);
}

/* A pod that is on a node. */
static void add_placed(struct random_cluster *cluster, const char *name, uint32_t number, bool own)
{
    struct text *text = &cluster->text;
    text_printf(text, "{apiVersion: v1, kind: Pod, metadata: {name: %s%u, labels: {app: %s}", name,
                number, own && !once_in(cluster, 5) ? "a" : "b");
    if (once_in(cluster, 8))
        text_printf(text, ", deletionTimestamp: '2026-01-01T00:00:00Z', "
                          "deletionGracePeriodSeconds: 30");
    text_printf(text, "}, spec: {containers: [");
    add_container(cluster);
    text_printf(text, "]");
    if (own && once_in(cluster, 4))
        add_affinity(cluster, false);
    text_printf(
        text,
        ", nodeName: n%u}, status: {phase: Running, startTime: '2026-01-01T00:00:%02uZ'}}" END,
        below(cluster, cluster->nodes), number);
}

static void add_constraints(struct random_cluster *cluster)
{
    static const char *const keys[] = {"kubernetes.io/hostname", "topology.kubernetes.io/zone",
                                       "rack"};
    text_printf(&cluster->text, ", topologySpreadConstraints: [");
    for (uint32_t k = 0; k < 3; k++)
        if (once_in(cluster, 2))
            text_printf(&cluster->text,
                        "{maxSkew: %u, topologyKey: %s, whenUnsatisfiable: %s, labelSelector: "
                        "{matchLabels: {app: a}}}, ",
                        1 + below(cluster, 4), keys[k],
                        once_in(cluster, 6) ? "DoNotSchedule" : "ScheduleAnyway");
    text_printf(&cluster->text, "]");
}

static void add_incoming(struct random_cluster *cluster)
{
    text_printf(&cluster->text,
                "{apiVersion: v1, kind: Pod, metadata: {name: new, labels: {app: a}}, spec: "
                "{containers: [");
    add_container(cluster);
    if (once_in(cluster, 4))
        text_printf(&cluster->text, ", {name: d, image: j}");
    text_printf(&cluster->text, "], tolerations: [");
    if (once_in(cluster, 2))
        text_printf(&cluster->text, "{key: t0, operator: Exists}");
    text_printf(&cluster->text, "]");
    if (once_in(cluster, 2))
        add_affinity(cluster, true);
    if (!once_in(cluster, 3))
        add_constraints(cluster);
    text_printf(&cluster->text, "}}" END);
    if (!once_in(cluster, 3))
        text_printf(&cluster->text,
                    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: "
                    "{app: a}, ports: [{port: 80}]}}" END);
}

static void add_weights(struct random_cluster *cluster)
{
    static const char *const names[] = {"TaintToleration",   "NodeAffinity",
                                        "PodTopologySpread", "InterPodAffinity",
                                        "NodeResourcesFit",  "NodeResourcesBalancedAllocation",
                                        "ImageLocality"};
    text_printf(&cluster->text, ", plugins: {score: {disabled: [{name: '*'}], enabled: [");
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (!once_in(cluster, 4))
            text_printf(&cluster->text, "{name: %s, weight: %u}, ", names[i],
                        1 + below(cluster, 5));
    text_printf(&cluster->text, "]}}");
}

static void add_profile(struct random_cluster *cluster)
{
    static const char *const strategies[] = {
        "type: LeastAllocated",
        "type: LeastAllocated, resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}, "
        "{name: example.org/gpu, weight: 2}, {name: ephemeral-storage, weight: 1}]",
        "type: MostAllocated",
        "type: MostAllocated, resources: [{name: memory, weight: 5}]",
        "type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 0, "
        "score: 2}, {utilization: 60, score: 10}, {utilization: 100, score: 0}]}, resources: "
        "[{name: cpu, weight: 1}, {name: memory, weight: 1}]",
    };
    static const char *const balanced[] = {
        "[{name: cpu, weight: 1}, {name: memory, weight: 1}]",
        "[{name: memory, weight: 1}]",
        "[{name: cpu, weight: 1}, {name: memory, weight: 1}, {name: example.org/gpu, weight: 1}, "
        "{name: ephemeral-storage, weight: 1}]",
        "[{name: memory, weight: 1}, {name: ephemeral-storage, weight: 1}]",
    };
    text_printf(&cluster->text,
                "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, "
                "profiles: [{schedulerName: default-scheduler");
    if (once_in(cluster, 2))
        add_weights(cluster);
    text_printf(&cluster->text,
                ", pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {%s}}}, "
                "{name: NodeResourcesBalancedAllocation, args: {resources: %s}}",
                PICK(cluster, strategies), PICK(cluster, balanced));
    if (once_in(cluster, 2))
        text_printf(&cluster->text, ", {name: InterPodAffinity, args: {hardPodAffinityWeight: %u}}",
                    below(cluster, 50));
    if (once_in(cluster, 2))
        text_printf(&cluster->text,
                    ", {name: PodTopologySpread, args: {defaultingType: List, "
                    "defaultConstraints: [{maxSkew: %u, topologyKey: rack, whenUnsatisfiable: "
                    "ScheduleAnyway}]}}",
                    1 + below(cluster, 3));
    text_printf(&cluster->text, "]}]}" END);
}

static void make_cluster(struct random_cluster *cluster)
{
    text_reset(&cluster->text);
    cluster->nodes = 2 + below(cluster, NODES_MOST - 1);
    for (uint32_t n = 0; n < cluster->nodes; n++)
        add_node(cluster, n);
    const uint32_t own = below(cluster, 6);
    for (uint32_t p = 0; p < own; p++)
        add_placed(cluster, "own", p, true);
    const uint32_t others = below(cluster, OTHERS_MOST + 1);
    for (uint32_t p = 0; p < others; p++)
        add_placed(cluster, "other", p, false);
    const bool fill = once_in(cluster, 2);
    for (uint32_t n = 0; fill && n < cluster->nodes; n++)
        if (once_in(cluster, 2))
            fill_node(cluster, n);
    add_incoming(cluster);
    if (!once_in(cluster, 3))
        add_profile(cluster);
}

/* ---- two decisions ---- */

struct placing {
    struct catalog *catalog;
    struct view view;
    struct scheduler *scheduler;
    const struct decision *decision;
};

static bool is_other(const struct object *object)
{
    return object->kind == OBJECT_POD && strncmp(object->meta->name, "other", 5) == 0;
}

static const struct pod *find_incoming(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD &&
            strcmp(objects->items[i].meta->name, "new") == 0)
            return objects->items[i].as.pod;
    fail_msg("there is no new pod");
    return NULL;
}

/* What the others hold on a node, as scores count, or as they request. */
static struct beside held_on(struct catalog *catalog, const struct objects *objects,
                             const char *node, bool as_requested)
{
    struct beside held = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (!is_other(object) || strcmp(object->as.pod->spec.node_name, node) != 0)
            continue;
        const struct pod_shape *shape =
            catalog->pods.items[class_of_pod(catalog, object->as.pod)]->shape;
        held.cpu_milli += as_requested ? shape->requests.cpu_milli : shape->nonzero_cpu_milli;
        held.memory += as_requested ? shape->requests.memory : shape->nonzero_memory;
    }
    return held;
}

/* What is known of the others: on the node ahead at most this, and on the one behind between these.
 */
struct knowledge {
    struct beside ahead;
    bool knows_behind;
    struct beside least;
    struct beside most;
};

enum { NOTHING, ABOUT, EXACTLY, KNOWLEDGES };

static struct knowledge knowledge_of(uint32_t how, struct beside ahead, struct beside least,
                                     struct beside most)
{
    struct knowledge known = {ahead, how != NOTHING, least, most};
    if (how == ABOUT) {
        known.least = (struct beside){least.cpu_milli / 4, least.memory / 4};
        known.most =
            (struct beside){most.cpu_milli + most.cpu_milli / 4, most.memory + most.memory / 4};
    }
    return known;
}

/* The least lead by the plugin's own account, weighed. */
static int64_t lead_of(const struct scheduler *scheduler, uint32_t place, uint32_t ahead,
                       uint32_t behind, const struct knowledge *known)
{
    const struct plan *plan = scheduler->cycle.plan;
    const struct plugin *plugin = plan->profile->scores[place].plugin;
    const struct lead lead = {.plugin = plugin,
                              .part = plan->score_parts[place],
                              .cycle = &scheduler->cycle,
                              .place = place,
                              .ahead = ahead,
                              .behind = behind,
                              .beside = plugin->lead_beside ? &known->ahead : NULL,
                              .behind_least = known->knows_behind ? &known->least : NULL,
                              .behind_most = known->knows_behind ? &known->most : NULL};
    int64_t points = 0;
    if (lead.part->scores)
        points = plugin->lead_beside ? plugin->lead_beside(&lead)
                 : plugin->lead      ? plugin->lead(&lead)
                                     : -NODE_SCORE_MOST;
    return points * plan->profile->scores[place].weight;
}

static uint32_t check_pair(const struct placing *all, const struct placing *own,
                           const uint32_t nodes[2], const uint32_t entries[2],
                           const struct knowledge *known, struct totals *totals)
{
    const struct node_decision *ahead = &all->decision->nodes[nodes[0]];
    const struct node_decision *behind = &all->decision->nodes[nodes[1]];
    const struct profile *profile = own->decision->plan->profile;
    int64_t total = 0;
    uint32_t wrong = 0;
    for (uint32_t s = 0; s < profile->score_count; s++) {
        const int64_t said = lead_of(own->scheduler, s, entries[0], entries[1], known);
        const int64_t found = ahead->scores[s] - behind->scores[s];
        total += said;
        totals->exact += said == found;
        totals->loose += said != found;
        if (found < said && wrong++ == 0)
            print_message("%s leads by %lld, and is said to lead by %lld\n",
                          profile->scores[s].plugin->name, (long long)found, (long long)said);
    }
    const int64_t beside =
        known->knows_behind
            ? scheduler_lead_between(own->scheduler, entries[0], entries[1], &known->ahead,
                                     &known->least, &known->most)
            : scheduler_lead_beside(own->scheduler, entries[0], entries[1], &known->ahead);
    const int64_t sum = scheduler_lead(own->scheduler, entries[0], entries[1], NULL) + beside;
    totals->pairs++;
    totals->ahead += sum > 0;
    return wrong + (sum != total || ahead->total - behind->total < sum);
}

static const char *name_of(const struct placing *all, uint32_t node)
{
    const struct node_config *config = all->catalog->configs.items[all->view.nodes[node].config];
    return config->template->node->meta.name;
}

static uint32_t check_nodes(const struct objects *objects, const struct placing *all,
                            const struct placing *own, const uint32_t nodes[2],
                            const uint32_t entries[2], struct totals *totals)
{
    const struct beside ahead = held_on(all->catalog, objects, name_of(all, nodes[0]), false);
    const struct beside least = held_on(all->catalog, objects, name_of(all, nodes[1]), true);
    const struct beside most = held_on(all->catalog, objects, name_of(all, nodes[1]), false);
    uint32_t wrong = 0;
    for (uint32_t how = NOTHING; how < KNOWLEDGES; how++) {
        const struct knowledge known = knowledge_of(how, ahead, least, most);
        wrong += check_pair(all, own, nodes, entries, &known, totals);
    }
    return wrong;
}

static uint32_t check_pairs(const struct objects *objects, const struct placing *all,
                            const struct placing *own, const struct folding *folding,
                            struct totals *totals)
{
    uint32_t wrong = 0;
    for (uint32_t a = 0; a < all->view.node_count; a++) {
        const uint32_t entry = folding->entry_of_node[a];
        const bool fits = all->decision->nodes[a].verdict.code == VERDICT_FEASIBLE;
        const bool fits_alone = own->decision->nodes[entry].verdict.code == VERDICT_FEASIBLE;
        wrong += fits && !fits_alone;
        totals->turned_down += !fits && fits_alone;
        if (!fits)
            continue;
        for (uint32_t b = 0; b < all->view.node_count; b++)
            if (folding->entry_of_node[b] != entry &&
                all->decision->nodes[b].verdict.code == VERDICT_FEASIBLE)
                wrong += check_nodes(objects, all, own, (uint32_t[]){a, b},
                                     (uint32_t[]){entry, folding->entry_of_node[b]}, totals);
    }
    return wrong;
}

static uint32_t check_cluster(struct arena *arena, struct random_cluster *cluster,
                              struct totals *totals)
{
    const struct features features = features_of_version(
        FEATURES_MINOR_FIRST + (int)below(cluster, FEATURES_MINOR_LAST - FEATURES_MINOR_FIRST + 1));
    struct objects objects = {0};
    rule_objects(arena, text_content(&cluster->text), &objects);
    const struct profiles profiles = rule_profiles(arena, &objects);
    const struct pod *incoming = find_incoming(&objects);
    struct objects alone = {.items = ARENA_ARRAY(arena, struct object, objects.count + 1)};
    for (uint32_t i = 0; i < objects.count; i++)
        if (!is_other(&objects.items[i]))
            alone.items[alone.count++] = objects.items[i];
    struct placing all = {.catalog = catalog_create(arena, &features)};
    catalog_surround(all.catalog, &objects);
    all.view = view_of_objects(arena, all.catalog, &objects);
    all.scheduler = scheduler_create(arena, all.catalog, &profiles);
    struct placing own = {.catalog = catalog_create(arena, &features)};
    catalog_surround(own.catalog, &alone);
    const struct folding folding = fold_objects(arena, own.catalog, &alone, incoming);
    own.view = folding.view;
    own.scheduler = scheduler_create(arena, own.catalog, &profiles);
    all.decision =
        scheduler_decide(all.scheduler, &all.view, class_of_pod(all.catalog, incoming), VIEW_NONE);
    own.decision =
        scheduler_decide(own.scheduler, &own.view, class_of_pod(own.catalog, incoming), VIEW_NONE);
    const uint32_t wrong = check_pairs(&objects, &all, &own, &folding, totals);
    scheduler_release(all.scheduler);
    scheduler_release(own.scheduler);
    return wrong;
}

static void leads_are_never_less_than_said(void **state)
{
    struct memory memory;
    struct random_cluster cluster;
    struct totals totals = {0};
    const char *count = getenv("FATHOM_LEADS");
    const char *first = getenv("FATHOM_LEADS_FIRST");
    const uint64_t begin = first ? strtoull(first, NULL, 10) : 1;
    uint32_t wrong = 0;
    (void)state;
    memory_init(&memory, SIZE_MAX);
    text_init(&cluster.text, &memory);
    for (uint64_t i = begin; i < begin + (count ? strtoull(count, NULL, 10) : CLUSTERS); i++) {
        struct arena arena;
        arena_init(&arena, &memory);
        cluster.seed = i * 1000003;
        make_cluster(&cluster);
        const uint32_t found = check_cluster(&arena, &cluster, &totals);
        if (found > 0 && wrong == 0)
            print_message("cluster %llu:\n%s", (unsigned long long)i, text_content(&cluster.text));
        wrong += found;
        arena_release(&arena);
    }
    text_release(&cluster.text);
    print_message("%u pairs, %u of them with one ahead for sure; %u scores are exactly what was "
                  "said, %u are more; %u nodes filled by others\n",
                  totals.pairs, totals.ahead, totals.exact, totals.loose, totals.turned_down);
    assert_int_equal(wrong, 0);
    /* What is said is not too little to be of use. */
    assert_true(totals.ahead * 8 > totals.pairs && totals.exact > totals.loose);
    assert_true(totals.turned_down * 20 * KNOWLEDGES > totals.pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(leads_are_never_less_than_said)};
    return cmocka_run_group_tests_name("lead_property", tests, NULL, NULL);
}
