/* SPDX-License-Identifier: Apache-2.0 */
#include "object/check_expression.h"

#include "object/schema.h"
#include "object/time.h"

#include <string.h>

/* What a form may have beside its expressions. */
enum { WHEN, AFTER, WITHIN, ADDITION_COUNT };
static const char *const additions[ADDITION_COUNT] = {"when", "after", "within"};

struct form {
    const char *key;
    enum intent_kind kind;
    const char *first;  /* of a mapping: the key of its first expression; NULL: it is a text */
    const char *second; /* and of its second one */
    /* By addition: why it may not have it, and what can be asked instead; NULL: it may. */
    const char *lacks[ADDITION_COUNT];
};

#define NO_CONDITION                                                             \
    "it counts in every state; leadsTo or until can say from when on something " \
    "counts"
#define ANY_RUN \
    "nobody has to take the runs that it asks for, however long they are; reachable takes times"

static const struct form forms[] = {
    {.key = "always", INTENT_ALWAYS},
    {.key = "never", INTENT_NEVER},
    {.key = "eventually", INTENT_EVENTUALLY, .lacks = {[WHEN] = NO_CONDITION}},
    {.key = "stable",
     INTENT_STABLE,
     .lacks = {NO_CONDITION, "it is about what lasts in the end, whenever that begins",
               "what is to be true from a time on is always with after"}},
    {.key = "leadsTo",
     INTENT_LEADS_TO,
     "from",
     "to",
     .lacks = {"its first expression is its condition",
               "its time begins when its first expression is true; within says how long it may "
               "take"}},
    {.key = "until", INTENT_UNTIL, "hold", "to", .lacks = {[WHEN] = NO_CONDITION}},
    {.key = "alwaysPossible", INTENT_ALWAYS_POSSIBLE, .lacks = {NO_CONDITION, ANY_RUN, ANY_RUN}},
    {.key = "reachable", INTENT_REACHABLE, .lacks = {[WHEN] = "say it in the expression, by &&"}},
};

enum { FORM_COUNT = sizeof(forms) / sizeof(forms[0]) };

static const struct form *find_form(const struct value *value)
{
    for (uint32_t i = 0; i < FORM_COUNT; i++)
        if (value_find(value, forms[i].key))
            return &forms[i];
    return NULL;
}

bool check_expression_is(const struct value *value, enum intent_kind *kind)
{
    const struct form *form = find_form(value);
    if (form)
        *kind = form->kind;
    return form != NULL;
}

/* Reads a text that has to be there. */
static void decode_text(struct reading *reading, const struct path *path, const struct value *value,
                        const char **text)
{
    if (value_is_null(value))
        reading_missing(reading, path);
    else
        string_decode(reading, path, value, text);
}

static void decode_pair(struct reading *reading, const struct path *path, const struct value *value,
                        const struct form *form, struct check_intent *intent)
{
    const struct path first = path_field(path, form->first);
    const struct path second = path_field(path, form->second);
    if (!mapping_expected(reading, path, value))
        return;
    VALUE_EACH_MEMBER(value, member)
    {
        if (strcmp(member->key, form->first) != 0 && strcmp(member->key, form->second) != 0)
            reading_unknown(reading, path, value, member, PROBLEM_ERROR,
                            arena_printf(reading->arena, "unknown field of %s (it has %s and %s)",
                                         form->key, form->first, form->second));
    }
    decode_text(reading, &first, value_find(value, form->first), &intent->expression);
    decode_text(reading, &second, value_find(value, form->second), &intent->to);
}

/* Gives why the form does not have the member; NULL: it has. */
static const char *why_unknown(struct arena *arena, const struct form *form, const char *key)
{
    if (strcmp(key, "name") == 0 || strcmp(key, form->key) == 0)
        return NULL;
    for (int i = 0; i < ADDITION_COUNT; i++)
        if (strcmp(key, additions[i]) == 0)
            return form->lacks[i]
                       ? arena_printf(arena, "%s does not have it: %s", form->key, form->lacks[i])
                       : NULL;
    return arena_printf(arena, "unknown parameter of %s", form->key);
}

/* Reads a duration, if it is there. */
static void decode_time(struct reading *reading, const struct path *path, const struct value *value,
                        const char *key, int64_t *duration)
{
    const struct value *found = value_find(value, key);
    const struct path field = path_field(path, key);
    const char *text = NULL;
    if (value_is_null(found))
        return;
    if (!value_read_string(found, &text) || !duration_parse(text, duration, NULL))
        reading_expected(reading, &field, found, "a duration such as 5m30s");
    else if (*duration == 0)
        reading_error(reading, &field, "expected a duration of more than 0s");
}

void check_expression_validate(struct reading *reading, const struct path *path,
                               const struct check_intent *intent)
{
    if (intent->after_ns < 0 || intent->within_ns < 0)
        reading_error(reading, path, "expected after and within to be no shorter than 0s");
    else if (intent->within_ns > 0 && intent->within_ns < intent->after_ns)
        reading_error(reading, path, "expected within to be no shorter than after");
}

bool check_expression_decode(struct reading *reading, const struct path *path,
                             const struct value *value, enum intent_kind kind,
                             struct check_intent *intent)
{
    const struct form *form = find_form(value);
    const struct path name = path_field(path, "name");
    const struct path field = path_field(path, form->key);
    const struct path when = path_field(path, "when");
    intent->kind = kind;
    VALUE_EACH_MEMBER(value, member)
    {
        const char *why = why_unknown(reading->arena, form, member->key);
        if (why)
            reading_unknown(reading, path, value, member, PROBLEM_ERROR, why);
    }
    decode_text(reading, &name, value_find(value, "name"), &intent->title);
    if (!value_is_null(value_find(value, "when")))
        decode_text(reading, &when, value_find(value, "when"), &intent->condition);
    decode_time(reading, path, value, "after", &intent->after_ns);
    decode_time(reading, path, value, "within", &intent->within_ns);
    if (form->first)
        decode_pair(reading, &field, value_find(value, form->key), form, intent);
    else
        decode_text(reading, &field, value_find(value, form->key), &intent->expression);
    return intent->title && intent->expression && (!form->second || intent->to);
}
