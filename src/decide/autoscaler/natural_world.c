/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/natural_world.h"

#include "decide/autoscaler/drain_rules.h"
#include "decide/autoscaler/hidden_orders.h"
#include "manifest/document.h"

#include <math.h>
#include <string.h>

/* How long a node has its taint before its pods are evicted, how long a refused eviction is tried,
 * and how long a deletion that has ended counts. */
enum { TAINTED_SECONDS = 5, TRIED_SECONDS = 120, COUNTED_SECONDS = 300 };

void natural_world_init(struct natural_world *world, struct cluster_autoscaler *autoscaler)
{
    *world = (struct natural_world){.autoscaler = autoscaler};
}

static int64_t after(int64_t time, int64_t seconds)
{
    return time + seconds * NANOSECONDS_PER_SECOND;
}

static void note_change(struct natural_world *world, const struct world_item *item)
{
    for (uint32_t i = 0; i < world->changed.count; i++)
        if (world->changed.items[i] == item)
            return;
    VEC_PUSH(world->autoscaler->arena, &world->changed, item);
}

static void replace(struct natural_world *world, const struct world_item *item,
                    struct object object)
{
    autoscaler_world_set(&world->autoscaler->world,
                         &(struct objects){.items = &object, .count = 1});
    note_change(world, item);
}

static void note_gone(struct natural_world *world, const char *key)
{
    if (!autoscaler_world_delete(&world->autoscaler->world, key))
        bug("%s is gone already", key);
    VEC_PUSH(world->autoscaler->arena, &world->gone, key);
}

static void change_node(struct natural_world *world, const char *name,
                        void (*change)(struct arena *arena, struct node *node,
                                       const struct taint *taint),
                        const struct taint *taint)
{
    struct arena *arena = world->autoscaler->arena;
    const struct world_item *item =
        autoscaler_world_find(&world->autoscaler->world, "Node", NULL, name);
    struct object object = item->object;
    struct node *node = arena_copy(arena, object.as.node, sizeof(*node));
    change(arena, node, taint);
    object.as.node = node;
    object.meta = &node->meta;
    replace(world, item, object);
}

static void add_taint(struct arena *arena, struct node *node, const struct taint *taint)
{
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 1);
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        taints[i] = node->spec.taints[i];
    taints[node->spec.taint_count++] = *taint;
    node->spec.taints = taints;
}

static void drop_taint(struct arena *arena, struct node *node, const struct taint *taint)
{
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        if (strcmp(node->spec.taints[i].key, taint->key) != 0)
            taints[kept++] = node->spec.taints[i];
    node->spec.taints = taints;
    node->spec.taint_count = kept;
}

static void cordon(struct arena *arena, struct node *node, const struct taint *taint)
{
    (void)arena;
    (void)taint;
    node->spec.unschedulable = true;
}

static void uncordon(struct arena *arena, struct node *node, const struct taint *taint)
{
    (void)arena;
    (void)taint;
    node->spec.unschedulable = false;
}

/* The taint's value is the second in which it was set. */
static void do_action(struct natural_world *world, const struct scale_action *action)
{
    struct cluster_autoscaler *autoscaler = world->autoscaler;
    const struct taint taint = {
        .key = action->key,
        .value = arena_printf(autoscaler->arena, "%lld",
                              (long long)(autoscaler->now / NANOSECONDS_PER_SECOND)),
        .effect = action->effect && strcmp(action->effect, "PreferNoSchedule") == 0
                      ? TAINT_PREFER_NO_SCHEDULE
                      : TAINT_NO_SCHEDULE,
        .time_added = TIME_NONE};
    if (action->error)
        return;
    if (action->kind == ACTION_TAINT)
        change_node(world, action->node, add_taint, &taint);
    else if (action->kind == ACTION_UNTAINT)
        change_node(world, action->node, drop_taint, &taint);
    else if (action->kind == ACTION_CORDON)
        change_node(world, action->node, cordon, NULL);
}

static void begin_deletion(struct natural_world *world, const char *name)
{
    const struct natural_deletion deletion = {.record = autoscaler_record(world->autoscaler, name),
                                              .begun = world->autoscaler->now};
    if (deletion.record->deleting_empty || deletion.record->deleting_drain)
        VEC_PUSH(world->autoscaler->arena, &world->deletions, deletion);
}

static void end_deletion(struct natural_deletion *deletion)
{
    deletion->record->deleting_empty = deletion->record->deleting_drain = false;
}

static void fail_deletion(struct natural_world *world, struct natural_deletion *deletion)
{
    const struct taint taint = {.key = TAINT_TO_BE_DELETED};
    change_node(world, deletion->record->name, drop_taint, &taint);
    if (world->autoscaler->options.cordon)
        change_node(world, deletion->record->name, uncordon, NULL);
    end_deletion(deletion);
}

/* The pods that are left on it go with the node. */
static void delete_node(struct natural_world *world, struct natural_deletion *deletion)
{
    struct cluster_autoscaler *autoscaler = world->autoscaler;
    const char *name = deletion->record->name;
    const struct known_node *known = map_get(&autoscaler->world.nodes, name);
    while (known && known->pods.count > 0)
        note_gone(world, arena_printf(autoscaler->arena, "Pod/%s", known->pods.items[0]->name));
    note_gone(world, arena_printf(autoscaler->arena, "Node/%s", name));
    if (deletion->record->group)
        deletion->record->group->target--;
    deletion->record->has_request = true;
    deletion->record->request_until = after(deletion->begun, TAINTED_SECONDS + COUNTED_SECONDS);
    end_deletion(deletion);
}

/* ---- looking at nodes again, and evicting their pods, in any order ---- */

/* With a pod: it is evicted; without: the node is looked at. */
struct natural_step {
    struct natural_deletion *deletion;
    const struct autoscaler_pod *pod;
};

typedef VEC(struct natural_step) step_list;

static bool budget_forbids(const struct natural_world *world, const struct autoscaler_pod *pod)
{
    const struct autoscaler_world *objects = &world->autoscaler->world;
    for (uint32_t i = 0; i < objects->items.count; i++) {
        const struct world_item *item = objects->items.items[i];
        if (!item->gone && !item->controller && item->object.kind == OBJECT_POD_DISRUPTION_BUDGET &&
            item->object.as.pod_disruption_budget->status.disruptions_allowed < 1 &&
            budget_selects(item->object.as.pod_disruption_budget, pod))
            return true;
    }
    return false;
}

static void evict(struct natural_world *world, const struct autoscaler_pod *pod)
{
    const struct autoscaler_world *objects = &world->autoscaler->world;
    for (uint32_t i = 0; i < objects->items.count; i++) {
        const struct world_item *item = objects->items.items[i];
        struct object object = item->object;
        if (item->gone || item->controller || object.kind != OBJECT_POD_DISRUPTION_BUDGET ||
            !budget_selects(object.as.pod_disruption_budget, pod))
            continue;
        struct pod_disruption_budget *budget =
            arena_copy(world->autoscaler->arena, object.as.pod_disruption_budget, sizeof(*budget));
        budget->status.disruptions_allowed--;
        object.as.pod_disruption_budget = budget;
        object.meta = &budget->meta;
        replace(world, item, object);
    }
    note_gone(world, arena_printf(world->autoscaler->arena, "Pod/%s", pod->name));
}

static bool stays(const struct natural_world *world, const struct autoscaler_pod *pod)
{
    return pod->mirror || pod->daemon || autoscaler_pod_is_overdue(pod, world->autoscaler->now) ||
           autoscaler_pod_is_expendable(pod, world->autoscaler->options.expendable_cutoff);
}

/* A node that is not looked at again at the same time as others may find their budgets used up. */
static void look_again(struct natural_world *world, struct natural_deletion *deletion,
                       step_list *steps)
{
    const struct known_node *known =
        map_get(&world->autoscaler->world.nodes, deletion->record->name);
    const uint32_t before = steps->count;
    for (uint32_t i = 0; known && i < known->pods.count; i++) {
        const struct natural_step step = {deletion, known->pods.items[i]};
        if (stays(world, step.pod))
            continue;
        if (budget_forbids(world, step.pod)) {
            steps->count = before;
            fail_deletion(world, deletion);
            return;
        }
        VEC_PUSH(world->autoscaler->loop_arena, steps, step);
    }
}

static void take_step(struct natural_world *world, struct natural_step step, step_list *steps)
{
    if (!step.pod)
        look_again(world, step.deletion, steps);
    else if (budget_forbids(world, step.pod))
        step.deletion->refused = true;
    else
        evict(world, step.pod);
}

static bool is_under_way(const struct natural_deletion *deletion)
{
    return deletion->record->deleting_empty || deletion->record->deleting_drain;
}

static void evict_all(struct natural_world *world, int64_t next)
{
    step_list steps = {0};
    for (uint32_t i = 0; i < world->deletions.count; i++) {
        struct natural_deletion *deletion = &world->deletions.items[i];
        if (!deletion->refused && deletion->record->deleting_drain &&
            after(deletion->begun, TAINTED_SECONDS) <= next)
            VEC_PUSH(world->autoscaler->loop_arena, &steps,
                     ((struct natural_step){deletion, NULL}));
    }
    while (steps.count > 0) {
        const uint32_t drawn = orders_pick(world->autoscaler, steps.count);
        const struct natural_step step = steps.items[drawn];
        memmove(&steps.items[drawn], &steps.items[drawn + 1],
                (steps.count - drawn - 1) * sizeof(steps.items[0]));
        steps.count--;
        take_step(world, step, &steps);
    }
}

void natural_world_follow(struct natural_world *world, const struct loop_result *result,
                          int64_t next)
{
    uint32_t left = 0;
    world->changed.count = world->gone.count = 0;
    for (uint32_t i = 0; i < result->actions.count; i++)
        do_action(world, &result->actions.items[i]);
    for (uint32_t i = 0; i < result->delete_empty.count; i++)
        begin_deletion(world, result->delete_empty.items[i]);
    for (uint32_t i = 0; i < result->delete_drain.count; i++)
        begin_deletion(world, result->delete_drain.items[i]);
    evict_all(world, next);
    for (uint32_t i = 0; i < world->deletions.count; i++) {
        struct natural_deletion *deletion = &world->deletions.items[i];
        if (!is_under_way(deletion))
            continue;
        const bool fails =
            deletion->refused ||
            string_list_has(&world->autoscaler->failing_deletions, deletion->record->name);
        const int64_t seconds = TAINTED_SECONDS + (deletion->refused ? TRIED_SECONDS : 0);
        if (after(deletion->begun, seconds) > next)
            world->deletions.items[left++] = *deletion;
        else if (fails)
            fail_deletion(world, deletion);
        else
            delete_node(world, deletion);
    }
    world->deletions.count = left;
}

/* ---- against a recording ---- */

static bool has_gone(const struct natural_world *world, const char *key)
{
    for (uint32_t i = 0; i < world->gone.count; i++)
        if (strcmp(world->gone.items[i], key) == 0)
            return true;
    return false;
}

static bool same_deletions(const struct natural_world *world, const struct value *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; list && i < list->count; i++, count++) {
        const char *key;
        if (!value_read_string(&list->items[i], &key) || !has_gone(world, key))
            return false;
    }
    return count == world->gone.count;
}

static bool same_taints(const struct node *left, const struct node *right)
{
    for (uint32_t i = 0; i < left->spec.taint_count; i++) {
        const struct taint *taint = &left->spec.taints[i];
        uint32_t k = 0;
        while (k < right->spec.taint_count &&
               (strcmp(taint->key, right->spec.taints[k].key) != 0 ||
                strcmp(taint->value, right->spec.taints[k].value) != 0 ||
                taint->effect != right->spec.taints[k].effect))
            k++;
        if (k == right->spec.taint_count)
            return false;
    }
    return left->spec.taint_count == right->spec.taint_count &&
           left->spec.unschedulable == right->spec.unschedulable;
}

static bool same_object(const struct world_item *ours, const struct world_item *theirs)
{
    if (!ours || ours->gone || theirs->controller || ours->controller ||
        ours->object.kind != theirs->object.kind)
        return false;
    if (ours->object.kind == OBJECT_NODE)
        return same_taints(ours->object.as.node, theirs->object.as.node);
    return ours->object.kind == OBJECT_POD_DISRUPTION_BUDGET &&
           ours->object.as.pod_disruption_budget->status.disruptions_allowed ==
               theirs->object.as.pod_disruption_budget->status.disruptions_allowed;
}

/* A node that was tainted and is gone now counts as gone alone. */
static bool same_changes(const struct natural_world *world, const struct value *list)
{
    struct arena *arena = world->autoscaler->loop_arena;
    struct autoscaler_world theirs;
    struct problems problems;
    uint32_t count = 0;
    autoscaler_world_init(&theirs, arena);
    problems_init(&problems, arena);
    if (!autoscaler_world_read(&theirs, list, "set", &problems))
        return false;
    for (uint32_t i = 0; i < theirs.items.count; i++)
        if (!same_object(map_get(&world->autoscaler->world.index, theirs.items.items[i]->key),
                         theirs.items.items[i]))
            return false;
    for (uint32_t i = 0; i < world->changed.count; i++)
        count += !world->changed.items[i]->gone;
    return count == theirs.items.count;
}

static bool same_targets(const struct natural_world *world, const struct value *targets)
{
    for (uint32_t i = 0; targets && i < world->autoscaler->groups.count; i++) {
        const struct autoscaler_group *group = world->autoscaler->groups.items[i];
        int64_t target;
        if (!value_read_integer(value_find(targets, group->id), &target) || target != group->target)
            return false;
    }
    return true;
}

/* Which deletions have ended, and until when that counts. */
static bool same_requests(const struct natural_world *world, const struct value *requests)
{
    const struct cluster_autoscaler *autoscaler = world->autoscaler;
    uint32_t count = 0;
    MAP_EACH (&autoscaler->records, entry) {
        const struct node_record *record = entry->value;
        double until;
        count += record->has_request;
        if (record->has_request &&
            (!value_read_number(value_find(requests, record->name), &until) ||
             autoscaler->epoch + (int64_t)llround(until * NANOSECONDS_PER_SECOND) !=
                 record->request_until))
            return false;
    }
    return count == (value_is_null(requests) ? 0 : requests->count);
}

bool natural_world_agrees(const struct natural_world *world, const struct value *loop)
{
    const struct value *instances = value_find(loop, "unregistered");
    return (value_is_null(instances) || instances->count == 0) &&
           same_deletions(world, value_find(loop, "delete")) &&
           same_changes(world, value_find(loop, "set")) &&
           same_targets(world, value_find(loop, "targets")) &&
           same_requests(world, value_find(value_find(loop, "before"), "scaleDownRequests"));
}
