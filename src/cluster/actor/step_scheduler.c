/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler: binds one waiting pod, to any of the best nodes.
 *
 * Of the pods that can be placed those with the highest priority are next, in any order among
 * themselves. (The real queue is first come, first served, but back-off mixes it; any order
 * covers all.) A pod that was tried before may wait in the back-off queue: pods of lower
 * priority may be scheduled before it. A pod that fits nowhere is tried, too: that it fails is a
 * step that changes nothing but this note, or preempts. A pod that preempts is nominated to that
 * node, and others of at most its priority leave room for it there; without that, the pods that
 * replace the victims could take the place again, for ever. Since 1.33 the victims are deleted
 * later (step_victims.c), and the pod does not preempt again before they are. Schedulers that
 * are separate programs have queues of their own and do not see the nominations of the others.
 *
 * A pod that is for one node only (a DaemonSet's) is tried with that node taken
 * out of its entry and marked as the only one that it asks for.
 */
#include "cluster/actor/step_scheduler.h"
#include "cluster/actor_type.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/best_beside.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/images.h"
#include "cluster/ask/known_placements.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/room_of_others.h"
#include "cluster/ask/waits.h"
#include "cluster/emit.h"
#include "cluster/intent/victims.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/homes.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/notes.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/node_reads.h"

#include <string.h>

/* A pod that is tried: any of those that wait, one that is nominated to a node,
 * or one that waits for a certain node. */
struct attempt {
    uint32_t revision;
    uint32_t class;
    uint32_t nominated; /* the entry; VIEW_NONE: none */
    uint32_t waits_for; /* the entry; VIEW_NONE: the pod is for any node */
    uint32_t shape;     /* the class that the scheduler goes by: of the pod with its volumes */
    struct view view;
    uint32_t *best; /* entries of the view */
    uint32_t best_count;
    struct placement_facts facts;
};

/* What one scheduler does in a state. */
struct scheduling {
    struct expansion *expansion;
    uint32_t scheduler;
    struct view view;
    VEC(struct attempt) placed; /* those for which there is a node */
};

static struct happening about(const struct population *population, enum population_action action,
                              const struct attempt *attempt, uint32_t entry)
{
    struct happening happening = happening_with(population, action, attempt->revision, entry, 1);
    happening.nominated = attempt->nominated == VIEW_NONE ? 0 : attempt->nominated + 1;
    return happening;
}

/* The entry of the state that one of the attempt's view is of: if the node that
 * matters was taken out of its entry, the others of it come last. */
static uint32_t entry_of(const struct expansion *expansion, const struct attempt *attempt,
                         uint32_t entry)
{
    if (entry < expansion->state->listed_count)
        return entry;
    return attempt->waits_for != VIEW_NONE ? attempt->waits_for : attempt->nominated;
}

/* The nomination of the pod, if it has one, is over. The node that it was for may be
 * the one that changes in the same step, whose config is then given: `place` is where
 * that is in the attempt's view. */
static uint32_t drop_nomination(const struct expansion *expansion, struct state *next,
                                const struct attempt *attempt, uint32_t place, uint32_t config)
{
    struct worker *worker = expansion->worker;
    if (attempt->nominated == VIEW_NONE)
        return config;
    if (attempt->nominated == place)
        return config_nominate(worker, config, attempt->class, false);
    const uint32_t kept = expansion->state->nodes[attempt->nominated].config;
    state_move_node(worker, next, attempt->nominated,
                    config_nominate(worker, kept, attempt->class, false));
    return config;
}

/* `home`: the place that its volume gets, plus one; 0: none. */
static void bind_with(struct expansion *expansion, const struct attempt *attempt, uint32_t place,
                      uint32_t home)
{
    const struct population *population = expansion->population;
    struct worker *worker = expansion->worker;
    if (expansion_leaves_out_pods(expansion, attempt->revision) ||
        expansion_skips(expansion, ACT_BIND, attempt->revision))
        return;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct state *next = state_copy(worker, expansion->state);
    const uint32_t entry = entry_of(expansion, attempt, place);
    uint32_t config = drop_nomination(expansion, next, attempt, place, next->nodes[entry].config);
    if (attempt->waits_for == VIEW_NONE)
        next->pending[attempt->revision]--;
    else
        config = config_replace(worker, config, attempt->class, VIEW_NONE);
    state_move_node(worker, next, entry, config_with_new_pod(worker, config, attempt->revision));
    if (home > 0)
        next->notes[population->note_of_homes +
                    population->revisions.items[attempt->revision].home - 1] = home;
    next->bound = population->remembers_binding;
    /* The pod does not start where no kubelet works, and an autoscaler would see that. */
    worker->findings.needs_all |=
        next->bound &&
        !condition_traits[config_condition(worker, expansion->state->nodes[entry].config)].works;
    expansion->crowding = attempt->facts.crowding;
    expansion_emit(expansion, next, about(population, ACT_BIND, attempt, entry));
    expansion->crowding = CROWDING_NONE;
    arena_rewind(&worker->scratch, mark);
}

/* The claim of the pod may get one of several volumes with the node. */
static void bind(struct expansion *expansion, const struct attempt *attempt, uint32_t place)
{
    struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    if (expansion_refuses_request(expansion, REQUEST_BINDING, attempt->revision))
        return;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t *choices;
    const uint32_t count =
        home_choices(worker, state, attempt->revision,
                     state->nodes[entry_of(expansion, attempt, place)].config, &choices);
    if (count == 0)
        bind_with(expansion, attempt, place, 0);
    for (uint32_t c = 0; c < count; c++)
        bind_with(expansion, attempt, place, choices[c]);
    arena_rewind(&worker->scratch, mark);
}

/* The config without the places that are kept for pods of the scheduler (`own`), or of all others,
 * whose priority is less than `below`. */
static uint32_t drop_places(struct worker *worker, uint32_t config, uint32_t scheduler, bool own,
                            int64_t below)
{
    for (uint32_t i = 0; i < config_at(worker, config)->nominated_entry_count;) {
        const uint32_t class = config_at(worker, config)->nominated[i].pod;
        if (worker->catalog->pods.items[class]->shape->priority < below &&
            (class_revision(worker, class)->scheduler == scheduler) == own)
            config = config_nominate(worker, config, class, false);
        else
            i++;
    }
    return config;
}

/* Notes that the pod of the attempt was tried, if the model keeps such notes. */
static void note_try(const struct population *population, struct state *next,
                     const struct attempt *attempt)
{
    if (attempt->waits_for == VIEW_NONE && notes_have_tries(population))
        state_note_try(population, next, attempt->revision);
}

/* The victims begin to terminate, or are chosen for it. The pod still waits, with the place kept
 * for it, and counts as tried even if it loses that place. */
static void preempt(struct expansion *expansion, const struct attempt *attempt,
                    const struct candidate *candidate)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    struct state *next = state_copy(worker, expansion->state);
    const struct revision *preemptor = &population->revisions.items[attempt->revision];
    const uint32_t entry = entry_of(expansion, attempt, candidate->entry);
    uint32_t config =
        drop_nomination(expansion, next, attempt, candidate->entry, next->nodes[entry].config);
    const bool later = population->preempts_later;
    struct happening happening =
        about(population, later ? ACT_CHOOSE_VICTIMS : ACT_PREEMPT, attempt, entry);
    happening.amount = candidate->victim_count;
    for (uint32_t v = 0; v < candidate->victim_count; v++) {
        const uint32_t class = candidate->victims[v];
        const uint32_t chosen = population->marks_victims ? class_chosen(worker, class) : class;
        config =
            config_replace(worker, config, class,
                           later ? chosen : class_ending(worker, config, chosen, END_DISRUPTED));
        if (!later)
            happening.victims |= victims_of(population, class_info(worker, class)->revision);
    }
    config = drop_places(worker, config, preemptor->scheduler, true, preemptor->priority);
    config = config_nominate(worker, config, attempt->class, true);
    state_move_node(worker, next, entry, config);
    note_try(population, next, attempt);
    expansion_emit(expansion, next, happening);
}

/* Does the pod wait for victims that already terminate, so that it preempts no more? */
static bool waits_for_room(struct worker *worker, const struct candidate *candidate)
{
    for (uint32_t v = 0; v < candidate->victim_count; v++)
        if (class_info(worker, candidate->victims[v])->stage == STAGE_TERMINATING)
            return true;
    return candidate->victim_count == 0;
}

/* Hands over that the scheduler tries the pod and finds no node. */
static void wait_on(struct expansion *expansion, const struct attempt *attempt)
{
    struct worker *worker = expansion->worker;
    const struct happening failed =
        about(expansion->population, ACT_UNSCHEDULABLE, attempt, attempt->waits_for);
    const bool notes = attempt->waits_for == VIEW_NONE && notes_have_tries(expansion->population) &&
                       !state_was_tried(expansion->population, expansion->state, attempt->revision);
    if (attempt->nominated == VIEW_NONE && !notes) {
        expansion_emit_idle(expansion, failed);
        return;
    }
    struct state *next = state_copy(worker, expansion->state);
    note_try(expansion->population, next, attempt);
    if (attempt->nominated != VIEW_NONE)
        drop_nomination(expansion, next, attempt, VIEW_NONE, 0);
    expansion_emit(expansion, next, failed);
}

static void fail_to_place(struct expansion *expansion, const struct attempt *attempt,
                          const struct decision *decision)
{
    struct worker *worker = expansion->worker;
    bool preempted = false;
    if (!decision->error) {
        const struct preemption *preemption =
            scheduler_preempt(worker->scheduler, &attempt->view, decision);
        if (preemption->orders_left_out)
            worker->findings.overflowed = true;
        if (attempt->nominated != VIEW_NONE &&
            (preemption->message ||
             config_has_chosen(worker, expansion->state->nodes[attempt->nominated].config)))
            return; /* its victims have not left yet */
        for (uint32_t c = 0; c < preemption->candidate_count; c++) {
            const struct candidate *candidate = &preemption->candidates[c];
            preempted |= candidate->chosen;
            if (candidate->chosen && !waits_for_room(worker, candidate))
                preempt(expansion, attempt, candidate);
        }
    }
    if (!preempted)
        wait_on(expansion, attempt);
}

/* ---- beside others that are not modelled (others.h) ---- */

static unsigned hindrance_of(enum crowding crowding)
{
    return crowding == CROWDING_NONE      ? 0
           : crowding == CROWDING_LASTING ? HINDERED_BY_LASTING_ROOM
                                          : HINDERED_BY_PASSING_ROOM;
}

/* Which node is the best depends on the others, and they may fill all that fit. */
static void choose_beside(struct worker *worker, struct attempt *attempt,
                          const struct decision *decision)
{
    uint32_t *fitting = ARENA_ARRAY(&worker->scratch, uint32_t, decision->node_count + 1);
    uint32_t count = 0;
    for (uint32_t n = 0; n < decision->node_count; n++)
        if (decision->nodes[n].verdict.code == VERDICT_FEASIBLE)
            fitting[count++] = n;
    attempt->facts.crowding =
        others_crowd(worker, &attempt->view, attempt->shape, fitting, count, NULL);
    worker->findings.hindered |= hindrance_of(attempt->facts.crowding);
    attempt->best = best_beside(worker, &attempt->view, attempt->shape, decision,
                                &attempt->best_count, &attempt->facts.images_could_decide);
}

static void choose(struct worker *worker, struct attempt *attempt, const struct decision *decision)
{
    /* For other numbers of nodes that were not tried, scores may be closer. */
    const bool varies = worker->catalog->node_reads && worker->catalog->node_reads->scores_vary;
    attempt->facts.images_could_decide =
        worker->population->images_assumed &&
        (varies || images_could_decide(worker->population, decision));
    attempt->best =
        images_widen(worker, &attempt->view, attempt->revision, decision, &attempt->best_count);
}

/* The others may have taken the room: the scheduler tries the pod in vain. What it would preempt
 * then is not modelled; who asks is told. */
static void be_crowded_out(struct expansion *expansion, const struct attempt *attempt)
{
    struct worker *worker = expansion->worker;
    const struct pod_shape *shape = worker->catalog->pods.items[attempt->class]->shape;
    const uint64_t rank = priority_rank(shape->priority);
    if (shape->preempts && rank > worker->findings.preempts_from)
        worker->findings.preempts_from = rank;
    wait_on(expansion, attempt);
}

/* Looks for the best nodes of the attempt's view. */
static void try_to_place(struct scheduling *scheduling, struct attempt *attempt)
{
    struct worker *worker = scheduling->expansion->worker;
    const struct decision *decision =
        scheduler_decide(worker->scheduler, &attempt->view, attempt->shape, attempt->nominated);
    if (!decision)
        return; /* no scheduler of this name: the pod waits for ever */
    if (decision->best_count == 0 && worker->population->options.others) {
        be_crowded_out(scheduling->expansion, attempt);
        return;
    }
    if (decision->best_count == 0) {
        fail_to_place(scheduling->expansion, attempt, decision);
        return;
    }
    if (worker->population->options.others)
        choose_beside(worker, attempt, decision);
    else
        choose(worker, attempt, decision);
    worker->findings.images_could_decide |= attempt->facts.images_could_decide;
    if (attempt->facts.crowding != CROWDING_NONE)
        be_crowded_out(scheduling->expansion, attempt);
    VEC_PUSH(&worker->scratch, &scheduling->placed, *attempt);
}

/* Is the claim of such pods about to be bound? They are tried once it is. */
static bool is_awaited(struct worker *worker, const struct state *state, uint32_t revision)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    uint32_t *choices;
    const uint32_t home = worker->population->revisions.items[revision].home;
    const bool awaited = home > 0 && home_choices_at_once(worker, state, home - 1, &choices) > 0;
    arena_rewind(&worker->scratch, mark);
    return awaited;
}

/* Any pod of those that wait, nominated nowhere. If nodes look as they did before,
 * so does the answer. */
static void try_any(struct scheduling *scheduling, uint32_t revision)
{
    struct worker *worker = scheduling->expansion->worker;
    const struct view *view = &scheduling->view;
    const uint32_t class = worker->population->revisions.items[revision].pending_class;
    const uint32_t shape = home_class(worker->population, scheduling->expansion->state, revision);
    struct attempt attempt = {revision, class, VIEW_NONE, VIEW_NONE, shape, *view};
    uint32_t best;
    if (!placement_is_known(worker, view, shape, &best, &attempt.facts.crowding)) {
        try_to_place(scheduling, &attempt);
        if (attempt.best_count > 0)
            placement_remember(worker, view, shape, attempt.best, attempt.best_count,
                               attempt.facts);
        return;
    }
    attempt.best = ARENA_ARRAY(&worker->scratch, uint32_t, view->node_count);
    for (uint32_t n = 0; n < view->node_count; n++)
        if (best >> n & 1)
            attempt.best[attempt.best_count++] = n;
    if (attempt.facts.crowding != CROWDING_NONE)
        be_crowded_out(scheduling->expansion, &attempt);
    VEC_PUSH(&worker->scratch, &scheduling->placed, attempt);
}

/* The view in which one node of the entry, with this config, is an entry of its own. The other
 * nodes of the entry come last. */
static struct view view_of_one(struct worker *worker, const struct view *view, uint32_t entry,
                               uint32_t config)
{
    struct view alone = *view;
    if (view->nodes[entry].count == 1 && view->nodes[entry].config == config)
        return alone;
    struct view_node *nodes = ARENA_ARRAY(&worker->scratch, struct view_node, view->node_count + 1);
    memcpy(nodes, view->nodes, view->node_count * sizeof(*nodes));
    if (nodes[entry].count > 1)
        nodes[alone.node_count++] = (struct view_node){nodes[entry].config, nodes[entry].count - 1};
    nodes[entry] = (struct view_node){config, 1};
    alone.nodes = nodes;
    return alone;
}

/* The config in which one place of the class is kept for a pod of the other one. A pod does not
 * count against itself, and the scheduler knows it by the class that it is tried with. */
static uint32_t nominate_as(struct worker *worker, uint32_t config, uint32_t class, uint32_t other)
{
    if (class == other)
        return config;
    return config_nominate(worker, config_nominate(worker, config, class, false), other, true);
}

/* Those of the revision that are nominated; how many they are. */
static uint32_t try_nominated(struct scheduling *scheduling, uint32_t revision)
{
    struct worker *worker = scheduling->expansion->worker;
    const struct view *view = &scheduling->view;
    uint32_t total = 0;
    if (!worker->nominates)
        return 0;
    const uint32_t class = worker->population->revisions.items[revision].pending_class;
    const uint32_t shape = home_class(worker->population, scheduling->expansion->state, revision);
    for (uint32_t n = 0; n < view->node_count; n++) {
        const uint32_t config = view->nodes[n].config;
        const uint32_t count = config_nominations(worker, config, class);
        if (count == 0)
            continue;
        struct attempt attempt = {
            revision, class,
            n,        VIEW_NONE,
            shape,    view_of_one(worker, view, n, nominate_as(worker, config, class, shape))};
        try_to_place(scheduling, &attempt);
        total += count * view->nodes[n].count;
    }
    return total;
}

/* Do gates keep the pods of the revision out of the queue? Then that is handed over. */
static bool is_gated(struct expansion *expansion, uint32_t revision)
{
    const bool gated = expansion->population->revisions.items[revision].gated;
    if (gated)
        expansion_emit_idle(
            expansion, happening_with(expansion->population, ACT_GATED, revision, UINT32_MAX, 1));
    return gated;
}

/* Those that wait for their node. */
static void try_waiting(struct scheduling *scheduling)
{
    struct worker *worker = scheduling->expansion->worker;
    const struct state *state = scheduling->expansion->state;
    const struct view *view = &scheduling->view;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const bool listed = n < view->node_count; /* if not, no node is the one */
        const uint32_t number = listed ? view->nodes[n].config : state->nodes[n].config;
        const struct node_config *config = config_at(worker, number);
        for (uint32_t w = 0; w < config->waiting_entry_count; w++) {
            const uint32_t class = config->waiting[w].pod;
            if (class_revision(worker, class)->scheduler != scheduling->scheduler ||
                is_gated(scheduling->expansion, class_info(worker, class)->revision))
                continue;
            const bool nominated = config_nominations(worker, number, class) > 0;
            struct attempt attempt = {
                class_info(worker, class)->revision,
                class,
                nominated ? n : VIEW_NONE,
                n,
                class,
                listed ? view_of_one(worker, view, n, config_as_target(worker, number)) : *view};
            try_to_place(scheduling, &attempt);
        }
    }
}

const struct verdict *scheduler_refusal(struct worker *worker, const struct state *state,
                                        uint32_t revision, uint32_t entry)
{
    const struct view view = state_view(worker, state);
    if (entry >= state->node_count)
        return NULL;
    const struct view alone =
        view_of_one(worker, &view, entry, config_as_target(worker, state->nodes[entry].config));
    const uint32_t class = class_at(worker->population, revision, STAGE_WAITING, 0);
    const struct decision *decision = scheduler_decide(worker->scheduler, &alone, class, VIEW_NONE);
    return decision ? &decision->nodes[entry].verdict : NULL;
}

static int32_t priority_of(const struct population *population, const struct attempt *attempt)
{
    return population->revisions.items[attempt->revision].priority;
}

/* May the pod be in the back-off queue, so that other pods are scheduled before it?
 * It may if it was tried before. */
static bool may_be_late(const struct expansion *expansion, const struct attempt *attempt)
{
    return attempt->nominated != VIEW_NONE || attempt->waits_for != VIEW_NONE ||
           !notes_have_tries(expansion->population) ||
           state_was_tried(expansion->population, expansion->state, attempt->revision);
}

/* Is the place that the attempt may go to a node that is up? */
static bool is_up(struct worker *worker, const struct attempt *attempt, uint32_t place)
{
    const uint32_t config = attempt->view.nodes[attempt->best[place]].config;
    return condition_is_up(config_condition(worker, config));
}

/* ---- pods that wait in the pool (reduce/waits.h) ---- */

static bool is_pool(struct worker *worker, const struct attempt *attempt, uint32_t place)
{
    const uint32_t config = attempt->view.nodes[attempt->best[place]].config;
    return config_condition(worker, config) == NODE_POOL;
}

/* Whether others, or the nodes, can keep a pod of the revision that waits from being bound. That it
 * finds no node is handed over. */
static enum crowding crowding_of_waiting(struct scheduling *scheduling, uint32_t revision)
{
    struct worker *worker = scheduling->expansion->worker;
    const uint32_t before = scheduling->placed.count;
    try_any(scheduling, revision);
    if (scheduling->placed.count == before)
        return CROWDING_LASTING;
    const struct attempt *attempt = &scheduling->placed.items[before];
    /* Pods that are bound to other nodes are not in the pool. */
    for (uint32_t e = 0; e < attempt->best_count; e++)
        worker->findings.needs_all |= !is_up(worker, attempt, e) && !is_pool(worker, attempt, e);
    scheduling->placed.count = before;
    return attempt->facts.crowding;
}

/* Is a node down for good? Its pods are in the pool then, and wait for minutes until they are
 * evicted, if they are. */
static bool pods_are_lost(struct worker *worker, const struct state *state)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (config_condition(worker, state->nodes[n].config) == NODE_DOWN)
            return worker->population->waits == WAITS_AND_LOSSES_FORGOTTEN;
    return false;
}

/* A pod that may wait is bound, and starts. */
static void start_waiting(struct scheduling *scheduling, uint32_t revision)
{
    struct expansion *expansion = scheduling->expansion;
    struct worker *worker = expansion->worker;
    const uint32_t class = waits_class(worker, revision);
    const struct class_info info = *class_info(worker, class);
    if (waits_count(worker, expansion->state, revision) == 0)
        return;
    struct happening started = happening_with(expansion->population, ACT_START, revision,
                                              pool_entry(worker, expansion->state), 1);
    started.victims = victims_of(expansion->population, revision);
    const bool lost = pods_are_lost(worker, expansion->state);
    const enum crowding crowding = crowding_of_waiting(scheduling, revision);
    expansion->lazy = lost;
    expansion->crowding =
        lost && !lifecycle_evicts(worker, expansion->state) ? CROWDING_LASTING : crowding;
    expansion_emit_pod(expansion, class, class_like(worker, &info, STAGE_READY, info.level),
                       started);
    expansion->crowding = CROWDING_NONE;
    expansion->lazy = false;
}

/* Can pods of the revision neither be those that are asked about, nor come before them? */
static bool is_not_asked(const struct expansion *expansion, uint32_t revision)
{
    const struct revision *revisions = expansion->population->revisions.items;
    const struct asked_step *asked = expansion->asked;
    if (expansion_leaves_out_pods(expansion, revision))
        return !expansion->worker->nominates;
    return asked && expansion_skips(expansion, ACT_BIND, revision) && asked->action == ACT_BIND &&
           asked->beside == POPULATION_ACTION_COUNT && asked->revision != UINT32_MAX &&
           revisions[revision].priority <= revisions[asked->revision].priority;
}

/* What one scheduler may do. */
static void one_scheduler(struct scheduling *scheduling)
{
    struct expansion *expansion = scheduling->expansion;
    const struct population *population = expansion->population;
    const struct state *state = expansion->state;
    int32_t first = INT32_MIN; /* pods of a lower priority have to wait */
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (population->waits != WAITS_KEPT && revision->workload < population->managed_count &&
            revision->scheduler == scheduling->scheduler)
            start_waiting(scheduling, r);
        if (is_not_asked(expansion, r))
            continue;
        if (state->pending[r] == 0 || revision->node_name ||
            revision->scheduler != scheduling->scheduler ||
            state->pending[r] <= try_nominated(scheduling, r))
            continue;
        if (is_awaited(expansion->worker, state, r) || is_gated(expansion, r))
            continue;
        try_any(scheduling, r);
        if (expansion->first_only && scheduling->placed.count > 0 && !notes_have_tries(population))
            break;
    }
    if (population->has_daemon_sets)
        try_waiting(scheduling);
    for (uint32_t p = 0; p < scheduling->placed.count; p++) {
        const struct attempt *attempt = &scheduling->placed.items[p];
        const int32_t priority = priority_of(population, attempt);
        if (priority > first && (expansion->first_only || !may_be_late(expansion, attempt)))
            first = priority;
    }
    for (uint32_t p = 0; p < scheduling->placed.count; p++) {
        const struct attempt *attempt = &scheduling->placed.items[p];
        const uint32_t most = state->anywhere ? 1 : attempt->best_count;
        bool in_pool = false;
        for (uint32_t e = 0; priority_of(population, attempt) >= first && e < most; e++) {
            /* All nodes that are up lead into the pool. Those that keep pods there (pool.h) may
             * as well go on to do so: a pod of the pool may be beside them. */
            const bool pooled = population->pools && is_up(expansion->worker, attempt, e);
            if (!pooled || !in_pool)
                bind(expansion, attempt, attempt->best[e]);
            in_pool |= pooled;
        }
    }
}

/* Pods that wait in the pool start in a step of the scheduler's; others do not. */
static bool is_own(const struct population *population, enum population_action action)
{
    return action != POPULATION_ACTION_COUNT && actor_may_take(&actor_scheduler, action) &&
           (action != ACT_START || population->waits != WAITS_KEPT);
}

static bool nothing_is_asked(const struct expansion *expansion)
{
    const struct asked_step *asked = expansion->asked;
    return asked && asked->quick && !is_own(expansion->population, asked->action) &&
           !is_own(expansion->population, asked->beside);
}

static void step_scheduler(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct state *state = expansion->state;
    struct view view = state_view(worker, state);
    if (nothing_is_asked(expansion))
        return;
    if (population->catalog->surroundings.budgets.count > 0 && notes_have_tries(population))
        view.budgets = state_budgets(worker, state, &view.budget_count);
    for (uint32_t number = 0; number < population->scheduler_count; number++) {
        if (population->scheduler_count > 1) {
            struct view_node *nodes =
                ARENA_ARRAY(&worker->scratch, struct view_node, state->node_count + 1);
            for (uint32_t n = 0; n < state->node_count; n++)
                nodes[n] = (struct view_node){
                    drop_places(worker, state->nodes[n].config, number, false, INT64_MAX),
                    state->nodes[n].count};
            view.nodes = nodes;
        }
        one_scheduler(&(struct scheduling){expansion, number, view, {0}});
    }
}

/* Pods that terminate hold room. In the pool it is not known where (state/pool.h), but pods without
 * a workload stay on their nodes. */
static bool sees_room(const struct population *population)
{
    return !population->pools || population->workloads.count > population->managed_count;
}

static const enum population_action scheduler_actions[] = {
    ACT_BIND,  ACT_PREEMPT, ACT_CHOOSE_VICTIMS,  ACT_UNSCHEDULABLE,
    ACT_GATED, ACT_START,   ACT_BINDING_REFUSED, ACTIONS_END};

const struct actor actor_scheduler = {
    .name = "scheduler",
    .actions = scheduler_actions,
    .prompt = true,
    .step = step_scheduler,
    .minds_ends = sees_room,
    .minds_waits = never_minds,
    .writes = PART_WAITING | PART_PODS | PART_NOMINATIONS | PART_NOTES,
};
