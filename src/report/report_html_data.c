/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report_html_data.h"

#include "object/time.h"
#include "report/report_html_tables.h"

#include <string.h>

/* ---- lists, by what is new in them ---- */

struct list_change {
    uint32_t start; /* so many are kept at the start, and */
    uint32_t end;   /* so many at the end */
};

static bool same_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
}

static bool same_pod(const void *a, const void *b)
{
    const struct story_pod *one = a;
    const struct story_pod *other = b;
    return strcmp(one->name, other->name) == 0 && strcmp(one->stage, other->stage) == 0;
}

struct items {
    const void *items;
    uint32_t count;
    size_t size;
    bool (*same)(const void *a, const void *b);
};

static const void *item_at(const struct items *list, uint32_t index)
{
    return (const char *)list->items + index * list->size;
}

static struct list_change compare(const struct items *before, const struct items *after)
{
    const uint32_t most = before->count < after->count ? before->count : after->count;
    struct list_change change = {0, 0};
    while (change.start < most &&
           after->same(item_at(before, change.start), item_at(after, change.start)))
        change.start++;
    while (change.start + change.end < most &&
           after->same(item_at(before, before->count - 1 - change.end),
                       item_at(after, after->count - 1 - change.end)))
        change.end++;
    return change;
}

static void begin_change(struct json_out *json, const char *key, struct list_change change)
{
    json_array_begin(json, key);
    json_unsigned(json, NULL, change.start);
    json_unsigned(json, NULL, change.end);
    json_array_begin(json, NULL);
}

static void end_change(struct json_out *json)
{
    json_array_end(json);
    json_array_end(json);
}

/* ---- nodes ---- */

static struct items pods_of(const struct story_node *node)
{
    return (struct items){node ? node->placed : NULL, node ? node->pods.count : 0,
                          sizeof(struct story_pod), same_pod};
}

static void write_pod(struct json_out *json, const struct scope *scope, const struct story_pod *pod)
{
    uint32_t number = 0;
    while (number < scope->workload_count &&
           (!pod->workload || strcmp(scope->workloads[number].name, pod->workload) != 0))
        number++;
    json_array_begin(json, NULL);
    json_string(json, NULL, pod->name);
    json_string(json, NULL, pod->stage);
    json_integer(json, NULL, number < scope->workload_count ? (int64_t)number : -1);
    json_array_end(json);
}

static void write_room(struct json_out *json, const char *key, const struct story_room *room)
{
    json_array_begin(json, key);
    json_integer(json, NULL, room->requested);
    json_integer(json, NULL, room->allocatable);
    json_array_end(json);
}

/* `before`: the node as it was; NULL: it is new. */
static void write_node(struct json_out *json, const struct scope *scope,
                       const struct story_node *before, const struct story_node *node)
{
    const struct items old = pods_of(before);
    const struct items now = pods_of(node);
    const struct list_change change = compare(&old, &now);
    json_object_begin(json, NULL);
    json_string(json, "name", node->name);
    if (!before && node->zone)
        json_string(json, "zone", node->zone);
    if (before ? strcmp(before->condition, node->condition) != 0 : *node->condition)
        json_string(json, "condition", node->condition);
    write_room(json, "cpu", &node->cpu);
    write_room(json, "memory", &node->memory);
    begin_change(json, "pods", change);
    for (uint32_t p = change.start; p < node->pods.count - change.end; p++)
        write_pod(json, scope, &node->placed[p]);
    end_change(json);
    json_object_end(json);
}

/* Pods that have the same names and stages request the same. */
static bool same_node(const struct story_node *a, const struct story_node *b)
{
    const struct items one = pods_of(a);
    const struct items other = pods_of(b);
    return strcmp(a->condition, b->condition) == 0 && one.count == other.count &&
           compare(&one, &other).start == one.count;
}

/* Nodes mostly keep their place in the picture; else they are looked for. NULL: there is none. */
static const struct story_node *find_node(const struct story_picture *picture, const char *name,
                                          uint32_t place)
{
    if (place < picture->node_count && strcmp(picture->nodes[place].name, name) == 0)
        return &picture->nodes[place];
    for (uint32_t n = 0; n < picture->node_count; n++)
        if (strcmp(picture->nodes[n].name, name) == 0)
            return &picture->nodes[n];
    return NULL;
}

static void write_nodes(struct json_out *json, const struct scope *scope,
                        const struct story_picture *before, const struct story_picture *after)
{
    bool any = false;
    for (uint32_t n = 0; n < after->node_count; n++) {
        const struct story_node *old = find_node(before, after->nodes[n].name, n);
        if (old && same_node(old, &after->nodes[n]))
            continue;
        if (!any)
            json_array_begin(json, "nodes");
        any = true;
        write_node(json, scope, old, &after->nodes[n]);
    }
    if (any)
        json_array_end(json);
}

static void write_gone(struct json_out *json, const struct story_picture *before,
                       const struct story_picture *after)
{
    bool any = false;
    for (uint32_t n = 0; n < before->node_count; n++) {
        if (find_node(after, before->nodes[n].name, n))
            continue;
        if (!any)
            json_array_begin(json, "gone");
        any = true;
        json_string(json, NULL, before->nodes[n].name);
    }
    if (any)
        json_array_end(json);
}

/* ---- workloads ---- */

static struct items waiting_of(const struct story_workload *workload)
{
    return (struct items){workload ? workload->waiting.items : NULL,
                          workload ? workload->waiting.count : 0, sizeof(const char *), same_text};
}

static bool same_workload(const struct story_workload *a, const struct story_workload *b)
{
    const struct items one = waiting_of(a);
    const struct items other = waiting_of(b);
    return a->replicas == b->replicas && run_data_same_load(a, b) && one.count == other.count &&
           compare(&one, &other).start == one.count;
}

static void write_workload(struct json_out *json, const struct story_workload *before,
                           const struct story_workload *workload)
{
    const struct items old = waiting_of(before);
    const struct items now = waiting_of(workload);
    const struct list_change change = compare(&old, &now);
    json_object_begin(json, NULL);
    json_string(json, "name", workload->name);
    json_integer(json, "replicas", workload->replicas);
    begin_change(json, "waiting", change);
    for (uint32_t p = change.start; p < workload->waiting.count - change.end; p++)
        json_string(json, NULL, workload->waiting.items[p]);
    end_change(json);
    run_data_write_load(json, workload);
    json_object_end(json);
}

static const struct story_workload *find_workload(const struct story_picture *picture,
                                                  const char *name)
{
    for (uint32_t w = 0; w < picture->workload_count; w++)
        if (strcmp(picture->workloads[w].name, name) == 0)
            return &picture->workloads[w];
    return NULL;
}

static bool same_workloads(const struct story_picture *a, const struct story_picture *b)
{
    bool same = a->workload_count == b->workload_count;
    for (uint32_t w = 0; same && w < a->workload_count; w++)
        same = strcmp(a->workloads[w].name, b->workloads[w].name) == 0 &&
               same_workload(&a->workloads[w], &b->workloads[w]);
    return same;
}

/* All of them if one is different: there are few, and each is small. */
static void write_workloads(struct json_out *json, const struct story_picture *before,
                            const struct story_picture *after)
{
    if (same_workloads(before, after))
        return;
    json_array_begin(json, "workloads");
    for (uint32_t w = 0; w < after->workload_count; w++)
        write_workload(json, find_workload(before, after->workloads[w].name), &after->workloads[w]);
    json_array_end(json);
}

/* ---- the run ---- */

/* A run while it is written. */
struct writing {
    struct arena *arena;
    struct json_out *json;
    const struct scope *scope;
    size_t table_bytes; /* of the tables of the scheduler so far */
};

/* Beyond so many bytes there are no more tables: a long run would be a page that opens late. */
static void write_table(struct writing *writing, const struct story_scheduling *scheduling)
{
    enum { TABLE_BYTES_MOST = 256 << 10 };
    const size_t before = writing->json->text->length;
    if (!scheduling)
        return;
    if (writing->table_bytes < TABLE_BYTES_MOST)
        run_data_write_scheduling(writing->json, scheduling);
    else
        json_null(writing->json, "scheduling");
    writing->table_bytes += writing->json->text->length - before;
}

static const struct story_picture nothing;

static void write_start(const struct writing *writing, const struct story_picture *picture)
{
    json_object_begin(writing->json, "start");
    write_nodes(writing->json, writing->scope, &nothing, picture);
    write_workloads(writing->json, &nothing, picture);
    json_object_end(writing->json);
}

static void write_step(struct writing *writing, const struct story_picture *before,
                       const struct verify_step *step)
{
    struct json_out *json = writing->json;
    json_object_begin(json, NULL);
    if (step->time_ns > 0)
        json_string(json, "time", duration_format(writing->arena, step->time_ns));
    const size_t start = json->text->length;
    write_nodes(json, writing->scope, before, &step->picture);
    write_gone(json, before, &step->picture);
    write_workloads(json, before, &step->picture);
    if (json->text->length == start && step->told.object)
        json_string(json, "about", step->told.object);
    write_table(writing, step->told.scheduling);
    json_object_end(json);
}

void run_data_write(struct arena *arena, struct json_out *json, const char *key,
                    const struct scope *scope, const struct verify_result *result)
{
    struct writing writing = {.arena = arena, .json = json, .scope = scope};
    json_object_begin(json, key);
    json_array_begin(json, "workloads");
    for (uint32_t w = 0; w < scope->workload_count; w++)
        json_string(json, NULL, scope->workloads[w].name);
    json_array_end(json);
    write_start(&writing, &result->start);
    json_array_begin(json, "steps");
    for (uint32_t i = 0; i < result->step_count; i++)
        write_step(&writing, i > 0 ? &result->steps[i - 1].picture : &result->start,
                   &result->steps[i]);
    json_array_end(json);
    if (result->loops)
        json_unsigned(json, "loopFrom", result->loop_from);
    else
        json_null(json, "loopFrom");
    json_boolean(json, "rests", result->rests);
    json_object_end(json);
}
