/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps out of a state, in this order: the user, a crash, a server that
 * falls behind, each custom resource's rounds, each key's controllers, requests
 * whose sender has crashed. Resources and keys come in the order of their names.
 */
#include "reconcile/env_facts.h"

#include <stdio.h>
#include <string.h>

static const enum api_error failures[] = {API_TIMEOUT, API_SERVER_TIMEOUT, API_CONFLICT};
enum { FAILURES = 3, FAILURE_APPLIED = 3 };

static bool emit(struct env_worker *worker, enum action action, uint32_t argument,
                 uint32_t fairness, uint64_t marks)
{
    const uint32_t length = draft_write(worker, &worker->draft, worker->next);
    if (length == 0) {
        pthread_mutex_lock(&worker->environment->mutex);
        environment_fail(worker->environment, "a state holds more than %d resource versions",
                         MEMO_NUMBERS_MOST);
        pthread_mutex_unlock(&worker->environment->mutex);
        return false;
    }
    return step_sink_emit(worker->sink, &(struct step){.words = worker->next,
                                                       .length = length,
                                                       .action = action,
                                                       .argument = argument,
                                                       .fairness = fairness,
                                                       .marks = marks});
}

/* --- Fairness --- */

static uint32_t class_of_resource(const struct environment *environment, uint32_t index,
                                  uint32_t which)
{
    return which * environment->resource_count + index;
}

static uint32_t class_schedule(const struct environment *environment, uint32_t index)
{
    if ((environment->options.unfair & UNFAIR_SCHEDULE) != 0)
        return FAIRNESS_OPTIONAL;
    return class_of_resource(environment, index, 0);
}

static uint32_t class_round(const struct environment *environment, uint32_t index)
{
    if ((environment->options.unfair & UNFAIR_CONTROLLER) != 0)
        return FAIRNESS_OPTIONAL;
    return class_of_resource(environment, index, 1);
}

static uint32_t class_serve(const struct environment *environment, uint32_t class)
{
    return environment->options.one_api_turn ? class_of_resource(environment, 0, 2) : class;
}

static uint32_t class_serve_round(const struct environment *environment, uint32_t index)
{
    return class_serve(environment, class_of_resource(environment, index, 2));
}

/* Orphans (requests whose sender has crashed) come from crashes, which are bounded,
 * so no cycle serves one. Their place is good enough as a fairness class. */
static uint32_t class_serve_orphan(const struct environment *environment, uint32_t at)
{
    return class_serve(environment, 3 * environment->resource_count + at);
}

static uint32_t class_serve_user(const struct environment *environment, uint32_t at)
{
    return class_serve(environment,
                       3 * environment->resource_count + environment->orphans_most + at);
}

uint32_t class_of_key(const struct environment *environment, uint32_t key, enum key_class class)
{
    const unsigned unfair = environment->options.unfair;
    if ((class == KEY_STABILIZE && (unfair & UNFAIR_STABILIZE) != 0) ||
        (class == KEY_COLLECT && (unfair & UNFAIR_COLLECTOR) != 0))
        return FAIRNESS_OPTIONAL;
    const uint32_t number = 3 * environment->resource_count + environment->orphans_most +
                            environment->options.script_count + key * KEY_CLASSES + class;
    return class == KEY_SERVE_COLLECTOR || class == KEY_SERVE_STATUS
               ? class_serve(environment, number)
               : number;
}

/* --- Writing to the store --- */

/* How to take a change of the store back. */
struct undo {
    struct object_slot slot;
    struct memo_part external;
    uint32_t at; /* UINT32_MAX: no slot changed */
    bool inserted;
    bool external_changed;
};

static uint32_t place_for(const struct env_worker *worker, uint32_t key)
{
    const struct object_key *keys = worker->environment->shapes.keys;
    const struct object_draft *draft = &worker->draft;
    uint32_t at = 0;
    while (at < draft->slot_count &&
           object_key_compare(&keys[draft->slots[at].key], &keys[key]) < 0)
        at++;
    return at;
}

static void put_object(struct env_worker *worker, uint32_t key, const struct memo_part *object,
                       bool unsettles, struct undo *undo)
{
    struct object_draft *draft = &worker->draft;
    struct object_slot *slot = draft_slot(draft, key);
    if (!slot) {
        const uint32_t at = place_for(worker, key);
        memmove(&draft->slots[at + 1], &draft->slots[at],
                (draft->slot_count - at) * sizeof(struct object_slot));
        draft->slot_count++;
        slot = &draft->slots[at];
        *slot = (struct object_slot){.key = key};
        undo->inserted = true;
    }
    undo->at = (uint32_t)(slot - draft->slots);
    undo->slot = *slot;
    slot->object = *object;
    if (unsettles)
        slot->stable = false;
}

static void take_back(struct env_worker *worker, const struct undo *undo)
{
    struct object_draft *draft = &worker->draft;
    if (undo->external_changed)
        draft->external = undo->external;
    if (undo->at == UINT32_MAX)
        return;
    if (undo->inserted) {
        draft->slot_count--;
        memmove(&draft->slots[undo->at], &draft->slots[undo->at + 1],
                (draft->slot_count - undo->at) * sizeof(struct object_slot));
    } else {
        draft->slots[undo->at] = undo->slot;
    }
}

static uint32_t gather_objects(const struct object_draft *draft, struct memo_part *objects)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < draft->slot_count; i++)
        if (draft->slots[i].object.shape != 0)
            objects[count++] = draft->slots[i].object;
    return count;
}

/* The marks of a step that changed the store in this way. */
static bool judge_change(struct env_worker *worker, const struct memo_part *before,
                         uint32_t before_count, uint64_t *marks)
{
    struct memo_part after[SLOTS_MOST];
    const uint32_t count = gather_objects(&worker->draft, after);
    const struct answer *answer =
        ask_safety(worker, before, before_count, after, count, &worker->draft.external);
    if (!answer)
        return false;
    *marks |= answer->bits;
    return true;
}

/* A change of the object under a key as the answer says. */
static bool store_answer(struct env_worker *worker, const struct answer *answer, uint32_t key,
                         struct undo *undo, uint64_t *marks)
{
    const struct environment *environment = worker->environment;
    if ((answer->flags & ANSWER_WRITTEN) == 0)
        return true;
    struct memo_part before[SLOTS_MOST];
    uint32_t before_count = 0;
    if (environment->judges_safety)
        before_count = gather_objects(&worker->draft, before);
    if (worker->draft.slot_count == SLOTS_MOST) {
        pthread_mutex_lock(&worker->environment->mutex);
        environment_fail(worker->environment, "a state has more than %d objects", SLOTS_MOST);
        pthread_mutex_unlock(&worker->environment->mutex);
        return false;
    }
    const struct memo_part object =
        question_part(&worker->question, &answer->parts[1], worker->holes[1]);
    put_object(worker, key, &object, (answer->flags & ANSWER_UNSETTLES) != 0, undo);
    if ((answer->flags & ANSWER_CHANGES) != 0) {
        const int resource = environment_resource_of(environment, key);
        if (resource >= 0)
            *marks |= UINT64_C(1) << (MARK_CHANGED + resource);
    }
    return !environment->judges_safety || judge_change(worker, before, before_count, marks);
}

/* --- Serving requests --- */

static uint32_t gather_kind(const struct env_worker *worker, const struct object_key *wanted,
                            const struct memo_part *from, uint32_t from_count,
                            struct memo_part *objects)
{
    const struct shape_table *shapes = &worker->environment->shapes;
    uint32_t count = 0;
    for (uint32_t i = 0; i < from_count; i++) {
        const struct object_key *key = &shapes->keys[shape_at(shapes, from[i].shape)->key];
        if (strcmp(key->kind, wanted->kind) == 0 &&
            strcmp(key->name_space, wanted->name_space) == 0)
            objects[count++] = from[i];
    }
    return count;
}

/* A name that occurs in no object and no message. */
static uint32_t generate_key(struct env_worker *worker, const struct shape *request)
{
    struct environment *environment = worker->environment;
    const char *prefix = datum_text(datum_at(request->request.object, "metadata.generateName"), "");
    uint32_t number = 0;
    for (uint32_t i = 0; number == 0; i++) {
        char name[256];
        snprintf(name, sizeof(name), "%s%u", prefix, (unsigned)i);
        struct object_key key = request->request.key;
        key.name = name;
        pthread_mutex_lock(&environment->mutex);
        number = shapes_key(&environment->shapes, &key);
        if (number == 0)
            environment_fail(environment, "more than %d objects are spoken of", KEYS_MOST - 2);
        pthread_mutex_unlock(&environment->mutex);
        if (number == 0)
            return 0;
        if (draft_slot(&worker->draft, number))
            number = 0;
    }
    return number;
}

static bool serve_external(struct env_worker *worker, const struct memo_part *request,
                           struct memo_part *response, struct undo *undo, uint64_t *marks)
{
    struct object_draft *draft = &worker->draft;
    const struct answer *answer = ask_external(worker, request, draft);
    if (!answer)
        return false;
    *response = question_part(&worker->question, &answer->parts[0], worker->holes[0]);
    if ((answer->flags & ANSWER_EXTERNAL) == 0)
        return true;
    undo->external = draft->external;
    undo->external_changed = true;
    draft->external = question_part(&worker->question, &answer->parts[1], worker->holes[1]);
    if (!worker->environment->judges_safety)
        return true;
    struct memo_part objects[SLOTS_MOST];
    const uint32_t count = gather_objects(draft, objects);
    return judge_change(worker, objects, count, marks);
}

/* Handles the request: changes the draft and gives the response. */
static bool serve(struct env_worker *worker, const struct memo_part *request,
                  struct memo_part *response, struct undo *undo, uint64_t *marks)
{
    struct object_draft *draft = &worker->draft;
    const struct shape *shape = shape_at(&worker->environment->shapes, request->shape);
    undo->at = UINT32_MAX;
    undo->inserted = false;
    undo->external_changed = false;
    if (shape->request.verb == API_EXTERNAL)
        return serve_external(worker, request, response, undo, marks);
    const struct answer *answer = NULL;
    uint32_t key = shape->key;
    if (shape->request.verb == API_LIST) {
        struct memo_part all[SLOTS_MOST];
        struct memo_part objects[SLOTS_MOST];
        const uint32_t count =
            gather_kind(worker, &shape->request.key, all, gather_objects(draft, all), objects);
        answer = ask_list(worker, request, objects, count);
    } else {
        uint32_t generated = 0;
        if (shape->generates_name) {
            generated = generate_key(worker, shape);
            key = generated;
            if (generated == 0)
                return false;
        }
        const struct object_slot *slot = draft_slot(draft, key);
        answer = ask_verb(worker, request, slot ? &slot->object : NULL, generated);
    }
    if (!answer)
        return false;
    *response = question_part(&worker->question, &answer->parts[0], worker->holes[0]);
    return store_answer(worker, answer, key, undo, marks);
}

static bool is_external(const struct env_worker *worker, const struct memo_part *request)
{
    return shape_at(&worker->environment->shapes, request->shape)->request.verb == API_EXTERNAL;
}

static bool may_fail(const struct env_worker *worker, const struct memo_part *request, bool own)
{
    const struct environment_options *options = &worker->environment->options;
    return worker->draft.failures < options->failures && (own || !options->own_failures) &&
           (options->external_failures || !request->shape || !is_external(worker, request));
}

/* --- The user --- */

static bool expand_user(struct env_worker *worker)
{
    const struct environment *environment = worker->environment;
    struct object_draft *draft = &worker->draft;
    const uint32_t at = draft->script_done;
    if (at == environment->options.script_count)
        return true;
    const uint32_t key = environment->script_keys[at];
    const struct object_slot *slot = draft_slot(draft, key);
    const struct memo_part *object = slot && slot->object.shape != 0 ? &slot->object : NULL;
    struct undo undo = {.at = UINT32_MAX};
    uint64_t marks = 0;
    bool going = false;
    draft->script_done++;
    if (environment->options.client_async) {
        const struct answer *answer = ask_user_request(worker, at, object);
        if (answer) {
            draft->users[at] =
                question_part(&worker->question, &answer->parts[0], worker->holes[0]);
            going = emit(worker, ACTION_USER, at, FAIRNESS_OPTIONAL, 0);
            draft->users[at] = (struct memo_part){0};
        }
    } else {
        const struct answer *answer = ask_user(worker, at, object);
        if (answer && store_answer(worker, answer, key, &undo, &marks)) {
            going = emit(worker, ACTION_USER, at, FAIRNESS_OPTIONAL, marks);
            take_back(worker, &undo);
        }
    }
    draft->script_done--;
    return going;
}

/* --- Faults --- */

static int compare_parts(const struct env_worker *worker, const struct memo_part *a,
                         const struct memo_part *b)
{
    const struct shape_table *shapes = &worker->environment->shapes;
    if (a->shape != b->shape)
        return datum_compare(shape_at(shapes, a->shape)->tree, shape_at(shapes, b->shape)->tree);
    return memcmp(a->holes, b->holes, (size_t)a->versions + a->uids);
}

static void add_orphan(struct env_worker *worker, const struct memo_part *request)
{
    struct object_draft *draft = &worker->draft;
    uint32_t at = draft->orphan_count++;
    for (; at > 0 && compare_parts(worker, request, &draft->orphans[at - 1]) < 0; at--)
        draft->orphans[at] = draft->orphans[at - 1];
    draft->orphans[at] = *request;
}

static bool is_request(const struct env_worker *worker, const struct memo_part *message)
{
    return message->shape != 0 &&
           shape_at(&worker->environment->shapes, message->shape)->role == SHAPE_REQUEST;
}

/* The controller loses its memory. Requests in flight stay, and their answers are not read. */
static bool expand_crash(struct env_worker *worker)
{
    const struct environment *environment = worker->environment;
    struct object_draft *draft = &worker->draft;
    if (draft->crashes == environment->options.crashes)
        return true;
    struct round rounds[RESOURCES_MOST];
    struct memo_part orphans[ORPHANS_MOST];
    const uint32_t orphan_count = draft->orphan_count;
    memcpy(rounds, draft->rounds, environment->resource_count * sizeof(struct round));
    memcpy(orphans, draft->orphans, orphan_count * sizeof(struct memo_part));
    for (uint32_t i = 0; i < environment->resource_count; i++) {
        if (is_request(worker, &rounds[i].pending))
            add_orphan(worker, &rounds[i].pending);
        draft->rounds[i] = (struct round){0};
    }
    draft->crashes++;
    const bool going = emit(worker, ACTION_CRASH, 0, FAIRNESS_OPTIONAL, 0);
    draft->crashes--;
    memcpy(draft->rounds, rounds, environment->resource_count * sizeof(struct round));
    memcpy(draft->orphans, orphans, orphan_count * sizeof(struct memo_part));
    draft->orphan_count = orphan_count;
    return going;
}

/* An API server stops following; a restarted controller may be connected to it. */
static bool expand_lag(struct env_worker *worker)
{
    struct object_draft *draft = &worker->draft;
    if (draft->lags || draft->stale_reads == worker->environment->options.stale_reads)
        return true;
    draft->lags = true;
    draft->lagging_count = gather_objects(draft, draft->lagging);
    const bool going = emit(worker, ACTION_LAG, 0, FAIRNESS_OPTIONAL, 0);
    draft->lags = false;
    draft->lagging_count = 0;
    return going;
}

static bool reads_stale(const struct env_worker *worker)
{
    return worker->draft.lags && worker->draft.crashes > 0;
}

/* How a read affects the server that lags: the number of reads that it may serve
 * is bounded, and it serves none once a newer state was read. */
struct lag {
    bool lags;
    uint32_t count, stale_reads;
};

static struct lag read_from(struct env_worker *worker, bool stale)
{
    struct object_draft *draft = &worker->draft;
    const struct lag before = {draft->lags, draft->lagging_count, draft->stale_reads};
    if (!reads_stale(worker))
        return before;
    draft->stale_reads += stale;
    if (!stale || draft->stale_reads == worker->environment->options.stale_reads) {
        draft->lags = false;
        draft->lagging_count = 0;
    }
    return before;
}

static void lag_restore(struct env_worker *worker, const struct lag *lag)
{
    worker->draft.lags = lag->lags;
    worker->draft.lagging_count = lag->count;
    worker->draft.stale_reads = lag->stale_reads;
}

/* --- The controller's rounds --- */

static bool same_part(const struct memo_part *a, const struct memo_part *b)
{
    return a->shape == b->shape &&
           (a->shape == 0 || memcmp(a->holes, b->holes, (size_t)a->versions + a->uids) == 0);
}

static const struct memo_part *find_lagging(const struct env_worker *worker, uint32_t key)
{
    const struct object_draft *draft = &worker->draft;
    for (uint32_t i = 0; i < draft->lagging_count; i++)
        if (shape_at(&worker->environment->shapes, draft->lagging[i].shape)->key == key)
            return &draft->lagging[i];
    return NULL;
}

static bool emit_schedule(struct env_worker *worker, uint32_t index, struct memo_part object,
                          bool stale)
{
    const struct environment *environment = worker->environment;
    struct round *round = &worker->draft.rounds[index];
    const struct memo_part before = round->scheduled;
    if (same_part(&before, &object))
        return true;
    const struct lag lag = read_from(worker, stale);
    round->scheduled = object;
    const bool going =
        stale ? emit(worker, ACTION_STALE_SCHEDULE, index, FAIRNESS_OPTIONAL, 0)
              : emit(worker, ACTION_SCHEDULE, index, class_schedule(environment, index), 0);
    round->scheduled = before;
    lag_restore(worker, &lag);
    return going;
}

static bool emit_run(struct env_worker *worker, uint32_t index, struct memo_part resource,
                     bool stale)
{
    const struct environment *environment = worker->environment;
    struct round *round = &worker->draft.rounds[index];
    const struct round before = *round;
    const bool reads = environment->options.fuse_schedule;
    const struct lag lag = reads ? read_from(worker, stale)
                                 : (struct lag){worker->draft.lags, worker->draft.lagging_count,
                                                worker->draft.stale_reads};
    *round = (struct round){.resource = resource, .memory = environment->first_memory};
    const bool going = stale ? emit(worker, ACTION_STALE_SCHEDULE, index, FAIRNESS_OPTIONAL, 0)
                             : emit(worker, ACTION_RUN, index, class_round(environment, index), 0);
    *round = before;
    lag_restore(worker, &lag);
    return going;
}

static bool expand_start(struct env_worker *worker, uint32_t index)
{
    const struct environment *environment = worker->environment;
    struct object_draft *draft = &worker->draft;
    const struct round *round = &draft->rounds[index];
    const uint32_t key = environment->resource_keys[index];
    const struct object_slot *slot = draft_slot(draft, key);
    const struct memo_part *lagging = reads_stale(worker) ? find_lagging(worker, key) : NULL;
    const bool idle = round->resource.shape == 0;
    if (environment->options.fuse_schedule) {
        if (idle && slot && slot->object.shape != 0 &&
            !emit_run(worker, index, slot->object, false))
            return false;
        return !idle || !lagging || emit_run(worker, index, *lagging, true);
    }
    if (slot && slot->object.shape != 0 && !emit_schedule(worker, index, slot->object, false))
        return false;
    if (lagging && !emit_schedule(worker, index, *lagging, true))
        return false;
    return !idle || round->scheduled.shape == 0 || emit_run(worker, index, round->scheduled, false);
}

static bool expand_continue(struct env_worker *worker, uint32_t index)
{
    const struct environment *environment = worker->environment;
    struct round *round = &worker->draft.rounds[index];
    const struct round before = *round;
    const struct shape *memory = shape_at(&environment->shapes, round->memory.shape);
    bool going = false;
    if (memory->done || memory->failed) {
        *round = (struct round){.scheduled = before.scheduled};
        going = emit(worker, ACTION_END, index, class_round(environment, index), 0);
        *round = before;
        return going;
    }
    const struct answer *answer = ask_step(worker, round);
    if (!answer)
        return false;
    round->memory = question_part(&worker->question, &answer->parts[0], worker->holes[2]);
    round->pending = question_part(&worker->question, &answer->parts[1], worker->holes[3]);
    going = emit(worker, ACTION_CONTINUE, index, class_round(environment, index), 0);
    *round = before;
    return going;
}

/* --- The controller's requests --- */

static bool emit_failure(struct env_worker *worker, uint32_t index, uint32_t variant)
{
    struct round *round = &worker->draft.rounds[index];
    const struct memo_part request = round->pending;
    struct memo_part response = {0};
    struct undo undo = {.at = UINT32_MAX};
    uint64_t marks = 0;
    if (variant == FAILURE_APPLIED && !serve(worker, &request, &response, &undo, &marks))
        return false;
    const struct answer *answer =
        ask_failure(worker, &request, variant == FAILURE_APPLIED ? API_TIMEOUT : failures[variant]);
    if (!answer)
        return false;
    round->pending = question_part(&worker->question, &answer->parts[0], worker->holes[0]);
    worker->draft.failures++;
    const bool going = emit(worker, ACTION_FAIL_CONTROLLER, step_argument(index, variant),
                            FAIRNESS_OPTIONAL, marks);
    worker->draft.failures--;
    round->pending = request;
    take_back(worker, &undo);
    return going;
}

static bool emit_stale_read(struct env_worker *worker, uint32_t index)
{
    struct object_draft *draft = &worker->draft;
    struct round *round = &draft->rounds[index];
    const struct memo_part request = round->pending;
    const struct shape *shape = shape_at(&worker->environment->shapes, request.shape);
    const struct answer *answer = NULL;
    if (shape->request.verb == API_LIST) {
        struct memo_part objects[SLOTS_MOST];
        const uint32_t count =
            gather_kind(worker, &shape->request.key, draft->lagging, draft->lagging_count, objects);
        answer = ask_list(worker, &request, objects, count);
    } else {
        answer = ask_verb(worker, &request, find_lagging(worker, shape->key), 0);
    }
    if (!answer)
        return false;
    round->pending = question_part(&worker->question, &answer->parts[0], worker->holes[0]);
    const struct lag lag = read_from(worker, true);
    const bool going = emit(worker, ACTION_STALE_READ, index, FAIRNESS_OPTIONAL, 0);
    lag_restore(worker, &lag);
    round->pending = request;
    return going;
}

static bool expand_request(struct env_worker *worker, uint32_t index)
{
    const struct environment *environment = worker->environment;
    struct round *round = &worker->draft.rounds[index];
    const struct memo_part request = round->pending;
    const enum api_verb verb = shape_at(&environment->shapes, request.shape)->request.verb;
    const bool reads = verb == API_GET || verb == API_LIST;
    struct memo_part response = {0};
    struct undo undo = {.at = UINT32_MAX};
    uint64_t marks = 0;
    if (!serve(worker, &request, &response, &undo, &marks))
        return false;
    const struct lag lag = {worker->draft.lags, worker->draft.lagging_count,
                            worker->draft.stale_reads};
    if (reads)
        read_from(worker, false);
    round->pending = response;
    bool going =
        emit(worker, ACTION_SERVE_CONTROLLER, index, class_serve_round(environment, index), marks);
    round->pending = request;
    lag_restore(worker, &lag);
    take_back(worker, &undo);
    if (going && reads && reads_stale(worker))
        going = emit_stale_read(worker, index);
    if (!may_fail(worker, &request, true))
        return going;
    const uint32_t variants = environment->options.one_failure       ? 1
                              : environment->options.timeout_applied ? FAILURES + 1
                                                                     : FAILURES;
    for (uint32_t i = 0; going && i < variants; i++)
        going = emit_failure(worker, index, i);
    return going;
}

static bool expand_resource(struct env_worker *worker, uint32_t index)
{
    const struct round *round = &worker->draft.rounds[index];
    if (!expand_start(worker, index))
        return false;
    if (round->resource.shape == 0)
        return true;
    return is_request(worker, &round->pending) ? expand_request(worker, index)
                                               : expand_continue(worker, index);
}

/* --- The collector and the status controllers --- */

static bool is_orphan(struct env_worker *worker, const struct object_slot *slot)
{
    const struct environment *environment = worker->environment;
    const struct shape *shape = shape_at(&environment->shapes, slot->object.shape);
    for (uint32_t i = 0; i < shape->owner_count; i++) {
        const struct shape_owner *owner = &shape->owners[i];
        const struct object_slot *found = draft_slot(&worker->draft, owner->key);
        if (!found || found->object.shape == 0 || owner->uid == UINT32_MAX)
            continue;
        const struct shape *other = shape_at(&environment->shapes, found->object.shape);
        if (other->uid != UINT32_MAX && found->object.holes[other->versions + other->uid] ==
                                            slot->object.holes[shape->versions + owner->uid])
            return false;
    }
    return shape->owner_count > 0;
}

/* The collector's request; it is the same whenever it is sent. */
static bool removal_of(struct env_worker *worker, uint32_t key, struct memo_part *request)
{
    struct environment *environment = worker->environment;
    if (worker->removals[key] == 0) {
        struct arena arena;
        arena_init(&arena, environment->memory);
        pthread_mutex_lock(&environment->mutex);
        const struct api_request removal = {.verb = API_DELETE,
                                            .key = environment->shapes.keys[key]};
        if (make_part(environment, SHAPE_REQUEST, request_datum(&arena, &removal), 0, 0, &arena,
                      request))
            worker->removals[key] = request->shape;
        pthread_mutex_unlock(&environment->mutex);
        arena_release(&arena);
    }
    *request = (struct memo_part){.shape = worker->removals[key]};
    return request->shape != 0;
}

/* A request of the collector or a status controller: it is served, or it fails. */
static bool expand_message(struct env_worker *worker, uint32_t at, bool collector)
{
    const struct environment *environment = worker->environment;
    struct object_draft *draft = &worker->draft;
    struct object_slot *slot = &draft->slots[at];
    const struct object_slot before = *slot;
    const uint32_t key = before.key;
    struct memo_part request = before.status;
    if (collector) {
        if (!removal_of(worker, key, &request))
            return false;
        slot->collected = false;
    } else {
        slot->status = (struct memo_part){0};
    }
    struct memo_part response = {0};
    struct undo undo = {.at = UINT32_MAX};
    uint64_t marks = 0;
    if (!serve(worker, &request, &response, &undo, &marks))
        return false;
    bool going = emit(
        worker, collector ? ACTION_SERVE_COLLECTOR : ACTION_SERVE_STATUS, key,
        class_of_key(environment, key, collector ? KEY_SERVE_COLLECTOR : KEY_SERVE_STATUS), marks);
    take_back(worker, &undo);
    if (going && may_fail(worker, &request, false)) {
        draft->failures++;
        going = emit(worker, collector ? ACTION_FAIL_COLLECTOR : ACTION_FAIL_STATUS, key,
                     FAIRNESS_OPTIONAL, 0);
        draft->failures--;
    }
    draft->slots[at] = before;
    return going;
}

static bool emit_status(struct env_worker *worker, struct object_slot *slot, bool zero)
{
    const struct environment *environment = worker->environment;
    const struct answer *answer = ask_status(worker, &slot->object, zero);
    if (!answer)
        return false;
    slot->status = question_part(&worker->question, &answer->parts[0], worker->holes[0]);
    const bool going =
        emit(worker, ACTION_REPORT_STATUS, step_argument(slot->key, zero),
             class_of_key(environment, slot->key, zero ? KEY_STATUS_ZERO : KEY_STATUS), 0);
    slot->status = (struct memo_part){0};
    return going;
}

static bool expand_status(struct env_worker *worker, struct object_slot *slot)
{
    const struct environment *environment = worker->environment;
    const struct shape *shape = shape_at(&environment->shapes, slot->object.shape);
    if (environment->options.no_status || !shape->reports || slot->stable)
        return true;
    if (slot->status.shape == 0) {
        if (!emit_status(worker, slot, false))
            return false;
        if (environment->options.status_flap && !shape->empty && !emit_status(worker, slot, true))
            return false;
    }
    slot->stable = true;
    const bool going = emit(worker, ACTION_STABILIZE, slot->key,
                            class_of_key(environment, slot->key, KEY_STABILIZE), 0);
    slot->stable = false;
    return going;
}

static bool expand_slot(struct env_worker *worker, uint32_t at)
{
    const struct environment *environment = worker->environment;
    struct object_slot *slot = &worker->draft.slots[at];
    if (slot->collected && !expand_message(worker, at, true))
        return false;
    if (slot->status.shape != 0 && !expand_message(worker, at, false))
        return false;
    if (slot->object.shape == 0)
        return true;
    if (!slot->collected && is_orphan(worker, slot)) {
        slot->collected = true;
        const bool going = emit(worker, ACTION_COLLECT, slot->key,
                                class_of_key(environment, slot->key, KEY_COLLECT), 0);
        slot->collected = false;
        if (!going)
            return false;
    }
    return expand_status(worker, slot);
}

/* --- Requests that nobody waits for --- */

static bool expand_orphan(struct env_worker *worker, uint32_t at)
{
    const struct environment *environment = worker->environment;
    struct object_draft *draft = &worker->draft;
    struct memo_part orphans[ORPHANS_MOST];
    const uint32_t count = draft->orphan_count;
    memcpy(orphans, draft->orphans, count * sizeof(struct memo_part));
    const struct memo_part request = orphans[at];
    struct memo_part response = {0};
    struct undo undo = {.at = UINT32_MAX};
    uint64_t marks = 0;
    memmove(&draft->orphans[at], &draft->orphans[at + 1],
            (count - at - 1) * sizeof(struct memo_part));
    draft->orphan_count--;
    if (!serve(worker, &request, &response, &undo, &marks))
        return false;
    bool going = emit(worker, ACTION_SERVE_ORPHAN, at, class_serve_orphan(environment, at), marks);
    take_back(worker, &undo);
    if (going && may_fail(worker, &request, false)) {
        draft->failures++;
        going = emit(worker, ACTION_FAIL_ORPHAN, at, FAIRNESS_OPTIONAL, 0);
        draft->failures--;
    }
    memcpy(draft->orphans, orphans, count * sizeof(struct memo_part));
    draft->orphan_count = count;
    return going;
}

static bool expand_user_request(struct env_worker *worker, uint32_t at)
{
    const struct environment *environment = worker->environment;
    struct object_draft *draft = &worker->draft;
    const struct memo_part request = draft->users[at];
    struct memo_part response = {0};
    struct undo undo = {.at = UINT32_MAX};
    uint64_t marks = 0;
    draft->users[at] = (struct memo_part){0};
    if (!serve(worker, &request, &response, &undo, &marks))
        return false;
    bool going = emit(worker, ACTION_SERVE_USER, at, class_serve_user(environment, at), marks);
    take_back(worker, &undo);
    if (going && may_fail(worker, &request, false)) {
        draft->failures++;
        going = emit(worker, ACTION_FAIL_USER, at, FAIRNESS_OPTIONAL, 0);
        draft->failures--;
    }
    draft->users[at] = request;
    return going;
}

/* --- All of it --- */

void environment_expand(const struct model *model, void *scratch, const uint32_t *words,
                        uint32_t length, struct step_sink *sink)
{
    (void)model;
    struct env_worker *worker = scratch;
    const struct environment *environment = worker->environment;
    if (atomic_load_explicit(&environment->failed, memory_order_relaxed))
        return;
    struct object_draft *draft = &worker->draft;
    worker->sink = sink;
    draft_read(worker, words, length, draft);
    bool going = expand_user(worker) && expand_crash(worker) && expand_lag(worker);
    for (uint32_t i = 0; going && i < environment->resource_count; i++)
        going = expand_resource(worker, i);
    for (uint32_t i = 0; going && i < draft->slot_count; i++)
        going = expand_slot(worker, i);
    for (uint32_t i = 0; going && i < draft->orphan_count; i++)
        going = expand_orphan(worker, i);
    for (uint32_t i = 0; going && environment->options.client_async && i < draft->script_done; i++)
        if (draft->users[i].shape != 0)
            going = expand_user_request(worker, i);
}

void environment_initial(const struct model *model, void *scratch, struct step_sink *sink)
{
    (void)model;
    struct env_worker *worker = scratch;
    worker->draft = (struct object_draft){.external = worker->environment->first_external};
    const uint32_t length = draft_write(worker, &worker->draft, worker->next);
    step_sink_emit(sink, &(struct step){.words = worker->next, .length = length});
}

uint64_t environment_atoms(const struct model *model, void *scratch, const uint32_t *words,
                           uint32_t length)
{
    (void)model;
    struct env_worker *worker = scratch;
    struct memo_part objects[SLOTS_MOST];
    if (atomic_load_explicit(&worker->environment->failed, memory_order_relaxed))
        return 0;
    draft_read(worker, words, length, &worker->draft);
    const uint32_t count = gather_objects(&worker->draft, objects);
    const struct answer *answer = ask_store(worker, objects, count);
    return answer ? answer->bits : 0;
}
