/* SPDX-License-Identifier: Apache-2.0 */
/* Node lifecycle, kubelets, garbage collectors. */
#include "decide/claim.h"
#include "recording/follow_internal.h"

#include <string.h>

/* How soon a node is noticed, at the latest, in rounds of its controller, and how long its write
 * may take on a busy machine. */
#define NEW_NODE_ROUNDS  2.0
#define NEW_NODE_SECONDS 1.0

/* ---- node lifecycle ---- */

static const char *ready_status(const struct node *node)
{
    const struct condition *ready = conditions_find(&node->status.conditions, "Ready");
    return ready ? ready->status : "Unknown";
}

static bool has_condition(const struct node *node, const char *type, const char *status)
{
    const struct condition *condition = conditions_find(&node->status.conditions, type);
    return condition && strcmp(condition->status, status) == 0;
}

/* Does the node's condition ask for this taint? The NoExecute ones come later,
 * at a limited rate, so that they may be missing. */
static bool taint_is_due(const struct node *node, const char *key)
{
    static const struct {
        const char *key;
        const char *condition;
    } pressures[] = {{"node.kubernetes.io/memory-pressure", "MemoryPressure"},
                     {"node.kubernetes.io/disk-pressure", "DiskPressure"},
                     {"node.kubernetes.io/pid-pressure", "PIDPressure"},
                     {"node.kubernetes.io/network-unavailable", "NetworkUnavailable"}};
    const char *ready = ready_status(node);
    if (strcmp(key, "node.kubernetes.io/unschedulable") == 0)
        return node->spec.unschedulable;
    if (strcmp(key, "node.kubernetes.io/not-ready") == 0)
        return strcmp(ready, "False") == 0;
    if (strcmp(key, "node.kubernetes.io/unreachable") == 0)
        return strcmp(ready, "Unknown") == 0;
    for (size_t i = 0; i < sizeof(pressures) / sizeof(*pressures); i++)
        if (strcmp(key, pressures[i].key) == 0)
            return has_condition(node, pressures[i].condition, "True");
    return false;
}

/* When no node is ready any more, all NoExecute taints for that are taken off
 * again; and from a node that has just come, whatever its state. */
static bool may_be_spared(const struct follower *follower, const struct glimpse *glimpse,
                          const struct deed *deed)
{
    const struct thing *thing = recording_find(follower->recording, "Node", NULL, deed->name);
    const struct version *version = thing ? thing_at(thing, deed->rv - 1) : NULL;
    const struct version *birth = version;
    while (birth && birth > thing->versions.items && !birth[-1].gone)
        birth--;
    if (birth && deed->time - birth->time <
                     NEW_NODE_ROUNDS * follower->plane.node_monitor_seconds + NEW_NODE_SECONDS)
        return true;
    for (uint32_t i = 0; i < glimpse->objects.count; i++)
        if (glimpse->objects.items[i].kind == OBJECT_NODE &&
            strcmp(ready_status(glimpse->objects.items[i].as.node), "True") == 0)
            return false;
    return true;
}

static bool same_taint(const struct value *left, const struct value *right)
{
    return claim_same_text(value_find_string(left, "key"), value_find_string(right, "key")) &&
           claim_same_text(value_find_string(left, "effect"), value_find_string(right, "effect"));
}

static bool has_taint(const struct value *taints, const struct value *taint)
{
    for (uint32_t i = 0; taints && taints->kind == VALUE_SEQUENCE && i < taints->count; i++)
        if (same_taint(&taints->items[i], taint))
            return true;
    return false;
}

bool rule_taint_node(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_NODE, deed->name);
    const struct value *change = value_find(value_find(deed->line, "change"), "taints");
    if (!object)
        return false;
    if (!change || change->kind != VALUE_SEQUENCE || change->count != 2)
        return true; /* labels and the like */
    const struct node *node = object->as.node;
    bool good = true;
    for (int side = 0; side < 2; side++) {
        const struct value *these = &change->items[side];
        const struct value *those = &change->items[1 - side];
        for (uint32_t i = 0; these->kind == VALUE_SEQUENCE && i < these->count; i++) {
            const char *key = value_find_string(&these->items[i], "key");
            const char *effect = value_find_string(&these->items[i], "effect");
            if (!key || has_taint(those, &these->items[i]))
                continue;
            const bool spared = side == 0 && claim_same_text(effect, "NoExecute") &&
                                may_be_spared(follower, glimpse, deed);
            good = good && (spared || taint_is_due(node, key) == (side == 1));
        }
    }
    if (follower->would.length == 0)
        text_printf(&follower->would, "the node %s is Ready=%s%s", deed->name, ready_status(node),
                    node->spec.unschedulable ? " and cordoned" : "");
    return good;
}

/* Pods of a node that is not ready are marked so; the mark on a pod that the
 * taint manager deletes goes with the deletion. */
bool rule_mark_not_ready(struct follower *follower, const struct deed *deed,
                         struct glimpse *glimpse)
{
    const struct value *change = value_find(deed->line, "change");
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    if (value_find_string(change, "disruption"))
        return rule_taint_evict(follower, deed, glimpse);
    const char *name = object ? object->as.pod->spec.node_name : NULL;
    const struct object *node = name ? glimpse_find(glimpse, OBJECT_NODE, name) : NULL;
    if (follower->would.length == 0)
        text_printf(&follower->would, "node lifecycle marks pods of nodes that are not ready");
    return node && strcmp(ready_status(node->as.node), "True") != 0;
}

/* ---- kubelet ---- */

static const struct value *admission_of(struct follower *follower, const struct glimpse *glimpse,
                                        const char *pod)
{
    struct json_out json;
    struct problems problems;
    const struct decide_choice choice = {.features = follower->features};
    problems_init(&problems, &follower->scratch);
    text_reset(&follower->answer);
    text_reset(&follower->sentences);
    json_out_init(&json, &follower->answer, 0);
    json_object_begin(&json, NULL);
    if (!decider_kubelet.decide_objects(&follower->scratch, &glimpse->objects, &choice, &json,
                                        &follower->sentences, &problems))
        return NULL;
    json_object_end(&json);
    const struct document *document = manifest_reader_parse_json(
        follower->restorer.reader, &follower->scratch, (struct place){"decision", 1, 1},
        text_content(&follower->answer), follower->answer.length, &problems);
    const struct value *results = document ? value_find(&document->root, "result") : NULL;
    const char *wanted = arena_printf(&follower->scratch, "%s/%s", follower->namespace, pod);
    for (uint32_t i = 0; results && results->kind == VALUE_SEQUENCE && i < results->count; i++)
        if (claim_same_text(value_find_string(&results->items[i], "pod"), wanted))
            return &results->items[i];
    return NULL;
}

/* A pod that the kubelet refuses fails for a reason that admission gives, in
 * some order of those that wait. */
static bool refusal_is_due(struct follower *follower, const struct deed *deed,
                           const struct glimpse *glimpse, const char *reason)
{
    const struct value *admission = admission_of(follower, glimpse, deed->name);
    bool admitted = true;
    value_read_boolean(value_find(admission, "admitted"), &admitted);
    if (follower->would.length == 0)
        text_printf(&follower->would, "the kubelet would %s %s", admitted ? "admit" : "refuse",
                    deed->name);
    return admission && !admitted &&
           claim_same_text(value_find_string(admission, "reason"), reason);
}

bool rule_kubelet_status(struct follower *follower, const struct deed *deed,
                         struct glimpse *glimpse)
{
    const struct value *change = value_find(deed->line, "change");
    const char *phase = value_find_string(change, "phase");
    const char *reason = value_find_string(change, "reason");
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    if (!object)
        return false;
    const struct pod *pod = object->as.pod;
    bool ready = false;
    value_read_boolean(value_find(change, "ready"), &ready);
    if (follower->would.length == 0)
        text_printf(&follower->would, "a kubelet acts on pods of its own node: %s is on %s",
                    deed->name, pod->spec.node_name ? pod->spec.node_name : "none");
    if (!pod->spec.node_name)
        return false;
    if (phase && strcmp(phase, "Failed") == 0 && reason) {
        text_reset(&follower->would);
        return refusal_is_due(follower, deed, glimpse, reason);
    }
    if (phase && strcmp(phase, "Running") == 0)
        return pod->status.phase == POD_PENDING || pod->status.phase == POD_PHASE_UNSET;
    if (ready)
        return pod->status.phase == POD_RUNNING || (phase != NULL && strcmp(phase, "Running") == 0);
    return true; /* the pod ended, or the kubelet wrote its own view again */
}

bool rule_kubelet_delete(struct follower *follower, const struct deed *deed,
                         struct glimpse *glimpse)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    if (follower->would.length == 0)
        text_printf(&follower->would, "a kubelet removes only pods that are being deleted");
    return object && object->meta->deletion_time != TIME_NONE;
}

/* ---- garbage ---- */

/* The owner is deleted, or is being deleted. */
bool rule_collect(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const bool is_pod = strcmp(deed->kind, "Pod") == 0;
    const struct object *object =
        glimpse_find(glimpse, is_pod ? OBJECT_POD : OBJECT_REPLICA_SET, deed->name);
    const struct owner_reference *owner = object ? object_meta_controller(object->meta) : NULL;
    if (follower->would.length == 0)
        text_printf(&follower->would,
                    "the garbage collector leaves %s alone while its owner is "
                    "there",
                    deed->name);
    if (!owner)
        return false;
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *other = &glimpse->objects.items[i];
        if (strcmp(other->kind_name, owner->kind) == 0 &&
            strcmp(other->meta->name, owner->name) == 0 && is_of_namespace(follower, other->meta) &&
            claim_same_text(other->meta->uid, owner->uid))
            return other->meta->deletion_time != TIME_NONE;
    }
    return true;
}

/* Its node has not been there for a while, or it was never bound and deleted. */
bool rule_collect_pod(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    const char *node = object ? object->as.pod->spec.node_name : NULL;
    if (follower->would.length == 0)
        text_printf(&follower->would, "pod garbage collection wants a node that is gone");
    if (!object)
        return false;
    return node ? !glimpse_find(glimpse, OBJECT_NODE, node)
                : object->meta->deletion_time != TIME_NONE;
}
