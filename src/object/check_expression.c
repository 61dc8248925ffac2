/* SPDX-License-Identifier: Apache-2.0 */
#include "object/check_expression.h"

#include "object/schema.h"

#include <string.h>

struct form {
    const char *key;
    enum intent_kind kind;
    const char *first;  /* of a mapping: the key of its first expression; NULL: it is a text */
    const char *second; /* and of its second one */
    bool conditional;   /* true if it may count only under a condition */
};

static const struct form forms[] = {
    {"always", INTENT_ALWAYS, NULL, NULL, true},
    {"never", INTENT_NEVER, NULL, NULL, true},
    {"eventually", INTENT_EVENTUALLY, NULL, NULL, false},
    {"stable", INTENT_STABLE, NULL, NULL, false},
    {"leadsTo", INTENT_LEADS_TO, "from", "to", false},
    {"until", INTENT_UNTIL, "hold", "to", false},
    {"alwaysPossible", INTENT_ALWAYS_POSSIBLE, NULL, NULL, false},
    {"reachable", INTENT_REACHABLE, NULL, NULL, false},
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
        const struct path field = path_field(path, member->key);
        if (strcmp(member->key, form->first) != 0 && strcmp(member->key, form->second) != 0)
            reading_unknown(reading, &field, value, member, PROBLEM_ERROR,
                            arena_printf(reading->arena, "unknown field of %s (it has %s and %s)",
                                         form->key, form->first, form->second));
    }
    decode_text(reading, &first, value_find(value, form->first), &intent->expression);
    decode_text(reading, &second, value_find(value, form->second), &intent->to);
}

/* One of: the name, the condition where there is one, and the form. */
static bool is_known(const struct form *form, const char *key)
{
    return strcmp(key, "name") == 0 || strcmp(key, form->key) == 0 ||
           (form->conditional && strcmp(key, "when") == 0);
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
        const struct path other = path_field(path, member->key);
        if (!is_known(form, member->key))
            reading_unknown(reading, &other, value, member, PROBLEM_ERROR,
                            arena_printf(reading->arena, "unknown parameter of %s", form->key));
    }
    decode_text(reading, &name, value_find(value, "name"), &intent->title);
    if (!value_is_null(value_find(value, "when")))
        decode_text(reading, &when, value_find(value, "when"), &intent->condition);
    if (form->first)
        decode_pair(reading, &field, value_find(value, form->key), form, intent);
    else
        decode_text(reading, &field, value_find(value, form->key), &intent->expression);
    return intent->title && intent->expression && (!form->second || intent->to);
}
