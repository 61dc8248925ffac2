/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a Check that had no effect in any run: events that never came, and budgets that
 * select no pod. */
#include "cluster/event/registry.h"
#include "object/policy.h"
#include "verify/plan.h"
#include "verify/verify.h"

#include <string.h>

typedef VEC(const char *) sentences;

/* ---- events ---- */

/* "delete of Pod/default/web-0", "nodeFailure on node n1" */
static const char *event_label(struct arena *arena, const struct check_event *event)
{
    const char *name = event_kind_name(event->kind);
    if (event->object.name)
        return arena_printf(arena, "%s of %s", name, object_name_format(arena, &event->object));
    if (event->node)
        return arena_printf(arena, "%s on node %s", name, event->node);
    return event->group ? arena_printf(arena, "%s in group %s", name, event->group) : name;
}

static const char *why_it_never_came(const struct check_event *event)
{
    if (event->when)
        return event->after_settled
                   ? "the cluster never settled, or its condition was never true after that, or "
                     "there was nothing to do"
                   : "its condition was never true, or there was nothing to do";
    return event->after_settled ? "the cluster never settled, or there was nothing to do"
                                : "there was nothing to do";
}

static void add_events(struct arena *arena, const struct check *check, uint64_t came,
                       sentences *list)
{
    for (uint32_t e = 0; e < check->event_count && e < 64; e++) {
        const struct check_event *event = &check->events[e];
        /* What a controller applies again and again is no event that comes; and what pods bear from
         * the start on is said by an event that need not come. */
        if (event_kind_comes(event->kind) && !event->repeats && !event->initial && !(came >> e & 1))
            VEC_PUSH(arena, list,
                     arena_printf(arena, "event %s never came: %s", event_label(arena, event),
                                  why_it_never_came(event)));
    }
}

/* ---- budgets ---- */

/* Labels that controllers put on pods and templates do not have. */
static bool is_added(const char *key)
{
    static const char *const added[] = {
        "pod-template-hash",
        "controller-revision-hash",
        "statefulset.kubernetes.io/pod-name",
        "apps.kubernetes.io/pod-index",
        "controller-uid",
        "job-name",
        "batch.kubernetes.io/controller-uid",
        "batch.kubernetes.io/job-name",
    };
    for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++)
        if (strcmp(key, added[i]) == 0)
            return true;
    return false;
}

static bool asks_for_added(const struct label_selector *selector)
{
    for (uint32_t i = 0; i < selector->match_labels.count; i++)
        if (is_added(selector->match_labels.items[i].key))
            return true;
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        if (is_added(selector->match_expressions[i].key))
            return true;
    return false;
}

static bool selects_of(const struct pod_disruption_budget *budget, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const struct pod_template *template = workload_template(object);
        const struct labels *labels = template                     ? &template->meta.labels
                                      : object->kind == OBJECT_POD ? &object->meta->labels
                                                                   : NULL;
        if (labels && strcmp(object->meta->namespace, budget->meta.namespace) == 0 &&
            label_selector_matches(budget->selector, labels))
            return true;
    }
    return false;
}

static bool selects_any(const struct scope *scope, const struct pod_disruption_budget *budget)
{
    if (!budget->selector)
        return false;
    if (asks_for_added(budget->selector) || selects_of(budget, scope->objects))
        return true;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        if (selects_of(budget, &scope->applied[e]))
            return true;
    return false;
}

static void add_budgets(struct arena *arena, const struct scope *scope, sentences *list)
{
    for (uint32_t i = 0; i < scope->objects->count; i++) {
        const struct object *object = &scope->objects->items[i];
        if (object->kind == OBJECT_POD_DISRUPTION_BUDGET &&
            !selects_any(scope, object->as.pod_disruption_budget))
            VEC_PUSH(arena, list,
                     arena_printf(arena, "PodDisruptionBudget %s/%s selects no pod",
                                  object->meta->namespace, object->meta->name));
    }
}

struct string_list verify_idle(struct arena *arena, const struct verify_plan *plan,
                               const struct verify_report *report)
{
    sentences list = {0};
    bool explored = false; /* What holds was looked for everywhere. */
    for (uint32_t i = 0; i < report->result_count; i++)
        explored |= report->results[i].verdict == VERDICT_HOLDS;
    if (explored && plan->check)
        add_events(arena, plan->check, report->came, &list);
    if (!plan->in_vain)
        add_budgets(arena, &plan->scope, &list);
    return (struct string_list){list.items, list.count};
}
