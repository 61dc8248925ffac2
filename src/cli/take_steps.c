/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/take_steps.h"

#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The choice that is told in these words, `first` if it is one. */
static uint32_t find_words(const struct walk *walk, const char *words, uint32_t first)
{
    struct arena arena;
    uint32_t found = UINT32_MAX;
    arena_init(&arena, walk->arena->memory);
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        struct story_step told;
        const struct arena_mark mark = arena_mark(&arena);
        walk_peek(walk, &arena, i, &told);
        if (strcmp(told.detail, words) == 0 && (i == first || found == UINT32_MAX))
            found = i;
        arena_rewind(&arena, mark);
    }
    arena_release(&arena);
    return found;
}

/* UINT32_MAX: the line is no step that can come. */
static uint32_t find_step(const struct walk *walk, const char *line)
{
    char *end = NULL;
    errno = 0;
    const unsigned long number = *line >= '0' && *line <= '9' ? strtoul(line, &end, 10) : 0;
    const bool numbered = end && (*end == ' ' || *end == '\0');
    const uint32_t choice = numbered && !errno && number > 0 && number <= walk->choices.count
                                ? (uint32_t)number - 1
                                : UINT32_MAX;
    if (numbered && *end == '\0')
        return choice;
    const uint32_t found = numbered ? find_words(walk, end + 1, choice) : UINT32_MAX;
    return found == UINT32_MAX ? find_words(walk, line, UINT32_MAX) : found;
}

bool take_steps(struct session *session, const char *path, struct simulation *simulation)
{
    struct lines lines;
    struct problems problems;
    problems_init(&problems, &session->arena);
    bool good = lines_open(&lines, &session->memory, path, &problems);
    while (good && lines_next(&lines, &problems)) {
        const char *line = text_content(&lines.text);
        const uint32_t choice = find_step(simulation->walk, line);
        good = choice != UINT32_MAX;
        if (good)
            simulation_take(simulation, choice);
        else
            problem_error(&problems,
                          (struct place){.file = path, .line = lines.number, .column = 1}, NULL,
                          "expected one of the %u steps that may come there, found \"%s\"",
                          simulation->walk->choices.count, line);
    }
    good = good && problems.errors == 0;
    lines_close(&lines);
    session_complain(session, &problems);
    return good;
}
