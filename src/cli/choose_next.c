/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choose_next.h"

#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_MOST = 4096 };

static void show_menu(struct session *session, const struct walk *walk, FILE *out)
{
    struct arena arena;
    arena_init(&arena, &session->memory);
    fputs("\n", out);
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        struct story_step told;
        walk_peek(walk, &arena, i, &told);
        fprintf(out, "  %2u) %s%s\n", i + 1, told.outside ? "event: " : "", told.detail);
    }
    fputs("   r) any of them   u) undo   s) show the cluster   q) quit\n", out);
    arena_release(&arena);
}

static bool understand(const struct walk *walk, const char *answer, struct next_choice *next)
{
    static const struct {
        char letter;
        enum next_kind kind;
    } letters[] = {{'r', NEXT_RANDOM}, {'u', NEXT_UNDO}, {'s', NEXT_STATE}, {'q', NEXT_QUIT}};
    for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
        if (answer[0] == letters[i].letter && !answer[1]) {
            next->kind = letters[i].kind;
            return true;
        }
    char *end = NULL;
    errno = 0;
    const unsigned long number = strtoul(answer, &end, 10);
    if (end == answer || *end || errno || number == 0 || number > walk->choices.count)
        return false;
    *next = (struct next_choice){NEXT_STEP, (uint32_t)number - 1};
    return true;
}

struct next_choice choose_next(struct session *session, const struct walk *walk, FILE *in,
                               FILE *out)
{
    struct next_choice next = {NEXT_QUIT, 0};
    struct text answer;
    bool too_long;
    if (walk->choices.count == 0)
        return (struct next_choice){NEXT_NOTHING, 0};
    show_menu(session, walk, out);
    text_init(&answer, &session->memory);
    for (;;) {
        fputs("> ", out);
        fflush(out);
        if (!line_read(in, ANSWER_MOST, &answer, &too_long)) {
            fputs("\n", out);
            break;
        }
        const char *line = arena_strndup(&session->arena, text_content(&answer),
                                         strcspn(text_content(&answer), " \t\r"));
        if (!isatty(fileno(in))) /* whoever reads along wants to see it */
            fprintf(out, "%s\n", line);
        if (understand(walk, line, &next))
            break;
        fprintf(out, "expected a number from 1 to %u, or r, u, s, q; found \"%s\"\n",
                walk->choices.count, line);
    }
    text_release(&answer);
    return next;
}
