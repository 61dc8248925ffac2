/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/resolve_parts.h"

#include "manifest/document.h"

#include <stdarg.h>
#include <string.h>

/* The path of a field that is written with dots, as far as it is there. */
static struct place place_of(const struct value *root, const char *field)
{
    const struct value *at = root;
    while (*field) {
        const size_t length = strcspn(field, ".");
        const struct value *next = NULL;
        for (uint32_t i = 0; at->kind == VALUE_MAPPING && i < at->count; i++)
            if (strlen(at->members[i].key) == length &&
                strncmp(at->members[i].key, field, length) == 0)
                next = &at->members[i].value;
        if (!next)
            break;
        at = next;
        field += length + (field[length] == '.');
    }
    return value_place(at);
}

struct place slo_field_place(const struct object *object, const char *field)
{
    return object->source ? place_of(&object->source->root, field) : object->place;
}

void slo_resolve_error(const struct slo_resolving *resolving, const char *field, const char *format,
                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(resolving->problems->arena, format, arguments);
    va_end(arguments);
    problem_error(resolving->problems, slo_field_place(resolving->object, field), field, "%s",
                  message);
}
