/* SPDX-License-Identifier: Apache-2.0 */
/* Notes from the API server's audit log, whatever its level. */
#include "tracing/import/notes_audit.h"

#include "object/meta.h"
#include "recording/audit_event.h"
#include "tracing/import/notes_object.h"

#include <stdlib.h>
#include <string.h>

/* Accounts of the system are controllers; all others are users. */
static bool is_user(const struct audit_event *event)
{
    return !event->actor && (!event->user || strncmp(event->user, "system:", 7) != 0);
}

/* "system:serviceaccount:shop:operator" -> "shop/operator"; kube-system is left out. */
static const char *actor_name(struct note_collection *collection, const struct audit_event *event)
{
    static const char account[] = "system:serviceaccount:";
    const char *user = event->user ? event->user : "unknown";
    if (event->actor)
        return notes_intern(collection, event->actor);
    if (strncmp(user, account, sizeof(account) - 1) != 0)
        return notes_intern(collection, user);
    user += sizeof(account) - 1;
    const char *colon = strchr(user, ':');
    if (!colon)
        return notes_intern(collection, user);
    if (strncmp(user, "kube-system:", 12) == 0)
        return notes_intern(collection, colon + 1);
    const struct arena_mark mark = arena_mark(collection->arena);
    const char *name =
        arena_printf(collection->arena, "%.*s/%s", (int)(colon - user), user, colon + 1);
    if (map_get(&collection->names, name)) {
        const char *interned = notes_intern(collection, name);
        arena_rewind(collection->arena, mark);
        return interned;
    }
    return notes_intern(collection, name);
}

/* Requests that ask a question in the form of a creation, and store nothing. */
static bool stores_nothing(const struct audit_event *event)
{
    static const char *const resources[] = {
        "tokenreviews",
        "subjectaccessreviews",
        "selfsubjectaccessreviews",
        "localsubjectaccessreviews",
        "selfsubjectrulesreviews",
        "selfsubjectreviews",
    };
    static const char *const subresources[] = {"token", "exec", "attach", "portforward", "proxy"};
    for (size_t i = 0; i < sizeof(resources) / sizeof(*resources); i++)
        if (strcmp(event->resource, resources[i]) == 0)
            return true;
    for (size_t i = 0; event->subresource && i < sizeof(subresources) / sizeof(*subresources); i++)
        if (strcmp(event->subresource, subresources[i]) == 0)
            return true;
    return false;
}

/* Without bodies the name of what is created may not be known. */
static const char *name_of(struct note_collection *collection, const struct audit_event *event)
{
    if (event->name)
        return event->name;
    if (strcmp(event->verb, "deletecollection") == 0)
        return "*";
    return arena_printf(collection->arena, "?%s", event->id ? event->id : "");
}

static const char *refusal(struct note_collection *collection, const struct value *document,
                           const struct audit_event *event)
{
    const char *message = value_find_string(value_find(document, "responseStatus"), "message");
    if (!message)
        message = value_find_string(event->response, "message");
    return notes_intern(collection, message);
}

/* A subresource answers with an object of another kind, or with a Status. */
static const struct value *object_after(const struct audit_event *event)
{
    const char *kind = value_find_string(event->response, "kind");
    return kind && event->kind && strcmp(kind, event->kind) == 0 ? event->response : NULL;
}

static void take_bodies(struct note_collection *collection, struct note *note,
                        const struct audit_event *event)
{
    const struct value *after = object_after(event);
    const struct value *metadata = value_find(event->request, "metadata");
    const char *node = value_find_string(value_find(event->request, "target"), "name");
    const char *version = value_find_string(metadata, "resourceVersion");
    note->says_spec = value_find(event->request, "spec") != NULL;
    if (strcmp(event->verb, "update") == 0 && version && note->version_read == NOTE_NONE)
        note->version_read = strtoll(version, NULL, 10);
    if (after) {
        notes_take_object(collection, note, after);
    } else if (event->request && note->creates && !event->subresource) {
        notes_take_object(collection, note, event->request);
        note->whole = false;
        note->version = NOTE_NONE;
        note->generation = NOTE_NONE;
    } else if (event->response && event->subresource && strcmp(event->subresource, "scale") == 0) {
        version = value_find_string(value_find(event->response, "metadata"), "resourceVersion");
        if (version)
            note->version = strtoll(version, NULL, 10);
        note->says_spec = true;
    }
    if (node)
        note->named = notes_one_thing(collection, notes_thing(collection, "Node", "", node));
}

void notes_add_audit(struct note_collection *collection, const struct value *document)
{
    struct audit_event event;
    if (!audit_event_read(document, &event)) {
        collection->reads++;
        return;
    }
    if (stores_nothing(&event)) {
        collection->reviews++;
        return;
    }
    if (strcmp(event.resource, "leases") == 0) {
        collection->heartbeats++;
        return;
    }
    if (strcmp(event.resource, "events") == 0) {
        if (event.code < 400 && (event.response || event.request))
            notes_add_event(collection, event.response ? event.response : event.request);
        else
            collection->nameless++;
        return;
    }
    const char *kind = event.kind ? event.kind : event.resource;
    struct note note = {
        .start_ns = event.start_ns == TIME_NONE ? event.end_ns : event.start_ns,
        .end_ns = event.end_ns == TIME_NONE ? event.start_ns : event.end_ns,
        .version_read = strcmp(event.verb, "update") == 0 ? event.version_read : NOTE_NONE,
        .version = NOTE_NONE,
        .generation = NOTE_NONE,
        .observed = NOTE_NONE,
        .actor = actor_name(collection, &event),
        .action = notes_intern(collection, audit_action(&event)),
        .code = (uint16_t)event.code,
        .kind = event.code >= 400 ? NOTE_REFUSED : NOTE_WRITE,
        .source = SOURCE_AUDIT,
        .user = is_user(&event),
        .creates = strcmp(event.verb, "create") == 0 && !event.subresource,
        .deletes = strcmp(event.verb, "delete") == 0 || strcmp(audit_action(&event), "evict") == 0,
        .patches = strcmp(event.verb, "patch") == 0,
    };
    if (note.start_ns == TIME_NONE)
        note.start_ns = note.end_ns = 0;
    if (note.end_ns < note.start_ns)
        note.end_ns = note.start_ns;
    note.thing = notes_thing(collection, kind, event.namespace, name_of(collection, &event));
    note.id =
        notes_id("audit", event.id ? event.id : "",
                 event.id ? "" : arena_printf(collection->arena, "%u", collection->notes.count));
    if (event.id)
        note.origin = arena_strdup(collection->arena, event.id);
    if (note.kind == NOTE_REFUSED)
        note.message = refusal(collection, document, &event);
    else
        take_bodies(collection, &note, &event);
    if (note.kind == NOTE_WRITE && note.version_read != NOTE_NONE &&
        note.version == note.version_read)
        note.kind = NOTE_NOTHING;
    VEC_PUSH(collection->arena, &collection->notes, note);
}
