/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/hpa_text.h"

#include "base/text.h"

#include <string.h>

static const char *operator_name(enum selector_operator operator)
{
    switch (operator) {
    case SELECTOR_IN: return "In";
    case SELECTOR_NOT_IN: return "NotIn";
    case SELECTOR_EXISTS: return "Exists";
    case SELECTOR_DOES_NOT_EXIST: return "DoesNotExist";
    case SELECTOR_GREATER_THAN: return "Gt";
    case SELECTOR_LESS_THAN: return "Lt";
    }
    return "";
}

static const char *join_values(struct arena *arena, const struct string_list *values)
{
    const char *joined = "";
    for (uint32_t i = 0; i < values->count; i++)
        joined = arena_printf(arena, "%s%s%s", joined, i ? " " : "", values->items[i]);
    return joined;
}

/* A selector as Go prints it, for it is part of names and messages. */
static const char *selector_text(struct arena *arena, const struct label_selector *selector)
{
    if (!selector)
        return "nil";
    const char *text = "&LabelSelector{MatchLabels:map[string]string{";
    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *label = &selector->match_labels.items[i];
        text = arena_printf(arena, "%s%s: %s,", text, label->key, label->value);
    }
    text = arena_printf(arena, "%s},MatchExpressions:[]LabelSelectorRequirement{", text);
    for (uint32_t i = 0; i < selector->match_expression_count; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions[i];
        text = arena_printf(arena, "%sLabelSelectorRequirement{Key:%s,Operator:%s,Values:[%s],},",
                            text, requirement->key, operator_name(requirement->operator),
                            join_values(arena, &requirement->values));
    }
    return arena_printf(arena, "%s},}", text);
}

const char *hpa_metric_name(struct arena *arena, const struct features *features,
                            const struct metric_spec *metric)
{
    const enum hpa_target target = hpa_metric_target(metric);
    switch (metric->source) {
    case METRIC_RESOURCE:
    case METRIC_CONTAINER_RESOURCE:
        if (target == HPA_TARGET_AVERAGE)
            return arena_printf(arena, "%s resource", metric->resource);
        if (metric->source == METRIC_CONTAINER_RESOURCE && features->hpa_names_container)
            return arena_printf(arena, "%s container resource utilization (percentage of request)",
                                metric->resource);
        return arena_printf(arena, "%s resource utilization (percentage of request)",
                            metric->resource);
    case METRIC_PODS: return arena_printf(arena, "pods metric %s", metric->metric);
    case METRIC_OBJECT:
        if (target == HPA_TARGET_VALUE)
            return arena_printf(arena, "%s metric %s", metric->described_object.kind,
                                metric->metric);
        break; /* upstream names an average like an external metric */
    case METRIC_EXTERNAL: break;
    }
    return arena_printf(arena, "external metric %s(%s)", metric->metric,
                        selector_text(arena, metric->metric_selector));
}

#define NO_PODS_TEXT "no pods returned by selector while calculating replica count"

static const char *gap_text(struct arena *arena, const struct metric_spec *metric,
                            const struct hpa_request *request, const char *pod)
{
    switch (request->gap) {
    case HPA_GAP_IN_POD:
        return arena_printf(arena, "missing pod-level request for %s in Pod %s", metric->resource,
                            pod);
    case HPA_GAP_NO_CONTAINER:
        return arena_printf(arena, "container %s not found in Pod %s", request->missing_in, pod);
    case HPA_GAP_IN_CONTAINER: break;
    }
    return arena_printf(arena, "missing request for %s in container %s of Pod %s", metric->resource,
                        request->missing_in, pod);
}

/* "Ingress.networking.k8s.io" */
static const char *kind_with_group(struct arena *arena, const struct object_reference *object)
{
    const char *version = object->api_version ? object->api_version : "";
    const size_t length = strcspn(version, "/");
    if (!version[length])
        return object->kind;
    return arena_printf(arena, "%s.%.*s", object->kind, (int)length, version);
}

/* What the metrics API answers to a question for a metric that it does not have. */
static const char *not_found_text(struct arena *arena, const struct hpa_sync *sync,
                                  const struct metric_spec *metric)
{
    const struct object_reference *object = &metric->described_object;
    if (!sync->input->features->metric_not_found_names)
        return arena_printf(arena, "metric %s not found", metric->metric);
    return arena_printf(arena, "the server could not find the metric %s for %s %s", metric->metric,
                        kind_with_group(arena, object), object->name);
}

/* The cause as the innermost function says it. */
static const char *cause_text(struct arena *arena, const struct hpa_sync *sync, uint32_t index)
{
    const struct metric_spec *metric = &sync->object->metrics[index];
    const struct hpa_proposal *proposal = &sync->proposals[index];
    const char *namespace = sync->object->meta.namespace;
    const struct hpa_pod_class *culprit = NULL;
    if (proposal->failure == HPA_CONTAINER_ABSENT || proposal->failure == HPA_REQUEST_MISSING)
        culprit = &sync->input->pods[proposal->culprit];
    switch (proposal->failure) {
    case HPA_OK: return "";
    case HPA_NO_SAMPLES:
        if (metric->source == METRIC_PODS)
            return arena_printf(arena,
                                "unable to get metric %s: no metrics returned from custom metrics "
                                "API",
                                metric->metric);
        return arena_printf(arena,
                            "unable to get metrics for resource %s: no metrics returned from "
                            "resource metrics API",
                            metric->resource);
    case HPA_CONTAINER_ABSENT:
        return arena_printf(arena,
                            "unable to get metrics for resource %s: failed to get container "
                            "metrics: container %s not present in metrics for pod %s/%s",
                            metric->resource, metric->container, namespace, culprit->name);
    case HPA_NO_PODS:
        if (metric->source == METRIC_OBJECT || metric->source == METRIC_EXTERNAL)
            return "unable to calculate ready pods: " NO_PODS_TEXT;
        return NO_PODS_TEXT;
    case HPA_NO_READY_SAMPLES:
        if (sync->input->features->hpa_says_unready)
            return "did not receive metrics for targeted pods (pods might be unready)";
        return "did not receive metrics for any ready pods";
    case HPA_REQUEST_MISSING:
        return gap_text(arena, metric, &culprit->requests[index], culprit->name);
    case HPA_NO_KNOWN_SAMPLES: return "no metrics returned matched known pods";
    case HPA_VALUE_NOT_FOUND:
        if (metric->source == METRIC_OBJECT)
            return arena_printf(arena,
                                "unable to get metric %s: %s on %s %s/unable to fetch metrics from "
                                "custom metrics API: %s",
                                metric->metric, metric->described_object.kind, namespace,
                                metric->described_object.name, not_found_text(arena, sync, metric));
        return arena_printf(arena,
                            "unable to get external metric %s/%s/%s: no metrics returned from "
                            "external metrics API",
                            namespace, metric->metric,
                            selector_text(arena, metric->metric_selector));
    case HPA_TARGET_NOT_GIVEN:
        if (metric->source == METRIC_OBJECT)
            return "invalid object metric source: neither a value target nor an average value "
                   "target was set";
        if (metric->source == METRIC_EXTERNAL)
            return "invalid external metric source: neither a value target nor an average value "
                   "target was set";
        return "invalid resource metric source: neither an average utilization target nor an "
               "average value (usage) target was set";
    }
    return "";
}

static bool is_resource(const struct metric_spec *metric)
{
    return metric->source == METRIC_RESOURCE || metric->source == METRIC_CONTAINER_RESOURCE;
}

/* The cause as the condition ScalingActive says it. */
static const char *condition_cause(struct arena *arena, const struct hpa_sync *sync, uint32_t index)
{
    const struct metric_spec *metric = &sync->object->metrics[index];
    const char *cause = cause_text(arena, sync, index);
    if (!is_resource(metric) || sync->proposals[index].failure == HPA_TARGET_NOT_GIVEN)
        return cause;
    const bool average = hpa_metric_target(metric) == HPA_TARGET_AVERAGE;
    return arena_printf(arena, "failed to get %s %s: %s", metric->resource,
                        average ? "usage" : "utilization", cause);
}

const char *hpa_metric_error(struct arena *arena, const struct hpa_sync *sync, uint32_t index)
{
    const struct metric_spec *metric = &sync->object->metrics[index];
    const enum hpa_target target = hpa_metric_target(metric);
    const char *cause = condition_cause(arena, sync, index);
    switch (metric->source) {
    case METRIC_RESOURCE:
        return arena_printf(arena, "failed to get %s resource metric value: %s", metric->resource,
                            cause);
    case METRIC_CONTAINER_RESOURCE:
        return arena_printf(arena, "failed to get %s container metric value: %s", metric->container,
                            cause);
    case METRIC_PODS: return arena_printf(arena, "failed to get pods metric value: %s", cause);
    case METRIC_OBJECT:
        if (target == HPA_TARGET_AVERAGE)
            cause =
                arena_printf(arena, "failed to get %s object metric: %s", metric->metric, cause);
        return arena_printf(arena, "failed to get object metric value: %s", cause);
    case METRIC_EXTERNAL:
        if (target == HPA_TARGET_AVERAGE)
            cause =
                arena_printf(arena, "failed to get %s external metric: %s", metric->metric, cause);
        else if (target == HPA_TARGET_VALUE)
            cause =
                arena_printf(arena, "failed to get external metric %s: %s", metric->metric, cause);
        return arena_printf(arena, "failed to get %s external metric value: %s", metric->metric,
                            cause);
    }
    return cause;
}

static const char *ambiguous_text(struct arena *arena, const struct hpa_sync *sync)
{
    return arena_printf(arena, "pods by selector of %s %s are controlled by multiple HPAs",
                        sync->object->scale_target.kind, sync->object->scale_target.name);
}

const char *hpa_sync_error(struct arena *arena, const struct hpa_sync *sync)
{
    const struct hpa_decision *decision = sync->decision;
    const bool failed = decision->outcome == HPA_METRICS_INVALID;
    const bool partly = decision->outcome == HPA_BY_METRICS && decision->invalid_metrics > 0 &&
                        sync->input->features->hpa_partial_failure_errs;
    const char *error = NULL;
    if (failed || partly)
        error = arena_printf(arena, "invalid metrics (%u invalid out of %u), first error is: %s",
                             decision->invalid_metrics, sync->input->metric_count,
                             hpa_metric_error(arena, sync, decision->first_invalid));
    if (decision->outcome == HPA_SELECTOR_AMBIGUOUS)
        error = ambiguous_text(arena, sync);
    if (!error || partly)
        return error;
    const struct horizontal_pod_autoscaler *object = sync->object;
    return arena_printf(arena,
                        "failed to compute desired number of replicas based on listed metrics for "
                        "%s/%s/%s: %s",
                        object->scale_target.kind, object->meta.namespace,
                        object->scale_target.name, error);
}

const char *hpa_rescale_reason(struct arena *arena, const struct hpa_sync *sync)
{
    const struct hpa_decision *decision = sync->decision;
    const int32_t current = sync->input->spec_replicas;
    if (decision->outcome == HPA_ABOVE_MAXIMUM)
        return "Current number of replicas above Spec.MaxReplicas";
    if (decision->outcome == HPA_BELOW_MINIMUM)
        return "Current number of replicas below Spec.MinReplicas";
    if (decision->outcome != HPA_BY_METRICS)
        return "";
    if (decision->proposed > current)
        return arena_printf(arena, "%s above target",
                            hpa_metric_name(arena, sync->input->features,
                                            &sync->object->metrics[decision->metric]));
    return decision->proposed < current ? "All metrics below target" : "";
}

static const char *failure_reason(const struct metric_spec *metric)
{
    switch (metric->source) {
    case METRIC_RESOURCE: return "FailedGetResourceMetric";
    case METRIC_CONTAINER_RESOURCE: return "FailedGetContainerResourceMetric";
    case METRIC_PODS: return "FailedGetPodsMetric";
    case METRIC_OBJECT: return "FailedGetObjectMetric";
    case METRIC_EXTERNAL: return "FailedGetExternalMetric";
    }
    return "";
}

static struct hpa_condition scaling_active(struct arena *arena, const struct hpa_sync *sync)
{
    const struct hpa_decision *decision = sync->decision;
    switch (decision->outcome) {
    case HPA_SCALING_DISABLED:
        return (struct hpa_condition){
            "ScalingDisabled", "scaling is disabled since the replica count of the target is zero",
            false};
    case HPA_SELECTOR_AMBIGUOUS:
        return (struct hpa_condition){"AmbiguousSelector", ambiguous_text(arena, sync), false};
    case HPA_METRICS_INVALID:
        return (struct hpa_condition){
            failure_reason(&sync->object->metrics[decision->first_invalid]),
            arena_printf(arena, "the HPA was unable to compute the replica count: %s",
                         condition_cause(arena, sync, decision->first_invalid)),
            false};
    case HPA_BY_METRICS: {
        const char *name = "";
        if (decision->metric != HPA_NO_METRIC)
            name = hpa_metric_name(arena, sync->input->features,
                                   &sync->object->metrics[decision->metric]);
        return (struct hpa_condition){
            "ValidMetricFound",
            arena_printf(
                arena, "the HPA was able to successfully calculate a replica count from %s", name),
            true};
    }
    case HPA_ABOVE_MAXIMUM:
    case HPA_BELOW_MINIMUM: break;
    }
    return (struct hpa_condition){0};
}

static struct hpa_condition able_to_scale(struct arena *arena, const struct hpa_sync *sync)
{
    const struct hpa_decision *decision = sync->decision;
    if (decision->rescale)
        return (struct hpa_condition){
            "SucceededRescale",
            arena_printf(arena, "the HPA controller was able to update the target scale to %d",
                         decision->replicas),
            true};
    if (decision->outcome != HPA_BY_METRICS)
        return (struct hpa_condition){
            "SucceededGetScale", "the HPA controller was able to get the target's current scale",
            true};
    switch (decision->stabilization) {
    case HPA_NOT_STABILIZED: break;
    case HPA_STABILIZED_DOWN:
        return (struct hpa_condition){"ScaleDownStabilized",
                                      "recent recommendations were higher than current one, "
                                      "applying the highest recent recommendation",
                                      true};
    case HPA_STABILIZED_UP:
        return (struct hpa_condition){"ScaleUpStabilized",
                                      "recent recommendations were lower than current one, "
                                      "applying the lowest recent recommendation",
                                      true};
    }
    return (struct hpa_condition){"ReadyForNewScale", "recommended size matches current size",
                                  true};
}

static struct hpa_condition scaling_limited(const struct hpa_decision *decision)
{
    static const struct hpa_condition table[] = {
        [HPA_WITHIN_RANGE] = {"DesiredWithinRange",
                              "the desired count is within the acceptable range", false},
        [HPA_SCALE_UP_LIMIT] = {"ScaleUpLimit",
                                "the desired replica count is increasing faster than the maximum "
                                "scale rate",
                                false},
        [HPA_TOO_MANY_REPLICAS] = {"TooManyReplicas",
                                   "the desired replica count is more than the maximum replica "
                                   "count",
                                   false},
        [HPA_SCALE_DOWN_LIMIT] = {"ScaleDownLimit",
                                  "the desired replica count is decreasing faster than the "
                                  "maximum scale rate",
                                  false},
        [HPA_TOO_FEW_REPLICAS] = {"TooFewReplicas",
                                  "the desired replica count is less than the minimum replica "
                                  "count",
                                  false},
    };
    struct hpa_condition condition = table[decision->limit];
    condition.status = decision->limited;
    return condition;
}

void hpa_status_update(struct arena *arena, struct hpa_status *status, const struct hpa_sync *sync)
{
    const struct hpa_decision *decision = sync->decision;
    const bool failed =
        decision->outcome == HPA_METRICS_INVALID || decision->outcome == HPA_SELECTOR_AMBIGUOUS;
    status->conditions[HPA_ABLE_TO_SCALE] = able_to_scale(arena, sync);
    const struct hpa_condition active = scaling_active(arena, sync);
    if (active.reason)
        status->conditions[HPA_SCALING_ACTIVE] = active;
    if (decision->outcome == HPA_BY_METRICS)
        status->conditions[HPA_SCALING_LIMITED] = scaling_limited(decision);
    if (!failed)
        status->desired_replicas = decision->replicas;
    if (decision->outcome == HPA_BY_METRICS || (decision->outcome == HPA_METRICS_INVALID &&
                                                sync->input->features->hpa_failure_keeps_metrics))
        status->metrics = arena_copy(arena, sync->proposals,
                                     sync->input->metric_count * sizeof(*sync->proposals));
    else if (!failed)
        status->metrics = NULL;
}

static void write_identity(struct json_out *json, const struct metric_spec *metric)
{
    json_object_begin(json, "metric");
    json_string(json, "name", metric->metric);
    const struct label_selector *selector = metric->metric_selector;
    if (selector) {
        json_object_begin(json, "selector");
        if (selector->match_labels.count > 0) {
            json_object_begin(json, "matchLabels");
            for (uint32_t i = 0; i < selector->match_labels.count; i++)
                json_string(json, selector->match_labels.items[i].key,
                            selector->match_labels.items[i].value);
            json_object_end(json);
        }
        if (selector->match_expression_count > 0)
            json_array_begin(json, "matchExpressions");
        for (uint32_t i = 0; i < selector->match_expression_count; i++) {
            const struct selector_requirement *requirement = &selector->match_expressions[i];
            json_object_begin(json, NULL);
            json_string(json, "key", requirement->key);
            json_string(json, "operator", operator_name(requirement->operator));
            if (requirement->values.count > 0) {
                json_array_begin(json, "values");
                for (uint32_t v = 0; v < requirement->values.count; v++)
                    json_string(json, NULL, requirement->values.items[v]);
                json_array_end(json);
            }
            json_object_end(json);
        }
        if (selector->match_expression_count > 0)
            json_array_end(json);
        json_object_end(json);
    }
    json_object_end(json);
}

static void write_current(struct arena *arena, struct json_out *json,
                          const struct features *features, const struct metric_spec *metric,
                          const struct hpa_proposal *proposal)
{
    const enum hpa_target target = hpa_metric_target(metric);
    const bool of_pods =
        metric->source == METRIC_RESOURCE || metric->source == METRIC_CONTAINER_RESOURCE;
    struct quantity usage = quantity_of_milli(proposal->usage);
    if (of_pods && features->hpa_binary_memory && strcmp(metric->resource, "memory") == 0)
        usage.format = QUANTITY_BINARY_SI;
    json_object_begin(json, "current");
    json_string(json, target == HPA_TARGET_VALUE ? "value" : "averageValue",
                quantity_format_text(arena, usage));
    if (target == HPA_TARGET_UTILIZATION)
        json_integer(json, "averageUtilization", proposal->utilization);
    json_object_end(json);
}

/* Earlier versions leave the object out of the status of an average. */
static void write_described_object(struct json_out *json, const struct hpa_sync *sync,
                                   const struct metric_spec *metric)
{
    const bool known = hpa_metric_target(metric) == HPA_TARGET_VALUE ||
                       sync->input->features->hpa_average_names_object;
    const struct object_reference *object = &metric->described_object;
    json_object_begin(json, "describedObject");
    json_string(json, "kind", known ? object->kind : "");
    json_string(json, "name", known ? object->name : "");
    if (known && object->api_version)
        json_string(json, "apiVersion", object->api_version);
    json_object_end(json);
}

void hpa_write_metrics(struct arena *arena, struct json_out *json, const char *key,
                       const struct hpa_sync *sync, const struct hpa_proposal *metrics)
{
    static const struct {
        const char *type;
        const char *member;
    } names[] = {
        [METRIC_RESOURCE] = {"Resource", "resource"},
        [METRIC_CONTAINER_RESOURCE] = {"ContainerResource", "containerResource"},
        [METRIC_PODS] = {"Pods", "pods"},
        [METRIC_OBJECT] = {"Object", "object"},
        [METRIC_EXTERNAL] = {"External", "external"},
    };
    json_array_begin(json, key);
    for (uint32_t i = 0; i < sync->object->metric_count; i++) {
        const struct metric_spec *metric = &sync->object->metrics[i];
        const bool valid = metrics[i].failure == HPA_OK;
        json_object_begin(json, NULL);
        json_string(json, "type", valid ? names[metric->source].type : "");
        if (valid) {
            json_object_begin(json, names[metric->source].member);
            if (is_resource(metric))
                json_string(json, "name", metric->resource);
            else
                write_identity(json, metric);
            if (metric->source == METRIC_CONTAINER_RESOURCE)
                json_string(json, "container", metric->container);
            if (metric->source == METRIC_OBJECT)
                write_described_object(json, sync, metric);
            write_current(arena, json, sync->input->features, metric, &metrics[i]);
            json_object_end(json);
        }
        json_object_end(json);
    }
    json_array_end(json);
}

void hpa_write_conditions(struct json_out *json, const char *key, const struct hpa_status *status)
{
    static const char *const types[] = {"AbleToScale", "ScalingActive", "ScalingLimited"};
    json_array_begin(json, key);
    for (int i = 0; i < HPA_CONDITION_COUNT; i++) {
        const struct hpa_condition *condition = &status->conditions[i];
        if (!condition->reason)
            continue;
        json_object_begin(json, NULL);
        json_string(json, "type", types[i]);
        json_string(json, "status", condition->status ? "True" : "False");
        json_string(json, "reason", condition->reason);
        json_string(json, "message", condition->message);
        json_object_end(json);
    }
    json_array_end(json);
}
