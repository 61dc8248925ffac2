/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/ask/scaling_loops.h"
#include "base/text.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/scaling_picture.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/autoscaler/every_outcome.h"
#include "decide/autoscaler/hidden_orders.h"

#include <string.h>

/* So many loops are tried to find every outcome of one state. */
enum { RUNS_MOST = 20000 };

/* When what has lasted for long enough began. */
#define LONG_AGO 0

struct scaling_run {
    struct worker *worker;
    const struct state *state;
    struct scaling_picture picture;
    enum scaling_look look;
    struct scaling_outcomes *outcomes;
    struct map known; /* outcomes as texts */
};

/* ---- one loop ---- */

static void add_instances(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                          const char *word, int64_t count, int64_t since)
{
    for (int64_t i = 0; i < count; i++) {
        const struct instance instance = {
            .name = arena_printf(autoscaler->arena, "%s-%s-%lld", group->id, word, (long long)i),
            .error = "",
            .unregistered_since = since,
        };
        VEC_PUSH(autoscaler->arena, &group->instances, instance);
    }
}

/* Instances whose Node objects were deleted: they are expected to register, or were for too long.
 * Those would be deleted by a loop before (step_scale_down.c), but for the least size of the group.
 */
static void add_lost(const struct scaling_run *run, struct cluster_autoscaler *autoscaler,
                     struct autoscaler_group *group, uint32_t number)
{
    const int64_t count = run->picture.lost[number];
    const int64_t long_ago = autoscaler->epoch - autoscaler->options.provision_time - 1;
    const bool stay = count > 0 && group->target <= group->min;
    const int64_t old = !stay ? 0
                        : run->worker->population->clock
                            ? run->picture.given_up[number]
                            : orders_pick(autoscaler, (uint32_t)count + 1);
    add_instances(autoscaler, group, "old", old, long_ago);
    add_instances(autoscaler, group, "lost", count - old, autoscaler->epoch);
}

/* A group that was backed off is so in the next loop, which comes ten seconds later, and may be so
 * in those after it: any time may have passed. */
static void set_backoff(struct scaling_run *run, struct cluster_autoscaler *autoscaler,
                        struct autoscaler_group *group, uint32_t number)
{
    const struct population *population = run->worker->population;
    const uint32_t note =
        notes_have_backoffs(population) ? run->state->notes[population->note_of_backoffs] : 0;
    if (!(note & BACKOFF_OF(number)) ||
        (!(note & BACKOFF_NEW(number)) && orders_pick(autoscaler, 2) == 1))
        return;
    group->has_backoff = true;
    group->backoff_duration = autoscaler->options.initial_backoff;
    group->backoff_last = autoscaler->epoch;
    group->backoff_until = autoscaler->epoch + group->backoff_duration;
}

/* A template that was made of a node of the group is kept for good. */
static const struct node *template_of(const struct scaling_run *run, uint32_t number)
{
    const struct population *population = run->worker->population;
    const struct scaled_group *group = &population->autoscaling->groups[number];
    return group->seen && run->state->notes[population->note_of_templates] >> number & 1
               ? group->seen
               : group->node;
}

static void add_groups(struct scaling_run *run, struct cluster_autoscaler *autoscaler)
{
    const struct autoscaling *autoscaling = run->worker->population->autoscaling;
    for (uint32_t g = 0; g < autoscaling->group_count; g++) {
        const struct scaled_group *scaled = &autoscaling->groups[g];
        struct autoscaler_group *group = ARENA_NEW(autoscaler->arena, struct autoscaler_group);
        *group = (struct autoscaler_group){
            .id = scaled->name,
            .min = scaled->least,
            .max = scaled->most,
            .target = run->picture.targets[g],
            .provider_template = template_of(run, g),
            .price = scaled->price,
            .utilization_threshold = scaled->utilization_threshold,
            .unneeded_time = scaled->unneeded_time,
            .unready_time = scaled->unready_time,
            .has_request = run->picture.ordered[g] > 0,
            .request_increase = run->picture.ordered[g],
            .request_time = autoscaler->epoch,
            .request_deadline = autoscaler->epoch + autoscaler->options.provision_time,
        };
        add_instances(autoscaler, group, "ordered", run->picture.ordered[g], autoscaler->epoch);
        add_lost(run, autoscaler, group, g);
        set_backoff(run, autoscaler, group, g);
        VEC_PUSH(autoscaler->arena, &autoscaler->groups, group);
    }
}

static void add_records(const struct scaling_run *run, struct cluster_autoscaler *autoscaler)
{
    for (uint32_t n = 0; n < run->picture.nodes.count; n++) {
        const struct picture_node *node = &run->picture.nodes.items[n];
        struct node_record *record = autoscaler_record(autoscaler, node->node->meta.name);
        record->alike = node->entry + 1;
        record->group = node->group == UINT32_MAX ? NULL : autoscaler->groups.items[node->group];
        record->deleting_drain = node->leaving && node->has_movers;
        record->deleting_empty = node->leaving && !node->has_movers;
        record->unneeded = node->is_timed;
        record->unneeded_since = node->is_due ? LONG_AGO : autoscaler->epoch;
    }
}

/* Lists are changed by the order that a loop draws. */
static struct world_lists copy_lists(struct arena *arena, const struct world_lists *lists)
{
    struct world_lists copy = *lists;
    if (lists->nodes.count > 0)
        copy.nodes.items =
            arena_copy(arena, lists->nodes.items, lists->nodes.count * sizeof(*lists->nodes.items));
    if (lists->unschedulable.count > 0)
        copy.unschedulable.items =
            arena_copy(arena, lists->unschedulable.items,
                       lists->unschedulable.count * sizeof(*lists->unschedulable.items));
    return copy;
}

/* Of the pods of each revision that wait, any number was not tried by the scheduler yet. */
static void leave_untried(struct scaling_run *run, struct cluster_autoscaler *autoscaler)
{
    struct world_lists *lists = &autoscaler->lists;
    const uint32_t revisions = run->worker->population->revisions.count;
    for (uint32_t r = 0; r < revisions; r++) {
        uint32_t waiting = 0;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < lists->unschedulable.count; i++)
            waiting += scaling_revision_of(lists->unschedulable.items[i]) == r;
        uint32_t untried = orders_pick(autoscaler, waiting + 1);
        for (uint32_t i = 0; i < lists->unschedulable.count; i++) {
            const struct autoscaler_pod *pod = lists->unschedulable.items[i];
            if (untried > 0 && scaling_revision_of(pod) == r)
                untried--;
            else
                lists->unschedulable.items[kept++] = pod;
        }
        lists->unschedulable.count = kept;
    }
}

static void prepare(struct scaling_run *run, struct cluster_autoscaler *autoscaler,
                    struct arena *arena, struct order_choices *choices)
{
    const struct population *population = run->worker->population;
    const struct autoscaling *autoscaling = population->autoscaling;
    autoscaler_init(autoscaler, arena, &population->options.features,
                    AUTOSCALING_NOW_SECONDS * (int64_t)NANOSECONDS_PER_SECOND);
    autoscaler->loop_arena = arena;
    autoscaler->options = autoscaling->options;
    autoscaler->options.scale_down &= run->look == SCALING_LOOK_DOWN;
    autoscaler->world = run->picture.world;
    /* Loops add the pods that DaemonSets would have on new nodes. */
    map_copy(&autoscaler->world.kinds.likenesses, arena, &run->picture.world.kinds.likenesses);
    map_copy(&autoscaler->world.kinds.shapes, arena, &run->picture.world.kinds.shapes);
    autoscaler->lists = copy_lists(arena, &run->picture.lists);
    autoscaler->groups_by_records = true;
    autoscaler->initialised = true;
    autoscaler->priorities = autoscaling->priorities;
    autoscaler->surroundings = &population->catalog->surroundings;
    autoscaler->choices = choices;
    autoscaler->timers_open = population->clock == NULL;
    if (population->clock && run->state->clocks.cooldown_left > 0)
        autoscaler->last_scale_up = autoscaler->last_delete = autoscaler->epoch;
    add_groups(run, autoscaler);
    add_records(run, autoscaler);
    if (run->look == SCALING_LOOK_EARLY)
        leave_untried(run, autoscaler);
}

/* ---- what came of it ---- */

static uint32_t *count_nodes(const struct scaling_run *run, struct cluster_autoscaler *autoscaler,
                             uint32_t *counts, const char *node)
{
    if (!counts)
        counts = ARENA_ARRAY(&run->worker->arena, uint32_t, run->state->node_count + 1);
    counts[autoscaler_record(autoscaler, node)->alike - 1]++;
    return counts;
}

static struct scaling_outcome read_result(const struct scaling_run *run,
                                          struct cluster_autoscaler *autoscaler,
                                          const struct loop_result *result)
{
    struct arena *arena = &run->worker->arena;
    struct scaling_outcome outcome = {
        .added = ARENA_ARRAY(arena, uint32_t, autoscaler->groups.count + 1),
        .helped = UINT32_MAX,
        .removed = ARENA_ARRAY(arena, uint32_t, run->state->node_count + 1),
        .unneeded = ARENA_ARRAY(arena, uint32_t, run->state->node_count + 1),
        .kept = ARENA_ARRAY(arena, uint32_t, run->state->node_count + 1),
        .looked_down = result->down_reached,
    };
    for (uint32_t i = 0; result->up == SCALE_UP_SUCCESSFUL && i < result->increases.count; i++) {
        const struct group_increase *increase = &result->increases.items[i];
        outcome.added[increase->group->position] += (uint32_t)(increase->to - increase->from);
        outcome.adds |= increase->to > increase->from;
    }
    if (outcome.adds && result->chosen && result->chosen->pods.count > 0)
        outcome.helped = scaling_revision_of(result->chosen->pods.items[0]);
    for (uint32_t i = 0; i < result->delete_empty.count; i++)
        count_nodes(run, autoscaler, outcome.removed, result->delete_empty.items[i]);
    for (uint32_t i = 0; i < result->delete_drain.count; i++)
        count_nodes(run, autoscaler, outcome.removed, result->delete_drain.items[i]);
    outcome.removes = result->delete_empty.count + result->delete_drain.count > 0;
    for (uint32_t i = 0; i < result->unneeded.count; i++)
        count_nodes(run, autoscaler, outcome.unneeded, result->unneeded.items[i].node);
    for (uint32_t i = 0; i < result->unremovable.count; i++)
        if (result->unremovable.items[i].reason == UNREMOVABLE_BLOCKED)
            count_nodes(run, autoscaler, outcome.kept, result->unremovable.items[i].node);
    return outcome;
}

static void tell_counts(struct text *text, const uint32_t *counts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_printf(text, "%u,", counts[i]);
    text_append_char(text, ';');
}

/* Different outcomes are kept in the worker's arena. */
static void add_outcome(struct scaling_run *run, struct cluster_autoscaler *autoscaler,
                        const struct loop_result *result)
{
    struct worker *worker = run->worker;
    const struct arena_mark mark = arena_mark(&worker->arena);
    const struct scaling_outcome outcome = read_result(run, autoscaler, result);
    struct text text;
    text_init(&text, worker->arena.memory);
    tell_counts(&text, outcome.added, autoscaler->groups.count);
    tell_counts(&text, outcome.removed, run->state->node_count);
    tell_counts(&text, outcome.unneeded, run->state->node_count);
    tell_counts(&text, outcome.kept, run->state->node_count);
    text_printf(&text, "%d", outcome.looked_down);
    if (map_get(&run->known, text_content(&text))) {
        arena_rewind(&worker->arena, mark);
    } else {
        map_put(&run->known, arena_strdup(&worker->scratch, text_content(&text)))->value = run;
        VEC_PUSH(&worker->arena, &run->outcomes->items, outcome);
    }
    text_release(&text);
}

static void run_loops(struct scaling_run *run)
{
    struct worker *worker = run->worker;
    struct order_choices choices = {.arena = &worker->scratch};
    struct arena own;
    uint32_t runs = 0;
    arena_init(&own, worker->arena.memory);
    do {
        struct cluster_autoscaler autoscaler;
        struct loop_result result;
        const struct arena_mark mark = arena_mark(&own);
        prepare(run, &autoscaler, &own, &choices);
        autoscaler_loop_listed(&autoscaler, autoscaler.epoch, &result);
        run->outcomes->too_many |= autoscaler.outcomes_overflow;
        add_outcome(run, &autoscaler, &result);
        arena_rewind(&own, mark);
    } while (order_choices_advance(&choices) && ++runs < RUNS_MOST);
    run->outcomes->too_many |= runs == RUNS_MOST;
    arena_release(&own);
}

/* ---- what is known ---- */

/* Slots of nodes do not say how old they are. */
static void tell_times(struct worker *worker, const struct state *state, struct text *text)
{
    text_printf(text, "%d", state->clocks.cooldown_left > 0);
    for (uint32_t n = 0; n < state->node_count; n++)
        text_printf(text, "%d%d", removal_is_due(worker, state, n),
                    instance_is_given_up(worker, state, n));
    text_append_char(text, ' ');
}

/* All of a state that a loop depends on. */
static const char *key_of(struct worker *worker, const struct state *state, enum scaling_look look)
{
    const struct population *population = worker->population;
    struct text text;
    uint32_t budget_count;
    const struct view_budget *budgets = state_budgets(worker, state, &budget_count);
    text_init(&text, worker->scratch.memory);
    text_printf(&text, "%d ", look);
    if (population->clock)
        tell_times(worker, state, &text);
    for (uint32_t n = 0; n < state->node_count; n++)
        text_printf(&text, "%x*%x ", state->nodes[n].config, state->nodes[n].count);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        text_printf(&text, "%x:%x ", state->pending[r], (unsigned)state->sets[r].replicas);
    for (uint32_t w = 0; w < population->managed_count; w++)
        text_printf(&text, "%x,%x ", state->present[w] == WORKLOAD_ABSENT,
                    (unsigned)state->replicas[w]);
    for (uint32_t b = 0; b < budget_count; b++)
        text_printf(&text, "%s %lld ", budgets[b].budget->meta.name,
                    (long long)budgets[b].status.disruptions_allowed);
    for (uint32_t h = 0; h < population->home_count; h++)
        text_printf(&text, "%x.", state->notes[population->note_of_homes + h]);
    if (notes_have_backoffs(population))
        text_printf(&text, "%x", state->notes[population->note_of_backoffs]);
    if (notes_have_templates(population))
        text_printf(&text, "t%x", state->notes[population->note_of_templates]);
    return text_keep(&text, &worker->scratch);
}

const struct scaling_outcomes *scaling_outcomes(struct worker *worker, const struct state *state,
                                                enum scaling_look look)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const char *key = key_of(worker, state, look);
    if (!worker->scaling_known) {
        worker->scaling_known = ARENA_NEW(&worker->arena, struct map);
        map_init(worker->scaling_known, &worker->arena);
    }
    struct scaling_outcomes *outcomes = map_get(worker->scaling_known, key);
    if (!outcomes) {
        struct scaling_run run = {.worker = worker, .state = state, .look = look};
        outcomes = run.outcomes = ARENA_NEW(&worker->arena, struct scaling_outcomes);
        map_put(worker->scaling_known, arena_strdup(&worker->arena, key))->value = outcomes;
        map_init(&run.known, &worker->scratch);
        scaling_picture(worker, state, &run.picture);
        run_loops(&run);
    }
    arena_rewind(&worker->scratch, mark);
    worker->findings.overflowed |= outcomes->too_many;
    return outcomes;
}
