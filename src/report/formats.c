/* SPDX-License-Identifier: Apache-2.0 */
#include "report/formats.h"

#include "tracing/import/export.h"

#include <string.h>

/* Writers know the types of their results; the table does not. */
#define RESULT(constant, type)
#define FORMAT(result, name, needs, writer, what)                                   \
    static void write_##writer(const struct writer_context *how, const void *found, \
                               struct text *text)                                   \
    {                                                                               \
        writer(how, found, text);                                                   \
    }
#define EXPORT(result, name, needs, writer, what)                                   \
    static void write_##writer(const struct writer_context *how, const void *found, \
                               struct text *text)                                   \
    {                                                                               \
        const result_##result *picture = found;                                     \
        (void)how;                                                                  \
        writer(&picture->graph, &picture->options, text);                           \
    }
#include "report/formats.def"
#undef FORMAT
#undef EXPORT

const struct format format_table[] = {
#define FORMAT(result, name, needs, writer, what) \
    {RESULT_##result, name, needs, write_##writer, what},
#define EXPORT FORMAT
#include "report/formats.def"
#undef RESULT
#undef FORMAT
#undef EXPORT
    {RESULT_NONE, NULL, NEEDS_NOTHING, NULL, NULL},
};

const struct format *format_find(enum result_kind result, const char *name)
{
    for (const struct format *format = format_table; format->name; format++)
        if (format->result == result && strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

const struct format *format_default(enum result_kind result)
{
    const struct format *format = format_table;
    while (format->name && format->result != result)
        format++;
    return format;
}

const char *format_names(struct arena *arena, enum result_kind result)
{
    const char *names = "";
    for (const struct format *format = format_table; format->name; format++)
        if (format->result == result)
            names = arena_printf(arena, "%s%s%s", names, *names ? "|" : "", format->name);
    return names;
}
