/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/collector.h"

#include "apiserver/change.h"
#include "base/vec.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct collector {
    struct apiserver *server;
    struct object_store_watcher watcher;
    pthread_t thread;
    uint64_t next; /* the first change that was not looked at */
};

/* One pass over the store. Changes are made at its end, because they move entries. */
struct look {
    struct apiserver *server;
    struct arena *arena;
    VEC(struct change) deletions;
    VEC(struct change) releases; /* a finalizer of ours goes */
    const struct datum *object;  /* whose owners are looked up */
};

static struct change change_of(const struct look *look, const struct resource_type *type,
                               const struct object_store_entry *entry)
{
    return (struct change){
        .server = look->server,
        .arena = look->arena,
        .type = type,
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

typedef void visit(struct look *look, const struct resource_type *type,
                   const struct object_store_entry *entry);

static void visit_all(struct look *look, visit *each)
{
    const struct object_store *store = &look->server->store;
    for (uint32_t i = 0; i < store->types.count; i++) {
        const struct resource_type *type = store->types.items[i];
        const struct object_store_range range = object_store_range(store, type, "");
        for (const struct object_store_entry *entry = range.first; entry != range.end; entry++)
            each(look, type, entry);
    }
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

static void visit_orphan(struct look *look, const struct resource_type *type,
                         const struct object_store_entry *entry)
{
    const struct api_store_view view = {look, find_owner};
    look->object = entry->snapshot->object;
    if (!ends(look->object) && api_is_orphan(look->object, &view))
        VEC_PUSH(look->arena, &look->deletions, change_of(look, type, entry));
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

static void visit_content(struct look *look, const struct resource_type *type,
                          const struct object_store_entry *entry)
{
    if (!ends(entry->snapshot->object) &&
        ((type->namespaced && namespace_ends(look, entry->name_space)) ||
         ends(definition_of(look, type))))
        VEC_PUSH(look->arena, &look->deletions, change_of(look, type, entry));
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

/* Deletes the dependents of an owner that goes last; false if there are none. */
static bool delete_dependents(struct look *look, const struct datum *owner)
{
    const struct object_store *store = &look->server->store;
    const struct datum *uid = datum_at(owner, "metadata.uid");
    bool any = false;
    for (uint32_t i = 0; i < store->types.count; i++) {
        const struct resource_type *type = store->types.items[i];
        const struct object_store_range range = object_store_range(store, type, "");
        for (const struct object_store_entry *entry = range.first; entry != range.end; entry++) {
            const struct datum *object = entry->snapshot->object;
            if (!names_uid(object, uid))
                continue;
            any = true;
            if (!ends(object))
                VEC_PUSH(look->arena, &look->deletions, change_of(look, type, entry));
        }
    }
    return any;
}

static void visit_held(struct look *look, const struct resource_type *type,
                       const struct object_store_entry *entry)
{
    const struct datum *object = entry->snapshot->object;
    if (!ends(object))
        return;
    const bool empty_namespace = strcmp(type->kind, "Namespace") == 0 &&
                                 has_finalizer(object, NAMESPACE_FINALIZER) &&
                                 is_empty_namespace(look, entry->name);
    const bool empty_definition = strcmp(type->kind, "CustomResourceDefinition") == 0 &&
                                  has_finalizer(object, DEFINITION_FINALIZER) &&
                                  is_empty_definition(look, object);
    if (empty_namespace || empty_definition ||
        (has_finalizer(object, FOREGROUND_FINALIZER) && !delete_dependents(look, object)))
        VEC_PUSH(look->arena, &look->releases, change_of(look, type, entry));
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

bool collect_garbage(struct apiserver *server)
{
    struct arena arena;
    arena_init(&arena, &server->memory);
    struct look look = {.server = server, .arena = &arena};
    pthread_mutex_lock(&server->store.lock);
    visit_all(&look, visit_orphan);
    visit_all(&look, visit_content);
    visit_all(&look, visit_held);
    for (uint32_t i = 0; i < look.deletions.count; i++)
        change_delete(&look.deletions.items[i], NULL, NULL);
    for (uint32_t i = 0; i < look.releases.count; i++)
        release(&look.releases.items[i]);
    pthread_mutex_unlock(&server->store.lock);
    const bool did = look.deletions.count || look.releases.count;
    arena_release(&arena);
    return did;
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
        while (!atomic_load(&server->stopping) && is_worth_a_look(collector))
            collect_garbage(server);
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
