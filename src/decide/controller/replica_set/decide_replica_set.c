/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide replicaset`: the next sync of a ReplicaSet. */
#include "base/vec.h"
#include "decide/claim.h"
#include "decide/controller/replica_set/replica_set_controller.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"

#include <stdlib.h>
#include <string.h>

/* A class of one pod. */
struct set_pod {
    const struct pod *pod;
    struct replica_set_pod_class class;
};

struct set_case {
    struct arena *arena;
    const struct objects *objects;
    const struct replica_set *set;
    int64_t now;
    struct features features;
    VEC(struct set_pod) claimed; /* the set's own from now on */
    VEC(struct set_pod) owned;   /* by the owner reference, as the ranking is recorded */
    VEC(const char *) patches;
    uint32_t terminating; /* own pods that are being deleted and have not ended */
    bool order_matters;   /* the ranking depends on the order of the cache */
    VEC(struct replica_set_pod_class) classes;
    struct replica_set_facts_in facts;
    struct replica_set_decision decision;
};

static bool active(const struct pod *pod)
{
    return pod->status.phase != POD_SUCCEEDED && pod->status.phase != POD_FAILED &&
           pod->meta.deletion_time == TIME_NONE;
}

/* Do both sets have the same controller, say one Deployment? */
static bool siblings(const struct replica_set *a, const struct replica_set *b)
{
    const struct owner_reference *left = object_meta_controller(&a->meta);
    const struct owner_reference *right = object_meta_controller(&b->meta);
    if (!left || !right || !claim_same_text(a->meta.namespace, b->meta.namespace))
        return false;
    return left->uid && right->uid ? claim_same_text(left->uid, right->uid)
                                   : claim_same_text(left->name, right->name);
}

/* Active pods on the node that the selectors of sibling sets match. */
static uint32_t crowd(const struct set_case *a_case, const char *node_name)
{
    uint32_t count = 0;
    if (!object_meta_controller(&a_case->set->meta))
        return 0;
    for (uint32_t p = 0; p < a_case->objects->count; p++) {
        const struct object *object = &a_case->objects->items[p];
        if (object->kind != OBJECT_POD || !active(object->as.pod) ||
            !claim_same_text(object->meta->namespace, a_case->set->meta.namespace) ||
            strcmp(object->as.pod->spec.node_name ? object->as.pod->spec.node_name : "",
                   node_name ? node_name : "") != 0)
            continue;
        bool related = false;
        for (uint32_t s = 0; s < a_case->objects->count && !related; s++) {
            const struct object *other = &a_case->objects->items[s];
            related =
                other->kind == OBJECT_REPLICA_SET && siblings(a_case->set, other->as.replica_set) &&
                label_selector_matches(other->as.replica_set->selector, &object->meta->labels);
        }
        count += related;
    }
    return count;
}

static bool fully_labeled(const struct replica_set *set, const struct pod *pod)
{
    return labels_include(&pod->meta.labels, &set->template.meta.labels);
}

static int32_t sidecar_restarts(const struct pod *pod)
{
    int32_t most = 0;
    for (uint32_t i = 0; i < pod->spec.init_container_count; i++) {
        const struct container *container = &pod->spec.init_containers[i];
        if (!claim_same_text(container->restart_policy, "Always"))
            continue;
        for (uint32_t s = 0; s < pod->status.init_container_status_count; s++) {
            const struct container_status *status = &pod->status.init_container_statuses[s];
            if (claim_same_text(status->name, container->name) && status->restart_count > most)
                most = status->restart_count;
        }
    }
    return most;
}

static struct replica_set_pod_class class_of(const struct set_case *a_case, const struct pod *pod)
{
    const bool ready = pod_is_ready(pod);
    struct replica_set_pod_class class = {
        .count = 1,
        .phase = pod->status.phase,
        .assigned = pod->spec.node_name != NULL,
        .ready = ready,
        .fully_labeled = fully_labeled(a_case->set, pod),
        .deletion_cost = replica_set_deletion_cost(&pod->meta.annotations),
        .node_crowd = crowd(a_case, pod->spec.node_name),
        .ready_age = ready ? age_at(a_case->now, pod_ready_since(pod)) : AGE_NONE,
        .creation_age = age_at(a_case->now, pod->meta.creation_time),
        .uid = pod->meta.uid ? pod->meta.uid : "",
    };
    class.available = pod_is_available(&a_case->features, class.ready, class.ready_age,
                                       a_case->set->min_ready_seconds);
    for (uint32_t i = 0; i < pod->status.container_status_count; i++)
        if (pod->status.container_statuses[i].restart_count > class.restarts)
            class.restarts = pod->status.container_statuses[i].restart_count;
    if (a_case->features.sidecar_restarts_rank)
        class.sidecar_restarts = sidecar_restarts(pod);
    return class;
}

static bool terminating(const struct pod *pod)
{
    return pod->status.phase != POD_SUCCEEDED && pod->status.phase != POD_FAILED &&
           pod->meta.deletion_time != TIME_NONE;
}

/* Its active pods: owned and matching; orphans that match are adopted, owned
 * pods that no longer match are released. */
static void claim_pods(struct set_case *a_case)
{
    const struct replica_set *set = a_case->set;
    for (uint32_t i = 0; i < a_case->objects->count; i++) {
        const struct object *object = &a_case->objects->items[i];
        if (object->kind != OBJECT_POD)
            continue;
        const enum claim claim = claim_of(object->meta, "ReplicaSet", &set->meta, set->selector);
        a_case->terminating += claim == CLAIM_OWNED && terminating(object->as.pod);
        if (claim == CLAIM_NONE || !active(object->as.pod))
            continue;
        const struct set_pod pod = {object->as.pod, class_of(a_case, object->as.pod)};
        if (claim != CLAIM_OWNED)
            VEC_PUSH(a_case->arena, &a_case->patches,
                     arena_printf(a_case->arena, "%s %s",
                                  claim == CLAIM_ADOPT ? "adopt" : "release", object->meta->name));
        if (claim != CLAIM_ADOPT)
            VEC_PUSH(a_case->arena, &a_case->owned, pod);
        if (claim != CLAIM_RELEASE)
            VEC_PUSH(a_case->arena, &a_case->claimed, pod);
    }
}

/* First to go first, by insertion. */
static void rank(struct set_pod *pods, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct set_pod pod = pods[i];
        uint32_t at = i;
        while (at > 0 && replica_set_compare(&pod.class, &pods[at - 1].class, NULL) < 0) {
            pods[at] = pods[at - 1];
            at--;
        }
        pods[at] = pod;
    }
}

/* Is the ranking no strict order of all pods? Then the real choice depends on
 * the order of the cache. */
static bool undecided(const struct set_pod *pods, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (replica_set_compare(&pods[i].class, &pods[j].class, NULL) >= 0)
                return true;
    return false;
}

static void fill_case(struct arena *arena, const struct objects *objects,
                      const struct replica_set *set, int64_t now, const struct features *features,
                      struct set_case *a_case)
{
    *a_case = (struct set_case){
        .arena = arena, .objects = objects, .set = set, .now = now, .features = *features};
    claim_pods(a_case);
    rank(a_case->claimed.items, a_case->claimed.count);
    rank(a_case->owned.items, a_case->owned.count);
    a_case->order_matters = undecided(a_case->owned.items, a_case->owned.count);
    for (uint32_t i = 0; i < a_case->claimed.count; i++)
        VEC_PUSH(arena, &a_case->classes, a_case->claimed.items[i].class);
    a_case->facts = (struct replica_set_facts_in){
        .replicas = set->replicas,
        .terminating = set->meta.deletion_time != TIME_NONE,
        .burst = REPLICA_SET_BURST,
        .creations_allowed = -1,
        .failing = conditions_find(&set->status.conditions, "ReplicaFailure") != NULL,
        .pods = a_case->classes.items,
        .pod_class_count = a_case->classes.count,
    };
}

static void write_names(struct json_out *json, const char *key, const char **names, uint32_t count)
{
    json_array_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        json_string(json, NULL, names[i]);
    json_array_end(json);
}

/* Nothing is left to choose. */
static bool removes_all(const struct set_case *a_case)
{
    return a_case->decision.removed > 0 &&
           a_case->decision.removed == (int32_t)a_case->claimed.count;
}

static const char **names_of(struct arena *arena, const struct set_pod *pods, uint32_t count)
{
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        names[i] = pods[i].pod->meta.name;
    return names;
}

static void write_removals(const struct set_case *a_case, struct json_out *json)
{
    const uint32_t removed = (uint32_t)a_case->decision.removed;
    if (!a_case->order_matters)
        write_names(json, "ranking",
                    names_of(a_case->arena, a_case->owned.items, a_case->owned.count),
                    a_case->owned.count);
    if (!a_case->order_matters || removes_all(a_case) ||
        (removed == 0 && a_case->features.results_say_empty)) {
        const char **names = names_of(a_case->arena, a_case->claimed.items, removed);
        qsort(names, removed, sizeof(*names), claim_compare_texts);
        write_names(json, "deleted", names, removed);
    }
    json_unsigned(json, "deletedCount", removed);
    json_boolean(json, "rankingDependsOnInputOrder", a_case->order_matters);
}

static void write_less(const struct set_case *a_case, struct json_out *json)
{
    const struct set_pod *pods = a_case->owned.items;
    json_array_begin(json, "less");
    for (uint32_t i = 0; i < a_case->owned.count; i++)
        for (uint32_t j = 0; j < a_case->owned.count; j++)
            if (i != j && replica_set_compare(&pods[i].class, &pods[j].class, NULL) < 0) {
                json_array_begin(json, NULL);
                json_string(json, NULL, pods[i].pod->meta.name);
                json_string(json, NULL, pods[j].pod->meta.name);
                json_array_end(json);
            }
    json_array_end(json);
}

static void write_status(const struct set_case *a_case, struct json_out *json)
{
    const struct replica_set_decision *decision = &a_case->decision;
    json_object_begin(json, "status");
    json_integer(json, "replicas", decision->replicas);
    json_integer(json, "fullyLabeledReplicas", decision->fully_labeled);
    json_integer(json, "readyReplicas", decision->ready);
    json_integer(json, "availableReplicas", decision->available);
    if (a_case->features.terminating_replicas)
        json_unsigned(json, "terminatingReplicas", a_case->terminating);
    json_array_begin(json, "conditions");
    if (decision->failure == REPLICA_SET_FAILED_CREATE)
        json_string(json, NULL, "ReplicaFailure=True:FailedCreate");
    json_array_end(json);
    json_object_end(json);
}

static void write_decision(struct set_case *a_case, struct json_out *json, const char *key)
{
    const struct replica_set_decision *decision = &a_case->decision;
    json_object_begin(json, key);
    json_integer(json, "created", decision->created);
    json_integer(json, "createCalls", decision->create_calls);
    write_removals(a_case, json);
    if (a_case->order_matters)
        write_less(a_case, json);
    json_object_begin(json, "nodeRanks");
    for (uint32_t i = 0; i < a_case->owned.count; i++)
        json_unsigned(json, a_case->owned.items[i].pod->meta.name,
                      a_case->owned.items[i].class.node_crowd);
    json_object_end(json);
    write_status(a_case, json);
    if (a_case->patches.count > 0) {
        qsort(a_case->patches.items, a_case->patches.count, sizeof(*a_case->patches.items),
              claim_compare_texts);
        write_names(json, "patched", a_case->patches.items, a_case->patches.count);
    }
    if (decision->created < decision->create_calls)
        json_string(json, "error", "exceeded quota");
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    int64_t burst;
    int64_t limit;
    if (!scenario_read(arena, value, features, &scenario, problems) ||
        !scenario_read_integer(scenario.input, "burst",
                               (struct scenario_number){REPLICA_SET_BURST, 0, INT32_MAX}, &burst,
                               problems) ||
        !scenario_read_integer(scenario.input, "createLimit",
                               (struct scenario_number){-1, -1, INT32_MAX}, &limit, problems))
        return false;
    const char *name = value_find_string(scenario.input, "replicaSet");
    const struct object *chosen = NULL;
    for (uint32_t i = 0; i < scenario.objects.count; i++)
        if (scenario.objects.items[i].kind == OBJECT_REPLICA_SET &&
            (!name || strcmp(scenario.objects.items[i].meta->name, name) == 0))
            chosen = &scenario.objects.items[i];
    if (!chosen) {
        problem_error(problems, value_place(value), "input.replicaSet",
                      "there is no such ReplicaSet among the objects");
        return false;
    }
    struct set_case a_case;
    fill_case(arena, &scenario.objects, chosen->as.replica_set, scenario.clock, &scenario.features,
              &a_case);
    a_case.facts.burst = (int32_t)burst;
    a_case.facts.creations_allowed = limit;
    a_case.decision = replica_set_sync(&a_case.facts);
    write_decision(&a_case, json, "result");
    return true;
}

static void write_sentences(const struct set_case *a_case, struct text *sentences)
{
    const struct replica_set_decision *decision = &a_case->decision;
    text_printf(sentences, "ReplicaSet %s/%s: %d wanted, %d there\n", a_case->set->meta.namespace,
                a_case->set->meta.name, a_case->set->replicas, decision->replicas);
    for (uint32_t i = 0; i < a_case->patches.count; i++)
        text_printf(sentences, "  %.*ss%s: %s\n", (int)strcspn(a_case->patches.items[i], " "),
                    a_case->patches.items[i], strchr(a_case->patches.items[i], ' '),
                    a_case->patches.items[i][0] == 'a' ? "it has no owner, and its labels match"
                                                       : "its labels do not match any more");
    if (decision->created > 0)
        text_printf(sentences, "  creates %d pods\n", decision->created);
    for (int32_t i = 0; i < decision->removed; i++) {
        const struct set_pod *pods = a_case->claimed.items;
        enum removal_rule rule = REMOVAL_EQUAL;
        text_printf(sentences, "  deletes %s", pods[i].pod->meta.name);
        if (!removes_all(a_case)) {
            replica_set_compare(&pods[i].class, &pods[decision->removed].class, &rule);
            text_printf(sentences, " (%s)", removal_rule_text(rule));
        }
        text_append_char(sentences, '\n');
    }
    if (decision->removed > 0 && a_case->order_matters && !removes_all(a_case))
        text_append_string(sentences, "  The ranking is not decided by the rules alone: the order "
                                      "of the controller's cache may choose others.\n");
    if (decision->created == 0 && decision->removed == 0)
        text_append_string(sentences, "  nothing to create or delete\n");
    text_printf(sentences, "  status: %d pods, %d ready, %d available\n", decision->replicas,
                decision->ready, decision->available);
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_REPLICA_SET)
            continue;
        struct set_case a_case;
        fill_case(arena, objects, objects->items[i].as.replica_set, scenario_present(objects),
                  &choice->features, &a_case);
        a_case.decision = replica_set_sync(&a_case.facts);
        json_object_begin(json, NULL);
        json_string(json, "namespace", objects->items[i].meta->namespace);
        json_string(json, "name", objects->items[i].meta->name);
        write_decision(&a_case, json, "decision");
        json_object_end(json);
        write_sentences(&a_case, sentences);
    }
    json_array_end(json);
    return true;
}

const struct decider decider_replicaset = {
    .name = "replicaset",
    .summary = "which pods a ReplicaSet creates or deletes in its next sync",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
