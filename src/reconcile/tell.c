/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/tell.h"

#include "base/vec.h"
#include "reconcile/shapes.h"

#include <inttypes.h>
#include <string.h>

enum { FIELDS_MOST = 4, WRITERS_MOST = 512 };

struct writer {
    const char *object;
    uint32_t step;
};

struct telling {
    const struct environment *environment;
    const struct environment_options *options;
    struct arena *arena;
    const struct world *before;
    const struct world *after;
    struct writer writers[WRITERS_MOST]; /* who wrote an object last, or asked for it to be */
    uint32_t writer_count;
    uint32_t *copy_steps;    /* when each resource was last copied, for a round to come */
    uint32_t *round_steps;   /* the last step of each resource's round */
    uint32_t *request_steps; /* the step that sent the request that is pending or late */
    uint32_t
        *crash_steps; /* the crash that each resource's next round begins anew after; 0: none */
    uint32_t crash_step;
    uint32_t external_step; /* the last that changed the application's state */
};

/* --- Values and differences --- */

enum { WORDS_MOST = 60 };

static const char *value_words(struct arena *arena, const struct datum *value)
{
    if (!value)
        return "none";
    /* Long ones and those of several lines are quoted, and cut. */
    if (value->kind == DATUM_STRING && value->count <= WORDS_MOST && !strchr(value->text, '\n'))
        return value->text;
    if (value->kind == DATUM_VERSION)
        return arena_printf(arena, "version #%" PRIu64, value->number);
    if (value->kind == DATUM_UID)
        return arena_printf(arena, "uid #%" PRIu64, value->number);
    struct text text;
    text_init(&text, arena->memory);
    datum_write(&text, DATUM_TAGGED, value);
    const char *words = arena_printf(arena, "%.*s%s", WORDS_MOST, text_content(&text),
                                     text.length > WORDS_MOST ? "..." : "");
    text_release(&text);
    return words;
}

struct difference {
    const char *path;
    const struct datum *old, *new;
};

struct differences {
    struct difference items[FIELDS_MOST];
    uint32_t count;
    uint32_t more;
};

static void note_difference(struct differences *differences, const char *path,
                            const struct datum *old, const struct datum *new)
{
    if (differences->count == FIELDS_MOST)
        differences->more++;
    else
        differences->items[differences->count++] = (struct difference){path, old, new};
}

static bool is_nested(const struct datum *value)
{
    return value && value->kind == DATUM_OBJECT;
}

static const char *joined(struct arena *arena, const char *path, const char *key)
{
    return *path ? arena_printf(arena, "%s.%s", path, key) : key;
}

static bool is_ignored(const char *path)
{
    return strcmp(path, "metadata.resourceVersion") == 0 || strcmp(path, "metadata.uid") == 0 ||
           strcmp(path, "kind") == 0 || strcmp(path, "apiVersion") == 0 ||
           strcmp(path, "metadata.name") == 0 || strcmp(path, "metadata.namespace") == 0;
}

static void compare(struct arena *arena, const char *path, const struct datum *old,
                    const struct datum *new, struct differences *differences)
{
    if (datum_equal(old, new) || is_ignored(path))
        return;
    if ((!old || is_nested(old)) && (!new || is_nested(new)) &&
        (is_nested(old) || is_nested(new))) {
        for (uint32_t i = 0; old && i < old->count; i++)
            compare(arena, joined(arena, path, old->members[i].key), old->members[i].value,
                    datum_member(new, old->members[i].key), differences);
        for (uint32_t i = 0; new &&i < new->count; i++)
            if (!datum_member(old, new->members[i].key))
                compare(arena, joined(arena, path, new->members[i].key), NULL,
                        new->members[i].value, differences);
        return;
    }
    note_difference(differences, path, old, new);
}

/* What matters most first. */
static void compare_objects(struct arena *arena, const struct datum *old, const struct datum *new,
                            struct differences *differences)
{
    static const char *const first[] = {"spec", "data"};
    const struct datum *old_rest = old;
    const struct datum *new_rest = new;
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        compare(arena, first[i], datum_member(old, first[i]), datum_member(new, first[i]),
                differences);
        old_rest = datum_with(arena, old_rest, first[i], NULL);
        new_rest = datum_with(arena, new_rest, first[i], NULL);
    }
    compare(arena, "", old_rest, new_rest, differences);
}

/* "replicas 1 -> 2, data.conf a -> b"; of a new object "replicas 1". */
static const char *difference_words(struct arena *arena, const struct differences *differences,
                                    bool is_new)
{
    const char *words = "";
    for (uint32_t i = 0; i < differences->count; i++) {
        const struct difference *item = &differences->items[i];
        const char *path = strncmp(item->path, "spec.", 5) == 0 ? item->path + 5 : item->path;
        const char *separator = i > 0 ? ", " : "";
        if (strcmp(item->path, "metadata.ownerReferences") == 0)
            words = arena_printf(arena, "%s%s%s", words, separator,
                                 is_new ? "with an owner" : "with another owner");
        else if (is_new)
            words = arena_printf(arena, "%s%s%s %s", words, separator, path,
                                 value_words(arena, item->new));
        else
            words = arena_printf(arena, "%s%s%s %s -> %s", words, separator, path,
                                 value_words(arena, item->old), value_words(arena, item->new));
    }
    if (differences->more > 0)
        words = arena_printf(arena, "%s and %" PRIu32 " more", words, differences->more);
    return words;
}

static const char *key_words(struct arena *arena, const struct object_key *key)
{
    return arena_printf(arena, "%s/%s/%s", key->kind, key->name_space,
                        *key->name ? key->name : "*");
}

static const struct datum *object_in(const struct object_list *store, const struct object_key *key)
{
    for (uint32_t i = 0; i < store->count; i++) {
        const struct object_key other = object_key_of(store->items[i]);
        if (object_key_compare(&other, key) == 0)
            return store->items[i];
    }
    return NULL;
}

/* --- What the user wants now, where a write says something else --- */

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

static const char *though_words(const struct telling *telling,
                                const struct differences *differences, const struct datum *resource)
{
    const struct datum *spec = datum_member(resource, "spec");
    for (uint32_t i = 0; spec && i < differences->count; i++) {
        const struct difference *item = &differences->items[i];
        const char *name = last_name(item->path);
        const struct datum *wanted = datum_member(spec, name);
        if (wanted && item->new && !datum_equal(wanted, item->new) && !is_nested(wanted))
            return arena_printf(telling->arena, ", though the user now wants %s %s", name,
                                value_words(telling->arena, wanted));
    }
    return "";
}

/* The custom resource that owns the object, as it is stored. */
static const struct datum *owner_of(const struct telling *telling, const struct datum *object)
{
    const struct datum *owner = datum_at(object, "metadata.ownerReferences[0]");
    const struct object_key key = {
        .kind = datum_text(datum_member(owner, "kind"), ""),
        .name_space = datum_text(datum_at(object, "metadata.namespace"), "default"),
        .name = datum_text(datum_member(owner, "name"), ""),
    };
    return owner ? object_in(&telling->before->store, &key) : NULL;
}

/* --- Causes --- */

static void add_cause(struct controller_step *step, uint32_t cause)
{
    for (uint32_t i = 0; i < step->cause_count; i++)
        if (step->causes[i] == cause)
            return;
    if (step->cause_count < STEP_CAUSES_MOST)
        step->causes[step->cause_count++] = cause;
}

static uint32_t writer_of(const struct telling *telling, const char *object)
{
    for (uint32_t i = 0; object && i < telling->writer_count; i++)
        if (strcmp(telling->writers[i].object, object) == 0)
            return telling->writers[i].step;
    return 0;
}

static void note_writer(struct telling *telling, const char *object, uint32_t number)
{
    uint32_t at = 0;
    while (at < telling->writer_count && strcmp(telling->writers[at].object, object) != 0)
        at++;
    if (at == WRITERS_MOST)
        return;
    telling->writers[at] = (struct writer){object, number};
    if (at == telling->writer_count)
        telling->writer_count++;
}

/* Under which the request of the garbage collector or a status controller about an
 * object is remembered. */
static const char *asking_about(struct telling *telling, bool collector, const char *object)
{
    return arena_printf(telling->arena, "%s %s", collector ? "collect" : "status", object);
}

/* Who wrote or deleted the owners of an object. */
static void add_owners(struct telling *telling, const struct object_key *key,
                       struct controller_step *step)
{
    const struct datum *object = object_in(&telling->before->store, key);
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    for (uint32_t i = 0; owners && owners->kind == DATUM_LIST && i < owners->count; i++) {
        const struct object_key owner = {
            .kind = datum_text(datum_member(owners->items[i], "kind"), ""),
            .name_space = key->name_space,
            .name = datum_text(datum_member(owners->items[i], "name"), ""),
        };
        add_cause(step, writer_of(telling, key_words(telling->arena, &owner)));
    }
}

static void note_writers(struct telling *telling, uint32_t number)
{
    const struct world *after = telling->after;
    const struct world *before = telling->before;
    for (uint32_t pass = 0; pass < 2; pass++) {
        const struct object_list *store = pass == 0 ? &after->store : &before->store;
        const struct object_list *other = pass == 0 ? &before->store : &after->store;
        for (uint32_t i = 0; i < store->count; i++) {
            const struct object_key key = object_key_of(store->items[i]);
            const struct datum *twin = object_in(other, &key);
            struct differences differences = {0};
            compare_objects(telling->arena, twin, store->items[i], &differences);
            if (twin && differences.count == 0)
                continue;
            note_writer(telling, key_words(telling->arena, &key), number);
        }
    }
}

/* --- Requests --- */

static const char *request_words(struct arena *arena, const struct api_request *request)
{
    static const char *const names[] = {
        [API_GET] = "Get",
        [API_LIST] = "List",
        [API_CREATE] = "Create",
        [API_UPDATE] = "Update",
        [API_UPDATE_STATUS] = "UpdateStatus",
        [API_DELETE] = "Delete",
    };
    if (request->verb == API_EXTERNAL)
        return arena_printf(arena, "the call %s of the application's API",
                            value_words(arena, request->object));
    return arena_printf(arena, "%s %s", names[request->verb], key_words(arena, &request->key));
}

/* What became of the object that a request is about. */
static const char *effect_words(struct telling *telling, const struct api_request *request,
                                const struct datum *resource, bool late)
{
    struct arena *arena = telling->arena;
    const struct datum *old = object_in(&telling->before->store, &request->key);
    const struct datum *new = object_in(&telling->after->store, &request->key);
    const char *object = key_words(arena, &request->key);
    struct differences differences = {0};
    const char *stale = late ? "the late " : "the ";
    if (request->verb == API_CREATE && !old && new) {
        compare_objects(arena, NULL, new, &differences);
        return arena_printf(arena, "applies %screate of %s: %s%s", stale, object,
                            difference_words(arena, &differences, true),
                            though_words(telling, &differences, resource));
    }
    if (old && !new)
        return arena_printf(arena, "deletes %s%s", object, late ? ", late" : "");
    compare_objects(arena, old, new, &differences);
    if (differences.count == 0)
        return arena_printf(arena, "handles %s%s, which changes nothing", late ? "the late " : "",
                            request_words(arena, request));
    return arena_printf(arena, "applies %s%s of %s: %s%s", stale,
                        request->verb == API_UPDATE_STATUS ? "status"
                        : request->verb == API_DELETE      ? "deletion"
                                                           : "update",
                        object, difference_words(arena, &differences, false),
                        though_words(telling, &differences, resource));
}

static const char *response_words(struct arena *arena, const struct controller_response *response)
{
    if (response->error != API_OK)
        return api_error_name(response->error);
    if (response->content && response->content->kind == DATUM_LIST)
        return arena_printf(arena, "%" PRIu32 " objects", response->content->count);
    return "Ok";
}

static bool reads(const struct api_request *request)
{
    return request->verb == API_GET || request->verb == API_LIST;
}

static void tell_serve(struct telling *telling, uint32_t index, struct controller_step *step,
                       bool stale)
{
    struct arena *arena = telling->arena;
    const struct world_round *round = &telling->before->rounds[index];
    const struct world_round *next = &telling->after->rounds[index];
    const struct api_request *request = &round->request;
    const struct object_key resource = environment_resource(telling->environment, index);
    const struct datum *wanted = object_in(&telling->before->store, &resource);
    const char *answer = response_words(arena, &next->response);
    step->actor = request->verb == API_EXTERNAL ? "application" : "API server";
    step->object = request->verb == API_EXTERNAL ? NULL : key_words(arena, &request->key);
    if (request->verb == API_EXTERNAL)
        step->detail =
            arena_printf(arena, "the application answers %s: %s%s%s", request_words(arena, request),
                         answer, next->response.content ? ", " : "",
                         next->response.content ? value_words(arena, next->response.content) : "");
    else if (reads(request))
        step->detail = arena_printf(arena, "%s answers %s: %s",
                                    stale ? "an API server that lags behind" : "the API server",
                                    request_words(arena, request), answer);
    else if (next->response.error != API_OK)
        step->detail = arena_printf(arena, "the API server refuses %s: %s",
                                    request_words(arena, request), answer);
    else
        step->detail =
            arena_printf(arena, "the API server %s", effect_words(telling, request, wanted, false));
    add_cause(step, telling->request_steps[index]);
    if (request->verb == API_EXTERNAL && telling->external_step > 0)
        add_cause(step, telling->external_step);
    else if (step->object && writer_of(telling, step->object) > 0)
        add_cause(step, writer_of(telling, step->object));
}

static const char *message_error(const struct controller_step *step, uint32_t variant)
{
    (void)step;
    static const char *const names[] = {"Timeout", "ServerTimeout", "Conflict",
                                        "Timeout, though it was applied"};
    return names[variant];
}

/* --- Each kind of step --- */

static void tell_user(struct telling *telling, uint32_t at, struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct script_operation *operation = &telling->options->script[at];
    static const char *const verbs[] = {"creates", "updates", "deletes"};
    const struct datum *old = object_in(&telling->before->store, &operation->key);
    const struct datum *new = object_in(&telling->after->store, &operation->key);
    const char *object = key_words(arena, &operation->key);
    step->actor = "user";
    step->object = object;
    step->is_user = true;
    step->operation = at;
    add_cause(step, writer_of(telling, object));
    struct differences differences = {0};
    compare_objects(arena, old, new, &differences);
    if (telling->options->client_async)
        step->detail = arena_printf(arena, "the user sends a request that %s %s",
                                    verbs[operation->verb], object);
    else if (old && !new)
        step->detail = arena_printf(arena, "the user deletes %s", object);
    else if (differences.count == 0)
        step->detail = arena_printf(arena, "the user %s %s, which changes nothing or is refused",
                                    verbs[operation->verb], object);
    else
        step->detail = arena_printf(arena, "the user %s %s: %s", verbs[operation->verb], object,
                                    difference_words(arena, &differences, !old));
}

static void tell_crash(struct telling *telling, struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const char *late = "";
    for (uint32_t i = 0; i < environment_resource_count(telling->environment); i++)
        if (telling->before->rounds[i].has_request) {
            late = arena_printf(arena, "; %s is still on its way",
                                request_words(arena, &telling->before->rounds[i].request));
            add_cause(step, telling->request_steps[i]);
        }
    step->actor = "controller";
    step->is_fault = true;
    step->detail = arena_printf(arena, "the controller crashes and starts anew%s", late);
    add_cause(step, 0);
}

static void tell_start(struct telling *telling, enum action action, uint32_t index,
                       struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct object_key key = environment_resource(telling->environment, index);
    const char *object = key_words(arena, &key);
    const struct world_round *round = &telling->after->rounds[index];
    const struct datum *copy = action == ACTION_SCHEDULE ? round->scheduled : round->resource;
    if (action == ACTION_STALE_SCHEDULE)
        copy = telling->options->fuse_schedule ? round->resource : round->scheduled;
    const struct datum *stored = object_in(&telling->before->store, &key);
    struct differences differences = {0};
    compare_objects(arena, stored, copy, &differences);
    const char *outdated = "";
    if (!stored)
        outdated = ", which is deleted by now";
    else if (differences.count > 0)
        outdated = arena_printf(arena, ", which is out of date (%s)",
                                difference_words(arena, &differences, false));
    else if (!datum_equal(datum_at(stored, "metadata.uid"), datum_at(copy, "metadata.uid")))
        outdated = ", which was deleted and created anew since";
    step->actor = "controller";
    step->object = object;
    if (action == ACTION_RUN)
        step->detail =
            arena_printf(arena, "a round starts with the copy of %s%s", object, outdated);
    else if (action == ACTION_SCHEDULE)
        step->detail = arena_printf(arena, "the controller learns of %s", object);
    else
        step->detail =
            arena_printf(arena, "the controller learns of %s from an API server that lags behind%s",
                         object, outdated);
    step->is_fault = action == ACTION_STALE_SCHEDULE;
    if (action != ACTION_RUN || telling->options->fuse_schedule) {
        add_cause(step, writer_of(telling, object));
        if (telling->crash_steps[index] > 0)
            add_cause(step, telling->crash_steps[index]);
    } else {
        add_cause(step, telling->copy_steps[index]);
    }
}

static void tell_continue(struct telling *telling, uint32_t index, struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct world_round *round = &telling->after->rounds[index];
    const struct object_key key = environment_resource(telling->environment, index);
    step->actor = "controller";
    step->object = key_words(arena, &key);
    if (round->has_request) {
        step->object = round->request.verb == API_EXTERNAL ? step->object
                                                           : key_words(arena, &round->request.key);
        step->detail =
            arena_printf(arena, "the controller sends %s", request_words(arena, &round->request));
    } else if (round->done) {
        step->detail = "the controller is done with this round";
    } else if (round->failed) {
        step->detail =
            arena_printf(arena, "the controller gives this round up%s%s",
                         telling->before->rounds[index].has_response ? ", for the answer was " : "",
                         telling->before->rounds[index].has_response
                             ? response_words(arena, &telling->before->rounds[index].response)
                             : "");
    } else {
        step->detail = "the controller goes on";
    }
    add_cause(step, telling->round_steps[index]);
}

static const struct world_key *key_in(const struct world *world, const struct object_key *key)
{
    for (uint32_t i = 0; i < world->key_count; i++)
        if (object_key_compare(&world->keys[i].key, key) == 0)
            return &world->keys[i];
    return NULL;
}

static void tell_key(struct telling *telling, enum action action, uint32_t argument,
                     struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct object_key key = environment_key(telling->environment, step_which(argument));
    const char *object = key_words(arena, &key);
    const struct world_key *now = key_in(telling->before, &key);
    const struct world_key *next = key_in(telling->after, &key);
    const struct api_request removal = {.verb = API_DELETE, .key = key};
    const char *ready = "";
    const struct world_key *reporting = action == ACTION_REPORT_STATUS ? next : now;
    if (reporting && reporting->has_status) {
        const struct datum *status = datum_member(reporting->status.object, "status");
        const struct datum *counted = datum_member(status, "readyReplicas");
        ready = value_words(arena, counted ? counted : datum_member(status, "numberReady"));
    }
    step->object = object;
    step->actor = "API server";
    switch (action) {
    case ACTION_COLLECT:
        step->actor = "garbage collector";
        step->detail = arena_printf(
            arena, "the garbage collector finds %s without an owner and asks to delete it", object);
        break;
    case ACTION_REPORT_STATUS:
        step->actor = "status controller";
        step->detail = arena_printf(arena, "the %s controller reports %s ready of %s", key.kind,
                                    ready, object);
        break;
    case ACTION_STABILIZE:
        step->actor = "status controller";
        step->detail = arena_printf(arena, "the status of %s has settled", object);
        break;
    case ACTION_SERVE_COLLECTOR:
        step->detail = arena_printf(arena, "the API server %s for the garbage collector%s",
                                    effect_words(telling, &removal, NULL, false),
                                    now && now->object && owner_of(telling, now->object)
                                        ? ", which asked when it was another object"
                                        : "");
        break;
    case ACTION_SERVE_STATUS:
        step->detail =
            arena_printf(arena, "the API server %s",
                         now ? effect_words(telling, &now->status, NULL, false) : "refuses it");
        break;
    default:
        step->is_fault = true;
        step->detail = arena_printf(
            arena, "the request of the %s about %s fails",
            action == ACTION_FAIL_COLLECTOR ? "garbage collector" : "status controller", object);
        break;
    }
    add_cause(step, writer_of(telling, object));
    if (action == ACTION_COLLECT)
        add_owners(telling, &key, step);
    const bool collector = action == ACTION_SERVE_COLLECTOR || action == ACTION_FAIL_COLLECTOR;
    if (action != ACTION_COLLECT && action != ACTION_REPORT_STATUS && action != ACTION_STABILIZE)
        add_cause(step, writer_of(telling, asking_about(telling, collector, object)));
}

static void tell_unread(struct telling *telling, enum action action, uint32_t at,
                        struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const bool user = action == ACTION_SERVE_USER || action == ACTION_FAIL_USER;
    const struct api_request *request =
        user ? &telling->before->users[at] : &telling->before->orphans[at];
    const struct datum *wanted = user ? NULL : owner_of(telling, request->object);
    step->actor = "API server";
    step->object = request->verb == API_EXTERNAL ? NULL : key_words(arena, &request->key);
    if (action == ACTION_FAIL_ORPHAN || action == ACTION_FAIL_USER) {
        step->is_fault = true;
        step->detail = arena_printf(arena, "%s of the %s fails", request_words(arena, request),
                                    user ? "user" : "controller, from before the crash,");
    } else if (request->verb == API_EXTERNAL) {
        step->actor = "application";
        step->detail = arena_printf(
            arena, "the application handles %s, sent before the crash: its state is now %s",
            request_words(arena, request), value_words(arena, telling->after->external));
    } else {
        step->detail = arena_printf(arena, "the API server %s%s",
                                    effect_words(telling, request, wanted, !user),
                                    user ? "" : " (sent before the crash)");
    }
    add_cause(step, user ? 0 : telling->crash_step);
    if (step->object && writer_of(telling, step->object) > 0)
        add_cause(step, writer_of(telling, step->object));
}

static void tell_step(struct telling *telling, const struct path_step *made,
                      struct controller_step *step)
{
    const enum action action = (enum action)made->action;
    const uint32_t which = step_which(made->argument);
    struct arena *arena = telling->arena;
    switch (action) {
    case ACTION_USER: tell_user(telling, which, step); break;
    case ACTION_CRASH: tell_crash(telling, step); break;
    case ACTION_LAG:
        step->actor = "API server";
        step->is_fault = true;
        step->detail = "an API server falls behind: it goes on serving what is stored now";
        add_cause(step, 0);
        break;
    case ACTION_SCHEDULE:
    case ACTION_STALE_SCHEDULE:
    case ACTION_RUN: tell_start(telling, action, which, step); break;
    case ACTION_CONTINUE: tell_continue(telling, which, step); break;
    case ACTION_END:
        step->actor = "controller";
        step->detail = "the round ends";
        add_cause(step, telling->round_steps[which]);
        break;
    case ACTION_SERVE_CONTROLLER: tell_serve(telling, which, step, false); break;
    case ACTION_STALE_READ:
        tell_serve(telling, which, step, true);
        step->is_fault = true;
        break;
    case ACTION_FAIL_CONTROLLER:
        step->actor = "network";
        step->is_fault = true;
        step->detail = arena_printf(arena, "%s fails: %s",
                                    request_words(arena, &telling->before->rounds[which].request),
                                    message_error(step, step_variant(made->argument)));
        add_cause(step, telling->request_steps[which]);
        add_cause(step, 0);
        break;
    case ACTION_SERVE_ORPHAN:
    case ACTION_SERVE_USER:
    case ACTION_FAIL_ORPHAN:
    case ACTION_FAIL_USER: tell_unread(telling, action, which, step); break;
    default: tell_key(telling, action, made->argument, step); break;
    }
}

static void remember(struct telling *telling, const struct path_step *made, uint32_t number)
{
    const uint32_t which = step_which(made->argument);
    switch ((enum action)made->action) {
    case ACTION_SCHEDULE:
    case ACTION_STALE_SCHEDULE:
        telling->crash_steps[which] = 0;
        if (telling->options->fuse_schedule)
            telling->round_steps[which] = number;
        else
            telling->copy_steps[which] = number;
        break;
    case ACTION_RUN:
        if (telling->options->fuse_schedule)
            telling->crash_steps[which] = 0;
        telling->round_steps[which] = number;
        break;
    case ACTION_COLLECT:
    case ACTION_REPORT_STATUS: {
        const struct object_key key = environment_key(telling->environment, which);
        note_writer(
            telling,
            asking_about(telling, made->action == ACTION_COLLECT, key_words(telling->arena, &key)),
            number);
        break;
    }
    case ACTION_END:
    case ACTION_SERVE_CONTROLLER:
    case ACTION_STALE_READ:
    case ACTION_FAIL_CONTROLLER: telling->round_steps[which] = number; break;
    case ACTION_CONTINUE:
        telling->round_steps[which] = number;
        telling->request_steps[which] = number;
        break;
    case ACTION_CRASH:
        telling->crash_step = number;
        for (uint32_t i = 0; i < environment_resource_count(telling->environment); i++)
            telling->crash_steps[i] = number;
        break;
    default: break;
    }
    if (!datum_equal(telling->before->external, telling->after->external))
        telling->external_step = number;
    note_writers(telling, number);
}

struct controller_run *tell_run(const struct environment *environment,
                                const struct environment_options *options, struct arena *arena,
                                const struct path *path)
{
    struct controller_run *run = ARENA_NEW(arena, struct controller_run);
    struct telling *telling = ARENA_NEW(arena, struct telling);
    const uint32_t resources = environment_resource_count(environment);
    telling->environment = environment;
    telling->options = options;
    telling->arena = arena;
    telling->copy_steps = ARENA_ARRAY(arena, uint32_t, resources + 1);
    telling->crash_steps = ARENA_ARRAY(arena, uint32_t, resources + 1);
    telling->round_steps = ARENA_ARRAY(arena, uint32_t, resources + 1);
    telling->request_steps = ARENA_ARRAY(arena, uint32_t, resources + 1);
    run->steps = ARENA_ARRAY(arena, struct controller_step, path->step_count + 1);
    run->count = path->step_count;
    run->loops = path->loops;
    run->loop_from = path->loop_from;
    run->loop_rests = path->loop_rests;
    telling->after = environment_world(environment, arena, path->words + path->offsets[0],
                                       (uint32_t)(path->offsets[1] - path->offsets[0]));
    for (uint32_t i = 0; i < path->step_count; i++) {
        telling->before = telling->after;
        telling->after = environment_world(environment, arena, path->words + path->offsets[i + 1],
                                           (uint32_t)(path->offsets[i + 2] - path->offsets[i + 1]));
        const struct model *model = environment_model(environment);
        run->steps[i].action = model->actions[path->steps[i].action];
        tell_step(telling, &path->steps[i], &run->steps[i]);
        remember(telling, &path->steps[i], i + 1);
    }
    return run;
}
