/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide pdb`: the disruption controller's sync of a budget. */
#include "base/vec.h"
#include "decide/claim.h"
#include "decide/controller/disruption.h"
#include "decide/controller/eviction.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"
#include "object/time.h"
#include "object/workload.h"

#include <inttypes.h>
#include <string.h>

struct budget_case {
    const struct pod_disruption_budget *budget;
    bool has_disrupted_pods;      /* the status has such a map, be it empty; it has from 1.27 on */
    VEC(const struct pod *) pods; /* by index of the class */
    VEC(struct budget_pod_class) classes;
    VEC(int32_t) scales;
    VEC(const void *) owners; /* the objects that the scales are of */
    struct budget_status status;
};

/* The object that a reference names, if its UID is still the same. */
static const struct object *find_owner(const struct objects *objects, enum object_kind kind,
                                       const char *namespace,
                                       const struct owner_reference *reference)
{
    const struct object *object = objects_find(objects, kind, namespace, reference->name);
    if (!object ||
        (reference->uid && object->meta->uid && strcmp(reference->uid, object->meta->uid) != 0))
        return NULL;
    return object;
}

/* "apps" of "apps/v1"; the core group is "". */
static bool is_of_group(const struct owner_reference *reference, const char *group)
{
    const char *version = reference->api_version ? reference->api_version : "";
    const char *slash = strchr(version, '/');
    const size_t length = slash ? (size_t)(slash - version) : 0;
    return strlen(group) == length && strncmp(version, group, length) == 0;
}

static bool is_apps_kind(const struct owner_reference *reference, const char *kind)
{
    return claim_same_text(reference->kind, kind) &&
           (is_of_group(reference, "apps") || is_of_group(reference, "extensions"));
}

/* The scale that counts for a ReplicaSet: its Deployment's, if it has one. */
static const struct object *follow_replica_set(const struct objects *objects,
                                               const struct object *replica_set)
{
    const struct owner_reference *owner = object_meta_controller(replica_set->meta);
    if (!owner || !is_apps_kind(owner, "Deployment"))
        return replica_set;
    const struct object *deployment =
        find_owner(objects, OBJECT_DEPLOYMENT, replica_set->meta->namespace, owner);
    /* Without its Deployment the set's own scale counts. */
    return deployment ? deployment : replica_set;
}

static const struct object *find_scale(const struct objects *objects, const struct pod *pod,
                                       const struct owner_reference *owner, int32_t *scale)
{
    const char *namespace = pod->meta.namespace;
    const struct object *object = NULL;
    if (is_apps_kind(owner, "ReplicaSet")) {
        object = find_owner(objects, OBJECT_REPLICA_SET, namespace, owner);
        if (object)
            object = follow_replica_set(objects, object);
    } else if (is_apps_kind(owner, "Deployment")) {
        object = find_owner(objects, OBJECT_DEPLOYMENT, namespace, owner);
    } else if (is_apps_kind(owner, "StatefulSet")) {
        object = find_owner(objects, OBJECT_STATEFUL_SET, namespace, owner);
    } else if (claim_same_text(owner->kind, "ReplicationController") && is_of_group(owner, "")) {
        object = find_owner(objects, OBJECT_REPLICATION_CONTROLLER, namespace, owner);
    }
    if (!object)
        return NULL;
    if (object->kind == OBJECT_DEPLOYMENT)
        *scale = object->as.deployment->replicas;
    else if (object->kind == OBJECT_REPLICA_SET)
        *scale = object->as.replica_set->replicas;
    else if (object->kind == OBJECT_STATEFUL_SET)
        *scale = object->as.stateful_set->replicas;
    else
        *scale = object->as.replication_controller->replicas;
    return object;
}

static uint32_t find_owner_number(struct arena *arena, const struct objects *objects,
                                  const struct pod *pod, struct budget_case *a_case)
{
    const struct owner_reference *reference = object_meta_controller(&pod->meta);
    int32_t scale;
    if (!reference)
        return BUDGET_UNMANAGED;
    const struct object *owner = find_scale(objects, pod, reference, &scale);
    if (!owner)
        return BUDGET_UNKNOWN_OWNER;
    for (uint32_t i = 0; i < a_case->owners.count; i++)
        if (a_case->owners.items[i] == owner)
            return i;
    VEC_PUSH(arena, &a_case->owners, (const void *)owner);
    VEC_PUSH(arena, &a_case->scales, scale);
    return a_case->owners.count - 1;
}

static int64_t disruption_age(const struct pod_disruption_budget *budget, const struct pod *pod,
                              int64_t now)
{
    for (uint32_t i = 0; i < budget->status.disrupted_pod_count; i++) {
        const struct disrupted_pod *disrupted = &budget->status.disrupted_pods[i];
        if (claim_same_text(disrupted->name, pod->meta.name))
            return disrupted->time == TIME_NONE ? AGE_MOST : age_at(now, disrupted->time);
    }
    return BUDGET_NOT_DISRUPTED;
}

static void decide_budget(struct arena *arena, const struct objects *objects,
                          const struct object *object, int64_t now, const struct features *features,
                          struct budget_case *a_case)
{
    const struct pod_disruption_budget *budget = object->as.pod_disruption_budget;
    const struct value *status = value_find(&object->source->root, "status");
    *a_case = (struct budget_case){
        .budget = budget,
        .has_disrupted_pods =
            features->results_say_empty || !value_is_null(value_find(status, "disruptedPods")),
    };
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *other = &objects->items[i];
        if (other->kind != OBJECT_POD || !budget_counts_pod(budget, other->meta))
            continue;
        const struct pod *pod = other->as.pod;
        const struct budget_pod_class class = {
            .count = 1,
            .owner = find_owner_number(arena, objects, pod, a_case),
            .ready = pod_is_ready(pod),
            .terminating = pod->meta.deletion_time != TIME_NONE,
            .disruption_age = disruption_age(budget, pod, now),
        };
        VEC_PUSH(arena, &a_case->pods, pod);
        VEC_PUSH(arena, &a_case->classes, class);
    }
    a_case->status = (struct budget_status){
        .current_healthy = budget->status.current_healthy,
        .desired_healthy = budget->status.desired_healthy,
        .expected_pods = budget->status.expected_pods,
    };
    budget_decide(budget, a_case->classes.items, a_case->classes.count, a_case->scales.items,
                  a_case->scales.count, &a_case->status);
}

static const char *reason_of(const struct budget_status *status)
{
    if (status->rule == BUDGET_FAILED)
        return "SyncFailed";
    return status->disruptions_allowed > 0 ? "SufficientPods" : "InsufficientPods";
}

/* Is the entry still in status.disruptedPods after the sync? A sync that fails
 * leaves them all. */
static bool entry_is_kept(const struct budget_case *a_case, const struct disrupted_pod *disrupted)
{
    if (a_case->status.rule == BUDGET_FAILED)
        return true;
    for (uint32_t i = 0; i < a_case->pods.count; i++)
        if (claim_same_text(a_case->pods.items[i]->meta.name, disrupted->name))
            return !a_case->classes.items[i].terminating &&
                   budget_disruption_kept(a_case->classes.items[i].disruption_age);
    return false;
}

static bool is_up_to_date(const struct budget_case *a_case)
{
    const struct pod_disruption_budget *budget = a_case->budget;
    const struct budget_status *status = &a_case->status;
    const struct condition *condition =
        conditions_find(&budget->status.conditions, "DisruptionAllowed");
    const char *wanted = status->disruptions_allowed > 0 ? "True" : "False";
    if (status->rule == BUDGET_FAILED || !condition || !claim_same_text(condition->status, wanted))
        return false;
    for (uint32_t i = 0; i < budget->status.disrupted_pod_count; i++)
        if (!entry_is_kept(a_case, &budget->status.disrupted_pods[i]))
            return false;
    return budget->status.current_healthy == status->current_healthy &&
           budget->status.desired_healthy == status->desired_healthy &&
           budget->status.expected_pods == status->expected_pods &&
           budget->status.disruptions_allowed == status->disruptions_allowed &&
           budget->status.observed_generation == budget->meta.generation;
}

static void write_disrupted(struct arena *arena, struct json_out *json,
                            const struct budget_case *a_case)
{
    /* A sync that fails leaves the map alone, even if there is none. */
    if (a_case->status.rule == BUDGET_FAILED && !a_case->has_disrupted_pods) {
        json_null(json, "disruptedPods");
        return;
    }
    json_object_begin(json, "disruptedPods");
    for (uint32_t i = 0; i < a_case->budget->status.disrupted_pod_count; i++) {
        const struct disrupted_pod *disrupted = &a_case->budget->status.disrupted_pods[i];
        if (!entry_is_kept(a_case, disrupted))
            continue;
        if (disrupted->time == TIME_NONE)
            json_null(json, disrupted->name);
        else
            json_string(json, disrupted->name, time_format(arena, disrupted->time));
    }
    json_object_end(json);
}

/* Members of the mapping that is open, in the form of recorded syncs. */
static void write_result(struct arena *arena, struct json_out *json,
                         const struct budget_case *a_case)
{
    const struct budget_status *status = &a_case->status;
    json_object_begin(json, "status");
    json_integer(json, "currentHealthy", status->current_healthy);
    json_integer(json, "desiredHealthy", status->desired_healthy);
    json_integer(json, "expectedPods", status->expected_pods);
    json_integer(json, "disruptionsAllowed", status->disruptions_allowed);
    write_disrupted(arena, json, a_case);
    json_array_begin(json, "conditions");
    json_object_begin(json, NULL);
    json_string(json, "type", "DisruptionAllowed");
    json_string(json, "status", status->disruptions_allowed > 0 ? "True" : "False");
    json_string(json, "reason", reason_of(status));
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
    json_boolean(json, "updated", !is_up_to_date(a_case));
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct budget_case a_case;
    if (!scenario_read(arena, value, features, &scenario, problems))
        return false;
    const struct object *object =
        scenario_only(&scenario.objects, OBJECT_POD_DISRUPTION_BUDGET, problems);
    if (!object)
        return false;
    decide_budget(arena, &scenario.objects, object, scenario_clock(&scenario), &scenario.features,
                  &a_case);
    json_object_begin(json, "result");
    write_result(arena, json, &a_case);
    json_object_end(json);
    return true;
}

/* ---- manifests ---- */

enum { PODS_SHOWN = 20 };

static const char *amount_text(struct arena *arena, struct int_or_percent amount)
{
    return arena_printf(arena, "%" PRId64 "%s", amount.value, amount.percent ? "%" : "");
}

static void explain_rule(struct arena *arena, const struct budget_case *a_case,
                         struct text *sentences)
{
    const struct budget_status *status = &a_case->status;
    const char *min = amount_text(arena, a_case->budget->min_available);
    const char *max = amount_text(arena, a_case->budget->max_unavailable);
    switch (status->rule) {
    case BUDGET_MIN_AVAILABLE_NUMBER:
        text_printf(sentences, "  Rule: minAvailable %s; %d pod%s selected.\n", min,
                    status->expected_pods, status->expected_pods == 1 ? " is" : "s are");
        break;
    case BUDGET_MIN_AVAILABLE_PERCENT:
        text_printf(sentences,
                    "  Rule: minAvailable %s of %d, the scale of the pods' controllers, rounded "
                    "up: %d.\n",
                    min, status->expected_pods, status->desired_healthy);
        break;
    case BUDGET_MAX_UNAVAILABLE:
        text_printf(sentences,
                    "  Rule: all but maxUnavailable %s of %d, the scale of the pods' "
                    "controllers: %d.\n",
                    max, status->expected_pods, status->desired_healthy);
        break;
    case BUDGET_NOT_GIVEN:
        text_printf(sentences, "  Rule: neither minAvailable nor maxUnavailable is given.\n");
        break;
    case BUDGET_FAILED:
        text_printf(sentences,
                    "  Failed safe: the controller of pod %s has no scale that can be found "
                    "(SyncFailed).\n",
                    a_case->pods.items[status->culprit]->meta.name);
        break;
    }
    if (status->rule != BUDGET_FAILED && status->expected_pods == 0)
        text_printf(sentences, "  Nothing is allowed while no pod is expected.\n");
}

static const char *health_of(const struct budget_pod_class *class)
{
    if (class->terminating)
        return "terminating";
    if (budget_disruption_pending(class->disruption_age))
        return "about to be evicted";
    return class->ready ? "healthy" : "not ready";
}

/* May the pod be evicted, once the computed status is written? */
static enum eviction_rule decide_eviction(struct arena *arena, const struct objects *objects,
                                          const struct pod *pod, const struct budget_case *a_case,
                                          const struct features *features)
{
    VEC(struct eviction_budget) budgets = {0};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind != OBJECT_POD_DISRUPTION_BUDGET ||
            !claim_same_text(object->meta->namespace, pod->meta.namespace) ||
            !eviction_budget_selects(features, object->as.pod_disruption_budget, &pod->meta.labels))
            continue;
        struct eviction_budget budget = eviction_budget_of(object->as.pod_disruption_budget);
        if (object->as.pod_disruption_budget == a_case->budget) {
            budget.current_healthy = a_case->status.current_healthy;
            budget.desired_healthy = a_case->status.desired_healthy;
            budget.disruptions_allowed = a_case->status.disruptions_allowed;
            budget.observed = true;
        }
        VEC_PUSH(arena, &budgets, budget);
    }
    const struct eviction_pod seen = eviction_pod_of(pod);
    return eviction_decide(features, &seen, budgets.items, budgets.count);
}

static void explain_pods(struct arena *arena, const struct objects *objects,
                         const struct budget_case *a_case, const struct features *features,
                         struct json_out *json, struct text *sentences)
{
    json_array_begin(json, "pods");
    for (uint32_t i = 0; i < a_case->pods.count; i++) {
        const struct pod *pod = a_case->pods.items[i];
        const enum eviction_rule rule = decide_eviction(arena, objects, pod, a_case, features);
        const char *health = health_of(&a_case->classes.items[i]);
        json_object_begin(json, NULL);
        json_string(json, "name", pod->meta.name);
        json_string(json, "health", health);
        json_boolean(json, "evictable", eviction_allowed(rule));
        json_string(json, "because", eviction_rule_text(rule));
        json_object_end(json);
        if (i < PODS_SHOWN)
            text_printf(sentences, "  %s: %s; %s: %s\n", pod->meta.name, health,
                        eviction_allowed(rule) ? "may be evicted" : "may not be evicted",
                        eviction_rule_text(rule));
    }
    json_array_end(json);
    if (a_case->pods.count > PODS_SHOWN)
        text_printf(sentences, "  ... and %u more pods\n", a_case->pods.count - PODS_SHOWN);
}

static void decide_one(struct arena *arena, const struct objects *objects,
                       const struct object *object, const struct features *features,
                       struct json_out *json, struct text *sentences)
{
    struct budget_case a_case;
    decide_budget(arena, objects, object, scenario_present(objects), features, &a_case);
    const struct budget_status *status = &a_case.status;
    json_object_begin(json, NULL);
    json_string(json, "namespace", object->meta->namespace);
    json_string(json, "name", object->meta->name);
    write_result(arena, json, &a_case);
    text_printf(sentences,
                "PodDisruptionBudget %s/%s allows %d disruption%s: %d pod%s healthy, %d needed.\n",
                object->meta->namespace, object->meta->name, status->disruptions_allowed,
                status->disruptions_allowed == 1 ? "" : "s", status->current_healthy,
                status->current_healthy == 1 ? " is" : "s are", status->desired_healthy);
    explain_rule(arena, &a_case, sentences);
    explain_pods(arena, objects, &a_case, features, json, sentences);
    json_object_end(json);
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    (void)problems;
    uint32_t found = 0;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_POD_DISRUPTION_BUDGET)
            continue;
        found++;
        decide_one(arena, objects, &objects->items[i], &choice->features, json, sentences);
    }
    json_array_end(json);
    if (found == 0)
        text_printf(sentences, "There is no PodDisruptionBudget among the objects.\n");
    return true;
}

const struct decider decider_pdb = {
    .name = "pdb",
    .summary = "how many disruptions a PodDisruptionBudget allows, and which pods may go",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
