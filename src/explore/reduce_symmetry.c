/* SPDX-License-Identifier: Apache-2.0 */
/* Symmetry: every state that is emitted is replaced by its representative. The
 * model canonicalises with a scratch of its own, because it is asked in the
 * middle of an expansion. */
#include "explore/reduce.h"

#include <string.h>

struct symmetry_worker {
    struct reduction_worker base;
    struct reduction_worker second;
    struct step_sink sink;
    struct step_sink *outer;
    const struct model *model;
    uint32_t *words;
};

static size_t words_bytes(const struct model *model)
{
    return sizeof(uint32_t) * ((size_t)model->length_most + 1);
}

static bool symmetry_emit(struct step_sink *sink, const struct step *step)
{
    struct symmetry_worker *worker =
        (struct symmetry_worker *)(void *)((char *)sink - offsetof(struct symmetry_worker, sink));
    const struct model *wrapped = worker->model->wrapped;
    memcpy(worker->words, step->words, sizeof(uint32_t) * step->length);
    wrapped->canonicalise(wrapped, worker->second.inner, worker->words, step->length);
    struct step canonical = *step;
    canonical.words = worker->words;
    return step_sink_emit(worker->outer, &canonical);
}

static void symmetry_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct symmetry_worker *worker =
        (struct symmetry_worker *)(void *)((char *)sink - offsetof(struct symmetry_worker, sink));
    step_sink_enable(worker->outer, fairness_class);
}

static void symmetry_worker_free(const struct model *model, struct memory *memory, void *state)
{
    struct symmetry_worker *worker = state;
    reduction_worker_release(&worker->base, model, memory);
    reduction_worker_release(&worker->second, model, memory);
    memory_release(memory, worker->words, words_bytes(model));
    memory_release(memory, worker, sizeof(*worker));
}

static void *symmetry_worker_create(const struct model *model, struct memory *memory)
{
    struct symmetry_worker *worker = memory_try_allocate_zeroed(memory, sizeof(*worker));
    if (!worker)
        return NULL;
    worker->sink = (struct step_sink){symmetry_emit, symmetry_enable};
    worker->model = model;
    worker->words = memory_try_allocate(memory, words_bytes(model));
    if (worker->words && reduction_worker_init(&worker->base, model, memory) &&
        reduction_worker_init(&worker->second, model, memory))
        return worker;
    symmetry_worker_free(model, memory, worker);
    return NULL;
}

static void symmetry_initial(const struct model *model, void *state, struct step_sink *sink)
{
    struct symmetry_worker *worker = state;
    worker->outer = sink;
    model->wrapped->initial(model->wrapped, worker->base.inner, &worker->sink);
}

static void symmetry_expand(const struct model *model, void *state, const uint32_t *words,
                            uint32_t length, struct step_sink *sink)
{
    struct symmetry_worker *worker = state;
    worker->outer = sink;
    model->wrapped->expand(model->wrapped, worker->base.inner, words, length, &worker->sink);
}

static void symmetry_image(const struct model *model, void *state, uint32_t *words, uint32_t length)
{
    struct symmetry_worker *worker = state;
    model->wrapped->canonicalise(model->wrapped, worker->second.inner, words, length);
}

bool reduce_symmetry(struct reduction *reduction)
{
    struct model *model = &reduction->model;
    model->worker_create = symmetry_worker_create;
    model->worker_free = symmetry_worker_free;
    model->initial = symmetry_initial;
    model->expand = symmetry_expand;
    model->image = symmetry_image;
    return true;
}
