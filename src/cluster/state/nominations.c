/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nominations: a pod that preempted others waits for their place, and the
 * scheduler keeps it for the pod. They belong to configs of nodes, beside the
 * pods, and are not among the config's pods.
 */
#include "cluster/state/nominations.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

uint32_t config_nominations(struct worker *worker, uint32_t config, uint32_t class)
{
    const struct node_config *node = config_at(worker, config);
    for (uint32_t i = 0; i < node->nominated_entry_count; i++)
        if (node->nominated[i].pod == class)
            return node->nominated[i].count;
    return 0;
}

uint32_t config_nominate(struct worker *worker, uint32_t config, uint32_t class, bool add)
{
    const struct node_config *old = config_at(worker, config);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct pod_count *nominated =
        ARENA_ARRAY(&worker->scratch, struct pod_count, old->nominated_entry_count + 1);
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
        worker->catalog, old->template->id, old->pods, old->pod_entry_count, nominated, count,
        old->waiting, old->waiting_entry_count);
    arena_rewind(&worker->scratch, mark);
    worker->nominates = true;
    return result;
}

uint32_t config_without_nominations(struct worker *worker, uint32_t config)
{
    while (config_at(worker, config)->nominated_entry_count > 0)
        config =
            config_nominate(worker, config, config_at(worker, config)->nominated[0].pod, false);
    return config;
}

struct dropping {
    struct worker *worker;
    uint32_t class;
    uint32_t entry_count;
    void (*visit)(void *context, struct state *state);
    void *context;
};

/* Takes `left` nominations from the nodes of the entries from this one on, in every way that
 * differs. Of the entry, `untouched` nodes still have all of theirs; each loses at most `each`. */
static void drop(const struct dropping *dropping, struct state *state, uint32_t entry,
                 uint32_t each, uint32_t untouched, uint32_t left)
{
    struct worker *worker = dropping->worker;
    if (left == 0) {
        dropping->visit(dropping->context, state_copy(worker, state));
        return;
    }
    if (untouched == 0 || each == 0) {
        if (++entry < dropping->entry_count)
            drop(dropping, state, entry,
                 config_nominations(worker, state->nodes[entry].config, dropping->class),
                 state->nodes[entry].count, left);
        return;
    }
    for (uint32_t amount = 0; amount <= each && amount <= left; amount++) {
        struct state *next = state_copy(worker, state);
        uint32_t config = next->nodes[entry].config;
        for (uint32_t i = 0; i < amount; i++)
            config = config_nominate(worker, config, dropping->class, false);
        if (amount > 0)
            state_move_node(worker, next, entry, config);
        drop(dropping, next, entry, amount, untouched - 1, left - amount);
    }
}

void state_each_loss(struct worker *worker, struct state *state, uint32_t revision,
                     uint32_t deleted, void (*visit)(void *context, struct state *state),
                     void *context)
{
    const uint32_t class = worker->population->revisions.items[revision].pending_class;
    const uint32_t total =
        worker->nominates && deleted > 0 ? state_nominations(worker, state, class) : 0;
    const uint32_t left = state->pending[revision];
    if (total == 0 || state->node_count == 0) {
        visit(context, state);
        return;
    }
    const struct dropping dropping = {worker, class, state->node_count, visit, context};
    for (uint32_t lost = total > left ? total - left : 0; lost <= total && lost <= deleted; lost++)
        drop(&dropping, state, 0, config_nominations(worker, state->nodes[0].config, class),
             state->nodes[0].count, lost);
}

static void trim(struct worker *worker, struct state *state, uint32_t revision)
{
    const uint32_t class = worker->population->revisions.items[revision].pending_class;
    uint32_t total = state_nominations(worker, state, class);
    for (uint32_t n = 0; total > state->pending[revision];) {
        const uint32_t config = state->nodes[n].config;
        if (state->nodes[n].count > 0 && config_nominations(worker, config, class) > 0) {
            state_move_node(worker, state, n, config_nominate(worker, config, class, false));
            total--;
        } else {
            n++;
        }
    }
}

/* The same for pods that wait for the very node that they are nominated to. */
static uint32_t trim_config(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    for (uint32_t i = 0; i < config->nominated_entry_count; i++) {
        const uint32_t class = config->nominated[i].pod;
        uint32_t waiting = 0;
        for (uint32_t w = 0; w < config->waiting_entry_count; w++)
            waiting += config->waiting[w].pod == class ? config->waiting[w].count : 0;
        if (class_info(worker, class)->stage == STAGE_WAITING &&
            config->nominated[i].count > waiting)
            return trim_config(worker, config_nominate(worker, number, class, false));
    }
    return number;
}

void state_trim_nominations(struct worker *worker, struct state *state)
{
    if (!worker->nominates)
        return;
    for (uint32_t r = 0; r < worker->population->revisions.count; r++)
        trim(worker, state, r);
    for (uint32_t n = 0; worker->population->has_daemon_sets && n < state->node_count; n++)
        state->nodes[n].config = trim_config(worker, state->nodes[n].config);
}
