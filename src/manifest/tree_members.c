/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of a mapping: keys as text, duplicates, merge keys.
 *
 * Merging follows go-yaml v2, which takes `<<` as the members written out at
 * that very place: of two equal keys the later one wins, even if it is the
 * merged one. (Newer YAML libraries let the key of the mapping itself win.)
 * Within a list of mappings to merge the earlier one wins.
 */
#include "manifest/tree_members.h"

#include "base/vec.h"
#include "manifest/tree_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char tree_merge_key[] = "<<";

/* Below this a table costs more than comparing all pairs. */
enum { PAIRWISE_MOST = 24 };

/* Go's FormatFloat(x, 'g', -1, 32): the shortest digits that give back the
 * same float32, with an exponent below 1e-4 and from 1e6 on. */
static const char *float_key_text(struct arena *scratch, double number)
{
    const float narrow = (float)number;
    if (isinf(narrow))
        return narrow > 0 ? ".inf" : "-.inf";
    char digits[64];
    int precision = 1;
    for (; precision < 9; precision++) {
        snprintf(digits, sizeof(digits), "%.*e", precision - 1, (double)narrow);
        if (strtof(digits, NULL) == narrow)
            break;
    }
    snprintf(digits, sizeof(digits), "%.*e", precision - 1, (double)narrow);
    const int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent < -4 || exponent >= 6)
        return arena_strdup(scratch, digits);
    const int decimals = precision - 1 - exponent;
    return arena_printf(scratch, "%.*f", decimals > 0 ? decimals : 0, (double)narrow);
}

static const char *not_finite_key_text(const char *text)
{
    if (text[0] == '-')
        return "-.inf";
    return strcasecmp(text, ".nan") == 0 ? ".nan" : ".inf";
}

const char *tree_key_text(struct arena *scratch, const struct tree_scalar *scalar)
{
    if (scalar->kind == SCALAR_TRUE || scalar->kind == SCALAR_FALSE)
        return scalar->kind == SCALAR_TRUE ? "true" : "false";
    if (scalar->kind == SCALAR_NOT_FINITE)
        return not_finite_key_text(scalar->text);
    const struct scalar_number number = scalar_number(scalar->text, scalar->length);
    if (!number.is_integer)
        return float_key_text(scratch, number.approximate);
    return arena_printf(scratch, "%s%llu", number.negative ? "-" : "",
                        (unsigned long long)number.magnitude);
}

static void meet_duplicate(struct tree_builder *builder, const struct member *first,
                           const struct member *again)
{
    const bool taken = builder->lenient;
    if ((taken ? builder->duplicates++ : builder->refusals) >= TEXT_PROBLEMS_MOST)
        return;
    /* The mapping is still open: its own key slot names the member. */
    struct tree_frame *frame = &builder->frames[builder->depth - 1];
    frame->key = again->key;
    frame->has_key = true;
    if (taken)
        tree_builder_warn(builder, again->key_line, again->key_column,
                          arena_printf(builder->problems->arena,
                                       "duplicate key, already given in line %u; the last counts",
                                       (unsigned)first->key_line));
    else
        tree_builder_refuse(builder, again->key_line, again->key_column,
                            "duplicate key, already given in line %u", (unsigned)first->key_line);
    frame->has_key = false;
}

static void find_duplicates_pairwise(struct tree_builder *builder, const struct member *members,
                                     uint32_t count)
{
    /* Shared keys are equal only if they are the same. */
    const bool all_shared = builder->keys.count < KEYS_SHARED_MOST;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (members[i].key == members[k].key ||
                (!all_shared && strcmp(members[i].key, members[k].key) == 0)) {
                if (members[i].key != tree_merge_key)
                    meet_duplicate(builder, &members[k], &members[i]);
                break;
            }
}

static void find_duplicates_by_table(struct tree_builder *builder, struct member *members,
                                     uint32_t count)
{
    const struct arena_mark mark = arena_mark(&builder->scratch);
    struct map seen;
    map_init(&seen, &builder->scratch);
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].key == tree_merge_key)
            continue;
        struct map_entry *entry = map_put(&seen, members[i].key);
        if (entry->value)
            meet_duplicate(builder, entry->value, &members[i]);
        else
            entry->value = &members[i];
    }
    arena_rewind(&builder->scratch, mark);
}

/* Members by key, in the order of their first appearance. */
struct merged {
    struct arena *scratch;
    struct map index; /* to 1 + the position in `members` */
    struct member *members;
    uint32_t count;
    uint32_t capacity;
};

static void merge_member(struct merged *merged, const struct member *member)
{
    struct map_entry *entry = map_put(&merged->index, member->key);
    if (entry->value) {
        merged->members[(uintptr_t)entry->value - 1] = *member;
        return;
    }
    if (merged->count == merged->capacity)
        merged->members =
            vec_grow(merged->scratch, merged->members, &merged->capacity, sizeof(*merged->members));
    merged->members[merged->count++] = *member;
    entry->value = (void *)(uintptr_t)merged->count;
}

static bool merge_mapping(struct merged *merged, const struct value *value)
{
    if (value->kind != VALUE_MAPPING)
        return false;
    VALUE_EACH_MEMBER(value, member)
    merge_member(merged, member);
    return true;
}

static bool merge_value(struct merged *merged, const struct value *value)
{
    if (value->kind != VALUE_SEQUENCE)
        return merge_mapping(merged, value);
    for (uint32_t i = value->count; i > 0; i--)
        if (!merge_mapping(merged, &value->items[i - 1]))
            return false;
    return true;
}

static uint32_t merge_members(struct tree_builder *builder, struct member **members, uint32_t count)
{
    struct merged merged = {.scratch = &builder->scratch};
    map_init(&merged.index, &builder->scratch);
    for (uint32_t i = 0; i < count; i++) {
        const struct member *member = &(*members)[i];
        if (member->key != tree_merge_key)
            merge_member(&merged, member);
        else if (!merge_value(&merged, &member->value))
            tree_builder_refuse(builder, member->value.line, member->value.column,
                                "expected a mapping or a list of mappings to merge, found %s",
                                value_describe(builder->problems->arena, &member->value));
    }
    *members = merged.members;
    return merged.count;
}

uint32_t tree_settle_members(struct tree_builder *builder, struct member **members, uint32_t count,
                             bool has_merge)
{
    const uint32_t before = builder->duplicates;
    if (count <= PAIRWISE_MOST)
        find_duplicates_pairwise(builder, *members, count);
    else
        find_duplicates_by_table(builder, *members, count);
    return has_merge || builder->duplicates > before ? merge_members(builder, members, count)
                                                     : count;
}
