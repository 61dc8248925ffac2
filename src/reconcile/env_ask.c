/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions: each is looked up by shapes. Only for a new question trees are
 * built, and the verbs or the controller answer it. That happens under a lock,
 * so a controller is never asked two things at once.
 */
#include "reconcile/env_answer.h"

#include "base/hash.h"
#include "reconcile/env_facts.h"

#include <string.h>

/* The trees of the question, with its own numbers. */
static void build_trees(struct inquiry *inquiry, uint32_t shape_bytes)
{
    const struct memo_question *question = inquiry->question;
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
    const struct memo_question *question = &worker->question;
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
    const bool answered = inquiry_answer(&inquiry, (enum question_kind)kind);
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
    struct memo_question *question = &worker->question;
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

static const struct memo_part nothing = {0};

const struct answer *ask_step(struct env_worker *worker, const struct round *round)
{
    question_begin(&worker->question, QUESTION_STEP, 0);
    question_add(&worker->question, &round->resource);
    question_add(&worker->question, &round->memory);
    question_add(&worker->question, &round->pending);
    return ask(worker);
}

const struct answer *ask_verb(struct env_worker *worker, const struct memo_part *request,
                              const struct memo_part *object, uint32_t generated_key)
{
    question_begin(&worker->question, QUESTION_VERB, generated_key);
    question_add(&worker->question, request);
    question_add(&worker->question, object ? object : &nothing);
    return ask(worker);
}

const struct answer *ask_list(struct env_worker *worker, const struct memo_part *request,
                              const struct memo_part *objects, uint32_t count)
{
    question_begin(&worker->question, QUESTION_LIST, 0);
    question_add(&worker->question, request);
    for (uint32_t i = 0; i < count; i++)
        question_add(&worker->question, &objects[i]);
    return ask(worker);
}

const struct answer *ask_external(struct env_worker *worker, const struct memo_part *request,
                                  const struct object_draft *draft)
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
                              const struct memo_part *object)
{
    question_begin(&worker->question, QUESTION_USER, operation);
    question_add(&worker->question, object ? object : &nothing);
    return ask(worker);
}

const struct answer *ask_user_request(struct env_worker *worker, uint32_t operation,
                                      const struct memo_part *object)
{
    question_begin(&worker->question, QUESTION_USER_REQUEST, operation);
    question_add(&worker->question, object ? object : &nothing);
    return ask(worker);
}

const struct answer *ask_status(struct env_worker *worker, const struct memo_part *object,
                                bool zero)
{
    question_begin(&worker->question, QUESTION_STATUS, zero);
    question_add(&worker->question, object);
    return ask(worker);
}

const struct answer *ask_failure(struct env_worker *worker, const struct memo_part *request,
                                 enum api_error error)
{
    question_begin(&worker->question, QUESTION_FAILURE, error);
    if (worker->environment->options.keep_all)
        question_add(&worker->question, request);
    return ask(worker);
}

const struct answer *ask_store(struct env_worker *worker, const struct memo_part *objects,
                               uint32_t count)
{
    question_begin(&worker->question, QUESTION_STORE, 0);
    for (uint32_t i = 0; i < count; i++)
        question_add(&worker->question, &objects[i]);
    return ask(worker);
}

const struct answer *ask_safety(struct env_worker *worker, const struct memo_part *before,
                                uint32_t before_count, const struct memo_part *after,
                                uint32_t after_count, const struct memo_part *external)
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
