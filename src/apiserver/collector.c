/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/collector.h"

#include "apiserver/change.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"

#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct collector {
    struct apiserver *server;
    struct object_store_watcher watcher;
    pthread_t thread;
    uint64_t next; /* the first change that was not looked at */
};

/* So many objects are looked at while others wait for the lock. */
enum { SLICE_OBJECTS = 512 };

/* It rests so many times as long as a pass took, at most this long. */
enum { REST_SHARE = 4, REST_MOST_MS = 2000 };

/* An owner that goes after its dependents. */
struct last_owner {
    struct change change;
    const char *uid;
};

/* One pass over the store, in slices. What a slice finds is done at its end, because that moves
 * entries. */
struct look {
    struct apiserver *server;
    struct arena *arena;
    VEC(struct change) deletions; /* of this slice, as the next */
    VEC(struct change) releases;  /* a finalizer of ours goes */
    VEC(struct last_owner) last_owners;
    struct map waited_for;      /* uids of owners that have dependents */
    const struct datum *object; /* whose owners are looked up */
    bool did;
};

static struct change change_of(const struct look *look, const struct resource_type *type,
                               const struct object_store_entry *entry)
{
    return (struct change){
        .server = look->server,
        .arena = look->arena,
        .type = resource_type_hold(type),
        .version = type->versions[0].name,
        .name_space = arena_strdup(look->arena, entry->name_space),
        .name = arena_strdup(look->arena, entry->name),
        .by_collector = true,
    };
}

static bool names_uid(const struct datum *object, const struct datum *uid)
{
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    for (uint32_t i = 0; owners && i < owners->count; i++)
        if (datum_equal(datum_member(owners->items[i], "uid"), uid))
            return true;
    return false;
}

/* Kinds of different groups may have one name, so of several owners by that name
 * the one that is meant is taken. */
static const struct datum *find_owner(const void *context, const struct object_key *key)
{
    const struct look *look = context;
    const struct object_store *store = &look->server->store;
    const struct datum *found = NULL;
    for (uint32_t i = 0; i < store->types.count; i++) {
        const struct resource_type *type = store->types.items[i];
        if (type->out_of_service || strcmp(type->kind, key->kind) != 0)
            continue;
        const struct object_store_entry *entry =
            object_store_find(store, type, type->namespaced ? key->name_space : "", key->name);
        if (!entry)
            continue;
        found = entry->snapshot->object;
        if (names_uid(look->object, datum_at(found, "metadata.uid")))
            return found;
    }
    return found;
}

static bool has_finalizer(const struct datum *object, const char *name)
{
    const struct datum *finalizers = datum_at(object, "metadata.finalizers");
    for (uint32_t i = 0; finalizers && i < finalizers->count; i++)
        if (strcmp(datum_text(finalizers->items[i], ""), name) == 0)
            return true;
    return false;
}

static bool ends(const struct datum *object)
{
    return datum_at(object, "metadata.deletionTimestamp") != NULL;
}

static bool namespace_ends(const struct look *look, const char *name)
{
    const struct object_store *store = &look->server->store;
    const struct resource_type *namespaces =
        resource_type_find(&store->types, "", "v1", "namespaces", NULL);
    const struct object_store_entry *entry =
        *name ? object_store_find(store, namespaces, "", name) : NULL;
    return entry && ends(entry->snapshot->object);
}

static const struct datum *definition_of(const struct look *look, const struct resource_type *type)
{
    const struct object_store *store = &look->server->store;
    const struct resource_type *definitions = resource_type_find(
        &store->types, "apiextensions.k8s.io", "v1", "customresourcedefinitions", NULL);
    const struct object_store_entry *entry =
        type->rules->custom
            ? object_store_find(store, definitions, "", resource_qualified(look->arena, type))
            : NULL;
    return entry ? entry->snapshot->object : NULL;
}

/* Is it to go with its namespace, or with its definition? */
static bool is_content(const struct look *look, const struct resource_type *type,
                       const struct object_store_entry *entry)
{
    return (type->namespaced && namespace_ends(look, entry->name_space)) ||
           ends(definition_of(look, type));
}

/* Is the namespace empty, so that its finalizer can be removed? */
static bool is_empty_namespace(const struct look *look, const char *name)
{
    const struct object_store *store = &look->server->store;
    for (uint32_t i = 0; i < store->types.count; i++) {
        const struct resource_type *type = store->types.items[i];
        const struct object_store_range range = object_store_range(store, type, name);
        if (type->namespaced && range.first != range.end)
            return false;
    }
    return true;
}

static bool is_empty_definition(const struct look *look, const struct datum *definition)
{
    const struct object_store *store = &look->server->store;
    const struct resource_type *type =
        resource_type_find(&store->types, datum_text(datum_at(definition, "spec.group"), ""), NULL,
                           datum_text(datum_at(definition, "spec.names.plural"), ""), NULL);
    if (!type)
        return true;
    const struct object_store_range range = object_store_range(store, type, "");
    return range.first == range.end;
}

static const char *uid_text(const struct look *look, const struct datum *uid)
{
    struct text text;
    text_init(&text, look->arena->memory);
    if (uid)
        datum_write(&text, DATUM_REAL, uid);
    return text_keep(&text, look->arena);
}

/* Is one of its owners waiting for its dependents to go? */
static bool is_waited_for(struct look *look, const struct datum *object)
{
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    const char *name_space = datum_text(datum_at(object, "metadata.namespace"), "");
    bool waited_for = false;
    look->object = object;
    for (uint32_t i = 0; owners && owners->kind == DATUM_LIST && i < owners->count; i++) {
        const struct datum *reference = owners->items[i];
        const struct object_key key = {datum_text(datum_member(reference, "kind"), ""), name_space,
                                       datum_text(datum_member(reference, "name"), "")};
        const struct datum *owner = find_owner(look, &key);
        const struct datum *uid = datum_at(owner, "metadata.uid");
        if (!owner || !ends(owner) || !has_finalizer(owner, FOREGROUND_FINALIZER) ||
            !datum_equal(uid, datum_member(reference, "uid")))
            continue;
        waited_for = true;
        map_put(&look->waited_for, uid_text(look, uid))->value = look;
    }
    return waited_for;
}

/* An object that is being deleted and has a finalizer of ours. */
static void visit_held(struct look *look, const struct resource_type *type,
                       const struct object_store_entry *entry)
{
    const struct datum *object = entry->snapshot->object;
    const bool empty_namespace = strcmp(type->kind, "Namespace") == 0 &&
                                 has_finalizer(object, NAMESPACE_FINALIZER) &&
                                 is_empty_namespace(look, entry->name);
    const bool empty_definition = strcmp(type->kind, "CustomResourceDefinition") == 0 &&
                                  has_finalizer(object, DEFINITION_FINALIZER) &&
                                  is_empty_definition(look, object);
    if (empty_namespace || empty_definition) {
        VEC_PUSH(look->arena, &look->releases, change_of(look, type, entry));
    } else if (has_finalizer(object, FOREGROUND_FINALIZER)) {
        const struct last_owner owner = {change_of(look, type, entry),
                                         uid_text(look, datum_at(object, "metadata.uid"))};
        VEC_PUSH(look->arena, &look->last_owners, owner);
    }
}

static void visit(struct look *look, const struct resource_type *type,
                  const struct object_store_entry *entry)
{
    const struct api_store_view view = {look, find_owner};
    const struct datum *object = look->object = entry->snapshot->object;
    const bool orphan = !ends(object) && api_is_orphan(object, &view);
    const bool waited_for = is_waited_for(look, object);
    if (ends(object))
        visit_held(look, type, entry);
    else if (orphan || waited_for || is_content(look, type, entry))
        VEC_PUSH(look->arena, &look->deletions, change_of(look, type, entry));
}

static void release(const struct change *change)
{
    const struct datum *object = change_stored(change);
    const struct datum *finalizers = datum_at(object, "metadata.finalizers");
    if (!finalizers)
        return;
    const struct datum **kept =
        ARENA_ARRAY(change->arena, const struct datum *, finalizers->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < finalizers->count; i++) {
        const char *name = datum_text(finalizers->items[i], "");
        if (strcmp(name, NAMESPACE_FINALIZER) != 0 && strcmp(name, DEFINITION_FINALIZER) != 0 &&
            strcmp(name, FOREGROUND_FINALIZER) != 0)
            kept[count++] = finalizers->items[i];
    }
    change_update(change, API_UPDATE,
                  datum_with(change->arena, object, "metadata.finalizers",
                             datum_list(change->arena, kept, count)));
}

static void finish_slice(struct look *look)
{
    for (uint32_t i = 0; i < look->deletions.count; i++) {
        change_delete(&look->deletions.items[i], NULL, NULL);
        resource_type_release(look->deletions.items[i].type);
    }
    for (uint32_t i = 0; i < look->releases.count; i++) {
        release(&look->releases.items[i]);
        resource_type_release(look->releases.items[i].type);
    }
    look->did = look->did || look->deletions.count || look->releases.count;
    look->deletions.count = 0;
    look->releases.count = 0;
}

/* Looks at some objects behind a key, which is moved on; false: there are no more of this type. */
static bool visit_slice(struct look *look, uint32_t type_index, struct object_store_key *after)
{
    const struct object_store *store = &look->server->store;
    const struct resource_type *type = store->types.items[type_index];
    const struct object_store_range range = object_store_behind(store, type, after);
    const bool more = range.end - range.first > SLICE_OBJECTS;
    const struct object_store_entry *end = more ? range.first + SLICE_OBJECTS : range.end;
    for (const struct object_store_entry *entry = range.first; entry != end; entry++)
        visit(look, type, entry);
    if (more)
        *after = (struct object_store_key){arena_strdup(look->arena, end[-1].name_space),
                                           arena_strdup(look->arena, end[-1].name)};
    finish_slice(look);
    return more;
}

/* Another object may have its name since the slice that found it. */
static bool is_still_there(const struct look *look, const struct last_owner *owner)
{
    const struct datum *stored = change_stored(&owner->change);
    return strcmp(uid_text(look, datum_at(stored, "metadata.uid")), owner->uid) == 0;
}

/* Owners whose dependents were all gone before the pass. */
static void release_last_owners(struct look *look)
{
    for (uint32_t i = 0; i < look->last_owners.count; i++) {
        const struct last_owner *owner = &look->last_owners.items[i];
        if (map_get(&look->waited_for, owner->uid) || !is_still_there(look, owner)) {
            resource_type_release(owner->change.type);
            continue;
        }
        VEC_PUSH(look->arena, &look->releases, owner->change);
    }
    finish_slice(look);
}

bool collect_garbage(struct apiserver *server)
{
    struct arena arena;
    arena_init(&arena, &server->memory);
    struct look look = {.server = server, .arena = &arena};
    map_init(&look.waited_for, &arena);
    pthread_mutex_lock(&server->store.lock);
    for (uint32_t i = 0; i < server->store.types.count; i++) {
        struct object_store_key after = {"", ""};
        while (visit_slice(&look, i, &after)) {
            pthread_mutex_unlock(&server->store.lock);
            sched_yield();
            pthread_mutex_lock(&server->store.lock);
        }
    }
    release_last_owners(&look);
    pthread_mutex_unlock(&server->store.lock);
    arena_release(&arena);
    return look.did;
}

/* A write can make garbage only if an object was deleted, is being deleted, or has
 * owners (which may not exist). */
static bool may_make_garbage(const struct object_store_change *change)
{
    return change->deleted || ends(change->after->object) ||
           datum_at(change->after->object, "metadata.ownerReferences");
}

/* Did any change since the last pass make garbage possible? */
static bool is_worth_a_look(struct collector *collector)
{
    struct object_store *store = &collector->server->store;
    pthread_mutex_lock(&store->lock);
    bool worth = collector->next < store->change_first; /* some were missed */
    for (uint64_t i = collector->next; !worth && i < store->change_end; i++)
        worth = may_make_garbage(&store->changes[i % store->change_capacity]);
    collector->next = store->change_end;
    pthread_mutex_unlock(&store->lock);
    return worth;
}

/* A pass looks at every object. It must not take the lock all the time, however many changes make
 * another one worth it. */
static void rest_after(int64_t pass_ns)
{
    const int64_t rest_ms = REST_SHARE * pass_ns / 1000000;
    poll(NULL, 0, rest_ms < REST_MOST_MS ? (int)rest_ms : REST_MOST_MS);
}

static void *run(void *context)
{
    struct collector *collector = context;
    struct apiserver *server = collector->server;
    while (!atomic_load(&server->stopping)) {
        uint64_t counter = 0;
        struct pollfd polled = {.fd = collector->watcher.descriptor, .events = POLLIN};
        poll(&polled, 1, -1);
        const ssize_t got = read(collector->watcher.descriptor, &counter, sizeof(counter));
        (void)got; /* that there was something is enough */
        while (!atomic_load(&server->stopping) && is_worth_a_look(collector)) {
            const int64_t started = clock_now_ns();
            collect_garbage(server);
            rest_after(clock_now_ns() - started);
        }
    }
    return NULL;
}

struct collector *collector_start(struct apiserver *server)
{
    struct collector *collector = memory_allocate(&server->memory, sizeof(*collector));
    *collector = (struct collector){.server = server,
                                    .watcher.descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    pthread_mutex_lock(&server->store.lock);
    object_store_watch(&server->store, &collector->watcher);
    pthread_mutex_unlock(&server->store.lock);
    if (pthread_create(&collector->thread, NULL, run, collector) != 0)
        bug("cannot start a thread");
    return collector;
}

void collector_end(struct collector *collector)
{
    struct apiserver *server = collector->server;
    pthread_join(collector->thread, NULL);
    pthread_mutex_lock(&server->store.lock);
    object_store_unwatch(&server->store, &collector->watcher);
    pthread_mutex_unlock(&server->store.lock);
    close(collector->watcher.descriptor);
    memory_release(&server->memory, collector, sizeof(*collector));
}
