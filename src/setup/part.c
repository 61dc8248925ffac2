/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/part.h"

#include "object/policy.h"
#include "object/selector.h"
#include "setup/owners.h"
#include "setup/template_walk.h"

#include <string.h>

struct parting_scope {
    struct arena *arena;
    const struct scope *scope;
    const bool *in; /* by workload */
    struct scope_part *part;
};

/* Is it sure that the selector finds no pod of a template with these labels? A label that the
 * template does not have may come from a controller. */
static bool is_refuted(const struct label_selector *selector, const struct labels *labels)
{
    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *wanted = &selector->match_labels.items[i];
        const char *value = labels_find(labels, wanted->key);
        if (value && strcmp(value, wanted->value) != 0 && !label_is_of_controllers(wanted->key))
            return true;
    }
    for (uint32_t i = 0; i < selector->match_expression_count; i++) {
        const struct selector_requirement *wanted = &selector->match_expressions[i];
        if (labels_find(labels, wanted->key) && !selector_requirement_matches(wanted, labels) &&
            !label_is_of_controllers(wanted->key))
            return true;
    }
    return false;
}

/* May the selector find pods of a workload of the part, or of none? */
static bool may_select(const struct parting_scope *parting, const struct label_selector *selector)
{
    struct template_walk at = templates_of(parting->scope);
    if (parting->scope->pod_count > 0)
        return true;
    while (templates_next(&at))
        if ((at.workload == UINT32_MAX || parting->in[at.workload]) &&
            !is_refuted(selector, &at.template->meta.labels))
            return true;
    return false;
}

/* What pods a budget or a Service is about; false: it is another object. */
static bool selector_of(const struct object *object, struct label_selector *selector)
{
    *selector = (struct label_selector){0};
    if (object->kind == OBJECT_SERVICE)
        selector->match_labels = object->as.service->selector;
    else if (object->kind != OBJECT_POD_DISRUPTION_BUDGET)
        return false;
    else if (object->as.pod_disruption_budget->selector)
        *selector = *object->as.pod_disruption_budget->selector;
    return true;
}

bool scope_part_owns(const struct scope_part *part, const struct object *object)
{
    const struct scope *scope = &part->scope;
    struct label_selector selector;
    if (!selector_of(object, &selector))
        return owner_find(scope, object) != UINT32_MAX;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (label_selector_matches(&selector,
                                   &workload_template(scope->workloads[w].object)->meta.labels))
            return selector.match_labels.count + selector.match_expression_count > 0;
    return false;
}

/* Does one of these objects belong to the part? What is no workload's belongs to every part. */
static bool belongs(const struct parting_scope *parting, const struct objects *all, uint32_t number)
{
    const struct scope *scope = parting->scope;
    const struct object *object = &all->items[number];
    struct label_selector selector;
    if (selector_of(object, &selector))
        return may_select(parting, &selector);
    const uint32_t workload =
        scope->owners && all == scope->objects ? scope->owners[number] : owner_find(scope, object);
    return workload == UINT32_MAX || parting->in[workload];
}

static const struct objects *objects_of_part(const struct parting_scope *parting,
                                             const struct objects *all)
{
    struct objects *kept = ARENA_NEW(parting->arena, struct objects);
    for (uint32_t i = 0; i < all->count; i++)
        if (belongs(parting, all, i))
            objects_put(parting->arena, kept, &all->items[i]);
    return kept;
}

/* Is the event about nodes, or about a workload of the part? */
static bool concerns(const struct parting_scope *parting, uint32_t event)
{
    const struct check_event *of = &parting->scope->check->events[event];
    const struct objects *applied = &parting->scope->applied[event];
    const uint32_t workload = scope_find_workload(parting->scope, &of->object);
    if (workload != UINT32_MAX)
        return parting->in[workload];
    for (uint32_t i = 0; i < applied->count; i++)
        if (belongs(parting, applied, i))
            return true;
    return applied->count == 0;
}

static void add_events(const struct parting_scope *parting)
{
    const struct check *check = parting->scope->check;
    struct scope_part *part = parting->part;
    struct check_event *events =
        ARENA_ARRAY(parting->arena, struct check_event, check->event_count + 1);
    struct objects *applied = ARENA_ARRAY(parting->arena, struct objects, check->event_count + 1);
    uint32_t *numbers = ARENA_ARRAY(parting->arena, uint32_t, check->event_count + 1);
    uint32_t count = 0;
    for (uint32_t e = 0; e < check->event_count; e++) {
        if (!concerns(parting, e))
            continue;
        events[count] = check->events[e];
        applied[count] = *objects_of_part(parting, &parting->scope->applied[e]);
        numbers[count++] = e;
    }
    part->check = *check;
    part->check.events = events;
    part->check.event_count = count;
    part->events = numbers;
    part->scope.check = &part->check;
    part->scope.applied = applied;
}

static void add_workloads(const struct parting_scope *parting, uint32_t *new_numbers)
{
    const struct scope *scope = parting->scope;
    struct scope_part *part = parting->part;
    struct setup_workload *workloads =
        ARENA_ARRAY(parting->arena, struct setup_workload, scope->workload_count + 1);
    uint32_t *numbers = ARENA_ARRAY(parting->arena, uint32_t, scope->workload_count + 1);
    uint32_t count = 0;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        new_numbers[w] = UINT32_MAX;
        if (!parting->in[w])
            continue;
        new_numbers[w] = count;
        workloads[count] = scope->workloads[w];
        numbers[count++] = w;
    }
    part->scope.workloads = workloads;
    part->scope.workload_count = count;
    part->workloads = numbers;
}

/* Pods of other workloads are not there. Those that no workload looks after are in every part. */
static void add_pods(const struct parting_scope *parting, const uint32_t *new_numbers)
{
    const struct scope *scope = parting->scope;
    struct scope *part = &parting->part->scope;
    part->pods = ARENA_ARRAY(parting->arena, struct observed_pod, scope->pod_count + 1);
    part->pod_count = 0;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        struct observed_pod pod = scope->pods[i];
        if (pod.workload != UINT32_MAX && !parting->in[pod.workload])
            continue;
        if (pod.workload != UINT32_MAX)
            pod.workload = new_numbers[pod.workload];
        part->pods[part->pod_count++] = pod;
    }
}

void scope_part(struct arena *arena, const struct scope *scope, const bool *in,
                struct scope_part *part)
{
    const struct parting_scope parting = {arena, scope, in, part};
    uint32_t *new_numbers = ARENA_ARRAY(arena, uint32_t, scope->workload_count + 1);
    *part = (struct scope_part){.scope = *scope};
    part->scope.objects = objects_of_part(&parting, scope->objects);
    part->scope.owners = NULL; /* they are of other objects */
    if (scope->check)
        add_events(&parting);
    add_workloads(&parting, new_numbers);
    add_pods(&parting, new_numbers);
    if (scope->start == START_CANONICAL)
        part->scope.start = START_SETTLED;
}

const struct setup *setup_part(struct arena *arena, const struct scope_part *part,
                               const struct setup *setup)
{
    const uint32_t count = part->scope.workload_count;
    struct setup *of = ARENA_NEW(arena, struct setup);
    int32_t *replicas = ARENA_ARRAY(arena, int32_t, count + 1);
    int32_t *least = ARENA_ARRAY(arena, int32_t, count + 1);
    int32_t *most = ARENA_ARRAY(arena, int32_t, count + 1);
    *of = *setup;
    of->replicas = replicas;
    of->autoscaler_min = least;
    of->autoscaler_max = most;
    of->total_pods = 0;
    for (uint32_t w = 0; w < count; w++) {
        replicas[w] = setup->replicas[part->workloads[w]];
        least[w] = setup->autoscaler_min[part->workloads[w]];
        most[w] = setup->autoscaler_max[part->workloads[w]];
        of->total_pods += replicas[w];
    }
    return of;
}
