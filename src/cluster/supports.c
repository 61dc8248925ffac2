/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the model does not do, said before anything is explored: nothing is
 * verified on half-understood input. Whoever teaches the model a new event,
 * intent or controller takes it off the lists here.
 */
#include "cluster/supports.h"
#include "cluster/intents.h"
#include "cluster/population.h"
#include "cluster/traffic.h"
#include "cluster/workloads.h"
#include "decide/descheduler/descheduler.h"
#include "decide/scheduler/configuration.h"
#include "manifest/document.h"
#include "object/descheduler_policy.h"
#include "object/policy.h"

#include <stdlib.h>
#include <string.h>

struct support {
    struct arena *arena; /* of the problems */
    const struct scope *scope;
    const struct object *check; /* the Check's object; NULL: there is none */
    struct problems *problems;
};

bool population_knows_intent(enum intent_kind kind)
{
    switch (kind) {
    case INTENT_PODS_SCHEDULABLE:
    case INTENT_REPLICAS_AT_LEAST:
    case INTENT_REPLICAS_AT_MOST:
    case INTENT_NO_REPLICA_SWING:
    case INTENT_NO_REPLICA_OSCILLATION:
    case INTENT_NO_EVICTION_LOOP:
    case INTENT_NO_OSCILLATION:
    case INTENT_CONVERGES:
    case INTENT_ROLLOUT_COMPLETES:
    case INTENT_DRAIN_COMPLETES:
    case INTENT_BALANCED:
    case INTENT_NODES_HEALTHY:
    case INTENT_NEVER_PREEMPTED:
    case INTENT_NEVER_EVICTED:
    case INTENT_ONLY_ON:
    case INTENT_NEVER_ON:
    case INTENT_ENDPOINTS_LIVE:
    case INTENT_TRAFFIC_BALANCED: return true;
    default: return false;
    }
}

static bool knows_event(enum event_kind kind)
{
    switch (kind) {
    case EVENT_NODE_FAILURE:
    case EVENT_ZONE_OUTAGE:
    case EVENT_PARTITION:
    case EVENT_LOAD:
    case EVENT_DELETE:
    case EVENT_MAINTENANCE:
    case EVENT_NODE_PRESSURE:
    case EVENT_CPU_CHANGE:
    case EVENT_CPU_PATTERN:
    case EVENT_LOAD_PATTERN:
    case EVENT_KERNEL_PANIC:
    case EVENT_APPLY:
    case EVENT_SCALE: return true;
    default: return false;
    }
}

static bool has_workload(const struct scope *scope, const struct object_name *name)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (strcmp(name->kind, object->kind_name) == 0 &&
            strcmp(name->name, object->meta->name) == 0 &&
            (!name->namespace || strcmp(name->namespace, object->meta->namespace) == 0))
            return true;
    }
    return false;
}

static void check_workload(const struct support *support, struct place place,
                           const struct object_name *name)
{
    if (name->name && !has_workload(support->scope, name))
        problem_error(support->problems, place, NULL, "there is no workload %s among the manifests",
                      object_name_format(support->arena, name));
}

static const struct setup_group *find_group(const struct scope *scope, const char *name)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (strcmp(scope->groups[g].name, name) == 0)
            return &scope->groups[g];
    return NULL;
}

/* Does any node have the label, with this value if it is given? */
static bool has_label(const struct scope *scope, const char *key, const char *wanted)
{
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const char *value = labels_find(&scope->groups[g].node->meta.labels, key);
        if (value && (!wanted || strcmp(value, wanted) == 0))
            return true;
    }
    return false;
}

/* Otherwise nothing would ever happen. */
static void check_zone(const struct support *support, const struct check_event *event)
{
    if (event->topology_key && !has_label(support->scope, event->topology_key, event->zone))
        problem_error(support->problems, event->place, NULL, "no node has the label %s%s%s",
                      event->topology_key, event->zone ? ": " : "", event->zone ? event->zone : "");
}

/* A load that comes in waves needs clocks, and is the only one of its workload. */
static void check_waves(const struct support *support, const struct check_event *event)
{
    const struct check *check = support->scope->check;
    if (support->scope->time != TIME_CLOCKED)
        problem_error(support->problems, event->place, NULL,
                      "only clocked time can judge the event loadPattern (spec.time of the Check, "
                      "--time); nothing is verified");
    for (uint32_t e = 0; e < check->event_count; e++) {
        const struct check_event *other = &check->events[e];
        if (other != event && (other->kind == EVENT_LOAD || other->kind == EVENT_LOAD_PATTERN) &&
            strcmp(object_name_format(support->arena, &other->object),
                   object_name_format(support->arena, &event->object)) == 0)
            problem_error(support->problems, event->place, NULL,
                          "expected one load of %s, found several",
                          object_name_format(support->arena, &event->object));
    }
}

/* Controllers make up the names of their pods, but for StatefulSets: "web-*"
 * is any pod of those that begin so. */
static bool may_be_pod(const struct scope *scope, const struct object_name *name)
{
    const size_t length = strcspn(name->name, "*");
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        const size_t own = strlen(object->meta->name);
        if (name->namespace && strcmp(name->namespace, object->meta->namespace) != 0)
            continue;
        if (name->name[length] == '*'
                ? strncmp(name->name, object->meta->name, length < own ? length : own) == 0
                : object->kind == OBJECT_STATEFUL_SET && length > own + 1 &&
                      strncmp(name->name, object->meta->name, own) == 0 && name->name[own] == '-' &&
                      strspn(name->name + own + 1, "0123456789") == length - own - 1)
            return true;
    }
    return false;
}

/* A Node object, "GROUP-*", or "*". */
static bool may_be_node(const struct scope *scope, const char *name)
{
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const struct setup_group *group = &scope->groups[g];
        const size_t length = strlen(group->name);
        if (strcmp(name, "*") == 0 || (group->single && strcmp(name, group->name) == 0) ||
            (!group->single && !group->names && strncmp(name, group->name, length) == 0 &&
             strcmp(name + length, "-*") == 0))
            return true;
    }
    return false;
}

static void check_deletion(const struct support *support, const struct check_event *event)
{
    const struct object_name *name = &event->object;
    const char *text = object_name_format(support->arena, name);
    if (strcmp(name->kind, "Pod") == 0) {
        if (!may_be_pod(support->scope, name))
            problem_error(support->problems, event->place, NULL,
                          "expected the beginning of pods' names, such as Pod/default/web-*, "
                          "found %s",
                          text);
    } else if (strcmp(name->kind, "Node") == 0) {
        if (!may_be_node(support->scope, name->name))
            problem_error(support->problems, event->place, NULL,
                          "expected a Node object, or a node of a group such as Node/GROUP-*, "
                          "found %s",
                          text);
    } else if (strcmp(name->kind, "PodDisruptionBudget") != 0 &&
               strcmp(name->kind, "HorizontalPodAutoscaler") != 0) {
        check_workload(support, event->place, name);
    } else {
        for (uint32_t i = 0; i < support->scope->objects->count; i++) {
            const struct object *object = &support->scope->objects->items[i];
            if (strcmp(object->kind_name, name->kind) == 0 &&
                strcmp(object->meta->name, name->name) == 0 &&
                (!name->namespace || strcmp(object->meta->namespace, name->namespace) == 0))
                return;
        }
        problem_error(support->problems, event->place, NULL, "there is no %s among the manifests",
                      text);
    }
}

static void check_event(const struct support *support, const struct check_event *event)
{
    if (!knows_event(event->kind)) {
        problem_error(support->problems, event->place, NULL,
                      "verify does not model the event %s yet; nothing is verified",
                      event_kind_name(event->kind));
        return;
    }
    if (event->kind == EVENT_DELETE)
        check_deletion(support, event);
    else
        check_workload(support, event->place, &event->object);
    if (event->kind == EVENT_LOAD_PATTERN)
        check_waves(support, event);
    if (event->kind == EVENT_SCALE && strcmp(event->object.kind, "DaemonSet") == 0)
        problem_error(support->problems, event->place, NULL,
                      "a DaemonSet cannot be scaled: it has as many pods as there are nodes for "
                      "them");
    check_zone(support, event);
    if (event->group && !find_group(support->scope, event->group))
        problem_error(support->problems, event->place, NULL, "there is no node group \"%s\"",
                      event->group);
    const struct setup_group *node = event->node ? find_group(support->scope, event->node) : NULL;
    if (event->node && (!node || !node->single))
        problem_error(support->problems, event->place, NULL,
                      "expected the name of a Node object, found \"%s\"", event->node);
}

/* What would change who gets how much, and is not modelled. */
static const char *unknown_balance(const struct object *object)
{
    const struct value *root = &object->source->root;
    const struct value *spec = value_find(root, "spec");
    const struct value *annotations = value_find(value_find(root, "metadata"), "annotations");
    const char *affinity = value_find_string(spec, "sessionAffinity");
    if (affinity && strcmp(affinity, "ClientIP") == 0)
        return "sessionAffinity";
    if (value_find(spec, "trafficDistribution"))
        return "trafficDistribution";
    if (value_find(annotations, "service.kubernetes.io/topology-aware-hints") ||
        value_find(annotations, "service.kubernetes.io/topology-mode"))
        return "topology-aware routing";
    return NULL;
}

/* Without a Service an intent about traffic would hold of nothing. */
static void check_traffic(const struct support *support, const struct check_intent *intent)
{
    bool found = false;
    if (support->scope->time == TIME_CLOCKED)
        problem_error(support->problems, intent->place, NULL,
                      "verify models %s without clocks only, yet; nothing is verified",
                      intent_kind_name(intent->kind));
    for (uint32_t i = 0; i < support->scope->objects->count; i++) {
        const struct object *object = &support->scope->objects->items[i];
        if (object->kind != OBJECT_SERVICE)
            continue;
        bool ours = false;
        for (uint32_t w = 0; w < support->scope->workload_count; w++) {
            const struct object *workload = support->scope->workloads[w].object;
            struct object_meta pod = workload_template(workload)->meta;
            pod.namespace = workload->meta->namespace;
            ours |= (!intent->workload.name ||
                     (strcmp(intent->workload.kind, workload->kind_name) == 0 &&
                      strcmp(intent->workload.name, workload->meta->name) == 0)) &&
                    service_selects(object->as.service, &pod);
        }
        found |= ours;
        const char *unknown = ours && intent->kind == INTENT_TRAFFIC_BALANCED && object->source
                                  ? unknown_balance(object)
                                  : NULL;
        if (unknown)
            problem_error(support->problems, object->place, NULL,
                          "verify does not model %s of a Service yet; nothing is verified",
                          unknown);
    }
    if (!found)
        problem_error(support->problems, intent->place, NULL,
                      "expected a Service that selects the pods, found none");
}

/* Does the selector match a node of the group? Nodes of a group with several have their
 * names as hostnames. */
static bool selects_node(const struct setup_group *group, const struct labels *selector)
{
    for (uint32_t i = 0; i < selector->count; i++) {
        const struct label *wanted = &selector->items[i];
        const char *value = labels_find(&group->node->meta.labels, wanted->key);
        const size_t prefix = strlen(group->name);
        char *end = NULL;
        if (!value && strcmp(wanted->key, LABEL_HOSTNAME) == 0 &&
            strncmp(wanted->value, group->name, prefix) == 0 && wanted->value[prefix] == '-') {
            const long number = strtol(wanted->value + prefix + 1, &end, 10);
            if (*end == '\0' && number >= 1 && number <= group->most)
                continue;
        }
        if (!value || strcmp(value, wanted->value) != 0)
            return false;
    }
    return group->most > 0;
}

/* Whether pods come to nodes that are not there says nothing of any. */
static void check_places(const struct support *support, const struct check_intent *intent)
{
    bool any = false;
    for (uint32_t g = 0; g < support->scope->group_count; g++)
        any |= selects_node(&support->scope->groups[g], &intent->node_selector);
    if (!any)
        problem_warning(support->problems, intent->place, "nodeSelector",
                        intent->kind == INTENT_NEVER_ON
                            ? "no node has these labels: %s holds of nothing"
                            : "no node has these labels: wherever a pod is bound violates %s",
                        intent_kind_name(intent->kind));
}

static void check_intent(const struct support *support, const struct check_intent *intent)
{
    const char *name = intent_kind_name(intent->kind);
    if (!population_knows_intent(intent->kind)) {
        problem_error(support->problems, intent->place, NULL,
                      "verify does not model the intent %s yet; nothing is verified", name);
        return;
    }
    check_workload(support, intent->place, &intent->workload);
    if (intent->kind == INTENT_BALANCED && strcmp(intent->topology_key, LABEL_HOSTNAME) != 0 &&
        !has_label(support->scope, intent->topology_key, NULL))
        problem_error(support->problems, intent->place, NULL,
                      "no node has the label %s: it would hold of nothing", intent->topology_key);
    if (intent->kind == INTENT_ONLY_ON || intent->kind == INTENT_NEVER_ON)
        check_places(support, intent);
    if (intent->kind == INTENT_ENDPOINTS_LIVE || intent->kind == INTENT_TRAFFIC_BALANCED)
        check_traffic(support, intent);
}

/* The place of a field of the Check. */
static struct place field_place(const struct support *support, const char *parent,
                                const char *field)
{
    if (!support->check || !support->check->source)
        return (struct place){0};
    const struct value *spec = value_find(&support->check->source->root, "spec");
    const struct value *mapping = *parent ? value_find(spec, parent) : spec;
    const struct member *member = value_find_member(mapping, field);
    return member ? member_place(mapping, member) : support->check->place;
}

/* Without clocks ages are not in a state: plugins that go by them would never evict
 * anything here, and a loop of theirs would pass unseen. */
static void check_policy(const struct support *support, const struct descheduler_policy *policy,
                         struct place place)
{
    for (uint32_t p = 0; support->scope->time != TIME_CLOCKED && p < policy->profile_count; p++) {
        const struct descheduler_plugin_list *enabled = &policy->profiles[p].deschedule;
        for (uint32_t i = 0; i < enabled->count; i++)
            if (descheduler_plugin_is_timed(enabled->items[i]))
                problem_error(support->problems, place, NULL,
                              "only clocked time can judge the descheduler's plugin %s (spec.time "
                              "of the Check, --time); nothing is verified",
                              descheduler_plugin_name(enabled->items[i]));
    }
}

static void check_descheduler(const struct support *support,
                              const struct check_descheduler *descheduler)
{
    const struct place place = field_place(support, "controllers", "descheduler");
    int minor;
    if (descheduler && descheduler->policy)
        check_policy(support, descheduler->policy, place);
    if (descheduler && descheduler->version &&
        !descheduler_parse_version(descheduler->version, &minor))
        problem_error(support->problems, place, "spec.controllers.descheduler.version",
                      "expected v0.%d or v0.%d, found \"%s\"; nothing is verified",
                      DESCHEDULER_MINOR_FIRST, DESCHEDULER_MINOR_LAST, descheduler->version);
}

static void check_check(const struct support *support, const struct check *check)
{
    check_descheduler(support, check->controllers.descheduler);
    if (support->scope->time == TIME_CLOCKED &&
        (check->start == START_SETTLED || check->start == START_CANONICAL))
        problem_error(support->problems, field_place(support, "", "start"), "spec.start",
                      "with clocked time nothing ever settles for good, so verify cannot begin "
                      "there; nothing is verified");
    if (check->controllers.cluster_autoscaler)
        problem_error(support->problems, field_place(support, "controllers", "clusterAutoscaler"),
                      "spec.controllers.clusterAutoscaler",
                      "verify does not model the cluster autoscaler yet; nothing is verified");
    if (check->controllers.scheduler && check->controllers.scheduler->configuration)
        profiles_resolve(support->arena, check->controllers.scheduler->configuration,
                         field_place(support, "controllers", "scheduler"), support->problems);
    for (uint32_t e = 0; e < check->event_count; e++)
        check_event(support, &check->events[e]);
}

/* Usage is modelled for whole pods: CPU by its levels, memory as requested. */
static const char *unknown_metric(const struct metric_spec *metric, const struct pod_spec *pods)
{
    const bool of_container = metric->source == METRIC_CONTAINER_RESOURCE;
    if (metric->source != METRIC_RESOURCE && !of_container)
        return "verify models autoscaling by the CPU and memory of pods only; nothing is verified";
    const bool of_memory = strcmp(metric->resource, "memory") == 0;
    if (!of_memory && strcmp(metric->resource, "cpu") != 0)
        return "verify models autoscaling by the CPU and memory of pods only; nothing is verified";
    if (of_container && pods->container_count > 1)
        return "verify does not know which of several containers uses what; nothing is verified";
    for (uint32_t c = 0; of_memory && c < pods->container_count; c++)
        if (metric->target.type != METRIC_UTILIZATION &&
            !resource_list_find(&pods->containers[c].resources.requests, "memory"))
            return "verify takes the use of memory to be what is requested of it, and nothing is; "
                   "nothing is verified";
    return NULL;
}

static void check_metrics(const struct support *support, const struct object *object,
                          const struct setup_workload *workload)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    for (uint32_t m = 0; m < autoscaler->metric_count; m++) {
        const char *unknown =
            unknown_metric(&autoscaler->metrics[m], &workload_template(workload->object)->spec);
        if (unknown)
            problem_error(support->problems, object->place, "spec.metrics", "%s", unknown);
    }
    if (workload->autoscaler_follows && workload->autoscaler_count > 1)
        problem_error(support->problems, object->place, "spec.scaleTargetRef",
                      "expected one autoscaler to follow the explored replicas of %s, found %u",
                      workload->name, workload->autoscaler_count);
    /* Without clocks a surge may last as long as it likes, so a window that
     * would outlast it seems to be of no use. */
    if (support->scope->time != TIME_CLOCKED && autoscaler->has_behavior &&
        autoscaler->scale_up.stabilization_window_seconds.set &&
        autoscaler->scale_up.stabilization_window_seconds.value > 0)
        problem_error(support->problems, object->place,
                      "spec.behavior.scaleUp.stabilizationWindowSeconds",
                      "only clocked time can judge a stabilization window for scaling up "
                      "(spec.time of the Check, --time); nothing is verified");
}

static void check_autoscaler(const struct support *support, const struct object *object)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    for (uint32_t w = 0; w < support->scope->workload_count; w++) {
        const struct object *target = support->scope->workloads[w].object;
        if (strcmp(target->meta->namespace, autoscaler->meta.namespace) == 0 &&
            strcmp(target->kind_name, autoscaler->scale_target.kind) == 0 &&
            strcmp(target->meta->name, autoscaler->scale_target.name) == 0) {
            check_metrics(support, object, &support->scope->workloads[w]);
            return;
        }
    }
    problem_warning(support->problems, object->place, "spec.scaleTargetRef",
                    "there is no %s/%s among the manifests: the autoscaler has no effect",
                    autoscaler->scale_target.kind, autoscaler->scale_target.name);
}

static void check_objects(const struct support *support)
{
    for (uint32_t i = 0; i < support->scope->objects->count; i++) {
        const struct object *object = &support->scope->objects->items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
            check_autoscaler(support, object);
        else if (object->kind == OBJECT_DESCHEDULER_POLICY)
            check_policy(support, object->as.descheduler_policy, object->place);
        else if (object->kind == OBJECT_RESOURCE_QUOTA)
            problem_warning(support->problems, object->place, NULL,
                            "verify does not model ResourceQuota objects: pods that the quota "
                            "would refuse are created");
    }
}

bool population_supports(const struct scope *scope, const struct check_intent *intents,
                         uint32_t intent_count, struct problems *problems)
{
    const uint32_t errors = problems->errors;
    struct support support = {.arena = problems->arena, .scope = scope, .problems = problems};
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_CHECK &&
            scope->objects->items[i].as.check == scope->check)
            support.check = &scope->objects->items[i];
    if (scope->check)
        check_check(&support, scope->check);
    for (uint32_t i = 0; i < intent_count; i++)
        check_intent(&support, &intents[i]);
    if (intent_count > POPULATION_INTENTS_MOST)
        problem_error(problems, intents[POPULATION_INTENTS_MOST].place, NULL,
                      "expected at most %d intents, found %u", POPULATION_INTENTS_MOST,
                      intent_count);
    check_objects(&support);
    observed_check(scope, problems);
    supports_kinds(scope, intents, intent_count, problems);
    supports_applied(scope, problems);
    return problems->errors == errors;
}
