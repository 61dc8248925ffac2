/* SPDX-License-Identifier: Apache-2.0 */
/* What to change for a verdict on what is undecided. */
#include "report/parts_words.h"
#include "report/report.h"

#include <string.h>

static const char *limit_advice(enum explore_reason reason)
{
    switch (reason) {
    case EXPLORE_TIME: return "a higher --timeout";
    case EXPLORE_STATES: return "a higher --max-states";
    case EXPLORE_MEMORY: return "a higher --memory, --spill DIR, or a machine with more of it";
    default: return NULL;
    }
}

struct advice {
    struct arena *arena;
    VEC(const char *) lines;
};

/* Each is said once; NULL: there is none. */
static void advise(struct advice *advice, const char *line)
{
    bool said = line == NULL;
    for (uint32_t i = 0; i < advice->lines.count && !said; i++)
        said = strcmp(advice->lines.items[i], line) == 0;
    if (!said)
        VEC_PUSH(advice->arena, &advice->lines, line);
}

/* Are the coupled workloads explored together, and is that in the way? */
static bool coupling_matters(const struct parts *parts, const struct coupled *coupled)
{
    const struct decided_part *part = parts_find(parts, coupled->one);
    return parts->count == 0 || (part && part_open(part) && part->obstacles >> OBSTACLE_LIMIT & 1);
}

struct string_list report_to_decide(struct arena *arena, const struct report *report)
{
    const struct verify_report *found = report->found;
    const struct parts *parts = found->parts;
    struct advice advice = {.arena = arena};
    unsigned obstacles = 0;
    if (verify_verdict(found) == VERDICT_HOLDS || !limit_advice(found->ended_by))
        return (struct string_list){0};
    advise(&advice, limit_advice(found->ended_by));
    if (found->setups.count > 1)
        advise(&advice, "fewer setups, by narrower ranges of nodes and replicas");
    for (uint32_t p = 0; parts && p < parts->count; p++)
        if (part_open(&parts->items[p]) & ~parts->violated)
            obstacles |= parts->items[p].obstacles;
    for (uint32_t o = 0; o < OBSTACLE_COUNT; o++)
        if (obstacles >> o & 1)
            advise(&advice, obstacle_advice(o));
    for (uint32_t c = 0; parts && c < parts->coupling_count; c++)
        if (coupling_matters(parts, &parts->couplings[c]))
            advise(&advice, coupling_advice(parts->couplings[c].rule));
    if (parts)
        advise(&advice, together_advice(parts->together));
    if (found->search.runs == 0)
        advise(&advice, "--search, which looks for violations beyond the limit");
    return (struct string_list){advice.lines.items, advice.lines.count};
}
