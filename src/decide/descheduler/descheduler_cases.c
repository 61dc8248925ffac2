/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/descheduler_cases.h"

#include <string.h>

enum { WORKLOADS = 3, NOW_SECONDS = 100000 };

struct maker {
    struct arena *arena;
    struct dice *dice;
    struct text text;
};

static const char *pick(struct dice *dice, const char *const *list, int64_t count)
{
    return list[dice_roll(dice, count)];
}

/* ---- objects ---- */

/* What comes after a node's name and hostname. */
static const char *node_body(struct maker *maker)
{
    static const char *const cpus[] = {"1", "1", "2"};
    const char *spec = "";
    if (dice_hit(maker->dice, 6))
        spec = "\"taints\":[{\"key\":\"k\",\"effect\":\"NoSchedule\"}]";
    else if (dice_hit(maker->dice, 10))
        spec = "\"unschedulable\":true";
    return arena_printf(maker->arena,
                        "\"zone\":\"%c\"}},\"spec\":{%s},\"status\":{\"allocatable\":{\"cpu\":"
                        "\"%s\",\"memory\":\"4Gi\",\"pods\":\"%d\"}}},",
                        (char)('a' + dice_roll(maker->dice, 2)), spec, pick(maker->dice, cpus, 3),
                        dice_hit(maker->dice, 4) ? 3 : 10);
}

/* What all pods of a workload have. */
static const char *workload_spec(struct maker *maker, int64_t workload)
{
    static const char *const cpus[] = {"100m", "300m", "500m"};
    const char *affinity = "";
    const char *spread = "";
    if (dice_hit(maker->dice, 4))
        affinity = "\"affinity\":{\"nodeAffinity\":{\"requiredDuringSchedulingIgnoredDuring"
                   "Execution\":{\"nodeSelectorTerms\":[{\"matchExpressions\":[{\"key\":\"zone\","
                   "\"operator\":\"In\",\"values\":[\"a\"]}]}]}}},";
    else if (dice_hit(maker->dice, 4))
        affinity = arena_printf(
            maker->arena,
            "\"affinity\":{\"podAntiAffinity\":{\"requiredDuringSchedulingIgnoredDuring"
            "Execution\":[{\"topologyKey\":\"zone\",\"labelSelector\":{\"matchLabels\":{\"app\":"
            "\"w%lld\"}}}]}},",
            (long long)dice_roll(maker->dice, WORKLOADS));
    if (!dice_hit(maker->dice, 3))
        spread = arena_printf(
            maker->arena,
            "\"topologySpreadConstraints\":[{\"maxSkew\":1,\"topologyKey\":\"zone\","
            "\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":{\"app\":"
            "\"w%lld\"}}}%s",
            (long long)workload,
            dice_hit(maker->dice, 2)
                ? arena_printf(maker->arena,
                               ",{\"maxSkew\":1,\"topologyKey\":\"kubernetes.io/hostname\","
                               "\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{"
                               "\"matchLabels\":{\"app\":\"w%lld\"}}}],",
                               (long long)workload)
                : "],");
    return arena_printf(maker->arena,
                        "%s%s\"containers\":[{\"name\":\"c\",\"image\":\"i\",\"resources\":{"
                        "\"requests\":{\"cpu\":\"%s\"}}}]",
                        affinity, spread, pick(maker->dice, cpus, 3));
}

static void put_pod(struct maker *maker, uint32_t number, uint32_t nodes,
                    const char *const *workloads)
{
    static const char *const priorities[] = {"", "", "\"priority\":0,", "\"priority\":10,"};
    const int64_t workload = dice_roll(maker->dice, WORKLOADS);
    const bool failed = dice_hit(maker->dice, 5);
    text_printf(&maker->text,
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p%u\","
                "\"namespace\":\"default\",\"creationTimestamp\":\"1970-01-02T0%lld:00:00Z\","
                "\"labels\":{\"app\":\"w%lld\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
                "\"kind\":\"ReplicaSet\",\"name\":\"w%lld\",\"uid\":\"u%lld\"}",
                number, (long long)dice_roll(maker->dice, 2), (long long)workload,
                (long long)workload, (long long)workload);
    if (dice_hit(maker->dice, 8))
        text_append_string(&maker->text, ",{\"apiVersion\":\"v1\",\"kind\":\"Other\",\"name\":"
                                         "\"o\",\"uid\":\"o\"}");
    text_printf(&maker->text, "]%s},\"spec\":{\"nodeName\":\"n%lld\",%s%s},",
                dice_hit(maker->dice, 9) ? ",\"deletionTimestamp\":\"1970-01-02T02:00:00Z\"" : "",
                (long long)dice_roll(maker->dice, nodes), pick(maker->dice, priorities, 4),
                workloads[workload]);
    text_printf(
        &maker->text,
        "\"status\":{\"phase\":\"%s\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"%s\"}"
        "],\"containerStatuses\":[{\"name\":\"c\",\"ready\":true,\"image\":\"i\","
        "\"imageID\":\"\",\"restartCount\":%lld}]}},",
        failed ? "Failed" : "Running", failed ? "False" : "True",
        (long long)dice_roll(maker->dice, 3));
}

static void put_budget(struct maker *maker)
{
    const int64_t allowed = dice_roll(maker->dice, 3);
    const char *selector = dice_hit(maker->dice, 4)
                               ? "{}"
                               : arena_printf(maker->arena, "{\"matchLabels\":{\"app\":\"w%lld\"}}",
                                              (long long)dice_roll(maker->dice, WORKLOADS));
    text_printf(&maker->text,
                "{\"apiVersion\":\"policy/v1\",\"kind\":\"PodDisruptionBudget\",\"metadata\":{"
                "\"name\":\"b\",\"namespace\":\"default\"},\"spec\":{\"maxUnavailable\":%lld,"
                "\"selector\":%s},\"status\":{\"currentHealthy\":5,"
                "\"desiredHealthy\":%lld,\"expectedPods\":5,\"disruptionsAllowed\":%lld}},",
                (long long)allowed, selector, 5 - (long long)allowed, (long long)allowed);
}

static void put_objects(struct maker *maker, struct case_shape shape)
{
    const uint32_t nodes = (uint32_t)dice_between(maker->dice, 2, shape.nodes_most);
    const uint32_t pods = (uint32_t)dice_between(maker->dice, 2, shape.pods_most);
    const char *workloads[WORKLOADS];
    /* Two sorts of nodes, so that many are equal. */
    const char *const bodies[2] = {node_body(maker), node_body(maker)};
    for (int i = 0; i < WORKLOADS; i++)
        workloads[i] = workload_spec(maker, i);
    text_append_string(&maker->text, "\"objects\":[");
    for (uint32_t i = 0; i < nodes; i++)
        text_printf(&maker->text,
                    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n%u\","
                    "\"labels\":{\"kubernetes.io/hostname\":\"n%u\",%s",
                    i, i, pick(maker->dice, bodies, 2));
    for (uint32_t i = 0; i < pods; i++)
        put_pod(maker, i, nodes, workloads);
    if (dice_hit(maker->dice, 3))
        put_budget(maker);
    text_append_string(&maker->text, "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{"
                                     "\"name\":\"default\"}}]");
}

/* ---- policies ---- */

static const char *arguments_of(struct maker *maker, enum descheduler_plugin plugin)
{
    switch (plugin) {
    case DESCHEDULER_LOW_UTILIZATION:
        return arena_printf(maker->arena,
                            "\"thresholds\":{\"cpu\":%lld},\"targetThresholds\":{\"cpu\":%lld}",
                            (long long)dice_between(maker->dice, 5, 30),
                            (long long)dice_between(maker->dice, 30, 60));
    case DESCHEDULER_HIGH_UTILIZATION:
        return arena_printf(maker->arena, "\"thresholds\":{\"cpu\":%lld}",
                            (long long)dice_between(maker->dice, 20, 60));
    case DESCHEDULER_NODE_AFFINITY:
        return "\"nodeAffinityType\":[\"requiredDuringSchedulingIgnoredDuringExecution\"]";
    case DESCHEDULER_RESTARTS: return "\"podRestartThreshold\":1";
    case DESCHEDULER_FAILED_PODS: return "\"minPodLifetimeSeconds\":0";
    case DESCHEDULER_POD_LIFE_TIME: return "\"maxPodLifeTimeSeconds\":3600";
    default: return "";
    }
}

static bool is_balance(enum descheduler_plugin plugin)
{
    return plugin >= DESCHEDULER_DUPLICATES && plugin <= DESCHEDULER_HIGH_UTILIZATION;
}

static void put_enabled(struct maker *maker, const enum descheduler_plugin *plugins, int count,
                        bool balance)
{
    bool any = false;
    text_printf(&maker->text, "\"%s\":{\"enabled\":[", balance ? "balance" : "deschedule");
    for (int i = 0; i < count; i++)
        if (is_balance(plugins[i]) == balance) {
            text_printf(&maker->text, "%s\"%s\"", any ? "," : "",
                        descheduler_plugin_name(plugins[i]));
            any = true;
        }
    text_append_string(&maker->text, "]}");
}

static void put_policy(struct maker *maker, struct case_shape shape)
{
    enum descheduler_plugin plugins[2];
    int count = 1;
    plugins[0] = shape.plugin;
    if (shape.plugin == DESCHEDULER_DEFAULT_EVICTOR) {
        plugins[0] =
            (enum descheduler_plugin)dice_between(maker->dice, 1, DESCHEDULER_PLUGIN_COUNT - 1);
        plugins[1] =
            (enum descheduler_plugin)dice_between(maker->dice, 1, DESCHEDULER_PLUGIN_COUNT - 1);
        count = plugins[0] != plugins[1] && dice_hit(maker->dice, 3) ? 2 : 1;
    }
    text_append_string(&maker->text, "\"policy\":{\"apiVersion\":\"descheduler/v1alpha2\","
                                     "\"kind\":\"DeschedulerPolicy\",");
    if (dice_hit(maker->dice, 3))
        text_printf(&maker->text, "\"maxNoOfPodsToEvictPerNode\":%lld,",
                    (long long)dice_between(maker->dice, 1, 2));
    if (dice_hit(maker->dice, 4))
        text_printf(&maker->text, "\"maxNoOfPodsToEvictPerNamespace\":%lld,",
                    (long long)dice_between(maker->dice, 1, 3));
    text_printf(&maker->text,
                "\"profiles\":[{\"name\":\"p\",\"pluginConfig\":[{\"name\":\"DefaultEvictor\","
                "\"args\":{\"nodeFit\":%s}}",
                dice_hit(maker->dice, 3) ? "true" : "false");
    for (int i = 0; i < count; i++)
        text_printf(&maker->text, ",{\"name\":\"%s\",\"args\":{%s}}",
                    descheduler_plugin_name(plugins[i]), arguments_of(maker, plugins[i]));
    text_append_string(&maker->text, "],\"plugins\":{");
    put_enabled(maker, plugins, count, false);
    text_append_char(&maker->text, ',');
    put_enabled(maker, plugins, count, true);
    text_append_string(&maker->text, "}}]}");
}

/* ---- the case ---- */

static void read_objects(struct arena *arena, const struct value *list, struct objects *objects)
{
    struct problems problems;
    problems_init(&problems, arena);
    VALUE_EACH_ITEM(list, item)
    {
        struct document *document = ARENA_NEW(arena, struct document);
        document->root = *item;
        if (!objects_add(arena, objects, document, NULL, &problems))
            bug("a random case is wrong: %s", problem_format(arena, &problems.items[0]));
    }
}

static void collect(struct random_case *result)
{
    for (uint32_t i = 0; i < result->objects.count; i++) {
        struct object *object = &result->objects.items[i];
        if (object->kind == OBJECT_POD)
            result->pods[result->pod_count++] = object->as.pod;
        else if (object->kind == OBJECT_NODE)
            result->nodes[result->node_count++] = object->as.node;
    }
}

void random_case_make(struct arena *arena, struct manifest_reader *reader, struct dice *dice,
                      struct case_shape shape, struct random_case *result)
{
    struct maker maker = {.arena = arena, .dice = dice};
    struct problems problems;
    struct objects policies = {0};
    problems_init(&problems, arena);
    text_init(&maker.text, arena->memory);
    text_append_char(&maker.text, '{');
    put_objects(&maker, shape);
    text_append_char(&maker.text, ',');
    put_policy(&maker, shape);
    text_append_char(&maker.text, '}');
    const char *copy = arena_strndup(arena, text_content(&maker.text), maker.text.length);
    const struct place start = {.file = "random", .line = 1, .column = 1};
    const struct document *document =
        manifest_reader_parse_json(reader, arena, start, copy, maker.text.length, &problems);
    text_release(&maker.text);
    if (!document)
        bug("a random case is no JSON: %s: %s", problem_format(arena, &problems.items[0]), copy);
    *result = (struct random_case){0};
    read_objects(arena, value_find(&document->root, "objects"), &result->objects);
    struct document *policy = ARENA_NEW(arena, struct document);
    policy->root = *value_find(&document->root, "policy");
    if (!objects_add(arena, &policies, policy, NULL, &problems))
        bug("a random policy is wrong: %s", problem_format(arena, &problems.items[0]));
    result->setup = (struct descheduler_setup){
        .policy = policies.items[0].as.descheduler_policy,
        .objects = &result->objects,
        .features = descheduler_features_of_version(shape.minor ? shape.minor
                                                                : (int)dice_between(dice, 27, 28)),
        .mode = dice_hit(dice, 4) ? DESCHEDULER_GRACEFUL : DESCHEDULER_DELETE,
        .now = (int64_t)NOW_SECONDS * NANOSECONDS_PER_SECOND,
    };
    collect(result);
}
