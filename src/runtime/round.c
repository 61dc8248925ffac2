/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/round.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MOST = 100000 }; /* of a round that never ends */

struct runtime_round {
    struct reconciler *reconciler;
    struct arena *arena;
    struct problems *problems;
    const struct datum *custom_resource;
    struct round_result result;
};

static const struct place nowhere = {0};

/* Above all resource versions, for what the application's model counts. */
static const uint64_t fresh_version = UINT64_C(1) << 60;

/* --- Objects on their way in and out --- */

static const struct datum *edit_owners(const struct runtime_round *round,
                                       const struct datum *object, bool outward)
{
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    for (uint32_t i = 0; owners && owners->kind == DATUM_LIST && i < owners->count; i++) {
        const char *kind = datum_text(datum_member(owners->items[i], "kind"), "");
        const struct datum *version = datum_member(owners->items[i], "apiVersion");
        const char *path = arena_printf(round->arena, "metadata.ownerReferences[%u].apiVersion", i);
        const struct kube_resource *resource =
            kube_resource_find(round->reconciler->resources, kind, NULL);
        if (outward && version)
            round->reconciler->owner_versions = true;
        else if (outward && resource)
            object = datum_with(round->arena, object, path,
                                datum_string(round->arena, resource->api_version));
        else if (!outward && version && !round->reconciler->owner_versions)
            object = datum_with(round->arena, object, path, NULL);
    }
    return object;
}

static const struct datum *inward(const struct runtime_round *round,
                                  const struct kube_resource *resource, const struct datum *object)
{
    if (!object || object->kind != DATUM_OBJECT)
        return object;
    object = datum_with(round->arena, object, "metadata.managedFields", NULL);
    if (!datum_member(object, "kind")) { /* as items of lists */
        object =
            datum_with(round->arena, object, "kind", datum_string(round->arena, resource->kind));
        object = datum_with(round->arena, object, "apiVersion",
                            datum_string(round->arena, resource->api_version));
    }
    return edit_owners(round, object, false);
}

static const struct datum *outward(const struct runtime_round *round,
                                   const struct kube_resource *resource, const struct datum *object)
{
    object = datum_with(round->arena, object, "kind", datum_string(round->arena, resource->kind));
    object = datum_with(round->arena, object, "apiVersion",
                        datum_string(round->arena, resource->api_version));
    return edit_owners(round, object, true);
}

/* --- Requests --- */

static const struct datum *delete_options(const struct runtime_round *round,
                                          const struct api_request *request)
{
    struct arena *arena = round->arena;
    const struct datum *options =
        datum_with(arena, NULL, "propagationPolicy", datum_string(arena, "Background"));
    options = datum_with(arena, options, "kind", datum_string(arena, "DeleteOptions"));
    options = datum_with(arena, options, "apiVersion", datum_string(arena, "v1"));
    if (request->uid_precondition)
        options = datum_with(arena, options, "preconditions.uid", request->uid_precondition);
    if (request->version_precondition)
        options = datum_with(arena, options, "preconditions.resourceVersion",
                             request->version_precondition);
    return options;
}

static struct kube_reply send(const struct runtime_round *round, const struct api_request *request,
                              const struct kube_resource *resource)
{
    struct kube_client *client = round->reconciler->client;
    struct arena *arena = round->arena;
    const char *collection = kube_resource_path(arena, resource, request->key.name_space, "");
    const char *path =
        kube_resource_path(arena, resource, request->key.name_space, request->key.name);
    switch (request->verb) {
    case API_GET:
    case API_LIST: return kube_request(client, arena, "GET", path, NULL);
    case API_CREATE:
        return kube_request(client, arena, "POST", collection,
                            outward(round, resource, request->object));
    case API_UPDATE:
        return kube_request(client, arena, "PUT", path, outward(round, resource, request->object));
    case API_UPDATE_STATUS:
        return kube_request(client, arena, "PUT", arena_printf(arena, "%s/status", path),
                            outward(round, resource, request->object));
    case API_DELETE:
        return kube_request(client, arena, "DELETE", path, delete_options(round, request));
    case API_EXTERNAL: break;
    }
    bug("the verb %s is no request to an API server", api_verb_name(request->verb));
}

static const struct datum *items_inward(const struct runtime_round *round,
                                        const struct kube_resource *resource,
                                        const struct datum *list)
{
    const struct datum *items = datum_member(list, "items");
    const uint32_t count = items && items->kind == DATUM_LIST ? items->count : 0;
    const struct datum **each = ARENA_ARRAY(round->arena, const struct datum *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        each[i] = inward(round, resource, items->items[i]);
    return datum_list(round->arena, each, count);
}

/* A path with a "." inside a name would be another path. */
static bool is_sensible(const struct api_request *request)
{
    const bool needs_name = request->verb != API_LIST && request->verb != API_CREATE;
    const bool needs_object = request->verb == API_CREATE || request->verb == API_UPDATE ||
                              request->verb == API_UPDATE_STATUS;
    return (!needs_name || *request->key.name) &&
           (!needs_object || (request->object && request->object->kind == DATUM_OBJECT));
}

static struct kube_reply ask(struct runtime_round *round, const struct api_request *request,
                             const struct kube_resource **resource)
{
    struct reconciler *reconciler = round->reconciler;
    struct kube_reply reply = {.error = API_NOT_FOUND};
    const char *version = datum_text(datum_member(request->object, "apiVersion"), "");
    *resource =
        kube_resource_find(reconciler->resources, request->key.kind, *version ? version : NULL);
    if (!*resource) /* maybe its definition is new */
        kube_resources_discover(reconciler->resources, reconciler->client, &reply);
    *resource =
        kube_resource_find(reconciler->resources, request->key.kind, *version ? version : NULL);
    if (!*resource)
        return (struct kube_reply){
            .error = API_NOT_FOUND,
            .message =
                arena_printf(round->arena, "the API server knows no kind %s", request->key.kind)};
    if (!is_sensible(request))
        return (struct kube_reply){.error = API_BAD_REQUEST,
                                   .message = "the request has no name or no object"};
    return send(round, request, *resource);
}

/* Whether something is otherwise now: an update that changes nothing keeps the version. */
static bool has_written(const struct api_request *request, const struct kube_reply *reply)
{
    if (reply->error != API_OK || request->verb == API_GET || request->verb == API_LIST)
        return false;
    const struct datum *before = datum_at(request->object, "metadata.resourceVersion");
    return !before || !datum_equal(before, datum_at(reply->content, "metadata.resourceVersion"));
}

static void touch(struct reconciler *reconciler, const struct kube_resource *resource)
{
    for (uint32_t i = 0; i < reconciler->touched_count; i++)
        if (strcmp(reconciler->touched[i]->kind, resource->kind) == 0)
            return;
    if (reconciler->touched_count < TOUCHED_MOST)
        reconciler->touched[reconciler->touched_count++] = resource;
}

static struct controller_response respond(struct runtime_round *round,
                                          const struct api_request *request)
{
    struct reconciler *reconciler = round->reconciler;
    const struct kube_resource *resource = NULL;
    if (reconciler->before)
        reconciler->before(reconciler->context, request);
    const struct kube_reply reply = ask(round, request, &resource);
    if (resource)
        touch(reconciler, resource);
    round->result.requests++;
    round->result.writes += has_written(request, &reply);
    if (reply.error != API_OK)
        round->result.message = reply.message;
    if (reconciler->after)
        reconciler->after(reconciler->context, request, &reply);
    struct controller_response response = {.error = reply.error};
    if (reply.error != API_OK || request->verb == API_DELETE)
        return response;
    response.content = request->verb == API_LIST ? items_inward(round, resource, reply.content)
                                                 : inward(round, resource, reply.content);
    return response;
}

static int compare_objects(const void *left, const void *right)
{
    static const char *const paths[] = {"kind", "metadata.namespace", "metadata.name"};
    int order = 0;
    for (size_t i = 0; !order && i < sizeof(paths) / sizeof(*paths); i++)
        order = strcmp(datum_text(datum_at(*(const struct datum *const *)left, paths[i]), ""),
                       datum_text(datum_at(*(const struct datum *const *)right, paths[i]), ""));
    return order;
}

/* What the model of the application's API may look at: all objects of the kinds that
 * were asked about, in the namespace of the custom resource. */
static struct object_list read_store(struct runtime_round *round)
{
    VEC(const struct datum *) objects = {0};
    const char *name_space = datum_text(datum_at(round->custom_resource, "metadata.namespace"), "");
    for (uint32_t i = 0; i < round->reconciler->touched_count; i++) {
        const struct kube_resource *resource = round->reconciler->touched[i];
        const struct kube_reply reply =
            kube_request(round->reconciler->client, round->arena, "GET",
                         kube_resource_path(round->arena, resource, name_space, ""), NULL);
        const struct datum *items =
            reply.error == API_OK ? items_inward(round, resource, reply.content) : NULL;
        for (uint32_t j = 0; items && j < items->count; j++)
            VEC_PUSH(round->arena, &objects, items->items[j]);
    }
    if (objects.count)
        qsort(objects.items, objects.count, sizeof(*objects.items), compare_objects);
    return (struct object_list){objects.items, objects.count};
}

/* The application's API exists as a model only: its state is kept here. */
static bool respond_external(struct runtime_round *round, const struct api_request *request,
                             struct controller_response *response)
{
    struct reconciler *reconciler = round->reconciler;
    const struct controller *controller = reconciler->controller;
    if (!reconciler->may_model_external || !controller->external) {
        problem_error(round->problems, nowhere, NULL,
                      "the controller %s calls the API of its application, which is here only as "
                      "a model; --model-external runs with the model",
                      controller->name);
        return false;
    }
    const struct object_list store = read_store(round);
    const struct datum *after = NULL;
    if (!controller->external(controller, round->arena, request->object, &store,
                              reconciler->external, fresh_version + reconciler->external_calls++,
                              response, &after, round->problems))
        return false;
    /* The answer may be a part of the state, which goes now. */
    if (response->content)
        response->content = datum_copy(round->arena, response->content);
    struct arena kept;
    arena_init(&kept, reconciler->memory);
    reconciler->external = datum_copy(&kept, after);
    arena_release(&reconciler->external_arena);
    reconciler->external_arena = kept;
    return true;
}

/* --- The round --- */

static bool run_steps(struct runtime_round *round)
{
    const struct controller *controller = round->reconciler->controller;
    struct controller_response response = {0};
    bool has_response = false;
    const struct datum *local = NULL;
    if (!controller->init(controller, round->arena, &local, round->problems))
        return false;
    for (int steps = 0; steps < STEPS_MOST; steps++) {
        bool done = false;
        bool error = false;
        struct controller_answer answer = {0};
        if (!controller->status(controller, round->arena, local, &done, &error, round->problems))
            return false;
        if (done || error) {
            round->result.end = error ? ROUND_ERROR : ROUND_DONE;
            return true;
        }
        if (!controller->step(controller, round->arena, round->custom_resource,
                              has_response ? &response : NULL, local, &answer, round->problems))
            return false;
        local = answer.local;
        has_response = answer.has_request;
        if (!answer.has_request)
            continue;
        if (answer.request.verb != API_EXTERNAL)
            response = respond(round, &answer.request);
        else if (!respond_external(round, &answer.request, &response))
            return false;
    }
    problem_error(round->problems, nowhere, NULL, "a round of %s does not end", controller->name);
    return false;
}

struct round_result reconcile_round(struct reconciler *reconciler, struct arena *arena,
                                    const struct object_key *key, struct problems *problems)
{
    struct runtime_round round = {.reconciler = reconciler, .arena = arena, .problems = problems};
    const struct api_request get = {.verb = API_GET, .key = *key};
    const struct controller_response found = respond(&round, &get);
    round.result.requests = 0; /* of the controller itself */
    round.custom_resource = found.content;
    round.result.end = found.error == API_NOT_FOUND ? ROUND_GONE : ROUND_ERROR;
    if (found.error == API_OK) {
        round.result.message = NULL;
        if (!run_steps(&round))
            round.result.end = ROUND_BROKEN;
    }
    return round.result;
}
