/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences about steps that are more than a row of state/actions.def with its values: those
 * that list what changed between the two states, and those of events, which are in the rows
 * of event/.
 */
#include "cluster/story/words_special.h"
#include "base/text.h"
#include "cluster/event/registry.h"
#include "cluster/event_type.h"
#include "cluster/state/actions.h"
#include "cluster/state/clock_words.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/words.h"
#include "object/time.h"

static const char *workload_name(const struct population *population, uint32_t workload)
{
    return population->workloads.items[workload].setup->object->meta->name;
}

static void describe_sets(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    const struct state *from = described->from;
    const struct state *to = described->to;
    bool first = true;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (from->sets[r].replicas == to->sets[r].replicas)
            continue;
        const struct revision *revision = &population->revisions.items[r];
        const char *set = revision->pod->meta.owners[0].name;
        text_append_string(text, first ? "" : "; ");
        if (from->sets[r].replicas < 0)
            text_printf(text, "Deployment %s creates ReplicaSet %s with %d replica%s",
                        revision->owner_meta->name, set, to->sets[r].replicas,
                        to->sets[r].replicas == 1 ? "" : "s");
        else
            text_printf(text, "Deployment %s scales ReplicaSet %s from %d to %d",
                        revision->owner_meta->name, set, from->sets[r].replicas,
                        to->sets[r].replicas);
        first = false;
    }
    if (first)
        text_append_string(text, "Deployment updates the annotations of its ReplicaSets");
}

void words_describe_replicas(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    const struct state *from = described->from;
    const struct state *to = described->to;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (from->present[w] == WORKLOAD_ABSENT && to->present[w] != WORKLOAD_ABSENT)
            text_printf(text, ": %s is created", workload_name(population, w));
        else if (from->replicas[w] != to->replicas[w])
            text_printf(text, ": %s goes from %d to %d replicas", workload_name(population, w),
                        from->replicas[w], to->replicas[w]);
}

/* Pods of a cohort become ready on several nodes at once. */
static void describe_start(const struct described_step *described, struct text *text)
{
    const uint32_t amount = described->subject.amount;
    const struct revision *revision =
        &described->worker->population->revisions.items[described->subject.revision];
    text_printf(text, "%u pod%s of %s become%s ready", amount, amount == 1 ? "" : "s",
                revision->owner_meta->name, amount == 1 ? "s" : "");
}

static void describe_time(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    if (!population->clock)
        text_append_string(text, "time passes: pods move on in their pattern of usage");
    else
        text_printf(text, "%s pass",
                    duration_format(&described->worker->scratch,
                                    clock_ticks_ns(population, described->step->argument)));
}

static void describe_wave(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        const uint32_t now = workload->load > 0 ? described->to->loads[workload->load - 1] : 0;
        if (now > 0 && described->from->loads[workload->load - 1] != now)
            text_printf(text, "the load of %s is %lldm of CPU now",
                        workload->setup->object->meta->name,
                        (long long)workload->totals.items[now - 1]);
    }
}

static void describe_autoscaling(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (described->from->replicas[w] != described->to->replicas[w])
            text_printf(text, "HorizontalPodAutoscaler scales %s from %d to %d",
                        workload_name(population, w), described->from->replicas[w],
                        described->to->replicas[w]);
}

static const struct check_event *event_between(const struct population *population,
                                               const struct state *from, const struct state *to)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (from->event_used[e] != to->event_used[e])
            return population->events.items[e].event;
    return NULL;
}

static const struct event_type *type_of(const struct population *population, uint32_t action)
{
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct event_type *type = population->events.items[e].type;
        if (type->emit && type->action == action)
            return type;
    }
    return NULL;
}

/* False: no event of the Check has this action. */
static bool describe_event(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    const struct state *from = described->from;
    const uint32_t node = described->subject.node;
    const struct event_type *type = type_of(population, described->step->action);
    if (!type)
        return false;
    if (!type->describe) {
        text_append_string(text, type->words);
        words_describe_replicas(described, text);
        return true;
    }
    const bool has_node = node < from->node_count;
    const struct event_telling telling = {
        .worker = described->worker,
        .from = from,
        .to = described->to,
        .event = event_between(population, from, described->to),
        .entry = has_node ? node : UINT32_MAX,
        .node = has_node ? describe_node(described->worker, from->nodes[node].config) : "a node",
        .amount = described->subject.amount,
    };
    type->describe(&telling, text);
    return true;
}

bool words_describe_specially(const struct described_step *described, struct text *text)
{
    static void (*const special[POPULATION_ACTION_COUNT])(const struct described_step *,
                                                          struct text *) = {
        [ACT_DEPLOYMENT_SYNC] = describe_sets,
        [ACT_START] = describe_start,
        [ACT_TIME] = describe_time,
        [ACT_WAVE] = describe_wave,
        [ACT_AUTOSCALE] = describe_autoscaling,
    };
    const uint32_t action = described->step->action;
    /* On one node a start is told by its row. */
    if (action == ACT_START && described->subject.node < described->from->node_count)
        return false;
    if (special[action]) {
        special[action](described, text);
        return true;
    }
    return describe_event(described, text);
}
