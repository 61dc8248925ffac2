/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of expansions, group by group: what a group does follows from the words
 * that it reads or writes, and over a search these take far fewer values than
 * states do. Worth it for models whose steps are dear to compute.
 *
 * A record in the pool of a worker, in words:
 *
 *     group | key words ... | items | item, item, ...
 *     item:  kind, action, argument, fairness, marks (2), written words ...
 *
 * The table is direct-mapped; when the pool is full everything is forgotten.
 */
#include "explore/reduce.h"

#include "base/hash.h"

#include <string.h>

enum { TABLE_BITS = 12, POOL_WORDS = 1 << 18, ITEM_WORDS = 6 };
enum { ITEM_STEP, ITEM_ENABLED };

/* For each group the places of its key (read or written) and written words. */
struct group_places {
    uint32_t key_begin, key_count;
    uint32_t write_begin, write_count;
};

struct cache_data {
    struct model_groups groups; /* the same, with cached expansion */
    struct group_places *places;
    uint32_t *indices;
};

struct cache_worker {
    struct reduction_worker base;
    struct step_sink sink; /* records what one group emits and passes it on */
    struct step_sink *outer;
    const struct model *model;
    uint32_t group;
    uint32_t *pool;
    uint32_t pool_used;
    uint32_t record; /* being made; its item count is at record_items */
    uint32_t record_items;
    bool recording;
    uint32_t *next;  /* a successor */
    uint32_t *table; /* record + 1; 0: free */
};

static const struct cache_data *data_of(const struct model *model)
{
    return reduction_data(model);
}

static struct cache_worker *worker_of(struct step_sink *sink)
{
    return (struct cache_worker *)(void *)((char *)sink - offsetof(struct cache_worker, sink));
}

/* Appends an item to the record; a record that does not fit is given up. */
static uint32_t *new_item(struct cache_worker *worker, uint32_t kind, uint32_t writes)
{
    if (!worker->recording || worker->pool_used + ITEM_WORDS + writes > POOL_WORDS) {
        worker->recording = false;
        return NULL;
    }
    uint32_t *item = worker->pool + worker->pool_used;
    worker->pool_used += ITEM_WORDS + writes;
    worker->pool[worker->record_items]++;
    item[0] = kind;
    return item;
}

static bool cache_emit(struct step_sink *sink, const struct step *step)
{
    struct cache_worker *worker = worker_of(sink);
    const struct cache_data *data = data_of(worker->model);
    const struct group_places *places = &data->places[worker->group];
    uint32_t *item = new_item(worker, ITEM_STEP, places->write_count);
    if (item) {
        item[1] = step->action;
        item[2] = step->argument;
        item[3] = step->fairness;
        item[4] = (uint32_t)step->marks;
        item[5] = (uint32_t)(step->marks >> 32);
        for (uint32_t i = 0; i < places->write_count; i++)
            item[ITEM_WORDS + i] = step->words[data->indices[places->write_begin + i]];
    }
    return step_sink_emit(worker->outer, step);
}

static void cache_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct cache_worker *worker = worker_of(sink);
    uint32_t *item = new_item(worker, ITEM_ENABLED, 0);
    if (item)
        item[3] = fairness_class;
    step_sink_enable(worker->outer, fairness_class);
}

static void play(struct cache_worker *worker, const uint32_t *items, const uint32_t *words,
                 uint32_t length)
{
    const struct cache_data *data = data_of(worker->model);
    const struct group_places *places = &data->places[worker->group];
    uint32_t count = *items++;
    memcpy(worker->next, words, sizeof(uint32_t) * length);
    while (count-- > 0) {
        if (items[0] == ITEM_ENABLED) {
            step_sink_enable(worker->outer, items[3]);
            items += ITEM_WORDS;
            continue;
        }
        for (uint32_t i = 0; i < places->write_count; i++)
            worker->next[data->indices[places->write_begin + i]] = items[ITEM_WORDS + i];
        step_sink_emit(worker->outer, &(struct step){.words = worker->next,
                                                     .length = length,
                                                     .action = items[1],
                                                     .argument = items[2],
                                                     .fairness = items[3],
                                                     .marks = items[4] | (uint64_t)items[5] << 32});
        items += ITEM_WORDS + places->write_count;
    }
}

/* Begins a record for this group and state; gives where its items would be. */
static uint32_t begin_record(struct cache_worker *worker, const uint32_t *words)
{
    const struct cache_data *data = data_of(worker->model);
    const struct group_places *places = &data->places[worker->group];
    if (worker->pool_used + places->key_count + 2 > POOL_WORDS) {
        memset(worker->table, 0, sizeof(uint32_t) << TABLE_BITS);
        worker->pool_used = 0;
    }
    worker->record = worker->pool_used;
    uint32_t *at = worker->pool + worker->record;
    *at++ = worker->group;
    for (uint32_t i = 0; i < places->key_count; i++)
        *at++ = words[data->indices[places->key_begin + i]];
    *at = 0;
    worker->record_items = worker->record + places->key_count + 1;
    return worker->record_items;
}

static void cache_expand_group(const struct model *model, void *state, uint32_t group,
                               const uint32_t *words, uint32_t length, struct step_sink *sink)
{
    struct cache_worker *worker = state;
    const struct model *wrapped = model->wrapped;
    worker->outer = sink;
    worker->group = group;
    const uint32_t items = begin_record(worker, words);
    const uint32_t *record = worker->pool + worker->record;
    const size_t key_bytes = sizeof(uint32_t) * (items - worker->record);
    uint32_t *slot = &worker->table[hash_bytes(record, key_bytes) >> (64 - TABLE_BITS)];
    if (*slot != 0 && memcmp(worker->pool + *slot - 1, record, key_bytes) == 0) {
        play(worker, worker->pool + *slot - 1 + (items - worker->record), words, length);
        return;
    }
    worker->pool_used = items + 1;
    worker->recording = true;
    wrapped->groups->expand(wrapped, worker->base.inner, group, words, length, &worker->sink);
    if (worker->recording)
        *slot = worker->record + 1;
    else
        worker->pool_used = worker->record;
}

static void cache_blocked_by(const struct model *model, void *state, uint32_t group,
                             const uint32_t *words, uint32_t length, uint64_t *blockers)
{
    const struct cache_worker *worker = state;
    model->wrapped->groups->blocked_by(model->wrapped, worker->base.inner, group, words, length,
                                       blockers);
}

static void cache_expand(const struct model *model, void *state, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    for (uint32_t group = 0; group < model->wrapped->groups->count; group++)
        cache_expand_group(model, state, group, words, length, sink);
}

static size_t next_bytes(const struct model *model)
{
    return sizeof(uint32_t) * ((size_t)model->length_most + 1);
}

static void cache_worker_free(const struct model *model, struct memory *memory, void *state)
{
    struct cache_worker *worker = state;
    reduction_worker_release(&worker->base, model, memory);
    memory_release(memory, worker->pool, sizeof(uint32_t) * POOL_WORDS);
    memory_release(memory, worker->next, next_bytes(model));
    memory_release(memory, worker->table, sizeof(uint32_t) << TABLE_BITS);
    memory_release(memory, worker, sizeof(*worker));
}

static void *cache_worker_create(const struct model *model, struct memory *memory)
{
    struct cache_worker *worker = memory_try_allocate_zeroed(memory, sizeof(*worker));
    if (!worker)
        return NULL;
    worker->sink = (struct step_sink){cache_emit, cache_enable};
    worker->model = model;
    worker->pool = memory_try_allocate(memory, sizeof(uint32_t) * POOL_WORDS);
    worker->next = memory_try_allocate(memory, next_bytes(model));
    worker->table = memory_try_allocate_zeroed(memory, sizeof(uint32_t) << TABLE_BITS);
    if (worker->pool && worker->next && worker->table &&
        reduction_worker_init(&worker->base, model, memory))
        return worker;
    cache_worker_free(model, memory, worker);
    return NULL;
}

static bool in_set(const uint64_t *set, uint32_t word)
{
    return (set[word / 64] >> word % 64 & 1) != 0;
}

static void fill_places(struct cache_data *data, const struct model_groups *groups, uint32_t length)
{
    uint32_t used = 0;
    for (uint32_t group = 0; group < groups->count; group++) {
        const struct model_group *item = &groups->items[group];
        struct group_places *places = &data->places[group];
        places->key_begin = used;
        for (uint32_t word = 0; word < length; word++) {
            if (in_set(item->reads, word) || in_set(item->writes, word))
                data->indices[used++] = word;
        }
        places->key_count = used - places->key_begin;
        places->write_begin = used;
        for (uint32_t word = 0; word < length; word++) {
            if (in_set(item->writes, word))
                data->indices[used++] = word;
        }
        places->write_count = used - places->write_begin;
    }
}

bool reduce_cache(struct reduction *reduction)
{
    struct model *model = &reduction->model;
    const struct model_groups *groups = model->wrapped->groups;
    const size_t places = sizeof(struct group_places) * groups->count;
    const size_t indices = 2 * sizeof(uint32_t) * groups->count * model->length_most;
    reduction->data_bytes = sizeof(struct cache_data) + places + indices;
    struct cache_data *data = memory_try_allocate_zeroed(reduction->memory, reduction->data_bytes);
    reduction->data = data;
    if (!data)
        return false;
    data->groups = *groups;
    data->groups.expand = cache_expand_group;
    data->groups.blocked_by = groups->blocked_by ? cache_blocked_by : NULL;
    data->places = (struct group_places *)(void *)(data + 1);
    data->indices = (uint32_t *)(void *)(data->places + groups->count);
    fill_places(data, groups, model->length_most);
    model->groups = &data->groups;
    model->worker_create = cache_worker_create;
    model->worker_free = cache_worker_free;
    model->expand = cache_expand;
    return true;
}
