/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/hints.h"

#include "manifest/document.h"
#include "object/as_written.h"
#include "object/policy.h"
#include "setup/autoscaler_words.h"
#include "setup/budget_words.h"
#include "setup/hinting.h"
#include "setup/setup.h"

#include <string.h>

/* ---- how many pods a workload has ---- */

static const struct object *autoscaler_of(const struct hinting *hinting,
                                          const struct object *workload)
{
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *object = &hinting->objects->items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            autoscaler_targets(object->as.horizontal_pod_autoscaler, workload))
            return object;
    }
    return NULL;
}

static int64_t fewest_pods(const struct hinting *hinting, const struct object *workload)
{
    const struct object *autoscaler = autoscaler_of(hinting, workload);
    const int32_t least = autoscaler ? autoscaler->as.horizontal_pod_autoscaler->min_replicas : 0;
    if (autoscaler)
        return least > 0 ? least : 1;
    return workload_replicas(workload);
}

/* ---- budgets ---- */

static bool guards(const struct object *budget, const struct object *object)
{
    const struct label_selector *selector = budget->as.pod_disruption_budget->selector;
    const struct labels *labels = hint_labels_of_pods(object);
    return labels && selector && hint_same_space(budget, object) &&
           label_selector_matches(selector, labels);
}

/* Whatever else is in the cluster, such a budget guards nobody. An empty selector, which means all
 * pods, or none in policy/v1beta1, is another thing: reading it has told that. */
static bool lacks_selector(const struct object *object)
{
    const struct value *spec = object->source ? value_find(&object->source->root, "spec") : NULL;
    return !object->as.pod_disruption_budget->selector &&
           value_is_null(value_find(spec, "selector"));
}

static void look_at_budget(struct hinting *hinting, const struct object *object)
{
    const struct pod_disruption_budget *budget = object->as.pod_disruption_budget;
    int64_t pods = 0;
    bool guards_any = false;
    bool of_daemons = false;
    const char *scaled = "";
    const char *size_field = "replicas";
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *other = &hinting->objects->items[i];
        if (!guards(object, other))
            continue;
        guards_any = true;
        of_daemons |= other->kind == OBJECT_DAEMON_SET;
        pods += other->kind == OBJECT_POD ? 1 : fewest_pods(hinting, other);
        const struct object *autoscaler = autoscaler_of(hinting, other);
        if (!autoscaler || other->kind == OBJECT_POD)
            continue;
        size_field = autoscaler_fewest_field(hinting->arena, autoscaler);
        scaled =
            arena_printf(hinting->arena, ", while %s %s wants %s", written_kind(autoscaler),
                         written_name(autoscaler), autoscaler_fewest(hinting->arena, autoscaler));
    }
    const char *name = arena_printf(hinting->arena, "PodDisruptionBudget %s/%s",
                                    object->meta->namespace, object->meta->name);
    if (lacks_selector(object))
        hint_add(
            hinting, object, "spec.selector",
            arena_printf(hinting->arena, "%s selects no pod, because it has no selector", name),
            "selector: {matchLabels: ...} with the labels of the pod template, or selector: {} "
            "for all pods of the namespace");
    else if (!guards_any && budget->selector)
        hint_look_for_nobody(hinting, object, name,
                             "compare the selector with the labels of the pod template");
    else if (!of_daemons && pods > 0 && budget_allows(budget, pods) == 0)
        hint_add(hinting, object,
                 budget->max_unavailable.set ? "spec.maxUnavailable" : "spec.minAvailable",
                 arena_printf(hinting->arena, "%s blocks every drain: %s%s", name,
                              budget_words(hinting->arena, budget, pods), scaled),
                 budget_remedy(hinting->arena, budget, pods, size_field));
}

/* The API server refuses to evict a pod that two budgets select. */
static void look_for_two_budgets(struct hinting *hinting, const struct object *workload)
{
    const struct object *first = NULL;
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *object = &hinting->objects->items[i];
        if (object->kind != OBJECT_POD_DISRUPTION_BUDGET || !guards(object, workload))
            continue;
        if (first) {
            hint_add(
                hinting, object, "spec.selector",
                arena_printf(hinting->arena,
                             "PodDisruptionBudgets %s and %s both select the pods of %s: every "
                             "eviction of them is refused",
                             first->meta->name, object->meta->name,
                             written_words(hinting->arena, workload)),
                "keep one of them, or make their selectors disjoint");
            return;
        }
        first = object;
    }
}

/* ---- autoscalers ---- */

static bool requests(const struct pod_spec *spec, const char *resource)
{
    for (uint32_t c = 0; c < spec->container_count; c++)
        if (!resource_list_find(&spec->containers[c].resources.requests, resource))
            return false;
    return true;
}

static const struct object *target_of(const struct hinting *hinting,
                                      const struct horizontal_pod_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < hinting->objects->count; i++)
        if (workload_template(&hinting->objects->items[i]) &&
            autoscaler_targets(autoscaler, &hinting->objects->items[i]))
            return &hinting->objects->items[i];
    return NULL;
}

static void look_at_metrics(struct hinting *hinting, const struct object *object,
                            const struct object *target)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    for (uint32_t m = 0; m < autoscaler->metric_count; m++) {
        const struct metric_spec *metric = &autoscaler->metrics[m];
        if (metric->source != METRIC_RESOURCE || metric->target.type != METRIC_UTILIZATION ||
            requests(&workload_template(target)->spec, metric->resource))
            continue;
        hint_add(
            hinting, object, "spec.metrics",
            arena_printf(hinting->arena,
                         "%s goes by a percentage of the %s request, and not every container of %s "
                         "%s has one: it cannot scale",
                         written_words(hinting->arena, object), metric->resource,
                         written_kind(target), written_name(target)),
            arena_printf(hinting->arena, "resources.requests.%s for every container",
                         metric->resource));
        return;
    }
}

static void look_for_no_target(struct hinting *hinting, const struct object *object)
{
    const struct horizontal_pod_autoscaler *autoscaler = object->as.horizontal_pod_autoscaler;
    const struct object_reference *wanted = &autoscaler->scale_target;
    const char *name = written_words(hinting->arena, object);
    for (uint32_t i = 0; i < hinting->objects->count; i++) {
        const struct object *other = &hinting->objects->items[i];
        if (!workload_template(other) || strcmp(other->kind_name, wanted->kind) != 0 ||
            strcmp(other->meta->name, wanted->name) != 0)
            continue;
        hint_add(hinting, object, "metadata.namespace",
                 arena_printf(hinting->arena, "%s has no effect: %s/%s is in namespace %s", name,
                              wanted->kind, wanted->name, other->meta->namespace),
                 arena_printf(hinting->arena, "namespace: %s", other->meta->namespace));
        return;
    }
    if (hint_is_complete(hinting, object))
        hint_add(hinting, object, "spec.scaleTargetRef",
                 arena_printf(hinting->arena,
                              "%s has no effect: there is no %s/%s among the manifests", name,
                              wanted->kind, wanted->name),
                 NULL);
}

static void look_at_autoscaler(struct hinting *hinting, uint32_t number)
{
    const struct object *object = &hinting->objects->items[number];
    const struct object *target = target_of(hinting, object->as.horizontal_pod_autoscaler);
    if (!target) {
        look_for_no_target(hinting, object);
        return;
    }
    look_at_metrics(hinting, object, target);
    for (uint32_t i = 0; i < number; i++) {
        const struct object *other = &hinting->objects->items[i];
        if (other->kind != OBJECT_HORIZONTAL_POD_AUTOSCALER ||
            !autoscaler_targets(other->as.horizontal_pod_autoscaler, target))
            continue;
        hint_add(
            hinting, object, "spec.scaleTargetRef",
            arena_printf(hinting->arena,
                         "%s %s and %s %s both scale %s: each undoes what the other does",
                         written_kind(other), written_name(other), written_kind(object),
                         written_name(object), written_words(hinting->arena, target)),
            arena_printf(hinting->arena, "one %s with the metrics of both", written_kind(object)));
        return; /* one of the others is enough: of many, each pair would be a hint */
    }
}

struct hints hints_find(struct arena *arena, const struct objects *objects)
{
    struct hinting hinting = {.arena = arena, .objects = objects};
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const struct pod_template *template = workload_template(object);
        if (object->kind == OBJECT_POD_DISRUPTION_BUDGET)
            look_at_budget(&hinting, object);
        else if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER)
            look_at_autoscaler(&hinting, i);
        else if (object->kind == OBJECT_SERVICE)
            hints_look_at_service(&hinting, object);
        else if (template && hint_labels_of_pods(object)) {
            look_for_two_budgets(&hinting, object);
            hints_look_at_pods(&hinting, object);
        }
    }
    return hinting.found;
}

const char *hint_format(struct arena *arena, const struct hint *hint)
{
    if (!hint->place.file)
        return hint->text;
    return arena_printf(arena, "%s:%u:%u: %s", hint->place.file, hint->place.line,
                        hint->place.column, hint->text);
}
