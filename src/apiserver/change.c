/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/change.h"

#include "apiserver/names.h"
#include "base/base64.h"

#include <string.h>

const struct datum *change_stored(const struct change *change)
{
    const struct object_store_entry *entry =
        object_store_find(&change->server->store, change->type, change->name_space, change->name);
    return entry ? entry->snapshot->object : NULL;
}

static struct change_result refusal(struct status status)
{
    return (struct change_result){.refused = true, .status = status};
}

static struct change_result refused_as(const struct change *change, enum api_error error,
                                       const char *message)
{
    return refusal(status_of_error(change->arena, change->type, change->name, error, message));
}

static const struct datum *with(const struct change *change, const struct datum *object,
                                const char *path, const struct datum *value)
{
    return datum_with(change->arena, object, path, value);
}

static const struct datum *text(const struct change *change, const char *content)
{
    return datum_string(change->arena, content);
}

/* --- What the server itself writes into objects --- */

/* Moves stringData into data. */
static const struct datum *secret_data(const struct change *change, const struct datum *object)
{
    const struct datum *plain = datum_member(object, "stringData");
    if (strcmp(change->type->kind, "Secret") != 0 || !plain || plain->kind != DATUM_OBJECT)
        return object;
    const struct datum *data = datum_member(object, "data");
    struct datum_member *members =
        ARENA_ARRAY(change->arena, struct datum_member,
                    plain->count + (data && data->kind == DATUM_OBJECT ? data->count : 0) + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; data && data->kind == DATUM_OBJECT && i < data->count; i++)
        members[count++] = data->members[i];
    for (uint32_t i = 0; i < plain->count; i++) {
        const struct datum *value = plain->members[i].value;
        if (value->kind != DATUM_STRING)
            return object;
        members[count++] = (struct datum_member){
            plain->members[i].key,
            text(change, base64_encode(change->arena, value->text, value->count))};
    }
    object = with(change, object, "data", datum_object(change->arena, members, count));
    return with(change, object, "stringData", NULL);
}

/* Namespaces and definitions keep a finalizer until the collector has emptied them. */
static const struct datum *kept_by_collector(const struct change *change,
                                             const struct datum *object)
{
    const bool name_space = strcmp(change->type->kind, "Namespace") == 0;
    const bool definition = strcmp(change->type->kind, "CustomResourceDefinition") == 0;
    if ((!name_space && !definition) || change->server->settings.no_collector ||
        change->by_collector)
        return object;
    const char *finalizer = name_space ? NAMESPACE_FINALIZER : DEFINITION_FINALIZER;
    const struct datum *finalizers = datum_at(object, "metadata.finalizers");
    const uint32_t count = finalizers && finalizers->kind == DATUM_LIST ? finalizers->count : 0;
    const struct datum **items = ARENA_ARRAY(change->arena, const struct datum *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = finalizers->items[i];
        if (strcmp(datum_text(items[i], ""), finalizer) == 0)
            return object;
    }
    items[count] = text(change, finalizer);
    return with(change, object, "metadata.finalizers", datum_list(change->arena, items, count + 1));
}

/* Sets the status or spec that some kinds have from their creation on. */
static const struct datum *initial_content(const struct change *change, const struct datum *object)
{
    const char *kind = change->type->kind;
    if (strcmp(kind, "Secret") == 0 && !datum_member(object, "type"))
        object = with(change, object, "type", text(change, "Opaque"));
    if (strcmp(kind, "Namespace") == 0)
        object = with(change, object, "metadata.labels[\"kubernetes.io/metadata.name\"]",
                      text(change, change->name));
    return kept_by_collector(change, object);
}

static bool same_but_for_metadata(const struct change *change, const struct datum *left,
                                  const struct datum *right)
{
    static const char *const compared_separately[] = {"apiVersion", "kind", "metadata", "status"};
    for (size_t i = 0; i < sizeof(compared_separately) / sizeof(*compared_separately); i++) {
        left = with(change, left, compared_separately[i], NULL);
        right = with(change, right, compared_separately[i], NULL);
    }
    return datum_equal(left, right);
}

static const struct datum *next_generation(const struct change *change, const struct datum *stored)
{
    return datum_integer(change->arena,
                         datum_number(datum_at(stored, "metadata.generation"), 0) + 1);
}

/* Fields of the metadata that are the server's, whatever the client sends. */
static const struct datum *server_fields(const struct change *change, const struct datum *object,
                                         const struct datum *stored)
{
    static const char *const kept[] = {"metadata.creationTimestamp", "metadata.generation",
                                       "metadata.deletionGracePeriodSeconds"};
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        object = with(change, object, kept[i], datum_at(stored, kept[i]));
    object = with(change, object, "metadata.managedFields", NULL);
    object = with(change, object, "metadata.selfLink", NULL);
    if (stored && change->type->counts_generations &&
        !same_but_for_metadata(change, object, stored))
        object = with(change, object, "metadata.generation", next_generation(change, stored));
    return object;
}

/* --- What is checked before the verbs are asked --- */

/* NULL, or why the object does not fit the request. */
static const char *misfit(const struct change *change, const struct datum *object)
{
    if (!object || object->kind != DATUM_OBJECT)
        return "the object provided is unrecognized: it is not an object";
    const struct datum *metadata = datum_member(object, "metadata");
    if (metadata && metadata->kind != DATUM_OBJECT)
        return "the object provided is unrecognized: metadata is not an object";
    const char *kind = datum_text(datum_member(object, "kind"), "");
    const char *api_version = datum_text(datum_member(object, "apiVersion"), "");
    const char *wanted = resource_api_version(change->arena, change->type, change->version);
    if (*kind && strcmp(kind, change->type->kind) != 0)
        return arena_printf(change->arena,
                            "the object provided is unrecognized (must be of type %s): found %s",
                            change->type->kind, kind);
    if (*api_version && strcmp(api_version, wanted) != 0)
        return arena_printf(change->arena,
                            "the API version in the data (%s) does not match the expected API "
                            "version (%s)",
                            api_version, wanted);
    return NULL;
}

/* In the version in which it is stored. */
static const struct datum *identified(const struct change *change, const struct datum *object)
{
    object = with(change, object, "kind", text(change, change->type->kind));
    return with(change, object, "apiVersion",
                text(change, resource_api_version(change->arena, change->type,
                                                  change->type->versions[0].name)));
}

static const char *namespace_trouble(const struct change *change)
{
    if (!change->type->namespaced)
        return NULL;
    const struct object_store *store = &change->server->store;
    const struct resource_type *namespaces =
        resource_type_find(&store->types, "", "v1", "namespaces", NULL);
    const struct object_store_entry *entry =
        object_store_find(store, namespaces, "", change->name_space);
    if (!entry)
        return "absent";
    return datum_at(entry->snapshot->object, "metadata.deletionTimestamp") ? "terminating" : NULL;
}

static struct change_result refuse_namespace(const struct change *change, const char *trouble)
{
    const struct object_store *store = &change->server->store;
    if (strcmp(trouble, "absent") == 0)
        return refusal(status_of_error(
            change->arena, resource_type_find(&store->types, "", "v1", "namespaces", NULL),
            change->name_space, API_NOT_FOUND, ""));
    return refused_as(
        change, API_FORBIDDEN,
        arena_printf(change->arena,
                     "unable to create new content in namespace %s because it is being terminated",
                     change->name_space));
}

static bool is_full(const struct change *change)
{
    const size_t most = change->server->settings.bytes_most;
    return most && !change->by_collector && change->server->store.object_bytes > most;
}

/* Its definition may have been deleted since the type was looked up. */
static bool is_served(const struct change *change)
{
    const struct resource_types *types = &change->server->store.types;
    return resource_type_has_place(types, change->type) &&
           !types->items[change->type->index]->out_of_service;
}

static bool is_one_definition_too_many(const struct change *change, const struct datum *object)
{
    return strcmp(change->type->kind, "CustomResourceDefinition") == 0 &&
           resource_types_full(&change->server->store.types, object);
}

static struct change_result refuse_full(const struct change *change)
{
    return refused_as(change, API_INTERNAL_ERROR, "database space exceeded");
}

/* --- Writing --- */

static void follow_definition(const struct change *change, const struct datum *object, bool gone)
{
    if (strcmp(change->type->kind, "CustomResourceDefinition") != 0)
        return;
    if (gone)
        resource_type_retire(&change->server->store.types, object);
    else
        resource_type_define(&change->server->store.types, object);
}

/* Stores what the verb decided. */
static struct change_result settle(const struct change *change, const struct api_outcome *outcome,
                                   const struct datum *stored, uint64_t version)
{
    struct object_store *store = &change->server->store;
    const bool gone = outcome->written && !outcome->stored;
    const struct datum *object = outcome->stored ? outcome->stored : outcome->reply;
    if (gone && !object) /* of a delete: as it was, with the version of the deletion */
        object =
            with(change, stored, "metadata.resourceVersion", datum_version(change->arena, version));
    const struct change_result result = {
        .object = object, .gone = gone, .unchanged = !outcome->written};
    if (!outcome->written || change->dry_run)
        return result;
    object_store_write(store, change->type, change->name_space,
                       datum_text(datum_at(object, "metadata.name"), change->name), object, gone,
                       version);
    if (outcome->uid_used)
        store->uid++;
    follow_definition(change, object, gone);
    return result;
}

static struct api_request request_of(const struct change *change, enum api_verb verb,
                                     const struct datum *object)
{
    return (struct api_request){
        .verb = verb,
        .key = {change->type->kind, change->name_space, change->name},
        .object = object,
    };
}

/* A name that nobody has. */
static const char *generate_name(const struct change *change, const char *prefix)
{
    const struct object_store *store = &change->server->store;
    for (uint64_t try = 0;; try++) {
        const char *name = name_generate(change->arena, prefix, store->uid + try);
        if (!object_store_find(store, change->type, change->name_space, name))
            return name;
    }
}

static struct change_result established(const struct change *change, struct change_result created);

struct change_result change_create(const struct change *original, const struct datum *object)
{
    struct change change = *original;
    if (!is_served(&change))
        return refusal(status_path_unknown());
    const char *why = misfit(&change, object);
    if (why)
        return refusal(status_bad_request(why));
    const char *trouble = namespace_trouble(&change);
    if (trouble)
        return refuse_namespace(&change, trouble);
    if (is_full(&change))
        return refuse_full(&change);
    if (is_one_definition_too_many(&change, object))
        return refused_as(&change, API_FORBIDDEN,
                          arena_printf(change.arena, "this server keeps at most %d definitions",
                                       RESOURCE_DEFINITIONS_MOST));
    const struct datum *version = datum_at(object, "metadata.resourceVersion");
    if (version && !(version->kind == DATUM_STRING && !version->count))
        return refusal(status_bad_request("resourceVersion should not be set on objects to be "
                                          "created"));
    struct object_store *store = &change.server->store;
    change.name = datum_text(datum_at(object, "metadata.name"), "");
    struct api_numbers numbers = {
        .version = store->version + 1,
        .uid = store->uid,
        .now = text(&change, apiserver_now(change.server, change.arena)),
    };
    if (!*change.name) {
        const char *prefix = datum_text(datum_at(object, "metadata.generateName"), "");
        if (*prefix)
            change.name = numbers.generated_name = generate_name(&change, prefix);
    }
    if (*change.name && !name_is_valid(change.type, change.name))
        return refused_as(&change, API_INVALID,
                          name_complaint(change.arena, change.type, change.name));
    object = server_fields(&change, secret_data(&change, identified(&change, object)), NULL);
    object = with(&change, object, "metadata.creationTimestamp", numbers.now);
    if (change.type->counts_generations)
        object = with(&change, object, "metadata.generation", datum_integer(change.arena, 1));
    object = initial_content(&change, object);
    const struct datum *stored = *change.name ? change_stored(&change) : NULL;
    const struct api_request request = request_of(&change, API_CREATE, object);
    const struct api_outcome outcome =
        api_apply(change.arena, change.type->rules, &request, stored, &numbers);
    if (outcome.error != API_OK)
        return refused_as(&change, outcome.error, outcome.message);
    return established(&change, settle(&change, &outcome, stored, numbers.version));
}

struct change_result change_update(const struct change *change, enum api_verb verb,
                                   const struct datum *object)
{
    const char *why = misfit(change, object);
    if (why)
        return refusal(status_bad_request(why));
    if (is_full(change))
        return refuse_full(change);
    const struct datum *stored = change_stored(change);
    object = server_fields(change, secret_data(change, identified(change, object)), stored);
    if (stored)
        object = kept_by_collector(change, object);
    const struct api_numbers numbers = {.version = change->server->store.version + 1};
    const struct api_request request = request_of(change, verb, object);
    const struct api_outcome outcome =
        api_apply(change->arena, change->type->rules, &request, stored, &numbers);
    if (outcome.error != API_OK)
        return refused_as(change, outcome.error, outcome.message);
    return settle(change, &outcome, stored, numbers.version);
}

/* What every cluster has. */
static bool is_permanent(const struct change *change)
{
    return strcmp(change->type->kind, "Namespace") == 0 &&
           (strcmp(change->name, "default") == 0 || strncmp(change->name, "kube-", 5) == 0);
}

struct change_result change_delete(const struct change *change, const struct datum *uid,
                                   const struct datum *version)
{
    if (is_permanent(change))
        return refused_as(change, API_FORBIDDEN, "this namespace may not be deleted");
    const struct datum *stored = change_stored(change);
    const struct api_numbers numbers = {
        .version = change->server->store.version + 1,
        .now = text(change, apiserver_now(change->server, change->arena)),
    };
    struct api_request request = request_of(change, API_DELETE, NULL);
    request.uid_precondition = uid;
    request.version_precondition = version;
    struct api_outcome outcome =
        api_apply(change->arena, change->type->rules, &request, stored, &numbers);
    if (outcome.error != API_OK)
        return refused_as(change, outcome.error, outcome.message);
    if (outcome.written && outcome.stored) {
        outcome.stored = with(change, outcome.stored, "metadata.deletionGracePeriodSeconds",
                              datum_integer(change->arena, 0));
        if (change->type->counts_generations)
            outcome.stored = with(change, outcome.stored, "metadata.generation",
                                  next_generation(change, stored));
    }
    return settle(change, &outcome, stored, numbers.version);
}

/* --- What controllers of the real server would do at once --- */

static const struct datum *condition(const struct change *change, const char *type,
                                     const char *reason, const char *message)
{
    const struct datum_member members[] = {
        {"type", text(change, type)},
        {"status", text(change, "True")},
        {"reason", text(change, reason)},
        {"message", text(change, message)},
        {"lastTransitionTime", text(change, apiserver_now(change->server, change->arena))},
    };
    return datum_object(change->arena, members, sizeof(members) / sizeof(*members));
}

static const struct datum *first_status(const struct change *change, const struct datum *object)
{
    if (strcmp(change->type->kind, "Namespace") == 0)
        return with(change, NULL, "phase", text(change, "Active"));
    if (strcmp(change->type->kind, "CustomResourceDefinition") != 0)
        return NULL;
    const struct datum *conditions[] = {
        condition(change, "NamesAccepted", "NoConflicts", "no conflicts found"),
        condition(change, "Established", "InitialNamesAccepted",
                  "the initial names have been accepted"),
    };
    const struct datum *stored_version =
        text(change, resource_type_find(&change->server->store.types,
                                        datum_text(datum_at(object, "spec.group"), ""), NULL,
                                        datum_text(datum_at(object, "spec.names.plural"), ""), NULL)
                         ->versions[0]
                         .name);
    const struct datum_member members[] = {
        {"acceptedNames", datum_at(object, "spec.names")},
        {"conditions", datum_list(change->arena, conditions, 2)},
        {"storedVersions", datum_list(change->arena, &stored_version, 1)},
    };
    return datum_object(change->arena, members, sizeof(members) / sizeof(*members));
}

/* Namespaces are active, definitions established, as soon as they are there. */
static struct change_result established(const struct change *change, struct change_result created)
{
    if (created.refused || change->dry_run)
        return created;
    const struct datum *status = first_status(change, created.object);
    if (!status)
        return created;
    const struct datum *object = with(change, created.object, "status", status);
    struct change own = *change;
    own.version = own.type->versions[0].name;
    return change_update(&own, API_UPDATE_STATUS, object);
}
