/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One cycle of the descheduler, at rest: all that it may evict, in every way
 * that the order of its maps allows. It evicts through the eviction API, which
 * decides by the present budgets, and the pods terminate.
 */
#include "cluster/actor/step_descheduler.h"
#include "cluster/actor_type.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/endings.h"
#include "cluster/ask/webhooks.h"
#include "cluster/emit.h"
#include "cluster/intent/victims.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/descheduler/descheduler.h"

#include <string.h>

/* How many cycles are tried to find every outcome of one state. */
enum { RUNS_MOST = 200000 };

static struct descheduler_features features_of(const struct population *population)
{
    const struct check *check = population->scope->check;
    int minor = descheduler_version_of(population->scope->objects);
    if (check && check->controllers.descheduler && check->controllers.descheduler->version)
        descheduler_parse_version(check->controllers.descheduler->version, &minor);
    return descheduler_features_of_version(minor);
}

/* The state after the outcome, and what happened. The losses of one node stand together and make
 * one new config. */
static struct state *outcome_state(struct worker *worker, const struct state *state,
                                   const struct cluster *cluster,
                                   const struct descheduler_outcome *outcome,
                                   struct happening *happening)
{
    const struct population *population = worker->population;
    struct state *next = state_copy(worker, state);
    uint32_t config = 0;
    *happening = happening_of(ACT_DESCHEDULE);
    for (uint32_t i = 0; i < outcome->loss_count; i++) {
        const struct descheduler_loss *loss = &outcome->losses[i];
        const uint32_t class = cluster->kinds.items[loss->kind].class;
        const uint32_t revision = class_info(worker, class)->revision;
        const uint32_t entry = cluster->nodes[loss->node].entry;
        if (i == 0 || outcome->losses[i - 1].node != loss->node) {
            happening->revision = revision;
            happening->node = entry;
            config = state->nodes[entry].config;
        }
        happening->victims |= victims_of(population, revision);
        happening->amount += loss->count;
        for (uint32_t pod = 0; pod < loss->count; pod++) {
            config = config_end(worker, config, class, END_DISRUPTED);
            eviction_spends(worker, next, revision, class_info(worker, class)->stage);
        }
        if (i + 1 == outcome->loss_count || outcome->losses[i + 1].node != loss->node)
            state_move_node(worker, next, entry, config);
    }
    if (outcome->loss_count > 0)
        happening->workload = population->revisions.items[happening->revision].workload;
    if (population->clock)
        next->clocks.cycle_left = population->clock->cycle_period;
    return next;
}

/* The time of the descheduler: no pod is older than that. */
static const int64_t now = INT64_MAX / 4;

/* With clocks pods have ages: those that matter. */
static void set_ages(struct worker *worker, const struct state *state, struct cluster *cluster)
{
    for (uint32_t k = 0; k < cluster->kinds.count; k++) {
        struct pod_kind *kind = &cluster->kinds.items[k];
        const uint32_t slot = class_info(worker, kind->class)->slot;
        if (slot == SLOT_NONE)
            continue; /* older than every age that matters */
        struct pod *pod = ARENA_NEW(&worker->scratch, struct pod);
        const uint32_t age = cohort_start(state, slot);
        *pod = *kind->pod;
        /* Just past an instant is a second more: ages are compared in seconds. */
        pod->meta.creation_time = now - clock_ticks_ns(worker->population, age / 2) -
                                  (age % 2 ? NANOSECONDS_PER_SECOND : 0);
        kind->pod = pod;
    }
}

/* All that one cycle may do in this state. */
static struct cluster *enumerate(struct worker *worker, const struct state *state,
                                 struct descheduler_outcomes *outcomes)
{
    const struct population *population = worker->population;
    struct view view = state_view(worker, state);
    view.budgets = state_budgets(worker, state, &view.budget_count);
    const struct descheduler_setup setup = {
        .policy = population->descheduler_policy,
        .objects = population->scope->objects,
        .features = features_of(population),
        .mode = DESCHEDULER_GRACEFUL,
        .now = population->clock ? now : 0,
    };
    struct cluster *cluster = cluster_of_view(&worker->scratch, &view);
    if (population->clock)
        set_ages(worker, state, cluster);
    descheduler_enumerate(&worker->scratch, &setup, cluster,
                          (struct descheduler_limits){.runs_most = RUNS_MOST}, outcomes);
    return cluster;
}

/* Notes that the workloads whose pods may be evicted do not rest. */
static void note_moving(struct expansion *expansion, const struct cluster *cluster,
                        const struct descheduler_outcomes *outcomes)
{
    struct worker *worker = expansion->worker;
    for (uint32_t i = 0; expansion->moving && i < outcomes->items.count; i++)
        for (uint32_t l = 0; l < outcomes->items.items[i].loss_count; l++) {
            const uint32_t kind = outcomes->items.items[i].losses[l].kind;
            const uint32_t class = cluster->kinds.items[kind].class;
            const uint32_t revision = class_info(worker, class)->revision;
            if (!webhook_refuses(worker, expansion->state, REQUEST_EVICTION, revision))
                expansion->moving[class_revision(worker, class)->workload] = true;
        }
}

/* Notes what the next cycle may evict while it is not due. */
static void foresee(struct expansion *expansion)
{
    struct descheduler_outcomes outcomes = {0};
    const struct cluster *cluster = enumerate(expansion->worker, expansion->state, &outcomes);
    note_moving(expansion, cluster, &outcomes);
}

/* Does the outcome evict a pod of a workload whose pods kubelets have to be done with first? */
static bool outcome_lags(const struct expansion *expansion, const struct cluster *cluster,
                         const struct descheduler_outcome *outcome)
{
    for (uint32_t l = 0; l < outcome->loss_count; l++) {
        const uint32_t class = cluster->kinds.items[outcome->losses[l].kind].class;
        if (endings_lag(expansion->worker, expansion->state,
                        class_revision(expansion->worker, class)->workload))
            return true;
    }
    return false;
}

/* Every outcome that evicts; true if one may evict nothing. */
static bool emit_outcomes(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    struct descheduler_outcomes outcomes = {0};
    const struct cluster *cluster = enumerate(worker, expansion->state, &outcomes);
    note_moving(expansion, cluster, &outcomes);
    bool idle = outcomes.items.count == 0;
    if (outcomes.too_many)
        worker->findings.overflowed = true;
    for (uint32_t i = 0; i < outcomes.items.count; i++) {
        const struct descheduler_outcome *outcome = &outcomes.items.items[i];
        struct happening happening;
        if (outcome->loss_count == 0)
            idle = true;
        if (outcome->loss_count == 0 || outcome_lags(expansion, cluster, outcome))
            continue;
        struct state *next = outcome_state(worker, expansion->state, cluster, outcome, &happening);
        /* Where one eviction is refused, so are the others (build/webhook_requests.c). */
        if (!expansion_refuses_request(expansion, REQUEST_EVICTION, happening.revision))
            expansion_emit(expansion, next, happening);
    }
    return idle;
}

static void step_descheduler(struct expansion *expansion)
{
    emit_outcomes(expansion);
}

static bool step_due(struct expansion *expansion)
{
    if (expansion->state->clocks.cycle_left > 0)
        return false;
    if (!emit_outcomes(expansion))
        return true;
    struct state *next = state_copy(expansion->worker, expansion->state);
    next->clocks.cycle_left = expansion->population->clock->cycle_period;
    expansion_emit(expansion, next, happening_of(ACT_CYCLE));
    return true;
}

bool descheduler_blames(struct worker *worker, const struct state *from, const struct state *to,
                        uint32_t number, enum descheduler_plugin *plugin)
{
    const struct population *population = worker->population;
    struct descheduler_outcomes outcomes = {0};
    uint32_t *words = words_room(worker);
    uint32_t *wanted = words_room(worker);
    if (!population->descheduler_policy)
        return false;
    const uint32_t length = state_pack(worker, state_copy(worker, to), wanted);
    const struct cluster *cluster = enumerate(worker, from, &outcomes);
    for (uint32_t i = 0; i < outcomes.items.count; i++) {
        const struct descheduler_outcome *outcome = &outcomes.items.items[i];
        struct happening happening;
        struct state *next = outcome_state(worker, from, cluster, outcome, &happening);
        if (number >= outcome->loss_count || state_pack(worker, next, words) != length ||
            memcmp(words + population->word_of_nodes, wanted + population->word_of_nodes,
                   (length - population->word_of_nodes) * sizeof(*words)) != 0)
            continue;
        *plugin = outcome->losses[number].plugin;
        return true;
    }
    return false;
}

const struct actor actor_descheduler = {
    .name = "descheduler",
    .pace = PACE_PERIODIC,
    .step = step_descheduler,
    .step_due = step_due,
    .foresee = foresee,
    .writes = PART_PODS | PART_CLOCKS | PART_NOTES,
};
