/* SPDX-License-Identifier: Apache-2.0 */
/* Events and intents, with the workloads that they name; what an apply makes of
 * each workload. */
#include "cluster/build/build_events.h"
#include "cluster/ask/event_conditions.h"
#include "cluster/ask/support.h"
#include "cluster/build/build_revisions.h"
#include "cluster/build/build_workloads.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/intent/intents.h"
#include "cluster/intent/registry.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/controller/deployment/template_signature.h"
#include "manifest/document.h"

#include <string.h>

/*
 * Need the states not say how often the event has come?
 *
 * Beside others (others.h) the model allows more than can happen, and so it may let an event come
 * any number of times. Whether it has come at all is still said: the first time may differ (effects
 * of an apply, objects that are deleted). Then every state and step of the model that counts is one
 * of this model, with the number cut down to 0 or 1: an event may come whenever it could, and
 * nobody else reads the number. So what must never happen may be asked of it. What must happen in
 * the end is asked of the runs in which the event comes finitely often, which all runs of the
 * cluster are: its steps are marked as finite (explore/model.h).
 *
 * A small number is worth its states, because what it forbids may matter. So is one that bounds
 * what is so at one time, such as how many nodes are down.
 */
static bool need_not_count(const struct population *population,
                           const struct population_event *event)
{
    enum { FEW = 3 };
    return population->options.others && population->options.others->uncounted &&
           event->type->emit && event->event->at_most >= FEW &&
           event->event->at_most > event->event->concurrent && !event->event->repeats &&
           event_has(event, BOUNDS_ITSELF);
}

/*
 * Does it make no difference which of the nodes that the event takes at a time has which pods?
 *
 * Nodes that do not come back are told apart by whether they are tainted, so that their pods are
 * evicted. If nothing else happens to nodes, before or after, and all of them are noticed together
 * (step_events.c asks that; they are not before the last outage), nothing changes whether nodes of
 * the zone are tainted: all of them are in the end. Then one node stands for all of its kind: when
 * it is tainted, each of its pods may be evicted at any time, as if it were alone on a node that is
 * tainted at that time.
 */
static bool loses_together(const struct population *population,
                           const struct population_event *event)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (e != event->number && !event_has(&population->events.items[e], LEAVES_NODES_READY))
            return false;
    return event->event->topology_key && !event_has(event, NODES_RETURN | LEAVES_NODES_READY);
}

void add_events_and_intents(struct population *population, const struct check_intent *intents,
                            uint32_t intent_count)
{
    const struct check *check = population->scope->check;
    for (uint32_t e = 0; check && e < check->event_count; e++) {
        struct population_event event = {
            .number = e,
            .event = &check->events[e],
            .type = event_type(check->events[e].kind),
            .condition = event_condition_compile(population, &check->events[e]),
            .workload = scope_find_workload(population->scope, &check->events[e].object),
        };
        event.uncounted = need_not_count(population, &event);
        VEC_PUSH(&population->arena, &population->events, event);
        population->remembers_settling |= event.event->after_settled;
        population->deletes |= !event_has(&event, LEAVES_OBJECTS_ALONE);
    }
    for (uint32_t e = 0; e < population->events.count; e++)
        population->events.items[e].lost_together =
            loses_together(population, &population->events.items[e]);
    /* The CronJob controller deletes Jobs that it replaces. */
    population->deletes |= population->scope->cron_job_count > 0;
    for (uint32_t i = 0; i < intent_count; i++)
        population->counts_finished_jobs |= intents[i].finished;
    /* A rollout may have twice as many replicas as there shall be. */
    population->wide = replicas_are_wide(population);
    for (uint32_t i = 0; i < intent_count; i++) {
        const struct intent_class *class = intent_class_of(&intents[i]);
        if (population->options.others && class->beside_others)
            class = class->beside_others;
        intents_add(population, class, &intents[i],
                    scope_find_workload(population->scope, &intents[i].workload));
    }
}

/* Does the workload's controller handle pods by the same rules with both
 * objects? (The template and the replicas are looked after elsewhere.) */
static bool same_rules(const struct object *a, const struct object *b)
{
    switch (a->kind) {
    case OBJECT_DEPLOYMENT: {
        const struct deployment *left = a->as.deployment;
        const struct deployment *right = b->as.deployment;
        return left->strategy == right->strategy && left->paused == right->paused &&
               left->min_ready_seconds == right->min_ready_seconds &&
               int_or_percent_equal(left->max_surge, right->max_surge) &&
               int_or_percent_equal(left->max_unavailable, right->max_unavailable);
    }
    case OBJECT_DAEMON_SET: {
        const struct daemon_set *left = a->as.daemon_set;
        const struct daemon_set *right = b->as.daemon_set;
        return left->update_strategy == right->update_strategy &&
               int_or_percent_equal(left->max_surge, right->max_surge) &&
               int_or_percent_equal(left->max_unavailable, right->max_unavailable);
    }
    case OBJECT_STATEFUL_SET: {
        const struct stateful_set *left = a->as.stateful_set;
        const struct stateful_set *right = b->as.stateful_set;
        return left->update_strategy == right->update_strategy &&
               left->partition == right->partition &&
               int_or_percent_equal(left->max_unavailable, right->max_unavailable);
    }
    case OBJECT_JOB: {
        const struct job *left = a->as.job;
        const struct job *right = b->as.job;
        return left->suspend == right->suspend && left->backoff_limit == right->backoff_limit &&
               left->active_deadline_seconds.set == right->active_deadline_seconds.set;
    }
    default: return true;
    }
}

static uint32_t add_spec(struct population *population, uint32_t number,
                         const struct object *object)
{
    struct workload *workload = &population->workloads.items[number];
    for (uint32_t i = 0; i < workload->specs.count; i++)
        if (same_rules(workload->specs.items[i], object))
            return i;
    VEC_PUSH(&population->arena, &workload->specs, object);
    return workload->specs.count - 1;
}

/* What kubectl apply makes of a workload that is there already. A field that
 * was applied before and is missing now is taken back to its default; one that
 * was never applied is left alone. */
static void add_effect(struct population *population, struct population_event *event,
                       uint32_t number, const struct object *applied)
{
    const struct workload *workload = &population->workloads.items[number];
    const struct value *old_spec = value_find(&workload->setup->object->source->root, "spec");
    const struct value *new_spec = value_find(&applied->source->root, "spec");
    const char *size = applied->kind == OBJECT_JOB ? "parallelism" : "replicas";
    /* A restart is a patch of the template: it leaves the replicas to whoever set them. */
    const bool restarts = event->event->brings != NULL;
    const bool given = !restarts && value_find(new_spec, size) != NULL;
    const char *signature =
        template_signature(&population->arena, value_find(new_spec, "template"));
    struct apply_effect effect = {
        .workload = number,
        .gives_replicas = given,
        .changes_replicas = !restarts && (given || value_find(old_spec, size)),
        .replicas = workload_replicas(applied),
        .revision = UINT32_MAX,
        .spec = add_spec(population, number, applied),
    };
    for (uint32_t i = 0; i < workload->revision_count; i += workload->ordinal_count)
        if (strcmp(population->revisions.items[workload->first_revision + i].signature,
                   signature) == 0)
            effect.revision = workload->first_revision + i;
    if (effect.revision == UINT32_MAX)
        effect.revision =
            population_add_revision(population, number, workload_template(applied), signature);
    /* A workload that comes later has no former manifest to go back to. */
    effect.differs =
        !workload->setup->comes_later && (effect.revision != workload->present || effect.spec != 0);
    VEC_PUSH(&population->arena, &event->effects, effect);
}

/* The revisions of a workload are numbered in a row, so all events are looked at for it. */
void add_effects(struct population *population, uint32_t number)
{
    const struct object *object = population->scope->workloads[number].object;
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct objects *applied = &population->scope->applied[e];
        for (uint32_t i = 0; i < applied->count; i++)
            if (same_object(&applied->items[i], object))
                add_effect(population, &population->events.items[e], number, &applied->items[i]);
    }
}
