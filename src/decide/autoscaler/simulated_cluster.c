/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/simulated_cluster.h"

#include "decide/autoscaler/hidden_orders.h"

#include <stdlib.h>
#include <string.h>

struct simulated_cluster *simulation_create(struct arena *arena, const struct features *features,
                                            const struct objects *surroundings, uint32_t *index)
{
    struct simulated_cluster *simulation = ARENA_NEW(arena, struct simulated_cluster);
    struct profiles *profiles = ARENA_NEW(arena, struct profiles);
    *profiles = profiles_default(arena);
    simulation->arena = arena;
    simulation->catalog = catalog_create(arena, features);
    catalog_surround(simulation->catalog, surroundings);
    simulation->scheduler = scheduler_create(arena, simulation->catalog, profiles);
    simulation->fit = fit_create(arena, simulation->scheduler);
    simulation->index = index;
    map_init(&simulation->positions, arena);
    return simulation;
}

void simulation_release(struct simulated_cluster *simulation)
{
    fit_release(simulation->fit);
    scheduler_release(simulation->scheduler);
}

uint32_t simulation_template(struct simulated_cluster *simulation, const struct node *node,
                             bool anonymous)
{
    return anonymous ? catalog_add_anonymous_node(simulation->catalog, node)
                     : catalog_add_named_node(simulation->catalog, node);
}

/* Pods of one shape are one class: what differs in their status does not matter to filters. */
static uint32_t class_of(struct simulated_cluster *simulation, const struct autoscaler_pod *pod)
{
    const uint32_t number = 2 * pod->shape + (pod->pod->meta.deletion_time != TIME_NONE);
    while (simulation->classes.count <= number)
        VEC_PUSH(simulation->arena, &simulation->classes, 0);
    if (simulation->classes.items[number] == 0)
        simulation->classes.items[number] = catalog_add_pod(simulation->catalog, pod->unbound) + 1;
    return simulation->classes.items[number] - 1;
}

static uint32_t config_of(struct simulated_cluster *simulation, const struct simulated_node *node)
{
    enum { PODS_USUAL = 128 };
    struct pod_count usual[PODS_USUAL];
    struct pod_count *counts =
        node->pod_count <= PODS_USUAL
            ? usual
            : ARENA_ARRAY(simulation->arena, struct pod_count, node->pod_count);
    for (uint32_t i = 0; i < node->pod_count; i++)
        counts[i] = (struct pod_count){class_of(simulation, node->pods[i]), 1};
    return catalog_intern_config(simulation->catalog, node->template, counts, node->pod_count, NULL,
                                 0);
}

static void make_room_for_entry(struct simulated_cluster *simulation)
{
    if (simulation->entry_count < simulation->entry_capacity)
        return;
    const uint32_t capacity = simulation->entry_capacity ? 2 * simulation->entry_capacity : 16;
    struct view_node *entries = ARENA_ARRAY(simulation->arena, struct view_node, capacity);
    for (uint32_t i = 0; i < simulation->entry_count; i++)
        entries[i] = simulation->entries[i];
    simulation->entries = entries;
    simulation->entry_capacity = capacity;
    simulation->answers = ARENA_ARRAY(simulation->arena, char, capacity);
}

/* One node more has the config. */
static void count_config(struct simulated_cluster *simulation, uint32_t position, uint32_t config)
{
    simulation->configs[position] = config;
    while (simulation->entry_of.count <= config) {
        VEC_PUSH(simulation->arena, &simulation->entry_of, 0);
        VEC_PUSH(simulation->arena, &simulation->last_of, 0);
    }
    simulation->last_of.items[config] = position;
    if (simulation->entry_of.items[config] == 0) {
        make_room_for_entry(simulation);
        simulation->entries[simulation->entry_count++] = (struct view_node){config, 0};
        simulation->entry_of.items[config] = simulation->entry_count;
    }
    simulation->entries[simulation->entry_of.items[config] - 1].count++;
}

/* One node less; the last entry takes the place of one that nobody has. */
static void discount_config(struct simulated_cluster *simulation, uint32_t position)
{
    const uint32_t config = simulation->configs[position];
    const uint32_t entry = simulation->entry_of.items[config] - 1;
    if (--simulation->entries[entry].count > 0)
        return;
    simulation->entries[entry] = simulation->entries[--simulation->entry_count];
    simulation->entry_of.items[simulation->entries[entry].config] = entry + 1;
    simulation->entry_of.items[config] = 0;
}

static void put_node(struct simulated_cluster *simulation, uint32_t position,
                     struct simulated_node *node)
{
    simulation->nodes[position] = node;
    if (simulation->configs[position] == node->config)
        return;
    discount_config(simulation, position);
    count_config(simulation, position, node->config);
}

static void make_room(struct simulated_cluster *simulation)
{
    if (simulation->count < simulation->capacity)
        return;
    const uint32_t capacity = simulation->capacity ? 2 * simulation->capacity : 64;
    struct simulated_node **nodes =
        ARENA_ARRAY(simulation->arena, struct simulated_node *, capacity);
    uint32_t *configs = ARENA_ARRAY(simulation->arena, uint32_t, capacity);
    if (simulation->count > 0) {
        memcpy(nodes, simulation->nodes, simulation->count * sizeof(*nodes));
        memcpy(configs, simulation->configs, simulation->count * sizeof(*configs));
    }
    simulation->nodes = nodes;
    simulation->configs = configs;
    simulation->capacity = capacity;
}

uint32_t simulation_add_node(struct simulated_cluster *simulation,
                             const struct simulated_node *node)
{
    make_room(simulation);
    const uint32_t position = simulation->count++;
    struct simulated_node *added = arena_copy(simulation->arena, node, sizeof(*node));
    added->capacity = 0;
    if (added->class == 0)
        added->config = config_of(simulation, added);
    simulation->nodes[position] = added;
    count_config(simulation, position, added->config);
    return position;
}

/* A node that a fork shares with the state before it is copied. */
static struct simulated_node *write_node(struct simulated_cluster *simulation, uint32_t position)
{
    struct simulated_node *node = simulation->nodes[position];
    if (simulation->fork_count > 0) {
        const struct simulation_fork *fork = &simulation->forks[simulation->fork_count - 1];
        if (position < fork->count && node->fork != fork->serial) {
            const struct simulation_change change = {position, node};
            VEC_PUSH(simulation->arena, &simulation->changes, change);
            node = arena_copy(simulation->arena, node, sizeof(*node));
            node->fork = fork->serial;
            node->capacity = 0;
        }
    }
    node->class = 0;
    return node;
}

/* Makes the pods of the node its own, with room for one more. */
static void own_pods(struct simulated_cluster *simulation, struct simulated_node *node)
{
    enum { PODS_MORE = 4 };
    if (node->pod_count < node->capacity)
        return;
    const struct autoscaler_pod **pods =
        ARENA_ARRAY(simulation->arena, const struct autoscaler_pod *, node->pod_count + PODS_MORE);
    if (node->pod_count > 0)
        memcpy(pods, node->pods, node->pod_count * sizeof(*pods));
    node->pods = pods;
    node->capacity = node->pod_count + PODS_MORE;
}

/* The config with a pod more or less, found once for each. */
static void change_config(struct simulated_cluster *simulation, struct simulated_node *node,
                          const struct autoscaler_pod *pod, bool more)
{
    const uint32_t words[] = {node->config, class_of(simulation, pod), more};
    const uint32_t move =
        words_intern(simulation->arena, &simulation->moves, words, sizeof(words) / sizeof(*words));
    if (move == simulation->moved.count)
        VEC_PUSH(simulation->arena, &simulation->moved, config_of(simulation, node));
    node->config = simulation->moved.items[move];
}

void simulation_add_pod(struct simulated_cluster *simulation, uint32_t position,
                        const struct autoscaler_pod *pod)
{
    struct simulated_node *node = write_node(simulation, position);
    own_pods(simulation, node);
    node->pods[node->pod_count++] = pod;
    change_config(simulation, node, pod, true);
    put_node(simulation, position, node);
}

void simulation_remove_pod(struct simulated_cluster *simulation, uint32_t position,
                           const struct autoscaler_pod *pod)
{
    struct simulated_node *node = write_node(simulation, position);
    own_pods(simulation, node);
    for (uint32_t i = 0; i < node->pod_count; i++)
        if (node->pods[i] == pod) {
            node->pods[i] = node->pods[--node->pod_count];
            change_config(simulation, node, pod, false);
            break;
        }
    put_node(simulation, position, node);
}

uint32_t simulation_find(struct simulated_cluster *simulation, const char *name)
{
    const uint32_t count =
        simulation->fork_count > 0 ? simulation->forks[0].count : simulation->count;
    for (; simulation->found_count < count; simulation->found_count++)
        map_put(&simulation->positions, simulation->nodes[simulation->found_count]->name)->value =
            (void *)((uintptr_t)simulation->found_count + 1);
    const void *found = map_get(&simulation->positions, name);
    return found ? (uint32_t)(uintptr_t)found - 1 : SIMULATION_NOWHERE;
}

void simulation_fork(struct simulated_cluster *simulation)
{
    if (simulation->fork_count == SIMULATION_FORKS_MOST)
        bug("the simulation is forked too often");
    simulation->forks[simulation->fork_count++] = (struct simulation_fork){
        simulation->count, simulation->changes.count, ++simulation->fork_serial};
}

void simulation_revert(struct simulated_cluster *simulation)
{
    const struct simulation_fork *fork = &simulation->forks[--simulation->fork_count];
    while (simulation->count > fork->count)
        discount_config(simulation, --simulation->count);
    while (simulation->changes.count > fork->changes) {
        const struct simulation_change *change =
            &simulation->changes.items[--simulation->changes.count];
        put_node(simulation, change->position, change->before);
    }
}

void simulation_commit(struct simulated_cluster *simulation)
{
    if (--simulation->fork_count == 0)
        simulation->changes.count = 0;
}

static void begin(struct simulated_cluster *simulation, const struct autoscaler_pod *pod,
                  struct view *view)
{
    *view = (struct view){.catalog = simulation->catalog,
                          .nodes = simulation->entries,
                          .node_count = simulation->entry_count};
    fit_begin(simulation->fit, view, class_of(simulation, pod));
}

static uint32_t entry_at(const struct simulated_cluster *simulation, uint32_t position)
{
    return simulation->entry_of.items[simulation->configs[position]] - 1;
}

struct verdict simulation_check(struct simulated_cluster *simulation,
                                const struct autoscaler_pod *pod, uint32_t position)
{
    struct view view;
    begin(simulation, pod, &view);
    return fit_examine(simulation->fit, entry_at(simulation, position));
}

static bool is_acceptable(const struct acceptable *acceptable, uint32_t position)
{
    return position >= acceptable->first &&
           (!acceptable->accepts || acceptable->accepts(acceptable->context, position));
}

/* The same for all nodes of one config, and asked once for them. */
static bool entry_fits(struct simulated_cluster *simulation, uint32_t entry)
{
    enum { NOT_KNOWN, FITS, FITS_NOT };
    const struct node_config *config =
        simulation->catalog->configs.items[simulation->entries[entry].config];
    if (simulation->answers[entry] == NOT_KNOWN)
        simulation->answers[entry] =
            !config->template->node->spec.unschedulable &&
                    fit_may_examine(simulation->fit, entry) &&
                    fit_examine(simulation->fit, entry).code == VERDICT_FEASIBLE
                ? FITS
                : FITS_NOT;
    return simulation->answers[entry] == FITS;
}

static bool is_fit(struct simulated_cluster *simulation, uint32_t position)
{
    return entry_fits(simulation, entry_at(simulation, position));
}

static bool accepts(struct simulated_cluster *simulation, const struct acceptable *acceptable,
                    uint32_t position)
{
    return is_acceptable(acceptable, position) && is_fit(simulation, position);
}

/* Are the nodes interchangeable? */
static bool are_alike(const struct simulated_cluster *simulation, uint32_t left, uint32_t right)
{
    const struct simulated_node *one = simulation->nodes[left];
    const struct simulated_node *other = simulation->nodes[right];
    return one->config == other->config && one->alike == other->alike &&
           one->upcoming == other->upcoming;
}

/* One of each kind of nodes that the pod may run on. */
static uint32_t fit_each(struct simulated_cluster *simulation, const struct acceptable *acceptable)
{
    uint32_t *found = ARENA_ARRAY(simulation->arena, uint32_t, simulation->count + 1);
    uint32_t count = 0;
    for (uint32_t position = acceptable->first; position < simulation->count; position++) {
        uint32_t k = 0;
        if (!accepts(simulation, acceptable, position))
            continue;
        while (k < count && !are_alike(simulation, found[k], position))
            k++;
        if (k == count)
            found[count++] = position;
    }
    return count > 0 ? found[orders_pick(simulation->mixes, count)] : SIMULATION_NOWHERE;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

void simulation_tell(const struct simulated_cluster *simulation, struct text *text)
{
    const char **nodes = ARENA_ARRAY(simulation->arena, const char *, simulation->count + 1);
    for (uint32_t i = 0; i < simulation->count; i++) {
        const struct simulated_node *node = simulation->nodes[i];
        nodes[i] =
            arena_printf(simulation->arena, "%u %u %d,", node->alike, node->config, node->upcoming);
    }
    qsort(nodes, simulation->count, sizeof(*nodes), compare_texts);
    for (uint32_t i = 0; i < simulation->count; i++)
        text_append_string(text, nodes[i]);
}

/* Any of the nodes that the pod may run on. */
static uint32_t fit_any_mixed(struct simulated_cluster *simulation,
                              const struct acceptable *acceptable)
{
    uint32_t found = SIMULATION_NOWHERE;
    uint32_t count = 0;
    for (uint32_t position = acceptable->first; position < simulation->count; position++)
        if (accepts(simulation, acceptable, position) &&
            orders_pick(simulation->mixes, ++count) == 0)
            found = position;
    return found;
}

/* Where there are many nodes of few kinds: is there no node, or a single one, that the pod may run
 * on? Then no node has to be looked at. */
static bool none_or_one_fits(struct simulated_cluster *simulation, uint32_t *found)
{
    enum { NODES_OF_AN_ENTRY = 4 };
    uint32_t count = 0;
    *found = SIMULATION_NOWHERE;
    if (simulation->entry_count * NODES_OF_AN_ENTRY > simulation->count)
        return false;
    for (uint32_t entry = 0; entry < simulation->entry_count; entry++) {
        if (!entry_fits(simulation, entry))
            continue;
        const uint32_t config = simulation->entries[entry].config;
        count += simulation->entries[entry].count;
        *found = simulation->last_of.items[config];
        if (count > 1 || *found >= simulation->count || simulation->configs[*found] != config)
            return false;
    }
    return true;
}

/* The first from the index on. */
static uint32_t fit_in_turn(struct simulated_cluster *simulation,
                            const struct acceptable *acceptable)
{
    const uint32_t count = simulation->count;
    uint32_t position = *simulation->index % count;
    for (uint32_t left = count; left > 0; left--) {
        if (is_acceptable(acceptable, position) && is_fit(simulation, position))
            return position;
        position = position + 1 == count ? 0 : position + 1;
        if (position < acceptable->first) {
            const uint32_t skipped = acceptable->first - position;
            left = left > skipped ? left - skipped : 1;
            position = acceptable->first;
        }
    }
    return SIMULATION_NOWHERE;
}

uint32_t simulation_fit_any(struct simulated_cluster *simulation, const struct autoscaler_pod *pod,
                            const struct acceptable *acceptable)
{
    struct view view;
    uint32_t found;
    if (acceptable->first >= simulation->count)
        return SIMULATION_NOWHERE;
    begin(simulation, pod, &view);
    if (simulation->fit->refused)
        return SIMULATION_NOWHERE;
    memset(simulation->answers, 0, simulation->entry_count);
    if (simulation->mixes && simulation->mixes->choices)
        return fit_each(simulation, acceptable);
    if (simulation->mixes)
        return fit_any_mixed(simulation, acceptable);
    if (none_or_one_fits(simulation, &found))
        found = found != SIMULATION_NOWHERE && is_acceptable(acceptable, found)
                    ? found
                    : SIMULATION_NOWHERE;
    else
        found = fit_in_turn(simulation, acceptable);
    if (found != SIMULATION_NOWHERE)
        *simulation->index = (found + 1) % simulation->count;
    return found;
}
