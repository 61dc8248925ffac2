/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the scheduler would put a pod follows from what it sees of the nodes, and
 * many states differ in other things: how many pods wait, which of those on a node
 * have started, what the autoscaler said last. The best entries of a view are kept
 * in a cache, so that they are not worked out again. A newer answer takes the place
 * of an older one in its slot; where that happens often, the cache gets larger.
 *
 * Two configs look alike to the scheduler if the nodes are alike, have the same
 * number of pods of every shape, counted separately for terminating ones, and
 * places are kept on them for the same pods. All that look alike have one number.
 */
#include "cluster/ask/known_placements.h"
#include "base/word_lists.h"
#include "cluster/state/configs.h"
#include "cluster/state/worker.h"
#include "decide/node_reads.h"

#include <string.h>

enum { PLACEMENT_ENTRIES_MOST = 12, SLOT_BITS_LEAST = 6, SLOT_BITS_MOST = 14 };

static const uint64_t ODD = UINT64_C(0x9e3779b97f4a7c15);

struct known_placement {
    uint32_t class; /* plus one; 0: the slot is free */
    uint32_t node_count;
    uint32_t best; /* a bit for each entry */
    struct placement_facts facts;
    struct view_node nodes[PLACEMENT_ENTRIES_MOST]; /* the looks of configs */
};

struct known_placements {
    struct known_placement *slots;
    uint32_t bits;
    uint32_t replaced;
    VEC(uint32_t) looks;          /* by config: the number of its look, plus one; 0: unknown */
    struct word_lists look_words; /* what each look is */
};

/* Adds pods to those that are the same to the scheduler; these are sorted by what they are. */
static void add_alike(struct pod_count *alike, uint32_t *count, struct pod_count added)
{
    uint32_t at = *count;
    while (at > 0 && alike[at - 1].pod > added.pod)
        at--;
    if (at > 0 && alike[at - 1].pod == added.pod) {
        alike[at - 1].count += added.count;
        return;
    }
    memmove(alike + at + 1, alike + at, (*count - at) * sizeof(*alike));
    alike[at] = added;
    ++*count;
}

/* A look in words: the template, how many entries of nominated pods, these, and the pods. */
static uint32_t number_look(struct worker *worker, struct known_placements *known,
                            const struct node_config *config)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const uint32_t nominated = config->nominated_entry_count;
    struct pod_count *look = ARENA_ARRAY(&worker->scratch, struct pod_count,
                                         (size_t)1 + nominated + config->pod_entry_count);
    uint32_t count = 0;
    look[0] = (struct pod_count){config->template->id, nominated};
    if (nominated > 0)
        memcpy(look + 1, config->nominated, nominated * sizeof(*look));
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const struct pod_class *pod = worker->catalog->pods.items[config->pods[p].pod];
        add_alike(look + 1 + nominated, &count,
                  (struct pod_count){2 * pod->shape->id + pod->terminating, config->pods[p].count});
    }
    const uint32_t number = words_intern(&worker->arena, &known->look_words, (uint32_t *)look,
                                         2 * (1 + nominated + count));
    arena_rewind(&worker->scratch, mark);
    return number;
}

static uint32_t look_of(struct worker *worker, struct known_placements *known, uint32_t config)
{
    while (known->looks.count <= config)
        VEC_PUSH(&worker->arena, &known->looks, 0);
    if (known->looks.items[config] == 0)
        known->looks.items[config] = 1 + number_look(worker, known, config_at(worker, config));
    return known->looks.items[config] - 1;
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

/* The look as it is asked for. While reads of numbers of nodes are noted (decide/node_reads.h),
 * nodes of which there may be any number are told apart from others that look alike. */
static uint32_t look_asked(struct worker *worker, struct known_placements *known, uint32_t config)
{
    const struct node_reads *reads = worker->catalog->node_reads;
    const uint32_t look = look_of(worker, known, config);
    return reads ? look << 1 | (node_reads_group(reads, config) != 0) : look;
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
        const uint32_t look = look_asked(worker, known, view->nodes[n].config);
        asked->nodes[n] = (struct view_node){.config = look, .count = view->nodes[n].count};
        hash = (hash ^ (look | (uint64_t)view->nodes[n].count << 32)) * ODD;
        hash ^= hash >> 32;
    }
    return &known->slots[(hash * ODD) >> (64 - known->bits)];
}

bool placement_is_known(struct worker *worker, const struct view *view, uint32_t class,
                        uint32_t *best, enum crowding *crowding)
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
    *crowding = slot->facts.crowding;
    worker->findings.images_could_decide |= slot->facts.images_could_decide;
    return true;
}

void placement_remember(struct worker *worker, const struct view *view, uint32_t class,
                        const uint32_t *entries, uint32_t count, struct placement_facts facts)
{
    if (view->node_count > PLACEMENT_ENTRIES_MOST)
        return;
    struct known_placements *known = worker->known_placements;
    if (known->replaced > 1U << known->bits && known->bits < SLOT_BITS_MOST)
        make_slots(&worker->arena, known, known->bits + 2);
    struct known_placement asked;
    struct known_placement *slot = slot_of(worker, view, class, &asked);
    known->replaced += slot->class != 0;
    asked.best = 0;
    asked.facts = facts;
    for (uint32_t e = 0; e < count; e++)
        asked.best |= 1U << entries[e];
    *slot = asked;
}
