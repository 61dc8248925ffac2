/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/object_store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void object_store_create(struct object_store *store, struct memory *memory,
                         struct object_store_settings settings)
{
    *store = (struct object_store){
        .memory = memory,
        .version = settings.first_version,
        .forgotten = settings.first_version,
        .uid = settings.first_uid,
        .change_capacity = settings.history,
        .change_bytes_most = settings.history_bytes ? settings.history_bytes : SIZE_MAX,
    };
    pthread_mutex_init(&store->lock, NULL);
    arena_init(&store->arena, memory);
    resource_types_init(&store->types, &store->arena);
    store->changes = memory_allocate(memory, sizeof(*store->changes) * settings.history);
}

static void free_text(struct memory *memory, char *text)
{
    memory_release(memory, text, strlen(text) + 1);
}

static char *copy_text(struct memory *memory, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(memory_allocate(memory, bytes), text, bytes);
}

/* What a change keeps from being freed. Objects that are still stored count, too, and what was
 * there before counts again: the change that brought it may be forgotten first. */
static size_t bytes_of(const struct object_store_change *change)
{
    return snapshot_bytes(change->after) + (change->before ? snapshot_bytes(change->before) : 0);
}

static void forget_first_change(struct object_store *store)
{
    struct object_store_change *change =
        &store->changes[store->change_first % store->change_capacity];
    store->forgotten = change->version;
    store->change_bytes -= bytes_of(change);
    snapshot_release(change->before);
    snapshot_release(change->after);
    store->change_first++;
}

void object_store_free(struct object_store *store)
{
    while (store->change_first < store->change_end)
        forget_first_change(store);
    for (uint32_t i = 0; i < store->table_count; i++) {
        struct object_store_table *table = &store->tables[i];
        for (uint32_t j = 0; j < table->count; j++) {
            free_text(store->memory, table->entries[j].name_space);
            free_text(store->memory, table->entries[j].name);
            snapshot_release(table->entries[j].snapshot);
        }
        if (table->entries)
            memory_release(store->memory, table->entries,
                           sizeof(*table->entries) * table->capacity);
    }
    if (store->tables)
        memory_release(store->memory, store->tables, sizeof(*store->tables) * store->table_count);
    memory_release(store->memory, store->changes, sizeof(*store->changes) * store->change_capacity);
    resource_types_release(&store->types);
    arena_release(&store->arena);
    pthread_mutex_destroy(&store->lock);
}

static const struct object_store_table *table_of(const struct object_store *store,
                                                 const struct resource_type *type)
{
    static const struct object_store_table empty = {0};
    return type->index < store->table_count && resource_type_has_place(&store->types, type)
               ? &store->tables[type->index]
               : &empty;
}

static struct object_store_table *table_to_write(struct object_store *store,
                                                 const struct resource_type *type)
{
    if (type->index >= store->table_count) {
        const uint32_t count = store->types.count;
        store->tables =
            memory_resize(store->memory, store->tables, sizeof(*store->tables) * store->table_count,
                          sizeof(*store->tables) * count);
        memset(store->tables + store->table_count, 0,
               sizeof(*store->tables) * (count - store->table_count));
        store->table_count = count;
    }
    return &store->tables[type->index];
}

static int compare_key(const struct object_store_entry *entry, const char *name_space,
                       const char *name)
{
    const int order = strcmp(entry->name_space, name_space);
    return order ? order : strcmp(entry->name, name);
}

/* Where the key is, or would be. */
static uint32_t position_of(const struct object_store_table *table, const char *name_space,
                            const char *name)
{
    uint32_t low = 0;
    uint32_t high = table->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_key(&table->entries[middle], name_space, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct object_store_entry *object_store_find(const struct object_store *store,
                                                   const struct resource_type *type,
                                                   const char *name_space, const char *name)
{
    const struct object_store_table *table = table_of(store, type);
    const uint32_t position = position_of(table, name_space, name);
    if (position < table->count && !compare_key(&table->entries[position], name_space, name))
        return &table->entries[position];
    return NULL;
}

struct object_store_range object_store_range(const struct object_store *store,
                                             const struct resource_type *type,
                                             const char *name_space)
{
    const struct object_store_table *table = table_of(store, type);
    if (!table->count)
        return (struct object_store_range){NULL, NULL};
    struct object_store_range range = {table->entries, table->entries + table->count};
    if (*name_space) {
        range.first = table->entries + position_of(table, name_space, "");
        const struct object_store_entry *end = range.first;
        while (end != range.end && strcmp(end->name_space, name_space) == 0)
            end++;
        range.end = end;
    }
    return range;
}

struct object_store_range object_store_behind(const struct object_store *store,
                                              const struct resource_type *type,
                                              const struct object_store_key *key)
{
    const struct object_store_table *table = table_of(store, type);
    if (!table->count)
        return (struct object_store_range){NULL, NULL};
    uint32_t first = position_of(table, key->name_space, key->name);
    if (first < table->count &&
        compare_key(&table->entries[first], key->name_space, key->name) == 0)
        first++;
    return (struct object_store_range){table->entries + first, table->entries + table->count};
}

static struct object_store_entry *insert_at(struct object_store *store,
                                            struct object_store_table *table, uint32_t position,
                                            const char *name_space, const char *name)
{
    if (table->count == table->capacity) {
        const uint32_t capacity = table->capacity ? table->capacity * 2 : 16;
        table->entries =
            memory_resize(store->memory, table->entries, sizeof(*table->entries) * table->capacity,
                          sizeof(*table->entries) * capacity);
        table->capacity = capacity;
    }
    struct object_store_entry *entry = &table->entries[position];
    memmove(entry + 1, entry, sizeof(*entry) * (table->count - position));
    table->count++;
    *entry = (struct object_store_entry){
        .name_space = copy_text(store->memory, name_space),
        .name = copy_text(store->memory, name),
    };
    return entry;
}

static void remove_at(struct object_store *store, struct object_store_table *table,
                      uint32_t position)
{
    struct object_store_entry *entry = &table->entries[position];
    free_text(store->memory, entry->name_space);
    free_text(store->memory, entry->name);
    table->count--;
    memmove(entry, entry + 1, sizeof(*entry) * (table->count - position));
}

static void remember(struct object_store *store, struct object_store_change change)
{
    if (store->change_end - store->change_first == store->change_capacity)
        forget_first_change(store);
    store->changes[store->change_end % store->change_capacity] = change;
    store->change_bytes += bytes_of(&change);
    store->change_end++;
    while (store->change_bytes > store->change_bytes_most &&
           store->change_first + 1 < store->change_end)
        forget_first_change(store);
    object_store_wake(store);
}

void object_store_write(struct object_store *store, const struct resource_type *type,
                        const char *name_space, const char *name, const struct datum *object,
                        bool deleted, uint64_t version)
{
    struct object_store_table *table = table_to_write(store, type);
    const uint32_t position = position_of(table, name_space, name);
    const bool there =
        position < table->count && !compare_key(&table->entries[position], name_space, name);
    if (deleted && !there)
        bug("the API server deletes %s %s/%s, which is not there", type->kind, name_space, name);
    struct object_store_entry *entry =
        there ? &table->entries[position] : insert_at(store, table, position, name_space, name);
    struct object_store_change change = {
        .version = version,
        .type = type->identity,
        .before = entry->snapshot, /* held by the entry so far */
        .after = snapshot_create(store->memory, object),
        .deleted = deleted,
    };
    store->object_bytes -= change.before ? snapshot_bytes(change.before) : 0;
    if (deleted) {
        remove_at(store, table, position);
    } else {
        store->object_bytes += snapshot_bytes(change.after);
        entry->snapshot = snapshot_hold(change.after);
    }
    store->types.object_counts[type->index] = table->count;
    store->version = version;
    remember(store, change);
}

void object_store_watch(struct object_store *store, struct object_store_watcher *watcher)
{
    watcher->next = store->watchers;
    watcher->previous = NULL;
    if (store->watchers)
        store->watchers->previous = watcher;
    store->watchers = watcher;
}

void object_store_unwatch(struct object_store *store, struct object_store_watcher *watcher)
{
    if (watcher->previous)
        watcher->previous->next = watcher->next;
    else
        store->watchers = watcher->next;
    if (watcher->next)
        watcher->next->previous = watcher->previous;
}

void object_store_wake(const struct object_store *store)
{
    for (const struct object_store_watcher *watcher = store->watchers; watcher;
         watcher = watcher->next) {
        const uint64_t one = 1;
        const ssize_t written = write(watcher->descriptor, &one, sizeof(one));
        (void)written; /* a counter that is full is readable, too */
    }
}

bool object_store_changes_after(const struct object_store *store, uint64_t version,
                                uint64_t *number)
{
    if (version < store->forgotten)
        return false;
    uint64_t low = store->change_first;
    uint64_t high = store->change_end;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (store->changes[middle % store->change_capacity].version <= version)
            low = middle + 1;
        else
            high = middle;
    }
    *number = low;
    return true;
}
