/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster autoscaler and its provider, node by node: the loop sees objects with names, as a
 * recording has them, and no two of its nodes are taken to be alike.
 */
#include "decide/autoscaler/autoscaler.h"
#include "decide/autoscaler/every_outcome.h"
#include "object/schemas.h"
#include "twin/twin_internal.h"

#include <stdlib.h>
#include <string.h>

#define NOW_SECONDS INT64_C(1700000000)

static const struct check_cluster_autoscaler *given(const struct twin *twin)
{
    return twin->scope->check->controllers.cluster_autoscaler;
}

/* Which of its groups the node is in; NOBODY: none. */
static uint32_t scaled_group(const struct twin *twin, uint32_t node)
{
    const char *name = twin->scope->groups[twin->nodes[node].group].name;
    for (uint32_t g = 0; g < given(twin)->group_count; g++)
        if (strcmp(given(twin)->groups[g].name, name) == 0)
            return g;
    return NOBODY;
}

static bool is_to_come(const struct twin_state *state, uint32_t node)
{
    return state->conditions[node] == ORDERED || state->conditions[node] == FAILED;
}

/* Its Node object was deleted, and the machine runs on. */
static bool is_lost(const struct twin_state *state, uint32_t node)
{
    return state->conditions[node] == GONE || state->conditions[node] == GONE_AWHILE;
}

static int32_t size_of(const struct twin *twin, const struct twin_state *state, uint32_t group)
{
    int32_t size = 0;
    for (uint32_t n = 0; n < twin->node_count; n++)
        size += scaled_group(twin, n) == group && state->conditions[n] != ABSENT;
    return size;
}

/* ---- what a loop sees ---- */

static void add_object(struct arena *arena, struct objects *objects, enum object_kind kind,
                       const char *name, struct object_meta *meta, void *content)
{
    const struct object object = {.kind = kind, .kind_name = name, .meta = meta, .as.any = content};
    objects_put(arena, objects, &object);
}

static struct conditions one_condition(struct arena *arena, struct condition condition)
{
    condition.last_transition_time = TIME_NONE;
    condition.last_update_time = TIME_NONE;
    condition.last_heartbeat_time = TIME_NONE;
    return (struct conditions){arena_copy(arena, &condition, sizeof(condition)), 1};
}

static void list_node(struct twin *twin, const struct twin_state *state, uint32_t number,
                      struct objects *objects)
{
    struct arena *arena = &twin->scratch;
    const struct node *look =
        twin->catalog->templates.items[node_template_of(twin, state, number)]->node;
    struct node *node = arena_copy(arena, look, sizeof(*look));
    node->meta.creation_time = TIME_NONE;
    node->meta.namespace = NULL;
    node->spec.provider_id = twin->nodes[number].name;
    if (condition_is_ready((enum twin_condition)state->conditions[number]))
        node->status.conditions =
            one_condition(arena, (struct condition){.type = "Ready", .status = "True"});
    if (node->status.capacity.count == 0)
        node->status.capacity = node->status.allocatable;
    add_object(arena, objects, OBJECT_NODE, "Node", &node->meta, node);
}

static void list_pod(struct twin *twin, const struct twin_state *state, uint32_t place,
                     struct objects *objects)
{
    struct arena *arena = &twin->scratch;
    const struct place_of_pod *at = &state->pods[place];
    const struct pod *like = twin->revisions[at->revision].pod;
    struct pod *pod = arena_copy(arena, like, sizeof(*like));
    struct owner_reference *owner =
        arena_copy(arena, &like->meta.owners[0], sizeof(like->meta.owners[0]));
    owner->uid = owner->name;
    pod->meta.owners = owner;
    pod->meta.name = pod->meta.uid = arena_printf(arena, "p%02u", place);
    pod->status.phase = POD_PENDING;
    if (at->node != NOBODY) {
        pod->spec.node_name = twin->nodes[at->node].name;
        pod->status.phase = POD_RUNNING;
    } else if (kind_of(twin, at) != OBJECT_DAEMON_SET &&
               profiles_find(&twin->profiles, like->spec.scheduler_name)) {
        pod->status.conditions = one_condition(
            arena, (struct condition){
                       .type = "PodScheduled", .status = "False", .reason = "Unschedulable"});
    }
    if (at->nominated != NOBODY && at->stage == POD_WAITS)
        pod->status.nominated_node_name = twin->nodes[at->nominated].name;
    if (at->stage == POD_TERMINATES)
        pod->meta.deletion_time = condition_works((enum twin_condition)state->conditions[at->node])
                                      ? NOW_SECONDS * (int64_t)NANOSECONDS_PER_SECOND
                                      : 0;
    add_object(arena, objects, OBJECT_POD, "Pod", &pod->meta, pod);
}

static void list_objects(struct twin_run *run, struct objects *objects)
{
    struct twin *twin = run->twin;
    uint32_t count;
    const struct view_budget *budgets = twin_budgets(run, &count);
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (node_is_listed(run->state, n))
            list_node(twin, run->state, n, objects);
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_there(&run->state->pods[p]))
            list_pod(twin, run->state, p, objects);
    for (uint32_t b = 0; b < count; b++) {
        struct pod_disruption_budget *budget =
            arena_copy(&twin->scratch, budgets[b].budget, sizeof(*budgets[b].budget));
        budget->status.disruptions_allowed = budgets[b].status.disruptions_allowed;
        add_object(&twin->scratch, objects, OBJECT_POD_DISRUPTION_BUDGET, "PodDisruptionBudget",
                   &budget->meta, budget);
    }
    for (uint32_t i = 0; i < twin->scope->objects->count; i++)
        if (twin->scope->objects->items[i].kind == OBJECT_DAEMON_SET)
            objects_put(&twin->scratch, objects, &twin->scope->objects->items[i]);
}

static void add_controllers(const struct twin_run *run, struct autoscaler_world *world)
{
    const struct twin *twin = run->twin;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        const struct object_meta *meta = &twin->revisions[r].pod->meta;
        if (run->state->present[twin->revisions[r].workload] != NOBODY)
            autoscaler_world_add_controller(world, meta->owners[0].kind, meta->namespace,
                                            meta->owners[0].name, (struct optional_int){0});
    }
}

static void add_groups(struct twin_run *run, struct cluster_autoscaler *autoscaler,
                       struct order_choices *choices)
{
    const struct twin *twin = run->twin;
    for (uint32_t g = 0; g < given(twin)->group_count; g++) {
        struct autoscaler_group *group = ARENA_NEW(autoscaler->arena, struct autoscaler_group);
        group->id = given(twin)->groups[g].name;
        group->min = given(twin)->groups[g].count.min;
        group->max = given(twin)->groups[g].count.max;
        group->utilization_threshold = autoscaler->options.utilization_threshold;
        for (uint32_t n = 0; n < twin->node_count; n++) {
            if (scaled_group(twin, n) != g)
                continue;
            const struct node *look =
                twin->catalog->templates.items[twin->nodes[n].templates[UP]]->node;
            struct node *node = arena_copy(autoscaler->arena, look, sizeof(*look));
            node->status.capacity = node->status.allocatable;
            group->provider_template = node;
            group->unneeded_time = autoscaler->options.unneeded_time;
            group->unready_time = autoscaler->options.unready_time;
            group->target += run->state->conditions[n] != ABSENT;
            struct instance instance = {
                .name = twin->nodes[n].name, .error = "", .unregistered_since = autoscaler->epoch};
            if (!is_to_come(run->state, n) && !is_lost(run->state, n))
                continue;
            if (is_lost(run->state, n) && size_of(twin, run->state, g) <= group->min &&
                (twin->clocked
                     ? twin_node_is_older(twin, run->state, n, autoscaler->options.provision_time)
                     : order_choices_next(choices, 2) == 1))
                instance.unregistered_since = 0; /* and it may not get smaller */
            VEC_PUSH(autoscaler->arena, &group->instances, instance);
            if (is_lost(run->state, n))
                continue;
            group->has_request = true;
            group->request_increase++;
            group->request_deadline = INT64_MAX / 2;
        }
        /* 1: it may be backed off, 2: it is. */
        const uint32_t backoff = run->state->backoffs[g];
        group->has_backoff = backoff == 2 || (backoff == 1 && order_choices_next(choices, 2) == 0);
        group->backoff_until = group->backoff_last = autoscaler->epoch + 1;
        VEC_PUSH(autoscaler->arena, &autoscaler->groups, group);
    }
}

/* What one loop comes to. */
struct coming {
    uint32_t added[TWIN_NODES_MOST];  /* by group */
    uint32_t removed, unneeded, kept; /* a bit a node */
    bool adds;
    bool looked_down;
};

typedef VEC(struct coming) coming_list;

static uint32_t bit_of(const struct twin *twin, const char *name)
{
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (strcmp(twin->nodes[n].name, name) == 0)
            return 1U << n;
    return 0;
}

static struct coming read_coming(const struct twin *twin, const struct loop_result *result)
{
    struct coming coming = {.looked_down = result->down_reached};
    for (uint32_t i = 0; result->up == SCALE_UP_SUCCESSFUL && i < result->increases.count; i++) {
        const struct group_increase *increase = &result->increases.items[i];
        coming.added[increase->group->position] += (uint32_t)(increase->to - increase->from);
        coming.adds |= increase->to > increase->from;
    }
    for (uint32_t i = 0; i < result->delete_empty.count; i++)
        coming.removed |= bit_of(twin, result->delete_empty.items[i]);
    for (uint32_t i = 0; i < result->delete_drain.count; i++)
        coming.removed |= bit_of(twin, result->delete_drain.items[i]);
    for (uint32_t i = 0; i < result->unneeded.count; i++)
        coming.unneeded |= bit_of(twin, result->unneeded.items[i].node);
    for (uint32_t i = 0; i < result->unremovable.count; i++)
        if (result->unremovable.items[i].reason == UNREMOVABLE_BLOCKED)
            coming.kept |= bit_of(twin, result->unremovable.items[i].node);
    return coming;
}

static bool is_same(const struct coming *left, const struct coming *right)
{
    return memcmp(left->added, right->added, sizeof(left->added)) == 0 &&
           left->removed == right->removed && left->unneeded == right->unneeded &&
           left->kept == right->kept && left->adds == right->adds &&
           left->looked_down == right->looked_down;
}

static bool is_new(const coming_list *all, const struct coming *coming)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (is_same(&all->items[i], coming))
            return false;
    return true;
}

/* As its flags say, and where they do not, the version. */
static void read_flags(struct twin *twin, struct autoscaler_options *options)
{
    struct problems problems;
    problems_init(&problems, &twin->scratch);
    autoscaler_options_read(&twin->scratch, given(twin)->flags, "", options, &problems);
    autoscaler_options_settle(&twin->features, options, (struct place){0}, NULL);
}

bool twin_autoscaler_options(struct twin *twin, struct autoscaler_options *options)
{
    if (!given(twin))
        return false;
    autoscaler_options_init(&twin->scratch, &twin->features, options);
    read_flags(twin, options);
    return true;
}

bool twin_autoscaler_cordons(struct twin *twin)
{
    struct autoscaler_options options;
    return twin_autoscaler_options(twin, &options) && options.cordon;
}

/* Clocked: what it remembers of the node from the loops before. */
static void remember_node(const struct twin_run *run, const struct cluster_autoscaler *autoscaler,
                          uint32_t node, struct node_record *record)
{
    const enum twin_condition condition = (enum twin_condition)run->state->conditions[node];
    const bool ready = condition_is_ready(condition);
    const int64_t limit =
        ready ? autoscaler->options.unneeded_time : autoscaler->options.unready_time;
    record->unneeded = condition == SPARE || condition == CANDIDATE || !ready;
    record->unneeded_since =
        twin_node_is_older(run->twin, run->state, node, limit) ? 0 : autoscaler->epoch;
}

/* Has the node pods that have to go before it is removed? */
static bool has_movers(const struct twin_run *run, uint32_t node)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_there(&run->state->pods[p]) && run->state->pods[p].node == node &&
            kind_of(run->twin, &run->state->pods[p]) != OBJECT_DAEMON_SET)
            return true;
    return false;
}

static void prepare(struct twin_run *run, struct cluster_autoscaler *autoscaler,
                    const struct objects *objects, struct order_choices *choices, bool down)
{
    struct twin *twin = run->twin;
    autoscaler_init(autoscaler, &twin->scratch, &twin->features,
                    NOW_SECONDS * (int64_t)NANOSECONDS_PER_SECOND);
    read_flags(twin, &autoscaler->options);
    autoscaler->options.scale_down &= down;
    autoscaler->loop_arena = &twin->scratch;
    autoscaler->surroundings = &twin->catalog->surroundings;
    autoscaler->initialised = autoscaler->groups_by_records = true;
    autoscaler->timers_open = !twin->clocked;
    if (twin->clocked && run->state->cooldown_left > 0)
        autoscaler->last_scale_up = autoscaler->last_delete = autoscaler->now;
    autoscaler->choices = choices;
    autoscaler_world_set(&autoscaler->world, objects);
    add_controllers(run, &autoscaler->world);
    add_groups(run, autoscaler, choices);
    for (uint32_t n = 0; n < twin->node_count; n++) {
        struct node_record *record = autoscaler_record(autoscaler, twin->nodes[n].name);
        record->alike = n + 1;
        record->group = scaled_group(twin, n) == NOBODY
                            ? NULL
                            : autoscaler->groups.items[scaled_group(twin, n)];
        if (twin->clocked)
            remember_node(run, autoscaler, n, record);
        if (run->state->conditions[n] != LEAVING)
            continue;
        record->deleting_empty = true;
        record->deleting_drain = has_movers(run, n);
        record->deleting_empty = !record->deleting_drain;
    }
}

/* Pods that nobody has tried may be any of those that wait: each of them, or not. */
static void drop_untried(struct twin *twin, const struct objects *objects,
                         struct order_choices *choices, struct objects *left)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        const bool waits = object->kind == OBJECT_POD && !object->as.pod->spec.node_name;
        if (!waits || order_choices_next(choices, 2) == 0)
            objects_put(&twin->scratch, left, object);
    }
}

static coming_list comings(struct twin_run *run, bool down, bool tried)
{
    struct twin *twin = run->twin;
    struct order_choices choices = {.arena = &twin->arena};
    struct objects objects = {0};
    coming_list all = {0};
    uint32_t runs = 0;
    list_objects(run, &objects);
    do {
        const struct arena_mark mark = arena_mark(&twin->scratch);
        struct cluster_autoscaler autoscaler;
        struct loop_result result;
        struct objects seen = {0};
        if (tried)
            seen = objects;
        else
            drop_untried(twin, &objects, &choices, &seen);
        prepare(run, &autoscaler, &seen, &choices, down);
        autoscaler_loop(&autoscaler, autoscaler.epoch, &result);
        const struct coming coming = read_coming(twin, &result);
        arena_rewind(&twin->scratch, mark);
        if (is_new(&all, &coming))
            VEC_PUSH(&twin->arena, &all, coming);
    } while (order_choices_advance(&choices) && ++runs < 3000);
    twin->overflow |= runs == 3000;
    return all;
}

/* ---- what it does ---- */

/* None of the workloads rests while it has something to do. */
static void emit(struct twin_run *run, struct twin_state *next, enum twin_action action,
                 uint32_t subject)
{
    twin_emit(run, next, action, subject, ALL, 0, FAST);
    run->restless |= (1U << run->twin->workload_count) - 1;
}

static void order(const struct twin *twin, struct twin_state *next, uint32_t group, uint32_t count)
{
    for (uint32_t n = 0; n < twin->node_count && count > 0; n++)
        if (scaled_group(twin, n) == group && next->conditions[n] == ABSENT) {
            next->conditions[n] = ORDERED;
            count--;
        }
}

/* The node is gone, and all that was on it or waited for it. */
static void vanish(struct twin *twin, struct twin_state *next, uint32_t node)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        struct place_of_pod *pod = &next->pods[p];
        if (!pod_is_there(pod))
            continue;
        if (pod->node == node ||
            (pod->node == NOBODY && pod->member == node && kind_of(twin, pod) == OBJECT_DAEMON_SET))
            lose_pod(twin, next, p);
        else if (pod->nominated == node)
            pod->nominated = NOBODY;
    }
    next->images[node] = 0;
    set_condition(twin, next, node, ABSENT);
}

/* A taint does not relieve a node that runs low. */
static void mark(struct twin *twin, struct twin_state *next, uint32_t node,
                 enum twin_condition condition)
{
    const uint8_t pressures = next->pressures[node];
    set_condition(twin, next, node, condition);
    next->pressures[node] = pressures;
}

static void age_backoffs(struct twin_state *next)
{
    for (uint32_t g = 0; g < TWIN_NODES_MOST; g++)
        next->backoffs[g] = next->backoffs[g] == 2 ? 1 : next->backoffs[g];
}

static bool has_cause(const struct twin_run *run)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (run->state->pods[p].stage == POD_WAITS &&
            kind_of(run->twin, &run->state->pods[p]) != OBJECT_DAEMON_SET)
            return true;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        if (run->state->conditions[n] == LEAVING)
            return true;
    return false;
}

static bool give_up(struct twin_run *run)
{
    bool any = false;
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        if (run->state->conditions[n] != FAILED)
            continue;
        struct twin_state next = *run->state;
        next.conditions[n] = ABSENT;
        next.backoffs[scaled_group(run->twin, n)] = 2;
        emit(run, &next, TWIN_ACT_NODES_GIVE_UP, about_node(n));
        any = true;
    }
    return any;
}

static bool time_out(struct twin_run *run)
{
    struct autoscaler_options options;
    bool any = false;
    twin_autoscaler_options(run->twin, &options);
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        bool refused = false;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            refused |= pod_is_active(&run->state->pods[p]) && run->state->pods[p].node == n &&
                       kind_of(run->twin, &run->state->pods[p]) != OBJECT_DAEMON_SET &&
                       (!twin_may_evict(run, p) ||
                        twin_would_refuse(run->twin, run->state, "pods/eviction", "CREATE",
                                          run->state->pods[p].revision));
        if (run->state->conditions[n] != LEAVING || !refused || run->prompt ||
            (run->twin->clocked &&
             !twin_node_is_older(run->twin, run->state, n, options.eviction_time)))
            continue;
        struct twin_state next = *run->state;
        mark(run->twin, &next, n, UP);
        emit(run, &next, TWIN_ACT_SCALE_DOWN_FAILS, about_node(n));
        any = true;
    }
    return any;
}

bool twin_scale_up_now(struct twin_run *run, bool rests)
{
    const struct twin *twin = run->twin;
    bool idle = false;
    if (!given(twin))
        return false;
    bool acts = give_up(run);
    acts |= time_out(run);
    if (!has_cause(run))
        return acts;
    const coming_list all = comings(run, false, rests || !run->prompt || run->state->early);
    for (uint32_t i = 0; i < all.count; i++) {
        struct twin_state next = *run->state;
        idle |= !all.items[i].adds;
        if (!all.items[i].adds)
            continue;
        for (uint32_t g = 0; g < given(twin)->group_count; g++)
            order(twin, &next, g, all.items[i].added[g]);
        age_backoffs(&next);
        if (twin->clocked && next.cooldown_left < twin->clock.after_add)
            next.cooldown_left = twin->clock.after_add;
        emit(run, &next, TWIN_ACT_NODES_ADD, 0);
    }
    struct twin_state next = *run->state;
    age_backoffs(&next);
    const bool ages = idle && memcmp(&next, run->state, sizeof(next)) != 0;
    if (ages)
        twin_emit(run, &next, TWIN_ACT_BACKOFF_AGES, 0, ALL, 0, FAST);
    return acts || ages || !idle;
}

void twin_scale_up(struct twin_run *run, bool rests)
{
    twin_scale_up_now(run, rests);
}

static bool remove_nodes(struct twin_run *run, uint32_t nodes)
{
    struct twin *twin = run->twin;
    struct twin_state next = *run->state;
    uint32_t removed = 0;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        bool stays = false;
        if (!(nodes >> n & 1))
            continue;
        if (condition_works((enum twin_condition)run->state->conditions[n])) {
            for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
                if (next.pods[p].nominated == n && next.pods[p].stage == POD_WAITS)
                    next.pods[p].nominated = NOBODY;
            mark(twin, &next, n, LEAVING);
            removed++;
            continue;
        }
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            stays |= pod_is_active(&next.pods[p]) && next.pods[p].node == n &&
                     kind_of(twin, &next.pods[p]) != OBJECT_DAEMON_SET;
        if (stays)
            continue;
        vanish(twin, &next, n);
        removed++;
    }
    if (twin->clocked && next.cooldown_left == 0)
        next.cooldown_left = twin->clock.after_delete;
    if (removed > 0)
        emit(run, &next, TWIN_ACT_NODES_REMOVE, 0);
    return removed > 0;
}

static bool is_above_min(const struct twin *twin, const struct twin_state *state)
{
    int32_t targets[TWIN_NODES_MOST] = {0};
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (scaled_group(twin, n) != NOBODY)
            targets[scaled_group(twin, n)] += state->conditions[n] != ABSENT;
    for (uint32_t g = 0; g < given(twin)->group_count; g++)
        if (targets[g] > given(twin)->groups[g].count.min)
            return true;
    return false;
}

/* Machines that nobody knows any more are taken back once their pods are forgotten, too. */
static bool take_back(struct twin_run *run)
{
    struct autoscaler_options options;
    bool any = false;
    twin_autoscaler_options(run->twin, &options);
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        const uint32_t group = scaled_group(run->twin, n);
        bool empty = true;
        if (!is_lost(run->state, n) || group == NOBODY ||
            (run->twin->clocked &&
             !twin_node_is_older(run->twin, run->state, n, options.provision_time)) ||
            size_of(run->twin, run->state, group) <= given(run->twin)->groups[group].count.min)
            continue;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
            empty &= !pod_is_there(&run->state->pods[p]) ||
                     (run->state->pods[p].node != n &&
                      !(kind_of(run->twin, &run->state->pods[p]) == OBJECT_DAEMON_SET &&
                        run->state->pods[p].member == n));
        if (!empty)
            continue;
        struct twin_state next = *run->state;
        vanish(run->twin, &next, n);
        emit(run, &next, TWIN_ACT_INSTANCE_REMOVED, about_node(n));
        any = true;
    }
    return any;
}

static void change(struct twin_run *run, uint32_t node, enum twin_condition condition,
                   enum twin_action action)
{
    struct twin_state next = *run->state;
    set_condition(run->twin, &next, node, condition);
    if (condition == CANDIDATE)
        next.ages[node] = run->state->ages[node];
    twin_emit(run, &next, action, about_node(node), ALL, 0, FAST);
}

/* The nodes of these conditions, a bit each. */
static uint32_t nodes_that_are(const struct twin_run *run, enum twin_condition one,
                               enum twin_condition other)
{
    uint32_t nodes = 0;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        if (run->state->conditions[n] == one || run->state->conditions[n] == other)
            nodes |= 1U << n;
    return nodes;
}

/* What loops may say of nodes' times. */
struct opinions {
    uint32_t spared, begun, kept; /* by some loop: not needed, not needed from now on, needed */
    bool look;                    /* all come so far */
    bool some_look;
    bool goes_on; /* one does without all that the one before did not need */
    bool begin;   /* and each of those begins the time of another */
};

static struct opinions opinions_of(const struct twin_run *run, const coming_list *all)
{
    const uint32_t marked = nodes_that_are(run, SPARE, CANDIDATE);
    const uint32_t up = nodes_that_are(run, UP, UP);
    struct opinions found = {.look = true, .some_look = all->count == 0, .begin = true};
    uint32_t empty = 0;
    for (uint32_t n = 0; n < run->twin->node_count; n++)
        empty |= has_movers(run, n) ? 0 : 1U << n;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct coming *one = &all->items[i];
        const bool goes_on = one->looked_down && (marked & ~one->unneeded) == 0;
        found.look &= one->looked_down;
        found.goes_on |= goes_on;
        found.begin &= !goes_on || (one->unneeded & up) != 0;
        found.some_look |= one->looked_down;
        if (one->looked_down) {
            found.kept |= ~one->unneeded;
            found.spared |= one->unneeded;
            found.begun |= goes_on ? one->unneeded : one->unneeded & empty;
        }
    }
    found.kept = found.goes_on ? 0 : found.kept & ~empty;
    found.begin &= found.goes_on && found.look;
    return found;
}

/* Clocked, without pressures: loops come in every instant, and look first at empty nodes, and then
 * at those that the one before did not need. */
bool twin_scale_down_now(struct twin_run *run)
{
    const struct twin *twin = run->twin;
    struct autoscaler_options options;
    coming_list all = {0};
    if (!twin_autoscaler_options(run->twin, &options))
        return false;
    bool due = take_back(run);
    if (is_above_min(twin, run->state))
        all = comings(run, true, true);
    const struct opinions found = opinions_of(run, &all);
    bool again = false;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        const enum twin_condition condition = (enum twin_condition)run->state->conditions[n];
        const bool spared = found.spared >> n & 1;
        const bool marked = condition == SPARE || condition == CANDIDATE;
        if (scaled_group(twin, n) == NOBODY)
            continue;
        if (condition == UP && (found.begun >> n & 1))
            change(run, n, SPARE, TWIN_ACT_NODE_IDLE);
        if (marked && found.some_look && (!spared || (found.kept >> n & 1))) {
            change(run, n, UP, condition == SPARE ? TWIN_ACT_NODE_BUSY : TWIN_ACT_NODE_NEEDED);
            again = found.look;
        }
        if (condition == SPARE && spared && run->state->cooldown_left == 0 &&
            options.max_soft_taints > 0)
            change(run, n, CANDIDATE, TWIN_ACT_NODE_UNNEEDED);
    }
    bool remove = all.count > 0 && !again;
    for (uint32_t i = 0; !again && i < all.count; i++) {
        const bool removes = all.items[i].removed != 0 && remove_nodes(run, all.items[i].removed);
        remove &= removes;
    }
    return due || again || found.begin || remove;
}

void twin_scale_down(struct twin_run *run)
{
    const struct twin *twin = run->twin;
    uint32_t unneeded = 0;
    uint32_t needed = 0;
    if (given(twin))
        take_back(run);
    if (!given(twin) || !is_above_min(twin, run->state))
        return;
    const coming_list all = comings(run, true, true);
    for (uint32_t i = 0; i < all.count; i++) {
        if (all.items[i].removed) {
            remove_nodes(run, all.items[i].removed);
        } else if (all.items[i].looked_down) {
            unneeded |= all.items[i].unneeded;
            needed |= ~all.items[i].unneeded;
        }
    }
    for (uint32_t n = 0; n < twin->node_count; n++) {
        struct twin_state next = *run->state;
        const bool taints = run->state->conditions[n] == UP && (unneeded >> n & 1);
        const bool frees = run->state->conditions[n] == CANDIDATE && (needed >> n & 1);
        mark(run->twin, &next, n, taints ? CANDIDATE : UP);
        if (taints || frees)
            twin_emit(run, &next, taints ? TWIN_ACT_NODE_UNNEEDED : TWIN_ACT_NODE_NEEDED,
                      about_node(n), ALL, 0, FAST);
    }
}

bool twin_node_lingers(struct twin *twin, const struct twin_state *state)
{
    struct twin_run run = {.twin = twin, .state = state};
    if (!given(twin) || !is_above_min(twin, state))
        return false;
    const coming_list all = comings(&run, true, true);
    for (uint32_t i = 0; i < all.count; i++)
        if (!all.items[i].looked_down || !(all.items[i].unneeded | all.items[i].kept))
            return false;
    return all.count > 0;
}

/* ---- drains, and the provider ---- */

static void drain(struct twin_run *run, uint32_t node)
{
    bool empty = true;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (!pod_is_there(pod) || pod->node != node || kind_of(run->twin, pod) == OBJECT_DAEMON_SET)
            continue;
        empty = false;
        if (!pod_is_active(pod) || !twin_may_evict(run, p) ||
            twin_refuses(run, "pods/eviction", "CREATE", pod->revision))
            continue;
        struct twin_state next = *run->state;
        const uint32_t workload = workload_of(run->twin, pod);
        twin_spend_budget(run->twin, &next, p);
        end_pod(run->twin, &next, p);
        twin_emit(run, &next, TWIN_ACT_SCALE_DOWN_EVICT, about_pod(p), workload, 1U << workload,
                  FAST);
    }
    if (!empty)
        return;
    struct twin_state next = *run->state;
    vanish(run->twin, &next, node);
    twin_emit(run, &next, TWIN_ACT_NODE_REMOVED, about_node(node), ALL, 0, FAST);
}

void twin_drain_for_good(struct twin_run *run)
{
    for (uint32_t n = 0; given(run->twin) && n < run->twin->node_count; n++)
        if (run->state->conditions[n] == LEAVING)
            drain(run, n);
}

void twin_provide(struct twin_run *run)
{
    for (uint32_t n = 0; given(run->twin) && n < run->twin->node_count; n++) {
        struct twin_state next = *run->state;
        const uint32_t group = scaled_group(run->twin, n);
        bool missing = false;
        if (run->state->conditions[n] != ORDERED)
            continue;
        set_condition(run->twin, &next, n, UP);
        for (uint32_t m = 0; m < run->twin->node_count; m++)
            missing |= scaled_group(run->twin, m) == group && is_to_come(&next, m);
        next.backoffs[group] = missing ? next.backoffs[group] : 0;
        twin_emit(run, &next, TWIN_ACT_NODE_JOINS, about_node(n), ALL, 0, LAZY);
    }
}

void twin_fail_to_provide(struct twin_run *run, uint32_t event)
{
    const char *group = run->twin->events[event].event->group;
    for (uint32_t n = 0; n < run->twin->node_count; n++) {
        const char *own = run->twin->scope->groups[run->twin->nodes[n].group].name;
        if (run->state->conditions[n] != ORDERED || (group && strcmp(group, own) != 0))
            continue;
        struct twin_state next = *run->state;
        next.used[event]++;
        next.conditions[n] = FAILED;
        twin_emit(run, &next, TWIN_ACT_EVENT_PROVISIONING, 0, ALL, 0, FAST);
    }
}
