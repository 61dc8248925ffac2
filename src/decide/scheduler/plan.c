/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/plan.h"

#include "base/saturating.h"
#include "decide/scheduler/port_set.h"

#include <string.h>

uint32_t plugin_number(const struct plugin *plugin)
{
    uint32_t number = 0;
    while (plugin_registry[number] != plugin) {
        if (!plugin_registry[number])
            bug("plugin %s is not in the registry", plugin->name);
        number++;
    }
    return number;
}

struct part *plan_part(struct plan *plan, const struct plugin *plugin)
{
    return &plan->parts[plugin_number(plugin)];
}

static void prepare_parts(struct plan *plan)
{
    plan->counter_count = 0;
    plan->fact_count = 0;
    for (uint32_t i = 0; plugin_registry[i]; i++) {
        plan->parts[i] = (struct part){.filters = true, .scores = true};
        if (plugin_registry[i]->prepare)
            plugin_registry[i]->prepare(plan, &plan->parts[i]);
    }
}

static void list_filters(struct plan *plan)
{
    plan->local_filters.count = 0;
    plan->global_filters.count = 0;
    for (uint32_t i = 0; i < plan->profile->filter_count; i++) {
        const struct plugin *plugin = plan->profile->filters[i];
        const struct part *part = plan_part(plan, plugin);
        struct filter_list *list =
            plugin->global_filter ? &plan->global_filters : &plan->local_filters;
        if (part->filters)
            list->items[list->count++] = (struct listed_filter){plugin, part, i};
    }
}

static void plan_build(struct plan *plan)
{
    /* Preparing may add a topology key to the catalog. Counters are kept by key, so it
     * is repeated until no key is added. */
    do {
        plan->topology_key_count = plan->catalog->topology_keys.count;
        prepare_parts(plan);
    } while (plan->topology_key_count != plan->catalog->topology_keys.count);
    list_filters(plan);
    for (uint32_t i = 0; i < plan->profile->score_count; i++)
        plan->score_parts[i] = plan_part(plan, plan->profile->scores[i].plugin);
    plan->facts.count = 0;
    plan->relations.count = 0;
    plan->port_sets.count = 0;
    plan->records.count = 0;
}

struct plan *plan_create(struct catalog *catalog, const struct profile *profile,
                         const struct pod_class *pod)
{
    struct plan *plan = ARENA_NEW(catalog->arena, struct plan);
    plan->catalog = catalog;
    plan->profile = profile;
    plan->pod = pod;
    plan->shape = pod->shape;
    plan_build(plan);
    return plan;
}

void plan_refresh(struct plan *plan)
{
    if (plan->topology_key_count != plan->catalog->topology_keys.count)
        plan_build(plan);
}

static const int64_t *plan_facts(struct plan *plan, const struct node_template *template)
{
    struct arena *arena = plan->catalog->arena;
    while (plan->facts.count <= template->id)
        VEC_PUSH(arena, &plan->facts, NULL);
    if (plan->facts.items[template->id])
        return plan->facts.items[template->id];
    int64_t *facts = ARENA_ARRAY(arena, int64_t, plan->fact_count + 1);
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if (plugin_registry[i]->examine)
            plugin_registry[i]->examine(plan, &plan->parts[i], template,
                                        facts + plan->parts[i].facts);
    plan->facts.items[template->id] = facts;
    return facts;
}

static const int64_t *plan_relation(struct plan *plan, const struct pod_class *pod)
{
    struct arena *arena = plan->catalog->arena;
    uint32_t number = 2 * pod->shape->id + pod->terminating;
    while (plan->relations.count <= number)
        VEC_PUSH(arena, &plan->relations, NULL);
    if (plan->relations.items[number])
        return plan->relations.items[number];
    int64_t *counters = ARENA_ARRAY(arena, int64_t, plan->counter_count + 1);
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if (plugin_registry[i]->relate)
            plugin_registry[i]->relate(plan, &plan->parts[i], pod->shape, pod->terminating,
                                       counters);
    plan->relations.items[number] = counters;
    return counters;
}

void plan_load_init(struct plan *plan, struct arena *arena, struct load *load,
                    const struct node_template *template)
{
    load->template = template;
    load->facts = plan_facts(plan, template);
    load->counters = ARENA_ARRAY(arena, int64_t, plan->counter_count + 1);
    load->used_ports = 0;
}

void plan_load_copy(const struct plan *plan, struct load *to, const struct load *from)
{
    to->template = from->template;
    to->facts = from->facts;
    to->used_ports = from->used_ports;
    memcpy(to->counters, from->counters, plan->counter_count * sizeof(*to->counters));
}

void plan_load_add(struct plan *plan, struct load *load, const struct pod_class *pod,
                   uint32_t count)
{
    const int64_t *relation = plan_relation(plan, pod);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        if (relation[i] != 0)
            load->counters[i] =
                saturating_add(load->counters[i], saturating_multiply(relation[i], count));
    load->used_ports |= port_set_of(plan, pod->shape);
}

/* Upstream keeps a node's ports as a set: taking a pod away frees its ports
 * even if another pod of the node has the same. */
void plan_load_remove(struct plan *plan, struct load *load, const struct pod_class *pod)
{
    const int64_t *relation = plan_relation(plan, pod);
    for (uint32_t i = 0; i < plan->counter_count; i++)
        load->counters[i] = saturating_subtract(load->counters[i], relation[i]);
    load->used_ports &= ~port_set_of(plan, pod->shape);
}

bool plan_load_nominate(struct plan *plan, struct load *load, const struct node_config *config,
                        const struct pod_class *own)
{
    bool added = false;
    for (uint32_t i = 0; i < config->nominated_entry_count; i++) {
        const struct pod_class *pod = plan->catalog->pods.items[config->nominated[i].pod];
        uint32_t count = config->nominated[i].count;
        if (own && pod->id == own->id)
            count--;
        if (count == 0 || pod->shape->priority < plan->shape->priority)
            continue;
        plan_load_add(plan, load, pod, count);
        added = true;
    }
    return added;
}

struct verdict plan_filter_local(const struct plan *plan, const struct load *load, uint32_t *filter,
                                 struct arena *texts)
{
    for (uint32_t i = 0; i < plan->local_filters.count; i++) {
        const struct listed_filter *local = &plan->local_filters.items[i];
        struct trial trial = {
            .plan = plan, .part = local->part, .now = load, .base = load, .texts = texts};
        struct verdict verdict = local->plugin->filter(&trial);
        if (verdict.code != VERDICT_FEASIBLE) {
            *filter = local->order;
            verdict.plugin = local->plugin;
            return verdict;
        }
    }
    *filter = plan->profile->filter_count;
    return verdict_feasible();
}

static void score_local(const struct plan *plan, struct record *record)
{
    const struct profile *profile = plan->profile;
    record->scores = ARENA_ARRAY(plan->catalog->arena, int64_t, profile->score_count + 1);
    for (uint32_t i = 0; i < profile->score_count; i++) {
        const struct plugin *plugin = profile->scores[i].plugin;
        const struct part *part = plan->score_parts[i];
        if (!part->scores)
            record->scores[i] = part->same_score;
        if (plugin->global_score || !part->scores)
            continue;
        struct trial trial = {
            .plan = plan, .part = part, .now = &record->load, .base = &record->load};
        record->scores[i] = plugin->score(&trial);
    }
}

static struct record *make_record(struct plan *plan, const struct node_config *config)
{
    struct arena *arena = plan->catalog->arena;
    struct record *record = ARENA_NEW(arena, struct record);
    plan_load_init(plan, arena, &record->load, config->template);
    for (uint32_t i = 0; i < config->pod_entry_count; i++)
        plan_load_add(plan, &record->load, plan->catalog->pods.items[config->pods[i].pod],
                      config->pods[i].count);
    record->local = plan_filter_local(plan, &record->load, &record->local_filter, arena);
    score_local(plan, record);
    if (config->nominated_entry_count > 0) {
        plan_load_init(plan, arena, &record->nominated_load, config->template);
        plan_load_copy(plan, &record->nominated_load, &record->load);
        record->has_nominated = plan_load_nominate(plan, &record->nominated_load, config, NULL);
        record->nominated_local = plan_filter_local(plan, &record->nominated_load,
                                                    &record->nominated_local_filter, arena);
    }
    return record;
}

const struct record *plan_record(struct plan *plan, const struct node_config *config)
{
    while (plan->records.count <= config->id)
        VEC_PUSH(plan->catalog->arena, &plan->records, NULL);
    if (!plan->records.items[config->id])
        plan->records.items[config->id] = make_record(plan, config);
    return plan->records.items[config->id];
}
