/* SPDX-License-Identifier: Apache-2.0 */
#include "report/inventory.h"
#include "report/answers.h"

#include "base/json_out.h"
#include "base/plain_text.h"
#include "base/saturating.h"
#include "report/formats.h"

#include <inttypes.h>
#include <string.h>

/* Longer names push their line's description to the right. */
enum { NAME_WIDTH_MOST = 48 };

static void add_times(struct amounts *sum, const struct amounts *each, int64_t times)
{
    sum->cpu_milli = saturating_add(sum->cpu_milli, saturating_multiply(each->cpu_milli, times));
    sum->memory = saturating_add(sum->memory, saturating_multiply(each->memory, times));
}

static void count_node(struct inventory *inventory, const struct node *node)
{
    const struct quantity *cpu = resource_list_find(&node->status.allocatable, "cpu");
    const struct quantity *memory = resource_list_find(&node->status.allocatable, "memory");
    const struct amounts offered = {
        .cpu_milli = cpu ? quantity_milli_value(*cpu) : 0,
        .memory = memory ? quantity_value(*memory) : 0,
    };
    inventory->nodes++;
    add_times(&inventory->offered, &offered, 1);
}

struct inventory inventory_take(struct arena *arena, const struct objects *objects,
                                const struct problems *problems)
{
    const struct features features = features_of_version(FEATURES_MINOR_LAST);
    struct inventory inventory = {
        .catalog = catalog_create(arena, &features),
        .problems = problems,
        .hints = hints_find(arena, objects),
        .items = ARENA_ARRAY(arena, struct description, objects->count),
        .count = objects->count,
    };
    for (uint32_t i = 0; i < inventory.count; i++) {
        struct description *item = &inventory.items[i];
        *item = describe_object(arena, inventory.catalog, &objects->items[i]);
        inventory.modelled += item->modelled;
        inventory.daemon_sets += item->object->kind == OBJECT_DAEMON_SET;
        if (item->object->kind == OBJECT_NODE)
            count_node(&inventory, item->object->as.node);
        if (!description_is_owned(item)) {
            inventory.pods += item->pods;
            add_times(&inventory.asked, &item->requests, item->pods);
        }
    }
    return inventory;
}

/* Kind/namespace/name, the namespace only where there is one. */
static const char *full_name(struct arena *arena, const struct object *object)
{
    const struct object_meta *meta = object->meta;
    const char *name = meta->name ? meta->name : meta->generate_name;
    return arena_printf(arena, "%s%s%s%s%s", object->kind_name, meta->namespace ? "/" : "",
                        meta->namespace ? meta->namespace : "", name ? "/" : "", name ? name : "");
}

static void append_count(struct text *text, int64_t count, const char *noun)
{
    if (count)
        text_printf(text, "%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
    else
        text_printf(text, "no %ss", noun);
}

static void append_amounts(struct arena *arena, const struct inventory *inventory, const char *verb,
                           const struct amounts *amounts, struct text *text)
{
    const char *formatted = amounts_format(arena, inventory->catalog, amounts);
    if (*formatted)
        text_printf(text, " %s %s", verb, formatted);
}

/* "4 objects, 3 modelled; 3 pods requesting cpu 1500m; 1 node with cpu 4" */
static void render_totals(struct arena *arena, const struct inventory *inventory, struct text *text)
{
    append_count(text, inventory->count, "object");
    text_printf(text, ", %u modelled; ", inventory->modelled);
    append_count(text, inventory->pods, "pod");
    append_amounts(arena, inventory, "requesting", &inventory->asked, text);
    if (inventory->daemon_sets)
        text_append_string(text, " (without DaemonSets)");
    text_append_string(text, "; ");
    append_count(text, inventory->nodes, "node");
    append_amounts(arena, inventory, "with", &inventory->offered, text);
    text_append_char(text, '\n');
}

static void render_hints(struct arena *arena, const struct inventory *inventory, struct text *text)
{
    for (uint32_t i = 0; i < inventory->hints.count; i++) {
        const struct hint *hint = &inventory->hints.items[i];
        text_printf(text, "hint: %s%s%s\n", hint_format(arena, hint),
                    hint->remedy ? "\n  remedy: " : "", hint->remedy ? hint->remedy : "");
    }
    if (inventory->hints.count > 0)
        text_append_char(text, '\n');
}

/* Nothing at all when nothing was understood: the problems say why. */
void inventory_write_text(const struct writer_context *how, const struct inventory *inventory,
                          struct text *text)
{
    struct arena *arena = how->arena;
    if (!inventory->count)
        return;
    int width = 0;
    for (uint32_t i = 0; i < inventory->count; i++) {
        const int length = (int)strlen(full_name(arena, inventory->items[i].object));
        if (length > width && length <= NAME_WIDTH_MOST)
            width = length;
    }
    for (uint32_t i = 0; i < inventory->count; i++) {
        const char *name = full_name(arena, inventory->items[i].object);
        const size_t from = text->length;
        if (*inventory->items[i].summary)
            text_printf(text, "%-*s  %s", width, name, inventory->items[i].summary);
        else
            text_append_string(text, name);
        plain_end_line(text, from);
    }
    text_append_char(text, '\n');
    render_hints(arena, inventory, text);
    render_totals(arena, inventory, text);
}

static void write_amounts(struct arena *arena, struct json_out *json, const char *key,
                          const struct catalog *catalog, const struct amounts *amounts)
{
    json_object_begin(json, key);
    if (amounts->cpu_milli)
        json_string(json, "cpu", amount_cpu_format(arena, amounts->cpu_milli));
    if (amounts->memory)
        json_string(json, "memory", amount_bytes_format(arena, amounts->memory));
    if (amounts->ephemeral_storage)
        json_string(json, "ephemeral-storage",
                    amount_bytes_format(arena, amounts->ephemeral_storage));
    for (uint32_t i = 0; i < amounts->scalar_count; i++)
        json_string(json, catalog->resources.items[amounts->scalars[i].resource],
                    arena_printf(arena, "%" PRId64, amounts->scalars[i].amount));
    json_object_end(json);
}

static void write_place(struct json_out *json, struct place place)
{
    json_string(json, "file", place.file);
    json_unsigned(json, "line", place.line);
    json_unsigned(json, "column", place.column);
}

static void write_object(struct arena *arena, struct json_out *json, const struct catalog *catalog,
                         const struct description *item)
{
    const struct object *object = item->object;
    json_object_begin(json, NULL);
    json_string(json, "apiVersion", object->api_version);
    json_string(json, "kind", object->kind_name);
    if (object->meta->namespace)
        json_string(json, "namespace", object->meta->namespace);
    json_string(json, "name", object->meta->name);
    json_object_begin(json, "source");
    write_place(json, object->place);
    json_object_end(json);
    json_boolean(json, "modelled", item->modelled);
    json_string(json, "summary", item->summary);
    if (item->has_requests) {
        json_integer(json, "pods", item->pods);
        write_amounts(arena, json, "requests", catalog, &item->requests);
    }
    json_object_end(json);
}

static void write_problem(struct json_out *json, const struct problem *problem)
{
    json_object_begin(json, NULL);
    json_string(json, "severity", problem->kind == PROBLEM_ERROR ? "error" : "warning");
    write_place(json, problem->place);
    json_string(json, "path", problem->path);
    json_string(json, "message", problem->message);
    json_object_end(json);
}

void inventory_write_json(const struct writer_context *how, const struct inventory *inventory,
                          struct text *text)
{
    struct arena *arena = how->arena;
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "ManifestReport");
    json_array_begin(&json, "objects");
    for (uint32_t i = 0; i < inventory->count; i++)
        write_object(arena, &json, inventory->catalog, &inventory->items[i]);
    json_array_end(&json);
    json_object_begin(&json, "totals");
    json_unsigned(&json, "objects", inventory->count);
    json_unsigned(&json, "modelled", inventory->modelled);
    json_integer(&json, "pods", inventory->pods);
    write_amounts(arena, &json, "requests", inventory->catalog, &inventory->asked);
    json_unsigned(&json, "nodes", inventory->nodes);
    write_amounts(arena, &json, "allocatable", inventory->catalog, &inventory->offered);
    json_object_end(&json);
    json_array_begin(&json, "problems");
    for (uint32_t i = 0; i < inventory->problems->count; i++)
        write_problem(&json, &inventory->problems->items[i]);
    json_array_end(&json);
    hints_write_json(&json, &inventory->hints);
    json_object_end(&json);
    text_append_char(text, '\n');
}
