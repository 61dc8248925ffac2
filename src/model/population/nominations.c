/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nominations: a pod that preempted others waits for their place, and the
 * scheduler keeps it for the pod. They belong to configs of nodes, beside the
 * pods; whoever looks at pods does not see them.
 */
#include "model/population/population_internal.h"

uint32_t config_nominations(const struct population *population, uint32_t config, uint32_t class)
{
    const struct node_config *node = population->catalog->configs.items[config];
    for (uint32_t i = 0; i < node->nominated_entry_count; i++)
        if (node->nominated[i].pod == class)
            return node->nominated[i].count;
    return 0;
}

uint32_t config_nominate(struct population *population, uint32_t config, uint32_t class, bool add)
{
    const struct node_config *old = population->catalog->configs.items[config];
    const struct arena_mark mark = arena_mark(&population->scratch);
    struct pod_count *nominated =
        ARENA_ARRAY(&population->scratch, struct pod_count, old->nominated_entry_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < old->nominated_entry_count; i++) {
        struct pod_count entry = old->nominated[i];
        if (entry.pod == class && !add)
            entry.count--;
        if (entry.count > 0)
            nominated[count++] = entry;
    }
    if (add)
        nominated[count++] = (struct pod_count){class, 1};
    const uint32_t result = catalog_intern_config_waiting(
        population->catalog, old->template->id, old->pods, old->pod_entry_count, nominated, count,
        old->waiting, old->waiting_entry_count);
    arena_rewind(&population->scratch, mark);
    population->nominates = true;
    return result;
}

static void trim(struct population *population, struct population_state *state, uint32_t revision)
{
    const uint32_t class = population->revisions.items[revision].pending_class;
    uint32_t total = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        total +=
            config_nominations(population, state->nodes[n].config, class) * state->nodes[n].count;
    for (uint32_t n = 0; total > state->pending[revision];) {
        const uint32_t config = state->nodes[n].config;
        if (state->nodes[n].count == 0 || config_nominations(population, config, class) == 0) {
            n++;
            continue;
        }
        state_move_node(population, state, n, config_nominate(population, config, class, false));
        total--;
    }
}

/* The same for pods that wait for the very node that they are nominated to. */
static uint32_t trim_config(struct population *population, uint32_t number)
{
    const struct node_config *config = population->catalog->configs.items[number];
    for (uint32_t i = 0; i < config->nominated_entry_count; i++) {
        const uint32_t class = config->nominated[i].pod;
        uint32_t waiting = 0;
        for (uint32_t w = 0; w < config->waiting_entry_count; w++)
            waiting += config->waiting[w].pod == class ? config->waiting[w].count : 0;
        if (population->classes.items[class].stage == STAGE_WAITING &&
            config->nominated[i].count > waiting)
            return trim_config(population, config_nominate(population, number, class, false));
    }
    return number;
}

void state_trim_nominations(struct population *population, struct population_state *state)
{
    if (!population->nominates)
        return;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        trim(population, state, r);
    for (uint32_t n = 0; population->has_daemon_sets && n < state->node_count; n++)
        state->nodes[n].config = trim_config(population, state->nodes[n].config);
}
