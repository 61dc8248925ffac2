/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The evaluator. An operand that is an error makes its operator one, but for `&&`, `||`, `?:`, all
 * and exists, which need not know all of their operands.
 */
#include "expression/expression_evaluate.h"

#include "expression/expression_function.h"

#include <string.h>

static bool is_error(struct expression_value value)
{
    return value.tag == VALUE_IS_ERROR;
}

static struct expression_value too_costly(struct evaluation *evaluation)
{
    return expression_error(evaluation->scratch, EXPRESSION_TOO_COSTLY " %d steps",
                            EXPRESSION_STEPS_MOST);
}

static void take_step(struct evaluation *evaluation)
{
    evaluation->steps_left--;
}

/* The same as term_evaluate, without a call for what macros name, which is asked most. */
static inline struct expression_value evaluate(struct evaluation *evaluation,
                                               const struct term *term)
{
    if (term->kind != TERM_NAME || term->variable || evaluation->steps_left == 0)
        return term_evaluate(evaluation, term);
    take_step(evaluation);
    return evaluation->locals[term->local];
}

/* ---- names and fields ---- */

static struct expression_value no_such_key(struct evaluation *evaluation, const struct term *term)
{
    return expression_error(evaluation->scratch,
                            "no such key: %s; has(...) asks whether it is there", term->name);
}

/* Looking for a key costs what the map is large. What a cluster has is looked up again and again,
 * and does not grow by what is written. */
static void charge_for_keys(struct evaluation *evaluation, const struct expression_value *value)
{
    enum { KEYS_OF_A_STEP = 8 };
    if (value->tag != VALUE_IS_MAP || !value->map->is_written)
        return;
    const uint32_t cost = value->map->count / KEYS_OF_A_STEP;
    evaluation->steps_left -= cost < evaluation->steps_left ? cost : evaluation->steps_left;
}

static bool has_members(struct expression_value value)
{
    return value.tag == VALUE_IS_MAP || value.tag == VALUE_IS_OBJECT;
}

/* Selects a member; false: it is not there. */
static bool select_member(struct evaluation *evaluation, const struct term *term,
                          struct expression_value of, struct expression_value *found)
{
    if (of.tag == VALUE_IS_MAP)
        return expression_map_find(of.map, expression_of_string(term->name), found);
    const struct expression_field *field = of.tag != VALUE_IS_OBJECT ? NULL
                                           : term->field
                                               ? term->field
                                               : expression_class_find(of.object.class, term->name);
    if (!field)
        return false;
    *found = field->read(evaluation->context, evaluation->scratch, of.object);
    return !is_error(*found);
}

static struct expression_value evaluate_select(struct evaluation *evaluation,
                                               const struct term *term)
{
    struct expression_value found;
    const struct expression_value of = evaluate(evaluation, term->operands[0]);
    if (is_error(of))
        return of;
    if (!has_members(of))
        return expression_error(evaluation->scratch, "%s has no members, so no %s",
                                expression_value_text(evaluation->scratch, of), term->name);
    charge_for_keys(evaluation, &of);
    const bool there = select_member(evaluation, term, of, &found);
    if (term->kind == TERM_HAS)
        return expression_of_bool(there);
    return there ? found : no_such_key(evaluation, term);
}

/* ---- calls ---- */

/* What is large costs steps. */
static void charge_for(struct evaluation *evaluation, const struct expression_value *value)
{
    size_t cost = 0;
    if (value->tag == VALUE_IS_STRING)
        cost = strlen(value->text) / 16;
    else if (value->tag == VALUE_IS_LIST)
        cost = value->list->count;
    evaluation->steps_left -=
        cost < evaluation->steps_left ? (uint32_t)cost : evaluation->steps_left;
}

/* A search takes a step for so much work. */
static struct expression_value search(struct evaluation *evaluation,
                                      const struct expression_function *function,
                                      const struct expression_value *arguments)
{
    enum { WORK_OF_A_STEP = 16 };
    uint64_t work_left = (uint64_t)evaluation->steps_left * WORK_OF_A_STEP;
    const struct expression_value value =
        function->search(evaluation->scratch, arguments, &work_left);
    evaluation->steps_left = (uint32_t)(work_left / WORK_OF_A_STEP);
    return work_left > 0 ? value : too_costly(evaluation);
}

/* What lists and maps consist of costs if all of it is looked at. */
static void charge_for_members(struct evaluation *evaluation, const struct expression_value *value)
{
    enum { MEMBERS_OF_A_STEP = 8 };
    if (value->tag != VALUE_IS_LIST && value->tag != VALUE_IS_MAP)
        return;
    const uint64_t most = (uint64_t)evaluation->steps_left * MEMBERS_OF_A_STEP;
    const uint64_t weight = expression_weight(*value, most);
    evaluation->steps_left -=
        weight < most ? (uint32_t)(weight / MEMBERS_OF_A_STEP) : evaluation->steps_left;
}

/* Results do, so that no expression can make ever larger ones, and what is walked through. */
static struct expression_value apply(struct evaluation *evaluation,
                                     const struct expression_function *function,
                                     const struct expression_value *arguments, uint32_t count)
{
    for (uint32_t i = 0; function->walks_texts && i < count; i++)
        charge_for(evaluation, &arguments[i]);
    for (uint32_t i = 0; function->walks_values && i < count; i++)
        charge_for_members(evaluation, &arguments[i]);
    for (uint32_t i = 0; function->finds_keys && i < count; i++)
        charge_for_keys(evaluation, &arguments[i]);
    const struct expression_value value = function->search
                                              ? search(evaluation, function, arguments)
                                              : function->apply(evaluation->scratch, arguments);
    if (value.tag == VALUE_IS_STRING || value.tag == VALUE_IS_LIST)
        charge_for(evaluation, &value);
    return value;
}

/* The row that takes the values; NULL: none does. */
static const struct expression_function *find_function(const struct term *term,
                                                       const struct expression_value *arguments)
{
    const struct expression_function *function = NULL;
    do {
        function =
            expression_function_next(function, term->name, term->has_receiver, term->operand_count);
    } while (function && !expression_function_takes(function, arguments));
    return function;
}

/* Is it the size of a bag of which somebody wants to know how it is read? */
static bool is_counted_size(const struct term *term, const struct expression_value *arguments)
{
    return term->operand_count == 1 && arguments[0].tag == VALUE_IS_LIST &&
           arguments[0].list->counting && strcmp(term->name, "size") == 0;
}

/* Each of the items is read for its number. */
static void read_counts(const struct expression_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        expression_count_read(list, i, false);
}

/* The sizes that are operands of a comparison: only how they compare makes a difference. */
static void note_comparison(const struct expression_list *const *sized,
                            const struct expression_value *arguments)
{
    for (uint32_t i = 0; i < 2; i++) {
        const struct expression_list *list = sized[i];
        if (!list)
            continue;
        if (sized[1 - i] || arguments[1 - i].tag != VALUE_IS_INT)
            read_counts(list);
        else
            list->counting->compared(list->counting->context, list->origins, list->count,
                                     arguments[1 - i].integer);
    }
}

/* The operands of a call. False: one of them is an error, which is the first argument then. */
static bool evaluate_operands(struct evaluation *evaluation, const struct term *term,
                              struct expression_value *arguments)
{
    const bool compares = term->function && term->function->compares;
    const struct expression_list *sized[2] = {NULL, NULL};
    for (uint32_t i = 0; i < term->operand_count; i++) {
        evaluation->comparing = compares ? term->operands[i] : NULL;
        evaluation->sized = NULL;
        arguments[i] = evaluate(evaluation, term->operands[i]);
        if (compares)
            sized[i] = evaluation->sized;
        if (is_error(arguments[i])) {
            arguments[0] = arguments[i];
            return false;
        }
    }
    note_comparison(sized, arguments);
    evaluation->sized = NULL;
    return true;
}

static struct expression_value evaluate_call(struct evaluation *evaluation, const struct term *term)
{
    struct expression_value arguments[FUNCTION_ARGUMENTS_MOST];
    const bool is_compared = evaluation->comparing == term;
    if (!evaluate_operands(evaluation, term, arguments))
        return arguments[0];
    const struct expression_function *function =
        term->function ? term->function : find_function(term, arguments);
    if (is_compared && is_counted_size(term, arguments)) {
        struct expression_list unread = *arguments[0].list;
        evaluation->sized = arguments[0].list;
        unread.counting = NULL;
        return expression_of_int((int64_t)expression_list_size(&unread));
    }
    if (function)
        return apply(evaluation, function, arguments, term->operand_count);
    return expression_error(evaluation->scratch, "%s does not take values of these types",
                            term->name);
}

/* ---- logic ---- */

static struct expression_value not_bool(struct evaluation *evaluation,
                                        struct expression_value value)
{
    if (is_error(value))
        return value;
    return expression_error(evaluation->scratch, "expected a bool, found %s",
                            expression_value_text(evaluation->scratch, value));
}

/* Values of which one that decides is enough; errors count only if none does. */
struct alternatives {
    bool deciding; /* what decides: true of `||` and exists, false of `&&` and all */
    bool failed;
    struct expression_value error; /* the first one */
};

static bool alternatives_decided(struct evaluation *evaluation, struct alternatives *alternatives,
                                 struct expression_value value)
{
    if (value.tag == VALUE_IS_BOOL)
        return value.truth == alternatives->deciding;
    if (!alternatives->failed)
        alternatives->error = not_bool(evaluation, value);
    alternatives->failed = true;
    return false;
}

/* What it is if none has decided. */
static struct expression_value alternatives_rest(const struct alternatives *alternatives)
{
    return alternatives->failed ? alternatives->error : expression_of_bool(!alternatives->deciding);
}

static struct expression_value evaluate_logic(struct evaluation *evaluation,
                                              const struct term *term)
{
    struct alternatives alternatives = {.deciding = term->kind == TERM_OR};
    for (uint32_t i = 0; i < term->operand_count; i++)
        if (alternatives_decided(evaluation, &alternatives,
                                 term_evaluate(evaluation, term->operands[i])))
            return expression_of_bool(alternatives.deciding);
    return alternatives_rest(&alternatives);
}

static struct expression_value evaluate_conditional(struct evaluation *evaluation,
                                                    const struct term *term)
{
    const struct expression_value condition = term_evaluate(evaluation, term->operands[0]);
    if (condition.tag != VALUE_IS_BOOL)
        return not_bool(evaluation, condition);
    return term_evaluate(evaluation, term->operands[condition.truth ? 1 : 2]);
}

/* ---- lists and maps ---- */

static struct expression_value evaluate_list(struct evaluation *evaluation, const struct term *term)
{
    struct expression_value *items =
        ARENA_ARRAY(evaluation->scratch, struct expression_value, term->operand_count + 1);
    for (uint32_t i = 0; i < term->operand_count; i++) {
        items[i] = term_evaluate(evaluation, term->operands[i]);
        if (is_error(items[i]))
            return items[i];
    }
    return expression_of_list(evaluation->scratch, items, term->operand_count);
}

static struct expression_value evaluate_map(struct evaluation *evaluation, const struct term *term)
{
    const uint32_t count = term->operand_count / 2;
    struct expression_map *map = ARENA_NEW(evaluation->scratch, struct expression_map);
    struct expression_value *keys =
        ARENA_ARRAY(evaluation->scratch, struct expression_value, count + 1);
    struct expression_value *values =
        ARENA_ARRAY(evaluation->scratch, struct expression_value, count + 1);
    *map = (struct expression_map){.keys = keys, .values = values, .is_written = true};
    for (uint32_t i = 0; i < count; i++) {
        struct expression_value found;
        const size_t pair = 2 * (size_t)i;
        const struct expression_value key = term_evaluate(evaluation, term->operands[pair]);
        const struct expression_value value = term_evaluate(evaluation, term->operands[pair + 1]);
        if (is_error(key) || is_error(value))
            return is_error(key) ? key : value;
        if (key.tag != VALUE_IS_STRING && key.tag != VALUE_IS_INT && key.tag != VALUE_IS_BOOL)
            return expression_error(evaluation->scratch, "expected a key, found %s",
                                    expression_value_text(evaluation->scratch, key));
        charge_for_keys(evaluation, &(struct expression_value){.tag = VALUE_IS_MAP, .map = map});
        if (expression_map_find(map, key, &found))
            return expression_error(evaluation->scratch, "the key %s is given twice",
                                    expression_value_text(evaluation->scratch, key));
        keys[i] = key;
        values[i] = value;
        map->count++;
    }
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

/* ---- macros ---- */

/* The elements that a macro walks over: those of a list, or the keys of a map. */
static bool range_of(struct evaluation *evaluation, struct expression_value value,
                     struct expression_list *range)
{
    if (value.tag == VALUE_IS_LIST) {
        *range = *value.list;
        return true;
    }
    if (value.tag != VALUE_IS_MAP)
        return false;
    if (!value.map->labels) {
        *range = (struct expression_list){.items = value.map->keys, .count = value.map->count};
        return true;
    }
    const uint32_t count = expression_map_size(value.map);
    struct expression_value *keys =
        ARENA_ARRAY(evaluation->scratch, struct expression_value, count + 1);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = expression_map_key(value.map, i);
    *range = (struct expression_list){.items = keys, .count = count};
    return true;
}

/* all: is there none that is false? exists: is there one that is true? */
static struct expression_value evaluate_quantifier(struct evaluation *evaluation,
                                                   const struct term *term,
                                                   const struct expression_list *range)
{
    struct alternatives alternatives = {.deciding = term->macro == MACRO_EXISTS};
    for (uint32_t i = 0; i < range->count; i++) {
        evaluation->locals[term->local] = range->items[i];
        if (alternatives_decided(evaluation, &alternatives,
                                 term_evaluate(evaluation, term->operands[1])))
            return expression_of_bool(alternatives.deciding);
    }
    return alternatives_rest(&alternatives);
}

static struct expression_value evaluate_exists_one(struct evaluation *evaluation,
                                                   const struct term *term,
                                                   const struct expression_list *range)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < range->count; i++) {
        evaluation->locals[term->local] = range->items[i];
        const struct expression_value value = term_evaluate(evaluation, term->operands[1]);
        if (value.tag != VALUE_IS_BOOL)
            return not_bool(evaluation, value);
        const uint64_t count = value.truth ? expression_count_read(range, i, true) : 0;
        found = count > 1 || found + count > 1 ? 2 : found + count;
    }
    return expression_of_bool(found == 1);
}

/* filter, and map with or without a filter. */
static struct expression_value evaluate_selection(struct evaluation *evaluation,
                                                  const struct term *term,
                                                  const struct expression_list *range)
{
    const bool filters = term->macro == MACRO_FILTER || term->operand_count == 3;
    struct expression_value *items =
        arena_allocate_raw(evaluation->scratch, (range->count + 1) * sizeof(*items), 16);
    uint64_t *counts =
        arena_allocate_raw(evaluation->scratch, (range->count + 1) * sizeof(*counts), 16);
    uint32_t *origins =
        range->counting ? ARENA_ARRAY(evaluation->scratch, uint32_t, range->count + 1) : NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < range->count; i++) {
        evaluation->locals[term->local] = range->items[i];
        const struct expression_value wanted =
            filters ? term_evaluate(evaluation, term->operands[1]) : expression_of_bool(true);
        if (wanted.tag != VALUE_IS_BOOL)
            return not_bool(evaluation, wanted);
        if (!wanted.truth)
            continue;
        items[kept] = term->macro == MACRO_FILTER
                          ? range->items[i]
                          : term_evaluate(evaluation, term->operands[term->operand_count - 1]);
        if (is_error(items[kept]))
            return items[kept];
        if (origins)
            origins[kept] = range->origins[i];
        counts[kept++] = expression_count_of(range, i);
    }
    if (origins)
        return expression_of_counted_bag(
            evaluation->scratch,
            &(struct expression_list){items, counts, kept, true, range->counting, origins});
    return range->bag ? expression_of_bag(evaluation->scratch, items, counts, kept)
                      : expression_of_list(evaluation->scratch, items, kept);
}

static struct expression_value evaluate_macro(struct evaluation *evaluation,
                                              const struct term *term)
{
    struct expression_list range;
    const struct expression_value value = term_evaluate(evaluation, term->operands[0]);
    if (is_error(value))
        return value;
    if (!range_of(evaluation, value, &range))
        return expression_error(evaluation->scratch, "expected a list or a map, found %s",
                                expression_value_text(evaluation->scratch, value));
    switch (term->macro) {
    case MACRO_ALL:
    case MACRO_EXISTS: return evaluate_quantifier(evaluation, term, &range);
    case MACRO_EXISTS_ONE: return evaluate_exists_one(evaluation, term, &range);
    default: return evaluate_selection(evaluation, term, &range);
    }
}

static struct expression_value evaluate_name(struct evaluation *evaluation, const struct term *term)
{
    return term->variable ? term->variable->read(evaluation->context, evaluation->scratch)
                          : evaluation->locals[term->local];
}

/* An expression takes as many steps, whatever of it is known. */
static struct expression_value take_known(struct evaluation *evaluation, const struct term *term)
{
    if (evaluation->steps_left < term->known_steps) {
        evaluation->steps_left = 0;
        return too_costly(evaluation);
    }
    evaluation->steps_left -= term->known_steps;
    return *term->known;
}

struct expression_value term_evaluate(struct evaluation *evaluation, const struct term *term)
{
    if (term->known)
        return take_known(evaluation, term);
    if (evaluation->steps_left == 0)
        return too_costly(evaluation);
    take_step(evaluation);
    switch (term->kind) {
    case TERM_LITERAL: return term->literal;
    case TERM_NAME: return evaluate_name(evaluation, term);
    case TERM_SELECT:
    case TERM_HAS: return evaluate_select(evaluation, term);
    case TERM_CALL: return evaluate_call(evaluation, term);
    case TERM_AND:
    case TERM_OR: return evaluate_logic(evaluation, term);
    case TERM_CONDITIONAL: return evaluate_conditional(evaluation, term);
    case TERM_LIST: return evaluate_list(evaluation, term);
    case TERM_MAP: return evaluate_map(evaluation, term);
    case TERM_MACRO: return evaluate_macro(evaluation, term);
    }
    return expression_error(evaluation->scratch, "unknown term");
}
