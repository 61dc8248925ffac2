/* SPDX-License-Identifier: Apache-2.0 */
/* What the decoder and the encoder share: initial values of structs, and the
 * message about unknown names. */
#include "object/schema.h"

#include "base/suggest.h"

#include <assert.h>
#include <string.h>

const char *const nothing_unused[] = {NULL};

void unknown_field_report(struct reading *reading, const struct path *path,
                          const struct schema *schema, const struct value *mapping,
                          const struct member *member)
{
    struct suggestion suggestion = {.word = member->key};
    const bool told =
        reading->told < READING_PROBLEMS_MOST; /* otherwise the message is not needed */
    for (uint32_t i = 0; told && i < schema->field_count; i++)
        suggestion_offer(&suggestion, schema->fields[i].name);
    for (const char *const *name = schema->unused; told && name && *name; name++)
        suggestion_offer(&suggestion, *name);

    const char *message = "unknown field";
    if (suggestion.nearest)
        message = arena_printf(reading->problems->arena, "unknown field, did you mean \"%s\"?",
                               suggestion.nearest);
    reading_unknown(reading, path, mapping, member,
                    schema->strict ? PROBLEM_ERROR : PROBLEM_WARNING, message);
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
