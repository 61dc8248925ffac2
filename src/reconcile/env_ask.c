/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions: each is looked up by shapes, and only if nobody asked it before are
 * trees built, and the verbs or the controller asked. That happens under a lock,
 * so a controller is never asked two things at once.
 */
#include "reconcile/environment_internal.h"
#include "reconcile/predicates.h"

#include "base/hash.h"

#include <inttypes.h>
#include <string.h>

enum question_kind {
    QUESTION_STEP,
    QUESTION_VERB,
    QUESTION_LIST,
    QUESTION_EXTERNAL,
    QUESTION_USER,
    QUESTION_USER_REQUEST,
    QUESTION_STATUS,
    QUESTION_FAILURE,
    QUESTION_STORE,
    QUESTION_SAFETY,
};

/* The question as trees, while it is being answered. */
struct inquiry {
    struct environment *environment;
    const struct question *question;
    struct arena *arena;
    uint32_t extra;
    const struct datum **trees; /* NULL: no shape */
    uint32_t count;
    struct answer *answer;
};

/* --- Shapes and what is known of them --- */

static void fill_owners(struct environment *environment, struct shape *shape)
{
    const struct datum *owners = datum_at(shape->tree, "metadata.ownerReferences");
    if (!owners || owners->kind != DATUM_LIST)
        return;
    struct shape_owner *list =
        ARENA_ARRAY(&environment->shapes.arena, struct shape_owner, owners->count + 1);
    const char *name_space = datum_text(datum_at(shape->tree, "metadata.namespace"), "");
    for (uint32_t i = 0; i < owners->count; i++) {
        const struct object_key key = {
            .kind = datum_text(datum_member(owners->items[i], "kind"), ""),
            .name_space = name_space,
            .name = datum_text(datum_member(owners->items[i], "name"), ""),
        };
        const struct datum *uid = datum_member(owners->items[i], "uid");
        list[i].key = shapes_key(&environment->shapes, &key);
        list[i].uid = uid && uid->kind == DATUM_UID ? (uint32_t)uid->number : UINT32_MAX;
    }
    shape->owners = list;
    shape->owner_count = owners->count;
}

static void fill_object(struct environment *environment, struct shape *shape)
{
    const struct object_key key = object_key_of(shape->tree);
    const struct datum *uid = datum_at(shape->tree, "metadata.uid");
    const struct api_kind *kind = environment_kind(environment, key.kind);
    shape->key = shapes_key(&environment->shapes, &key);
    shape->uid = uid && uid->kind == DATUM_UID ? (uint32_t)uid->number : UINT32_MAX;
    shape->reports = kind && kind->ready;
    shape->empty = datum_number(datum_at(shape->tree, "spec.replicas"), 1) == 0;
    fill_owners(environment, shape);
}

static void fill_request(struct environment *environment, struct shape *shape)
{
    shape->request = request_of_datum(shape->tree);
    const struct api_request *request = &shape->request;
    if (request->verb == API_EXTERNAL || request->verb == API_LIST)
        return;
    shape->generates_name =
        request->verb == API_CREATE && *request->key.name == '\0' &&
        *datum_text(datum_at(request->object, "metadata.generateName"), "") != '\0';
    shape->key = shapes_key(&environment->shapes, &request->key);
}

static void fill_memory(struct environment *environment, struct shape *shape)
{
    const struct controller *controller = environment->controller;
    struct arena arena;
    arena_init(&arena, environment->memory);
    const uint32_t errors = environment->problems->errors;
    if (!controller->status(controller, &arena, datum_member(shape->tree, "memory"), &shape->done,
                            &shape->failed, environment->problems)) {
        if (environment->problems->errors == errors)
            environment_fail(environment, "the controller cannot tell whether a round is over");
        atomic_store(&environment->failed, true);
    }
    arena_release(&arena);
}

void fill_shape(struct environment *environment, struct shape *shape)
{
    switch (shape->role) {
    case SHAPE_OBJECT: fill_object(environment, shape); break;
    case SHAPE_REQUEST: fill_request(environment, shape); break;
    case SHAPE_RESPONSE:
        shape->error = (enum api_error)datum_number(datum_member(shape->tree, "error"), API_OTHER);
        break;
    case SHAPE_MEMORY: fill_memory(environment, shape); break;
    case SHAPE_EXTERNAL: break;
    }
    if (environment->shapes.key_count + 1 >= KEYS_MOST)
        environment_fail(environment, "more than %d objects are spoken of", KEYS_MOST - 2);
}

static bool number_fits(uint64_t number, uint32_t count)
{
    return number < count || number == MEMO_FRESH;
}

bool make_part(struct environment *environment, enum shape_role role, const struct datum *tree,
               uint32_t versions, uint32_t uids, struct arena *arena, struct part *part)
{
    *part = (struct part){0};
    if (!tree)
        return true;
    struct holes holes;
    bool is_new = false;
    const uint32_t number = shapes_add(&environment->shapes, role, tree, &holes, &is_new);
    if (number == 0) {
        environment_fail(environment, "an object or message holds more than %d resource versions",
                         HOLES_MOST);
        return false;
    }
    uint8_t *bytes = arena_allocate(arena, holes.version_count + holes.uid_count + 1);
    for (uint32_t i = 0; i < holes.version_count + holes.uid_count; i++) {
        const bool is_version = i < holes.version_count;
        const uint64_t value = is_version ? holes.versions[i] : holes.uids[i - holes.version_count];
        if (!number_fits(value, is_version ? versions : uids)) {
            environment_fail(environment,
                             "the controller made up the %s %" PRIu64
                             ": they may be copied and compared, not computed",
                             is_version ? "resource version" : "uid", value);
            return false;
        }
        bytes[i] = (uint8_t)value;
    }
    if (is_new)
        fill_shape(environment, shape_at(&environment->shapes, number));
    const struct shape *shape = shape_at(&environment->shapes, number);
    *part = (struct part){
        .shape = number, .versions = shape->versions, .uids = shape->uids, .holes = bytes};
    return true;
}

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

static bool gave_up(const struct inquiry *inquiry, uint32_t errors, const char *what)
{
    struct environment *environment = inquiry->environment;
    if (environment->problems->errors == errors)
        environment_fail(environment, "the controller could not answer: %s", what);
    atomic_store(&environment->failed, true);
    return false;
}

/* Some questions are asked twice: a controller that looks at clocks, dice or its
 * own past is found out soon. */
static bool asks_twice(const struct environment *environment)
{
    return environment->asked <= 200 || environment->asked % 8 == 0;
}

static bool step_once(const struct inquiry *inquiry, const struct controller_response *response,
                      struct controller_answer *answer)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    const uint32_t errors = environment->problems->errors;
    *answer = (struct controller_answer){0};
    if (!controller->step(controller, inquiry->arena, inquiry->trees[0], response,
                          datum_member(inquiry->trees[1], "memory"), answer, environment->problems))
        return gave_up(inquiry, errors, "step");
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
    if (asks_twice(inquiry->environment)) {
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
        return gave_up(inquiry, errors, "external");
    if (!datum_equal(after, inquiry->trees[1]))
        inquiry->answer->flags |= ANSWER_EXTERNAL;
    return answer_response(inquiry, response.error, response.content) &&
           answer_part(inquiry, 1, SHAPE_EXTERNAL, after);
}

/* --- Users --- */

/* What a user's update makes of the stored object: metadata that is not
 * mentioned stays, everything else is as given. */
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

/* --- Properties --- */

static bool controller_matches(const struct inquiry *inquiry, const struct object_list *store,
                               const struct datum *resource, bool *matches)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    if (environment->options.match) {
        *matches = match_rules_hold(environment->options.match, store, resource);
        return true;
    }
    const uint32_t errors = environment->problems->errors;
    if (!controller->match(controller, inquiry->arena, store, resource, matches,
                           environment->problems))
        return gave_up(inquiry, errors, "match");
    bool again = false;
    if (!asks_twice(environment))
        return true;
    if (!controller->match(controller, inquiry->arena, store, resource, &again,
                           environment->problems))
        return gave_up(inquiry, errors, "match");
    if (again != *matches) {
        environment_fail(environment,
                         "the controller answers differently to the same question (match): it "
                         "must depend on nothing but what it is given");
        return false;
    }
    return true;
}

static bool is_desired(const struct inquiry *inquiry, const struct object_list *store,
                       const struct datum *resource, bool *desired)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    const uint32_t errors = environment->problems->errors;
    *desired = true;
    if (controller->desired && !controller->desired(controller, inquiry->arena, store, resource,
                                                    desired, environment->problems))
        return gave_up(inquiry, errors, "desired");
    return true;
}

static bool answer_store(const struct inquiry *inquiry)
{
    struct environment *environment = inquiry->environment;
    const struct object_list store = {.items = inquiry->trees, .count = inquiry->count};
    for (uint32_t i = 0; i < store.count; i++) {
        const struct object_key key = object_key_of(store.items[i]);
        for (uint32_t k = 0; k < environment->resource_count; k++) {
            if (object_key_compare(&key, &environment->resources[k]) != 0)
                continue;
            bool desired = false;
            bool matches = true;
            if (!is_desired(inquiry, &store, store.items[i], &desired))
                return false;
            if (desired && !controller_matches(inquiry, &store, store.items[i], &matches))
                return false;
            inquiry->answer->bits |= (uint64_t)desired << 2 * k;
            inquiry->answer->bits |= (uint64_t)(desired && !matches) << (2 * k + 1);
        }
    }
    return true;
}

static bool name_safety(struct environment *environment, const char *name, uint64_t *bits)
{
    uint32_t at = 0;
    while (at < environment->safety_count && strcmp(environment->safety[at], name) != 0)
        at++;
    if (at == SAFETIES_MOST) {
        environment_fail(environment, "the controller names more than %d safety properties",
                         SAFETIES_MOST);
        return false;
    }
    if (at == environment->safety_count)
        environment->safety[environment->safety_count++] = arena_strdup(&environment->arena, name);
    *bits |= UINT64_C(1) << at;
    return true;
}

/* Objects before, none, objects after, none, the application's state. */
static bool answer_safety(const struct inquiry *inquiry)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    uint32_t border = 0;
    while (inquiry->trees[border])
        border++;
    uint32_t end = border + 1;
    while (inquiry->trees[end])
        end++;
    const struct object_list before = {.items = inquiry->trees, .count = border};
    const struct object_list after = {.items = inquiry->trees + border + 1,
                                      .count = end - border - 1};
    const struct datum *external = inquiry->trees[end + 1];
    if (environment->options.safety)
        inquiry->answer->bits =
            safety_rules_broken(environment->options.safety, &after, environment->resources,
                                environment->resource_count);
    if (!controller->safety)
        return true;
    const char *violated = NULL;
    const uint32_t errors = environment->problems->errors;
    if (!controller->safety(controller, inquiry->arena, &before, &after, external, &violated,
                            environment->problems))
        return gave_up(inquiry, errors, "safety");
    return !violated || name_safety(environment, violated, &inquiry->answer->bits);
}

/* --- Asking --- */

static bool answer(const struct inquiry *inquiry, enum question_kind kind)
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
    case QUESTION_STORE: return answer_store(inquiry);
    case QUESTION_SAFETY: return answer_safety(inquiry);
    }
    bug("question of kind %d", (int)kind);
}

/* The trees of the question, with its own numbers. */
static void build_trees(struct inquiry *inquiry, uint32_t shape_bytes)
{
    const struct question *question = inquiry->question;
    uint64_t versions[HOLES_MOST];
    uint64_t uids[HOLES_MOST];
    const uint8_t *holes = question->holes;
    inquiry->count = shape_bytes / 4 - 2;
    inquiry->trees = ARENA_ARRAY(inquiry->arena, const struct datum *, inquiry->count + 1);
    for (uint32_t i = 0; i < inquiry->count; i++) {
        uint32_t number = 0;
        memcpy(&number, question->bytes + 8 + (size_t)i * 4, 4);
        if (number == 0)
            continue;
        const struct shape *shape = shape_at(&inquiry->environment->shapes, number);
        for (uint32_t k = 0; k < shape->versions; k++)
            versions[k] = *holes++;
        for (uint32_t k = 0; k < shape->uids; k++)
            uids[k] = *holes++;
        inquiry->trees[i] = shape_fill(inquiry->arena, shape->tree, versions, uids);
    }
}

static const struct answer *answer_anew(struct env_worker *worker, uint32_t shape_bytes,
                                        uint64_t hash)
{
    struct environment *environment = worker->environment;
    const struct question *question = &worker->question;
    uint32_t kind = 0;
    struct arena arena;
    arena_init(&arena, environment->memory);
    struct answer *result = ARENA_NEW(&environment->answers, struct answer);
    struct inquiry inquiry = {
        .environment = environment, .question = question, .arena = &arena, .answer = result};
    memcpy(&kind, question->bytes, 4);
    memcpy(&inquiry.extra, question->bytes + 4, 4);
    environment->asked++;
    build_trees(&inquiry, shape_bytes);
    const bool answered = answer(&inquiry, (enum question_kind)kind);
    arena_release(&arena);
    if (!answered || atomic_load(&environment->failed)) {
        atomic_store(&environment->failed, true);
        return NULL;
    }
    result->hash = hash;
    result->question = arena_copy(&environment->answers, question->bytes, question->length);
    result->question_bytes = question->length;
    memo_add(&environment->memo, result);
    return result;
}

static const struct answer *ask(struct env_worker *worker)
{
    struct environment *environment = worker->environment;
    struct question *question = &worker->question;
    const uint32_t shape_bytes = question->length;
    const uint64_t hash = question_end(question);
    const struct answer *found = memo_find(&worker->memo, question, hash);
    if (found)
        return found;
    if (atomic_load_explicit(&environment->failed, memory_order_relaxed))
        return NULL;
    pthread_mutex_lock(&environment->mutex);
    if (question->overflows)
        environment_fail(environment, "the store is too large: more than a thousand objects");
    else
        found = memo_find(&environment->memo, question, hash);
    if (!found && !question->overflows)
        found = answer_anew(worker, shape_bytes, hash);
    pthread_mutex_unlock(&environment->mutex);
    if (found)
        memo_add(&worker->memo, found);
    return found;
}

static const struct part nothing = {0};

const struct answer *ask_step(struct env_worker *worker, const struct round *round)
{
    question_begin(&worker->question, QUESTION_STEP, 0);
    question_add(&worker->question, &round->resource);
    question_add(&worker->question, &round->memory);
    question_add(&worker->question, &round->pending);
    return ask(worker);
}

const struct answer *ask_verb(struct env_worker *worker, const struct part *request,
                              const struct part *object, uint32_t generated_key)
{
    question_begin(&worker->question, QUESTION_VERB, generated_key);
    question_add(&worker->question, request);
    question_add(&worker->question, object ? object : &nothing);
    return ask(worker);
}

const struct answer *ask_list(struct env_worker *worker, const struct part *request,
                              const struct part *objects, uint32_t count)
{
    question_begin(&worker->question, QUESTION_LIST, 0);
    question_add(&worker->question, request);
    for (uint32_t i = 0; i < count; i++)
        question_add(&worker->question, &objects[i]);
    return ask(worker);
}

const struct answer *ask_external(struct env_worker *worker, const struct part *request,
                                  const struct draft *draft)
{
    question_begin(&worker->question, QUESTION_EXTERNAL, 0);
    question_add(&worker->question, request);
    question_add(&worker->question, &draft->external);
    for (uint32_t i = 0; i < draft->slot_count; i++)
        if (draft->slots[i].object.shape != 0)
            question_add(&worker->question, &draft->slots[i].object);
    return ask(worker);
}

const struct answer *ask_user(struct env_worker *worker, uint32_t operation,
                              const struct part *object)
{
    question_begin(&worker->question, QUESTION_USER, operation);
    question_add(&worker->question, object ? object : &nothing);
    return ask(worker);
}

const struct answer *ask_user_request(struct env_worker *worker, uint32_t operation,
                                      const struct part *object)
{
    question_begin(&worker->question, QUESTION_USER_REQUEST, operation);
    question_add(&worker->question, object ? object : &nothing);
    return ask(worker);
}

const struct answer *ask_status(struct env_worker *worker, const struct part *object, bool zero)
{
    question_begin(&worker->question, QUESTION_STATUS, zero);
    question_add(&worker->question, object);
    return ask(worker);
}

const struct answer *ask_failure(struct env_worker *worker, const struct part *request,
                                 enum api_error error)
{
    question_begin(&worker->question, QUESTION_FAILURE, error);
    if (worker->environment->options.keep_all)
        question_add(&worker->question, request);
    return ask(worker);
}

const struct answer *ask_store(struct env_worker *worker, const struct part *objects,
                               uint32_t count)
{
    question_begin(&worker->question, QUESTION_STORE, 0);
    for (uint32_t i = 0; i < count; i++)
        question_add(&worker->question, &objects[i]);
    return ask(worker);
}

const struct answer *ask_safety(struct env_worker *worker, const struct part *before,
                                uint32_t before_count, const struct part *after,
                                uint32_t after_count, const struct part *external)
{
    question_begin(&worker->question, QUESTION_SAFETY, 0);
    for (uint32_t i = 0; i < before_count; i++)
        question_add(&worker->question, &before[i]);
    question_add(&worker->question, &nothing);
    for (uint32_t i = 0; i < after_count; i++)
        question_add(&worker->question, &after[i]);
    question_add(&worker->question, &nothing);
    question_add(&worker->question, external);
    return ask(worker);
}
