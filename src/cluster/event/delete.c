/* SPDX-License-Identifier: Apache-2.0 */
/*
 * delete: the user deletes an object. The garbage collectors handle its dependents
 * (step_garbage.c).
 *
 *   a pod        terminates, or is gone if it waits for a node
 *   a node       is not listed any more; its pods stay as they were
 *   a workload   is gone with its ReplicaSets
 *   a budget or an autoscaler has no effect any more
 */
#include "base/text.h"
#include "cluster/ask/event_scope.h"
#include "cluster/ask/support.h"
#include "cluster/emit.h"
#include "cluster/event/event.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/conditions.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* ---- pods ---- */

struct pod_deletion {
    struct expansion *expansion;
    struct happening happening;
};

static void emit_deletion(void *context, struct state *next)
{
    const struct pod_deletion *deletion_of = context;
    expansion_emit(deletion_of->expansion, next, deletion_of->happening);
}

static void delete_pod(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct object_name *name = &event->event->object;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (!name_matches(name->name, revision->pod->meta.name) ||
            (name->namespace && strcmp(name->namespace, revision->pod->meta.namespace) != 0))
            continue;
        if (expansion->state->pending[r] > 0) {
            struct state *next = state_after_event(expansion, event);
            struct pod_deletion one = {
                expansion, happening_with(population, event->type->action, r, UINT32_MAX, 1)};
            next->pending[r]--;
            state_each_loss(worker, next, r, 1, emit_deletion, &one);
        }
        for (struct pod_walk pods = pods_of_nodes(worker, expansion->state); pods_next(&pods);) {
            if (pods.info->revision != r || pods.info->stage == STAGE_TERMINATING)
                continue;
            struct state *next = state_after_event(expansion, event);
            state_move_node(worker, next, pods.entry,
                            config_delete(worker, pods.config->id, pods.class, END_DELETED));
            expansion_emit(expansion, next,
                           happening_with(population, event->type->action, r, pods.entry, 1));
        }
    }
}

/* ---- nodes ---- */

static void delete_node(struct expansion *expansion, const struct population_event *event)
{
    struct worker *worker = expansion->worker;
    const enum node_condition gone = event_condition(expansion->population, event);
    for (uint32_t n = 0; n < expansion->state->listed_count; n++) {
        const struct node_config *config = state_config(worker, expansion->state, n);
        if (name_matches(event->event->object.name, config->template->node->meta.name))
            event_emit_node(expansion, event, n,
                            config_with_condition(
                                worker, config_without_nominations(worker, config->id), gone));
    }
}

/* ---- the rest ---- */

static void delete_workload(struct expansion *expansion, const struct population_event *event)
{
    const struct population *population = expansion->population;
    const uint32_t workload = event->workload;
    if (expansion->state->present[workload] == WORKLOAD_ABSENT)
        return;
    struct state *next = state_after_event(expansion, event);
    next->present[workload] = WORKLOAD_ABSENT;
    next->replicas[workload] = 0;
    /* A workload of that name that is created later starts with an empty status. */
    next->statuses[workload] = (struct workload_status){0};
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].workload == workload && revision_has_set(population, r))
            next->sets[r] = (struct set_state){.replicas = -1};
    expansion_emit(expansion, next, happening_to(event->type->action, workload, 1));
}

static void emit(struct expansion *expansion, const struct population_event *event)
{
    if (strcmp(event->event->object.kind, "Pod") == 0)
        delete_pod(expansion, event);
    else if (strcmp(event->event->object.kind, "Node") == 0)
        delete_node(expansion, event);
    else if (event->workload != UINT32_MAX)
        delete_workload(expansion, event);
    else if (expansion->state->event_used[event->number] == 0)
        expansion_emit(expansion, state_after_event(expansion, event),
                       happening_to(event->type->action, UINT32_MAX, 1));
}

/* ---- what is supported ---- */

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

static void check_object(const struct support *support, const struct check_event *event)
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
        support_workload(support, event->place, name);
    } else {
        for (uint32_t i = 0; i < support->scope->objects->count; i++)
            if (object_name_matches(name, &support->scope->objects->items[i]))
                return;
        problem_error(support->problems, event->place, NULL, "there is no %s among the manifests",
                      text);
    }
}

/* ---- the descriptor ---- */

static enum node_condition condition(const struct population *population,
                                     const struct check_event *event, bool untainted)
{
    (void)population;
    (void)untainted;
    if (strcmp(event->object.kind, "Node") != 0)
        return NODE_UP;
    return event->recovers ? NODE_GONE_AWHILE : NODE_GONE;
}

static void describe(const struct event_telling *telling, struct text *text)
{
    const struct check_event *event = telling->event;
    if (!event)
        return;
    const bool of_pod = strcmp(event->object.kind, "Pod") == 0;
    text_printf(text, "the user deletes %s%s %s", of_pod ? "one of " : "", event->object.kind,
                event->object.name);
    if (of_pod && telling->entry != UINT32_MAX)
        text_printf(text, " on %s", telling->node);
}

const struct event_type event_delete = {
    .action = ACT_EVENT_DELETE,
    .emit = emit,
    .check_object = check_object,
    .condition = condition,
    .deletes_object = true,
    .describe = describe,
    .traits = NEEDS_NO_READINESS | NEEDS_NO_USAGE | LEAVES_ADMISSION_ALONE | LEAVES_NODES_READY,
};
