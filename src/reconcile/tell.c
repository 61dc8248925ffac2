/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/tell_internal.h"

#include <string.h>

/* --- What the user wants now, where a write says something else --- */

static const char *last_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

static const char *though_words(const struct run_telling *telling,
                                const struct differences *differences, const struct datum *resource)
{
    const struct datum *spec = datum_member(resource, "spec");
    for (uint32_t i = 0; spec && i < differences->count; i++) {
        const struct difference *item = &differences->items[i];
        const char *name = last_name(item->path);
        const struct datum *wanted = datum_member(spec, name);
        if (wanted && item->new && !datum_equal(wanted, item->new) && !tell_is_nested(wanted))
            return arena_printf(telling->arena, ", though the user now wants %s %s", name,
                                tell_value_words(telling->arena, wanted));
    }
    return "";
}

/* The custom resource that owns the object, as it is stored. */
static const struct datum *owner_of(const struct run_telling *telling, const struct datum *object)
{
    const struct datum *owner = datum_at(object, "metadata.ownerReferences[0]");
    const struct object_key key = {
        .kind = datum_text(datum_member(owner, "kind"), ""),
        .name_space = datum_text(datum_at(object, "metadata.namespace"), "default"),
        .name = datum_text(datum_member(owner, "name"), ""),
    };
    return owner ? tell_find(&telling->before->store, &key) : NULL;
}

/* --- Requests --- */

/* What became of the object that a request is about. */
static const char *effect_words(struct run_telling *telling, const struct api_request *request,
                                const struct datum *resource, bool late)
{
    struct arena *arena = telling->arena;
    const struct datum *old = tell_find(&telling->before->store, &request->key);
    const struct datum *new = tell_find(&telling->after->store, &request->key);
    const char *object = tell_key_words(arena, &request->key);
    struct differences differences = {0};
    const char *stale = late ? "the late " : "the ";
    if (request->verb == API_CREATE && !old && new) {
        tell_compare(arena, NULL, new, &differences);
        return arena_printf(arena, "applies %screate of %s: %s%s", stale, object,
                            tell_difference_words(arena, &differences, true),
                            though_words(telling, &differences, resource));
    }
    if (old && !new)
        return arena_printf(arena, "deletes %s%s", object, late ? ", late" : "");
    tell_compare(arena, old, new, &differences);
    if (differences.count == 0)
        return arena_printf(arena, "handles %s%s, which changes nothing", late ? "the late " : "",
                            tell_request_words(arena, request));
    return arena_printf(arena, "applies %s%s of %s: %s%s", stale,
                        request->verb == API_UPDATE_STATUS ? "status"
                        : request->verb == API_DELETE      ? "deletion"
                                                           : "update",
                        object, tell_difference_words(arena, &differences, false),
                        though_words(telling, &differences, resource));
}

static bool reads(const struct api_request *request)
{
    return request->verb == API_GET || request->verb == API_LIST;
}

static void tell_serve(struct run_telling *telling, uint32_t index, struct controller_step *step,
                       bool stale)
{
    struct arena *arena = telling->arena;
    const struct world_round *round = &telling->before->rounds[index];
    const struct world_round *next = &telling->after->rounds[index];
    const struct api_request *request = &round->request;
    const struct object_key resource = environment_resource(telling->environment, index);
    const struct datum *wanted = tell_find(&telling->before->store, &resource);
    const char *answer = tell_response_words(arena, &next->response);
    step->actor = request->verb == API_EXTERNAL ? "application" : "API server";
    step->object = request->verb == API_EXTERNAL ? NULL : tell_key_words(arena, &request->key);
    if (request->verb == API_EXTERNAL)
        step->detail = arena_printf(
            arena, "the application answers %s: %s%s%s", tell_request_words(arena, request), answer,
            next->response.content ? ", " : "",
            next->response.content ? tell_value_words(arena, next->response.content) : "");
    else if (reads(request))
        step->detail = arena_printf(arena, "%s answers %s: %s",
                                    stale ? "an API server that lags behind" : "the API server",
                                    tell_request_words(arena, request), answer);
    else if (next->response.error != API_OK)
        step->detail = arena_printf(arena, "the API server refuses %s: %s",
                                    tell_request_words(arena, request), answer);
    else
        step->detail =
            arena_printf(arena, "the API server %s", effect_words(telling, request, wanted, false));
    tell_add_cause(step, telling->request_steps[index]);
    if (request->verb == API_EXTERNAL && telling->external_step > 0)
        tell_add_cause(step, telling->external_step);
    else if (step->object && tell_writer_of(telling, step->object) > 0)
        tell_add_cause(step, tell_writer_of(telling, step->object));
}

static const char *message_error(const struct controller_step *step, uint32_t variant)
{
    (void)step;
    static const char *const names[] = {"Timeout", "ServerTimeout", "Conflict",
                                        "Timeout, though it was applied"};
    return names[variant];
}

/* --- Each kind of step --- */

static void tell_user(struct run_telling *telling, uint32_t at, struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct script_operation *operation = &telling->options->script[at];
    static const char *const verbs[] = {"creates", "updates", "deletes"};
    const struct datum *old = tell_find(&telling->before->store, &operation->key);
    const struct datum *new = tell_find(&telling->after->store, &operation->key);
    const char *object = tell_key_words(arena, &operation->key);
    step->actor = "user";
    step->object = object;
    step->is_user = true;
    step->operation = at;
    tell_add_cause(step, tell_writer_of(telling, object));
    struct differences differences = {0};
    tell_compare(arena, old, new, &differences);
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
                                    tell_difference_words(arena, &differences, !old));
}

static void tell_crash(struct run_telling *telling, struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const char *late = "";
    for (uint32_t i = 0; i < environment_resource_count(telling->environment); i++)
        if (telling->before->rounds[i].has_request) {
            late = arena_printf(arena, "; %s is still on its way",
                                tell_request_words(arena, &telling->before->rounds[i].request));
            tell_add_cause(step, telling->request_steps[i]);
        }
    step->actor = "controller";
    step->is_fault = true;
    step->detail = arena_printf(arena, "the controller crashes and starts anew%s", late);
    tell_add_cause(step, 0);
}

static void tell_start(struct run_telling *telling, enum action action, uint32_t index,
                       struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct object_key key = environment_resource(telling->environment, index);
    const char *object = tell_key_words(arena, &key);
    const struct world_round *round = &telling->after->rounds[index];
    const struct datum *copy = action == ACTION_SCHEDULE ? round->scheduled : round->resource;
    if (action == ACTION_STALE_SCHEDULE)
        copy = telling->options->fuse_schedule ? round->resource : round->scheduled;
    const struct datum *stored = tell_find(&telling->before->store, &key);
    struct differences differences = {0};
    tell_compare(arena, stored, copy, &differences);
    const char *outdated = "";
    if (!stored)
        outdated = ", which is deleted by now";
    else if (differences.count > 0)
        outdated = arena_printf(arena, ", which is out of date (%s)",
                                tell_difference_words(arena, &differences, false));
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
        tell_add_cause(step, tell_writer_of(telling, object));
        if (telling->crash_steps[index] > 0)
            tell_add_cause(step, telling->crash_steps[index]);
    } else {
        tell_add_cause(step, telling->copy_steps[index]);
    }
}

static void tell_continue(struct run_telling *telling, uint32_t index, struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct world_round *round = &telling->after->rounds[index];
    const struct object_key key = environment_resource(telling->environment, index);
    step->actor = "controller";
    step->object = tell_key_words(arena, &key);
    if (round->has_request) {
        step->object = round->request.verb == API_EXTERNAL
                           ? step->object
                           : tell_key_words(arena, &round->request.key);
        step->detail = arena_printf(arena, "the controller sends %s",
                                    tell_request_words(arena, &round->request));
    } else if (round->done) {
        step->detail = "the controller is done with this round";
    } else if (round->failed) {
        step->detail =
            arena_printf(arena, "the controller gives this round up%s%s",
                         telling->before->rounds[index].has_response ? ", for the answer was " : "",
                         telling->before->rounds[index].has_response
                             ? tell_response_words(arena, &telling->before->rounds[index].response)
                             : "");
    } else {
        step->detail = "the controller goes on";
    }
    tell_add_cause(step, telling->round_steps[index]);
}

static const struct world_key *key_in(const struct env_world *world, const struct object_key *key)
{
    for (uint32_t i = 0; i < world->key_count; i++)
        if (object_key_compare(&world->keys[i].key, key) == 0)
            return &world->keys[i];
    return NULL;
}

static void tell_key(struct run_telling *telling, enum action action, uint32_t argument,
                     struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const struct object_key key = environment_key(telling->environment, step_which(argument));
    const char *object = tell_key_words(arena, &key);
    const struct world_key *now = key_in(telling->before, &key);
    const struct world_key *next = key_in(telling->after, &key);
    const struct api_request removal = {.verb = API_DELETE, .key = key};
    const char *ready = "";
    const struct world_key *reporting = action == ACTION_REPORT_STATUS ? next : now;
    if (reporting && reporting->has_status) {
        const struct datum *status = datum_member(reporting->status.object, "status");
        const struct datum *counted = datum_member(status, "readyReplicas");
        ready = tell_value_words(arena, counted ? counted : datum_member(status, "numberReady"));
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
    tell_add_cause(step, tell_writer_of(telling, object));
    if (action == ACTION_COLLECT)
        tell_add_owners(telling, &key, step);
    const bool collector = action == ACTION_SERVE_COLLECTOR || action == ACTION_FAIL_COLLECTOR;
    if (action != ACTION_COLLECT && action != ACTION_REPORT_STATUS && action != ACTION_STABILIZE)
        tell_add_cause(step,
                       tell_writer_of(telling, tell_asking_about(telling, collector, object)));
}

static void tell_unread(struct run_telling *telling, enum action action, uint32_t at,
                        struct controller_step *step)
{
    struct arena *arena = telling->arena;
    const bool user = action == ACTION_SERVE_USER || action == ACTION_FAIL_USER;
    const struct api_request *request =
        user ? &telling->before->users[at] : &telling->before->orphans[at];
    const struct datum *wanted = user ? NULL : owner_of(telling, request->object);
    step->actor = "API server";
    step->object = request->verb == API_EXTERNAL ? NULL : tell_key_words(arena, &request->key);
    if (action == ACTION_FAIL_ORPHAN || action == ACTION_FAIL_USER) {
        step->is_fault = true;
        step->detail = arena_printf(arena, "%s of the %s fails", tell_request_words(arena, request),
                                    user ? "user" : "controller, from before the crash,");
    } else if (request->verb == API_EXTERNAL) {
        step->actor = "application";
        step->detail = arena_printf(
            arena, "the application handles %s, sent before the crash: its state is now %s",
            tell_request_words(arena, request), tell_value_words(arena, telling->after->external));
    } else {
        step->detail = arena_printf(arena, "the API server %s%s",
                                    effect_words(telling, request, wanted, !user),
                                    user ? "" : " (sent before the crash)");
    }
    tell_add_cause(step, user ? 0 : telling->crash_step);
    if (step->object && tell_writer_of(telling, step->object) > 0)
        tell_add_cause(step, tell_writer_of(telling, step->object));
}

static void tell_step(struct run_telling *telling, const struct path_step *made,
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
        tell_add_cause(step, 0);
        break;
    case ACTION_SCHEDULE:
    case ACTION_STALE_SCHEDULE:
    case ACTION_RUN: tell_start(telling, action, which, step); break;
    case ACTION_CONTINUE: tell_continue(telling, which, step); break;
    case ACTION_END:
        step->actor = "controller";
        step->detail = "the round ends";
        tell_add_cause(step, telling->round_steps[which]);
        break;
    case ACTION_SERVE_CONTROLLER: tell_serve(telling, which, step, false); break;
    case ACTION_STALE_READ:
        tell_serve(telling, which, step, true);
        step->is_fault = true;
        break;
    case ACTION_FAIL_CONTROLLER:
        step->actor = "network";
        step->is_fault = true;
        step->detail =
            arena_printf(arena, "%s fails: %s",
                         tell_request_words(arena, &telling->before->rounds[which].request),
                         message_error(step, step_variant(made->argument)));
        tell_add_cause(step, telling->request_steps[which]);
        tell_add_cause(step, 0);
        break;
    case ACTION_SERVE_ORPHAN:
    case ACTION_SERVE_USER:
    case ACTION_FAIL_ORPHAN:
    case ACTION_FAIL_USER: tell_unread(telling, action, which, step); break;
    default: tell_key(telling, action, made->argument, step); break;
    }
}

struct controller_run *tell_run(const struct environment *environment,
                                const struct environment_options *options, struct arena *arena,
                                const struct run_path *path)
{
    struct controller_run *run = ARENA_NEW(arena, struct controller_run);
    struct run_telling *telling = ARENA_NEW(arena, struct run_telling);
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
        tell_lanes(telling, (enum action)path->steps[i].action, step_which(path->steps[i].argument),
                   &run->steps[i]);
        tell_remember(telling, &path->steps[i], i + 1);
    }
    return run;
}
