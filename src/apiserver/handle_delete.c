/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that delete, and what becomes of dependents. */
#include "apiserver/handle_delete.h"

#include "apiserver/collector.h"
#include "apiserver/handle_body.h"

#include <string.h>

enum propagation { PROPAGATE_BACKGROUND, PROPAGATE_FOREGROUND, PROPAGATE_ORPHAN };

struct delete_options {
    const struct datum *uid;
    const struct datum *version;
    enum propagation propagation;
    bool dry_run;
};

static bool read_propagation(const struct call *call, const char *text,
                             struct delete_options *options)
{
    if (!*text || strcmp(text, "Background") == 0)
        options->propagation = PROPAGATE_BACKGROUND;
    else if (strcmp(text, "Foreground") == 0)
        options->propagation = PROPAGATE_FOREGROUND;
    else if (strcmp(text, "Orphan") == 0)
        options->propagation = PROPAGATE_ORPHAN;
    else {
        call_refuse(call, (struct status){
                              .code = 422,
                              .reason = "Invalid",
                              .message = arena_printf(call->arena,
                                                      "DeleteOptions.meta.k8s.io \"\" is invalid: "
                                                      "propagationPolicy: Invalid value: \"%s\"",
                                                      text),
                          });
        return false;
    }
    return true;
}

/* Preconditions are texts in the options and numbers in the store, as those of an
 * object's metadata are; so they are read as such. */
static const struct datum *precondition(const struct call *call, const struct datum *options,
                                        const char *field)
{
    const struct datum *written = datum_member(datum_member(options, "preconditions"), field);
    if (!written)
        return NULL;
    const struct datum *object =
        datum_with(call->arena, NULL, arena_printf(call->arena, "metadata.%s", field), written);
    const struct datum *real = call_read_again(call, object);
    return real ? datum_at(real, arena_printf(call->arena, "metadata.%s", field)) : NULL;
}

static bool read_delete_options(const struct call *call, struct delete_options *options)
{
    *options = (struct delete_options){
        .dry_run = strcmp(http_parameter(call->request, "dryRun"), "All") == 0};
    const struct datum *body = NULL;
    if (call->request->body_length) {
        body = call_read_body(call);
        if (!body)
            return false;
    }
    const char *written = datum_text(datum_member(body, "propagationPolicy"), "");
    const struct datum *orphan = datum_member(body, "orphanDependents");
    if (!*written && orphan && orphan->kind == DATUM_TRUE)
        written = "Orphan";
    if (!*written)
        written = http_parameter(call->request, "propagationPolicy");
    options->uid = precondition(call, body, "uid");
    options->version = precondition(call, body, "resourceVersion");
    options->dry_run =
        options->dry_run || strcmp(datum_text(datum_at(body, "dryRun[0]"), ""), "All") == 0;
    return read_propagation(call, written, options);
}

static bool names_owner(const struct datum *reference, const struct datum *uid)
{
    return datum_equal(datum_member(reference, "uid"), uid);
}

/* Removes this owner from all its dependents. */
static void disown(const struct call *call, const struct datum *uid)
{
    struct object_store *store = &call->server->store;
    VEC(struct change) changes = {0};
    for (uint32_t i = 0; i < store->types.count; i++) {
        const struct resource_type *type = store->types.items[i];
        const struct object_store_range range = object_store_range(store, type, "");
        for (const struct object_store_entry *entry = range.first; entry != range.end; entry++) {
            const struct datum *owners =
                datum_at(entry->snapshot->object, "metadata.ownerReferences");
            bool named = false;
            for (uint32_t j = 0; owners && j < owners->count; j++)
                named = named || names_owner(owners->items[j], uid);
            if (!named)
                continue;
            const struct change change = {
                .server = call->server,
                .arena = call->arena,
                .type = resource_type_hold(type),
                .version = type->versions[0].name,
                .name_space = arena_strdup(call->arena, entry->name_space),
                .name = arena_strdup(call->arena, entry->name),
            };
            VEC_PUSH(call->arena, &changes, change);
        }
    }
    for (uint32_t i = 0; i < changes.count; i++) {
        const struct datum *object = change_stored(&changes.items[i]);
        const struct datum *owners = datum_at(object, "metadata.ownerReferences");
        const struct datum **kept =
            ARENA_ARRAY(call->arena, const struct datum *, owners->count + 1);
        uint32_t count = 0;
        for (uint32_t j = 0; j < owners->count; j++)
            if (!names_owner(owners->items[j], uid))
                kept[count++] = owners->items[j];
        change_update(&changes.items[i], API_UPDATE,
                      datum_with(call->arena, object, "metadata.ownerReferences",
                                 datum_list(call->arena, kept, count)));
        resource_type_release(changes.items[i].type);
    }
}

static void hold_until_dependents_are_gone(const struct change *change)
{
    const struct datum *object = change_stored(change);
    const struct datum *finalizers = datum_at(object, "metadata.finalizers");
    const uint32_t count = finalizers ? finalizers->count : 0;
    const struct datum **items = ARENA_ARRAY(change->arena, const struct datum *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = finalizers->items[i];
        if (strcmp(datum_text(items[i], ""), FOREGROUND_FINALIZER) == 0)
            return;
    }
    items[count] = datum_string(change->arena, FOREGROUND_FINALIZER);
    struct change own = *change;
    own.version = own.type->versions[0].name;
    change_update(&own, API_UPDATE,
                  datum_with(change->arena, object, "metadata.finalizers",
                             datum_list(change->arena, items, count + 1)));
}

/* Called with the lock held. */
static struct change_result delete_one(const struct call *call, const struct change *original,
                                       const struct delete_options *options)
{
    struct change change = *original;
    change.dry_run = true;
    struct change_result result = change_delete(&change, options->uid, options->version);
    if (result.refused || options->dry_run)
        return result;
    const struct datum *stored = change_stored(&change);
    change.dry_run = false;
    if (options->propagation == PROPAGATE_ORPHAN)
        disown(call, datum_at(stored, "metadata.uid"));
    if (options->propagation == PROPAGATE_FOREGROUND && !call->server->settings.no_collector &&
        !datum_at(stored, "metadata.deletionTimestamp"))
        hold_until_dependents_are_gone(&change);
    return change_delete(&change, NULL, NULL);
}

void handle_delete(const struct call *call)
{
    struct delete_options options;
    if (!read_delete_options(call, &options))
        return;
    const struct change change = call_change(call);
    call_lock(call);
    const struct change_result result = delete_one(call, &change, &options);
    call_unlock(call);
    if (result.refused)
        call_refuse(call, result.status);
    else if (!result.gone)
        call_respond(call, 200, result.object);
    else
        call_refuse(call, (struct status){.code = 200,
                                          .name = change.name,
                                          .group = call->type->group,
                                          .kind = call->type->plural,
                                          .uid = datum_at(result.object, "metadata.uid")});
}

void handle_delete_all(const struct call *call)
{
    struct delete_options options;
    snapshot_vec snapshots = {0};
    uint64_t version = 0;
    if (!read_delete_options(call, &options) || !call_select(call, &snapshots, &version))
        return;
    call_lock(call);
    for (uint32_t i = 0; i < snapshots.count; i++) {
        const struct datum *object = snapshots.items[i]->object;
        struct change change = call_change(call);
        change.name_space = datum_text(datum_at(object, "metadata.namespace"), "");
        change.name = datum_text(datum_at(object, "metadata.name"), "");
        delete_one(call, &change, &options);
    }
    version = call->server->store.version;
    call_unlock(call);
    call_respond_list(call, &snapshots, version);
}
