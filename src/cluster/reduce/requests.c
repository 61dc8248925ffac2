/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In a model with a pool no node that is up has pods. So a pod fits on a node if it fits on an
 * empty one, and what else requests decide is how many pods can be on one node
 * (ask/pods_on_node.h), whether admission forbids it, what it is charged to quotas, and whether
 * others crowd the pod out (ask/room_of_others.h). Autoscalers and load compare use with requests;
 * they are not handled here.
 */
#include "cluster/reduce/requests.h"
#include "base/text.h"
#include "cluster/ask/pods_on_node.h"
#include "cluster/ask/room_held.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/population_model.h"
#include "cluster/state/quotas.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <inttypes.h>
#include <string.h>

enum { NANOS = 1000000000 };

/* Do requests only say where pods fit? A canonical start is found with the pods on nodes. */
static bool only_fit_matters(const struct population *population)
{
    return population->pools && population->autoscalers.count == 0 &&
           population->scope->start != START_CANONICAL && events_have(population, NEEDS_NO_USAGE);
}

/* What is measured of charges counts for all components that are asked together. */
static void append_charges(struct text *text, const struct population_quota *quota,
                           uint32_t revision)
{
    for (uint32_t i = 0; i < quota->line_count; i++)
        text_printf(text, " %u:%" PRId64 ".%09" PRId64, quota->lines[i].number,
                    (int64_t)(quota->lines[i].uses[revision] / NANOS),
                    (int64_t)(quota->lines[i].uses[revision] % NANOS));
}

/* LimitRanges and quotas forbid pods that request too much, too little, or nothing. A quota that no
 * others are charged to is not asked about: where there is one, there is no pool. */
static void append_admission(struct text *text, const struct population *population,
                             uint32_t revision)
{
    if (population->revisions.items[revision].refusal)
        text_append_string(text, " refused");
    for (uint32_t q = 0; q < population->shared_quotas.count; q++)
        append_charges(text, &population->shared_quotas.items[q], revision);
}

void population_requests(struct arena *arena, const struct population *population,
                         struct pod_requests *requests)
{
    const uint32_t resources = ROOM_EXTENDED + population->options.others->resource_count;
    struct worker *worker = population->maker;
    struct room_held kinds = {0};
    struct text text;
    *requests = (struct pod_requests){
        ARENA_ARRAY(arena, struct room, population->revisions.count + 1),
        population->revisions.count,
        NULL,
    };
    text_init(&text, arena->memory);
    for (uint32_t r = 0; r < requests->count; r++) {
        const uint32_t class = population->revisions.items[r].pending_class;
        for (uint32_t i = 0; i < resources; i++)
            requests->of[r].amounts[i] = room_request(worker, class, i);
        text_printf(&text, "%u", room_kind_add(&kinds, &requests->of[r]));
        for (uint32_t n = 0; n < population->initial->node_count; n++)
            for (uint32_t i = 0; i < resources; i++)
                text_append_string(
                    &text, requests->of[r].amounts[i] == 0 ? " 0"
                           : requests->of[r].amounts[i] <=
                                   room_of_node(worker, population->initial->nodes[n].config, i)
                               ? " y"
                               : " n");
        append_admission(&text, population, r);
        text_append_char(&text, '\n');
    }
    for (uint32_t n = 0; n < population->initial->node_count; n++)
        text_printf(&text, " %u", pods_on_node(worker, population->initial->nodes[n].config));
    /* Where kinds are taken together, it is not known which. */
    if (only_fit_matters(population) && kinds.kind_count < ROOM_KINDS)
        requests->text = arena_strndup(arena, text_content(&text), text.length);
    text_release(&text);
}

void room_held_by(struct room_held *held, const struct pod_requests *requests)
{
    struct room_held kinds = {0};
    for (uint32_t r = 0; r < requests->count; r++)
        room_kind_add(&kinds, &requests->of[r]);
    for (uint32_t k = 0; k < held->kind_count; k++)
        held->kinds[k].request = kinds.kinds[k].request;
}
