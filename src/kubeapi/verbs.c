/* SPDX-License-Identifier: Apache-2.0 */
#include "kubeapi/verbs.h"

#include <string.h>

static const char *const error_names[] = {
    [API_OK] = "Ok",
    [API_BAD_REQUEST] = "BadRequest",
    [API_CONFLICT] = "Conflict",
    [API_FORBIDDEN] = "Forbidden",
    [API_INVALID] = "Invalid",
    [API_NOT_FOUND] = "NotFound",
    [API_ALREADY_EXISTS] = "AlreadyExists",
    [API_NOT_SUPPORTED] = "NotSupported",
    [API_INTERNAL_ERROR] = "InternalError",
    [API_TIMEOUT] = "Timeout",
    [API_SERVER_TIMEOUT] = "ServerTimeout",
    [API_OTHER] = "Other",
};

static const char *const verb_names[] = {
    [API_GET] = "get",
    [API_LIST] = "list",
    [API_CREATE] = "create",
    [API_UPDATE] = "update",
    [API_UPDATE_STATUS] = "updateStatus",
    [API_DELETE] = "delete",
    [API_EXTERNAL] = "ext",
};

const char *api_error_name(enum api_error error)
{
    return error_names[error];
}

bool api_error_parse(const char *name, enum api_error *error)
{
    for (size_t i = 0; i < sizeof(error_names) / sizeof(error_names[0]); i++) {
        if (strcmp(name, error_names[i]) == 0) {
            *error = (enum api_error)i;
            return true;
        }
    }
    return false;
}

const char *api_verb_name(enum api_verb verb)
{
    return verb_names[verb];
}

bool api_verb_parse(const char *name, enum api_verb *verb)
{
    for (size_t i = 0; i < sizeof(verb_names) / sizeof(verb_names[0]); i++) {
        if (strcmp(name, verb_names[i]) == 0) {
            *verb = (enum api_verb)i;
            return true;
        }
    }
    return false;
}

/* What the checks and effects of one request have in common. */
struct verb_call {
    struct arena *arena;
    const struct api_kind *kind;
    const struct api_request *request;
    const struct datum *stored;
    const struct api_numbers *numbers;
};

__attribute__((format(printf, 3, 4))) static struct api_outcome
refused(const struct verb_call *call, enum api_error error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(call->arena, format, arguments);
    va_end(arguments);
    return (struct api_outcome){.error = error, .message = message, .stored = call->stored};
}

static struct api_outcome answered(const struct verb_call *call, const struct datum *reply)
{
    return (struct api_outcome){.error = API_OK, .reply = reply, .stored = call->stored};
}

static const struct datum *with(const struct verb_call *call, const struct datum *object,
                                const char *path, const struct datum *value)
{
    return datum_with(call->arena, object, path, value);
}

static const struct datum *copied(const struct verb_call *call, const struct datum *object,
                                  const struct datum *from, const char *path)
{
    return with(call, object, path, datum_at(from, path));
}

/* A text, NULL where there is none or it is empty. */
static const char *text_at(const struct datum *object, const char *path)
{
    const char *text = datum_text(datum_at(object, path), "");
    return *text ? text : NULL;
}

/* The API server writes out no empty labels, annotations, owners and finalizers. */
static const struct datum *without_empty_lists(const struct verb_call *call,
                                               const struct datum *object)
{
    static const char *const paths[] = {"metadata.labels", "metadata.annotations",
                                        "metadata.ownerReferences", "metadata.finalizers"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        const struct datum *value = datum_at(object, paths[i]);
        if (value && (value->kind == DATUM_LIST || value->kind == DATUM_OBJECT) &&
            value->count == 0)
            object = with(call, object, paths[i], NULL);
    }
    return object;
}

/* --- Checks --- */

static bool texts(const struct datum *value, enum datum_kind kind)
{
    if (!value)
        return true;
    if (value->kind != kind)
        return false;
    for (uint32_t i = 0; i < value->count; i++) {
        const struct datum *item = kind == DATUM_LIST ? value->items[i] : value->members[i].value;
        /* Controllers note versions and uids in annotations. */
        if (item->kind != DATUM_STRING && item->kind != DATUM_VERSION && item->kind != DATUM_UID)
            return false;
    }
    return true;
}

static bool owners_parse(const struct datum *owners)
{
    if (!owners)
        return true;
    if (owners->kind != DATUM_LIST)
        return false;
    for (uint32_t i = 0; i < owners->count; i++)
        if (!text_at(owners->items[i], "kind") || !text_at(owners->items[i], "name") ||
            !datum_member(owners->items[i], "uid"))
            return false;
    return true;
}

static bool parses(const struct verb_call *call)
{
    const struct datum *object = call->request->object;
    if (!object || object->kind != DATUM_OBJECT)
        return false;
    const struct datum *metadata = datum_member(object, "metadata");
    if (metadata && metadata->kind != DATUM_OBJECT)
        return false;
    return texts(datum_member(metadata, "labels"), DATUM_OBJECT) &&
           texts(datum_member(metadata, "annotations"), DATUM_OBJECT) &&
           texts(datum_member(metadata, "finalizers"), DATUM_LIST) &&
           owners_parse(datum_member(metadata, "ownerReferences")) &&
           (!call->kind->parses || call->kind->parses(call->kind, object));
}

static uint32_t controlling_owners(const struct datum *object)
{
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    uint32_t count = 0;
    for (uint32_t i = 0; owners && i < owners->count; i++) {
        const struct datum *controls = datum_member(owners->items[i], "controller");
        count += controls && controls->kind == DATUM_TRUE;
    }
    return count;
}

static bool has_finalizers(const struct datum *object)
{
    const struct datum *finalizers = datum_at(object, "metadata.finalizers");
    return finalizers && finalizers->count > 0;
}

static bool is_being_deleted(const struct datum *object)
{
    return datum_at(object, "metadata.deletionTimestamp") != NULL;
}

static bool adds_finalizer(const struct datum *object, const struct datum *before)
{
    const struct datum *finalizers = datum_at(object, "metadata.finalizers");
    const struct datum *old = datum_at(before, "metadata.finalizers");
    for (uint32_t i = 0; finalizers && i < finalizers->count; i++) {
        bool known = false;
        for (uint32_t k = 0; old && k < old->count && !known; k++)
            known = datum_equal(finalizers->items[i], old->items[k]);
        if (!known)
            return true;
    }
    return false;
}

/* API_OK, or why the object may not be stored. `before`: NULL for a new one. */
static enum api_error judge(const struct verb_call *call, const struct datum *object,
                            const struct datum *before, const char **why)
{
    *why = "";
    if (controlling_owners(object) > 1) {
        *why = "metadata.ownerReferences: only one owner may be the controller";
        return API_INVALID;
    }
    if (before && is_being_deleted(before) && adds_finalizer(object, before)) {
        *why = "metadata.finalizers: no finalizers can be added while the object is being deleted";
        return API_FORBIDDEN;
    }
    const struct api_kind *kind = call->kind;
    if (kind->valid && !kind->valid(kind, call->arena, object, why))
        return API_INVALID;
    if (before && kind->valid_change && !kind->valid_change(kind, call->arena, object, before, why))
        return API_INVALID;
    return API_OK;
}

/* --- Create --- */

static struct api_outcome create(const struct verb_call *call)
{
    const struct api_request *request = call->request;
    const char *name = text_at(request->object, "metadata.name");
    const char *generate = text_at(request->object, "metadata.generateName");
    const char *name_space = text_at(request->object, "metadata.namespace");
    if (!name && !generate)
        return refused(call, API_INVALID, "metadata.name: name or generateName is required");
    if (name_space && strcmp(name_space, request->key.name_space) != 0)
        return refused(call, API_BAD_REQUEST,
                       "the namespace of the object (%s) is not that of the request (%s)",
                       name_space, request->key.name_space);
    if (!parses(call))
        return refused(call, API_BAD_REQUEST, "the object is not a %s", request->key.kind);
    if (!name && !call->numbers->generated_name)
        bug("a create with a generateName, and no name for it");
    const char *final = name ? name : call->numbers->generated_name;
    if (call->stored)
        return refused(call, API_ALREADY_EXISTS, "%s \"%s\" already exists", request->key.kind,
                       final);

    struct arena *arena = call->arena;
    const struct datum *made = without_empty_lists(call, request->object);
    made = with(call, made, "kind", datum_string(arena, request->key.kind));
    made = with(call, made, "metadata.name", datum_string(arena, final));
    made = with(call, made, "metadata.namespace",
                *request->key.name_space ? datum_string(arena, request->key.name_space) : NULL);
    made =
        with(call, made, "metadata.resourceVersion", datum_version(arena, call->numbers->version));
    made = with(call, made, "metadata.uid", datum_uid(arena, call->numbers->uid));
    made = with(call, made, "metadata.deletionTimestamp", NULL);
    if (!call->kind->status_is_given)
        made = with(call, made, "status", NULL); /* whatever the client says of it */
    const char *why = NULL;
    const enum api_error error = judge(call, made, NULL, &why);
    if (error != API_OK)
        return refused(call, error, "%s", why);
    return (struct api_outcome){.reply = made,
                                .stored = made,
                                .written = true,
                                .version_used = true,
                                .uid_used = true,
                                .unsettles = true};
}

/* --- Update, UpdateStatus --- */

static bool is_given(const struct datum *value)
{
    return value && !(value->kind == DATUM_STRING && value->count == 0);
}

/* The admission that both share. API_OK: go on. */
static struct api_outcome admit_update(const struct verb_call *call)
{
    const struct api_request *request = call->request;
    const char *name = text_at(request->object, "metadata.name");
    const char *name_space = text_at(request->object, "metadata.namespace");
    if (!name)
        return refused(call, API_BAD_REQUEST, "metadata.name: the object has no name");
    if (strcmp(name, request->key.name) != 0)
        return refused(call, API_BAD_REQUEST,
                       "the name of the object (%s) is not that of the request (%s)", name,
                       request->key.name);
    if (name_space && strcmp(name_space, request->key.name_space) != 0)
        return refused(call, API_BAD_REQUEST,
                       "the namespace of the object (%s) is not that of the request (%s)",
                       name_space, request->key.name_space);
    if (!parses(call))
        return refused(call, API_BAD_REQUEST, "the object is not a %s", request->key.kind);
    if (!call->stored)
        return refused(call, API_NOT_FOUND, "%s \"%s\" not found", request->key.kind,
                       request->key.name);
    const struct datum *version = datum_at(request->object, "metadata.resourceVersion");
    const struct datum *uid = datum_at(request->object, "metadata.uid");
    if (!is_given(version) && call->kind->custom)
        return refused(call, API_INVALID,
                       "metadata.resourceVersion: must be specified for an update");
    if (is_given(version) &&
        !datum_equal(version, datum_at(call->stored, "metadata.resourceVersion")))
        return refused(call, API_CONFLICT,
                       "the object has been modified; please apply your changes to the latest "
                       "version and try again");
    if (is_given(uid) && !datum_equal(uid, datum_at(call->stored, "metadata.uid")))
        return refused(call, API_INTERNAL_ERROR,
                       "the uid of the object is not that of the stored one");
    return answered(call, NULL);
}

/* What an update would store, with the old resource version. */
static const struct datum *update_candidate(const struct verb_call *call)
{
    const struct datum *stored = call->stored;
    const struct datum *made = without_empty_lists(call, call->request->object);
    static const char *const kept[] = {
        "kind",         "metadata.namespace",         "metadata.resourceVersion",
        "metadata.uid", "metadata.deletionTimestamp", "metadata.creationTimestamp",
        "status",
    };
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        made = copied(call, made, stored, kept[i]);
    if (!datum_member(made, "apiVersion"))
        made = copied(call, made, stored, "apiVersion");
    return made;
}

/* Stores the candidate, which has the old resource version, if it may be. */
static struct api_outcome replace(const struct verb_call *call, const struct datum *candidate)
{
    if (datum_equal(candidate, call->stored))
        return answered(call, call->stored);
    candidate = with(call, candidate, "metadata.resourceVersion",
                     datum_version(call->arena, call->numbers->version));
    const char *why = NULL;
    const enum api_error error = judge(call, candidate, call->stored, &why);
    if (error != API_OK)
        return refused(call, error, "%s", why);
    return (struct api_outcome){
        .reply = candidate, .stored = candidate, .written = true, .version_used = true};
}

static struct api_outcome update(const struct verb_call *call)
{
    struct api_outcome outcome = admit_update(call);
    if (outcome.error != API_OK)
        return outcome;
    outcome = replace(call, update_candidate(call));
    if (!outcome.written)
        return outcome;
    if (is_being_deleted(outcome.stored) && !has_finalizers(outcome.stored))
        outcome.stored = NULL; /* its last finalizer is gone */
    else
        outcome.unsettles = true;
    return outcome;
}

static struct api_outcome update_status(const struct verb_call *call)
{
    const struct api_outcome outcome = admit_update(call);
    if (outcome.error != API_OK)
        return outcome;
    return replace(call, copied(call, call->stored, call->request->object, "status"));
}

/* --- Delete --- */

static struct api_outcome delete (const struct verb_call *call)
{
    const struct api_request *request = call->request;
    const struct datum *stored = call->stored;
    if (!stored)
        return refused(call, API_NOT_FOUND, "%s \"%s\" not found", request->key.kind,
                       request->key.name);
    if (request->uid_precondition &&
        !datum_equal(request->uid_precondition, datum_at(stored, "metadata.uid")))
        return refused(call, API_CONFLICT, "the uid is not that of the precondition");
    if (request->version_precondition &&
        !datum_equal(request->version_precondition, datum_at(stored, "metadata.resourceVersion")))
        return refused(call, API_CONFLICT, "the resourceVersion is not that of the precondition");
    if (!has_finalizers(stored))
        return (struct api_outcome){.written = true, .version_used = true};
    if (is_being_deleted(stored))
        return answered(call, NULL);
    const struct datum *now = call->numbers->now ? call->numbers->now : datum_bool(true);
    const struct datum *marked = with(call, stored, "metadata.deletionTimestamp", now);
    marked = with(call, marked, "metadata.resourceVersion",
                  datum_version(call->arena, call->numbers->version));
    return (struct api_outcome){.stored = marked, .written = true, .version_used = true};
}

struct api_outcome api_apply(struct arena *arena, const struct api_kind *kind,
                             const struct api_request *request, const struct datum *stored,
                             const struct api_numbers *numbers)
{
    const struct verb_call call = {
        .arena = arena, .kind = kind, .request = request, .stored = stored, .numbers = numbers};
    switch (request->verb) {
    case API_GET:
        return stored ? answered(&call, stored)
                      : refused(&call, API_NOT_FOUND, "%s \"%s\" not found", request->key.kind,
                                request->key.name);
    case API_CREATE: return create(&call);
    case API_UPDATE: return update(&call);
    case API_UPDATE_STATUS: return update_status(&call);
    case API_DELETE: return delete (&call);
    case API_LIST:
    case API_EXTERNAL: break;
    }
    bug("the verb %s looks at more than one key", api_verb_name(request->verb));
}

bool api_is_orphan(const struct datum *object, const struct api_store_view *view)
{
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    if (!owners || owners->count == 0)
        return false;
    for (uint32_t i = 0; i < owners->count; i++) {
        const struct datum *reference = owners->items[i];
        const struct object_key key = {
            .kind = datum_text(datum_member(reference, "kind"), ""),
            .name_space = datum_text(datum_at(object, "metadata.namespace"), ""),
            .name = datum_text(datum_member(reference, "name"), ""),
        };
        const struct datum *owner = view->find(view->store, &key);
        if (owner && datum_equal(datum_at(owner, "metadata.uid"), datum_member(reference, "uid")))
            return false;
    }
    return true;
}
