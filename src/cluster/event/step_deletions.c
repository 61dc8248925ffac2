/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that somebody deletes, and what becomes of those that depend on them.
 *
 *   a pod        terminates, or is gone if it waits for a node
 *   a node       is not listed any more; its pods stay as they were until the
 *                garbage collector for pods misses their node
 *   a workload   is gone with its ReplicaSets; the garbage collector deletes
 *                its pods, which terminate
 *   a budget or an autoscaler has no effect any more
 */
#include "cluster/actor/steps.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/happening.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/workloads.h"
#include "decide/controller/garbage_collector.h"

#include <string.h>

/* "web-*" stands for all that begin with "web-". The names of pods are known up
 * to what their controller makes up; in place of that is a star. */
bool name_matches(const char *pattern, const char *name)
{
    const size_t length = strcspn(pattern, "*");
    return pattern[length] == '*' ? strncmp(pattern, name, length) == 0
                                  : strcmp(pattern, name) == 0;
}

static struct happening deletion(uint32_t number, uint32_t workload, uint32_t revision,
                                 uint32_t node)
{
    return (struct happening){.action = ACT_EVENT_DELETE,
                              .workload = workload,
                              .revision = revision,
                              .node = node,
                              .amount = 1,
                              .event = number};
}

/* ---- pods ---- */

/* What a pod of the class becomes when it is deleted; VIEW_NONE: it is gone. */
static uint32_t class_deleted(const struct population *population, uint32_t config, uint32_t class)
{
    const struct class_info *info = &population->classes.items[class];
    return info->stage == STAGE_WAITING ? VIEW_NONE : class_ending(population, config, class);
}

struct pod_deletion {
    struct expansion *expansion;
    struct happening happening;
};

static void emit_deletion(void *context, struct population_state *next)
{
    const struct pod_deletion *deletion_of = context;
    expansion_emit(deletion_of->expansion, next, &deletion_of->happening);
}

static void delete_pod(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    const struct object_name *name = &population->events.items[number].event->object;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (!name_matches(name->name, revision->pod->meta.name) ||
            (name->namespace && strcmp(name->namespace, revision->pod->meta.namespace) != 0))
            continue;
        if (state->pending[r] > 0) {
            struct population_state *next = state_after_event(expansion, number);
            struct pod_deletion one = {expansion,
                                       deletion(number, revision->workload, r, UINT32_MAX)};
            next->pending[r]--;
            state_each_loss(population, next, r, 1, emit_deletion, &one);
        }
        for (uint32_t n = 0; n < state->node_count; n++) {
            const struct node_config *config =
                population->catalog->configs.items[state->nodes[n].config];
            for (uint32_t p = 0; p < config_entry_count(config); p++) {
                const uint32_t class = config->pods[p].pod;
                if (population->classes.items[class].revision != r ||
                    population->classes.items[class].stage == STAGE_TERMINATING)
                    continue;
                struct population_state *next = state_after_event(expansion, number);
                const struct happening happening = deletion(number, revision->workload, r, n);
                state_move_node(
                    population, next, n,
                    config_replace(population, state->nodes[n].config, class,
                                   class_deleted(population, state->nodes[n].config, class)));
                expansion_emit(expansion, next, &happening);
            }
        }
    }
}

/* ---- nodes ---- */

static bool is_gone(enum node_condition condition)
{
    return condition == NODE_GONE || condition == NODE_GONE_AWHILE;
}

static void delete_node(struct expansion *expansion, uint32_t number)
{
    struct population *population = expansion->population;
    const struct check_event *event = population->events.items[number].event;
    for (uint32_t n = 0; n < expansion->state->listed_count; n++) {
        const uint32_t config = expansion->state->nodes[n].config;
        const struct node *node = population->catalog->configs.items[config]->template->node;
        if (!name_matches(event->object.name, node->meta.name))
            continue;
        struct population_state *next = state_after_event(expansion, number);
        const struct happening happening = deletion(number, UINT32_MAX, UINT32_MAX, n);
        state_move_node(population, next, n,
                        config_with_condition(population,
                                              config_without_nominations(population, config),
                                              event->recovers ? NODE_GONE_AWHILE : NODE_GONE));
        lifecycle_forget_taints(population, next);
        expansion_emit(expansion, next, &happening);
    }
}

/* ---- the rest ---- */

static void delete_workload(struct expansion *expansion, uint32_t number, uint32_t workload)
{
    const struct population *population = expansion->population;
    if (expansion->state->present[workload] == WORKLOAD_ABSENT)
        return;
    struct population_state *next = state_after_event(expansion, number);
    const struct happening happening = deletion(number, workload, UINT32_MAX, UINT32_MAX);
    next->present[workload] = WORKLOAD_ABSENT;
    next->replicas[workload] = 0;
    /* If one of that name comes again, it begins anew. */
    next->statuses[workload] = (struct workload_status){0};
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].workload == workload && revision_has_set(population, r))
            next->sets[r] = (struct set_state){.replicas = -1};
    expansion_emit(expansion, next, &happening);
}

void event_deletes(struct expansion *expansion, uint32_t number)
{
    const struct population_event *event = &expansion->population->events.items[number];
    if (strcmp(event->event->object.kind, "Pod") == 0)
        delete_pod(expansion, number);
    else if (strcmp(event->event->object.kind, "Node") == 0)
        delete_node(expansion, number);
    else if (event->workload != UINT32_MAX)
        delete_workload(expansion, number, event->workload);
    else if (expansion->state->event_used[number] == 0) {
        struct population_state *next = state_after_event(expansion, number);
        const struct happening happening = deletion(number, UINT32_MAX, UINT32_MAX, UINT32_MAX);
        expansion_emit(expansion, next, &happening);
    }
}

bool object_is_deleted(const struct population *population, const struct population_state *state,
                       const char *kind, const struct object_meta *meta)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct check_event *event = population->events.items[e].event;
        if (event->kind == EVENT_DELETE && state->event_used[e] > 0 &&
            strcmp(event->object.kind, kind) == 0 && strcmp(event->object.name, meta->name) == 0 &&
            (!event->object.namespace || strcmp(event->object.namespace, meta->namespace) == 0))
            return true;
    }
    return false;
}

/* ---- garbage ---- */

static void collect(struct expansion *expansion, uint32_t entry, uint32_t class, uint32_t to)
{
    struct population *population = expansion->population;
    const uint32_t revision = population->classes.items[class].revision;
    struct population_state *next = state_copy(population, expansion->state);
    state_move_node(population, next, entry,
                    config_replace(population, next->nodes[entry].config, class, to));
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_COLLECT,
                                       .workload = population->revisions.items[revision].workload,
                                       .revision = revision,
                                       .node = entry,
                                       .amount = 1});
}

static void collect_waiting(struct expansion *expansion, uint32_t revision)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    const uint32_t amount = next->pending[revision];
    next->pending[revision] = 0;
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_COLLECT,
                                       .workload = population->revisions.items[revision].workload,
                                       .revision = revision,
                                       .node = UINT32_MAX,
                                       .amount = amount});
}

void step_garbage(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    const struct population_state *state = expansion->state;
    /* Whose owner is absent is deleted. */
    const struct gc_facts orphan = {.owners_absent = 1};
    if (!population->deletes || gc_decide(&orphan).verb != GC_DELETES)
        return;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (state->pending[r] > 0 &&
            state->present[population->revisions.items[r].workload] == WORKLOAD_ABSENT)
            collect_waiting(expansion, r);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        const bool gone = is_gone(config_condition(population, state->nodes[n].config));
        for (uint32_t p = 0; p < config_entry_count(config); p++) {
            const uint32_t class = config->pods[p].pod;
            const struct class_info *info = &population->classes.items[class];
            const uint32_t workload = population->revisions.items[info->revision].workload;
            if (gone)
                collect(expansion, n, class, VIEW_NONE);
            else if (state->present[workload] == WORKLOAD_ABSENT &&
                     info->stage != STAGE_TERMINATING)
                collect(expansion, n, class,
                        class_deleted(population, state->nodes[n].config, class));
        }
    }
}
