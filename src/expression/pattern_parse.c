/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text of a pattern: RE2's syntax, with what Go's regexp package refuses. */
#include "expression/pattern_tree.h"

#include "base/vec.h"
#include "expression/character_set.h"

#include <string.h>

enum { GROUPS_INSIDE_MOST = 100, REPEAT_MOST = 1000 };

struct flags {
    bool ignores_case; /* i */
    bool by_lines;     /* m: ^ and $ are at lines, too */
    bool dot_is_any;   /* s */
    bool lazy;         /* U */
};

struct name {
    const char *start;
    size_t length;
};

struct pattern_parser {
    struct arena *arena;
    const char *at;
    struct flags flags;
    uint32_t depth;
    VEC(struct name) names;
    const char *why;
};

typedef VEC(struct pattern_node *) node_list;

static struct pattern_node *parse_alternatives(struct pattern_parser *parser);

/* ---- small things ---- */

static void *fail(struct pattern_parser *parser, const char *why)
{
    if (!parser->why)
        parser->why = why;
    return NULL;
}

static bool take(struct pattern_parser *parser, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(parser->at, text, length) != 0)
        return false;
    parser->at += length;
    return true;
}

/* The character there, which is taken. Texts of expressions are valid UTF-8. */
static uint32_t take_character(struct pattern_parser *parser)
{
    uint32_t character = 0;
    parser->at += character_read(parser->at, &character);
    return character;
}

static struct pattern_node *node(struct pattern_parser *parser, enum pattern_node_kind kind)
{
    struct pattern_node *made = ARENA_NEW(parser->arena, struct pattern_node);
    made->kind = kind;
    return made;
}

static struct pattern_node *assertion(struct pattern_parser *parser, enum assertion what)
{
    struct pattern_node *made = node(parser, NODE_ASSERT);
    made->assertion = what;
    return made;
}

static struct pattern_node *node_of_list(struct pattern_parser *parser, enum pattern_node_kind kind,
                                         const node_list *list)
{
    struct pattern_node *made = node(parser, kind);
    made->items = list->items;
    made->count = list->count;
    return made;
}

static struct pattern_node *node_of_set(struct pattern_parser *parser,
                                        const character_ranges *ranges)
{
    struct pattern_node *made = node(parser, NODE_SET);
    made->set = character_set_of(parser->arena, ranges);
    return made;
}

/* ---- what a set consists of ---- */

/* Adds what was found to the set, with other cases and negated as is asked for. */
static bool add_found(struct pattern_parser *parser, character_ranges *found, bool negated,
                      character_ranges *set)
{
    if (parser->flags.ignores_case && !character_ranges_fold(parser->arena, found))
        return fail(parser, "after (?i) only characters of ASCII can be compared");
    if (negated)
        character_ranges_negate(parser->arena, found);
    for (uint32_t i = 0; i < found->count; i++)
        VEC_PUSH(parser->arena, set, found->items[i]);
    return true;
}

static bool add_range(struct pattern_parser *parser, uint32_t from, uint32_t to,
                      character_ranges *set)
{
    character_ranges found = {0};
    character_ranges_add(parser->arena, &found, from, to);
    return add_found(parser, &found, false, set);
}

static struct pattern_node *parse_literal(struct pattern_parser *parser, uint32_t character)
{
    character_ranges set = {0};
    return add_range(parser, character, character, &set) ? node_of_set(parser, &set) : NULL;
}

static int digit_of(char c, int base)
{
    int digit = -1;
    if (c >= '0' && c <= '9')
        digit = c - '0';
    else if ((c | 32) >= 'a' && (c | 32) <= 'f')
        digit = (c | 32) - 'a' + 10;
    return digit < base ? digit : -1;
}

/* \x41 and \x{1F600}; the x is taken. */
static bool parse_hexadecimal(struct pattern_parser *parser, uint32_t *character)
{
    enum { BASE = 16 };
    const bool braced = take(parser, "{");
    uint32_t count = 0;
    uint32_t number = 0;
    while ((braced || count < 2) && digit_of(*parser->at, BASE) >= 0 && number <= CHARACTER_MOST) {
        number = number * BASE + (uint32_t)digit_of(*parser->at++, BASE);
        count++;
    }
    if (number > CHARACTER_MOST || (braced ? count == 0 || !take(parser, "}") : count < 2))
        return fail(parser, "there is no such character");
    *character = number;
    return true;
}

/* \012: up to three digits, of which the first one is there. One digit from 1 to 7 would be a
 * reference to a group. */
static bool parse_octal(struct pattern_parser *parser, uint32_t *character)
{
    enum { BASE = 8 };
    uint32_t number = 0;
    if (parser->at[0] != '0' && digit_of(parser->at[1], BASE) < 0)
        return fail(parser, "references to groups are no part of patterns");
    for (int i = 0; i < 3 && digit_of(*parser->at, BASE) >= 0; i++)
        number = number * BASE + (uint32_t)digit_of(*parser->at++, BASE);
    *character = number;
    return true;
}

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

/* What stands behind a backslash, if it is one character. */
static bool parse_escape(struct pattern_parser *parser, uint32_t *character)
{
    static const char letters[] = "afnrtv";
    static const char meant[] = "\a\f\n\r\t\v";
    const char c = *parser->at;
    const char *known = c ? strchr(letters, c) : NULL;
    if (c == '\0')
        return fail(parser, "there is nothing behind the backslash at the end");
    if (c >= '0' && c <= '7')
        return parse_octal(parser, character);
    if (take(parser, "x"))
        return parse_hexadecimal(parser, character);
    if (!known && ((unsigned char)c >= 0x80 || (is_word_byte(c) && c != '_')))
        return fail(parser, c == 'p' || c == 'P' ? "classes of Unicode are not supported"
                                                 : "there is no such escape");
    *character = known ? (uint32_t)meant[known - letters] : (uint32_t)c;
    parser->at++;
    return true;
}

/* \d or \D and the like, behind the backslash; false: something else is there. */
static bool take_class(struct pattern_parser *parser, character_ranges *set)
{
    character_ranges found = {0};
    if (!*parser->at || !strchr("dDsSwW", *parser->at))
        return false;
    const bool negated = !(*parser->at & 32);
    character_ranges_add_class(parser->arena, &found, (char)(*parser->at++ | 32));
    return add_found(parser, &found, negated, set);
}

/* ---- sets in brackets ---- */

/* [:alpha:] or [:^alpha:], within brackets. */
static bool parse_named_class(struct pattern_parser *parser, character_ranges *set)
{
    character_ranges found = {0};
    const char *end = strstr(parser->at, ":]");
    const bool negated = take(parser, "^");
    if (!end ||
        !character_ranges_add_named(parser->arena, &found, parser->at, (size_t)(end - parser->at)))
        return fail(parser, "there is no such class of characters");
    parser->at = end + 2;
    return add_found(parser, &found, negated, set);
}

static bool parse_end_of_range(struct pattern_parser *parser, uint32_t *character)
{
    if (*parser->at == '\0')
        return fail(parser, "the set has no end");
    if (take(parser, "\\"))
        return parse_escape(parser, character);
    *character = take_character(parser);
    return true;
}

static bool parse_range(struct pattern_parser *parser, character_ranges *set)
{
    uint32_t from = 0;
    uint32_t to = 0;
    if (!parse_end_of_range(parser, &from))
        return false;
    to = from;
    if (parser->at[0] == '-' && parser->at[1] != ']' && parser->at[1] != '\0') {
        parser->at++;
        if (!parse_end_of_range(parser, &to))
            return false;
    }
    if (from > to)
        return fail(parser, "the range is backwards");
    return add_range(parser, from, to, set);
}

static bool parse_item_of_set(struct pattern_parser *parser, character_ranges *set)
{
    if (parser->at[0] == '[' && parser->at[1] == ':' && strstr(parser->at + 2, ":]")) {
        parser->at += 2;
        return parse_named_class(parser, set);
    }
    if (parser->at[0] == '\\' && parser->at[1] && strchr("dDsSwW", parser->at[1])) {
        parser->at++;
        return take_class(parser, set);
    }
    return parse_range(parser, set);
}

/* The opening bracket is taken. A closing one is a member if it comes first. */
static struct pattern_node *parse_set(struct pattern_parser *parser)
{
    character_ranges set = {0};
    const bool negated = take(parser, "^");
    const char *first = parser->at;
    while (parser->at == first || *parser->at != ']') {
        if (*parser->at == '\0')
            return fail(parser, "the set has no end");
        if (!parse_item_of_set(parser, &set))
            return NULL;
    }
    parser->at++;
    if (negated)
        character_ranges_negate(parser->arena, &set);
    return node_of_set(parser, &set);
}

/* ---- groups ---- */

static bool set_flag(struct flags *flags, char letter, bool on)
{
    switch (letter) {
    case 'i': flags->ignores_case = on; return true;
    case 'm': flags->by_lines = on; return true;
    case 's': flags->dot_is_any = on; return true;
    case 'U': flags->lazy = on; return true;
    default: return false;
    }
}

/* i-sU, up to the colon or the end of the group, which stay. */
static bool parse_flags(struct pattern_parser *parser, struct flags *flags)
{
    bool on = true;
    bool any = false;
    for (; *parser->at != ':' && *parser->at != ')'; parser->at++) {
        if (*parser->at == '-' && on) {
            on = false;
            any = false;
        } else if (set_flag(flags, *parser->at, on)) {
            any = true;
        } else {
            return fail(parser, "there is no such group");
        }
    }
    return on || any || fail(parser, "there is no such group");
}

/* P<name> or <name>; false: it is wrong. What it is called does not matter. */
static bool parse_name(struct pattern_parser *parser)
{
    struct name name = {.start = parser->at};
    while (is_word_byte(*parser->at))
        parser->at++;
    name.length = (size_t)(parser->at - name.start);
    if (name.length == 0 || !take(parser, ">"))
        return fail(parser, "the name of the group is none");
    for (uint32_t i = 0; i < parser->names.count; i++)
        if (parser->names.items[i].length == name.length &&
            strncmp(parser->names.items[i].start, name.start, name.length) == 0)
            return fail(parser, "two groups have one name");
    VEC_PUSH(parser->arena, &parser->names, name);
    return true;
}

/* The opening parenthesis is taken. Flags hold up to the end of the group that they are in. */
static struct pattern_node *parse_group(struct pattern_parser *parser)
{
    const struct flags before = parser->flags;
    struct flags flags = before;
    const node_list nothing = {0};
    if (take(parser, "?P<") || take(parser, "?<")) {
        if (!parse_name(parser))
            return NULL;
    } else if (take(parser, "?")) {
        if (!parse_flags(parser, &flags))
            return NULL;
        parser->flags = flags;
        if (take(parser, ")"))
            return node_of_list(parser, NODE_SEQUENCE, &nothing);
        parser->at++;
    }
    struct pattern_node *inside = parse_alternatives(parser);
    if (inside && !take(parser, ")"))
        return fail(parser, "the group has no end");
    parser->flags = before;
    return inside;
}

/* ---- what can be repeated ---- */

/* \Q...\E, of which \Q is taken. False: it is wrong. */
static bool parse_quoted(struct pattern_parser *parser, node_list *list)
{
    while (*parser->at && !take(parser, "\\E")) {
        struct pattern_node *literal = parse_literal(parser, take_character(parser));
        if (!literal)
            return false;
        VEC_PUSH(parser->arena, list, literal);
    }
    return true;
}

/* The backslash is taken. */
static struct pattern_node *parse_backslash(struct pattern_parser *parser)
{
    character_ranges set = {0};
    uint32_t character = 0;
    if (take(parser, "A"))
        return assertion(parser, ASSERT_TEXT_START);
    if (take(parser, "z"))
        return assertion(parser, ASSERT_TEXT_END);
    if (take(parser, "b"))
        return assertion(parser, ASSERT_WORD_BOUNDARY);
    if (take(parser, "B"))
        return assertion(parser, ASSERT_NO_WORD_BOUNDARY);
    if (take_class(parser, &set))
        return node_of_set(parser, &set);
    return parser->why || !parse_escape(parser, &character) ? NULL
                                                            : parse_literal(parser, character);
}

static struct pattern_node *parse_dot(struct pattern_parser *parser)
{
    character_ranges set = {0};
    if (!parser->flags.dot_is_any)
        character_ranges_add(parser->arena, &set, '\n', '\n');
    character_ranges_negate(parser->arena, &set);
    return node_of_set(parser, &set);
}

static bool take_braces(struct pattern_parser *parser, int *least, int *most);

static struct pattern_node *parse_atom(struct pattern_parser *parser)
{
    int least = 0;
    int most = 0;
    if (take(parser, "("))
        return parse_group(parser);
    if (take(parser, "["))
        return parse_set(parser);
    if (take(parser, "."))
        return parse_dot(parser);
    if (take(parser, "^"))
        return assertion(parser, parser->flags.by_lines ? ASSERT_LINE_START : ASSERT_TEXT_START);
    if (take(parser, "$"))
        return assertion(parser, parser->flags.by_lines ? ASSERT_LINE_END : ASSERT_TEXT_END);
    if (take(parser, "\\"))
        return parse_backslash(parser);
    if (strchr("*+?", *parser->at) || take_braces(parser, &least, &most) || parser->why)
        return fail(parser, "there is nothing to repeat");
    return parse_literal(parser, take_character(parser));
}

/* ---- repetition ---- */

/* Digits without a zero in front; false: there is no number. */
static bool read_number(const char **at, int *number)
{
    const char *start = *at;
    *number = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        if (*number <= REPEAT_MOST)
            *number = *number * 10 + **at - '0';
    return *at > start && (*start != '0' || *at == start + 1);
}

/* {2}, {2,} or {2,5}; anything else in braces is itself. */
static bool take_braces(struct pattern_parser *parser, int *least, int *most)
{
    const char *at = parser->at + 1;
    if (*parser->at != '{' || !read_number(&at, least))
        return false;
    *most = *least;
    if (*at == ',' && at[1] == '}') {
        at++;
        *most = REPEAT_WITHOUT_END;
    } else if (*at == ',') {
        at++;
        if (!read_number(&at, most))
            return false;
    }
    if (*at != '}')
        return false;
    if (*least > REPEAT_MOST || *most > REPEAT_MOST ||
        (*most != REPEAT_WITHOUT_END && *most < *least))
        return fail(parser, "there is no such number of repetitions");
    parser->at = at + 1;
    return true;
}

static bool take_repetition(struct pattern_parser *parser, int *least, int *most)
{
    *least = 0;
    *most = REPEAT_WITHOUT_END;
    if (take(parser, "*"))
        return true;
    if (take(parser, "+")) {
        *least = 1;
        return true;
    }
    if (take(parser, "?")) {
        *most = 1;
        return true;
    }
    return take_braces(parser, least, most);
}

static struct pattern_node *parse_repetition(struct pattern_parser *parser,
                                             struct pattern_node *atom)
{
    int least = 0;
    int most = 0;
    if (!atom || !take_repetition(parser, &least, &most))
        return parser->why ? NULL : atom;
    struct pattern_node *repeated = node(parser, NODE_REPEAT);
    const node_list list = {.items = ARENA_ARRAY(parser->arena, struct pattern_node *, 1)};
    repeated->items = list.items;
    repeated->items[0] = atom;
    repeated->count = 1;
    repeated->least = least;
    repeated->most = most;
    repeated->lazy = take(parser, "?") != parser->flags.lazy;
    if (take_repetition(parser, &least, &most))
        return fail(parser, "a repetition is repeated without a group");
    return parser->why ? NULL : repeated;
}

static struct pattern_node *parse_sequence(struct pattern_parser *parser)
{
    node_list list = {0};
    while (*parser->at && *parser->at != '|' && *parser->at != ')') {
        if (take(parser, "\\Q")) {
            if (!parse_quoted(parser, &list))
                return NULL;
        } else {
            struct pattern_node *atom = parse_atom(parser);
            VEC_PUSH(parser->arena, &list, atom);
        }
        if (list.count == 0)
            continue; /* nothing was quoted */
        struct pattern_node **last = &list.items[list.count - 1];
        *last = parse_repetition(parser, *last);
        if (!*last)
            return NULL;
    }
    return node_of_list(parser, NODE_SEQUENCE, &list);
}

static struct pattern_node *parse_alternatives(struct pattern_parser *parser)
{
    node_list list = {0};
    if (++parser->depth > GROUPS_INSIDE_MOST)
        return fail(parser, "too many groups inside each other");
    do {
        struct pattern_node *sequence = parse_sequence(parser);
        if (!sequence)
            return NULL;
        VEC_PUSH(parser->arena, &list, sequence);
    } while (take(parser, "|"));
    parser->depth--;
    return list.count == 1 ? list.items[0] : node_of_list(parser, NODE_ALTERNATIVES, &list);
}

struct pattern_node *pattern_parse(struct arena *arena, const char *text, const char **why)
{
    struct pattern_parser parser = {.arena = arena, .at = text};
    struct pattern_node *tree = parse_alternatives(&parser);
    if (tree && *parser.at)
        tree = fail(&parser, "a group ends that did not begin");
    *why = parser.why;
    return tree;
}
