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

/* By kind of term; the table is below. A function for each of them, and not one for all, because
 * that one would put aside for small terms what large ones need. */
typedef struct expression_value evaluate_kind(struct evaluation *evaluation,
                                              const struct term *term);
static evaluate_kind *const evaluate_by_kind[TERM_MACRO + 1];

/* The same as term_evaluate, without a call for what macros name, which is asked most. */
static inline struct expression_value evaluate(struct evaluation *evaluation,
                                               const struct term *term)
{
    if (term->known)
        return take_known(evaluation, term);
    if (evaluation->steps_left == 0)
        return too_costly(evaluation);
    take_step(evaluation);
    if (term->kind == TERM_NAME && !term->variable)
        return evaluation->locals[term->local];
    return evaluate_by_kind[term->kind](evaluation, term);
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

static __attribute__((noinline)) struct expression_value
select_from(struct evaluation *evaluation, const struct term *term, struct expression_value of)
{
    struct expression_value found;
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

/* Fields of objects are what is selected most. */
static struct expression_value evaluate_select(struct evaluation *evaluation,
                                               const struct term *term)
{
    const struct expression_field *field = term->field;
    const struct expression_value of = evaluate(evaluation, term->operands[0]);
    if (of.tag != VALUE_IS_OBJECT || term->kind != TERM_SELECT || !field)
        return select_from(evaluation, term, of);
    const struct expression_value found =
        field->read(evaluation->context, evaluation->scratch, of.object);
    return is_error(found) ? no_such_key(evaluation, term) : found;
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

/* What the arguments of a function that walks through them cost. */
static void charge_for_arguments(struct evaluation *evaluation,
                                 const struct expression_function *function,
                                 const struct expression_value *arguments, uint32_t count)
{
    for (uint32_t i = 0; function->walks_texts && i < count; i++)
        charge_for(evaluation, &arguments[i]);
    for (uint32_t i = 0; function->walks_values && i < count; i++)
        charge_for_members(evaluation, &arguments[i]);
    for (uint32_t i = 0; function->finds_keys && i < count; i++)
        charge_for_keys(evaluation, &arguments[i]);
}

/* Results cost something, too, so that no expression can make ever larger ones. */
static inline struct expression_value apply(struct evaluation *evaluation,
                                            const struct expression_function *function,
                                            const struct expression_value *arguments,
                                            uint32_t count)
{
    if (function->walks_texts | function->walks_values | function->finds_keys)
        charge_for_arguments(evaluation, function, arguments, count);
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
static inline bool evaluate_operands(struct evaluation *evaluation, const struct term *term,
                                     struct expression_value *arguments)
{
    for (uint32_t i = 0; i < term->operand_count; i++) {
        arguments[i] = evaluate(evaluation, term->operands[i]);
        if (is_error(arguments[i])) {
            arguments[0] = arguments[i];
            return false;
        }
    }
    return true;
}

/* The same of a comparison. */
static bool evaluate_compared(struct evaluation *evaluation, const struct term *term,
                              struct expression_value *arguments)
{
    const struct expression_list *sized[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; i++) {
        evaluation->comparing = term->operands[i];
        arguments[i] = evaluate(evaluation, term->operands[i]);
        sized[i] = evaluation->sized;
        evaluation->comparing = NULL;
        evaluation->sized = NULL;
        if (is_error(arguments[i])) {
            arguments[0] = arguments[i];
            return false;
        }
    }
    if (sized[0] || sized[1])
        note_comparison(sized, arguments);
    return true;
}

static struct expression_value size_to_compare(struct evaluation *evaluation,
                                               const struct expression_list *list)
{
    struct expression_list unread = *list;
    evaluation->sized = list;
    unread.counting = NULL;
    return expression_of_int((int64_t)expression_list_size(&unread));
}

/* A call of any function, also of one that is found only now. */
static __attribute__((noinline)) struct expression_value
evaluate_any_call(struct evaluation *evaluation, const struct term *term)
{
    struct expression_value arguments[FUNCTION_ARGUMENTS_MOST];
    const bool is_compared = evaluation->comparing == term;
    const bool compares = term->function && term->function->compares;
    if (!(compares ? evaluate_compared : evaluate_operands)(evaluation, term, arguments))
        return arguments[0];
    const struct expression_function *function =
        term->function ? term->function : find_function(term, arguments);
    if (is_compared && is_counted_size(term, arguments))
        return size_to_compare(evaluation, arguments[0].list);
    if (function)
        return apply(evaluation, function, arguments, term->operand_count);
    return expression_error(evaluation->scratch, "%s does not take values of these types",
                            term->name);
}

/* A call as most are: of a function that is known and looks at nothing large. */
static struct expression_value evaluate_call(struct evaluation *evaluation, const struct term *term)
{
    const struct expression_function *function = term->function;
    struct expression_value arguments[FUNCTION_ARGUMENTS_MOST];
    const bool is_compared = evaluation->comparing == term;
    if (!function || function->walks_texts || function->walks_values || function->search)
        return evaluate_any_call(evaluation, term);
    if (!(function->compares ? evaluate_compared(evaluation, term, arguments)
                             : evaluate_operands(evaluation, term, arguments)))
        return arguments[0];
    if (is_compared && is_counted_size(term, arguments))
        return size_to_compare(evaluation, arguments[0].list);
    for (uint32_t i = 0; function->finds_keys && i < term->operand_count; i++)
        charge_for_keys(evaluation, &arguments[i]);
    const struct expression_value value = function->apply(evaluation->scratch, arguments);
    if (value.tag == VALUE_IS_STRING || value.tag == VALUE_IS_LIST)
        charge_for(evaluation, &value);
    return value;
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
                                 evaluate(evaluation, term->operands[i])))
            return expression_of_bool(alternatives.deciding);
    return alternatives_rest(&alternatives);
}

static struct expression_value evaluate_conditional(struct evaluation *evaluation,
                                                    const struct term *term)
{
    const struct expression_value condition = evaluate(evaluation, term->operands[0]);
    if (condition.tag != VALUE_IS_BOOL)
        return not_bool(evaluation, condition);
    return evaluate(evaluation, term->operands[condition.truth ? 1 : 2]);
}

/* ---- lists and maps ---- */

static struct expression_value evaluate_list(struct evaluation *evaluation, const struct term *term)
{
    struct expression_value *items =
        ARENA_ARRAY(evaluation->scratch, struct expression_value, term->operand_count + 1);
    for (uint32_t i = 0; i < term->operand_count; i++) {
        items[i] = evaluate(evaluation, term->operands[i]);
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
        const struct expression_value key = evaluate(evaluation, term->operands[pair]);
        const struct expression_value value = evaluate(evaluation, term->operands[pair + 1]);
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

/* The elements that a macro walks over: those of a list, or the keys of a map. NULL: it is neither.
 */
static inline const struct expression_list *range_of(struct evaluation *evaluation,
                                                     struct expression_value value,
                                                     struct expression_list *of_map)
{
    if (value.tag == VALUE_IS_LIST)
        return value.list;
    if (value.tag != VALUE_IS_MAP)
        return NULL;
    if (!value.map->labels) {
        *of_map = (struct expression_list){.items = value.map->keys, .count = value.map->count};
        return of_map;
    }
    const uint32_t count = expression_map_size(value.map);
    struct expression_value *keys =
        ARENA_ARRAY(evaluation->scratch, struct expression_value, count + 1);
    for (uint32_t i = 0; i < count; i++)
        keys[i] = expression_map_key(value.map, i);
    *of_map = (struct expression_list){.items = keys, .count = count};
    return of_map;
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
                                 evaluate(evaluation, term->operands[1])))
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
        const struct expression_value value = evaluate(evaluation, term->operands[1]);
        if (value.tag != VALUE_IS_BOOL)
            return not_bool(evaluation, value);
        const uint64_t count = value.truth ? expression_count_read(range, i, true) : 0;
        found = count > 1 || found + count > 1 ? 2 : found + count;
    }
    return expression_of_bool(found == 1);
}

/* The elements that a filter keeps, or that map makes. */
struct kept_items {
    struct expression_value *items;
    uint64_t *counts;
    uint32_t *origins; /* NULL: nobody wants to know them */
    uint32_t count;
};

/* With room for all of the range. */
static inline struct kept_items kept_items_of(struct arena *scratch,
                                              const struct expression_list *range)
{
    const size_t room = (size_t)range->count + 1;
    struct kept_items kept = {.count = 0};
    kept.items = arena_allocate_raw(scratch, room * sizeof(*kept.items), 16);
    kept.counts = arena_allocate_raw(scratch, room * sizeof(*kept.counts), 16);
    kept.origins = range->counting ? ARENA_ARRAY(scratch, uint32_t, room) : NULL;
    return kept;
}

static inline void keep(struct kept_items *kept, const struct expression_list *range, uint32_t item,
                        struct expression_value value)
{
    if (kept->origins)
        kept->origins[kept->count] = range->origins[item];
    kept->items[kept->count] = value;
    kept->counts[kept->count++] = expression_count_of(range, item);
}

static inline struct expression_value kept_items_value(struct arena *scratch,
                                                       const struct kept_items *kept,
                                                       const struct expression_list *range)
{
    if (kept->origins)
        return expression_of_counted_bag(
            scratch, &(struct expression_list){kept->items, kept->counts, kept->count, true,
                                               range->counting, kept->origins});
    return range->bag ? expression_of_bag(scratch, kept->items, kept->counts, kept->count)
                      : expression_of_list(scratch, kept->items, kept->count);
}

static struct expression_value evaluate_filter(struct evaluation *evaluation,
                                               const struct term *term,
                                               const struct expression_list *range)
{
    struct kept_items kept = kept_items_of(evaluation->scratch, range);
    for (uint32_t i = 0; i < range->count; i++) {
        evaluation->locals[term->local] = range->items[i];
        const struct expression_value wanted = evaluate(evaluation, term->operands[1]);
        if (wanted.tag != VALUE_IS_BOOL)
            return not_bool(evaluation, wanted);
        if (wanted.truth)
            keep(&kept, range, i, range->items[i]);
    }
    return kept_items_value(evaluation->scratch, &kept, range);
}

/* With or without a filter. */
static struct expression_value evaluate_map_macro(struct evaluation *evaluation,
                                                  const struct term *term,
                                                  const struct expression_list *range)
{
    const bool filters = term->operand_count == 3;
    struct kept_items kept = kept_items_of(evaluation->scratch, range);
    for (uint32_t i = 0; i < range->count; i++) {
        evaluation->locals[term->local] = range->items[i];
        const struct expression_value wanted =
            filters ? evaluate(evaluation, term->operands[1]) : expression_of_bool(true);
        if (wanted.tag != VALUE_IS_BOOL)
            return not_bool(evaluation, wanted);
        if (!wanted.truth)
            continue;
        const struct expression_value value =
            evaluate(evaluation, term->operands[term->operand_count - 1]);
        if (is_error(value))
            return value;
        keep(&kept, range, i, value);
    }
    return kept_items_value(evaluation->scratch, &kept, range);
}

static struct expression_value evaluate_macro(struct evaluation *evaluation,
                                              const struct term *term)
{
    struct expression_list of_map;
    const struct expression_value value = evaluate(evaluation, term->operands[0]);
    if (is_error(value))
        return value;
    const struct expression_list *range = range_of(evaluation, value, &of_map);
    if (!range)
        return expression_error(evaluation->scratch, "expected a list or a map, found %s",
                                expression_value_text(evaluation->scratch, value));
    switch (term->macro) {
    case MACRO_ALL:
    case MACRO_EXISTS: return evaluate_quantifier(evaluation, term, range);
    case MACRO_EXISTS_ONE: return evaluate_exists_one(evaluation, term, range);
    case MACRO_FILTER: return evaluate_filter(evaluation, term, range);
    default: return evaluate_map_macro(evaluation, term, range);
    }
}

static struct expression_value evaluate_name(struct evaluation *evaluation, const struct term *term)
{
    return term->variable ? term->variable->read(evaluation->context, evaluation->scratch)
                          : evaluation->locals[term->local];
}

static struct expression_value evaluate_literal(struct evaluation *evaluation,
                                                const struct term *term)
{
    (void)evaluation;
    return term->literal;
}

static evaluate_kind *const evaluate_by_kind[TERM_MACRO + 1] = {
    [TERM_LITERAL] = evaluate_literal, [TERM_NAME] = evaluate_name,
    [TERM_SELECT] = evaluate_select,   [TERM_HAS] = evaluate_select,
    [TERM_CALL] = evaluate_call,       [TERM_AND] = evaluate_logic,
    [TERM_OR] = evaluate_logic,        [TERM_CONDITIONAL] = evaluate_conditional,
    [TERM_LIST] = evaluate_list,       [TERM_MAP] = evaluate_map,
    [TERM_MACRO] = evaluate_macro,
};

struct expression_value term_evaluate(struct evaluation *evaluation, const struct term *term)
{
    return evaluate(evaluation, term);
}
