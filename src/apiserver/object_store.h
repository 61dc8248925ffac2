/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store in memory: objects by type, namespace and name, and the last changes,
 * from which watches are served.
 *
 * Everything but `object_store_create` and `object_store_free` is called with the lock held.
 * Resource versions count the writes of all types together, as etcd's revisions
 * do. They begin where the caller says: a server that starts again begins above
 * all versions that it ever gave out, so that clients that remember some are told
 * that these are too old.
 */
#ifndef FATHOM_APISERVER_OBJECT_STORE_H
#define FATHOM_APISERVER_OBJECT_STORE_H

#include "apiserver/resource_type.h"
#include "apiserver/snapshot.h"

#include <pthread.h>

struct object_store_entry {
    char *name_space;
    char *name;
    struct snapshot *snapshot;
};

/* Sorted by namespace, then name. */
struct object_store_table {
    struct object_store_entry *entries;
    uint32_t count;
    uint32_t capacity;
};

struct object_store_change {
    uint64_t version;
    uint64_t type;           /* its identity */
    struct snapshot *before; /* NULL: it was created */
    struct snapshot *after;  /* as it was last, if it was deleted */
    bool deleted;
};

/* Somebody who waits for changes: `descriptor` (an eventfd) becomes readable. */
struct object_store_watcher {
    int descriptor;
    struct object_store_watcher *next;
    struct object_store_watcher *previous;
};

struct object_store {
    pthread_mutex_t lock;
    struct memory *memory;
    struct arena arena; /* of the types */
    struct resource_types types;
    struct object_store_table *tables; /* by index of the type */
    uint32_t table_count;
    uint64_t version; /* of the last write */
    uint64_t uid;     /* the next */
    /* A ring: change number n is at n % change_capacity, for n in [first, end). */
    struct object_store_change *changes;
    uint32_t change_capacity;
    uint64_t change_first;
    uint64_t change_end;
    uint64_t forgotten;  /* the version of the last change that is no longer there */
    size_t object_bytes; /* of all stored objects */
    size_t change_bytes; /* of all changes, objects that are still stored included */
    size_t change_bytes_most;
    struct object_store_watcher *watchers;
};

struct object_store_settings {
    uint64_t first_version;
    uint64_t first_uid;
    uint32_t history;     /* changes that are remembered ... */
    size_t history_bytes; /* ... as long as they take no more than this; 0: no limit */
};

void object_store_create(struct object_store *store, struct memory *memory,
                         struct object_store_settings settings);
void object_store_free(struct object_store *store);

/* NULL: none. */
const struct object_store_entry *object_store_find(const struct object_store *store,
                                                   const struct resource_type *type,
                                                   const char *name_space, const char *name);
/* Puts an object in place of what is there, or (`object` deleted) takes it away.
 * `version` is the resource version of the write; `object` is copied. */
void object_store_write(struct object_store *store, const struct resource_type *type,
                        const char *name_space, const char *name, const struct datum *object,
                        bool deleted, uint64_t version);

/* The entries of a namespace ("": of all), one after another. */
struct object_store_range {
    const struct object_store_entry *first;
    const struct object_store_entry *end;
};
struct object_store_range object_store_range(const struct object_store *store,
                                             const struct resource_type *type,
                                             const char *name_space);

struct object_store_key {
    const char *name_space;
    const char *name;
};

/* All entries behind a key, which need not be there; {"", ""} is before all. */
struct object_store_range object_store_behind(const struct object_store *store,
                                              const struct resource_type *type,
                                              const struct object_store_key *key);

void object_store_watch(struct object_store *store, struct object_store_watcher *watcher);
void object_store_unwatch(struct object_store *store, struct object_store_watcher *watcher);
void object_store_wake(const struct object_store *store); /* all watchers */
/* The number of the first change after a version, NULL-able `*number`; false if that
 * is forgotten. */
bool object_store_changes_after(const struct object_store *store, uint64_t version,
                                uint64_t *number);

#endif
