/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide statefulset`: the next sync of a StatefulSet. */
#include "decide/claim.h"
#include "decide/controller/stateful_set/stateful_set_controller.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"

#include <stdlib.h>
#include <string.h>

#define LABEL_REVISION "controller-revision-hash"

struct set_case {
    struct arena *arena;
    const struct stateful_set *set;
    const char *current_revision;
    const char *update_revision;
    const struct features *features;
    VEC(struct stateful_pod) pods;
    struct stateful_set_facts facts;
    const struct stateful_set_decision *decision;
};

static bool claimed(const struct stateful_set *set, const struct object_meta *meta)
{
    const enum claim claim = claim_of(meta, "StatefulSet", &set->meta, set->selector);
    return claim == CLAIM_OWNED || claim == CLAIM_ADOPT;
}

/* db-3 is pod 3 of the set db; -1: the name is not of that form. */
static int32_t ordinal_of(const struct stateful_set *set, const char *name)
{
    const size_t length = strlen(set->meta.name);
    if (strncmp(name, set->meta.name, length) != 0 || name[length] != '-')
        return -1;
    const char *digits = name + length + 1;
    if (!*digits || digits[strspn(digits, "0123456789")] || strlen(digits) > 9)
        return -1;
    return (int32_t)strtol(digits, NULL, 10);
}

static struct stateful_pod pod_of(const struct set_case *a_case, const struct pod *pod,
                                  int32_t ordinal, int64_t now)
{
    const bool is_ready = pod_is_ready(pod);
    const int64_t age = age_at(now, pod_ready_since(pod));
    const char *revision = labels_find(&pod->meta.labels, LABEL_REVISION);
    return (struct stateful_pod){
        .ordinal = ordinal,
        .created = pod->status.phase != POD_PHASE_UNSET,
        .failed = pod->status.phase == POD_FAILED,
        .succeeded = pod->status.phase == POD_SUCCEEDED,
        .ready = pod->status.phase == POD_RUNNING && is_ready,
        .available =
            pod_is_available(a_case->features, is_ready, age, a_case->set->min_ready_seconds),
        .terminating = pod->meta.deletion_time != TIME_NONE,
        .current_revision = claim_same_text(revision, a_case->current_revision),
        .update_revision = claim_same_text(revision, a_case->update_revision),
    };
}

/* Kept in the order of the ordinals. */
static void add_pod(struct set_case *a_case, struct stateful_pod pod)
{
    VEC_PUSH(a_case->arena, &a_case->pods, pod);
    for (uint32_t i = a_case->pods.count - 1;
         i > 0 && a_case->pods.items[i - 1].ordinal > pod.ordinal; i--) {
        a_case->pods.items[i] = a_case->pods.items[i - 1];
        a_case->pods.items[i - 1] = pod;
    }
}

static void decide(struct set_case *a_case, const struct objects *objects, int64_t now)
{
    const struct stateful_set *set = a_case->set;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_POD || !claimed(set, object->meta))
            continue;
        const int32_t ordinal = ordinal_of(set, object->meta->name);
        if (ordinal >= 0)
            add_pod(a_case, pod_of(a_case, object->as.pod, ordinal, now));
    }
    a_case->facts = (struct stateful_set_facts){
        .features = a_case->features,
        .replicas = set->replicas,
        .start_ordinal = a_case->features->stateful_start_ordinal ? set->start_ordinal : 0,
        .parallel = set->pod_management_policy == POD_MANAGEMENT_PARALLEL,
        .on_delete = set->update_strategy == UPDATE_ON_DELETE,
        .terminating = set->meta.deletion_time != TIME_NONE,
        .same_revision = claim_same_text(a_case->current_revision, a_case->update_revision),
        .partition = set->partition,
        .max_unavailable = stateful_set_max_unavailable(a_case->features, set, set->replicas),
        .pods = a_case->pods.items,
        .pod_count = a_case->pods.count,
    };
    a_case->decision = stateful_set_sync(a_case->arena, &a_case->facts);
}

static const char *revision_of(const struct set_case *a_case, const struct stateful_action *action)
{
    const char *revision =
        action->update_revision ? a_case->update_revision : a_case->current_revision;
    return revision ? revision : "";
}

static void write_decision(const struct set_case *a_case, struct json_out *json, const char *key)
{
    const struct stateful_set_decision *decision = a_case->decision;
    const uint32_t count = decision->actions.count;
    const char **actions = ARENA_ARRAY(a_case->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct stateful_action *action = &decision->actions.items[i];
        actions[i] = action->verb == STATEFUL_CREATE
                         ? arena_printf(a_case->arena, "create %s-%d %s", a_case->set->meta.name,
                                        action->ordinal, revision_of(a_case, action))
                         : arena_printf(a_case->arena, "delete %s-%d", a_case->set->meta.name,
                                        action->ordinal);
    }
    /* Parallel calls have no order of their own. */
    if (a_case->facts.parallel)
        qsort(actions, count, sizeof(*actions), claim_compare_texts);
    json_object_begin(json, key);
    json_array_begin(json, "actions");
    for (uint32_t i = 0; i < count; i++)
        json_string(json, NULL, actions[i]);
    json_array_end(json);
    json_object_begin(json, "status");
    json_integer(json, "replicas", decision->replicas);
    json_integer(json, "readyReplicas", decision->ready);
    json_integer(json, "availableReplicas", decision->available);
    json_integer(json, "currentReplicas", decision->current);
    json_integer(json, "updatedReplicas", decision->updated);
    json_string(json, "currentRevision",
                decision->update_complete ? a_case->update_revision : a_case->current_revision);
    json_string(json, "updateRevision", a_case->update_revision);
    json_object_end(json);
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    if (!scenario_read(arena, value, features, &scenario, problems))
        return false;
    const struct object *object = scenario_only(&scenario.objects, OBJECT_STATEFUL_SET, problems);
    if (!object)
        return false;
    struct set_case a_case = {
        .arena = arena,
        .set = object->as.stateful_set,
        .current_revision = value_find_string(scenario.input, "currentRevision"),
        .update_revision = value_find_string(scenario.input, "updateRevision"),
        .features = &scenario.features,
    };
    decide(&a_case, &scenario.objects, scenario.clock);
    write_decision(&a_case, json, "result");
    return true;
}

/* Why a pod is deleted. */
static const char *delete_reason(const struct set_case *a_case, int32_t ordinal)
{
    const int64_t index = (int64_t)ordinal - a_case->facts.start_ordinal;
    if (index < 0 || index >= a_case->facts.replicas)
        return "beyond the replicas wanted";
    for (uint32_t i = 0; i < a_case->pods.count; i++) {
        const struct stateful_pod *pod = &a_case->pods.items[i];
        if (pod->ordinal == ordinal && (pod->failed || pod->succeeded))
            return "it has ended";
    }
    return "to update it";
}

static void write_sentences(const struct set_case *a_case, struct text *sentences)
{
    static const char *const waits[] = {
        [STATEFUL_DONE] = "nothing is left to do",
        [STATEFUL_CREATED_ONE] = "one pod at a time: the next waits until %s is ready",
        [STATEFUL_DELETED_ONE] = "one pod at a time: the next waits until %s is gone",
        [STATEFUL_WAITS_TERMINATING] = "waits until %s has terminated",
        [STATEFUL_WAITS_READY] = "waits until %s is running and ready",
        [STATEFUL_WAITS_AVAILABLE] = "waits until %s has been ready for minReadySeconds",
        [STATEFUL_WAITS_UPDATED] = "the update waits until %s is running and ready",
        [STATEFUL_WAITS_LIMIT] = "the update of %s waits: maxUnavailable pods are not ready",
        [STATEFUL_WAITS_GONE] = "waits until %s, which has ended, is gone",
    };
    const struct stateful_set_decision *decision = a_case->decision;
    const char *name = a_case->set->meta.name;
    text_printf(sentences, "StatefulSet %s/%s: %d wanted, %d there\n", a_case->set->meta.namespace,
                name, a_case->set->replicas, decision->replicas);
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const struct stateful_action *action = &decision->actions.items[i];
        text_printf(sentences, "  %s %s-%d",
                    action->verb == STATEFUL_CREATE ? "creates" : "deletes", name, action->ordinal);
        if (action->verb == STATEFUL_CREATE && !a_case->facts.same_revision)
            text_printf(sentences, " of the %s revision",
                        action->update_revision ? "update" : "current");
        if (action->verb == STATEFUL_DELETE)
            text_printf(sentences, " (%s)", delete_reason(a_case, action->ordinal));
        text_append_char(sentences, '\n');
    }
    const char *wait = waits[decision->wait];
    const char *pod = arena_printf(a_case->arena, "%s-%d", name, decision->wait_ordinal);
    const char *hole = strstr(wait, "%s");
    if (hole)
        text_printf(sentences, "  %.*s%s%s\n", (int)(hole - wait), wait, pod, hole + 2);
    else
        text_printf(sentences, "  %s\n", wait);
    text_printf(sentences, "  status: %d pods, %d ready, %d available, %d current, %d updated\n",
                decision->replicas, decision->ready, decision->available, decision->current,
                decision->updated);
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_STATEFUL_SET)
            continue;
        const struct stateful_set *set = objects->items[i].as.stateful_set;
        /* A set that no controller has seen yet has one revision. */
        const char *update = set->status.update_revision ? set->status.update_revision : "new";
        struct set_case a_case = {
            .arena = arena,
            .set = set,
            .current_revision =
                set->status.current_revision ? set->status.current_revision : update,
            .update_revision = update,
            .features = &choice->features,
        };
        decide(&a_case, objects, scenario_present(objects));
        json_object_begin(json, NULL);
        json_string(json, "namespace", set->meta.namespace);
        json_string(json, "name", set->meta.name);
        write_decision(&a_case, json, "decision");
        json_object_end(json);
        write_sentences(&a_case, sentences);
    }
    json_array_end(json);
    return true;
}

const struct decider decider_statefulset = {
    .name = "statefulset",
    .summary = "which pods a StatefulSet creates or deletes in its next sync",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
