/* SPDX-License-Identifier: Apache-2.0 */
/* An intent as the command line has it: what intent_parse_option reads. */
#include "manifest/manifest.h"
#include "object/check.h"
#include "object/check_intent.h"

#include <string.h>

/* The members that a Check would have, defaults included. */
static const struct value *intent_members(struct arena *arena, const struct check_intent *intent)
{
    struct check_intent copy = *intent;
    const struct check check = {.intents = &copy, .intent_count = 1};
    struct documents documents = {0};
    struct problems problems;
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    json_object_begin(&json, NULL);
    check_intents_hook.encode(arena, &json, "intents", &check);
    json_object_end(&json);
    problems_init(&problems, arena);
    if (!manifest_parse(arena, "intent", text_content(&text), text.length, &documents, &problems))
        bug("an intent is not written as it is read");
    text_release(&text);
    return &value_find(&documents.items[0].root, "intents")->items[0];
}

static const char *member_text(struct arena *arena, const struct value *value)
{
    const bool plain =
        value->kind == VALUE_STRING && value->text[strcspn(value->text, " ,\"'{}[]()&|#:")] == '\0';
    if (plain || (value->kind != VALUE_MAPPING && value->kind != VALUE_STRING))
        return value->text;
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    value_write_json(&json, NULL, value);
    return text_keep(&text, arena);
}

/* The same kind of intent without any parameter: what defaults are. */
static const struct value *default_members(struct arena *arena, enum intent_kind kind)
{
    struct check_intent plain;
    struct problems problems;
    problems_init(&problems, arena);
    if (!intent_parse_option(arena, intent_kind_name(INTENT_CONVERGES), &plain, &problems))
        bug("an intent without parameters is not read");
    plain.kind = kind;
    return intent_members(arena, &plain);
}

const char *intent_format_option(struct arena *arena, const struct check_intent *intent)
{
    const struct value *members = intent_members(arena, intent);
    const struct value *defaults = default_members(arena, intent->kind);
    const char *option = intent_kind_name(intent->kind);
    uint32_t written = 0;
    for (uint32_t i = 0; i < members->count; i++) {
        const struct member *member = &members->members[i];
        const char *text = member_text(arena, &member->value);
        const struct value *usual = value_find(defaults, member->key);
        if (usual && strcmp(member_text(arena, usual), text) == 0)
            continue;
        option =
            arena_printf(arena, "%s%c%s=%s", option, written++ == 0 ? '=' : ',', member->key, text);
    }
    return option;
}
