/* SPDX-License-Identifier: Apache-2.0 */
/* All steps out of a state, in a fixed order. */
#include "cluster/clock.h"
#include "cluster/reductions.h"
#include "cluster/steps.h"
#include "cluster/traffic.h"

static bool outside(enum population_action action)
{
    static const bool fair[] = {
#define ACTION(constant, actor, verb, is_fair) is_fair,
#include "cluster/actions.def"
#undef ACTION
    };
    return !fair[action];
}

bool action_is_event(enum population_action action)
{
    return (outside(action) && action != ACT_SETTLED) || action == ACT_EVENT_ROLLBACK;
}

enum { REVISION_BITS = 10, NODE_BITS = 11, AMOUNT_BITS = 32 - REVISION_BITS - NODE_BITS };

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* All ones stand for 'none'. */
uint32_t step_subject_pack(struct step_subject subject)
{
    return lesser(subject.revision, (1U << REVISION_BITS) - 1) |
           lesser(subject.node, (1U << NODE_BITS) - 1) << REVISION_BITS |
           lesser(subject.amount, (1U << AMOUNT_BITS) - 1) << (REVISION_BITS + NODE_BITS);
}

struct step_subject step_subject_of(const struct step *step)
{
    const uint32_t revision_none = (1U << REVISION_BITS) - 1;
    const uint32_t node_none = (1U << NODE_BITS) - 1;
    const uint32_t revision = step->argument & revision_none;
    const uint32_t node = step->argument >> REVISION_BITS & node_none;
    return (struct step_subject){
        .revision = revision == revision_none ? UINT32_MAX : revision,
        .node = node == node_none ? UINT32_MAX : node,
        .amount = step->argument >> (REVISION_BITS + NODE_BITS),
    };
}

/* Is the step one of a node's own, its kubelet's or of who clears it? Pods of a
 * DaemonSet have one node only, and each is tried by itself, as are those that have
 * a place kept. */
static bool is_of_node(const struct population *population, const struct happening *happening)
{
    switch (happening->action) {
    case ACT_BIND:
    case ACT_UNSCHEDULABLE:
    case ACT_PREEMPT:
        return happening->nominated > 0 ||
               population->revisions.items[happening->revision].daemon_set != NULL;
    case ACT_ADMIT:
    case ACT_REJECT:
    case ACT_PRESSURE_REJECT:
    case ACT_PRESSURE_EVICT:
    case ACT_START:
    case ACT_POD_SUCCEEDS:
    case ACT_POD_FAILS:
    case ACT_TERMINATED:
    case ACT_TAINT_EVICT:
    case ACT_DRAIN_EVICT: return true;
    default: return false;
    }
}

/* What a step belongs to for fairness: an action, of one kind of pods (on one kind
 * of nodes, if the node is who acts), workload or kind of nodes. Whoever serves
 * one object again and again must not forget another one that waits. */
static uint32_t fairness_of(const struct population *population,
                            const struct population_state *state, const struct happening *happening)
{
    const uint32_t places = 1 + population->node_kinds.count;
    uint32_t place = 0;
    uint32_t subject = 0;
    if (outside(happening->action))
        return FAIRNESS_OPTIONAL;
    const uint32_t node = happening->nominated > 0 ? happening->nominated - 1 : happening->node;
    if (node != UINT32_MAX) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[node].config];
        place = 1 + population->templates.items[config->template->id].node;
    }
    if (happening->action == ACT_DESCHEDULE)
        subject = 0; /* whom it finds first is a matter of luck */
    else if (happening->revision != UINT32_MAX)
        subject =
            places * (1 + happening->revision) + (is_of_node(population, happening) ? place : 0);
    else if (happening->workload != UINT32_MAX)
        subject = places * (1 + population->revisions.count) + happening->workload;
    else
        subject = place;
    const uint32_t class =
        (uint32_t)happening->action * population_fairness_subjects(population) + subject;
    /* Each of these nodes is the one that is apart in some other state (fold.c). */
    if (population->options.nodes == NODES_ONE_APART &&
        population_class_is_shared(&population->model, class))
        return FAIRNESS_NONE;
    return class;
}

bool population_class_is_shared(const struct model *model, uint32_t fairness_class)
{
    const struct population *population = model->context;
    const uint32_t places = 1 + population->node_kinds.count;
    const uint32_t subject = fairness_class % population_fairness_subjects(population);
    const uint32_t place =
        subject < places * (1 + population->revisions.count) ? subject % places : 0;
    return place > 0 && population->node_kinds.items[place - 1].shared;
}

uint32_t population_fairness_subjects(const struct population *population)
{
    return (1 + population->node_kinds.count) * (1 + population->revisions.count) +
           population->workloads.count;
}

/* It could happen, and is not explored. */
static void enable(struct expansion *expansion, const struct happening *happening)
{
    const uint32_t class = fairness_of(expansion->population, expansion->state, happening);
    if (class < FAIRNESS_OPTIONAL)
        step_sink_enable(expansion->sink, class);
}

static void emit(struct expansion *expansion, struct population_state *next,
                 const struct happening *happening, bool changes)
{
    struct population *population = expansion->population;
    if (expansion_ignores(expansion, happening->workload))
        return;
    if (expansion->parts != POPULATION_WHOLE && happening->workload != UINT32_MAX) {
        next->focus = happening->workload + 1;
        next->anywhere = expansion->parts == POPULATION_PARTED_ANYWHERE;
    }
    if (expansion->postponed) {
        enable(expansion, happening);
        return;
    }
    state_trim_nominations(population, next);
    jobs_count_lost(population, expansion->state, next, happening->action);
    const uint64_t marks = intents_observe(population, expansion->state, next, happening);
    const uint32_t length =
        state_pack_after(population, &expansion->head, expansion->state, next, expansion->words);
    expansion->moved |= changes && !expansion->lazy;
    expansion->waits |= changes && expansion->lazy;
    if (length == 0) {
        /* That nothing is known of where it leads does not make this a state of rest. */
        population->overflow = true;
        enable(expansion, happening);
        return;
    }
    step_sink_emit(
        expansion->sink,
        &(struct step){
            .words = expansion->words,
            .length = length,
            .action = happening->action,
            .argument = population->clock && happening->action == ACT_TIME
                            ? happening->amount
                            : step_subject_pack((struct step_subject){
                                  happening->revision, happening->node, happening->amount}),
            .fairness = fairness_of(population, expansion->state, happening),
            .marks = marks,
        });
}

void expansion_emit(struct expansion *expansion, struct population_state *next,
                    const struct happening *happening)
{
    emit(expansion, next, happening, true);
}

void expansion_emit_idle(struct expansion *expansion, const struct happening *happening)
{
    emit(expansion, state_copy(expansion->population, expansion->state), happening, false);
}

/* Where a start settles nothing counts until everything rests, periodic
 * controllers included; then it is as if runs began here. */
static void begin(struct expansion *expansion)
{
    struct population *population = expansion->population;
    struct population_state *next = state_copy(population, expansion->state);
    next->begun = true;
    next->settled_once = population->remembers_settling;
    next->bound = false;
    intents_begin(population, next);
    population->begins = true;
    expansion_emit(expansion, next,
                   &(struct happening){.action = ACT_BEGIN,
                                       .workload = UINT32_MAX,
                                       .revision = UINT32_MAX,
                                       .node = UINT32_MAX});
}

void population_expand(const struct model *model, void *worker, const uint32_t *words,
                       uint32_t length, struct step_sink *sink)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    struct population_state *state = state_unpack(population, words, length);
    uint32_t successor[WORDS_MOST];
    struct expansion expansion = {.population = population,
                                  .state = state,
                                  .sink = sink,
                                  .words = successor,
                                  .failures = &failure_reduction,
                                  .head = {.words = head_room(population)}};
    expansion.parts = workloads_part(population, state);
    expansion.postponed = create_first(&expansion);
    step_deployments(&expansion);
    step_replica_sets(&expansion);
    step_stateful_sets(&expansion);
    step_daemon_sets(&expansion);
    step_jobs(&expansion);
    step_kubelets(&expansion);
    step_pressure(&expansion);
    step_orphans(&expansion);
    if (!state_nodes_are_plain(population, state)) {
        step_taints(&expansion);
        step_drains(&expansion);
    }
    step_garbage(&expansion);
    step_endpoints(&expansion);
    step_rules(&expansion);
    /* With clocks it may take the user a while. */
    expansion.lazy = population->clock != NULL;
    step_rollbacks(&expansion);
    expansion.lazy = false;
    step_lifecycle(&expansion);
    step_scheduler(&expansion);
    /* What takes minutes is not waited for by whoever acts every few seconds. */
    const bool waits = expansion.waits;
    const bool busy = expansion.moved;
    const bool settled = population->clock ? step_clock(&expansion, !busy) : !busy && !waits;
    /* From here on the successors know that things have settled once. */
    expansion.settles = settled && !state->settled_once;
    if (settled && state->begun)
        state->settled_once = population->remembers_settling;
    /* That pods still run does not keep the cluster from being at rest. */
    expansion.lazy = true;
    step_job_pods(&expansion);
    expansion.lazy = false;
    if (!population->clock && (!busy || population->options.full_interleaving)) {
        step_autoscalers(&expansion);
        step_descheduler(&expansion);
    }
    if (!busy || population->options.full_interleaving)
        step_reapplies(&expansion, settled);
    if (!population->clock && !busy) {
        step_time(&expansion);
        step_job_deadlines(&expansion);
    }
    if (!state->begun) {
        if (!expansion.moved && !waits)
            begin(&expansion);
    } else {
        if (settled)
            expansion_emit_settled(&expansion, !expansion.moved);
        step_events(&expansion, settled);
    }
    arena_rewind(&population->scratch, mark);
}

uint64_t population_atoms(const struct model *model, void *worker, const uint32_t *words,
                          uint32_t length)
{
    struct population *population = (struct population *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&population->scratch);
    (void)worker;
    const uint64_t atoms = intents_atoms(population, state_unpack(population, words, length));
    arena_rewind(&population->scratch, mark);
    return atoms;
}
