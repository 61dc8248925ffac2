/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A start from the present state: the ReplicaSets that are there are revisions
 * of their workloads, the pods that are there are on their nodes.
 *
 * A pod that no controller of the model owns is a bystander: it takes room, has
 * labels, can be evicted, and does not come back. Bystanders that are equal in all
 * that controllers read of them are one revision, with a workload of its own that
 * wants no pods.
 */
#include "cluster/build/build_observed.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/traffic.h"
#include "cluster/ask/usage.h"
#include "cluster/build/build_disks.h"
#include "cluster/build/build_nodes.h"
#include "cluster/build/build_volumes.h"
#include "cluster/build/observed_revisions.h"
#include "cluster/build/observed_slice.h"
#include "cluster/intent/expression_looks.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/observed.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/disruption.h"
#include "decide/pod_fingerprint.h"
#include "setup/scope_reads.h"

#include <stdlib.h>
#include <string.h>

#define DESIRED_ANNOTATION "deployment.kubernetes.io/desired-replicas"

/* ---- bystanders ---- */

static uint32_t add_bystander(struct population *population, const struct object *object,
                              struct pod *slice)
{
    struct arena *arena = &population->arena;
    const struct setup_workload setup = {
        .object = object,
        .name = arena_printf(arena, "Pod/%s/%s", object->meta->namespace, object->meta->name),
    };
    const struct workload workload = {
        .setup = arena_copy(arena, &setup, sizeof(setup)),
        .first_revision = population->revisions.count,
        .revision_count = 1,
        .ordinal_count = 1,
        .levels = ARENA_ARRAY(arena, struct pod_level, ENDING_COUNT),
        .level_count = population->endpoints ? ENDING_COUNT : 1, /* of those that terminate */
        .bystander = true,
        .budget_owner =
            object_meta_controller(object->meta) ? BUDGET_UNKNOWN_OWNER : BUDGET_UNMANAGED,
    };
    for (uint32_t l = 0; l < workload.level_count; l++)
        workload.levels[l].cpu_milli = pod_cpu_request(&population->options.features, &slice->spec);
    VEC_PUSH(arena, &population->workloads, workload);
    struct revision revision = {
        .workload = population->workloads.count - 1,
        .ordinal = -1,
        .owner_meta = object->meta,
        .signature = "",
        .pod = slice,
        .priority = slice->spec.priority.set ? (int32_t)slice->spec.priority.value : 0,
        .never_waits = object->as.pod->spec.node_name != NULL,
        .pinned = pod_is_pinned(object->as.pod),
    };
    add_disks(population, &revision, &slice->spec);
    VEC_PUSH(arena, &population->revisions, revision);
    return population->revisions.count - 1;
}

static void keep_hooks(struct pod *slice, const struct pod *pod)
{
    slice->spec.termination_grace_seconds = pod->spec.termination_grace_seconds;
    for (uint32_t c = 0; c < pod->spec.container_count; c++)
        slice->spec.containers[c].pre_stop_seconds = pod->spec.containers[c].pre_stop_seconds;
}

static uint32_t bystander_revision(struct population *population, const struct object *object,
                                   struct map *known)
{
    const struct pod *pod = object->as.pod;
    const struct owner_reference *owner = object_meta_controller(&pod->meta);
    struct pod *slice = observed_slice(&population->arena, population->scope->reads, pod,
                                       population->options.images_pulled,
                                       population->options.features.resize_in_place);
    struct text text;
    /* A claim without a volume does not keep it waiting: what binds it is not modelled. */
    if (population->catalog->surroundings.claims.count == 0 || !pod->spec.node_name)
        pod_drop_claims(population, slice);
    text_init(&text, population->memory);
    pod_fingerprint(&text, slice);
    /* Drains and budgets ask for the kind of the owner. */
    text_printf(&text, " %d %s", pod->spec.node_name != NULL, owner ? owner->kind : "");
    /* Intents about traffic ask how long it serves while it terminates. */
    if (population->endpoints) {
        keep_hooks(slice, pod);
        text_printf(&text, " %d", pod_serves_on(&pod->spec));
    }
    if (population->scope->reads->pods_in_place)
        for (uint32_t i = 0; i < slice->meta.annotations.count; i++)
            text_printf(&text, " %s=%s", slice->meta.annotations.items[i].key,
                        slice->meta.annotations.items[i].value);
    uintptr_t number = (uintptr_t)map_get(known, text_content(&text));
    if (number == 0) {
        number = (uintptr_t)add_bystander(population, object, slice) + 1;
        map_put(known, arena_strndup(&population->arena, text_content(&text), text.length))->value =
            (void *)number;
    }
    text_release(&text);
    return (uint32_t)number - 1;
}

/* ---- the pods of the start ---- */

void observed_add_pods(struct population *population)
{
    const struct scope *scope = population->scope;
    struct map known;
    map_init(&known, &population->arena);
    population->observed_revisions =
        ARENA_ARRAY(&population->arena, uint32_t, scope->pod_count + 1);
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        population->observed_revisions[i] =
            pod->workload == UINT32_MAX ? bystander_revision(population, pod->object, &known)
                                        : observed_revision_of(population, pod);
    }
}

/* Only these ask whether a bystander is ready: expressions that look at pods, Services, budgets,
 * autoscalers, webhooks that it answers for, and other pods of its disk. */
static bool bystander_is_asked(const struct population *population, uint32_t revision)
{
    const struct surroundings *around = &population->catalog->surroundings;
    if (expressions_read_pods(population, "ready") || expressions_read_pods(population, "phase") ||
        population->revisions.items[revision].served)
        return true;
    for (uint32_t b = 0; b < around->budgets.count; b++)
        if (budget_counts(population, around->budgets.items[b], revision))
            return true;
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        if (population->autoscalers.items[a].selects[revision])
            return true;
    for (uint32_t i = 0; i < population->webhooks.count; i++)
        if (population->webhooks.items[i].backs[revision])
            return true;
    return population->revisions.items[revision].disks.count > 0;
}

/* The class that the pod begins in. */
static uint32_t class_of(const struct population *population, const struct observed_pod *pod,
                         uint32_t revision)
{
    const struct workload *workload = revision_workload(population, revision);
    const bool asked = workload->bystander ? bystander_is_asked(population, revision)
                                           : population->needs_readiness;
    const uint32_t steps = workload->pattern_steps;
    if (pod->stage == OBSERVED_WAITING)
        return class_at(population, revision, STAGE_WAITING, 0);
    if (pod->stage == OBSERVED_TERMINATING)
        return class_at(population, revision, STAGE_TERMINATING,
                        population->endpoints ? ENDING_REMOVED : 0);
    /* A kubelet that has admitted a pod sets its start time. */
    const struct pod_status *status = &pod->object->as.pod->status;
    if (pod->stage == OBSERVED_STARTING && population->admission_matters &&
        status->phase != POD_RUNNING && status->start_time == TIME_NONE)
        return class_at(population, revision, STAGE_BOUND, workload->first_level);
    if (pod->stage == OBSERVED_STARTING && asked)
        return class_at(population, revision, STAGE_STARTING, workload->first_level);
    /* A pod that is ready has reached the end of its pattern. */
    return class_at(population, revision, STAGE_READY, steps > 0 ? 2 * (steps - 1) : 0);
}

static void place_sets(struct population *population, struct state *state)
{
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const struct setup_workload *setup = population->workloads.items[w].setup;
        const uint32_t first = population->workloads.items[w].first_revision;
        for (uint32_t i = 0; i < setup->set_count; i++) {
            const struct replica_set *set = setup->sets[i]->as.replica_set;
            const char *desired = labels_find(&set->meta.annotations, DESIRED_ANNOTATION);
            state->sets[first + i].replicas = set->replicas;
            state->sets[first + i].desired =
                desired ? (int32_t)strtol(desired, NULL, 10) : state->replicas[w];
        }
    }
}

/* The nodes that have names, one by one, with what is on them. */
static void place_pods(struct population *population, struct state *state)
{
    const struct scope *scope = population->scope;
    struct arena *arena = &population->arena;
    uint32_t *first_nodes = ARENA_ARRAY(arena, uint32_t, scope->group_count + 1);
    for (uint32_t g = 0; g < scope->group_count; g++) {
        first_nodes[g] = population->observed_nodes.count;
        for (int32_t n = 0; scope->groups[g].names && n < scope->groups[g].most; n++) {
            const struct observed_node node = {.name = scope->groups[g].names[n], .group = g};
            VEC_PUSH(arena, &population->observed_nodes, node);
        }
    }
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        const uint32_t revision = population->observed_revisions[i];
        const char *name = pod->object->meta->name;
        if (pod->stage == OBSERVED_WAITING && pod->place.group == UINT32_MAX) {
            const struct observed_name waiting = {name, revision};
            state->pending[revision]++;
            VEC_PUSH(arena, &population->observed_waiting, waiting);
            continue;
        }
        const struct observed_name placed = {name, class_of(population, pod, revision)};
        const uint32_t node = first_nodes[pod->place.group] + pod->place.node;
        VEC_PUSH(arena, &population->observed_nodes.items[node].pods, placed);
    }
}

/* The config of such a node with its pods; those that wait for it stand behind the others. */
static uint32_t config_of(struct population *population, uint32_t template,
                          const struct observed_node *node)
{
    struct pod_count *pods =
        ARENA_ARRAY(&population->arena, struct pod_count, node->pods.count + 1);
    uint32_t count = 0;
    uint32_t waiting = node->pods.count;
    for (uint32_t p = 0; p < node->pods.count; p++) {
        const uint32_t class = node->pods.items[p].number;
        const bool waits = class_info(population->maker, class)->stage == STAGE_WAITING;
        pods[waits ? --waiting : count++] = (struct pod_count){class, 1};
    }
    return catalog_intern_config_waiting(population->maker->catalog, template, pods, count, NULL, 0,
                                         pods + count, node->pods.count - count);
}

void observed_begin(struct population *population, struct state *state)
{
    place_sets(population, state);
    place_pods(population, state);
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        const struct node_kind *kind = &population->node_kinds.items[k];
        const uint32_t template = first_template(population, kind);
        for (uint32_t n = 0; n < population->observed_nodes.count; n++) {
            struct observed_node *node = &population->observed_nodes.items[n];
            if (node->group != kind->group || kind->distinguished || kind->pulled != 0)
                continue;
            node->config = config_of(population, template, node);
            state->nodes[state->node_count++] = (struct view_node){node->config, 1};
        }
    }
}
