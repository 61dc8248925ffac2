/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom schema [KIND]`: JSON Schemas, made from the tables by which files are read. */
#include "base/suggest.h"
#include "cli/session.h"
#include "object/json_schema.h"
#include "reconcile/check_file.h"
#include "report/report_schema.h"

#include <stdio.h>
#include <string.h>

static const struct json_schema_text by_hand[] = {
    {"ControllerCheck", controller_check_schema},
    {NULL, NULL},
};

static const char *nearest_kind(const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (int kind = OBJECT_OTHER + 1; kind < OBJECT_KIND_COUNT; kind++)
        suggestion_offer(&suggestion, object_kind_name((enum object_kind)kind));
    suggestion_offer(&suggestion, by_hand[0].kind);
    suggestion_offer(&suggestion, "Report");
    return suggestion.nearest;
}

/* A kind without a table refers to itself below `definitions`, as in the schema of all. */
static void write_by_hand(struct arena *arena, const struct json_schema_text *row,
                          struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 1);
    json_object_begin(&json, NULL);
    json_string(&json, "$schema", "http://json-schema.org/draft-07/schema#");
    json_string(&json, "title", row->kind);
    json_string(&json, "$ref", arena_printf(arena, "#/definitions/%s", row->kind));
    json_object_begin(&json, "definitions");
    json_raw(&json, row->kind, row->schema);
    json_object_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
}

static bool write_schema(struct arena *arena, const char *name, struct text *text)
{
    const enum object_kind kind = name ? kind_parse(name) : OBJECT_OTHER;
    if (!name)
        json_schema_write_all(arena, by_hand, text);
    else if (strcmp(name, by_hand[0].kind) == 0)
        write_by_hand(arena, &by_hand[0], text);
    else if (strcmp(name, "Report") == 0)
        text_printf(text, "%s\n", report_schema);
    else if (kind != OBJECT_OTHER)
        json_schema_write(arena, kind, text);
    else
        return false;
    return true;
}

int cmd_schema(struct session *session)
{
    const struct option_list *operands = &session->line.operands;
    const char *name = operands->count ? operands->items[0] : NULL;
    struct text text;
    text_init(&text, &session->memory);
    const bool known = write_schema(&session->arena, name, &text);
    if (known) {
        fwrite(text_content(&text), 1, text.length, stdout); /* main looks at it */
    } else {
        const char *nearest = nearest_kind(name);
        session_say(session, "schema: %s is not a kind that is read%s%s%s", name,
                    nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
    }
    text_release(&text);
    return known ? EXIT_HOLDS : EXIT_INPUT;
}
