/* SPDX-License-Identifier: Apache-2.0 */
/* What a sync has decided, as JSON and in words. */
#include "decide/controller/deployment/deployment_case.h"

#include "object/time.h"

#include <string.h>

static void write_action(struct json_out *json, const struct deployment_decision *decision,
                         const struct deployment_action *action)
{
    static const char *const verbs[] = {"create", "scale", "annotate", "delete"};
    json_object_begin(json, NULL);
    json_string(json, "verb", verbs[action->verb]);
    json_string(json, "rs", decision->sets[action->set].name);
    json_integer(json, "from", action->from);
    json_integer(json, "to", action->to);
    json_object_end(json);
}

static const char *optional_text(struct arena *arena, struct optional_int number)
{
    return number.set ? arena_printf(arena, "%lld", (long long)number.value) : "";
}

bool deployment_deletes(const struct deployment_decision *decision, uint32_t set)
{
    for (uint32_t i = 0; i < decision->actions.count; i++)
        if (decision->actions.items[i].verb == DEPLOYMENT_DELETE &&
            decision->actions.items[i].set == set)
            return true;
    return false;
}

static void write_set(struct arena *arena, struct json_out *json, const struct case_set *set)
{
    const struct optional_int revision = {set->facts.revision > 0, set->facts.revision};
    json_object_begin(json, NULL);
    json_string(json, "name", set->facts.name);
    json_string(json, "image", set->image);
    json_integer(json, "replicas", set->facts.replicas);
    json_string(json, "revision", optional_text(arena, revision));
    json_string(json, "desiredAnnotation", optional_text(arena, set->facts.desired));
    json_string(json, "maxAnnotation", optional_text(arena, set->facts.most));
    json_object_end(json);
}

/* By name, as a list of the API is. */
static void write_sets(struct json_out *json, const struct deployment_case *a_case,
                       const struct deployment_decision *decision)
{
    const char *last = "";
    json_array_begin(json, "replicaSets");
    for (uint32_t written = 0; written < decision->set_count; written++) {
        uint32_t next = UINT32_MAX;
        for (uint32_t i = 0; i < decision->set_count; i++) {
            const char *name = a_case->sets.items[i].facts.name;
            if (strcmp(name, last) > 0 &&
                (next == UINT32_MAX || strcmp(name, a_case->sets.items[next].facts.name) < 0))
                next = i;
        }
        if (next == UINT32_MAX)
            break;
        last = a_case->sets.items[next].facts.name;
        if (!deployment_deletes(decision, next))
            write_set(a_case->arena, json, &a_case->sets.items[next]);
    }
    json_array_end(json);
}

static void write_condition(struct arena *arena, struct json_out *json,
                            const struct deployment_condition *condition)
{
    static const char *const statuses[] = {"Unknown", "False", "True"};
    json_object_begin(json, NULL);
    json_string(json, "type", deployment_condition_names[condition->type]);
    json_string(json, "status", statuses[condition->status]);
    json_string(json, "reason", deployment_reason_text(condition->reason, condition->reason_text));
    if (condition->last_update_time != TIME_NONE)
        json_string(json, "lastUpdateTime", time_format(arena, condition->last_update_time));
    if (condition->last_transition_time != TIME_NONE)
        json_string(json, "lastTransitionTime",
                    time_format(arena, condition->last_transition_time));
    json_object_end(json);
}

static void write_status(struct arena *arena, struct json_out *json,
                         const struct deployment_decision *decision)
{
    const struct deployment_status_facts *status = &decision->status;
    const struct optional_int revision = {decision->revision > 0, decision->revision};
    json_object_begin(json, "status");
    json_integer(json, "replicas", status->replicas);
    json_integer(json, "updatedReplicas", status->updated_replicas);
    json_integer(json, "readyReplicas", status->ready_replicas);
    json_integer(json, "availableReplicas", status->available_replicas);
    json_integer(json, "unavailableReplicas", status->unavailable_replicas);
    if (status->terminating_replicas.set)
        json_integer(json, "terminatingReplicas", status->terminating_replicas.value);
    json_string(json, "revision", optional_text(arena, revision));
    json_array_begin(json, "conditions");
    for (int type = 0; type < DEPLOYMENT_CONDITION_TYPE_COUNT; type++) {
        const struct deployment_condition *condition =
            deployment_condition_find(status, (enum deployment_condition_type)type);
        if (condition)
            write_condition(arena, json, condition);
    }
    json_array_end(json);
    json_object_end(json);
}

static const char *event_text(const struct deployment_case *a_case,
                              const struct deployment_decision *decision,
                              const struct deployment_action *action)
{
    struct arena *arena = a_case->arena;
    const char *name = decision->sets[action->set].name;
    const bool scales =
        action->verb == DEPLOYMENT_SCALE || (action->verb == DEPLOYMENT_CREATE && action->to > 0);
    if (scales && a_case->features.events_from_to)
        return arena_printf(arena, "Scaled %s replica set %s from %d to %d",
                            action->to > action->from ? "up" : "down", name, action->from,
                            action->to);
    if (action->verb == DEPLOYMENT_CREATE && action->to > 0)
        return arena_printf(arena, "Scaled up replica set %s to %d", name, action->to);
    if (action->verb == DEPLOYMENT_SCALE)
        return arena_printf(arena, "Scaled %s replica set %s to %d from %d",
                            action->to > action->from ? "up" : "down", name, action->to,
                            action->from);
    return NULL;
}

void deployment_write_decision(struct json_out *json, const char *key,
                               const struct deployment_case *a_case,
                               const struct deployment_decision *decision)
{
    json_object_begin(json, key);
    json_array_begin(json, "actions");
    for (uint32_t i = 0; i < decision->actions.count; i++)
        write_action(json, decision, &decision->actions.items[i]);
    json_array_end(json);
    write_sets(json, a_case, decision);
    write_status(a_case->arena, json, decision);
    json_array_begin(json, "events");
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const char *event = event_text(a_case, decision, &decision->actions.items[i]);
        if (event)
            json_string(json, NULL,
                        arena_printf(a_case->arena, "Normal ScalingReplicaSet %s", event));
    }
    json_array_end(json);
    json_object_end(json);
}

static const char *branch_sentence(struct arena *arena, const struct deployment_case *a_case,
                                   const struct deployment_decision *decision)
{
    switch (decision->branch) {
    case DEPLOYMENT_BRANCH_REFUSED:
        return "Its selector selects every pod, so the controller leaves it alone.";
    case DEPLOYMENT_BRANCH_STATUS_ONLY:
        return "It is being deleted: only the status is brought up to date.";
    case DEPLOYMENT_BRANCH_PAUSED:
        return "It is paused: sizes may change, but nothing is rolled out.";
    case DEPLOYMENT_BRANCH_SCALING:
        return "The number of replicas was changed: the sets are resized in proportion before any "
               "rollout goes on.";
    case DEPLOYMENT_BRANCH_RECREATE:
        return "Recreate: all old pods go before the first new one is made.";
    case DEPLOYMENT_BRANCH_ROLLING:
        return arena_printf(arena,
                            "RollingUpdate of %d replicas: at most %d pods (surge %d), at least "
                            "%d available (unavailable %d).",
                            a_case->facts.replicas, decision->surge_limit, a_case->facts.max_surge,
                            decision->availability_floor, a_case->facts.max_unavailable);
    }
    return "";
}

/* What allowed a rolling update to resize this set; nothing in other branches. */
static const char *scale_reason(const struct deployment_case *a_case,
                                const struct deployment_decision *decision,
                                const struct deployment_action *action)
{
    int64_t pods = 0;
    if (decision->branch != DEPLOYMENT_BRANCH_ROLLING)
        return "";
    for (uint32_t i = 0; i < decision->actions.count; i++)
        if (decision->actions.items[i].verb == DEPLOYMENT_CREATE)
            pods -= decision->actions.items[i].to;
        else if (decision->actions.items[i].verb == DEPLOYMENT_SCALE)
            pods += decision->actions.items[i].from - decision->actions.items[i].to;
    for (uint32_t i = 0; i < decision->set_count; i++)
        pods += decision->sets[i].replicas;
    if (action->to > action->from)
        return arena_printf(a_case->arena, ": %lld pods so far, %d allowed", (long long)pods,
                            decision->surge_limit);
    return arena_printf(a_case->arena, ": %d pods are available, %d must be",
                        decision->status.available_replicas, decision->availability_floor);
}

void deployment_write_sentences(struct text *sentences, const struct deployment_case *a_case,
                                const struct deployment_decision *decision)
{
    struct arena *arena = a_case->arena;
    const struct deployment_status_facts *status = &decision->status;
    text_printf(sentences, "Deployment %s/%s\n  %s\n", a_case->deployment.meta.namespace,
                a_case->deployment.meta.name, branch_sentence(arena, a_case, decision));
    bool acted = false;
    for (uint32_t i = 0; i < decision->actions.count; i++) {
        const struct deployment_action *action = &decision->actions.items[i];
        const char *name = decision->sets[action->set].name;
        if (action->verb == DEPLOYMENT_CREATE)
            text_printf(sentences, "  creates a ReplicaSet for the present template with %d pods\n",
                        action->to);
        else if (action->verb == DEPLOYMENT_DELETE)
            text_printf(sentences, "  deletes %s, beyond the history limit of %d\n", name,
                        a_case->facts.history_limit);
        else if (action->verb == DEPLOYMENT_SCALE)
            text_printf(sentences, "  scales the %s ReplicaSet %s %s from %d to %d%s\n",
                        action->set == decision->new_set ? "new" : "old", name,
                        action->to > action->from ? "up" : "down", action->from, action->to,
                        scale_reason(a_case, decision, action));
        else
            text_printf(sentences, "  updates the annotations of %s\n", name);
        acted = true;
    }
    if (!acted)
        text_append_string(sentences, "  nothing to do in this sync\n");
    text_printf(sentences,
                "  status: %d pods, %d updated, %d ready, %d available, %d unavailable\n",
                status->replicas, status->updated_replicas, status->ready_replicas,
                status->available_replicas, status->unavailable_replicas);
    for (uint32_t i = 0; i < status->condition_count; i++)
        text_printf(sentences, "  %s: %s\n", deployment_condition_names[status->conditions[i].type],
                    deployment_reason_text(status->conditions[i].reason,
                                           status->conditions[i].reason_text));
}
