/* SPDX-License-Identifier: Apache-2.0 */
/* A patch of `fathom fix` for people. */
#include "report/repair_report.h"

#include <string.h>

static void write_indented(struct text *text, const char *indent, const char *lines)
{
    for (const char *at = lines; *at;) {
        const size_t length = strcspn(at, "\n");
        text_printf(text, "%s%.*s\n", indent, (int)length, at);
        at += length + (at[length] == '\n');
    }
}

void repair_losses_text(struct arena *arena, const struct repair_patch *patch, const char *indent,
                        struct text *text)
{
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++)
        if (patch->losses >> i & 1)
            text_printf(text, "%sgives up: %s (%s)\n", indent,
                        repair_loss_words(arena, patch, (enum protection)i),
                        protection_name((enum protection)i));
}

/* Nodes are nothing for kubectl: what is created of them is in a diff, or else here. */
static void write_object(const struct repair_object *object, bool shown, const char *indent,
                         struct text *text)
{
    if (object->kubectl)
        text_printf(text, "%s%s\n", indent, object->kubectl);
    else if (object->create && !shown)
        text_printf(text, "%s%s\n", indent, object->create);
}

void repair_patch_text(struct arena *arena, const struct repair *repair,
                       const struct repair_patch *patch, const char *indent, struct text *text)
{
    const char *cost = repair_cost_words(arena, &repair->cost, &patch->cost);
    for (uint32_t i = 0; i < patch->words.count; i++)
        text_printf(text, "%s- %s\n", indent, patch->words.items[i]);
    repair_losses_text(arena, patch, indent, text);
    text_printf(text, "%scosts: %s\n", indent, cost ? cost : "nothing");
    bool shown = true;
    for (uint32_t i = 0; i < patch->files.count; i++) {
        shown &= patch->files.items[i].diff != NULL;
        if (patch->files.items[i].diff)
            write_indented(text, indent, patch->files.items[i].diff);
        else
            text_printf(text, "%s%s: the change cannot be shown at its lines\n", indent,
                        patch->files.items[i].name);
    }
    for (uint32_t i = 0; i < patch->objects.count; i++)
        write_object(&patch->objects.items[i], shown, indent, text);
}
