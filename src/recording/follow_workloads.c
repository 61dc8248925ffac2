/* SPDX-License-Identifier: Apache-2.0 */
/* Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs. */
#include "decide/claim.h"
#include "decide/controller/replica_set/replica_set_controller.h"
#include "object/workload.h"
#include "recording/follow_internal.h"
#include "recording/follow_questions.h"

#include <string.h>

/* ---- Deployment ---- */

/* The actions of a sync, as `decide deployment` lists them. */
static const struct value *deployment_actions(struct follower *follower,
                                              const struct glimpse *glimpse, const char *name)
{
    return value_find(follower_decide(follower, &decider_deployment, glimpse, name), "actions");
}

static void tell_actions(struct follower *follower, const char *name, const struct value *actions)
{
    if (follower->would.length > 0)
        return;
    text_printf(&follower->would, "the Deployment controller would do, for %s:", name);
    if (!actions || actions->count == 0)
        text_append_string(&follower->would, " nothing");
    for (uint32_t i = 0; actions && i < actions->count; i++) {
        int64_t to = 0;
        const char *verb = value_find_string(&actions->items[i], "verb");
        const char *set = value_find_string(&actions->items[i], "rs");
        value_read_integer(value_find(&actions->items[i], "to"), &to);
        text_printf(&follower->would, "%s %s %s to %lld", i ? "," : "", verb ? verb : "",
                    set ? set : "", (long long)to);
    }
}

const char *deployment_of_set(const struct follower *follower, const char *set)
{
    const struct thing *thing =
        recording_find(follower->recording, "ReplicaSet", follower->namespace, set);
    if (!thing || thing->versions.count == 0)
        return NULL;
    const struct value *owner = value_find(thing->versions.items[0].line, "owner");
    const char *name = NULL;
    if (owner && owner->kind == VALUE_SEQUENCE && owner->count == 2)
        value_read_string(&owner->items[1], &name);
    return name;
}

static bool deployment_rule(struct follower *follower, const struct deed *deed,
                            const struct glimpse *glimpse, const char *verb, int64_t wanted)
{
    const char *name = deployment_of_set(follower, deed->name);
    if (!name)
        return false;
    const struct value *actions = deployment_actions(follower, glimpse, name);
    tell_actions(follower, name, actions);
    for (uint32_t i = 0; actions && i < actions->count; i++) {
        const struct value *action = &actions->items[i];
        const char *its_verb = value_find_string(action, "verb");
        const char *set = value_find_string(action, "rs");
        int64_t to = -1;
        value_read_integer(value_find(action, "to"), &to);
        if (its_verb && set && strcmp(its_verb, verb) == 0 && to == wanted &&
            (strcmp(verb, "create") == 0 || strcmp(set, deed->name) == 0))
            return true;
    }
    return false;
}

bool rule_deployment_create(struct follower *follower, const struct deed *deed,
                            struct glimpse *glimpse)
{
    int64_t replicas = 0;
    value_read_integer(value_find(deed->line, "replicas"), &replicas);
    return deployment_rule(follower, deed, glimpse, "create", replicas);
}

bool rule_deployment_scale(struct follower *follower, const struct deed *deed,
                           struct glimpse *glimpse)
{
    const struct value *change = value_find(value_find(deed->line, "change"), "replicas");
    int64_t replicas = -1;
    if (change && change->kind == VALUE_SEQUENCE && change->count == 2)
        value_read_integer(&change->items[1], &replicas);
    if (replicas >= 0)
        return deployment_rule(follower, deed, glimpse, "scale", replicas);
    /* Only the annotations are brought up to date; the size stays. */
    const struct object *set = glimpse_find(glimpse, OBJECT_REPLICA_SET, deed->name);
    return set &&
           (deployment_rule(follower, deed, glimpse, "scale", set->as.replica_set->replicas) ||
            deployment_rule(follower, deed, glimpse, "annotate", set->as.replica_set->replicas));
}

/* ---- ReplicaSet ---- */

static bool is_of_set(const struct follower *follower, const struct object *object, const char *set)
{
    const char *name =
        object->kind == OBJECT_POD ? controller_name(object->meta, "ReplicaSet") : NULL;
    return name && strcmp(name, set) == 0 && pod_is_active(object->as.pod) &&
           is_of_namespace(follower, object->meta);
}

static struct replica_set_decision sync_set(const struct glimpse *glimpse, const char *name,
                                            const struct replica_set *set)
{
    struct replica_set_pod_class all = {0};
    for (uint32_t i = 0; i < glimpse->objects.count; i++)
        all.count += is_of_set(glimpse->follower, &glimpse->objects.items[i], name);
    return replica_set_sync(&(struct replica_set_facts_in){
        .replicas = set->replicas,
        .terminating = set->meta.deletion_time != TIME_NONE,
        .burst = REPLICA_SET_BURST,
        .creations_allowed = -1,
        .pods = &all,
        .pod_class_count = 1,
    });
}

/* The owner of a pod that is being made. */
static const char *maker_of(const struct follower *follower, const struct deed *deed)
{
    const char *owner = value_find_string(deed->line, "owner");
    const char *slash = owner ? strchr(owner, '/') : NULL;
    return slash ? slash + 1 : owner_of(follower, deed->name, deed->rv);
}

/* The set as the view has it, or (`newest`) as it was when the deed was done:
 * sets and pods reach the controller by different watches, and the pods may
 * lag. */
static const struct replica_set *set_seen(struct follower *follower, const struct deed *deed,
                                          const struct glimpse *glimpse, const char *name,
                                          bool newest)
{
    const struct object *object = glimpse_find(glimpse, OBJECT_REPLICA_SET, name);
    const struct thing *thing =
        recording_find(follower->recording, "ReplicaSet", follower->namespace, name);
    struct version *version = newest && thing ? thing_at(thing, deed->rv - 1) : NULL;
    if (version)
        object = restore_object(&follower->restorer, version);
    return object ? object->as.replica_set : NULL;
}

static bool creates(struct follower *follower, const struct deed *deed,
                    const struct glimpse *glimpse, const char *name, const struct replica_set *set)
{
    if (!set)
        return false;
    const struct replica_set_decision decision = sync_set(glimpse, name, set);
    const uint32_t done = deeds_unseen(follower, deed, &glimpse->outlook, "create", name);
    if (follower->would.length == 0)
        text_printf(&follower->would,
                    "the ReplicaSet controller would create %d pods of %s and delete %d",
                    decision.created, name, decision.removed);
    return (int64_t)done < decision.created;
}

bool rule_replica_set_create(struct follower *follower, const struct deed *deed,
                             struct glimpse *glimpse)
{
    const char *name = maker_of(follower, deed);
    return name &&
           (creates(follower, deed, glimpse, name,
                    set_seen(follower, deed, glimpse, name, false)) ||
            creates(follower, deed, glimpse, name, set_seen(follower, deed, glimpse, name, true)));
}

/* Pods on the node that sets of the same Deployment own. */
static uint32_t crowd(const struct follower *follower, const struct glimpse *glimpse,
                      const char *set, const char *node)
{
    const char *deployment = deployment_of_set(follower, set);
    uint32_t count = 0;
    for (uint32_t i = 0; deployment && node && i < glimpse->objects.count; i++) {
        const struct object *object = &glimpse->objects.items[i];
        if (object->kind != OBJECT_POD || !pod_is_active(object->as.pod) ||
            !is_of_namespace(follower, object->meta) || !object->as.pod->spec.node_name ||
            strcmp(object->as.pod->spec.node_name, node) != 0)
            continue;
        const char *its_set = controller_name(object->meta, "ReplicaSet");
        const char *its_deployment = its_set ? deployment_of_set(follower, its_set) : NULL;
        count += its_deployment && strcmp(its_deployment, deployment) == 0;
    }
    return count;
}

static struct replica_set_pod_class class_of(const struct follower *follower,
                                             const struct glimpse *glimpse, const char *set,
                                             const struct pod *pod)
{
    /* Ages and UIDs are random in the model, so pods of equal rank may be removed in any order. */
    return (struct replica_set_pod_class){
        .count = 1,
        .phase = pod->status.phase,
        .assigned = pod->spec.node_name != NULL,
        .ready = pod_is_ready(pod),
        .deletion_cost = replica_set_deletion_cost(&pod->meta.annotations),
        .node_crowd = crowd(follower, glimpse, set, pod->spec.node_name),
        .ready_age = AGE_NONE,
        .creation_age = AGE_NONE,
    };
}

/* How many pods rank before this one by the rules alone, without random choices. */
static uint32_t before(const struct follower *follower, const struct glimpse *glimpse,
                       const char *set, const struct pod *pod)
{
    const struct replica_set_pod_class own = class_of(follower, glimpse, set, pod);
    uint32_t count = 0;
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *object = &glimpse->objects.items[i];
        if (!is_of_set(follower, object, set) || object->as.pod == pod)
            continue;
        const struct replica_set_pod_class other = class_of(follower, glimpse, set, object->as.pod);
        count += replica_set_compare(&other, &own, NULL) < 0;
    }
    return count;
}

static bool deletes(struct follower *follower, const struct deed *deed,
                    const struct glimpse *glimpse, const char *name, const struct replica_set *set)
{
    const struct object *victim = glimpse_find(glimpse, OBJECT_POD, deed->name);
    if (!set || !victim || !is_of_set(follower, victim, name))
        return false;
    const struct replica_set_decision decision = sync_set(glimpse, name, set);
    const uint32_t done = deeds_unseen(follower, deed, &glimpse->outlook, "delete", name);
    const uint32_t ranked = before(follower, glimpse, name, victim->as.pod);
    if (follower->would.length == 0)
        text_printf(&follower->would,
                    "the ReplicaSet controller would delete %d pods of %s; %u others go before %s",
                    decision.removed, name, ranked, deed->name);
    return (int64_t)done < decision.removed && (int64_t)ranked < decision.removed;
}

bool rule_replica_set_delete(struct follower *follower, const struct deed *deed,
                             struct glimpse *glimpse)
{
    const char *name = owner_of(follower, deed->name, deed->rv - 1);
    return name &&
           (deletes(follower, deed, glimpse, name,
                    set_seen(follower, deed, glimpse, name, false)) ||
            deletes(follower, deed, glimpse, name, set_seen(follower, deed, glimpse, name, true)));
}

/* ---- StatefulSet ---- */

/* The newest revision there was when the deed was done: the sync that makes a
 * revision writes the status only at its end. */
static const char *newest_revision(const struct follower *follower, const char *set, int64_t rv)
{
    const struct recording *recording = follower->recording;
    const char *newest = NULL;
    int64_t most = -1;
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        const struct version *version =
            strcmp(thing->kind, "ControllerRevision") == 0 ? thing_at(thing, rv) : NULL;
        const struct value *owner = version ? value_find(version->line, "owner") : NULL;
        int64_t revision = 0;
        const char *name = NULL;
        if (!owner || owner->kind != VALUE_SEQUENCE || owner->count != 2 ||
            !value_read_string(&owner->items[1], &name) || strcmp(name, set) != 0)
            continue;
        value_read_integer(value_find(version->line, "revision"), &revision);
        if (revision > most) {
            most = revision;
            newest = thing->name;
        }
    }
    return newest;
}

static bool stateful_rule(struct follower *follower, const struct deed *deed,
                          const struct glimpse *glimpse, const char *set, const char *wanted)
{
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        struct object *object = &glimpse->objects.items[i];
        if (object->kind != OBJECT_STATEFUL_SET || strcmp(object->meta->name, set) != 0)
            continue;
        struct stateful_set *copy = arena_copy(&follower->scratch, object->as.stateful_set,
                                               sizeof(*object->as.stateful_set));
        const char *newest = newest_revision(follower, set, deed->rv);
        if (newest)
            copy->status.update_revision = newest;
        object->as.stateful_set = copy;
        object->meta = &copy->meta;
    }
    const struct value *actions =
        value_find(follower_decide(follower, &decider_statefulset, glimpse, set), "actions");
    if (follower->would.length == 0) {
        text_printf(&follower->would, "the StatefulSet controller would do, for %s:", set);
        for (uint32_t i = 0; actions && i < actions->count; i++)
            text_printf(&follower->would, "%s %s", i ? "," : "", actions->items[i].text);
        if (!actions || actions->count == 0)
            text_append_string(&follower->would, " nothing");
    }
    for (uint32_t i = 0; actions && i < actions->count; i++)
        if (strncmp(actions->items[i].text, wanted, strlen(wanted)) == 0)
            return true;
    return false;
}

bool rule_stateful_set_create(struct follower *follower, const struct deed *deed,
                              struct glimpse *glimpse)
{
    const char *set = owner_of(follower, deed->name, deed->rv);
    return set && stateful_rule(follower, deed, glimpse, set,
                                arena_printf(&follower->scratch, "create %s ", deed->name));
}

bool rule_stateful_set_delete(struct follower *follower, const struct deed *deed,
                              struct glimpse *glimpse)
{
    const char *set = owner_of(follower, deed->name, deed->rv - 1);
    return set && stateful_rule(follower, deed, glimpse, set,
                                arena_printf(&follower->scratch, "delete %s", deed->name));
}

/* ---- DaemonSet ---- */

/* The node that a daemon's pod is for. */
static const char *destination(const struct follower *follower, const char *pod, int64_t rv)
{
    const struct thing *thing =
        recording_find(follower->recording, "Pod", follower->namespace, pod);
    for (uint32_t i = 0; thing && i < thing->versions.count; i++) {
        const struct version *version = &thing->versions.items[i];
        const char *node = value_find_string(version->line, "nodeName");
        const char *told = value_find_string(version->line, "target");
        if (version->rv >= rv && (node || told))
            return node ? node : told;
    }
    return thing ? thing->destined : NULL;
}

static const struct value *daemon_decision(struct follower *follower, const struct glimpse *glimpse,
                                           const char *set)
{
    const struct value *decision = follower_decide(follower, &decider_daemonset, glimpse, set);
    if (follower->would.length == 0)
        text_printf(&follower->would, "the DaemonSet controller would do, for %s: %s", set,
                    text_content(&follower->sentences));
    return decision;
}

/* Has the controller made a pod of the set for the node that the view does not show? It does not
 * act before it has seen its own pods. */
static bool made_unseen(const struct follower *follower, const struct deed *deed,
                        const struct outlook *outlook, const char *set, const char *node)
{
    for (const struct deed *other = deed - 1; other >= follower->recording->deeds.items; other--) {
        if (other->rv >= 0 && other->rv <= outlook_rv(outlook, deed->kind))
            break;
        const char *its_set =
            strcmp(other->actor, deed->actor) == 0 && strcmp(other->action, "create") == 0 &&
                    strcmp(other->kind, "Pod") == 0 && !other->code && other->rv >= 0
                ? owner_of(follower, other->name, other->rv)
                : NULL;
        const char *its_node = its_set ? destination(follower, other->name, other->rv) : NULL;
        if (its_node && strcmp(its_set, set) == 0 && strcmp(its_node, node) == 0)
            return true;
    }
    return false;
}

bool rule_daemon_set_create(struct follower *follower, const struct deed *deed,
                            struct glimpse *glimpse)
{
    const char *set = owner_of(follower, deed->name, deed->rv);
    const char *node = destination(follower, deed->name, deed->rv);
    const struct value *decision = set ? daemon_decision(follower, glimpse, set) : NULL;
    int64_t surges = 0;
    if (!decision)
        return false;
    value_read_integer(value_find(value_find(decision, "roll"), "createCount"), &surges);
    return surges > 0 || (node && list_has(value_find(decision, "createOn"), node) &&
                          !made_unseen(follower, deed, &glimpse->outlook, set, node));
}

bool rule_daemon_set_delete(struct follower *follower, const struct deed *deed,
                            struct glimpse *glimpse)
{
    const char *set = owner_of(follower, deed->name, deed->rv - 1);
    const struct value *decision = set ? daemon_decision(follower, glimpse, set) : NULL;
    const struct value *roll = value_find(decision, "roll");
    int64_t available = 0;
    if (!decision)
        return false;
    value_read_integer(value_find(roll, "deleteAvailableCount"), &available);
    return list_has(value_find(decision, "delete"), deed->name) ||
           list_has(value_find(roll, "deleteUnavailableOld"), deed->name) ||
           (int64_t)deeds_unseen(follower, deed, &glimpse->outlook, "delete", set) < available;
}

/* ---- Job ---- */

static const struct value *job_decision(struct follower *follower, const struct glimpse *glimpse,
                                        const char *job)
{
    const struct value *decision = follower_decide(follower, &decider_job, glimpse, job);
    if (follower->would.length == 0)
        text_printf(&follower->would, "the Job controller would do, for %s: %s", job,
                    text_content(&follower->sentences));
    return decision;
}

bool rule_job_create(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const char *job = owner_of(follower, deed->name, deed->rv);
    const struct value *decision = job ? job_decision(follower, glimpse, job) : NULL;
    int64_t created = 0;
    value_read_integer(value_find(decision, "created"), &created);
    return job && (int64_t)deeds_unseen(follower, deed, &glimpse->outlook, "create", job) < created;
}

bool rule_job_delete(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    const char *job = owner_of(follower, deed->name, deed->rv - 1);
    const struct value *decision = job ? job_decision(follower, glimpse, job) : NULL;
    return list_has(value_find(decision, "deleted"), deed->name);
}
