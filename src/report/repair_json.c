/* SPDX-License-Identifier: Apache-2.0 */
/* A patch of `fathom fix` for programs. */
#include "report/repair_report.h"

void repair_cost_json(struct json_out *json, const char *key, const struct repair_cost *cost)
{
    json_object_begin(json, key);
    json_integer(json, "nodes", cost->nodes);
    json_integer(json, "pods", cost->pods);
    json_integer(json, "cpuMilli", cost->cpu_milli);
    json_integer(json, "memoryBytes", cost->memory_bytes);
    json_object_end(json);
}

static void write_losses(struct arena *arena, struct json_out *json,
                         const struct repair_patch *patch)
{
    json_array_begin(json, "givesUp");
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++) {
        if (!(patch->losses >> i & 1))
            continue;
        json_object_begin(json, NULL);
        json_string(json, "protection", protection_name((enum protection)i));
        json_boolean(json, "guarded", protections_guarded() >> i & 1);
        json_string(json, "detail", repair_loss_words(arena, patch, (enum protection)i));
        json_object_end(json);
    }
    json_array_end(json);
}

/* So that a program can make the same change. */
static void write_changes(struct json_out *json, const struct edit *edit)
{
    static const char *const operations[] = {"set", "remove", "append", "create", "delete"};
    json_array_begin(json, "changes");
    for (uint32_t i = 0; i < edit->change_count; i++) {
        const struct edit_change *change = &edit->changes[i];
        json_object_begin(json, NULL);
        json_string(json, "operation", operations[change->kind]);
        json_string(json, "file", change->file);
        json_string(json, "path", change->path);
        if (change->kind != CHANGE_DROP && change->kind != CHANGE_DELETE)
            value_write_json(json, "value", &change->value);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_edits(struct json_out *json, const struct repair_patch *patch)
{
    json_array_begin(json, "edits");
    for (uint32_t i = 0; i < patch->edit_count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "kind", patch->edits[i]->row->name);
        json_string(json, "object", patch->edits[i]->object);
        json_string(json, "path", patch->edits[i]->path);
        json_string(json, "detail", patch->words.items[i]);
        write_changes(json, patch->edits[i]);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_files(struct json_out *json, const struct repair_patch *patch)
{
    json_array_begin(json, "files");
    for (uint32_t i = 0; i < patch->files.count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "file", patch->files.items[i].name);
        json_string(json, "diff", patch->files.items[i].diff);
        json_object_end(json);
    }
    json_array_end(json);
}

static void write_objects(struct json_out *json, const struct repair_patch *patch)
{
    json_array_begin(json, "objects");
    for (uint32_t i = 0; i < patch->objects.count; i++) {
        const struct repair_object *object = &patch->objects.items[i];
        json_object_begin(json, NULL);
        json_string(json, "object", object->name);
        if (object->patch)
            json_raw(json, "strategicMergePatch", object->patch);
        if (object->create)
            json_raw(json, "create", object->create);
        json_string(json, "kubectl", object->kubectl);
        json_object_end(json);
    }
    json_array_end(json);
}

void repair_patch_json(struct arena *arena, struct json_out *json, const struct repair *repair,
                       const struct repair_patch *patch)
{
    json_object_begin(json, NULL);
    write_edits(json, patch);
    write_losses(arena, json, patch);
    repair_cost_json(json, "cost", &patch->cost);
    json_string(json, "costs", repair_cost_words(arena, &repair->cost, &patch->cost));
    json_string(json, "refused", patch->too_much);
    json_unsigned(json, "setups", patch->setups);
    write_files(json, patch);
    write_objects(json, patch);
    json_object_end(json);
}
