/* SPDX-License-Identifier: Apache-2.0 */
/* Labels are few (classes times combinations of marks), so a list with a linear
 * search behind a small cache per thread is enough; the cache is hit nearly
 * always. */
#include "explore/edges.h"

#include <string.h>

/* Of a thread's cache. Many searches are small, so it begins small. */
enum { BITS_FIRST = 6, BITS_MOST = 10, BITS_STEP = 2 };

bool edges_init(struct edges *edges, struct memory *memory, uint32_t log_count)
{
    *edges = (struct edges){.memory = memory, .log_count = log_count};
    pthread_mutex_init(&edges->mutex, NULL);
    region_init_spilling(&edges->begins, memory);
    region_init(&edges->labels, memory);
    edges->logs = memory_try_allocate_zeroed(memory, log_count * sizeof(struct edge_log *));
    if (!edges->logs || !region_reserve_next(&edges->labels, 0, sizeof(struct edge_label)))
        return false;
    *(struct edge_label *)edges->labels.base = (struct edge_label){.fairness = FAIRNESS_OPTIONAL};
    edges->label_count = 1;
    return true;
}

void edges_release(struct edges *edges)
{
    if (!edges->memory)
        return;
    region_release(&edges->begins);
    region_release(&edges->labels);
    memory_release(edges->memory, edges->logs, edges->log_count * sizeof(struct edge_log *));
    pthread_mutex_destroy(&edges->mutex);
    *edges = (struct edges){0};
}

uint64_t edges_count(const struct edges *edges)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < edges->log_count; i++)
        count += edges->logs[i]->count;
    return count;
}

uint64_t edges_bytes(const struct edges *edges)
{
    uint64_t bytes = edges->begins.bytes + edges->labels.bytes;
    for (uint32_t i = 0; i < edges->log_count; i++)
        bytes += edges->logs[i]->targets.bytes + edges->logs[i]->labels.bytes;
    return bytes;
}

void edge_log_init(struct edge_log *log, struct memory *memory)
{
    region_init_spilling(&log->targets, memory);
    region_init_spilling(&log->labels, memory);
    log->count = 0;
}

void edge_log_release(struct edge_log *log)
{
    region_release(&log->targets);
    region_release(&log->labels);
}

bool edge_log_push(struct edge_log *log, uint32_t target, uint16_t label)
{
    if (!region_reserve_next(&log->targets, log->count, sizeof(uint32_t)) ||
        !region_reserve_next(&log->labels, log->count, sizeof(uint16_t)))
        return false;
    ((uint32_t *)log->targets.base)[log->count] = target;
    ((uint16_t *)log->labels.base)[log->count] = label;
    log->count++;
    return true;
}

static bool label_is(const struct edge_label *label, uint32_t fairness, uint64_t marks)
{
    return label->fairness == fairness && label->marks == marks;
}

static uint16_t label_number(struct edges *edges, uint32_t fairness, uint64_t marks)
{
    struct edge_label *labels = edges->labels.base;
    for (uint32_t i = 1; i < edges->label_count; i++) {
        if (label_is(&labels[i], fairness, marks))
            return (uint16_t)i;
    }
    if (edges->label_count == LABELS_MOST ||
        !region_reserve_next(&edges->labels, edges->label_count, sizeof(struct edge_label)))
        return UINT16_MAX;
    labels = edges->labels.base;
    labels[edges->label_count] = (struct edge_label){fairness, marks};
    return (uint16_t)edges->label_count++;
}

void labels_known_release(const struct labels_known *known, struct memory *memory)
{
    memory_release(memory, known->entries, sizeof(*known->entries) << known->bits);
}

bool labels_known_enlarge(struct labels_known *known, struct memory *memory)
{
    const uint32_t bits = known->entries ? known->bits + BITS_STEP : BITS_FIRST;
    struct label_known *entries =
        memory_try_allocate_zeroed(memory, sizeof(*known->entries) << bits);
    known->replaced = 0;
    if (!entries)
        return false;
    labels_known_release(known, memory);
    known->entries = entries;
    known->bits = bits;
    return true;
}

static struct label_known *entry_of(const struct labels_known *known, uint32_t fairness,
                                    uint64_t marks)
{
    const uint64_t mixed = (fairness + marks) * UINT64_C(0x9e3779b97f4a7c15);
    return &known->entries[mixed >> (64 - known->bits)];
}

uint16_t edges_label(struct edges *edges, struct labels_known *known, uint32_t fairness,
                     uint64_t marks)
{
    const struct label_known *entry = entry_of(known, fairness, marks);
    if (entry->number_plus_one != 0 && label_is(&entry->label, fairness, marks))
        return (uint16_t)(entry->number_plus_one - 1);
    pthread_mutex_lock(&edges->mutex);
    const uint16_t number = label_number(edges, fairness, marks);
    pthread_mutex_unlock(&edges->mutex);
    known->replaced += entry->number_plus_one != 0;
    if (known->replaced >> known->bits > 0 && known->bits < BITS_MOST)
        labels_known_enlarge(known, edges->memory);
    if (number != UINT16_MAX)
        *entry_of(known, fairness, marks) =
            (struct label_known){{fairness, marks}, (uint32_t)number + 1};
    return number;
}

bool edges_rest(const struct edges *edges, uint32_t id)
{
    for (struct edge_walk edge = edges_of(edges, id); edge_next(&edge);) {
        const uint32_t fairness = edges_label_at(edges, edge.label)->fairness;
        if (fairness == FAIRNESS_NONE || fairness < edge_gate(MODEL_GATES_MOST - 1))
            return false;
    }
    return true;
}

void atom_packing_init(struct atom_packing *packing, uint64_t used)
{
    const int bits = __builtin_popcountll(used);
    packing->used = used;
    packing->bytes = bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

/* Gathers the used bits at the low end, and puts them back. */
static uint64_t pack_bits(uint64_t used, uint64_t atoms)
{
    uint64_t packed = 0;
    for (int at = 0; used != 0; used &= used - 1, at++)
        packed |= (atoms >> __builtin_ctzll(used) & 1) << at;
    return packed;
}

static uint64_t unpack_bits(uint64_t used, uint64_t packed)
{
    uint64_t atoms = 0;
    for (; used != 0; used &= used - 1, packed >>= 1)
        atoms |= (packed & 1) << __builtin_ctzll(used);
    return atoms;
}

void atoms_store(const struct atom_packing *packing, void *base, uint32_t id, uint64_t atoms)
{
    const uint64_t packed = pack_bits(packing->used, atoms);
    switch (packing->bytes) {
    case 1: ((uint8_t *)base)[id] = (uint8_t)packed; break;
    case 2: ((uint16_t *)base)[id] = (uint16_t)packed; break;
    case 4: ((uint32_t *)base)[id] = (uint32_t)packed; break;
    case 8: ((uint64_t *)base)[id] = packed; break;
    default: break;
    }
}

uint64_t atoms_load(const struct atom_packing *packing, const void *base, uint32_t id)
{
    switch (packing->bytes) {
    case 1: return unpack_bits(packing->used, ((const uint8_t *)base)[id]);
    case 2: return unpack_bits(packing->used, ((const uint16_t *)base)[id]);
    case 4: return unpack_bits(packing->used, ((const uint32_t *)base)[id]);
    case 8: return unpack_bits(packing->used, ((const uint64_t *)base)[id]);
    default: return 0;
    }
}
