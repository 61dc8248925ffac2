/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the scheduler would put a pod follows from what it sees of the nodes, and
 * many states differ in other things: how many pods wait, which of those on a node
 * have started, what the autoscaler said last. The best entries of a view are kept
 * in a cache, so that they are not worked out again. A newer answer takes the place
 * of an older one in its slot; where that happens often, the cache gets larger.
 *
 * Two configs look alike to the scheduler if the nodes are alike, hold as many
 * pods of every shape, terminating ones apart, and places are kept on them for the
 * same pods. All that look alike go by the first of them that was met.
 */
#include "cluster/ask/known_placements.h"
#include "cluster/state/configs.h"
#include "cluster/state/worker.h"

#include <string.h>

enum { PLACEMENT_ENTRIES_MOST = 12, SLOT_BITS_LEAST = 6, SLOT_BITS_MOST = 14 };

static const uint64_t ODD = UINT64_C(0x9e3779b97f4a7c15);

struct known_placement {
    uint32_t class; /* plus one; 0: the slot is free */
    uint32_t node_count;
    uint32_t best;                                  /* a bit for each entry */
    struct view_node nodes[PLACEMENT_ENTRIES_MOST]; /* configs as they look */
};

struct known_placements {
    struct known_placement *slots;
    uint32_t bits;
    uint32_t replaced;
    VEC(uint32_t) looks;  /* by config: the first that looks like it, plus one; 0: unknown */
    uint32_t *firsts;     /* open addressing: those, plus one */
    uint32_t first_slots; /* a power of two */
    uint32_t first_count;
};

/* The pods of the config that are the same to the scheduler as this one. */
static uint32_t count_alike(const struct catalog *catalog, const struct node_config *config,
                            const struct pod_class *pod)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < config->pod_entry_count; i++) {
        const struct pod_class *other = catalog->pods.items[config->pods[i].pod];
        if (other->shape == pod->shape && other->terminating == pod->terminating)
            count += config->pods[i].count;
    }
    return count;
}

static bool look_alike(const struct catalog *catalog, const struct node_config *a,
                       const struct node_config *b)
{
    if (a->template != b->template || a->pod_count != b->pod_count ||
        a->nominated_entry_count != b->nominated_entry_count ||
        (a->nominated_entry_count > 0 &&
         memcmp(a->nominated, b->nominated, a->nominated_entry_count * sizeof(*a->nominated)) != 0))
        return false;
    /* As many pods in all, so it is enough to look at the kinds of pods of one. */
    for (uint32_t i = 0; i < a->pod_entry_count; i++) {
        const struct pod_class *pod = catalog->pods.items[a->pods[i].pod];
        if (count_alike(catalog, a, pod) != count_alike(catalog, b, pod))
            return false;
    }
    return true;
}

static uint64_t hash_of_look(const struct catalog *catalog, const struct node_config *config)
{
    uint64_t hash = (uint64_t)config->template->id << 32 | config->pod_count;
    for (uint32_t i = 0; i < config->pod_entry_count; i++) {
        const struct pod_class *pod = catalog->pods.items[config->pods[i].pod];
        /* A sum, so that it does not matter how the pods are split into classes. */
        hash +=
            ((2 * (uint64_t)pod->shape->id + pod->terminating + 1) * ODD) * config->pods[i].count;
    }
    return hash * ODD;
}

static uint32_t *first_slot(const struct known_placements *known, const struct catalog *catalog,
                            const struct node_config *config)
{
    for (uint32_t at = (uint32_t)(hash_of_look(catalog, config) >> 32);; at++) {
        uint32_t *first = &known->firsts[at & (known->first_slots - 1)];
        if (*first == 0 || look_alike(catalog, catalog->configs.items[*first - 1], config))
            return first;
    }
}

static void grow_firsts(struct worker *worker, struct known_placements *known)
{
    const uint32_t *old = known->firsts;
    const uint32_t old_slots = known->first_slots;
    known->first_slots = old_slots == 0 ? 64 : 2 * old_slots;
    known->firsts = ARENA_ARRAY(&worker->arena, uint32_t, known->first_slots);
    for (uint32_t i = 0; i < old_slots; i++)
        if (old[i] != 0)
            *first_slot(known, worker->catalog, config_at(worker, old[i] - 1)) = old[i];
}

static uint32_t look_of(struct worker *worker, struct known_placements *known, uint32_t config)
{
    if (config < known->looks.count && known->looks.items[config] != 0)
        return known->looks.items[config] - 1;
    while (known->looks.count <= config)
        VEC_PUSH(&worker->arena, &known->looks, 0);
    if (2 * known->first_count >= known->first_slots)
        grow_firsts(worker, known);
    uint32_t *first = first_slot(known, worker->catalog, config_at(worker, config));
    if (*first == 0) {
        known->first_count++;
        *first = config + 1;
    }
    known->looks.items[config] = *first;
    return *first - 1;
}

/* There are many small populations: only what marks a slot as free is touched. */
static void make_slots(struct arena *arena, struct known_placements *known, uint32_t bits)
{
    const uint32_t count = 1U << bits;
    known->slots = arena_allocate_raw(arena, count * sizeof(*known->slots), 16);
    known->bits = bits;
    known->replaced = 0;
    for (uint32_t i = 0; i < count; i++)
        known->slots[i].class = 0;
}

/* The slot for this question, which may hold the answer to another one; `asked` is
 * filled with the question. */
static struct known_placement *slot_of(struct worker *worker, const struct view *view,
                                       uint32_t class, struct known_placement *asked)
{
    struct known_placements *known = worker->known_placements;
    uint64_t hash = class * ODD;
    asked->class = class + 1;
    asked->node_count = view->node_count;
    for (uint32_t n = 0; n < view->node_count; n++) {
        const struct view_node *node = &view->nodes[n];
        const uint32_t look = look_of(worker, known, node->config);
        asked->nodes[n] = (struct view_node){.config = look, .count = node->count};
        hash = (hash ^ (look | (uint64_t)node->count << 32)) * ODD;
        hash ^= hash >> 32;
    }
    return &known->slots[(hash * ODD) >> (64 - known->bits)];
}

bool placement_is_known(struct worker *worker, const struct view *view, uint32_t class,
                        uint32_t *best)
{
    if (view->node_count > PLACEMENT_ENTRIES_MOST)
        return false;
    if (!worker->known_placements) {
        worker->known_placements = ARENA_NEW(&worker->arena, struct known_placements);
        make_slots(&worker->arena, worker->known_placements, SLOT_BITS_LEAST);
    }
    struct known_placement asked;
    const struct known_placement *slot = slot_of(worker, view, class, &asked);
    if (slot->class != asked.class || slot->node_count != asked.node_count ||
        memcmp(slot->nodes, asked.nodes, asked.node_count * sizeof(*asked.nodes)) != 0)
        return false;
    *best = slot->best;
    return true;
}

void placement_remember(struct worker *worker, const struct view *view, uint32_t class,
                        const uint32_t *entries, uint32_t count)
{
    if (view->node_count > PLACEMENT_ENTRIES_MOST)
        return;
    struct known_placements *known = worker->known_placements;
    if (known->replaced > 1U << known->bits && known->bits < SLOT_BITS_MOST)
        make_slots(&worker->arena, known, known->bits + 2);
    struct known_placement asked;
    struct known_placement *slot = slot_of(worker, view, class, &asked);
    known->replaced += slot->class != 0;
    slot->class = asked.class;
    slot->node_count = asked.node_count;
    memcpy(slot->nodes, asked.nodes, asked.node_count * sizeof(*asked.nodes));
    slot->best = 0;
    for (uint32_t e = 0; e < count; e++)
        slot->best |= 1U << entries[e];
}
