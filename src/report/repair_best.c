/* SPDX-License-Identifier: Apache-2.0 */
/* The best patch, for the reports of `fathom verify --fix`. */
#include "base/uri.h"
#include "report/repair_report.h"

void repair_best_text(struct arena *arena, const struct repair *repair, struct text *text)
{
    if (repair->patches.count > 0) {
        text_append_string(text, "\nRepair (nothing was applied):\n");
        repair_patch_text(arena, repair, &repair->patches.items[0], "  ", text);
    } else if (repair->weakening.count > 0) {
        text_printf(text,
                    "\nRepair: none within the guardrails; `fathom fix` names those that give "
                    "something up\n");
    } else if (repair->end == REPAIR_NONE) {
        text_append_string(text, "\nRepair: none was found\n");
    } else if (repair->end == REPAIR_LIMIT) {
        text_append_string(text, "\nRepair: none was found before a limit was reached\n");
    }
}

void repair_best_json(struct arena *arena, struct json_out *json, const struct repair *repair)
{
    json_array_begin(json, "repairs");
    if (repair->patches.count > 0)
        repair_patch_json(arena, json, repair, &repair->patches.items[0]);
    json_array_end(json);
}

static void write_replacement(struct arena *arena, struct json_out *json,
                              const struct repair_file *file)
{
    json_object_begin(json, NULL);
    json_object_begin(json, "artifactLocation");
    json_string(json, "uri", uri_of_file(arena, file->name));
    json_object_end(json);
    json_array_begin(json, "replacements");
    json_object_begin(json, NULL);
    json_object_begin(json, "deletedRegion");
    json_unsigned(json, "startLine", file->line);
    json_unsigned(json, "startColumn", 1);
    json_unsigned(json, "endLine", file->line + file->lines);
    json_unsigned(json, "endColumn", 1);
    json_object_end(json);
    json_object_begin(json, "insertedContent");
    json_string(json, "text", file->text);
    json_object_end(json);
    json_object_end(json);
    json_array_end(json);
    json_object_end(json);
}

void repair_fixes_json(struct arena *arena, struct json_out *json, const struct repair *repair)
{
    const struct repair_patch *patch = repair->patches.count > 0 ? &repair->patches.items[0] : NULL;
    for (uint32_t i = 0; patch && i < patch->files.count; i++)
        if (!patch->files.items[i].text)
            return;
    if (!patch || patch->files.count == 0)
        return;
    json_array_begin(json, "fixes");
    json_object_begin(json, NULL);
    json_object_begin(json, "description");
    json_string(json, "text", patch->summary);
    json_object_end(json);
    json_array_begin(json, "artifactChanges");
    for (uint32_t i = 0; i < patch->files.count; i++)
        write_replacement(arena, json, &patch->files.items[i]);
    json_array_end(json);
    json_object_end(json);
    json_array_end(json);
}
