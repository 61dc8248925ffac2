/* SPDX-License-Identifier: Apache-2.0 */
/* The answers to questions of each kind: by the controller, the API server, a user,
 * a status controller. */
#include "reconcile/env_answer.h"

#include "reconcile/env_facts.h"
#include "reconcile/env_properties.h"

static bool answer_part(const struct inquiry *inquiry, uint32_t index, enum shape_role role,
                        const struct datum *tree)
{
    return make_part(inquiry->environment, role, tree, inquiry->question->version_count,
                     inquiry->question->uid_count, &inquiry->environment->answers,
                     &inquiry->answer->parts[index]);
}

/* The response to the request that the question begins with. */
static bool answer_response(const struct inquiry *inquiry, enum api_error error,
                            const struct datum *content)
{
    const struct datum *response = response_datum(inquiry->arena, error, content);
    if (inquiry->environment->options.keep_all)
        response = datum_with(inquiry->arena, response, "request", inquiry->trees[0]);
    return answer_part(inquiry, 0, SHAPE_RESPONSE, response);
}

/* --- The controller --- */

static bool step_once(const struct inquiry *inquiry, const struct controller_response *response,
                      struct controller_answer *answer)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    const uint32_t errors = environment->problems->errors;
    *answer = (struct controller_answer){0};
    if (!controller->step(controller, inquiry->arena, inquiry->trees[0], response,
                          datum_member(inquiry->trees[1], "memory"), answer, environment->problems))
        return inquiry_gave_up(inquiry, errors, "step");
    return true;
}

/* Rounds belong to the custom resources that the script names. */
static bool knows_resource(struct environment *environment, const struct api_request *request)
{
    const struct object_key *key = &request->key;
    if (request->verb != API_CREATE || !environment_kind(environment, key->kind)->custom)
        return true;
    for (uint32_t i = 0; i < environment->resource_count; i++)
        if (object_key_compare(&environment->resources[i], key) == 0)
            return true;
    environment_fail(environment,
                     "the controller creates the custom resource %s/%s/%s, which the script does "
                     "not name; it would have no rounds",
                     key->kind, key->name_space, key->name);
    return false;
}

/* What a client leaves out is filled in as kubectl would. */
static bool complete_request(const struct inquiry *inquiry, struct api_request *request)
{
    if (request->verb == API_EXTERNAL) {
        if (inquiry->environment->controller->external)
            return true;
        environment_fail(inquiry->environment,
                         "the controller sends a request to an API of its own, which it does not "
                         "model (external)");
        return false;
    }
    const struct datum *object = request->object;
    struct object_key *key = &request->key;
    if (!key->kind || !*key->kind)
        key->kind = datum_text(datum_member(object, "kind"), "");
    if (!key->name_space || !*key->name_space)
        key->name_space = datum_text(datum_at(object, "metadata.namespace"), "default");
    if (request->verb == API_CREATE || !key->name)
        key->name = datum_text(datum_at(object, "metadata.name"), "");
    if (!environment_kind(inquiry->environment, key->kind)) {
        environment_fail(inquiry->environment,
                         "the controller sends a request about a \"%s\", a kind that is neither "
                         "modelled nor one of its custom resources",
                         key->kind);
        return false;
    }
    return knows_resource(inquiry->environment, request);
}

static bool same_answer(const struct inquiry *inquiry, const struct controller_answer *a,
                        const struct controller_answer *b)
{
    if (a->has_request != b->has_request || !datum_equal(a->local, b->local))
        return false;
    return !a->has_request || datum_equal(request_datum(inquiry->arena, &a->request),
                                          request_datum(inquiry->arena, &b->request));
}

static void fail_differently(const struct inquiry *inquiry, const char *what)
{
    struct text text;
    text_init(&text, inquiry->environment->memory);
    datum_write(&text, DATUM_TAGGED, datum_member(inquiry->trees[1], "memory"));
    environment_fail(inquiry->environment,
                     "the controller answers differently to the same question (%s, with the local "
                     "state %.200s): it must depend on nothing but what it is given",
                     what, text_content(&text));
    text_release(&text);
}

static bool answer_step(const struct inquiry *inquiry)
{
    struct controller_response response = {0};
    const struct datum *given = inquiry->trees[2];
    if (given) {
        response.error = (enum api_error)datum_number(datum_member(given, "error"), API_OTHER);
        response.content = datum_member(given, "content");
    }
    struct controller_answer answer;
    struct controller_answer again;
    if (!step_once(inquiry, given ? &response : NULL, &answer))
        return false;
    if (answer.has_request && !complete_request(inquiry, &answer.request))
        return false;
    if (inquiry_asks_twice(inquiry->environment)) {
        if (!step_once(inquiry, given ? &response : NULL, &again) ||
            (again.has_request && !complete_request(inquiry, &again.request)))
            return false;
        if (!same_answer(inquiry, &answer, &again)) {
            fail_differently(inquiry, "step");
            return false;
        }
    }
    const struct datum_member wrapped = {"memory", answer.local};
    if (!answer_part(inquiry, 0, SHAPE_MEMORY, datum_object(inquiry->arena, &wrapped, 1)))
        return false;
    const struct shape *memory =
        shape_at(&inquiry->environment->shapes, inquiry->answer->parts[0].shape);
    if (memory->done || memory->failed)
        inquiry->answer->flags |= ANSWER_DONE;
    if (!answer.has_request)
        return true;
    if (memory->done || memory->failed) {
        environment_fail(inquiry->environment,
                         "the controller ends its round with a request, to which nobody would "
                         "read the answer");
        return false;
    }
    inquiry->answer->flags |= ANSWER_REQUEST;
    return answer_part(inquiry, 1, SHAPE_REQUEST, request_datum(inquiry->arena, &answer.request));
}

/* --- The API server --- */

static bool answer_outcome(const struct inquiry *inquiry, const struct api_outcome *outcome,
                           const struct datum *before)
{
    struct answer *answer = inquiry->answer;
    if (outcome->written)
        answer->flags |= ANSWER_WRITTEN;
    if (outcome->unsettles)
        answer->flags |= ANSWER_UNSETTLES;
    if (!before != !outcome->stored ||
        !datum_equal(datum_member(before, "spec"), datum_member(outcome->stored, "spec")) ||
        !datum_equal(datum_at(before, "metadata.uid"), datum_at(outcome->stored, "metadata.uid")))
        answer->flags |= ANSWER_CHANGES;
    answer->bits = outcome->error;
    return !atomic_load(&inquiry->environment->failed) &&
           answer_response(inquiry, outcome->error, outcome->reply) &&
           answer_part(inquiry, 1, SHAPE_OBJECT, outcome->stored);
}

static bool apply(const struct inquiry *inquiry, const struct api_request *request,
                  const struct datum *stored, const char *generated_name)
{
    const struct api_numbers numbers = {
        .version = MEMO_FRESH, .uid = MEMO_FRESH, .generated_name = generated_name};
    const struct api_kind *kind = environment_kind(inquiry->environment, request->key.kind);
    const struct api_outcome outcome = api_apply(inquiry->arena, kind, request, stored, &numbers);
    return answer_outcome(inquiry, &outcome, stored);
}

static bool answer_verb(const struct inquiry *inquiry)
{
    const struct api_request request = request_of_datum(inquiry->trees[0]);
    const char *generated =
        inquiry->extra != 0 ? inquiry->environment->shapes.keys[inquiry->extra].name : NULL;
    return apply(inquiry, &request, inquiry->trees[1], generated);
}

static bool answer_list(const struct inquiry *inquiry)
{
    const struct datum *list = datum_list(
        inquiry->arena, inquiry->count > 1 ? inquiry->trees + 1 : NULL, inquiry->count - 1);
    return answer_response(inquiry, API_OK, list);
}

static bool answer_external(const struct inquiry *inquiry)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    const struct api_request request = request_of_datum(inquiry->trees[0]);
    const struct object_list store = {.items = inquiry->trees + 2, .count = inquiry->count - 2};
    struct controller_response response = {0};
    const struct datum *after = NULL;
    const uint32_t errors = environment->problems->errors;
    if (!controller->external(controller, inquiry->arena, request.object, &store, inquiry->trees[1],
                              MEMO_FRESH, &response, &after, environment->problems))
        return inquiry_gave_up(inquiry, errors, "external");
    if (!datum_equal(after, inquiry->trees[1]))
        inquiry->answer->flags |= ANSWER_EXTERNAL;
    return answer_response(inquiry, response.error, response.content) &&
           answer_part(inquiry, 1, SHAPE_EXTERNAL, after);
}

/* --- Users --- */

/* The object after a user's update: metadata that the update does not mention
 * is kept, everything else is as given. */
static const struct datum *user_update(struct arena *arena, const struct datum *given,
                                       const struct datum *stored)
{
    const struct datum *metadata = datum_member(stored, "metadata");
    const struct datum *new = datum_member(given, "metadata");
    for (uint32_t i = 0; new &&i < new->count; i++) {
        const struct datum_member *member = &new->members[i];
        metadata = datum_with(arena, metadata, arena_printf(arena, "[\"%s\"]", member->key),
                              member->value);
    }
    return datum_with(arena, given, "metadata", metadata);
}

static struct api_request user_request(const struct inquiry *inquiry)
{
    const struct script_operation *operation =
        &inquiry->environment->options.script[inquiry->extra];
    struct api_request request = {.key = operation->key, .object = operation->object};
    switch (operation->verb) {
    case SCRIPT_CREATE: request.verb = API_CREATE; break;
    case SCRIPT_DELETE: request.verb = API_DELETE; break;
    case SCRIPT_UPDATE:
        request.verb = API_UPDATE;
        if (inquiry->trees[0])
            request.object = user_update(inquiry->arena, operation->object, inquiry->trees[0]);
        break;
    }
    return request;
}

static bool answer_user(const struct inquiry *inquiry)
{
    const struct api_request request = user_request(inquiry);
    return apply(inquiry, &request, inquiry->trees[0], NULL);
}

static bool answer_user_request(const struct inquiry *inquiry)
{
    const struct api_request request = user_request(inquiry);
    return answer_part(inquiry, 0, SHAPE_REQUEST, request_datum(inquiry->arena, &request));
}

/* --- Status --- */

static bool answer_status(const struct inquiry *inquiry)
{
    const struct datum *object = inquiry->trees[0];
    const struct object_key key = object_key_of(object);
    const struct api_kind *kind = environment_kind(inquiry->environment, key.kind);
    const int64_t wanted = datum_number(datum_at(object, "spec.replicas"), 1);
    const char *path = arena_printf(inquiry->arena, "status.%s", kind->ready);
    const struct api_request request = {
        .verb = API_UPDATE_STATUS,
        .key = key,
        .object = datum_with(inquiry->arena, object, path,
                             datum_integer(inquiry->arena, inquiry->extra != 0 ? 0 : wanted)),
    };
    return answer_part(inquiry, 0, SHAPE_REQUEST, request_datum(inquiry->arena, &request));
}

bool inquiry_answer(const struct inquiry *inquiry, enum question_kind kind)
{
    switch (kind) {
    case QUESTION_STEP: return answer_step(inquiry);
    case QUESTION_VERB: return answer_verb(inquiry);
    case QUESTION_LIST: return answer_list(inquiry);
    case QUESTION_EXTERNAL: return answer_external(inquiry);
    case QUESTION_USER: return answer_user(inquiry);
    case QUESTION_USER_REQUEST: return answer_user_request(inquiry);
    case QUESTION_STATUS: return answer_status(inquiry);
    case QUESTION_FAILURE: return answer_response(inquiry, (enum api_error)inquiry->extra, NULL);
    case QUESTION_STORE: return inquiry_answer_store(inquiry);
    case QUESTION_SAFETY: return inquiry_answer_safety(inquiry);
    }
    bug("question of kind %d", (int)kind);
}
