/* SPDX-License-Identifier: Apache-2.0 */
/* What the decoder, the encoder and the validators share: the state of a
 * reading with its messages, and structs as they are before anything is read. */
#include "object/schema.h"

#include "base/suggest.h"

#include <assert.h>
#include <string.h>

const char *const nothing_unused[] = {NULL};

void reading_init(struct reading *reading, struct arena *arena, const struct value *root,
                  struct problems *problems)
{
    *reading = (struct reading){.arena = arena, .problems = problems, .root = root};
}

void reading_expected(struct reading *reading, const struct path *path, const struct value *value,
                      const char *wanted)
{
    const char *text = path_text(reading->problems->arena, path);
    VEC_PUSH(reading->arena, &reading->broken, text);
    value_expected(reading->problems, value, text, wanted);
}

/* Is one of the paths the other, or inside it? */
static bool is_related(const char *left, const char *right)
{
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (!*left && (!*right || *right == '.' || *right == '[')) ||
           (!*right && (*left == '.' || *left == '['));
}

static bool text_is_sound(const struct reading *reading, const char *text)
{
    for (uint32_t i = 0; i < reading->broken.count; i++)
        if (!*text || !*reading->broken.items[i] || is_related(text, reading->broken.items[i]))
            return false;
    return true;
}

bool reading_is_sound(const struct reading *reading, const struct path *path)
{
    return reading->broken.count == 0 ||
           text_is_sound(reading, path_text(reading->problems->arena, path));
}

void reading_error(struct reading *reading, const struct path *path, const char *format, ...)
{
    const char *text = path_text(reading->problems->arena, path);
    if (!text_is_sound(reading, text))
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(reading->problems->arena, format, arguments);
    va_end(arguments);
    problem_error(reading->problems, path_place(reading->root, path), text, "%s", message);
}

void reading_warning(struct reading *reading, const struct path *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(reading->problems->arena, format, arguments);
    va_end(arguments);
    problem_warning(reading->problems, path_place(reading->root, path),
                    path_text(reading->problems->arena, path), "%s", message);
}

void reading_missing(struct reading *reading, const struct path *path)
{
    const char *text = path_text(reading->problems->arena, path);
    VEC_PUSH(reading->arena, &reading->broken, text);
    problem_error(reading->problems, path_place(reading->root, path), text,
                  "required, but missing");
}

void unknown_field_report(struct reading *reading, const struct path *path,
                          const struct schema *schema, const struct value *mapping,
                          const struct member *member)
{
    struct suggestion suggestion = {.word = member->key};
    for (uint32_t i = 0; i < schema->field_count; i++)
        suggestion_offer(&suggestion, schema->fields[i].name);
    for (const char *const *name = schema->unused; name && *name; name++)
        suggestion_offer(&suggestion, *name);

    struct arena *arena = reading->problems->arena;
    const char *message = "unknown field";
    if (suggestion.nearest)
        message = arena_printf(arena, "unknown field, did you mean \"%s\"?", suggestion.nearest);
    const struct path field = path_field(path, member->key);
    const char *text = path_text(arena, &field);
    const struct place place = member_place(mapping, member);
    if (schema->strict)
        problem_error(reading->problems, place, text, "%s", message);
    else
        problem_warning(reading->problems, place, text, "%s", message);
}

static void init_field(const struct field *field, char *base)
{
    void *target = base + field->offset;
    switch (field->type) {
    case FIELD_TYPE_STRING:
        if (field->flags & FIELD_NEVER_NULL)
            *(const char **)target = "";
        break;
    case FIELD_TYPE_BOOLEAN: *(bool *)target = field->fallback != 0; break;
    case FIELD_TYPE_INT32: *(int32_t *)target = (int32_t)field->fallback; break;
    case FIELD_TYPE_ENUM: *(unsigned *)target = (unsigned)field->fallback; break;
    case FIELD_TYPE_INT64:
    case FIELD_TYPE_DURATION: *(int64_t *)target = field->fallback; break;
    case FIELD_TYPE_INSTANT: *(int64_t *)target = TIME_NONE; break;
    case FIELD_TYPE_STRUCT: schema_init(field->schema, target); break;
    case FIELD_TYPE_HOOK:
        if (field->hook->init)
            field->hook->init(base);
        break;
    default: break;
    }
}

void schema_init(const struct schema *schema, void *base)
{
    for (uint32_t i = 0; i < schema->field_count; i++)
        init_field(&schema->fields[i], base);
}

void *schema_new(struct arena *arena, const struct schema *schema)
{
    void *base = arena_allocate(arena, schema->size);
    schema_init(schema, base);
    return base;
}
