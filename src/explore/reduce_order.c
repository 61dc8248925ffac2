/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Partial-order reduction by stubborn sets (Valmari, 1990) over the groups that a
 * model declares.
 *
 * A set of groups is stubborn in a state if it has an enabled group and, for each
 * of its enabled groups, every group that interferes with it (one writes what the
 * other reads or writes) and, for each disabled one, every group that could enable
 * it (writes what it reads, or, if the model can tell, what blocks it now). What is outside can
 * then neither disturb nor be disturbed by the set's steps until one of them is taken, so it is
 * enough to explore these, provided that
 *   - none of them is visible (changes an atom, bears a mark), and
 *   - each progresses: no cycle consists of such steps alone, so every cycle of
 *     the reduced graph has a state that is fully expanded and nothing is put off
 *     for ever.
 * The smallest such set found from each enabled group as seed is taken; if there
 * is none the state is expanded fully. The choice depends on the state alone, so
 * results do not depend on threads.
 */
#include "explore/reduce.h"

#include <string.h>

/* Sets of groups as bits; `sets` holds interference, then enabling, by group. */
struct order_data {
    uint32_t set_words;
    uint32_t state_words; /* of a set of the state's words */
    uint64_t sets[];
};

struct order_worker {
    struct reduction_worker base;
    struct step_sink sink; /* counts the steps of one group */
    struct step_sink *outer;
    uint32_t steps;
    bool postponed;                    /* the steps are left out: only tell that they are enabled */
    uint64_t *enabled, *chosen, *best; /* sets of groups */
    uint64_t *needed;                  /* what could enable one group */
    uint64_t *blockers;                /* a set of words */
    const uint32_t *words;             /* the state */
    uint32_t length;
};

static const uint64_t *interferes(const struct model *model, uint32_t group)
{
    const struct order_data *data = reduction_data(model);
    return data->sets + (size_t)group * data->set_words;
}

static const uint64_t *enables(const struct model *model, uint32_t group)
{
    const struct order_data *data = reduction_data(model);
    return data->sets + (size_t)(model->wrapped->groups->count + group) * data->set_words;
}

static bool has(const uint64_t *set, uint32_t item)
{
    return (set[item / 64] >> item % 64 & 1) != 0;
}

static void include(uint64_t *set, uint32_t item)
{
    set[item / 64] |= UINT64_C(1) << item % 64;
}

static struct order_worker *worker_of(struct step_sink *sink)
{
    return (struct order_worker *)(void *)((char *)sink - offsetof(struct order_worker, sink));
}

static bool order_emit(struct step_sink *sink, const struct step *step)
{
    struct order_worker *worker = worker_of(sink);
    worker->steps++;
    if (worker->postponed && step->fairness < FAIRNESS_OPTIONAL)
        step_sink_enable(worker->outer, step->fairness);
    return true;
}

static void order_enable(struct step_sink *sink, uint32_t fairness_class)
{
    struct order_worker *worker = worker_of(sink);
    if (worker->postponed)
        step_sink_enable(worker->outer, fairness_class);
}

static bool meet(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++) {
        if ((a[i] & b[i]) != 0)
            return true;
    }
    return false;
}

static size_t set_bytes(const struct model *model)
{
    return sizeof(uint64_t) * ((const struct order_data *)reduction_data(model))->set_words;
}

static size_t sets_bytes(const struct model *model)
{
    const struct order_data *data = reduction_data(model);
    return 4 * set_bytes(model) + sizeof(uint64_t) * data->state_words;
}

static void order_worker_free(const struct model *model, struct memory *memory, void *state)
{
    struct order_worker *worker = state;
    reduction_worker_release(&worker->base, model, memory);
    memory_release(memory, worker->enabled, sets_bytes(model));
    memory_release(memory, worker, sizeof(*worker));
}

static void *order_worker_create(const struct model *model, struct memory *memory)
{
    struct order_worker *worker = memory_try_allocate_zeroed(memory, sizeof(*worker));
    if (!worker)
        return NULL;
    const uint32_t words = ((const struct order_data *)reduction_data(model))->set_words;
    worker->sink = (struct step_sink){order_emit, order_enable};
    worker->enabled = memory_try_allocate_zeroed(memory, sets_bytes(model));
    if (!worker->enabled || !reduction_worker_init(&worker->base, model, memory)) {
        order_worker_free(model, memory, worker);
        return NULL;
    }
    worker->chosen = worker->enabled + words;
    worker->best = worker->chosen + words;
    worker->needed = worker->best + words;
    worker->blockers = worker->needed + words;
    return worker;
}

static void find_enabled(const struct model *model, struct order_worker *worker,
                         const uint32_t *words, uint32_t length)
{
    const struct model_groups *groups = model->wrapped->groups;
    memset(worker->enabled, 0, set_bytes(model));
    worker->postponed = false;
    for (uint32_t group = 0; group < groups->count; group++) {
        worker->steps = 0;
        groups->expand(model->wrapped, worker->base.inner, group, words, length, &worker->sink);
        if (worker->steps > 0)
            include(worker->enabled, group);
    }
}

/* The groups of which one must act before a disabled group can. */
static const uint64_t *could_enable(const struct model *model, struct order_worker *worker,
                                    uint32_t group)
{
    const struct model *wrapped = model->wrapped;
    const struct model_groups *groups = wrapped->groups;
    const struct order_data *data = reduction_data(model);
    if (!groups->blocked_by)
        return enables(model, group);
    memset(worker->needed, 0, set_bytes(model));
    memset(worker->blockers, 0, sizeof(uint64_t) * data->state_words);
    groups->blocked_by(wrapped, worker->base.inner, group, worker->words, worker->length,
                       worker->blockers);
    for (uint32_t other = 0; other < groups->count; other++) {
        if (other != group &&
            meet(groups->items[other].writes, worker->blockers, data->state_words))
            include(worker->needed, other);
    }
    return worker->needed;
}

/* Closes `chosen` over a seed. Gives the number of enabled groups in it, or
 * UINT32_MAX if one of them may not be taken first. */
static uint32_t close_over(const struct model *model, struct order_worker *worker, uint32_t seed)
{
    const struct model_groups *groups = model->wrapped->groups;
    const uint32_t set_words = ((const struct order_data *)reduction_data(model))->set_words;
    uint32_t enabled = 0;
    memset(worker->chosen, 0, set_bytes(model));
    include(worker->chosen, seed);
    bool grown = true;
    while (grown) {
        grown = false;
        enabled = 0;
        for (uint32_t group = 0; group < groups->count; group++) {
            if (!has(worker->chosen, group))
                continue;
            const bool is_enabled = has(worker->enabled, group);
            if (is_enabled && (groups->items[group].visible || !groups->items[group].progresses))
                return UINT32_MAX;
            enabled += is_enabled;
            const uint64_t *needed =
                is_enabled ? interferes(model, group) : could_enable(model, worker, group);
            for (uint32_t i = 0; i < set_words; i++) {
                grown = grown || (needed[i] & ~worker->chosen[i]) != 0;
                worker->chosen[i] |= needed[i];
            }
        }
    }
    return enabled;
}

/* The best set to `best`; false: expand fully. */
static bool choose(const struct model *model, struct order_worker *worker)
{
    const struct model_groups *groups = model->wrapped->groups;
    uint32_t least = UINT32_MAX, enabled = 0;
    for (uint32_t seed = 0; seed < groups->count; seed++) {
        if (!has(worker->enabled, seed))
            continue;
        enabled++;
        const uint32_t count = close_over(model, worker, seed);
        if (count < least) {
            least = count;
            memcpy(worker->best, worker->chosen, set_bytes(model));
        }
    }
    return least < enabled;
}

static void order_expand(const struct model *model, void *state, const uint32_t *words,
                         uint32_t length, struct step_sink *sink)
{
    struct order_worker *worker = state;
    const struct model *wrapped = model->wrapped;
    worker->outer = sink;
    worker->words = words;
    worker->length = length;
    find_enabled(model, worker, words, length);
    if (!choose(model, worker)) {
        wrapped->expand(wrapped, worker->base.inner, words, length, sink);
        return;
    }
    worker->postponed = true;
    for (uint32_t group = 0; group < wrapped->groups->count; group++) {
        const bool taken = has(worker->best, group);
        wrapped->groups->expand(wrapped, worker->base.inner, group, words, length,
                                taken ? sink : &worker->sink);
    }
}

bool reduce_order(struct reduction *reduction)
{
    struct model *model = &reduction->model;
    const struct model_groups *groups = model->wrapped->groups;
    const uint32_t set_words = groups->count / 64 + 1;
    const uint32_t state_words = (model->length_most + 63) / 64;
    reduction->data_bytes =
        sizeof(struct order_data) + 2 * (size_t)groups->count * set_words * sizeof(uint64_t);
    struct order_data *data = memory_try_allocate_zeroed(reduction->memory, reduction->data_bytes);
    reduction->data = data;
    if (!data)
        return false;
    data->set_words = set_words;
    data->state_words = state_words;
    for (uint32_t i = 0; i < groups->count; i++) {
        const struct model_group *a = &groups->items[i];
        for (uint32_t j = 0; j < groups->count; j++) {
            const struct model_group *b = &groups->items[j];
            if (i != j &&
                (meet(a->writes, b->writes, state_words) ||
                 meet(a->writes, b->reads, state_words) || meet(a->reads, b->writes, state_words)))
                include(data->sets + (size_t)i * set_words, j);
            if (i != j && meet(a->reads, b->writes, state_words))
                include(data->sets + (size_t)(groups->count + i) * set_words, j);
        }
    }
    model->worker_create = order_worker_create;
    model->worker_free = order_worker_free;
    model->expand = order_expand;
    model->keeps = MODEL_KEEPS_SAFETY;
    return true;
}
