/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The priority expander: the groups that the highest number is given to. It has no say when its
 * ConfigMap is not there or broken, or matches no group.
 */
#include "decide/autoscaler/expander.h"
#include "decide/autoscaler/group_pattern.h"
#include "manifest/manifest.h"

#include <stdlib.h>
#include <string.h>

/* The mapping from numbers to lists of patterns; NULL if it is broken. */
static const struct value *parse(struct arena *arena, const char *priorities)
{
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, arena);
    if (!manifest_parse(arena, "priorities", priorities, strlen(priorities), &documents,
                        &problems) ||
        documents.count != 1 || documents.items[0].root.kind != VALUE_MAPPING)
        return NULL;
    return &documents.items[0].root;
}

static bool read_number(const char *text, long *number)
{
    enum { DIGITS = 10 };
    char *end;
    *number = strtol(text, &end, DIGITS);
    return end != text && *end == '\0';
}

/* The first result that is neither a match nor none makes the whole configuration broken. */
static enum group_pattern_result search_list(struct arena *arena, const struct value *patterns,
                                             const char *id)
{
    bool matches = false;
    if (value_is_null(patterns))
        return PATTERN_DIFFERS;
    if (patterns->kind != VALUE_SEQUENCE)
        return PATTERN_WRONG;
    VALUE_EACH_ITEM(patterns, pattern)
    {
        const char *text;
        if (!value_read_string(pattern, &text))
            return PATTERN_WRONG;
        const enum group_pattern_result result = group_pattern_search(arena, text, id);
        if (result == PATTERN_WRONG || result == PATTERN_UNSUPPORTED)
            return result;
        matches |= result == PATTERN_MATCHES;
    }
    return matches ? PATTERN_MATCHES : PATTERN_DIFFERS;
}

enum { PRIORITY_NONE = -2 }; /* below all that can win */

/* The highest number of a group; false if the configuration is broken. */
static bool find_priority(struct arena *arena, const struct value *priorities, const char *id,
                          long *highest)
{
    *highest = PRIORITY_NONE;
    VALUE_EACH_MEMBER(priorities, member)
    {
        long number;
        const enum group_pattern_result result = search_list(arena, &member->value, id);
        if (!read_number(member->key, &number) ||
            (result != PATTERN_MATCHES && result != PATTERN_DIFFERS))
            return false;
        if (result == PATTERN_MATCHES && number > *highest)
            *highest = number;
    }
    return true;
}

bool priorities_check(struct arena *arena, const char *text, const char **why)
{
    const struct value *priorities = parse(arena, text);
    if (!priorities)
        return true;
    VALUE_EACH_MEMBER(priorities, member)
    {
        if (search_list(arena, &member->value, "") != PATTERN_UNSUPPORTED)
            continue;
        *why = member->key;
        return false;
    }
    return true;
}

void expander_priority(struct cluster_autoscaler *autoscaler, option_list *options)
{
    struct arena *arena = autoscaler->loop_arena;
    const struct value *priorities =
        autoscaler->priorities ? parse(arena, autoscaler->priorities) : NULL;
    option_list best = {0};
    long highest = PRIORITY_NONE;
    for (uint32_t i = 0; priorities && i < options->count; i++) {
        long priority;
        if (!find_priority(arena, priorities, options->items[i]->group->id, &priority))
            return;
        if (priority == PRIORITY_NONE || priority < highest)
            continue;
        if (priority > highest)
            best.count = 0;
        highest = priority;
        VEC_PUSH(arena, &best, options->items[i]);
    }
    if (best.count > 0)
        *options = best;
}
