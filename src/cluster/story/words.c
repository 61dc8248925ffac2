/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the sentences of state/actions.def. */
#include "cluster/story/words.h"
#include "base/text.h"
#include "cluster/ask/quotas.h"
#include "cluster/ask/webhooks.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/words_special.h"
#include "cluster/story/words_volumes.h"

#include <string.h>

static const char *value_of(const struct words_value *values, uint32_t count, const char *name,
                            size_t length)
{
    for (uint32_t i = 0; i < count; i++)
        if (strlen(values[i].name) == length && memcmp(values[i].name, name, length) == 0)
            return values[i].text;
    return NULL;
}

void words_fill(const char *sentence, const struct words_value *values, uint32_t count,
                struct text *text)
{
    while (*sentence) {
        const size_t plain = strcspn(sentence, "{");
        text_append(text, sentence, plain);
        sentence += plain;
        if (!*sentence)
            return;
        const size_t length = strcspn(sentence + 1, "}");
        const char *value = value_of(values, count, sentence + 1, length);
        text_append_string(text, value ? value : "");
        sentence += length + 2;
    }
}

static const struct check_event *event_between(const struct population *population,
                                               const struct state *from, const struct state *to)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        if (from->event_used[e] != to->event_used[e])
            return population->events.items[e].event;
    return NULL;
}

struct story_telling words_telling(struct worker *worker, const uint32_t *words, uint32_t length,
                                   const struct step *step)
{
    const struct population *population = worker->population;
    const struct state *from = state_unpack(worker, words, length);
    const struct state *to = state_unpack(worker, step->words, step->length);
    const struct step_subject subject = step_subject_of(step);
    /* With clocks the argument of time is how much of it passes. */
    const bool of_pods = subject.revision < population->revisions.count &&
                         !(population->clock && step->action == ACT_TIME);
    return (struct story_telling){
        .worker = worker,
        .population = population,
        .from = from,
        .to = to,
        .step = step,
        .event = event_between(population, from, to),
        .number = of_pods ? subject.revision : UINT32_MAX,
        .revision = of_pods ? &population->revisions.items[subject.revision] : NULL,
        .entry = subject.node,
        .amount = subject.amount,
    };
}

const char *words_owner_kind(const struct revision *revision)
{
    const struct object_meta *meta = &revision->pod->meta;
    return meta->owner_count > 0 ? meta->owners[0].kind : "Pod";
}

/* "node a (2 web, 1 web terminating)" */
static const char *place_of(const struct story_telling *telling)
{
    struct worker *worker = telling->worker;
    if (telling->entry >= telling->from->node_count)
        return "";
    const uint32_t config = telling->from->nodes[telling->entry].config;
    return arena_printf(&worker->scratch, "%s (%s)", describe_node(worker, config),
                        describe_pods(worker, config));
}

const struct population_webhook *words_silent(const struct story_telling *telling)
{
    struct worker *worker = telling->worker;
    const struct state *from = telling->from;
    const uint32_t number = telling->number;
    if (!telling->revision)
        return NULL;
    switch ((enum population_action)telling->step->action) {
    case ACT_CREATE_REFUSED:
        return telling->revision->refusal || quota_room(worker, from, number) == 0
                   ? NULL
                   : webhook_silent(worker, from, number);
    case ACT_EVICTION_REFUSED: return webhook_refuses(worker, from, REQUEST_EVICTION, number);
    case ACT_BINDING_REFUSED: return webhook_refuses(worker, from, REQUEST_BINDING, number);
    case ACT_SETS_REFUSED: {
        const struct population_webhook *silent =
            webhook_refuses(worker, from, REQUEST_SET_CREATE, number);
        return silent ? silent : webhook_refuses(worker, from, REQUEST_SET_UPDATE, number);
    }
    default: return NULL;
    }
}

/* What the API server answers to who makes a request that it refuses. */
static const char *refusal_of(const struct story_telling *telling)
{
    const struct population_webhook *silent = words_silent(telling);
    const char *refusal = NULL;
    if (silent)
        refusal = webhook_refusal(&telling->worker->scratch, silent);
    else if (telling->revision && telling->step->action == ACT_CREATE_REFUSED)
        refusal = telling->revision->refusal
                      ? telling->revision->refusal
                      : quota_refusal(telling->worker, telling->from, telling->number);
    return refusal ? refusal : "";
}

const char *words_policy(const struct story_telling *telling)
{
    const struct workload *workload =
        telling->revision ? &telling->population->workloads.items[telling->revision->workload]
                          : NULL;
    if (!workload || !workload->job_rules || !workload->job_rules->waits_for_ends)
        return "";
    const struct workload_status *from = &telling->from->statuses[telling->revision->workload];
    const struct workload_status *to = &telling->to->statuses[telling->revision->workload];
    if (to->doomed && !from->doomed)
        return "; its podFailurePolicy fails the Job";
    return to->over == JOB_GOES_ON && workload->job_rules->counts_failures &&
                   to->failed == from->failed
               ? "; it does not count as failed"
               : "";
}

void words_describe(const struct story_telling *telling, struct text *text)
{
    const enum population_action action = (enum population_action)telling->step->action;
    const struct revision *revision = telling->revision;
    const bool one = telling->amount == 1;
    const char *sentence = action_words(action)->plainly;
    if (words_describe_specially(telling, text) || !sentence)
        return;
    /* Pods of a cohort become ready on several nodes at once. */
    if (action == ACT_START && telling->entry >= telling->from->node_count)
        sentence = "{amount} pod{s} of {workload} become{verb s} ready";
    const struct words_value values[] = {
        {"workload", revision ? revision->owner_meta->name : ""},
        {"kind", revision ? words_owner_kind(revision) : ""},
        {"refusal", refusal_of(telling)},
        {"amount", arena_printf(&telling->worker->scratch, "%u", telling->amount)},
        {"s", one ? "" : "s"},
        {"verb s", one ? "s" : ""},
        {"its", one ? "its" : "their"},
        {"place", place_of(telling)},
        {"replicas", words_replicas(telling)},
        {"policy", words_policy(telling)},
        {"claim", words_claim(telling)},
        {"volume", words_volume(telling)},
    };
    words_fill(sentence, values, sizeof(values) / sizeof(*values), text);
}
