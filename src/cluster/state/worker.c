/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/worker.h"
#include "base/word_lists.h"
#include "cluster/others.h"
#include "cluster/population.h"
#include "cluster/state/clock.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"

/* Enough for most expansions, and for most rankings of a ReplicaSet's pods. */
enum { SCRATCH_BYTES = 32 << 10, REMOVALS_BYTES = 1 << 10 };

static void begin(struct worker *worker, const struct population *population, struct memory *memory)
{
    *worker = (struct worker){
        .population = population,
        .findings = {.judged = !population->starts_settled},
    };
    arena_init(&worker->arena, memory);
    arena_init(&worker->scratch, memory);
    arena_init(&worker->removals, memory);
}

struct worker *maker_create(const struct population *population, struct memory *memory)
{
    struct worker *maker = memory_allocate(memory, sizeof(*maker));
    begin(maker, population, memory);
    maker->catalog = catalog_create(&maker->arena, &population->options.features);
    return maker;
}

/* What was numbered while the model was built. */
static void copy_numbers(struct worker *worker, const struct worker *maker)
{
    struct arena *arena = &worker->arena;
    const uint32_t revisions = worker->population->revisions.count;
    worker->catalog = catalog_copy(arena, maker->catalog);
    worker->classes.items = maker->classes.items;
    worker->classes.count = maker->classes.count;
    VEC_SHARE(&worker->classes);
    if (worker->population->clock) {
        words_copy(arena, &worker->memories, &maker->memories);
        words_copy(arena, &worker->cohorts, &maker->cohorts);
        words_copy(arena, &worker->node_cohorts, &maker->node_cohorts);
    }
    if (!maker->slot_classes)
        return;
    worker->slot_classes =
        arena_copy(arena, maker->slot_classes, revisions * sizeof(*maker->slot_classes));
    for (uint32_t r = 0; r < revisions; r++)
        VEC_SHARE(&worker->slot_classes[r]);
    worker->slot_count = maker->slot_count;
}

/* Each worker narrows a region of its own, from what was known when the model was built. */
static void note_reads(struct worker *worker, const struct worker *maker)
{
    if (!maker->catalog->node_reads)
        return;
    worker->catalog->node_reads =
        arena_copy(&worker->arena, maker->catalog->node_reads, sizeof(struct node_reads));
    worker->catalog->node_reads->region = &worker->findings.sizes;
}

struct worker *population_worker_create(const struct population *population, struct memory *memory)
{
    struct worker *worker = memory_try_allocate(memory, sizeof(*worker));
    if (!worker)
        return NULL;
    begin(worker, population, memory);
    arena_reserve(&worker->scratch, SCRATCH_BYTES);
    arena_reserve(&worker->removals, REMOVALS_BYTES);
    copy_numbers(worker, population->maker);
    worker->nominates = population->maker->nominates;
    worker->findings = population->maker->findings;
    note_reads(worker, population->maker);
    worker->scheduler = scheduler_create(&worker->arena, worker->catalog, &population->profiles);
    return worker;
}

void population_worker_free(struct worker *worker)
{
    if (worker->scheduler)
        scheduler_release(worker->scheduler);
    arena_release(&worker->removals);
    arena_release(&worker->scratch);
    arena_release(&worker->arena);
    memory_release(worker->arena.memory, worker, sizeof(*worker));
}

/* Does nothing depend on which steps workloads could take that stand still, but whether somebody
 * has any to take? Pods of a higher priority are scheduled before others, and more is asked about
 * steps that webhooks may refuse, or in loops that may count as rest. */
static bool turns_are_plain(const struct population *population)
{
    const struct population_options *options = &population->options;
    for (uint32_t r = 1; r < population->revisions.count; r++)
        if (population->revisions.items[r].priority != population->revisions.items[0].priority)
            return false;
    return !population->clock && !options->others && !population->webhooks_ask_more &&
           population->waits == WAITS_KEPT && options->reductions != REDUCTIONS_NEVER_LOOPS_REST;
}

void population_worker_lead(struct worker *worker, const bool *leads, bool alone)
{
    worker->leads = leads;
    worker->lead_alone = alone;
    worker->leaves_out = leads && alone && turns_are_plain(worker->population);
}

const struct model *population_worker_model(const struct worker *worker)
{
    return &worker->population->model;
}

void findings_join(struct population_findings *all, const struct population_findings *found)
{
    all->judged |= found->judged;
    all->overflowed |= found->overflowed;
    all->piled_up |= found->piled_up;
    all->conditions_fail |= found->conditions_fail;
    all->conditions_cost |= found->conditions_cost;
    all->webhooks_refuse |= found->webhooks_refuse;
    all->webhooks_refuse_users |= found->webhooks_refuse_users;
    all->needs_all |= found->needs_all;
    all->may_loop |= found->may_loop;
    all->restless |= found->restless;
    all->guessed |= found->guessed;
    all->images_could_decide |= found->images_could_decide;
    all->applied |= found->applied;
    all->came |= found->came;
    room_held_join(&all->held, &found->held);
    all->pooled |= found->pooled;
    all->hindered |= found->hindered;
    all->uncounted |= found->uncounted;
    all->siblings_differ |= found->siblings_differ;
    size_region_join(&all->sizes, &found->sizes);
    if (found->preempts_from > all->preempts_from)
        all->preempts_from = found->preempts_from;
    if (found->focus > all->focus)
        all->focus = found->focus;
}
