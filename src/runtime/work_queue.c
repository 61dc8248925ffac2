/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/work_queue.h"

#include <string.h>

static const int64_t back_off_first_ns = INT64_C(5000000);
static const int64_t back_off_most_ns = INT64_C(1000) * 1000000000;

void work_queue_init(struct work_queue *queue, struct memory *memory)
{
    *queue = (struct work_queue){.memory = memory};
}

static void free_text(struct memory *memory, const char *text)
{
    memory_release(memory, (void *)(uintptr_t)text, strlen(text) + 1);
}

static const char *copy_text(struct memory *memory, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(memory_allocate(memory, bytes), text, bytes);
}

void work_queue_forget(struct work_queue *queue, struct work_item *item)
{
    free_text(queue->memory, item->key.kind);
    free_text(queue->memory, item->key.name_space);
    free_text(queue->memory, item->key.name);
    *item = (struct work_item){.gone = true, .due_ns = INT64_MAX};
}

void work_queue_release(struct work_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (!queue->items[i].gone)
            work_queue_forget(queue, &queue->items[i]);
    if (queue->items)
        memory_release(queue->memory, queue->items, sizeof(*queue->items) * queue->capacity);
}

static bool same_key(const struct object_key *left, const struct object_key *right)
{
    return strcmp(left->name, right->name) == 0 &&
           strcmp(left->name_space, right->name_space) == 0 && strcmp(left->kind, right->kind) == 0;
}

static struct work_item *find(struct work_queue *queue, const struct object_key *key)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (!queue->items[i].gone && same_key(&queue->items[i].key, key))
            return &queue->items[i];
    return NULL;
}

static struct work_item *free_place(struct work_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (queue->items[i].gone)
            return &queue->items[i];
    if (queue->count == queue->capacity) {
        const uint32_t capacity = queue->capacity ? queue->capacity * 2 : 16;
        queue->items =
            memory_resize(queue->memory, queue->items, sizeof(*queue->items) * queue->capacity,
                          sizeof(*queue->items) * capacity);
        queue->capacity = capacity;
    }
    return &queue->items[queue->count++];
}

static void make_due(struct work_item *item, int64_t now_ns)
{
    const int64_t due_ns = now_ns > item->earliest_ns ? now_ns : item->earliest_ns;
    item->changed = true;
    if (due_ns < item->due_ns)
        item->due_ns = due_ns;
}

void work_queue_add(struct work_queue *queue, const struct object_key *key, int64_t now_ns)
{
    struct work_item *item = find(queue, key);
    if (!item) {
        item = free_place(queue);
        *item = (struct work_item){
            .key = {copy_text(queue->memory, key->kind), copy_text(queue->memory, key->name_space),
                    copy_text(queue->memory, key->name)},
            .due_ns = INT64_MAX,
        };
    }
    make_due(item, now_ns);
}

void work_queue_add_all(struct work_queue *queue, int64_t now_ns)
{
    for (uint32_t i = 0; i < queue->count; i++)
        if (!queue->items[i].gone)
            make_due(&queue->items[i], now_ns);
}

struct work_item *work_queue_next(struct work_queue *queue, int64_t now_ns, int64_t *next_ns)
{
    struct work_item *first = NULL;
    for (uint32_t i = 0; i < queue->count; i++)
        if (!queue->items[i].gone && (!first || queue->items[i].due_ns < first->due_ns))
            first = &queue->items[i];
    *next_ns = first ? first->due_ns : INT64_MAX;
    if (!first || first->due_ns > now_ns)
        return NULL;
    first->changed = false;
    return first;
}

void work_queue_done(struct work_item *item, int64_t now_ns, int64_t resync_ns)
{
    item->failures = 0;
    item->earliest_ns = 0;
    item->due_ns = item->changed ? now_ns : now_ns + resync_ns;
}

void work_queue_failed(struct work_item *item, int64_t now_ns)
{
    int64_t wait_ns = back_off_first_ns;
    for (uint32_t i = 0; i < item->failures && wait_ns < back_off_most_ns; i++)
        wait_ns *= 2;
    if (wait_ns > back_off_most_ns)
        wait_ns = back_off_most_ns;
    item->failures++;
    item->earliest_ns = item->due_ns = now_ns + wait_ns;
}
