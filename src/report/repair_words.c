/* SPDX-License-Identifier: Apache-2.0 */
#include "report/repair_report.h"

enum verdict repairs_verdict(const struct repairs *repairs)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < repairs->count; i++) {
        const enum repair_end end = repairs->items[i].repair->end;
        if (end == REPAIR_NONE)
            return VERDICT_VIOLATED;
        if (end == REPAIR_LIMIT || end == REPAIR_UNDECIDED)
            verdict = VERDICT_UNDECIDED;
    }
    return verdict;
}

const char *repair_loss_names(struct arena *arena, unsigned losses)
{
    const char *names = "";
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++)
        if (losses >> i & 1)
            names = arena_printf(arena, "%s%s%s", names, *names ? "," : "",
                                 protection_name((enum protection)i));
    return names;
}

static const char *add(struct arena *arena, const char *words, int64_t number, const char *unit)
{
    if (number == 0)
        return words;
    return arena_printf(arena, "%s%s%+lld%s", words ? words : "", words ? ", " : "",
                        (long long)number, unit);
}

const char *repair_cost_words(struct arena *arena, const struct repair_cost *before,
                              const struct repair_cost *after)
{
    enum { MEBI = 1 << 20 };
    const int64_t nodes = repair_more_nodes(before, after);
    const int64_t pods = repair_more_pods(before, after);
    const char *words = add(arena, NULL, nodes, nodes == 1 || nodes == -1 ? " node" : " nodes");
    if (nodes > 0 && after->nodes_left > before->nodes_left)
        words = arena_printf(arena, "%s (where none of these pods may run any more)", words);
    else if (nodes > 0 && after->nodes == before->nodes &&
             after->nodes_least == before->nodes_least)
        words = arena_printf(arena, "%s (in larger ones)", words);
    words = add(arena, words, pods, pods == 1 || pods == -1 ? " pod" : " pods");
    words = add(arena, words, after->cpu_milli - before->cpu_milli, "m CPU requested");
    return add(arena, words, (after->memory_bytes - before->memory_bytes) / MEBI,
               "Mi memory requested");
}

const char *repair_loss_words(struct arena *arena, const struct repair_patch *patch,
                              enum protection protection)
{
    const char *words = protection_words(protection);
    return protection == PROTECTION_NUMBER_ACTION && patch->silenced
               ? arena_printf(arena, "%s: %s", words, patch->silenced)
               : words;
}
