/* SPDX-License-Identifier: Apache-2.0 */
/* For which numbers of nodes the answers hold, where no nodes are given. */
#include "report/answers.h"
#include "report/report_sizes.h"

#include <string.h>

/* What is said of the sizes of the question; NULL: that it does not hold, or that it was asked of
 * the nodes that were made and of no others. */
static const char *sizes_of(struct arena *arena, const struct reports *reports,
                            const char *question)
{
    const char *said = NULL;
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct report *report = &reports->items[i];
        if (strcmp(report->question, question) != 0)
            continue;
        if (!report->found->sizes.open || verify_verdict(report->found) != VERDICT_HOLDS)
            return NULL;
        const char *sizes = report_sizes_held(arena, report);
        if (said && strcmp(said, sizes) != 0)
            return NULL;
        said = sizes;
    }
    return said;
}

/* Questions of which the same is said are told together. */
struct string_list answers_sizes(struct arena *arena, const struct reports *reports,
                                 const struct answers *answers)
{
    VEC(const char *) lines = {0};
    VEC(const char *) said = {0};
    for (uint32_t q = 0; q < answers->questions.count; q++) {
        const char *question = answers->questions.items[q];
        const char *sizes = sizes_of(arena, reports, question);
        uint32_t at = 0;
        while (sizes && at < said.count && strcmp(said.items[at], sizes) != 0)
            at++;
        if (!sizes)
            continue;
        if (at < said.count) {
            lines.items[at] = arena_printf(arena, "%s, %s", lines.items[at], question);
            continue;
        }
        VEC_PUSH(arena, &said, sizes);
        VEC_PUSH(arena, &lines, question);
    }
    for (uint32_t i = 0; i < lines.count; i++)
        lines.items[i] = arena_printf(arena, "%s: %s", lines.items[i], said.items[i]);
    return (struct string_list){lines.items, lines.count};
}
