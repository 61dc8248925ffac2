/* SPDX-License-Identifier: Apache-2.0 */
#include "report/excerpt.h"

#include "base/input_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_BEFORE = 2, LINES_AFTER = 2, LINE_BYTES_MOST = 160 };

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

static bool is_blank(const char *line)
{
    return line[indent_of(line)] == '\0';
}

/* Items of a list may stand as far to the left as the field that they belong to. */
static bool belongs(const char *field, const char *line)
{
    const size_t indent = indent_of(line);
    return is_blank(line) || indent > indent_of(field) ||
           (indent == indent_of(field) && line[indent] == '-' && field[indent] != '-');
}

/* The field's line and what is indented below it; blank lines at its end are not part of it. What
 * comes long after it is not shown. */
static void mark_lines(struct excerpt *excerpt, uint32_t field)
{
    uint32_t last = field;
    for (uint32_t i = field + 1;
         i < excerpt->count && belongs(excerpt->lines[field], excerpt->lines[i]); i++)
        last = is_blank(excerpt->lines[i]) ? last : i;
    for (uint32_t i = field; i <= last; i++)
        excerpt->marked[i] = true;
    if (excerpt->count > last + 1 + LINES_AFTER)
        excerpt->count = last + 1 + LINES_AFTER;
}

static void read_lines(struct arena *arena, FILE *file, struct excerpt *excerpt)
{
    char *line = NULL;
    size_t room = 0;
    for (uint32_t number = 1;
         excerpt->count < EXCERPT_LINES_MOST && getline(&line, &room, file) >= 0; number++) {
        if (number < excerpt->first)
            continue;
        size_t kept = strcspn(line, "\r\n");
        if (kept > LINE_BYTES_MOST) /* JSON without line breaks */
            break;
        excerpt->lines[excerpt->count++] = arena_strndup(arena, line, kept);
    }
    free(line);
}

struct excerpt report_excerpt(struct arena *arena, struct place place)
{
    const uint32_t before = place.line > LINES_BEFORE ? LINES_BEFORE
                            : place.line > 0          ? place.line - 1
                                                      : 0;
    struct excerpt excerpt = {.first = place.line - before};
    FILE *file =
        place.line > 0 && place.file && place.file[0] != '<' ? input_reopen(place.file) : NULL;
    if (!file)
        return excerpt;
    read_lines(arena, file, &excerpt);
    fclose(file);
    if (excerpt.count > before)
        mark_lines(&excerpt, before);
    else
        excerpt.count = 0;
    return excerpt;
}
