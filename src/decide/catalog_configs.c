/* SPDX-License-Identifier: Apache-2.0 */
/* Node configs: a template and the pods that are on it, wait for it or are
 * nominated to it. Equal ones have one number, and their order does not depend
 * on the order in which they were found. */
#include "base/hash.h"
#include "decide/view.h"

#include <stdlib.h>
#include <string.h>

static int compare_pod_counts(const void *left, const void *right)
{
    uint32_t a = ((const struct pod_count *)left)->pod;
    uint32_t b = ((const struct pod_count *)right)->pod;
    return (a > b) - (a < b);
}

/* Sorts by class, adds up equal classes and drops empty entries; in place. */
static uint32_t normalise_counts(struct pod_count *counts, uint32_t count)
{
    if (count > 1)
        qsort(counts, count, sizeof(*counts), compare_pod_counts);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (counts[i].count == 0)
            continue;
        if (kept > 0 && counts[kept - 1].pod == counts[i].pod)
            counts[kept - 1].count += counts[i].count;
        else
            counts[kept++] = counts[i];
    }
    return kept;
}

/* How many entries each list of a config has; the lists lie behind one another. */
struct list_sizes {
    uint32_t pods, waiting, nominated;
};

static uint32_t total_size(struct list_sizes sizes)
{
    return sizes.pods + sizes.nominated + sizes.waiting;
}

static uint64_t config_hash(uint32_t template, const struct pod_count *counts,
                            struct list_sizes sizes)
{
    uint64_t seed = hash_word(((uint64_t) template << 32) ^ sizes.pods);
    return hash_bytes_seeded(counts, total_size(sizes) * sizeof(*counts), seed);
}

static bool config_equals(const struct node_config *config, uint32_t template,
                          const struct pod_count *counts, struct list_sizes sizes)
{
    return config->template->id == template && config->pod_entry_count == sizes.pods &&
           config->nominated_entry_count == sizes.nominated &&
           config->waiting_entry_count == sizes.waiting &&
           memcmp(config->pods, counts, total_size(sizes) * sizeof(*counts)) == 0;
}

static void grow_config_slots(struct catalog *catalog)
{
    uint32_t slot_count = catalog->config_slot_count * 2;
    uint32_t *slots = ARENA_ARRAY(catalog->arena, uint32_t, slot_count);
    for (uint32_t i = 0; i < catalog->configs.count; i++) {
        const struct node_config *config = catalog->configs.items[i];
        if (!config)
            continue;
        uint64_t hash =
            config_hash(config->template->id, config->pods,
                        (struct list_sizes){config->pod_entry_count, config->waiting_entry_count,
                                            config->nominated_entry_count});
        uint32_t slot = (uint32_t)hash & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = i + 1;
    }
    catalog->config_slots = slots;
    catalog->config_slot_count = slot_count;
}

/* A number that orders nearly all pairs of configs; equal numbers need a comparison
 * of the contents. */
static uint64_t config_rank(const struct node_config *config, uint64_t hash)
{
    const uint64_t most = UINT16_MAX;
    const uint64_t template = config->template->id < most ? config->template->id : most;
    const uint64_t pods = config->pod_count < most ? config->pod_count : most;
    return template << 48 | pods << 32 | hash >> 32;
}

static uint32_t entry_count(const struct node_config *config)
{
    return config->pod_entry_count + config->waiting_entry_count + config->nominated_entry_count;
}

bool catalog_config_content_before(const struct catalog *catalog, uint32_t left, uint32_t right)
{
    const struct node_config *a = catalog->configs.items[left];
    const struct node_config *b = catalog->configs.items[right];
    const uint32_t heads[][2] = {
        {a->template->id, b->template->id},
        {a->pod_entry_count, b->pod_entry_count},
        {a->waiting_entry_count, b->waiting_entry_count},
        {a->nominated_entry_count, b->nominated_entry_count},
    };
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        if (heads[i][0] != heads[i][1])
            return heads[i][0] < heads[i][1];
    for (uint32_t i = 0; i < entry_count(a); i++) {
        if (a->pods[i].pod != b->pods[i].pod)
            return a->pods[i].pod < b->pods[i].pod;
        if (a->pods[i].count != b->pods[i].count)
            return a->pods[i].count < b->pods[i].count;
    }
    return false;
}

static void put_config(struct catalog *catalog, struct node_config *config, uint64_t hash)
{
    config->id = catalog->number_config ? catalog->number_config(catalog->number_context, config)
                                        : catalog->configs.count;
    while (catalog->configs.count <= config->id) {
        VEC_PUSH(catalog->arena, &catalog->configs, NULL);
        VEC_PUSH(catalog->arena, &catalog->config_ranks, 0);
    }
    catalog->configs.items[config->id] = config;
    catalog->config_ranks.items[config->id] = config_rank(config, hash);
}

static uint32_t add_config(struct catalog *catalog, uint32_t template, struct pod_count *counts,
                           struct list_sizes sizes, uint64_t hash)
{
    struct node_config *config = ARENA_NEW(catalog->arena, struct node_config);
    config->template = catalog->templates.items[template];
    config->pods = counts;
    config->pod_entry_count = sizes.pods;
    config->waiting = counts + sizes.pods;
    config->waiting_entry_count = sizes.waiting;
    config->nominated = config->waiting + sizes.waiting;
    config->nominated_entry_count = sizes.nominated;
    for (uint32_t i = 0; i < sizes.pods; i++)
        config->pod_count += counts[i].count;
    put_config(catalog, config, hash);
    return config->id;
}

uint32_t catalog_intern_config(struct catalog *catalog, uint32_t template,
                               const struct pod_count *pods, uint32_t pod_entry_count,
                               const struct pod_count *nominated, uint32_t nominated_entry_count)
{
    return catalog_intern_config_waiting(catalog, template, pods, pod_entry_count, nominated,
                                         nominated_entry_count, NULL, 0);
}

static uint32_t append_counts(struct pod_count *counts, const struct pod_count *added,
                              uint32_t count)
{
    if (count > 0)
        memcpy(counts, added, count * sizeof(*counts));
    return normalise_counts(counts, count);
}

uint32_t catalog_intern_config_waiting(struct catalog *catalog, uint32_t template,
                                       const struct pod_count *pods, uint32_t pod_entry_count,
                                       const struct pod_count *nominated,
                                       uint32_t nominated_entry_count,
                                       const struct pod_count *waiting,
                                       uint32_t waiting_entry_count)
{
    struct arena_mark mark = arena_mark(catalog->arena);
    struct list_sizes sizes = {pod_entry_count, waiting_entry_count, nominated_entry_count};
    struct pod_count *counts = ARENA_ARRAY(catalog->arena, struct pod_count, total_size(sizes) + 1);
    sizes.pods = append_counts(counts, pods, pod_entry_count);
    sizes.waiting = append_counts(counts + sizes.pods, waiting, waiting_entry_count);
    sizes.nominated =
        append_counts(counts + sizes.pods + sizes.waiting, nominated, nominated_entry_count);

    uint64_t hash = config_hash(template, counts, sizes);
    uint32_t slot = (uint32_t)hash & (catalog->config_slot_count - 1);
    while (catalog->config_slots[slot]) {
        uint32_t number = catalog->config_slots[slot] - 1;
        if (config_equals(catalog->configs.items[number], template, counts, sizes)) {
            arena_rewind(catalog->arena, mark);
            return number;
        }
        slot = (slot + 1) & (catalog->config_slot_count - 1);
    }
    uint32_t number = add_config(catalog, template, counts, sizes, hash);
    catalog->config_slots[slot] = number + 1;
    if (catalog->configs.count * 2 > catalog->config_slot_count)
        grow_config_slots(catalog);
    return number;
}
