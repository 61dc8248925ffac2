/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide nodelifecycle`: what happens to nodes and their pods over time
 * when kubelets stop answering or report problems. */
#include "decide/controller/node_lifecycle_world.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A day. */
enum { DURATION_MOST = 86400 };

static int compare_objects(const void *left, const void *right)
{
    const struct object *const *a = left;
    const struct object *const *b = right;
    return strcmp((*a)->meta->name, (*b)->meta->name);
}

static void fill_world(struct arena *arena, const struct objects *objects, struct world *world)
{
    VEC(const struct object *) nodes = {0};
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_NODE)
            VEC_PUSH(arena, &nodes, &objects->items[i]);
    if (nodes.count > 1)
        qsort(nodes.items, nodes.count, sizeof(*nodes.items), compare_objects);
    for (uint32_t i = 0; i < nodes.count; i++)
        world_add_node(world, nodes.items[i]->as.node);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD)
            world_add_pod(world, objects->items[i].as.pod);
}

static bool read_kubelet(const struct value *value, struct world_edit *edit,
                         struct problems *problems)
{
    static const struct {
        const char *name;
        enum world_kubelet kubelet;
    } names[] = {{"up", KUBELET_UP}, {"notready", KUBELET_NOT_READY}, {"down", KUBELET_DOWN}};
    const char *text = NULL;
    value_read_string(value, &text);
    for (size_t i = 0; text && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(names[i].name, text) == 0) {
            edit->has_kubelet = true;
            edit->kubelet = names[i].kubelet;
            return true;
        }
    }
    value_expected(problems, value, "state", "up, notready or down");
    return false;
}

static bool read_conditions(const struct value *value, struct world_edit *edit,
                            struct problems *problems)
{
    if (value->kind != VALUE_MAPPING) {
        value_expected(problems, value, "conditions", "a mapping");
        return false;
    }
    VALUE_EACH_MEMBER(value, member)
    {
        const char *status = NULL;
        int found = NODE_CONDITION_COUNT;
        for (int i = 0; i < NODE_CONDITION_COUNT; i++)
            if (strcmp(node_condition_name(i), member->key) == 0)
                found = i;
        if (!value_read_string(&member->value, &status) || found == NODE_CONDITION_COUNT) {
            value_expected(problems, &member->value, member->key, "the status of a condition");
            return false;
        }
        edit->conditions[found] = condition_status_parse(status);
    }
    return true;
}

static bool read_taints(struct arena *arena, const struct value *value, struct world_edit *edit,
                        struct problems *problems)
{
    if (value->kind != VALUE_SEQUENCE) {
        value_expected(problems, value, "addTaints", "a list");
        return false;
    }
    edit->add_taints = ARENA_ARRAY(arena, struct taint, value->count + 1);
    VALUE_EACH_ITEM(value, item)
    {
        const char *key = value_find_string(item, "key");
        const char *text = value_find_string(item, "value");
        const char *effect = value_find_string(item, "effect");
        if (!key || !effect) {
            value_expected(problems, item, "addTaints", "a taint");
            return false;
        }
        edit->add_taints[edit->add_taint_count++] = (struct taint){
            .key = key,
            .value = text ? text : "",
            .effect = strcmp(effect, "NoExecute") == 0    ? TAINT_NO_EXECUTE
                      : strcmp(effect, "NoSchedule") == 0 ? TAINT_NO_SCHEDULE
                                                          : TAINT_PREFER_NO_SCHEDULE,
            .time_added = TIME_NONE,
        };
    }
    return true;
}

static bool read_keys(struct arena *arena, const struct value *value, struct world_edit *edit,
                      struct problems *problems)
{
    if (value->kind != VALUE_SEQUENCE) {
        value_expected(problems, value, "removeTaints", "a list");
        return false;
    }
    edit->remove_taints.items = ARENA_ARRAY(arena, const char *, value->count + 1);
    VALUE_EACH_ITEM(value, item)
    {
        const char **key = &edit->remove_taints.items[edit->remove_taints.count];
        if (!value_read_string(item, key)) {
            value_expected(problems, item, "removeTaints", "the key of a taint");
            return false;
        }
        edit->remove_taints.count++;
    }
    return true;
}

static bool read_edit(struct arena *arena, const struct value *value, struct world_edit *edit,
                      struct problems *problems)
{
    double at = 0;
    bool good = true;
    const struct value *member = value_find(value, "at");
    if (!member || !value_read_number(member, &at) || at < 0 || at > 1e9) {
        value_expected(problems, member ? member : value, "at", "a number of seconds");
        return false;
    }
    edit->tick = (int64_t)(at * WORLD_TICKS_PER_SECOND + 0.5);
    if ((member = value_find(value, "state")))
        good = read_kubelet(member, edit, problems) && good;
    if ((member = value_find(value, "conditions")))
        good = read_conditions(member, edit, problems) && good;
    if ((member = value_find(value, "addTaints")))
        good = read_taints(arena, member, edit, problems) && good;
    if ((member = value_find(value, "removeTaints")))
        good = read_keys(arena, member, edit, problems) && good;
    if ((member = value_find(value, "unschedulable")))
        edit->has_unschedulable = value_read_boolean(member, &edit->unschedulable);
    return good;
}

static int compare_edits(const void *left, const void *right)
{
    const struct world_edit *a = left;
    const struct world_edit *b = right;
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static bool read_timeline(struct arena *arena, const struct value *timeline, struct world *world,
                          struct problems *problems)
{
    bool good = true;
    if (value_is_null(timeline))
        return true;
    if (timeline->kind != VALUE_MAPPING) {
        value_expected(problems, timeline, "timeline", "a mapping");
        return false;
    }
    VALUE_EACH_MEMBER(timeline, member)
    {
        uint32_t node = 0;
        while (node < world->nodes.count && strcmp(world->nodes.items[node].name, member->key) != 0)
            node++;
        if (node == world->nodes.count || member->value.kind != VALUE_SEQUENCE) {
            problem_error(problems, member_place(timeline, member), member->key,
                          "expected the name of a node and a list of changes");
            good = false;
            continue;
        }
        VALUE_EACH_ITEM(&member->value, item)
        {
            struct world_edit edit = {.node = node};
            good = read_edit(arena, item, &edit, problems) && good;
            VEC_PUSH(arena, &world->edits, edit);
        }
    }
    if (world->edits.count > 1)
        qsort(world->edits.items, world->edits.count, sizeof(*world->edits.items), compare_edits);
    return good;
}

static const char *const event_names[] = {
    [WORLD_CONDITION] = "condition",
    [WORLD_TAINT_ADD] = "taintAdd",
    [WORLD_TAINT_REMOVE] = "taintRemove",
    [WORLD_POD_NOT_READY] = "podNotReady",
    [WORLD_EVICT] = "evict",
    [WORLD_ZONE] = "zone",
};

static void write_event(struct json_out *json, const struct world *world,
                        const struct world_event *event)
{
    json_object_begin(json, NULL);
    json_number(json, "t", (double)event->tick / WORLD_TICKS_PER_SECOND);
    json_string(json, "type", event_names[event->type]);
    if (event->type == WORLD_ZONE)
        json_string(json, "zone", world->zones.items[event->node].name);
    else if (event->type != WORLD_EVICT)
        json_string(json, "node", world->nodes.items[event->node].name);
    if (event->type == WORLD_EVICT || event->type == WORLD_POD_NOT_READY)
        json_string(json, "pod", world->pods.items[event->pod].name);
    if (event->what)
        json_string(json, "what", event->what);
    json_object_end(json);
}

/* Members of the mapping that is open, in the form of recorded runs. */
static void write_result(struct json_out *json, struct world *world)
{
    json_array_begin(json, "events");
    for (uint32_t i = 0; i < world->events.count; i++)
        write_event(json, world, &world->events.items[i]);
    json_array_end(json);
    json_object_begin(json, "finalTaints");
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        const struct string_list taints = world_taints(world, i);
        json_array_begin(json, world->nodes.items[i].name);
        for (uint32_t t = 0; t < taints.count; t++)
            json_string(json, NULL, taints.items[t]);
        json_array_end(json);
    }
    json_object_end(json);
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct world world;
    int64_t duration;
    if (!scenario_read(arena, value, features, &scenario, problems) ||
        !scenario_read_integer(scenario.input, "duration",
                               (struct scenario_number){600, 0, 1000000}, &duration, problems))
        return false;
    if (duration < 0 || duration > DURATION_MOST) {
        problem_error(problems, value_place(value_find(scenario.input, "duration")), "duration",
                      "expected at most %d seconds", DURATION_MOST);
        return false;
    }
    world_init(&world, arena, node_lifecycle_default_rules(&scenario.features));
    fill_world(arena, &scenario.objects, &world);
    if (!read_timeline(arena, value_find(scenario.input, "timeline"), &world, problems))
        return false;
    world_run(&world, duration * WORLD_TICKS_PER_SECOND);
    json_object_begin(json, "result");
    write_result(json, &world);
    json_object_end(json);
    return true;
}

/* ---- manifests ---- */

enum { FORESEEN_SECONDS = 600, EVENTS_SHOWN = 60 };

static void tell_event(const struct world *world, const struct world_event *event,
                       struct text *sentences)
{
    text_printf(sentences, "  %6.1f s: ", (double)event->tick / WORLD_TICKS_PER_SECOND);
    switch (event->type) {
    case WORLD_CONDITION:
        text_printf(sentences, "node %s: condition %s\n", world->nodes.items[event->node].name,
                    event->what);
        break;
    case WORLD_TAINT_ADD:
        text_printf(sentences, "node %s: taint %s is added\n", world->nodes.items[event->node].name,
                    event->what);
        break;
    case WORLD_TAINT_REMOVE:
        text_printf(sentences, "node %s: taint %s is removed\n",
                    world->nodes.items[event->node].name, event->what);
        break;
    case WORLD_POD_NOT_READY:
        text_printf(sentences, "pod %s on node %s is marked not ready\n",
                    world->pods.items[event->pod].name, world->nodes.items[event->node].name);
        break;
    case WORLD_EVICT:
        text_printf(sentences, "pod %s on node %s is evicted by its node's taints\n",
                    world->pods.items[event->pod].name,
                    world->nodes.items[world->pods.items[event->pod].node].name);
        break;
    case WORLD_ZONE:
        text_printf(sentences, "zone \"%s\" is in state %s (nodes tainted a second)\n",
                    world->zones.items[event->node].name, event->what);
        break;
    }
}

/* A zone that is normal from the start is not reported. */
static bool is_news(const struct world_event *event)
{
    return event->type != WORLD_ZONE || event->tick > 0 ||
           strncmp(event->what, "Normal", strlen("Normal")) != 0;
}

static void tell_events(const struct world *world, struct text *sentences)
{
    uint32_t told = 0;
    uint32_t news = 0;
    for (uint32_t i = 0; i < world->events.count; i++)
        news += is_news(&world->events.items[i]) ? 1 : 0;
    if (news == 0) {
        text_printf(sentences, "Nothing happens in the next %d s.\n", FORESEEN_SECONDS);
        return;
    }
    text_printf(sentences, "In the next %d s, if kubelets stay as they are:\n", FORESEEN_SECONDS);
    for (uint32_t i = 0; i < world->events.count && told < EVENTS_SHOWN; i++) {
        if (!is_news(&world->events.items[i]))
            continue;
        told++;
        tell_event(world, &world->events.items[i], sentences);
    }
    if (news > told)
        text_printf(sentences, "  ... and %u more events\n", news - told);
}

static void tell_trouble(const struct world *world, struct text *sentences)
{
    uint32_t trouble = 0;
    for (uint32_t i = 0; i < world->nodes.count; i++) {
        const enum condition_status ready = world->states.items[i].conditions[NODE_READY];
        if (ready == STATUS_TRUE)
            continue;
        trouble++;
        text_printf(sentences, "Node %s is %s.\n", world->nodes.items[i].name,
                    ready == STATUS_FALSE     ? "not ready, as its kubelet says"
                    : ready == STATUS_UNKNOWN ? "unreachable: its kubelet is silent"
                                              : "new: its kubelet never posted a status");
    }
    if (trouble == 0)
        text_printf(sentences, "All %u nodes are ready.\n", world->nodes.count);
}

/* The next ten minutes, if kubelets stay as they are. */
static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    struct world world;
    (void)problems;
    world_init(&world, arena, node_lifecycle_default_rules(&choice->features));
    fill_world(arena, objects, &world);
    if (world.nodes.count == 0)
        text_printf(sentences, "There is no Node among the objects.\n");
    else
        tell_trouble(&world, sentences);
    world_settle(&world, scenario_present(objects));
    world_run(&world, (int64_t)FORESEEN_SECONDS * WORLD_TICKS_PER_SECOND);
    json_object_begin(json, "result");
    write_result(json, &world);
    json_object_end(json);
    tell_events(&world, sentences);
    return true;
}

const struct decider decider_nodelifecycle = {
    .name = "nodelifecycle",
    .summary = "what becomes of nodes whose kubelet is silent or in trouble, and of their pods",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
