/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules that the recorded decisions do not show: configurations, versions after
 * 1.26, and corners of preemption and nomination.
 *
 * A case is a handful of manifests with the pending pod `new`, and what is
 * decided, in one line: each node with its total or the plugin that said no,
 * then the best nodes, then who may be evicted where.
 */
#include "decide/scheduler/scheduler.h"
#include "manifest/manifest.h"
#include "object/admission.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define END "\n---\n"
#define NODE(name, labels, cpu, rest)                                                         \
    "{apiVersion: v1, kind: Node, metadata: {name: " name                                     \
    ", labels: {kubernetes.io/hostname: " name labels "}}, status: {allocatable: {cpu: '" cpu \
    "', memory: 8Gi, pods: '10'}" rest "}}" END
#define POD(name, meta, cpu, spec)                                                \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name meta                     \
    "}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: " cpu \
    ", memory: 1Gi}}}]" spec "}}" END
#define PROFILE(text)                                                                           \
    "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: " \
    "[{" text "}]}" END
#define RUNNING(node, start) \
    ", nodeName: " node "}, status: {phase: Running, startTime: '2026-01-01T00:00:" start "Z'"

struct rule_case {
    const char *name;
    int minor;
    const char *manifests;
    const char *expected;
};

struct decided {
    struct arena *arena;
    struct text *text;
    struct catalog *catalog;
    struct view view;
};

static const char *node_name(const struct decided *decided, uint32_t entry)
{
    return decided->catalog->configs.items[decided->view.nodes[entry].config]
        ->template->node->meta.name;
}

static void summarise(struct decided *decided, const struct decision *decision,
                      const struct preemption *preemption)
{
    struct text *text = decided->text;
    if (decision->error) {
        text_printf(text, "error: %s", decision->error);
        return;
    }
    for (uint32_t i = 0; i < decision->node_count; i++) {
        const struct node_decision *node = &decision->nodes[i];
        text_printf(text, "%s%s=", i > 0 ? " " : "", node_name(decided, i));
        if (node->verdict.code == VERDICT_FEASIBLE)
            text_printf(text, "%lld", (long long)node->total);
        else
            text_append_string(text,
                               node->verdict.plugin ? node->verdict.plugin->name : "unexamined");
    }
    text_append_string(text, ";");
    for (uint32_t i = 0; i < decision->best_count; i++)
        text_printf(text, " %s", node_name(decided, decision->best[i]));
    if (!preemption)
        return;
    text_append_string(text, " evict");
    for (uint32_t i = 0; i < preemption->candidate_count; i++) {
        const struct candidate *candidate = &preemption->candidates[i];
        text_printf(text, " %s%s:", node_name(decided, candidate->entry),
                    candidate->chosen ? "" : "(no)");
        for (uint32_t v = 0; v < candidate->victim_count; v++)
            text_printf(text, "%s%s", v > 0 ? "," : "",
                        decided->catalog->pods.items[candidate->victims[v]]->pod->meta.name);
    }
    if (preemption->message)
        text_printf(text, " %s", preemption->message);
}

static void read_objects(struct arena *arena, const char *manifests, struct objects *objects)
{
    struct documents documents = {0};
    struct problems problems;
    const struct admission_options options = {.no_default_tolerations = true};
    problems_init(&problems, arena);
    bool good =
        manifest_parse(arena, "case", manifests, strlen(manifests), &documents, &problems) &&
        object_decode(arena, &documents, NULL, objects, &problems) &&
        objects_admit(arena, objects, &options, &problems);
    for (uint32_t i = 0; i < problems.count; i++)
        print_message("%s\n", problem_format(arena, &problems.items[i]));
    assert_true(good);
}

static struct profiles find_profiles(struct arena *arena, const struct objects *objects)
{
    struct problems problems;
    problems_init(&problems, arena);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_SCHEDULER_CONFIGURATION)
            return profiles_resolve(arena, objects->items[i].as.scheduler_configuration,
                                    objects->items[i].place, &problems);
    return profiles_default(arena);
}

static uint32_t find_pod(const struct catalog *catalog, const char *name)
{
    for (uint32_t i = 0; i < catalog->pods.count; i++)
        if (strcmp(catalog->pods.items[i]->pod->meta.name, name) == 0)
            return i;
    fail_msg("no pod is called %s", name);
    return VIEW_NONE;
}

static void decide_case(struct arena *arena, const struct rule_case *rule, struct text *text)
{
    struct objects objects = {0};
    read_objects(arena, rule->manifests, &objects);
    struct features features = features_of_version(rule->minor);
    struct decided decided = {.arena = arena, .text = text};
    decided.catalog = catalog_create(arena, &features);
    catalog_surround(decided.catalog, &objects);
    decided.view = view_of_objects(arena, decided.catalog, &objects);
    struct profiles profiles = find_profiles(arena, &objects);
    struct scheduler *scheduler = scheduler_create(arena, decided.catalog, &profiles);
    uint32_t pod = find_pod(decided.catalog, "new");
    const char *nominated = decided.catalog->pods.items[pod]->pod->status.nominated_node_name;
    const struct decision *decision =
        scheduler_decide(scheduler, &decided.view, pod,
                         nominated ? view_find_node(&decided.view, nominated) : VIEW_NONE);
    if (!decision)
        text_append_string(text, "nobody schedules this pod");
    else
        summarise(&decided, decision,
                  decision->best_count == 0 ? scheduler_preempt(scheduler, &decided.view, decision)
                                            : NULL);
    scheduler_release(scheduler);
}

static void check_cases(const struct rule_case *cases, size_t count)
{
    struct memory memory;
    struct arena arena;
    struct text text;
    uint32_t wrong = 0;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    for (size_t i = 0; i < count; i++) {
        arena_init(&arena, &memory);
        text_reset(&text);
        decide_case(&arena, &cases[i], &text);
        if (strcmp(text_content(&text), cases[i].expected) != 0) {
            print_message("%s (1.%d)\n  expected %s\n  found    %s\n", cases[i].name,
                          cases[i].minor, cases[i].expected, text_content(&text));
            wrong++;
        }
        arena_release(&arena);
    }
    text_release(&text);
    assert_int_equal(wrong, 0);
}

#define CHECK(cases) check_cases((cases), sizeof(cases) / sizeof((cases)[0]))

#define SMALL_AND_LARGE NODE("small", "", "2", "") NODE("large", "", "8", "")

static void test_configurations(void **state)
{
    (void)state;
    static const struct rule_case cases[] = {
        {"the default prefers the emptier node", 26, SMALL_AND_LARGE POD("new", "", "1", ""),
         "small=649 large=687; large"},
        {"MostAllocated prefers the fuller node", 26,
         SMALL_AND_LARGE POD("new", "", "1", "")
             PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
                     "MostAllocated, resources: [{name: cpu, weight: 1}, {name: memory, weight: "
                     "3}]}}}]"),
         "small=602 large=612; large"},
        {"RequestedToCapacityRatio follows its shape", 26,
         SMALL_AND_LARGE POD("new", "", "1", "")
             PROFILE("pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: "
                     "RequestedToCapacityRatio, resources: [{name: cpu, weight: 1}], "
                     "requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: "
                     "40, score: 10}, {utilization: 100, score: 5}]}}}}]"),
         "small=673 large=630; small"},
        {"a weight multiplies", 26,
         SMALL_AND_LARGE POD("new", "", "1", "")
             PROFILE("plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 10}]}}"),
         "small=1261 large=1470; large"},
        {"a filter that is disabled does not say no", 26,
         SMALL_AND_LARGE POD("new", "", "4", "")
             PROFILE("plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}"),
         "small=599 large=649; large"},
        {"a plugin that is disabled everywhere does not score either", 26,
         SMALL_AND_LARGE POD("new", "", "1", "")
             PROFILE("plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}, {name: "
                     "NodeResourcesBalancedAllocation}, {name: PodTopologySpread}]}}"),
         "small=300 large=300; small large"},
        {"preemption can be disabled", 26,
         NODE("n1", "", "1", "") POD("old", "", "1", ", priority: 0" RUNNING("n1", "01"))
             POD("new", "", "1", ", priority: 5")
                 PROFILE("plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}"),
         "n1=NodeResourcesFit; evict preemption is disabled"},
        {"affinity is added by the profile", 26,
         NODE("n1", ", disk: ssd", "2", "") NODE("n2", "", "2", "") POD("new", "", "1", "")
             PROFILE("pluginConfig: [{name: NodeAffinity, args: {addedAffinity: "
                     "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                     "[{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}}]"),
         "n1=649 n2=NodeAffinity; n1"},
        {"required affinity of existing pods weighs as configured", 26,
         NODE("n1", "", "4", "") NODE("n2", "", "4", "")
             POD("old", ", labels: {app: a}", "1",
                 ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                 "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
                 "a}}}]}}" RUNNING("n1", "01")) POD("new", ", labels: {app: a}", "1", "")
                 PROFILE("pluginConfig: [{name: InterPodAffinity, args: "
                         "{hardPodAffinityWeight: 0}}]"),
         "n1=649 n2=674; n2"},
        {"default constraints come from a list", 26,
         NODE("n1", ", rack: r1", "4", "") NODE("n2", ", rack: r2", "4", "")
             POD("old", ", labels: {app: a}", "1", RUNNING("n1", "01")) POD(
                 "new", ", labels: {app: a}", "1",
                 "") "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {app: "
                     "a}, ports: [{port: 80}]}}" END PROFILE(
                         "pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, "
                         "defaultConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: "
                         "DoNotSchedule}]}}]"),
         "n1=PodTopologySpread n2=674; n2"},
        {"a profile is chosen by name", 26,
         SMALL_AND_LARGE POD("new", "", "1", ", schedulerName: mine")
             PROFILE("schedulerName: mine, plugins: {score: {disabled: [{name: '*'}], enabled: "
                     "[{name: NodeName}, {name: NodeResourcesFit}]}}"),
         "small=68 large=87; large"},
        {"no profile, no decision", 26,
         SMALL_AND_LARGE POD("new", "", "1", ", schedulerName: mine"), "nobody schedules this pod"},
    };
    CHECK(cases);
}

#define SIDECAR                                                                                  \
    ", initContainers: [{name: s, image: i, restartPolicy: Always, resources: {requests: {cpu: " \
    "'1'}}}]"
#define SPREAD(extra, selector)                                                         \
    ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: " \
    "DoNotSchedule" extra selector "}]"
#define SELECT_A ", labelSelector: {matchLabels: {app: a}}"
#define NAMES(list)                                                    \
    "{matchFields: [{key: metadata.name, operator: In, values: [" list \
    "]}, {key: metadata.name, operator: In, values: [n1]}]}"
#define NODE_TERMS(terms)                                                          \
    ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
    "{nodeSelectorTerms: [" terms "]}}}"

static void test_versions(void **state)
{
    (void)state;
#define MIN_DOMAINS                                            \
    NODE("n1", ", zone: a", "4", "")                           \
    POD("old", ", labels: {app: a}", "1", RUNNING("n1", "01")) \
    POD("new", ", labels: {app: a}", "1", SPREAD(", minDomains: 2", SELECT_A))
#define LABEL_KEYS                                                     \
    NODE("n1", ", zone: a", "4", "")                                   \
    NODE("n2", ", zone: b", "4", "")                                   \
    POD("old", ", labels: {app: a, v: '1'}", "1", RUNNING("n1", "01")) \
    POD("new", ", labels: {app: a, v: '2'}", "1", SPREAD(", matchLabelKeys: [v]", SELECT_A))
#define EMPTY_SELECTOR                                         \
    NODE("n1", ", zone: a", "4", "")                           \
    NODE("n2", ", zone: b", "4", "")                           \
    POD("old", ", labels: {app: a}", "1", RUNNING("n1", "01")) \
    POD("new", ", labels: {app: a}", "1", SPREAD("", ", labelSelector: {}"))
#define OVERCOMMITTED                                                                             \
    NODE("n1", "", "1", "")                                                                       \
    POD("old", "", "2", RUNNING("n1", "01"))                                                      \
    "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: c, image: i, " \
    "resources: {requests: {memory: 1Gi}}}]}}" END
#define AFFINITY_KEYS                                                                     \
    NODE("n1", "", "4", "")                                                               \
    POD("old", ", labels: {app: a, v: '1'}", "1", RUNNING("n1", "01"))                    \
    POD("new", ", labels: {app: a, v: '2'}", "1",                                         \
        ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: " \
        "[{topologyKey: kubernetes.io/hostname, matchLabelKeys: [v], labelSelector: "     \
        "{matchLabels: "                                                                  \
        "{app: a}}}]}}")
#define BEST_EFFORT                                                                            \
    NODE("n1", "", "2", "")                                                                    \
    POD("old", "", "1", RUNNING("n1", "01"))                                                   \
    "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {containers: [{name: a, image: " \
    "i}]}}" END
#define INIT_IMAGE                                                                    \
    NODE("n1", "", "2", ", images: [{names: ['big:latest'], sizeBytes: 1200000000}]") \
    POD("new", "", "1",                                                               \
        ", initContainers: [{name: s, image: big, resources: {requests: {cpu: "       \
        "'1', memory: 1Gi}}}]")
#define BUDGETED                                                                                \
    NODE("n1", "", "2", "")                                                                     \
    POD("important", "", "1", ", priority: 2" RUNNING("n1", "01"))                              \
    POD("guarded", ", labels: {app: a}", "1", ", priority: 1" RUNNING("n1", "02"))              \
    POD("new", "", "2", ", priority: 5")                                                        \
    "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {selector: " \
    "{matchLabels: {app: a}}, minAvailable: 1}}" END
#define WAITING(conditions)                                                                      \
    NODE("n1", "", "1", "")                                                                      \
    "{apiVersion: v1, kind: Pod, metadata: {name: leaving, deletionTimestamp: "                  \
    "'2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30}, spec: {nodeName: n1, containers: " \
    "[{name: c, image: i, resources: {requests: {cpu: 500m}}}]}, status: {phase: Running, "      \
    "startTime: '2026-01-01T00:00:01Z'" conditions                                               \
    "}}" END POD("old", "", "500m", ", priority: 0" RUNNING("n1", "02"))                         \
        POD("new", "", "1", ", priority: 5}, status: {nominatedNodeName: n1")
#define ONE_POD_CLAIM                                                                            \
    NODE("n1", "", "4", "")                                                                      \
    NODE("n2", "", "4", "")                                                                      \
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, annotations: "         \
    "{pv.kubernetes.io/bind-completed: 'yes'}}, spec: {accessModes: [ReadWriteOncePod], "        \
    "volumeName: v, storageClassName: '', resources: {requests: {storage: 1Gi}}}}" END           \
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {accessModes: "         \
    "[ReadWriteOncePod], capacity: {storage: 1Gi}, csi: {driver: d, volumeHandle: h}}}" END POD( \
        "old", "", "1",                                                                          \
        ", volumes: [{name: d, persistentVolumeClaim: {claimName: "                              \
        "data}}]" RUNNING("n1", "01"))                                                           \
        POD("new", "", "1", ", volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]")
    static const struct rule_case cases[] = {
        {"minDomains is ignored", 26, MIN_DOMAINS, "n1=649; n1"},
        {"minDomains counts", 27, MIN_DOMAINS, "n1=PodTopologySpread; evict"},
        {"matchLabelKeys of spreading are ignored", 26, LABEL_KEYS,
         "n1=PodTopologySpread n2=674; n2"},
        {"matchLabelKeys of spreading count", 27, LABEL_KEYS, "n1=649 n2=674; n2"},
        {"an empty selector counts all pods", 26, EMPTY_SELECTOR,
         "n1=PodTopologySpread n2=674; n2"},
        {"an empty selector counts no pods", 27, EMPTY_SELECTOR, "n1=649 n2=674; n2"},
        {"an overcommitted resource stands in the way of pods without it", 27, OVERCOMMITTED,
         "n1=NodeResourcesFit; evict"},
        {"only what is requested must fit", 28, OVERCOMMITTED, "n1=599; n1"},
        {"affinity's matchLabelKeys are ignored", 30, AFFINITY_KEYS, "n1=InterPodAffinity; evict"},
        {"affinity's matchLabelKeys count", 31, AFFINITY_KEYS, "n1=649; n1"},
        {"a restarting init container is like any other", 27,
         NODE("n1", "", "1500m", "") POD("new", "", "1", SIDECAR), "n1=632; n1"},
        {"a sidecar is refused", 28, NODE("n1", "", "1500m", "") POD("new", "", "1", SIDECAR),
         "n1=NodeResourcesFit; evict"},
        {"a sidecar adds to the pod", 29, NODE("n1", "", "1500m", "") POD("new", "", "1", SIDECAR),
         "n1=NodeResourcesFit; evict"},
        {"one conflicting term is enough to give up", 26,
         NODE("n1", "", "4", "") POD("new", "", "1", NODE_TERMS(NAMES("n2") ", " NAMES("n1"))),
         "n1=NodeAffinity; evict"},
        {"a term without conflict can match", 27,
         NODE("n1", "", "4", "") POD("new", "", "1", NODE_TERMS(NAMES("n2") ", " NAMES("n1"))),
         "n1=674; n1"},
        {"a node that is required and missing is an error", 26,
         NODE("n1", "", "4", "") POD("new", "", "1",
                                     NODE_TERMS("{matchFields: [{key: metadata.name, operator: In, "
                                                "values: [ghost]}]}")),
         "error: nodeinfo not found for node name \"ghost\""},
        {"a node that is required and missing is not examined", 27,
         NODE("n1", "", "4", "") POD("new", "", "1",
                                     NODE_TERMS("{matchFields: [{key: metadata.name, operator: In, "
                                                "values: [ghost]}]}")),
         "n1=unexamined; evict"},
        {"init containers' images do not count", 29, INIT_IMAGE, "n1=649; n1"},
        {"init containers' images count", 30, INIT_IMAGE, "n1=705; n1"},
        {"pods without requests care for balance", 32, BEST_EFFORT, "n1=646; n1"},
        {"pods without requests do not care for balance", 33, BEST_EFFORT, "n1=565; n1"},
        {"victims against a budget come first", 28, BUDGETED,
         "n1=NodeResourcesFit; evict n1:guarded,important"},
        {"victims come by importance", 29, BUDGETED,
         "n1=NodeResourcesFit; evict n1:important,guarded"},
        {"any terminating pod is waited for", 26, WAITING(""),
         "n1=NodeResourcesFit; evict not eligible due to a terminating pod on the nominated "
         "node."},
        {"only a preempted pod is waited for", 27, WAITING(""),
         "n1=NodeResourcesFit; evict n1:leaving,old"},
        {"a preempted pod is waited for", 27,
         WAITING(", conditions: [{type: DisruptionTarget, status: 'True', reason: "
                 "PreemptionByScheduler}]"),
         "n1=NodeResourcesFit; evict not eligible due to a terminating pod on the nominated "
         "node."},
        {"a claim for one pod is like any other", 26, ONE_POD_CLAIM, "n1=649 n2=674; n2"},
        {"a claim for one pod is taken", 27, ONE_POD_CLAIM,
         "n1=VolumeRestrictions n2=VolumeRestrictions; evict"},
    };
    CHECK(cases);
}

static void test_corners(void **state)
{
    (void)state;
#define LOCAL_VOLUME(size)                                                                       \
    NODE("n1", "", "4", "")                                                                      \
    "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: local}, provisioner: " \
    "kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer}" END                 \
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: " \
    "[ReadWriteOnce], storageClassName: local, resources: {requests: {storage: 5Gi}}}}" END      \
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {accessModes: "         \
    "[ReadWriteOnce], storageClassName: local, capacity: {storage: " size                        \
    "}, csi: {driver: d, volumeHandle: h}}, status: {phase: Available}}" END POD(                \
        "new", "", "1", ", volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]")
    static const struct rule_case cases[] = {
        {"a volume that is large enough will do", 26, LOCAL_VOLUME("5Gi"), "n1=674; n1"},
        {"a volume that is too small will not", 26, LOCAL_VOLUME("4Gi"), "n1=VolumeBinding; evict"},
        {"a nominated pod raises the emptiest domain", 26,
         NODE("n1", ", zone: a", "4", "") NODE("n2", ", zone: b", "4", "")
             POD("b1", ", labels: {app: a}", "500m", RUNNING("n2", "01"))
                 POD("b2", ", labels: {app: a}", "500m", RUNNING("n2", "02"))
                     POD("there", ", labels: {app: a}", "500m",
                         ", priority: 9}, status: {nominatedNodeName: n1")
                         POD("new", ", labels: {app: a}", "500m", SPREAD("", SELECT_A)),
         "n1=687 n2=PodTopologySpread; n1"},
        {"a nominated pod that makes a node attractive is not there yet", 26,
         NODE("n1", "", "4", "") POD("there", ", labels: {app: a}", "1",
                                     ", priority: 9}, status: {nominatedNodeName: n1")
             POD("new", "", "1",
                 ", affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                 "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: "
                 "a}}}]}}"),
         "n1=InterPodAffinity; evict"},
        {"pods of equal age and priority: either may go", 26,
         NODE("n1", "", "1", "") POD("a", ", labels: {app: a}", "500m", RUNNING("n1", "01"))
             POD("b", ", labels: {app: b}", "500m", RUNNING("n1", "01"))
                 POD("new", "", "500m", ", priority: 5"),
         "n1=NodeResourcesFit; evict n1:b n1:a"},
        {"one port of two is free when one pod goes", 26,
         NODE("n1", "", "4",
              "") "{apiVersion: v1, kind: Pod, metadata: {name: high}, spec: {priority: 9, "
                  "nodeName: "
                  "n1, containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: "
                  "80}]}]}, "
                  "status: {phase: Running, startTime: '2026-01-01T00:00:01Z'}}" END
                  "{apiVersion: v1, kind: Pod, metadata: {name: low}, spec: {priority: 0, "
                  "nodeName: n1, "
                  "containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: 80}]}]}, "
                  "status: {phase: Running, startTime: '2026-01-01T00:00:02Z'}}" END
                  "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {priority: 5, "
                  "containers: "
                  "[{name: c, image: i, ports: [{containerPort: 80, hostPort: 80}]}]}}" END,
         "n1=NodePorts; evict n1:low"},
    };
    CHECK(cases);
}

/* A population: one anonymous class of nodes, with `there` and `new` of the manifests. */
struct population {
    struct memory memory;
    struct arena arena;
    struct profiles profiles;
    struct catalog *catalog;
    struct scheduler *scheduler;
    struct view_node nodes;
    struct view view;
    uint32_t pod;
};

static void population_init(struct population *population, int minor, const char *manifests,
                            bool nominated)
{
    struct objects objects = {0};
    memory_init(&population->memory, SIZE_MAX);
    arena_init(&population->arena, &population->memory);
    read_objects(&population->arena, manifests, &objects);
    if (!objects.items)
        bug("a population needs a node and two pods");
    struct features features = features_of_version(minor);
    struct catalog *catalog = catalog_create(&population->arena, &features);
    uint32_t template = catalog_add_anonymous_node(catalog, objects.items[0].as.node);
    struct pod_count there = {catalog_add_pod(catalog, objects.items[1].as.pod), 1};
    population->pod = catalog_add_pod(catalog, objects.items[2].as.pod);
    population->nodes.config = nominated
                                   ? catalog_intern_config(catalog, template, NULL, 0, &there, 1)
                                   : catalog_intern_config(catalog, template, &there, 1, NULL, 0);
    population->view =
        (struct view){.catalog = catalog, .nodes = &population->nodes, .node_count = 1};
    population->catalog = catalog;
    population->profiles = profiles_default(&population->arena);
    population->scheduler = scheduler_create(&population->arena, catalog, &population->profiles);
}

static bool population_is_feasible(struct population *population, uint32_t count)
{
    population->nodes.count = count;
    return scheduler_decide(population->scheduler, &population->view, population->pod, VIEW_NONE)
               ->best_count == 1;
}

static void population_release(struct population *population)
{
    scheduler_release(population->scheduler);
    arena_release(&population->arena);
}

#define OVER_HOSTS(extra)                                                                  \
    NODE("n0", "", "4", "")                                                                \
    POD("there", ", labels: {app: a}", "1", ", priority: 9")                               \
    POD("new", ", labels: {app: a}", "1",                                                  \
        ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, " \
        "whenUnsatisfiable: DoNotSchedule" extra SELECT_A "}]")

/* A class whose nodes each wait for a nominated pod: the pod counts on the one
 * node that is looked at, not on its twin. */
static void test_twins_of_a_nominated_node(void **state)
{
    (void)state;
    struct population population = {0};
    population_init(&population, 26, OVER_HOSTS(""), true);
    assert_false(population_is_feasible(&population, 2));
    assert_true(population_is_feasible(&population, 1));
    population_release(&population);
}

static void test_twins_are_two_domains(void **state)
{
    (void)state;
    struct population population = {0};
    population_init(&population, 27, OVER_HOSTS(", minDomains: 2"), false);
    assert_true(population_is_feasible(&population, 2));
    assert_false(population_is_feasible(&population, 1));
    population_release(&population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_configurations),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_twins_of_a_nominated_node),
        cmocka_unit_test(test_twins_are_two_domains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
