/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/node_lifecycle_world.h"

#include "decide/claim.h"

#include <stdlib.h>
#include <string.h>

#define TICK_NANOSECONDS (NANOSECONDS_PER_SECOND / WORLD_TICKS_PER_SECOND)

enum {
    MONITOR_TICKS = 5 * WORLD_TICKS_PER_SECOND,
    LEASE_TICKS = 10 * WORLD_TICKS_PER_SECOND,
    STATUS_TICKS = 300 * WORLD_TICKS_PER_SECOND,
};

void world_init(struct world *world, struct arena *arena, struct node_lifecycle_rules rules)
{
    *world = (struct world){.arena = arena, .rules = rules};
}

static uint32_t find_zone(struct world *world, const struct node *node)
{
    const char *key = lifecycle_zone_key(world->arena, node);
    for (uint32_t i = 0; i < world->zones.count; i++)
        if (strcmp(world->zones.items[i].key, key) == 0)
            return i;
    const struct world_zone zone = {.key = key, .name = lifecycle_zone_name(node)};
    VEC_PUSH(world->arena, &world->zones, zone);
    VEC_PUSH(world->arena, &world->zone_states, lifecycle_zone_initial(&world->rules));
    return world->zones.count - 1;
}

/* Taints of this controller are bits of the state, others are kept as they are. */
static void add_taint(struct world *world, uint32_t index, const struct taint *taint)
{
    struct world_node *node = &world->nodes.items[index];
    struct lifecycle_node *state = &world->states.items[index];
    const uint32_t bit = lifecycle_taint_find(taint->key);
    const bool execute = taint->effect == TAINT_NO_EXECUTE;
    node->execute_changed = node->execute_changed || execute;
    if (taint->effect == TAINT_NO_SCHEDULE && bit) {
        state->no_schedule |= bit;
    } else if (execute && (bit == LIFECYCLE_NOT_READY || bit == LIFECYCLE_UNREACHABLE)) {
        state->no_execute |= bit;
    } else {
        for (uint32_t i = 0; i < node->other_taints.count; i++) {
            struct taint *other = &node->other_taints.items[i];
            if (strcmp(other->key, taint->key) == 0 && other->effect == taint->effect) {
                *other = *taint;
                return;
            }
        }
        VEC_PUSH(world->arena, &node->other_taints, *taint);
    }
}

static void remove_taint(struct world *world, uint32_t index, const char *key)
{
    struct world_node *node = &world->nodes.items[index];
    struct lifecycle_node *state = &world->states.items[index];
    const uint32_t bit = lifecycle_taint_find(key);
    node->execute_changed = node->execute_changed || (state->no_execute & bit);
    state->no_schedule &= ~bit;
    state->no_execute &= ~bit;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < node->other_taints.count; i++) {
        const struct taint *taint = &node->other_taints.items[i];
        if (strcmp(taint->key, key) != 0)
            node->other_taints.items[kept++] = *taint;
        else if (taint->effect == TAINT_NO_EXECUTE)
            node->execute_changed = true;
    }
    node->other_taints.count = kept;
}

uint32_t world_add_node(struct world *world, const struct node *node)
{
    const uint32_t index = world->nodes.count;
    const struct world_node entry = {
        .name = node->meta.name, .execute_changed = true, .execute_since = TIME_NONE};
    VEC_PUSH(world->arena, &world->states, lifecycle_node_of(node, find_zone(world, node)));
    VEC_PUSH(world->arena, &world->nodes, entry);
    for (uint32_t i = 0; i < node->spec.taint_count; i++) {
        const struct taint *taint = &node->spec.taints[i];
        int64_t *since = &world->nodes.items[index].execute_since;
        add_taint(world, index, taint);
        if (taint->effect == TAINT_NO_EXECUTE && taint->time_added != TIME_NONE &&
            (*since == TIME_NONE || taint->time_added < *since))
            *since = taint->time_added;
    }
    if (world->states.items[index].conditions[NODE_READY] == STATUS_UNKNOWN)
        world->nodes.items[index].kubelet = KUBELET_DOWN;
    return index;
}

void world_add_pod(struct world *world, const struct pod *pod)
{
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        if (!pod->spec.node_name || strcmp(world->nodes.items[i].name, pod->spec.node_name) != 0)
            continue;
        const struct world_pod entry = {
            .name = pod->meta.name,
            .node = i,
            .tolerations = pod->spec.tolerations,
            .toleration_count = pod->spec.toleration_count,
            .ready = pod_is_ready(pod),
        };
        VEC_PUSH(world->arena, &world->pods, entry);
    }
}

static void record(struct world *world, enum world_event_type type, uint32_t node, uint32_t pod,
                   const char *what)
{
    const struct world_event event = {world->tick, type, node, pod, what};
    VEC_PUSH(world->arena, &world->events, event);
}

static void record_taints(struct world *world, uint32_t node, enum world_event_type type,
                          uint32_t taints, const char *effect)
{
    for (uint32_t bit = LIFECYCLE_NOT_READY; bit <= LIFECYCLE_UNSCHEDULABLE; bit <<= 1)
        if (taints & bit)
            record(world, type, node, 0,
                   arena_printf(world->arena, "%s:%s", lifecycle_taint_key(bit), effect));
}

static void fire_due_evictions(struct world *world)
{
    for (uint32_t i = 0; i < world->pods.count; i++)
        if (taint_manager_age(&world->pods.items[i].eviction, world->rules.forgets_evictions,
                              TICK_NANOSECONDS))
            record(world, WORLD_EVICT, 0, i, NULL);
}

static void post_ready(struct world *world, uint32_t index, enum condition_status status)
{
    struct lifecycle_node *state = &world->states.items[index];
    state->conditions[NODE_READY] = status;
    state->heartbeat = true;
    if (status != STATUS_TRUE)
        return;
    for (int i = NODE_MEMORY_PRESSURE; i <= NODE_PID_PRESSURE; i++)
        state->conditions[i] = STATUS_FALSE;
}

static void apply_edit(struct world *world, const struct world_edit *edit)
{
    struct lifecycle_node *state = &world->states.items[edit->node];
    if (edit->has_kubelet) {
        world->nodes.items[edit->node].kubelet = edit->kubelet;
        if (edit->kubelet != KUBELET_DOWN)
            post_ready(world, edit->node, edit->kubelet == KUBELET_UP ? STATUS_TRUE : STATUS_FALSE);
    }
    for (int i = 0; i < NODE_CONDITION_COUNT; i++) {
        if (edit->conditions[i] == STATUS_ABSENT)
            continue;
        state->conditions[i] = edit->conditions[i];
        state->heartbeat = state->heartbeat || i == NODE_READY;
    }
    if (edit->has_unschedulable)
        state->unschedulable = edit->unschedulable;
    for (uint32_t i = 0; i < edit->add_taint_count; i++)
        add_taint(world, edit->node, &edit->add_taints[i]);
    for (uint32_t i = 0; i < edit->remove_taints.count; i++)
        remove_taint(world, edit->node, edit->remove_taints.items[i]);
}

static void run_kubelets(struct world *world)
{
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        struct lifecycle_node *state = &world->states.items[i];
        if (world->nodes.items[i].kubelet == KUBELET_DOWN)
            continue;
        if (world->tick % LEASE_TICKS == 0) {
            state->has_lease = true;
            state->lease_new = true;
        }
        if (world->tick % STATUS_TICKS == 0 && world->tick > 0)
            state->heartbeat = true;
    }
}

/* All NoExecute taints of a node. */
static uint32_t execute_taints(struct world *world, uint32_t index, struct taint *taints)
{
    uint32_t count = 0;
    const struct world_node *node = &world->nodes.items[index];
    for (uint32_t bit = LIFECYCLE_NOT_READY; bit <= LIFECYCLE_UNREACHABLE; bit <<= 1)
        if (world->states.items[index].no_execute & bit)
            taints[count++] = (struct taint){.key = lifecycle_taint_key(bit),
                                             .value = "",
                                             .effect = TAINT_NO_EXECUTE,
                                             .time_added = TIME_NONE};
    for (uint32_t i = 0; i < node->other_taints.count; i++)
        if (node->other_taints.items[i].effect == TAINT_NO_EXECUTE)
            taints[count++] = node->other_taints.items[i];
    return count;
}

static void manage_taints(struct world *world, uint32_t index)
{
    const struct arena_mark mark = arena_mark(world->arena);
    struct taint *taints =
        ARENA_ARRAY(world->arena, struct taint, world->nodes.items[index].other_taints.count + 2);
    const uint32_t count = execute_taints(world, index, taints);
    VEC(uint32_t) evicted = {0};
    for (uint32_t i = 0; i < world->pods.count; i++) {
        struct world_pod *pod = &world->pods.items[i];
        if (pod->node != index)
            continue;
        bool evict;
        const int64_t seconds =
            taint_manager_tolerated_seconds(taints, count, pod->tolerations, pod->toleration_count);
        taint_manager_update(&pod->eviction, world->rules.forgets_evictions, count, seconds,
                             &evict);
        if (evict)
            VEC_PUSH(world->arena, &evicted, i);
    }
    if (evicted.count == 0)
        arena_rewind(world->arena, mark);
    for (uint32_t i = 0; i < evicted.count; i++)
        record(world, WORLD_EVICT, 0, evicted.items[i], NULL);
}

/* Runs what reacts to changes of nodes: the NoSchedule taints and the taint manager. */
static void follow_nodes(struct world *world)
{
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        struct lifecycle_node *state = &world->states.items[i];
        const uint32_t wanted = node_lifecycle_no_schedule(state);
        if (wanted != state->no_schedule) {
            record_taints(world, i, WORLD_TAINT_ADD, wanted & ~state->no_schedule, "NoSchedule");
            record_taints(world, i, WORLD_TAINT_REMOVE, state->no_schedule & ~wanted, "NoSchedule");
            state->no_schedule = wanted;
        }
        if (world->nodes.items[i].execute_changed) {
            world->nodes.items[i].execute_changed = false;
            manage_taints(world, i);
        }
    }
}

static void queue_remove(struct world_zone *zone, uint32_t node)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < zone->queue.count; i++)
        if (zone->queue.items[i] != node)
            zone->queue.items[kept++] = zone->queue.items[i];
    zone->queue.count = kept;
}

static void follow_queue(struct world *world, uint32_t node, enum lifecycle_queue_step step)
{
    struct world_zone *zone = &world->zones.items[world->states.items[node].zone];
    if (step == LIFECYCLE_QUEUE_REMOVED || step == LIFECYCLE_QUEUE_RENEWED)
        queue_remove(zone, node);
    if (step == LIFECYCLE_QUEUE_ADDED || step == LIFECYCLE_QUEUE_RENEWED)
        VEC_PUSH(world->arena, &zone->queue, node);
}

static void record_report(struct world *world, uint32_t node, const struct lifecycle_report *report)
{
    for (int i = 0; i < NODE_CONDITION_COUNT; i++) {
        if (!(report->made_unknown & 1U << i))
            continue;
        const char *reason =
            report->never_posted & 1U << i ? "NodeStatusNeverUpdated" : "NodeStatusUnknown";
        record(world, WORLD_CONDITION, node, 0,
               arena_printf(world->arena, "%s=Unknown:%s", node_condition_name(i), reason));
    }
    record_taints(world, node, WORLD_TAINT_ADD, report->taints_added, "NoExecute");
    record_taints(world, node, WORLD_TAINT_REMOVE, report->taints_removed, "NoExecute");
    if (report->taints_added || report->taints_removed)
        world->nodes.items[node].execute_changed = true;
    for (uint32_t i = 0; i < world->pods.count && report->pods_not_ready; i++) {
        if (world->pods.items[i].node != node || !world->pods.items[i].ready)
            continue;
        world->pods.items[i].ready = false;
        record(world, WORLD_POD_NOT_READY, node, i, NULL);
    }
}

static void monitor(struct world *world)
{
    const size_t zone_bytes = world->zones.count * sizeof(*world->zones_before);
    if (zone_bytes > 0)
        memcpy(world->zones_before, world->zone_states.items, zone_bytes);
    node_lifecycle_monitor(&world->rules, world->states.items, world->nodes.count,
                           world->zone_states.items, world->zones.count, world->reports);
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        record_report(world, i, &world->reports[i]);
        follow_queue(world, i, world->reports[i].queue_step);
    }
    for (uint32_t i = 0; i < world->nodes.count; i++)
        if (world->reports[i].removed_again)
            follow_queue(world, i, LIFECYCLE_QUEUE_REMOVED);
    for (uint32_t i = 0; i < world->zones.count; i++) {
        const struct lifecycle_zone *zone = &world->zone_states.items[i];
        const struct lifecycle_zone *before = &world->zones_before[i];
        if (zone->state != before->state || zone->limiter.rate != before->limiter.rate)
            record(world, WORLD_ZONE, i, 0,
                   arena_printf(world->arena, "%s qps=%g", lifecycle_zone_state_name(zone->state),
                                (double)zone->limiter.rate));
    }
}

static void taint_nodes(struct world *world)
{
    for (uint32_t i = 0; i < world->zones.count; i++) {
        struct world_zone *zone = &world->zones.items[i];
        while (zone->queue.count > 0 && taint_limiter_take(&world->zone_states.items[i].limiter)) {
            const uint32_t node = zone->queue.items[0];
            uint32_t added;
            uint32_t removed;
            node_lifecycle_taint(&world->states.items[node], &added, &removed);
            record_taints(world, node, WORLD_TAINT_ADD, added, "NoExecute");
            record_taints(world, node, WORLD_TAINT_REMOVE, removed, "NoExecute");
            if (added || removed)
                world->nodes.items[node].execute_changed = true;
            queue_remove(zone, node);
        }
    }
}

/* Evictions run since the first NoExecute taint came. */
static void settle_evictions(struct world *world, uint32_t node, int64_t now)
{
    const int64_t since = world->nodes.items[node].execute_since;
    if (since == TIME_NONE || since >= now)
        return;
    manage_taints(world, node);
    world->nodes.items[node].execute_changed = false;
    for (uint32_t i = 0; i < world->pods.count; i++)
        if (world->pods.items[i].node == node &&
            taint_manager_age(&world->pods.items[i].eviction, world->rules.forgets_evictions,
                              age_at(now, since)))
            record(world, WORLD_EVICT, 0, i, NULL);
}

void world_settle(struct world *world, int64_t now)
{
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        struct lifecycle_node *state = &world->states.items[i];
        const enum condition_status ready = state->conditions[NODE_READY];
        const uint32_t wanted = ready == STATUS_FALSE     ? LIFECYCLE_NOT_READY
                                : ready == STATUS_UNKNOWN ? LIFECYCLE_UNREACHABLE
                                                          : 0U;
        state->known = true;
        state->ready_saved = ready != STATUS_ABSENT;
        state->has_lease = true;
        state->lease_saved = true;
        if (world->nodes.items[i].kubelet == KUBELET_DOWN)
            state->probe_age = state->creation_age;
        if (wanted && (state->no_execute & wanted))
            state->queue = LIFECYCLE_QUEUE_DONE;
        settle_evictions(world, i, now);
    }
}

void world_run(struct world *world, int64_t ticks)
{
    uint32_t next_edit = 0;
    world->reports = ARENA_ARRAY(world->arena, struct lifecycle_report, world->nodes.count + 1);
    world->zones_before = ARENA_ARRAY(world->arena, struct lifecycle_zone, world->zones.count + 1);
    for (world->tick = 0; world->tick <= ticks; world->tick++) {
        if (world->tick > 0) {
            node_lifecycle_age(world->states.items, world->states.count, world->zone_states.items,
                               world->zone_states.count, TICK_NANOSECONDS);
            fire_due_evictions(world);
        }
        while (next_edit < world->edits.count && world->edits.items[next_edit].tick <= world->tick)
            apply_edit(world, &world->edits.items[next_edit++]);
        run_kubelets(world);
        follow_nodes(world);
        if (world->tick % MONITOR_TICKS == 0) {
            monitor(world);
            follow_nodes(world);
        }
        taint_nodes(world);
        follow_nodes(world);
    }
}

static const char *effect_name(enum taint_effect effect)
{
    switch (effect) {
    case TAINT_NO_SCHEDULE: return "NoSchedule";
    case TAINT_PREFER_NO_SCHEDULE: return "PreferNoSchedule";
    case TAINT_NO_EXECUTE: return "NoExecute";
    case TAINT_EFFECT_ANY: break;
    }
    return "";
}

struct string_list world_taints(struct world *world, uint32_t index)
{
    const struct lifecycle_node *state = &world->states.items[index];
    const struct world_node *node = &world->nodes.items[index];
    VEC(const char *) texts = {0};
    for (uint32_t bit = LIFECYCLE_NOT_READY; bit <= LIFECYCLE_UNSCHEDULABLE; bit <<= 1) {
        const char *key = lifecycle_taint_key(bit);
        if (state->no_schedule & bit)
            VEC_PUSH(world->arena, &texts, arena_printf(world->arena, "%s:NoSchedule", key));
        if (state->no_execute & bit)
            VEC_PUSH(world->arena, &texts, arena_printf(world->arena, "%s:NoExecute", key));
    }
    for (uint32_t i = 0; i < node->other_taints.count; i++) {
        const struct taint *taint = &node->other_taints.items[i];
        VEC_PUSH(world->arena, &texts,
                 arena_printf(world->arena, "%s%s%s:%s", taint->key, *taint->value ? "=" : "",
                              taint->value, effect_name(taint->effect)));
    }
    if (texts.count > 1)
        qsort(texts.items, texts.count, sizeof(*texts.items), claim_compare_texts);
    return (struct string_list){texts.items, texts.count};
}
