/* SPDX-License-Identifier: Apache-2.0 */
/* What all reductions share: a wrapper is a copy of the model it wraps, in which
 * the functions pass on to that model; each reduction then replaces what it
 * changes. */
#include "explore/reduce.h"

static void *inner_of(void *worker)
{
    return worker ? ((struct reduction_worker *)worker)->inner : NULL;
}

bool reduction_worker_init(struct reduction_worker *worker, const struct model *model,
                           struct memory *memory)
{
    const struct model *wrapped = model->wrapped;
    worker->inner = NULL;
    if (!wrapped->worker_create)
        return true;
    worker->inner = wrapped->worker_create(wrapped, memory);
    return worker->inner != NULL;
}

void reduction_worker_release(struct reduction_worker *worker, const struct model *model,
                              struct memory *memory)
{
    const struct model *wrapped = model->wrapped;
    if (worker->inner && wrapped->worker_free)
        wrapped->worker_free(wrapped, memory, worker->inner);
}

static void pass_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    model->wrapped->initial(model->wrapped, inner_of(worker), sink);
}

static uint64_t pass_atoms(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length)
{
    return model->wrapped->atoms(model->wrapped, inner_of(worker), words, length);
}

static void pass_describe_state(const struct model *model, void *worker, const uint32_t *words,
                                uint32_t length, struct text *text)
{
    model->wrapped->describe_state(model->wrapped, inner_of(worker), words, length, text);
}

static void pass_describe_step(const struct model *model, void *worker, const uint32_t *from,
                               uint32_t from_length, const struct step *step, struct text *text)
{
    model->wrapped->describe_step(model->wrapped, inner_of(worker), from, from_length, step, text);
}

static void pass_canonicalise(const struct model *model, void *worker, uint32_t *words,
                              uint32_t length)
{
    model->wrapped->canonicalise(model->wrapped, inner_of(worker), words, length);
}

static struct model wrap(const struct model *model)
{
    struct model wrapper = *model;
    wrapper.wrapped = model;
    wrapper.context = NULL;
    wrapper.image = NULL;
    wrapper.groups = NULL;
    wrapper.initial = pass_initial;
    wrapper.atoms = model->atoms ? pass_atoms : NULL;
    wrapper.describe_state = model->describe_state ? pass_describe_state : NULL;
    wrapper.describe_step = model->describe_step ? pass_describe_step : NULL;
    wrapper.canonicalise = model->canonicalise ? pass_canonicalise : NULL;
    return wrapper;
}

typedef bool reduce_function(struct reduction *reduction);

static bool add(struct reduced *reduced, reduce_function *reduce)
{
    struct reduction *reduction = memory_try_allocate_zeroed(reduced->memory, sizeof(*reduction));
    if (!reduction)
        return false;
    reduction->model = wrap(reduced->model);
    reduction->memory = reduced->memory;
    reduced->chain[reduced->count++] = reduction;
    if (!reduce(reduction))
        return false;
    reduced->model = &reduction->model;
    return true;
}

bool reduced_init(struct reduced *reduced, const struct model *model, unsigned flags,
                  struct memory *memory)
{
    *reduced = (struct reduced){.model = model, .memory = memory};
    const bool fixed = model->length_least == model->length_most;
    const bool groups = model->groups != NULL && fixed;
    if ((flags & REDUCE_CACHE) != 0 && groups && !add(reduced, reduce_cache))
        return false;
    if ((flags & REDUCE_ORDER) != 0 && groups && !add(reduced, reduce_order))
        return false;
    if ((flags & REDUCE_SYMMETRY) != 0 && model->canonicalise && !add(reduced, reduce_symmetry))
        return false;
    return true;
}

void reduced_release(struct reduced *reduced)
{
    while (reduced->count > 0) {
        struct reduction *reduction = reduced->chain[--reduced->count];
        memory_release(reduced->memory, reduction->data, reduction->data_bytes);
        memory_release(reduced->memory, reduction, sizeof(*reduction));
    }
}
