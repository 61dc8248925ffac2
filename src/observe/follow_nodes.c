/* SPDX-License-Identifier: Apache-2.0 */
/* Node lifecycle, taint manager, kubelets, garbage collectors. */
#include "model/claim.h"
#include "model/controller/taint_manager.h"
#include "observe/follow_internal.h"

#include <string.h>

/* Timers fire a little early by the clock of a recorder that runs late. */
#define TIMER_SLACK_SECONDS 0.5

/* ---- node lifecycle ---- */

static const char *ready_status(const struct node *node)
{
    const struct condition *ready = conditions_find(&node->status.conditions, "Ready");
    return ready ? ready->status : "Unknown";
}

/* Does the node's condition ask for this taint? The NoExecute ones come later,
 * at a limited rate, so that they may be missing, never the reverse. */
static bool taint_is_due(const struct node *node, const char *key)
{
    const char *ready = ready_status(node);
    if (strcmp(key, "node.kubernetes.io/unschedulable") == 0)
        return node->spec.unschedulable;
    if (strcmp(key, "node.kubernetes.io/not-ready") == 0)
        return strcmp(ready, "False") == 0;
    if (strcmp(key, "node.kubernetes.io/unreachable") == 0)
        return strcmp(ready, "Unknown") == 0;
    return false;
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
            if (key && !has_taint(those, &these->items[i]))
                good = good && taint_is_due(node, key) == (side == 1);
        }
    }
    if (follower->would.length == 0)
        text_printf(&follower->would, "the node %s is Ready=%s%s", deed->name, ready_status(node),
                    node->spec.unschedulable ? " and cordoned" : "");
    return good;
}

/* When the pod came to face the taints that are on its node now. */
static double faced_since(const struct follower *follower, const struct glimpse *glimpse,
                          const char *pod, const char *node)
{
    const struct thing *place = recording_find(follower->recording, "Node", NULL, node);
    const struct thing *thing =
        recording_find(follower->recording, "Pod", follower->namespace, pod);
    const struct version *now = place ? thing_at(place, glimpse->rv) : NULL;
    const struct version *itself = thing ? thing_at(thing, glimpse->rv) : NULL;
    double since = 0;
    if (now) {
        const struct version *first = now;
        while (first > place->versions.items && !first[-1].gone &&
               value_find(first[-1].line, "taints") &&
               value_equal(value_find(first[-1].line, "taints"), value_find(now->line, "taints")))
            first--;
        since = first->time;
    }
    if (itself) {
        const struct version *first = itself;
        while (first > thing->versions.items && !first[-1].gone &&
               value_find_string(first[-1].line, "nodeName"))
            first--;
        since = first->time > since ? first->time : since;
    }
    return since;
}

bool rule_taint_evict(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_POD, deed->name);
    const char *name = object ? object->as.pod->spec.node_name : NULL;
    const struct object *node = name ? glimpse_find(glimpse, OBJECT_NODE, name) : NULL;
    if (!object || !node)
        return false;
    const struct node_spec *spec = &node->as.node->spec;
    struct taint *taints = ARENA_ARRAY(&follower->scratch, struct taint, spec->taint_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < spec->taint_count; i++)
        if (spec->taints[i].effect == TAINT_NO_EXECUTE)
            taints[count++] = spec->taints[i];
    const struct pod_spec *pod = &object->as.pod->spec;
    const int64_t seconds =
        taint_manager_tolerated_seconds(taints, count, pod->tolerations, pod->toleration_count);
    const double waited = deed->time - faced_since(follower, glimpse, deed->name, name);
    if (follower->would.length == 0)
        text_printf(&follower->would,
                    "%s faces %u NoExecute taints on %s for %.1f s, and tolerates them %s",
                    deed->name, count, name, waited,
                    seconds == NOT_TOLERATED       ? "not at all"
                    : seconds == TOLERATED_FOREVER ? "for ever"
                                                   : "for a while");
    if (count == 0 || seconds == TOLERATED_FOREVER)
        return false;
    return seconds == NOT_TOLERATED || seconds <= 0 ||
           waited + TIMER_SLACK_SECONDS >= (double)seconds;
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
    const struct decide_choice choice = {.minor = 26};
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
    return true; /* ends, and its own view written again */
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

/* Its owner is gone, or is going. */
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
            strcmp(other->meta->name, owner->name) == 0 && is_of_namespace(follower, other->meta))
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
