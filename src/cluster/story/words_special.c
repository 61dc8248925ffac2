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
#include "cluster/story/story_internal.h"
#include "cluster/story/words_scaling.h"
#include "object/time.h"

static const char *workload_name(const struct population *population, uint32_t workload)
{
    return population->workloads.items[workload].setup->object->meta->name;
}

static void describe_sets(const struct story_telling *telling, struct text *text)
{
    const struct population *population = telling->population;
    const struct state *from = telling->from;
    const struct state *to = telling->to;
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

const char *words_replicas(const struct story_telling *telling)
{
    struct arena *scratch = &telling->worker->scratch;
    const struct state *from = telling->from;
    const struct state *to = telling->to;
    const char *words = "";
    for (uint32_t w = 0; w < telling->population->managed_count; w++) {
        const char *name = workload_name(telling->population, w);
        if (from->present[w] == WORKLOAD_ABSENT && to->present[w] != WORKLOAD_ABSENT)
            words = arena_printf(scratch, "%s: %s is created", words, name);
        else if (from->replicas[w] != to->replicas[w])
            words = arena_printf(scratch, "%s: %s goes from %d to %d replicas", words, name,
                                 from->replicas[w], to->replicas[w]);
    }
    return words;
}

static void describe_time(const struct story_telling *telling, struct text *text)
{
    if (!telling->population->clock)
        text_append_string(text, "time passes: pods move on in their pattern of usage");
    else
        text_printf(text, "%s pass",
                    duration_format(&telling->worker->scratch,
                                    clock_ticks_ns(telling->population, telling->step->argument)));
}

static void describe_wave(const struct story_telling *telling, struct text *text)
{
    for (uint32_t w = 0; w < telling->population->workloads.count; w++) {
        const struct workload *workload = &telling->population->workloads.items[w];
        const uint32_t now = workload->load > 0 ? telling->to->loads[workload->load - 1] : 0;
        if (now > 0 && telling->from->loads[workload->load - 1] != now)
            text_printf(text, "the load of %s is %lldm of CPU now",
                        workload_name(telling->population, w),
                        (long long)workload->totals.items[now - 1]);
    }
}

static void describe_autoscaling(const struct story_telling *telling, struct text *text)
{
    for (uint32_t w = 0; w < telling->population->managed_count; w++)
        if (telling->from->replicas[w] != telling->to->replicas[w])
            text_printf(text, "HorizontalPodAutoscaler scales %s from %d to %d",
                        workload_name(telling->population, w), telling->from->replicas[w],
                        telling->to->replicas[w]);
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
static bool describe_event(const struct story_telling *telling, struct text *text)
{
    const struct state *from = telling->from;
    const struct event_type *type = type_of(telling->population, telling->step->action);
    if (!type)
        return false;
    if (!type->describe) {
        text_append_string(text, telling->event && telling->event->words ? telling->event->words
                                                                         : type->words);
        text_append_string(text, words_replicas(telling));
        return true;
    }
    const bool has_node = telling->entry < from->node_count;
    const struct event_telling event = {
        .worker = telling->worker,
        .from = from,
        .to = telling->to,
        .event = telling->event,
        .entry = has_node ? telling->entry : UINT32_MAX,
        .node = has_node ? describe_node(telling->worker, from->nodes[telling->entry].config)
                         : "a node",
        .amount = telling->amount,
    };
    type->describe(&event, text);
    return true;
}

bool words_describe_specially(const struct story_telling *telling, struct text *text)
{
    static void (*const special[POPULATION_ACTION_COUNT])(const struct story_telling *,
                                                          struct text *) = {
        [ACT_DEPLOYMENT_SYNC] = describe_sets,
        [ACT_TIME] = describe_time,
        [ACT_WAVE] = describe_wave,
        [ACT_AUTOSCALE] = describe_autoscaling,
        [ACT_NODES_ADD] = words_describe_growth,
        [ACT_NODES_REMOVE] = words_describe_removal,
    };
    if (!special[telling->step->action])
        return describe_event(telling, text);
    special[telling->step->action](telling, text);
    return true;
}
