/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of a machine: are they well-formed, and what they are for a custom resource. */
#include "base/vec.h"
#include "reconcile/front/machine.h"

#include <string.h>

enum reference_kind { REFERENCE_NAME, REFERENCE_NAMESPACE, REFERENCE_CR, REFERENCE_REMEMBERED };

struct reference {
    enum reference_kind kind;
    const char *path; /* of the custom resource, or the name of what is remembered */
};

/* --- References in texts ------------------------------------------------------ */

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " ");
}

/* What stands between braces; false if it is no reference. */
static bool reference_parse(struct arena *arena, const char *start, size_t length,
                            struct reference *reference)
{
    static const char *const words[] = {"name", "namespace", "cr:", "remembered:"};
    const char *text = skip_spaces(arena_strndup(arena, start, length));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t word = strlen(words[i]);
        if (strncmp(text, words[i], word) != 0)
            continue;
        const char *rest = skip_spaces(text + word);
        size_t rest_length = strcspn(rest, " ");
        bool takes_path = i >= REFERENCE_CR;
        if (*skip_spaces(rest + rest_length) || (rest_length > 0) != takes_path)
            continue;
        reference->kind = (enum reference_kind)i;
        reference->path = arena_strndup(arena, rest, rest_length);
        return true;
    }
    return false;
}

static bool is_remembered(const struct template_names *remembered, const char *name)
{
    for (uint32_t i = 0; i < remembered->count; i++)
        if (strcmp(remembered->items[i], name) == 0)
            return true;
    return false;
}

static void reference_validate(struct reading *reading, const struct path *path,
                               const struct reference *reference,
                               const struct template_names *remembered)
{
    if (reference->kind == REFERENCE_CR && !datum_path_is_well_formed(reference->path))
        reading_error(reading, path, "expected a path of the custom resource, found \"%s\"",
                      reference->path);
    if (reference->kind == REFERENCE_REMEMBERED && !is_remembered(remembered, reference->path))
        reading_error(reading, path, "no resource before this one remembers \"%s\"",
                      reference->path);
}

void template_text_validate(struct reading *reading, const struct path *path, const char *text,
                            const struct template_names *remembered)
{
    for (const char *c = text; *c; c++) {
        if ((*c == '{' || *c == '}') && c[1] == *c) {
            c++;
        } else if (*c == '}') {
            reading_error(reading, path,
                          "a \"}\" that closes nothing in \"%s\" (a brace is "
                          "written twice)",
                          text);
            return;
        } else if (*c == '{') {
            size_t length = strcspn(c + 1, "}");
            struct reference reference;
            if (c[1 + length] != '}' ||
                !reference_parse(reading->arena, c + 1, length, &reference)) {
                reading_error(reading, path,
                              "expected {name}, {namespace}, {cr: PATH} or {remembered: NAME} "
                              "(a brace is written twice), found \"%.*s\"",
                              (int)length + 2, c);
                return;
            }
            reference_validate(reading, path, &reference, remembered);
            c += length + 1;
        }
    }
}

/* --- Is it well-formed? --------------------------------------------------------- */

/* The member, if the mapping has no other, but maybe `otherwise`. */
static const struct member *only_member(const struct value *value, const char *key)
{
    const struct member *member = value_find_member(value, key);
    uint32_t others = value_find_member(value, "otherwise") ? 1 : 0;
    return member && value->count == 1 + others ? member : NULL;
}

static bool mapping_reference_validate(struct reading *reading, const struct path *path,
                                       const struct value *value,
                                       const struct template_names *remembered)
{
    static const struct {
        const char *key;
        enum reference_kind kind;
    } forms[] = {{"cr", REFERENCE_CR}, {"remembered", REFERENCE_REMEMBERED}};
    for (size_t i = 0; i < 2; i++) {
        const struct member *member = only_member(value, forms[i].key);
        if (!member)
            continue;
        struct path inner = path_field(path, member->key);
        struct reference reference = {.kind = forms[i].kind};
        if (member->value.kind != VALUE_STRING) {
            reading_expected(reading, &inner, &member->value, "a text");
            return true;
        }
        reference.path = member->value.text;
        reference_validate(reading, &inner, &reference, remembered);
        return true;
    }
    return value->count == 1 && value_find_member(value, "literal");
}

void machine_template_validate(struct reading *reading, const struct path *path,
                               const struct value *value, const struct template_names *remembered)
{
    if (value->kind == VALUE_STRING) {
        template_text_validate(reading, path, value->text, remembered);
    } else if (value->kind == VALUE_SEQUENCE) {
        for (uint32_t i = 0; i < value->count; i++) {
            struct path item = path_item(path, i);
            if (value_is_null(&value->items[i]))
                reading_error(reading, &item, "an item of a list cannot be null");
            machine_template_validate(reading, &item, &value->items[i], remembered);
        }
    } else if (value->kind == VALUE_MAPPING &&
               !mapping_reference_validate(reading, path, value, remembered)) {
        VALUE_EACH_MEMBER(value, member)
        {
            struct path field = path_field(path, member->key);
            machine_template_validate(reading, &field, &member->value, remembered);
        }
    }
}

/* --- Filling it in ---------------------------------------------------------------- */

static const struct datum *reference_value(const struct template_source *source,
                                           const struct reference *reference)
{
    switch (reference->kind) {
    case REFERENCE_NAME: return datum_at(source->custom_resource, "metadata.name");
    case REFERENCE_NAMESPACE: return datum_at(source->custom_resource, "metadata.namespace");
    case REFERENCE_CR: return datum_at(source->custom_resource, reference->path);
    case REFERENCE_REMEMBERED: return datum_member(source->local, reference->path);
    }
    return NULL;
}

const char *template_fill_text(const struct template_source *source, const char *form)
{
    struct arena *arena = source->call->arena;
    if (!strpbrk(form, "{}"))
        return form;
    struct text text;
    text_init(&text, arena->memory);
    for (const char *c = form; *c; c++) {
        if (*c == '{' && c[1] != '{') {
            size_t length = strcspn(c + 1, "}");
            struct reference reference = {0};
            reference_parse(arena, c + 1, length, &reference);
            plugin_append_scalar(source->call, &text, reference_value(source, &reference), form);
            c += length + 1;
            continue;
        }
        text_append_char(&text, *c);
        c += *c == '{' || *c == '}'; /* written twice */
    }
    const char *filled = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return filled;
}

/* Whether it is a reference; `*filled` is what it stands for. */
static bool fill_reference(const struct template_source *source, const struct datum *form,
                           const struct datum **filled)
{
    const struct datum *otherwise = datum_member(form, "otherwise");
    const struct datum *path = datum_member(form, "cr");
    const struct datum *name = datum_member(form, "remembered");
    const struct datum *literal = datum_member(form, "literal");
    if (form->count != (otherwise ? 2 : 1) || !(path || name || (literal && !otherwise)))
        return false;
    *filled = path   ? datum_at(source->custom_resource, datum_text(path, ""))
              : name ? datum_member(source->local, datum_text(name, ""))
                     : literal;
    if (!*filled)
        *filled = otherwise;
    return true;
}

static const struct datum *fill_object(const struct template_source *source,
                                       const struct datum *form)
{
    struct arena *arena = source->call->arena;
    const struct datum *filled;
    if (fill_reference(source, form, &filled))
        return filled;
    struct datum_member *members = ARENA_ARRAY(arena, struct datum_member, form->count + 1);
    for (uint32_t i = 0; i < form->count; i++)
        members[i] = (struct datum_member){form->members[i].key,
                                           template_fill(source, form->members[i].value)};
    return datum_object(arena, members, form->count);
}

const struct datum *template_fill(const struct template_source *source, const struct datum *form)
{
    struct arena *arena = source->call->arena;
    if (!form)
        return NULL;
    if (form->kind == DATUM_STRING)
        return datum_string(arena, template_fill_text(source, form->text));
    if (form->kind == DATUM_OBJECT)
        return fill_object(source, form);
    if (form->kind != DATUM_LIST)
        return form;
    const struct datum **items = ARENA_ARRAY(arena, const struct datum *, form->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < form->count; i++) {
        /* What the custom resource does not say is left out. */
        const struct datum *item = template_fill(source, form->items[i]);
        if (item)
            items[count++] = item;
    }
    return datum_list(arena, items, count);
}
