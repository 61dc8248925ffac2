/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of node configs: one pod more or less, another template, another condition. */
#include "cluster/state/configs.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/images.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <assert.h>

enum { CHANGE_SLOTS_FIRST = 64 };

/* The result of one change of a config. */
struct config_change {
    uint32_t config;
    uint32_t from;
    uint32_t to;
    uint32_t result; /* plus one; 0: the slot is free */
};

static uint32_t replace(struct worker *worker, uint32_t config, uint32_t from, uint32_t to)
{
    const struct node_config *old = config_at(worker, config);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const uint32_t most = config_entry_count(old) + 1;
    struct pod_count *pods = ARENA_ARRAY(&worker->scratch, struct pod_count, 2 * (size_t)most);
    struct pod_count *waiting = pods + most;
    uint32_t pod_count = 0;
    uint32_t waiting_count = 0;
    for (uint32_t i = 0; i < most; i++) {
        struct pod_count entry = i + 1 < most ? old->pods[i] : (struct pod_count){to, 1};
        if (i + 1 < most && entry.pod == from)
            entry.count--;
        if (entry.count == 0 || entry.pod == VIEW_NONE)
            continue;
        if (class_info(worker, entry.pod)->stage == STAGE_WAITING)
            waiting[waiting_count++] = entry;
        else
            pods[pod_count++] = entry;
    }
    const uint32_t result = catalog_intern_config_waiting(
        worker->catalog, old->template->id, pods, pod_count, old->nominated,
        old->nominated_entry_count, waiting, waiting_count);
    arena_rewind(&worker->scratch, mark);
    return result;
}

/* The slot of a change: one pod of `from` becomes one of `to`. */
static struct config_change *slot_of(struct worker *worker, uint32_t config, uint32_t from,
                                     uint32_t to)
{
    uint64_t hash = ((uint64_t)config << 32 | from) * UINT64_C(0x9e3779b97f4a7c15);
    hash = ((hash ^ hash >> 32) + to) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t at = (uint32_t)(hash >> 32);; at++) {
        struct config_change *change = &worker->changes[at & (worker->change_slots - 1)];
        if (change->result == 0 ||
            (change->config == config && change->from == from && change->to == to))
            return change;
    }
}

static void grow(struct worker *worker)
{
    const struct config_change *old = worker->changes;
    const uint32_t old_slots = worker->change_slots;
    worker->change_slots = old_slots == 0 ? CHANGE_SLOTS_FIRST : 2 * old_slots;
    worker->changes = ARENA_ARRAY(&worker->arena, struct config_change, worker->change_slots);
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i].result != 0)
            *slot_of(worker, old[i].config, old[i].from, old[i].to) = old[i];
}

/* Apart from what is asked again and again, so that this stays small. */
__attribute__((noinline)) static uint32_t replace_and_keep(struct worker *worker, uint32_t config,
                                                           uint32_t from, uint32_t to)
{
    const uint32_t result = replace(worker, config, from, to);
    if (2 * worker->change_count >= worker->change_slots)
        grow(worker);
    *slot_of(worker, config, from, to) = (struct config_change){config, from, to, result + 1};
    worker->change_count++;
    return result;
}

uint32_t config_replace(struct worker *worker, uint32_t config, uint32_t from, uint32_t to)
{
    const uint32_t known = worker->change_slots > 0 ? slot_of(worker, config, from, to)->result : 0;
    return known > 0 ? known - 1 : replace_and_keep(worker, config, from, to);
}

uint32_t config_on(struct worker *worker, uint32_t number, uint32_t template)
{
    const struct node_config *config = config_at(worker, number);
    return catalog_intern_config_waiting(
        worker->catalog, template, config->pods, config->pod_entry_count, config->nominated,
        config->nominated_entry_count, config->waiting, config->waiting_entry_count);
}

uint32_t config_in_kind(struct worker *worker, uint32_t config, uint32_t number)
{
    const struct template_info *info = config_template(worker, config);
    const struct node_kind *kind = &worker->population->node_kinds.items[number];
    return config_on(worker, config,
                     info->pressures != 0
                         ? kind_pressed(kind, info->condition, info->pressures, info->passes)
                         : kind_template(kind, info->condition, info->slot));
}

uint32_t config_with_images(struct worker *worker, uint32_t config, uint32_t sets)
{
    const uint32_t number = config_template(worker, config)->node;
    const struct node_kind *kind = &worker->population->node_kinds.items[number];
    return config_in_kind(worker, config, number + (sets & ~kind->images));
}

uint32_t config_as_target(struct worker *worker, uint32_t config)
{
    return config_on(worker, config, config_template(worker, config)->target);
}

/* The drain of the node is over: nobody is late for it any more. */
static uint32_t config_without_late(struct worker *worker, uint32_t number)
{
    const struct population *population = worker->population;
    const struct node_config *config = config_at(worker, number);
    uint32_t next = number;
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        for (uint32_t i = 0; i < config->pods[p].count && class_is_late(population, info); i++)
            next = config_replace(worker, next, config->pods[p].pod, class_in_time(worker, info));
    }
    return next;
}

uint32_t config_with_condition(struct worker *worker, uint32_t config,
                               enum node_condition condition)
{
    const struct population *population = worker->population;
    const struct node_kind *kind =
        &population->node_kinds.items[config_template(worker, config)->node];
    const bool timed = population->clock && population->clock->nodes[condition].count > 0;
    /* Otherwise no event has said that it brings the condition about (event/event.h). */
    assert(condition == NODE_UP || kind->templates[condition] != 0);
    if (population->drains_list && condition != NODE_CORDONED)
        config = config_without_late(worker, config);
    return config_on(worker, config, kind_template(kind, condition, timed ? SLOT_NEW : SLOT_NONE));
}

uint32_t config_keeping_age(struct worker *worker, uint32_t config, enum node_condition condition)
{
    const struct template_info *info = config_template(worker, config);
    const struct node_kind *kind = &worker->population->node_kinds.items[info->node];
    return config_on(worker, config, kind_template(kind, condition, info->slot));
}

uint32_t config_marked(struct worker *worker, uint32_t config, enum node_condition condition)
{
    const struct template_info *info = config_template(worker, config);
    if (info->pressures == 0)
        return config_with_condition(worker, config, condition);
    return config_on(worker, config,
                     kind_pressed(&worker->population->node_kinds.items[info->node], condition,
                                  info->pressures, info->passes));
}
