/* SPDX-License-Identifier: Apache-2.0 */
/* Steps on their way out: intents mark them, fairness gets their class, the sink gets the words. */
#include "cluster/emit.h"
#include "base/error.h"
#include "cluster/actor_type.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/job_losses.h"
#include "cluster/ask/jobs.h"
#include "cluster/ask/lifecycle.h"
#include "cluster/ask/quotas.h"
#include "cluster/ask/seen_writes.h"
#include "cluster/ask/set_views.h"
#include "cluster/ask/waits.h"
#include "cluster/ask/webhooks.h"
#include "cluster/intent/intents.h"
#include "cluster/population.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/ends.h"
#include "cluster/state/happening.h"
#include "cluster/state/invariants.h"
#include "cluster/state/nodes.h"
#include "cluster/state/nominations.h"
#include "cluster/state/notes.h"
#include "cluster/state/pool.h"
#include "cluster/state/population_model.h"
#include "cluster/state/starts.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

enum { REVISION_BITS = 10, NODE_BITS = 11, AMOUNT_BITS = 32 - REVISION_BITS - NODE_BITS };

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* All ones stand for 'none'. */
static uint32_t step_subject_pack(struct step_subject subject)
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

bool population_same_subject(uint32_t left, uint32_t right)
{
    return step_subject_of(&(struct step){.argument = left}).revision ==
           step_subject_of(&(struct step){.argument = right}).revision;
}

/* Is the step one of a node's own? */
static bool is_of_node(const struct population *population, const struct happening *happening)
{
    return action_has(happening->action, IS_OF_NODE) ||
           (action_has(happening->action, IS_OF_PINNED_NODE) &&
            (happening->nominated > 0 ||
             population->revisions.items[happening->revision].daemon_set != NULL));
}

/* Each action has a class for each subject; those that wait for something have their own. */
static uint32_t classes_of_gate(const struct population *population)
{
    return POPULATION_ACTION_COUNT * population_fairness_subjects(population);
}

uint32_t population_fairness_classes(const struct population *population)
{
    return classes_of_gate(population) * (population->waits_for_rest ? STEP_GATE_COUNT : 1);
}

uint32_t population_class_gate(const struct model *model, uint32_t fairness_class)
{
    return step_gate_number((enum step_gate)(fairness_class / classes_of_gate(model->context)));
}

/* Does the step wait for the cluster to rest, beside others that may never do so? */
static bool waits_for_restless_others(const struct expansion *expansion)
{
    const struct others *others = expansion->population->options.others;
    return others && others->restless && expansion->actor &&
           expansion->actor->pace >= PACE_PERIODIC;
}

/* May the step never come, although it is possible all the time, because of others that are not
 * modelled? */
static bool may_never_come(const struct expansion *expansion)
{
    return expansion->crowding == CROWDING_LASTING || waits_for_restless_others(expansion);
}

/* The fairness class of a step: its action with one kind of pods (on one kind of nodes, if the
 * step is one of a node), workload or kind of nodes. So a run in which an actor serves one
 * object again and again, and another one never, is not fair. */
static uint32_t fairness_of(const struct expansion *expansion, const struct happening *happening)
{
    const struct worker *worker = expansion->worker;
    const struct state *state = expansion->state;
    const struct population *population = worker->population;
    const uint32_t places = 1 + population->node_kinds.count;
    if (!action_has(happening->action, IS_FAIR) || happening->guessed || may_never_come(expansion))
        return FAIRNESS_OPTIONAL;
    const uint32_t node = happening->nominated > 0 ? happening->nominated - 1 : happening->node;
    const uint32_t place =
        node == UINT32_MAX ? 0 : 1 + config_template(worker, state->nodes[node].config)->node;
    uint32_t subject = place;
    if (action_has(happening->action, IS_OF_ANYBODY))
        subject = 0;
    else if (happening->revision != UINT32_MAX)
        subject =
            places * (1 + happening->revision) + (is_of_node(population, happening) ? place : 0);
    else if (happening->workload != UINT32_MAX)
        subject = places * (1 + population->revisions.count) + happening->workload;
    const uint32_t subjects = population->fairness_subjects;
    const uint32_t class =
        ((uint32_t)expansion->gate * POPULATION_ACTION_COUNT + (uint32_t)happening->action) *
            subjects +
        subject;
    /* Each of these nodes is the distinguished one in some other state (distinguished_node.c). */
    if (population->options.nodes == NODES_ONE_DISTINGUISHED &&
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

/* Declares a step possible that is not explored. */
static void enable(struct expansion *expansion, const struct happening *happening)
{
    const uint32_t class = fairness_of(expansion, happening);
    if (class < FAIRNESS_OPTIONAL)
        step_sink_enable(expansion->sink, class);
}

#ifdef NDEBUG
enum { CHECKS_INVARIANTS = false };
#else
enum { CHECKS_INVARIANTS = true };
#endif

static const char *who_acts(const struct expansion *expansion)
{
    return expansion->actor ? expansion->actor->name : "an event, or time";
}

/* Does the scheduler place no pod of the kind on nodes of the entry, because of a taint or because
 * they are cordoned? */
static bool is_kept_away(const struct expansion *expansion, uint32_t revision, uint32_t entry)
{
    const struct revision *kind = &expansion->population->revisions.items[revision];
    const struct node *node =
        state_config(expansion->worker, expansion->state, entry)->template->node;
    const struct pod_spec *spec = &kind->pod->spec;
    const struct taint cordoned = {
        .key = "node.kubernetes.io/unschedulable", .value = "", .effect = TAINT_NO_SCHEDULE};
    if (kind->node_name || kind->daemon_set || kind->unchecked)
        return false;
    if (node->spec.unschedulable &&
        !tolerations_find(spec->tolerations, spec->toleration_count, &cordoned))
        return true;
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        if (node->spec.taints[t].effect != TAINT_PREFER_NO_SCHEDULE &&
            !tolerations_find(spec->tolerations, spec->toleration_count, &node->spec.taints[t]))
            return true;
    return false;
}

/* Is the step one of those of which loops consist that may count as rest (rest.h): of fast ones or,
 * before runs begin, of any? */
static bool is_of_loops(const struct expansion *expansion)
{
    return expansion->actor && (expansion->actor->pace == PACE_FAST || !expansion->state->begun);
}

/* Can the step be part of such a loop? A pod that is evicted and cannot come back to such a node is
 * not evicted from there again. */
static bool may_loop(const struct expansion *expansion, const struct happening *happening)
{
    if (!is_of_loops(expansion) || action_has(happening->action, LEADS_ON))
        return false;
    return !action_has(happening->action, EVICTS_PODS) || happening->revision == UINT32_MAX ||
           happening->node == UINT32_MAX ||
           !is_kept_away(expansion, happening->revision, happening->node);
}

/* Can it be after the step that no prompt actor has acted since they last had nothing to do? What a
 * periodic actor writes they see before the next one acts. All prompt actors come before the others
 * in an expansion (actors_choose), so it is known by now whether they have something to do. */
static bool stays_early(const struct expansion *expansion)
{
    const struct actor *actor = expansion->actor;
    if (!expansion->population->remembers_quiet ||
        (actor && (actor->prompt || actor->pace == PACE_PERIODIC || actor->pace == PACE_WATCHING)))
        return false;
    return expansion->state->early || !expansion->prompts;
}

/* Is the step one of a workload that follows those that lead? */
static bool is_of_follower(const struct expansion *expansion, const struct happening *happening)
{
    return happening->workload < expansion->population->managed_count &&
           !expansion->worker->leads[happening->workload];
}

/* Does the step have to wait for those of others, where some workloads lead? What outside events do
 * to those that follow is left out. */
static bool is_out_of_turn(struct expansion *expansion, const struct happening *happening,
                           bool changes)
{
    if (!expansion->worker->leads)
        return false;
    if (expansion->turn == TURN_OF_ALL)
        return (expansion->worker->lead_alone || action_has(happening->action, IS_EVENT)) &&
               is_of_follower(expansion, happening);
    if (expansion->turn == TURN_TAKEN || !changes || !expansion->actor ||
        !is_of_follower(expansion, happening))
        return true;
    expansion->turn = TURN_TAKEN;
    return false;
}

bool expansion_stands_still(const struct expansion *expansion, uint32_t workload)
{
    const bool prompt = expansion->actor && expansion->actor->prompt;
    if (!expansion->moved)
        return false;
    return (expansion->prompts || !prompt) && workload < expansion->population->managed_count &&
           !expansion->worker->leads[workload];
}

/* The marks of the step that no intent gives it. */
static uint64_t own_marks(const struct expansion *expansion, bool changes)
{
    const struct population *population = expansion->population;
    return (expansion->finite ? intents_finite_mark(population) : 0) |
           (population->looks_for_loops
                ? intents_loop_mark(population, changes && is_of_loops(expansion))
                : 0);
}

bool population_keeps_more(const struct population *population)
{
    return population->pools || population->ends != ENDS_KEPT || population->waits != WAITS_KEPT ||
           notes_have_views(population) || notes_have_tries(population) ||
           writes_may_be_unseen(population) || population->has_jobs || population->has_job_rules;
}

/* What follows from the step, in what few models keep. */
static void bring_up_to_date(const struct expansion *expansion, struct state *next,
                             const struct happening *happening, const struct job_losses *losses)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    if (population->pools)
        pool_collect(worker, next, expansion->undrawn ? expansion->undrawn : expansion->state);
    if (population->ends != ENDS_KEPT)
        ends_forget(worker, next);
    if (population->waits != WAITS_KEPT)
        waits_forget(worker, next);
    state_trim_nominations(worker, next);
    set_views_follow(worker, expansion->state, next, happening->action, happening->revision);
    if (notes_have_tries(population))
        state_forget_tries(population, next);
    if (writes_may_be_unseen(population) &&
        !(expansion->actor && expansion->actor->pace == PACE_PERIODIC))
        note_seen_writes(population, expansion->state, next, happening,
                         expansion->actor && expansion->actor->prompt);
    if (population->has_jobs)
        jobs_count_lost(worker, expansion->state, next, happening->action);
    if (losses)
        job_losses_count(population, losses, next);
}

/* A periodic actor does something about the workload. */
static void note_moving(const struct expansion *expansion, const struct happening *happening,
                        bool changes)
{
    if (changes && !happening->guessed && expansion->moving && expansion->actor &&
        expansion->actor->pace >= PACE_PERIODIC && happening->workload != UINT32_MAX)
        expansion->moving[happening->workload] = true;
}

/* Is the action one that the actor declares, and at the pace that the action has? */
static void check_action(const struct expansion *expansion, enum population_action action)
{
    const struct actor *actor = expansion->actor;
    if (actor && !actor_may_take(actor, action))
        bug("%s takes a step of an action that it does not declare: %s", actor->name,
            population_action_names[action]);
    if (actor && actor->pace != PACE_FAST && action_has(action, IS_QUICK) &&
        !expansion->population->clock)
        bug("%s takes a step of an action of fast actors: %s", actor->name,
            population_action_names[action]);
}

/* Does a user do it, who may as well not? */
static bool is_up_to_users(enum population_action action)
{
    return action_has(action, IS_EVENT) && !action_has(action, IS_FAIR) &&
           (action_has(action, IS_ABOUT_WORKLOAD) || action == ACT_EVENT_DELETE ||
            action == ACT_EVENT_SUSPEND);
}

/* The model takes steps that a silent webhook may refuse, which what holds must not depend on. What
 * follows at once from a step is written after it. Nothing that holds of all runs needs what users
 * do. */
static void note_refusals(const struct expansion *expansion, const struct state *next,
                          const struct happening *happening, bool changes)
{
    struct worker *worker = expansion->worker;
    const enum population_action action = happening->action;
    const bool refused =
        changes && (webhook_may_refuse(worker, expansion->state, action, happening->revision) ||
                    webhook_may_refuse(worker, next, action, happening->revision));
    const bool optional = is_up_to_users(action);
    worker->findings.webhooks_refuse = webhook_disturbs(worker, expansion->state) ||
                                       webhook_disturbs(worker, next) || (refused && !optional);
    worker->findings.webhooks_refuse_users |= refused && optional;
}

/* `losses`: what the policies of Jobs make of the pods that they lose; NULL: they lose none. */
static void emit_counted(struct expansion *expansion, struct state *next,
                         const struct happening *happening, bool changes,
                         const struct job_losses *losses)
{
    struct worker *worker = expansion->worker;
    if (CHECKS_INVARIANTS)
        check_action(expansion, happening->action);
    if (expansion_ignores(expansion, happening->workload))
        return;
    if (expansion->population->webhooks_ask_more && !worker->findings.webhooks_refuse)
        note_refusals(expansion, next, happening, changes);
    if (expansion->focus != FOCUS_NONE && happening->workload != UINT32_MAX) {
        next->focus = happening->workload + 1;
        next->anywhere = expansion->focus == FOCUS_ANYWHERE;
    }
    if (expansion->postponed) {
        enable(expansion, happening);
        return;
    }
    if (waits_for_restless_others(expansion))
        worker->findings.hindered |= HINDERED_BY_UNREST;
    const bool may_rest = may_never_come(expansion) || expansion->crowding == CROWDING_LENGTHY;
    next->early = changes ? stays_early(expansion) : expansion->state->early;
    expansion->moved |= changes && !expansion->lazy && !happening->guessed && !may_rest;
    expansion->prompts |= changes && expansion->actor && expansion->actor->prompt &&
                          expansion->crowding == CROWDING_NONE;
    expansion->waits |= changes && expansion->lazy && !may_rest;
    if (is_out_of_turn(expansion, happening, changes)) {
        enable(expansion, happening);
        return;
    }
    if (CHECKS_INVARIANTS && expansion->actor)
        invariants_check_writes(worker, expansion->state, next, actor_writes(expansion->actor),
                                who_acts(expansion));
    /* What happens to a node that stays up is the same whatever pods it has. */
    if (expansion->undrawn && pool_lacks(worker, next, expansion->undrawn))
        return;
    note_moving(expansion, happening, changes);
    const struct asked_step *asked = expansion->asked;
    if (asked && happening->action != asked->action && happening->action != asked->beside)
        return;
    if (worker->nominates || expansion->population->keeps_more)
        bring_up_to_date(expansion, next, happening, losses);
    /* Who asks about a step may not mind what intents say of it. */
    const uint64_t marks = asked && !asked->judged
                               ? 0
                               : intents_marks(worker, expansion->state, next, happening) |
                                     own_marks(expansion, changes);
    if (expansion->population->counts_starts)
        worker->findings.guessed |= state_gather_starts(worker, next);
    const uint32_t length =
        state_pack_after(worker, &expansion->head, expansion->state, next, expansion->words);
    if (changes && expansion->population->waits_for_rest && !worker->findings.may_loop)
        worker->findings.may_loop = may_loop(expansion, happening);
    if (length == 0) {
        /* The successor is not known, but this is not a state of rest. */
        worker->findings.overflowed = true;
        enable(expansion, happening);
        return;
    }
    if (CHECKS_INVARIANTS)
        invariants_check(worker, expansion->words, length, who_acts(expansion));
    worker->emitted = (struct emitted_state){expansion->words, expansion->state, next};
    expansion->answered |= !step_sink_emit(
        expansion->sink,
        &(struct step){
            .words = expansion->words,
            .length = length,
            .action = happening->action,
            .argument = expansion->population->clock && happening->action == ACT_TIME
                            ? happening->amount
                            : step_subject_pack((struct step_subject){
                                  happening->revision, happening->node, happening->amount}),
            .fairness = fairness_of(expansion, happening),
            .marks = marks,
        });
    worker->emitted.words = NULL;
}

/* A step may tell of pods of a workload that stands still, and be nobody's: others may need the
 * nodes that are added for them. */
static bool is_skipped(const struct expansion *expansion, const struct happening *happening)
{
    return expansion_leaves_out(expansion, happening->workload) ||
           expansion_skips(expansion, happening->action, happening->revision);
}

struct lossy_step {
    struct expansion *expansion;
    const struct state *next;
    const struct happening *happening;
    struct job_losses losses;
};

static void emit_loss(void *context)
{
    const struct lossy_step *step = context;
    if (!is_skipped(step->expansion, step->happening))
        emit_counted(step->expansion, state_copy(step->expansion->worker, step->next),
                     step->happening, true, &step->losses);
}

static void emit(struct expansion *expansion, struct state *next, const struct happening *happening,
                 bool changes)
{
    if (is_skipped(expansion, happening))
        return;
    if (!changes || !expansion->population->has_job_rules) {
        emit_counted(expansion, next, happening, changes, NULL);
        return;
    }
    struct lossy_step step = {
        expansion, next, happening,
        job_losses_between(expansion->worker, expansion->state, next, happening->action)};
    if (step.losses.items.count > 0)
        job_losses_each(&step.losses, emit_loss, &step);
    else
        emit_counted(expansion, next, happening, changes, NULL);
}

void expansion_emit(struct expansion *expansion, struct state *next, struct happening happening)
{
    emit(expansion, next, &happening, true);
}

void expansion_emit_node(struct expansion *expansion, uint32_t config, struct happening happening)
{
    if (is_skipped(expansion, &happening))
        return;
    struct state *next = state_copy(expansion->worker, expansion->state);
    state_move_node(expansion->worker, next, happening.node, config);
    emit(expansion, next, &happening, true);
}

void expansion_emit_pod(struct expansion *expansion, uint32_t from, uint32_t to,
                        struct happening happening)
{
    if (is_skipped(expansion, &happening))
        return;
    const uint32_t config = expansion->state->nodes[happening.node].config;
    expansion_emit_node(expansion, config_replace(expansion->worker, config, from, to), happening);
}

void expansion_emit_condition(struct expansion *expansion, uint32_t entry,
                              enum node_condition condition, enum population_action action)
{
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    state_move_node(worker, next, entry,
                    config_with_condition(worker, next->nodes[entry].config, condition));
    lifecycle_forget_taints(worker, next);
    expansion_emit(expansion, next, happening_at(action, entry));
}

void expansion_emit_mark(struct expansion *expansion, uint32_t entry, enum node_condition condition,
                         enum population_action action)
{
    const uint32_t config = expansion->state->nodes[entry].config;
    expansion_emit_node(expansion, config_marked(expansion->worker, config, condition),
                        happening_at(action, entry));
}

void expansion_emit_absence(struct expansion *expansion, uint32_t config,
                            struct happening happening)
{
    struct state *next = state_copy(expansion->worker, expansion->state);
    state_move_node(expansion->worker, next, happening.node, config);
    lifecycle_forget_taints(expansion->worker, next);
    emit(expansion, next, &happening, true);
}

void expansion_note_unrest(struct expansion *expansion)
{
    for (uint32_t w = 0; expansion->moving && w < expansion->population->workloads.count; w++)
        expansion->moving[w] = true;
}

void expansion_emit_eviction(struct expansion *expansion, enum population_action action,
                             uint32_t entry, uint32_t class)
{
    const uint32_t revision = class_info(expansion->worker, class)->revision;
    struct happening happening = happening_with(expansion->population, action, revision, entry, 1);
    happening.victims = victims_of(expansion->population, revision);
    struct worker *worker = expansion->worker;
    struct state *next = state_copy(worker, expansion->state);
    state_move_node(worker, next, entry,
                    config_end(worker, next->nodes[entry].config, class, END_DISRUPTED));
    if (action_has(action, ASKS_BUDGETS))
        eviction_spends(worker, next, revision, class_info(worker, class)->stage);
    expansion_emit(expansion, next, happening);
}

void expansion_emit_idle(struct expansion *expansion, struct happening happening)
{
    emit(expansion, state_copy(expansion->worker, expansion->state), &happening, false);
}

bool expansion_refuses(struct expansion *expansion, const struct state *state, uint32_t revision)
{
    const struct revision *of = &expansion->population->revisions.items[revision];
    const bool refused = of->refusal || (of->may_be_refused &&
                                         (quota_room(expansion->worker, state, revision) == 0 ||
                                          webhook_silent(expansion->worker, state, revision)));
    if (refused)
        expansion_emit_idle(expansion, happening_with(expansion->population, ACT_CREATE_REFUSED,
                                                      revision, UINT32_MAX, 0));
    return refused;
}

bool expansion_refuses_request(struct expansion *expansion, enum webhook_request request,
                               uint32_t revision)
{
    static const enum population_action actions[WEBHOOK_REQUEST_COUNT] = {
        [REQUEST_EVICTION] = ACT_EVICTION_REFUSED,
        [REQUEST_BINDING] = ACT_BINDING_REFUSED,
        [REQUEST_SET_CREATE] = ACT_SETS_REFUSED,
        [REQUEST_SET_UPDATE] = ACT_SETS_REFUSED,
    };
    if (!webhook_refuses(expansion->worker, expansion->state, request, revision))
        return false;
    expansion_emit_idle(expansion, happening_with(expansion->population, actions[request], revision,
                                                  UINT32_MAX, 0));
    return true;
}

uint32_t expansion_admits(struct expansion *expansion, uint32_t revision, uint32_t wanted)
{
    if (expansion_refuses(expansion, expansion->state, revision))
        return 0;
    if (!expansion->population->revisions.items[revision].may_be_refused)
        return wanted;
    const uint32_t room = quota_room(expansion->worker, expansion->state, revision);
    return room < wanted ? room : wanted;
}

uint32_t expansion_fewer(const struct expansion *expansion, uint32_t revision, uint32_t created)
{
    const struct revision *of = &expansion->population->revisions.items[revision];
    return of->may_be_refused || of->may_be_delayed ? created - 1 : 0;
}

void expansion_emit_created(struct expansion *expansion, struct state *next,
                            struct happening happening, uint32_t revision)
{
    expansion->crowding = quota_crowding(expansion->population, revision);
    expansion_emit(expansion, next, happening);
    expansion->crowding = CROWDING_NONE;
}
