/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/cluster_state.h"

#include "decide/autoscaler/node_readiness.h"

#include <string.h>

static void count_node(struct readiness *readiness, const struct cluster_autoscaler *autoscaler,
                       const struct listed_node *node)
{
    enum { STARTUP_SECONDS = 900 };
    readiness->known = true;
    readiness->registered++;
    if (node_has_taint(node->node, TAINT_TO_BE_DELETED))
        readiness->deleted++;
    else if (node->ready)
        readiness->ready++;
    else if (node->node->meta.creation_time != TIME_NONE &&
             node->node->meta.creation_time + STARTUP_SECONDS * (int64_t)NANOSECONDS_PER_SECOND >
                 autoscaler->now)
        readiness->not_started++;
    else
        readiness->unready++;
}

static void count_instances(struct readiness *readiness,
                            const struct cluster_autoscaler *autoscaler,
                            struct autoscaler_group *group)
{
    for (uint32_t i = 0; i < group->instances.count; i++) {
        struct instance *instance = &group->instances.items[i];
        if (instance->registered)
            continue;
        if (instance->unregistered_since == TIME_NONE)
            instance->unregistered_since = autoscaler->now;
        readiness->known = true;
        if (instance->unregistered_since + autoscaler->options.provision_time < autoscaler->now)
            readiness->long_unregistered++;
        else
            readiness->unregistered++;
    }
}

/* An instance is a node's by the ID that the provider gave it. */
static void match_instances(struct cluster_autoscaler *autoscaler)
{
    struct map nodes;
    bool any = false;
    map_init(&nodes, autoscaler->loop_arena);
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        any |= autoscaler->groups.items[i]->instances.count > 0;
    for (uint32_t i = 0; any && i < autoscaler->nodes.count; i++)
        if (autoscaler->nodes.items[i].node->spec.provider_id)
            map_put(&nodes, autoscaler->nodes.items[i].node->spec.provider_id)->value = autoscaler;
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        for (uint32_t k = 0; k < group->instances.count; k++) {
            struct instance *instance = &group->instances.items[k];
            instance->registered = map_get(&nodes, instance->name) != NULL;
            if (instance->registered)
                instance->unregistered_since = TIME_NONE;
        }
    }
}

static void count_readiness(struct cluster_autoscaler *autoscaler)
{
    autoscaler->total = (struct readiness){0};
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        autoscaler->groups.items[i]->readiness = (struct readiness){0};
    for (uint32_t i = 0; i < autoscaler->nodes.count; i++) {
        const struct listed_node *node = &autoscaler->nodes.items[i];
        count_node(&autoscaler->total, autoscaler, node);
        if (node->group)
            count_node(&node->group->readiness, autoscaler, node);
    }
    for (uint32_t i = 0; i < autoscaler->groups.count; i++)
        count_instances(&autoscaler->groups.items[i]->readiness, autoscaler,
                        autoscaler->groups.items[i]);
}

void cluster_state_recalculate(struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        group->known_target = group->most = group->target;
        group->least = group->target - group->readiness.long_unregistered;
        if (group->has_request)
            group->least -= group->request_increase;
    }
    MAP_EACH (&autoscaler->records, entry) {
        const struct node_record *record = entry->value;
        if (record->has_request && record->group)
            record->group->most++;
    }
}

static bool has_missing_nodes(const struct autoscaler_group *group)
{
    return group->known_target > group->readiness.registered - group->readiness.not_started;
}

static void end_requests(struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        if (group->has_backoff &&
            group->backoff_last + autoscaler->options.backoff_reset < autoscaler->now)
            group->has_backoff = false;
        if (!group->has_request)
            continue;
        if (!has_missing_nodes(group)) {
            group->has_request = group->has_backoff = false;
        } else if (group->request_deadline < autoscaler->now) {
            group_back_off(autoscaler, group);
            group->has_request = false;
        }
    }
    MAP_EACH (&autoscaler->records, entry) {
        struct node_record *record = entry->value;
        record->has_request &= record->request_until > autoscaler->now;
    }
}

/* The errors of one code that the former loop had not seen count together. */
static void handle_errors_of_code(struct cluster_autoscaler *autoscaler,
                                  struct autoscaler_group *group, const char *code)
{
    int64_t unseen = 0;
    for (uint32_t i = 0; i < group->instances.count; i++) {
        struct instance *instance = &group->instances.items[i];
        if (!instance->error_is_new || strcmp(instance->error, code) != 0)
            continue;
        unseen++;
        instance->error_is_new = false;
    }
    if (unseen == 0 || !group->has_request || !has_missing_nodes(group))
        return;
    group_request(autoscaler, group, -unseen);
    group_back_off(autoscaler, group);
}

static void handle_creation_errors(struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        for (uint32_t k = 0; k < group->instances.count; k++)
            if (group->instances.items[k].error_is_new)
                handle_errors_of_code(autoscaler, group, group->instances.items[k].error);
    }
}

static void note_wrong_sizes(struct cluster_autoscaler *autoscaler)
{
    for (uint32_t i = 0; i < autoscaler->groups.count; i++) {
        struct autoscaler_group *group = autoscaler->groups.items[i];
        const int64_t current = group->readiness.registered;
        const bool wrong =
            group->readiness.known && (current > group->most || current < group->least);
        if (wrong && group->wrong_size && group->wrong_current == current &&
            group->wrong_expected == group->known_target)
            continue;
        group->wrong_size = wrong;
        group->wrong_current = current;
        group->wrong_expected = group->known_target;
        group->wrong_since = autoscaler->now;
    }
}

void cluster_state_update(struct cluster_autoscaler *autoscaler)
{
    match_instances(autoscaler);
    count_readiness(autoscaler);
    cluster_state_recalculate(autoscaler);
    end_requests(autoscaler);
    handle_creation_errors(autoscaler);
    cluster_state_recalculate(autoscaler);
    note_wrong_sizes(autoscaler);
}

static bool too_many(const struct cluster_autoscaler *autoscaler, int64_t bad, int64_t all)
{
    return bad > autoscaler->options.ok_unready &&
           (double)bad > autoscaler->options.unready_percentage / 100.0 * (double)all;
}

bool cluster_is_healthy(const struct cluster_autoscaler *autoscaler)
{
    return !too_many(autoscaler, autoscaler->total.unready, autoscaler->nodes.count);
}

bool group_is_healthy(const struct cluster_autoscaler *autoscaler,
                      const struct autoscaler_group *group)
{
    const struct readiness *readiness = &group->readiness;
    if (!readiness->known)
        return group->known_target == 0 || (group->least == 0 && group->known_target > 0);
    const int64_t missing = group->least > readiness->ready ? group->least - readiness->ready : 0;
    return !too_many(autoscaler, missing,
                     readiness->ready + readiness->unready + readiness->not_started);
}

bool group_is_backed_off(const struct cluster_autoscaler *autoscaler,
                         const struct autoscaler_group *group)
{
    return group->has_backoff && group->backoff_until > autoscaler->now;
}

int64_t group_upcoming(const struct autoscaler_group *group)
{
    const int64_t upcoming = group->known_target - group->readiness.ready -
                             group->readiness.unready - group->readiness.long_unregistered;
    return upcoming > 0 ? upcoming : 0;
}

void group_request(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group,
                   int64_t increase)
{
    if (!group->has_request && increase <= 0)
        return;
    if (!group->has_request)
        group->request_increase = 0;
    group->request_increase += increase;
    group->has_request = group->request_increase > 0;
    if (increase <= 0)
        return;
    group->request_time = autoscaler->now;
    group->request_deadline = autoscaler->now + autoscaler->options.provision_time;
}

void group_back_off(struct cluster_autoscaler *autoscaler, struct autoscaler_group *group)
{
    int64_t duration = autoscaler->options.initial_backoff;
    if (group->has_backoff) {
        duration = group->backoff_duration;
        if (group->backoff_until < autoscaler->now)
            duration = 2 * duration < autoscaler->options.max_backoff
                           ? 2 * duration
                           : autoscaler->options.max_backoff;
    }
    group->has_backoff = true;
    group->backoff_duration = duration;
    group->backoff_until = autoscaler->now + duration;
    group->backoff_last = autoscaler->now;
}
