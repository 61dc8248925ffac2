/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reductions of large setups: steps and differences that no intent can see are left out
 * (docs/fidelity.md has the arguments, test/twin compares with and without).
 *
 *   creation first   a set that lacks pods makes them before anything else
 *                    happens: only the scheduler reads a pod that waits, and with
 *                    equal priorities it changes nothing for the others that wait.
 *   readiness        pods are ready as soon as they are bound, also for intents
 *                    about what is so in the end: no pod stays unready for ever.
 *
 *   guessed          autoscalers that act while pods start see any number of them unready. That is
 *                    more than they can see: what is violated is explored again without.
 *
 *   counted          which of a revision's pods have started makes no difference, but how many of
 * them have: states say that alone (starts.h). What is violated is explored again without, so that
 * it can be told.
 *
 *   one at a time    workloads that do not interfere with each other (focus.c).
 *
 * Small setups are not reduced: their graph is small enough, and
 * counterexamples are the shortest of all. The last reduction does not make counterexamples longer,
 * so it is also made for many workloads of any size.
 */
#include "cluster/reduce/reductions.h"
#include "cluster/actor/step_kubelets.h"
#include "cluster/actor/step_workloads.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/emit.h"
#include "cluster/event_type.h"
#include "cluster/intent/intents.h"
#include "cluster/intent_class.h"
#include "cluster/population.h"
#include "cluster/reduce/focus.h"
#include "cluster/reduce/readiness.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/replica_set/replica_set_controller.h"

/* Does some set need several syncs to create its pods? That multiplies the states. */
static bool is_large(const struct population *population)
{
    if (population->options.reductions != REDUCTIONS_OF_LARGE)
        return population->options.reductions == REDUCTIONS_ALWAYS;
    for (uint32_t w = 0; w < population->scope->workload_count; w++)
        if (population_replicas_most(population, w) > REPLICA_SET_BURST)
            return true;
    return false;
}

/* Are there so many workloads that the product of their states is large? */
static bool workloads_are_many(const struct population *population)
{
    enum { FEW = 4 };
    return population->options.reductions == REDUCTIONS_OF_LARGE &&
           population->scope->workload_count > FEW;
}

/* Does it depend on other pods whether a pod is admitted? */
static bool pods_are_refused(const struct population *population)
{
    return population->quotas.count > 0 || population->webhooks.count > 0;
}

/* Are there only sets of one revision each, whose waiting pods have the same priority? Where pods
 * are refused, it matters who creates them first. */
static bool workloads_are_plain(const struct population *population)
{
    if (pods_are_refused(population))
        return false;
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        if (!workload->bystander &&
            (!(workload->deployment || workload->is_set) || workload->revision_count != 1))
            return false;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if ((revision->node_name && !revision->never_waits) || revision->never_ready ||
            revision->refusal || revision->gated || revision->disks.count > 0 ||
            revision->home > 0 || revision->priority != population->revisions.items[0].priority)
            return false;
    }
    return true;
}

/* Is there an autoscaler that may ever change something? */
static bool autoscalers_act(const struct population *population)
{
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        if (!autoscaler_is_calm(population->maker, &population->autoscalers.items[a]))
            return true;
    return false;
}

/* May a periodic actor act while pods start, so that it sees unready pods? */
static bool periodic_actors_hurry(const struct population *population)
{
    return population->options.interleaving != INTERLEAVING_SETTLED &&
           (population->descheduler_policy || population->autoscaling ||
            population->options.interleaving >= INTERLEAVING_FULL || autoscalers_act(population));
}

/* Do periodic actors wait for prompt ones, and not for kubelets? */
static bool periodic_actors_wait(const struct population *population)
{
    bool reapplies = false;
    for (uint32_t e = 0; e < population->events.count; e++)
        reapplies |= population->events.items[e].event->repeats;
    return population->options.interleaving == INTERLEAVING_CONTROLLERS &&
           (population->autoscalers.count > 0 || population->descheduler_policy ||
            population->autoscaling || reapplies);
}

/* Does the usage of pods say more than that they are ready: how many share a load, or for how long
 * each has been ready? A guess of who is ready is not enough then. */
static bool usage_tells_starts_apart(const struct population *population)
{
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        if (workload->load > 0 || workload->setup->load_milli > 0 ||
            workload->first_level / 2 + 1 < workload->pattern_steps)
            return true;
    }
    return false;
}

/* Does nobody ask which of the pods of a revision have started, but only how many have? */
static bool starts_are_counted(const struct population *population)
{
    if (population->webhooks.count > 0 || population->home_count > 0)
        return false;
    if (population->options.reductions == REDUCTIONS_NEVER ||
        population->options.reductions == REDUCTIONS_NEVER_LOOPS_REST ||
        population->options.nodes != NODES_ALIKE || !population->needs_readiness ||
        population->may_focus || population->clock || population->descheduler_policy ||
        population->autoscaling || population->has_disks || population->has_daemon_sets ||
        population->has_jobs || population->services.count > 0 || population->deletes ||
        population->has_pressure || population->image_sets.count > 0 ||
        population->options.sets_lag || population->options.others ||
        population->scope->start == START_OBSERVED)
        return false;
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        if (workload->bystander || !(workload->deployment || workload->is_set) ||
            workload->first_level / 2 + 1 < workload->pattern_steps)
            return false;
    }
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (revision->never_ready || revision->node_name ||
            revision->priority != population->revisions.items[0].priority)
            return false;
    }
    return intents_ignore(population, IGNORES_PLACES) &&
           events_have(population, LEAVES_PLACES_ALONE) && !nodes_are_unwell(population) &&
           !admission_matters(population);
}

/* Does a pod of the revision go to any node that has the room, whatever pods are there? */
static bool goes_by_room(const struct population *population, const struct revision *revision)
{
    const struct pod_shape *shape = population->catalog->pods.items[revision->pending_class]->shape;
    const struct pod_spec *spec = &revision->pod->spec;
    if (shape->required_affinity.count + shape->required_anti_affinity.count +
            shape->host_port_count >
        0)
        return false;
    for (uint32_t c = 0; c < spec->topology_spread_constraint_count; c++)
        if (spec->topology_spread_constraints[c].when_unsatisfiable == DO_NOT_SCHEDULE)
            return false;
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (spec->volumes[v].source != VOLUME_OTHER && spec->volumes[v].source != VOLUME_EMPTY_DIR)
            return false;
    return !revision->node_name && revision->disks.count == 0;
}

/* May a node that is up have to lose its pods again, because of a taint of its own? */
static bool nodes_evict(const struct population *population)
{
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        const struct node *node = population->scope->groups[g].node;
        for (uint32_t t = 0; t < node->spec.taint_count; t++)
            if (node->spec.taints[t].effect == TAINT_NO_EXECUTE)
                return true;
    }
    return false;
}

/* Do runs start from a dump, and does so little happen to nodes, and nothing else, that most pods
 * stay where they are? */
static bool little_happens(const struct population *population)
{
    enum { FEW = 2 };
    int64_t times = 0;
    if (population->scope->start != START_OBSERVED)
        return false;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->workload != UINT32_MAX || event->effects.count > 0)
            return false;
        times += event->event->at_most;
    }
    return times <= FEW;
}

/* If events take single nodes then, to say where pods are takes few states, and shows more. */
static bool most_pods_stay(const struct population *population)
{
    return little_happens(population) &&
           events_have(population, LEAVES_NODES_READY | TAKES_ONE_NODE);
}

/* Do the pods of the workload go to any node that has the room? DaemonSets have one on each, and
 * the claims of a StatefulSet stay where its pods were. */
static bool goes_anywhere(const struct workload *workload)
{
    if (workload->bystander)
        return true; /* and stays where it is */
    if (workload->kind == OBJECT_STATEFUL_SET)
        return workload->setup->object->as.stateful_set->volume_claim_template_count == 0;
    return workload->deployment || workload->is_set || workload->kind == OBJECT_JOB;
}

/* Do the nodes that an event comes to at a time have a label in common, so that the pods on them
 * can be drawn (pool.h)? */
static bool events_draw(const struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (!event->event->topology_key && !event_has(event, LEAVES_NODES_READY | TAKES_ONE_NODE))
            return false;
    }
    return true;
}

/* Can states do without saying which of the nodes that are up has which pods (pool.h)? */
static bool pools(const struct population *population)
{
    if (pods_are_refused(population)) /* by pods whose kubelet answers, or that are ready */
        return false;
    if (population->home_count > 0 || population->autoscaling)
        return false;
    if (!population->options.others || !population->options.others->pools || population->clock ||
        population->endpoints || population->has_disks || population->has_pressure ||
        population->descheduler_policy || nodes_evict(population) || !events_draw(population) ||
        population->options.nodes != NODES_ALIKE || !intents_ignore(population, IGNORES_PLACES) ||
        population->image_sets.count > 0 || most_pods_stay(population))
        return false;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (!goes_anywhere(&population->workloads.items[w]))
            return false;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (revision->workload < population->managed_count ? !goes_by_room(population, revision)
                                                           : !revision->never_waits)
            return false;
    }
    return true;
}

void reductions_choose(struct population *population)
{
    population->pools = pools(population);
    population->pool_keeps = population->pools && little_happens(population);
    const bool large = is_large(population);
    const bool possible = (large || workloads_are_many(population)) && !population->clock &&
                          population->image_sets.count == 0 && !population->options.sets_lag &&
                          !population->autoscaling && !periodic_actors_hurry(population) &&
                          population->catalog->surroundings.budgets.count == 0 &&
                          !population->descheduler_policy &&
                          events_have(population, LEAVES_SETS_ALONE) &&
                          !events_have_conditions(population) && workloads_are_plain(population);
    population->creates_first = possible && large && population->shared_quotas.count == 0 &&
                                intents_ignore(population, IGNORES_CREATION_ORDER);
    population->ready_at_once = possible && large && intents_ignore(population, IGNORES_STARTING) &&
                                !observed_needs_readiness(population);
    population->may_focus = possible && !population->options.others &&
                            !population->options.every_size && focus_is_possible(population->maker);
    const bool read = !population->ready_at_once && readiness_is_read(population);
    const bool reduced =
        population->creates_first || population->ready_at_once || population->may_focus;
    const bool hurry = !population->clock && !reduced &&
                       population->options.interleaving == INTERLEAVING_CONTROLLERS &&
                       autoscalers_act(population);
    /* Where these are made, no periodic actor does anything in a hurry. */
    population->remembers_quiet = periodic_actors_wait(population) && !reduced;
    const bool may_guess = (population->options.reductions == REDUCTIONS_OF_LARGE ||
                            population->options.reductions == REDUCTIONS_ALWAYS) &&
                           !usage_tells_starts_apart(population);
    population->guesses_readiness = hurry && !read && may_guess;
    population->remembers_binding =
        population->guesses_readiness ||
        (population->ready_at_once && population->autoscalers.count > 0);
    population->needs_readiness = read || (hurry && !may_guess);
    population->counts_starts = starts_are_counted(population);
}

bool create_first(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    for (uint32_t r = 0; population->creates_first && r < population->revisions.count; r++)
        if (expansion->state->sets[r].replicas >= 0 &&
            state_active(expansion->worker, expansion->state, r) <
                (uint32_t)expansion->state->sets[r].replicas) {
            step_replica_set(expansion, r);
            return true;
        }
    return false;
}
