/* SPDX-License-Identifier: Apache-2.0 */
#include "expressions/random_expression.h"

#include "decide/controller/random_test.h"

#include <stdarg.h>
#include <string.h>

enum { VARIABLES_MOST = 8, DEPTH_MOST = 5 };

struct named {
    char name;
    const struct expression_type *type;
};

struct author {
    struct text *text;
    struct dice dice;
    const struct random_boxes *boxes;
    bool late;
    struct named variables[VARIABLES_MOST]; /* of macros; inner ones may hide outer ones */
    uint32_t variable_count;
};

static const struct expression_type
    list_of_double = {.kind = EXPRESSION_LIST, .element = &expression_double},
    list_of_lists = {.kind = EXPRESSION_LIST, .element = &expression_list_of_int},
    map_of_int = {.kind = EXPRESSION_MAP, .element = &expression_int},
    map_by_int = {.kind = EXPRESSION_MAP, .element = &expression_string, .key = &expression_int};

#define B &expression_bool
#define I &expression_int
#define D &expression_double
#define S &expression_string
#define U &expression_duration
#define Q &expression_quantity

static const struct expression_type *const types[] = {B,
                                                      I,
                                                      D,
                                                      S,
                                                      U,
                                                      Q,
                                                      &expression_list_of_int,
                                                      &expression_list_of_string,
                                                      &list_of_double,
                                                      &list_of_lists,
                                                      &map_of_int,
                                                      &map_by_int};

enum { PLAIN = 6, ALL = sizeof(types) / sizeof(types[0]) };

static const struct expression_type *any_of(struct author *author, uint32_t count)
{
    return types[dice_roll(&author->dice, count)];
}

static void write_value(struct author *author, const struct expression_type *type, int depth);

/* Each @ stands for an expression of the next type. */
static void write_with(struct author *author, int depth, const char *pattern, ...)
{
    va_list arguments;
    va_start(arguments, pattern);
    for (const char *at = pattern; *at; at++)
        if (*at == '@')
            write_value(author, va_arg(arguments, const struct expression_type *), depth - 1);
        else
            text_append_char(author->text, *at);
    va_end(arguments);
}

/* ---- what the text gives ---- */

static const char *literal(struct author *author, enum expression_type_kind kind)
{
    static const char *const of[][8] = {
        [EXPRESSION_BOOL] = {"true", "false", "true", "false", "true", "false", "1 > 2", "true"},
        [EXPRESSION_INT] = {"0", "1", "2", "-1", "3", "1", "0", "9223372036854775807"},
        [EXPRESSION_DOUBLE] = {"0.0", "1.0", "1.5", "-2.5", "1e3", "1e-7", "1e300", "2.0"},
        [EXPRESSION_STRING] = {"''", "'a'", "'web'", "'12'", "'\xc3\xa9t\xc3\xa9'", "' a '",
                               "'true'", "'a,b'"},
        [EXPRESSION_DURATION] = {"duration('0')", "duration('90s')", "duration('-1500ms')",
                                 "duration('1h')", "duration('1ms')", "duration('1ns')",
                                 "duration('1h')", "duration('90s')"},
        [EXPRESSION_QUANTITY] = {"quantity('0')", "quantity('500m')", "quantity('1Gi')",
                                 "quantity('2')", "quantity('-1')", "quantity('1G')",
                                 "quantity('2')", "quantity('1n')"},
    };
    return of[kind][dice_roll(&author->dice, 8)];
}

static void write_leaf(struct author *author, const struct expression_type *type)
{
    const char *before = author->late ? "dyn(" : "(";
    if (type->kind == EXPRESSION_LIST)
        write_with(author, 0, dice_hit(&author->dice, 3) ? "[@]" : "[@, @]", type->element,
                   type->element);
    else if (type->kind == EXPRESSION_MAP)
        write_with(author, 0, "{@: @}", expression_type_key(type), type->element);
    else if (type == author->boxes->bag)
        text_printf(author->text, "%sboxes)", before);
    else if (type == author->boxes->box)
        text_append_string(author->text, "[boxes].map(b, b)[0]"); /* no box: it is refused */
    else
        text_printf(author->text, "%s%s)", before, literal(author, type->kind));
}

/* A variable of the type, if there is one that is not hidden. */
static bool write_variable(struct author *author, const struct expression_type *type)
{
    for (uint32_t i = author->variable_count; i > 0; i--) {
        const struct named *variable = &author->variables[i - 1];
        bool hidden = false;
        for (uint32_t j = i; j < author->variable_count; j++)
            hidden |= author->variables[j].name == variable->name;
        if (!hidden && variable->type == type && !dice_hit(&author->dice, 3)) {
            text_append_char(author->text, variable->name);
            return true;
        }
    }
    return false;
}

/* ---- macros ---- */

/* The range, the name of the macro and its variable, up to the comma behind it. */
static void begin_macro(struct author *author, const struct expression_type *range,
                        const char *macro, int depth)
{
    const char name = (char)('x' + dice_roll(&author->dice, 3));
    write_value(author, range, depth - 1);
    text_printf(author->text, ".%s(%c, ", macro, name);
    author->variables[author->variable_count++] = (struct named){
        name, range->kind == EXPRESSION_MAP ? expression_type_key(range) : range->element};
}

static void end_macro(struct author *author)
{
    author->variable_count--;
    text_append_char(author->text, ')');
}

static const struct expression_type *any_range(struct author *author)
{
    static const uint32_t ranges = ALL - PLAIN;
    const uint64_t which = (uint64_t)dice_roll(&author->dice, ranges + 3);
    return which < ranges ? types[PLAIN + which] : author->boxes->bag;
}

static void write_quantifier(struct author *author, int depth)
{
    static const char *const macros[] = {"all", "exists", "exists_one"};
    begin_macro(author, any_range(author), macros[dice_roll(&author->dice, 3)], depth);
    write_value(author, B, depth - 1);
    end_macro(author);
}

/* A list of the type, of whatever there is. */
static void write_list(struct author *author, const struct expression_type *type, int depth)
{
    switch (dice_roll(&author->dice, 5)) {
    case 0:
        if (dice_hit(&author->dice, 3))
            write_with(author, depth, "(@ + [dyn(@)])", type, any_of(author, ALL));
        else
            write_with(author, depth, "(@ + @)", type, type);
        break;
    case 1:
        begin_macro(author, type, "filter", depth);
        write_value(author, B, depth - 1);
        end_macro(author);
        break;
    case 2:
        begin_macro(author, types[PLAIN + dice_roll(&author->dice, ALL - PLAIN)], "map", depth);
        if (dice_hit(&author->dice, 3))
            write_with(author, depth, "@, ", B);
        write_value(author, type->element, depth - 1);
        end_macro(author);
        break;
    default: write_with(author, depth, "[@, @]", type->element, type->element);
    }
}

static void write_bag(struct author *author, int depth)
{
    begin_macro(author, author->boxes->bag, "filter", depth);
    write_value(author, B, depth - 1);
    end_macro(author);
}

/* ---- by type ---- */

static void write_bool(struct author *author, int depth)
{
    static const char *const relations[] = {"(@ < @)", "(@ <= @)", "(@ > @)", "(@ >= @)"};
    static const char *const of_texts[] = {"@.contains(@)", "@.startsWith(@)", "@.endsWith(@)",
                                           "@.matches(@)"};
    const struct expression_type *type = any_of(author, ALL);
    switch (dice_roll(&author->dice, 12)) {
    case 0: write_with(author, depth, "(@ && @)", B, B); break;
    case 1: write_with(author, depth, "(@ || @)", B, B); break;
    case 2: write_with(author, depth, "!@", B); break;
    case 3: write_with(author, depth, "(@ == @)", type, type); break;
    case 4: write_with(author, depth, "(@ != @)", type, type); break;
    case 5: write_with(author, depth, relations[dice_roll(&author->dice, 4)], I, D); break;
    case 6:
        type = any_of(author, PLAIN - 1);
        write_with(author, depth, relations[dice_roll(&author->dice, 4)], type, type);
        break;
    case 7: write_with(author, depth, of_texts[dice_roll(&author->dice, 4)], S, S); break;
    case 8: write_with(author, depth, "(@ in @)", I, &expression_list_of_int); break;
    case 9: write_with(author, depth, "(@ in @)", S, &map_of_int); break;
    case 10: write_with(author, depth, "has(@.a)", &map_of_int); break;
    default: write_quantifier(author, depth);
    }
}

static void write_int(struct author *author, int depth)
{
    static const char *const signs[] = {"(@ + @)", "(@ - @)", "(@ * @)", "(@ / @)"};
    switch (dice_roll(&author->dice, 9)) {
    case 0:
    case 1: write_with(author, depth, signs[dice_roll(&author->dice, 4)], I, I); break;
    case 2: write_with(author, depth, "@.size()", any_range(author)); break;
    case 3: write_with(author, depth, "@.size()", S); break;
    case 4: write_with(author, depth, "@.sum()", &expression_list_of_int); break;
    case 5: write_with(author, depth, "([@] + @).max()", I, &expression_list_of_int); break;
    case 6: write_with(author, depth, "@.indexOf(@)", S, S); break;
    case 7: write_with(author, depth, "(@ % 7)", I); break;
    default:
        begin_macro(author, author->boxes->bag, "map", depth);
        write_value(author, I, depth - 1);
        end_macro(author);
        text_append_string(author->text, dice_hit(&author->dice, 2) ? ".sum()" : ".min()");
    }
}

static void write_double(struct author *author, int depth)
{
    static const char *const signs[] = {"(@ + @)", "(@ - @)", "(@ * @)", "(@ / @)"};
    switch (dice_roll(&author->dice, 4)) {
    case 0: write_with(author, depth, "double(@)", I); break;
    case 1: write_with(author, depth, "([@] + @).min()", D, &list_of_double); break;
    case 2: write_with(author, depth, "-@", D); break;
    default: write_with(author, depth, signs[dice_roll(&author->dice, 4)], D, D);
    }
}

static void write_string(struct author *author, int depth)
{
    switch (dice_roll(&author->dice, 7)) {
    case 0: write_with(author, depth, "(@ + @)", S, S); break;
    case 1: write_with(author, depth, "string(@)", any_of(author, PLAIN - 1)); break;
    case 2: write_with(author, depth, "(@ + 'xyz').substring(1, 3)", S); break;
    case 3: write_with(author, depth, "(@ + 'xy').charAt(@.size() % 2)", S, S); break;
    case 4: write_with(author, depth, "@.join(@)", &expression_list_of_string, S); break;
    case 5: write_with(author, depth, "@.map(k, k).map(k, string(k)).join()", &map_by_int); break;
    default: write_with(author, depth, "@.replace(@, @)", S, S, S);
    }
}

/* What every type can be. */
static void write_any(struct author *author, const struct expression_type *type, int depth)
{
    switch (dice_roll(&author->dice, 4)) {
    case 0: write_with(author, depth, "(@ ? @ : @)", B, type, type); break;
    case 1: write_with(author, depth, "{'a': @, @: @}.a", type, S, type); break;
    case 2: write_with(author, depth, "dyn(@)", type); break;
    default:
        write_with(author, depth, dice_hit(&author->dice, 2) ? "[@, @][0]" : "[@, @][dyn(1.0)]",
                   type, type);
    }
}

static void write_made(struct author *author, const struct expression_type *type, int depth)
{
    if (type->kind == EXPRESSION_BOOL)
        write_bool(author, depth);
    else if (type->kind == EXPRESSION_INT)
        write_int(author, depth);
    else if (type->kind == EXPRESSION_DOUBLE)
        write_double(author, depth);
    else if (type->kind == EXPRESSION_STRING)
        write_string(author, depth);
    else if (type->kind == EXPRESSION_DURATION)
        write_with(author, depth, dice_hit(&author->dice, 2) ? "(@ + @)" : "(@ - @)", U, U);
    else if (type->kind == EXPRESSION_QUANTITY)
        write_with(author, depth, dice_hit(&author->dice, 2) ? "@.add(@)" : "@.sub(@)", Q, Q);
    else if (type->kind == EXPRESSION_LIST)
        write_list(author, type, depth);
    else if (type == author->boxes->bag)
        write_bag(author, depth);
    else
        write_leaf(author, type);
}

/* A field of a box that is a variable: false, there is none of the type. */
static bool write_field(struct author *author, const struct expression_type *type)
{
    const struct expression_class *class = author->boxes->box->class;
    for (uint32_t i = 0; i < class->field_count; i++)
        if (class->fields[i].type == type && write_variable(author, author->boxes->box)) {
            text_printf(author->text, ".%s", class->fields[i].name);
            return true;
        }
    return false;
}

static void write_value(struct author *author, const struct expression_type *type, int depth)
{
    const bool is_full = author->variable_count == VARIABLES_MOST;
    if (dice_hit(&author->dice, 200))
        type = any_of(author, ALL); /* which is refused, or fails */
    if (write_variable(author, type) || (dice_hit(&author->dice, 2) && write_field(author, type)))
        return;
    if (depth <= 0 || is_full || type == author->boxes->box)
        write_leaf(author, type);
    else if (dice_hit(&author->dice, 7))
        write_any(author, type, depth);
    else
        write_made(author, type, depth);
}

void random_expression(struct text *text, uint64_t seed, const struct random_boxes *boxes,
                       bool late)
{
    struct author author = {.text = text, .dice = {.state = seed}, .boxes = boxes, .late = late};
    const struct expression_type *type = any_of(&author, ALL);
    write_value(&author, type, DEPTH_MOST);
}
