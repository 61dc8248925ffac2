/* SPDX-License-Identifier: Apache-2.0 */
/* What happened to nodes, as events: they stop, are cordoned and drained, come and go. */
#include "recording/as_check_parts.h"

#include <string.h>

struct node_look {
    bool ready;
    bool cordoned;
    const struct value *taints;
    const struct value *labels;
    const struct value *allocatable;
};

static struct node_look look(struct converter *converter, const struct version *version)
{
    const struct value *root = restore_value(&converter->restorer, version);
    const struct value *spec = value_find(root, "spec");
    const struct value *status = value_find(root, "status");
    const struct value *conditions = value_find(status, "conditions");
    struct node_look seen = {
        .ready = true,
        .cordoned = line_says(spec, "unschedulable"),
        .taints = value_find(spec, "taints"),
        .labels = value_find(value_find(root, "metadata"), "labels"),
        .allocatable = value_find(status, "allocatable"),
    };
    for (uint32_t i = 0; conditions && i < items_of(conditions); i++) {
        const char *type = value_find_string(&conditions->items[i], "type");
        const char *truth = value_find_string(&conditions->items[i], "status");
        if (type && truth && strcmp(type, "Ready") == 0)
            seen.ready = strcmp(truth, "True") == 0;
    }
    return seen;
}

/* ---- taints ---- */

static bool is_of_user(const struct value *taint)
{
    const char *key = value_find_string(taint, "key");
    return key && strncmp(key, "node.kubernetes.io/", strlen("node.kubernetes.io/")) != 0;
}

static bool has_taint(const struct value *taints, const struct value *taint)
{
    for (uint32_t i = 0; taints && i < items_of(taints); i++)
        if (value_equal(&taints->items[i], taint))
            return true;
    return false;
}

static const char *taint_words(struct converter *converter, const struct value *taint)
{
    const char *value = value_find_string(taint, "value");
    const char *effect = value_find_string(taint, "effect");
    return arena_printf(converter->arena, "%s%s%s:%s", value_find_string(taint, "key"),
                        value ? "=" : "", value ? value : "", effect ? effect : "");
}

static const struct version *last_version(const struct thing *node)
{
    const uint32_t count = node->versions.count;
    for (uint32_t i = count; i > 0; i--)
        if (!node->versions.items[i - 1].gone)
            return &node->versions.items[i - 1];
    return NULL;
}

const struct value *converter_late_taints(struct converter *converter, const struct thing *node)
{
    const struct version *first = converter_first(converter, node);
    const struct version *last = last_version(node);
    const struct value *before = first ? look(converter, first).taints : NULL;
    const struct value *after = last ? look(converter, last).taints : NULL;
    struct value *late = ARENA_NEW(converter->arena, struct value);
    struct value *items = ARENA_ARRAY(converter->arena, struct value, items_of(after) + 1);
    *late = (struct value){.kind = VALUE_SEQUENCE, .items = items};
    for (uint32_t i = 0; after && i < items_of(after); i++)
        if (is_of_user(&after->items[i]) && !has_taint(before, &after->items[i]))
            items[late->count++] = after->items[i];
    return late;
}

static void tell_taints(struct converter *converter, const struct version *version,
                        const struct node_look *before, const struct node_look *after)
{
    const struct version *last = last_version(version->thing);
    const struct value *end = last ? look(converter, last).taints : NULL;
    for (uint32_t i = 0; after->taints && i < items_of(after->taints); i++) {
        const struct value *taint = &after->taints->items[i];
        if (is_of_user(taint) && !has_taint(before->taints, taint))
            convert_add(converter, &converter->left_out,
                        "node %s got the taint %s at %.1f s; here it %s", version->thing->name,
                        taint_words(converter, taint), version->time,
                        has_taint(end, taint) && !converter->observed ? "has it from the beginning"
                                                                      : "never has it");
    }
}

/* ---- cordons ---- */

/* Was the pod on the node, and evicted by the API between two commits, as it says itself? */
static bool says_evicted(const struct thing *pod, int64_t from, int64_t to)
{
    for (uint32_t i = 0; i < pod->versions.count; i++) {
        const struct version *version = &pod->versions.items[i];
        const struct value *status = value_find(value_find(version->line, "object"), "status");
        const struct value *conditions = value_find(status, "conditions");
        for (uint32_t c = 0; version->rv > from && version->rv <= to && conditions &&
                             conditions->kind == VALUE_SEQUENCE && c < conditions->count;
             c++) {
            const char *reason = value_find_string(&conditions->items[c], "reason");
            if (reason && strcmp(reason, "EvictionByEvictionAPI") == 0)
                return true;
        }
    }
    return false;
}

/* Did somebody ask the API to evict the pod between two commits? */
static bool is_asked_for(const struct converter *converter, const struct thing *pod, int64_t from,
                         int64_t to)
{
    const struct recording *recording = converter->recording;
    for (uint32_t i = 0; i < recording->deeds.count; i++) {
        const struct deed *deed = &recording->deeds.items[i];
        const int64_t rv = converter_commit(converter, deed);
        if (written_by(deed, "user") && strcmp(deed->action, "evict") == 0 && rv >= from &&
            rv <= to && strcmp(deed->name, pod->name) == 0)
            return true;
    }
    return false;
}

static bool is_drained(const struct converter *converter, const struct thing *node, int64_t from,
                       int64_t to)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *pod = recording->things.items[t];
        const char *its_node = strcmp(pod->kind, "Pod") == 0 && pod->versions.count > 0
                                   ? version_bound_node(&pod->versions.items[0])
                                   : NULL;
        if (its_node && strcmp(its_node, node->name) == 0 &&
            (says_evicted(pod, from, to) || is_asked_for(converter, pod, from, to)))
            return true;
    }
    return false;
}

/* Has the node a pod that a drain would evict? DaemonSets' pods stay. */
static bool has_pods(const struct converter *converter, const struct thing *node, int64_t rv)
{
    const struct recording *recording = converter->recording;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const struct version *pod = strcmp(thing->kind, "Pod") == 0 ? thing_at(thing, rv) : NULL;
        const char *its_node = pod ? value_find_string(pod->line, "nodeName") : NULL;
        const char *owner = pod ? line_item(value_find(pod->line, "owner"), 0) : NULL;
        if (its_node && strcmp(its_node, node->name) == 0 &&
            !(owner && strcmp(owner, "DaemonSet") == 0))
            return true;
    }
    return false;
}

struct cordons {
    uint32_t count;
    const struct version *since; /* of the last one; NULL: it is over */
};

static void begin_cordon(struct cordons *cordons, const struct version *version)
{
    cordons->count++;
    cordons->since = version;
}

/* `end` is the last commit of the cordon; INT64_MAX: it is not over. */
static void end_cordon(struct converter *converter, struct cordons *cordons, int64_t end)
{
    const char *name = cordons->since->thing->name;
    if (has_pods(converter, cordons->since->thing, cordons->since->rv) &&
        !is_drained(converter, cordons->since->thing, cordons->since->rv, end))
        convert_add(converter, &converter->left_out,
                    "node %s was cordoned at %.1f s and not drained; here it is", name,
                    cordons->since->time);
    if (end == INT64_MAX)
        convert_add(converter, &converter->left_out,
                    "node %s stayed cordoned to the end; here it returns when it is drained", name);
    cordons->since = NULL;
}

/* How many nodes are cordoned at one time, at most. */
static uint32_t cordoned_together(struct converter *converter)
{
    const struct recording *recording = converter->recording;
    uint32_t most = 1;
    for (uint32_t i = 0; i < recording->order.count; i++) {
        const struct version *version = recording->order.items[i];
        uint32_t together = 0;
        if (strcmp(version->thing->kind, "Node") != 0 || version->rv <= converter->beginning)
            continue;
        for (uint32_t t = 0; t < recording->things.count; t++) {
            const struct thing *thing = recording->things.items[t];
            const struct version *then =
                strcmp(thing->kind, "Node") == 0 ? thing_at(thing, version->rv) : NULL;
            together += then && look(converter, then).cordoned;
        }
        most = together > most ? together : most;
    }
    return most;
}

/* ---- one node ---- */

struct node_story {
    uint32_t failures;
    bool fails_now;
    bool recovered;
    uint32_t deletions;
    bool returned;
    struct cordons cordons;
};

static void tell_rest(struct converter *converter, const struct version *version,
                      const struct node_look *before, const struct node_look *after)
{
    if (!value_is_null(before->labels) && !value_is_null(after->labels) &&
        !value_equal(before->labels, after->labels))
        convert_add(converter, &converter->left_out, "node %s got other labels at %.1f s",
                    version->thing->name, version->time);
    if (!value_is_null(before->allocatable) && !value_is_null(after->allocatable) &&
        !value_equal(before->allocatable, after->allocatable))
        convert_add(converter, &converter->left_out,
                    "what pods may use of node %s changed at %.1f s", version->thing->name,
                    version->time);
}

static void tell_change(struct converter *converter, const struct version *version,
                        struct node_story *story)
{
    const struct node_look before = look(converter, version - 1);
    const struct node_look after = look(converter, version);
    if (before.ready && !after.ready) {
        story->failures++;
        story->fails_now = true;
    }
    if (!before.ready && after.ready) {
        story->recovered |= story->fails_now;
        story->fails_now = false;
    }
    if (!before.cordoned && after.cordoned)
        begin_cordon(&story->cordons, version);
    if (before.cordoned && !after.cordoned && story->cordons.since)
        end_cordon(converter, &story->cordons, version->rv);
    tell_taints(converter, version, &before, &after);
    tell_rest(converter, version, &before, &after);
}

static void add_node_events(struct converter *converter, const struct thing *node,
                            const struct node_story *story)
{
    const char *name = node->name;
    if (story->failures > 0)
        convert_add(converter, &converter->events,
                    "{name: nodeFailure, node: %s, recovers: %s, atMost: %u}", name,
                    story->recovered ? "true" : "false", story->failures);
    if (story->recovered && story->fails_now)
        convert_add(converter, &converter->left_out,
                    "node %s failed again and stayed away; here it returns", name);
    if (story->cordons.count > 0)
        convert_add(converter, &converter->events,
                    "{name: maintenance, node: %s, concurrent: %u, atMost: %u}", name,
                    cordoned_together(converter), story->cordons.count);
    if (story->deletions > 0)
        convert_add(converter, &converter->events,
                    "{name: delete, object: Node/%s, recovers: %s, atMost: %u}", name,
                    story->returned ? "true" : "false", story->deletions);
}

static void convert_node(struct converter *converter, const struct thing *node)
{
    struct node_story story = {0};
    const struct version *first = converter_first(converter, node);
    if (!first)
        return;
    if (first->rv > converter->beginning) {
        story.deletions = 1;
        story.returned = true;
        convert_add(converter, &converter->remarks,
                    "node %s came at %.1f s; here it may be away for a while", node->name,
                    first->time);
    }
    if (look(converter, first).cordoned && is_drained(converter, node, first->rv, INT64_MAX))
        convert_add(converter, &converter->left_out,
                    "node %s was cordoned at the beginning, and drained; here it stays cordoned",
                    node->name);
    const struct version *end = node->versions.items + node->versions.count;
    for (const struct version *version = first + 1; version < end; version++) {
        if (version->gone)
            story.deletions++;
        else if (version[-1].gone)
            story.returned = true;
        else
            tell_change(converter, version, &story);
    }
    if (story.cordons.since)
        end_cordon(converter, &story.cordons, INT64_MAX);
    add_node_events(converter, node, &story);
}

void convert_nodes(struct converter *converter)
{
    for (uint32_t t = 0; t < converter->recording->things.count; t++)
        if (strcmp(converter->recording->things.items[t]->kind, "Node") == 0)
            convert_node(converter, converter->recording->things.items[t]);
}
