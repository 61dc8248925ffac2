/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libyaml names the rule that was broken; people need the place and what to do.
 * The table translates what is met in practice; the rest is passed on.
 */
#include "manifest/yaml_message.h"

#include "manifest/text_reader.h"
#include "manifest/tree_problems.h"

#include <stdbool.h>
#include <string.h>

static const char tabs[] = "tabs are not allowed for indentation; use spaces";

static const struct {
    const char *problem; /* libyaml's */
    const char *message;
    bool at_context; /* the place to look at is where the thing began */
} translations[] = {
    {"mapping values are not allowed in this context",
     "a mapping cannot start here; check the indentation, or quote the text before ':'", false},
    {"could not find expected ':'", "expected ':' after this key", true},
    {"block sequence entries are not allowed in this context",
     "a list item cannot start here; check the indentation", false},
    {"mapping keys are not allowed in this context",
     "a key cannot start here; check the indentation", false},
    {"did not find expected key", "expected a key; check the indentation", false},
    {"did not find expected '-' indicator", "expected a list item; check the indentation", false},
    {"did not find expected ',' or ']'", "expected ',' or ']'", false},
    {"did not find expected ',' or '}'", "expected ',' or '}'", false},
    {"did not find expected <document start>", "expected the end of the document or '---'", false},
    {"did not find expected node content", "expected a value", false},
    {"found unexpected end of stream", "this text in quotes is never closed", true},
    {"found unexpected document indicator", "this text in quotes is never closed", true},
    {"found unknown escape character",
     "unknown escape in a text in double quotes; use single quotes or double the backslash", false},
    {"found a tab character that violates indentation", tabs, false},
    {"found a tab character where an indentation space is expected", tabs, false},
    {"did not find expected alphabetic or numeric character",
     "expected the name of an anchor or alias; quote texts that start with '&' or '*'", true},
    {"did not find expected hexdecimal number", "expected a hexadecimal number after the escape",
     false},
    {"found invalid Unicode character escape code", "the escape is no Unicode character", false},
    {"found undefined tag handle", "this tag's prefix is not declared by a %TAG line", false},
    {"found incompatible YAML document", "only YAML 1.1 and 1.2 are supported", false},
    {"found extra anchors", "a value can have only one anchor", false},
};

static const char *line_start(const char *bytes, size_t count, size_t line)
{
    const char *at = bytes;
    for (; line > 0; line--) {
        at = memchr(at, '\n', (size_t)(bytes + count - at));
        if (!at)
            return NULL;
        at++;
    }
    return at;
}

/* The tab in the white space that this line starts with, if any. */
static bool tab_in_indentation(const char *bytes, size_t count, size_t line, uint32_t *column)
{
    const char *start = line_start(bytes, count, line);
    if (!start)
        return false;
    const char *at = start;
    while (at < bytes + count && *at == ' ')
        at++;
    *column = (uint32_t)(at - start) + 1;
    return at < bytes + count && *at == '\t';
}

static void report_at(struct tree_builder *builder, yaml_mark_t mark, const char *message)
{
    tree_builder_refuse_syntax(builder, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1, "%s",
                               message);
}

static void report_bad_start(struct tree_builder *builder, const yaml_parser_t *parser)
{
    const yaml_mark_t mark = parser->problem_mark;
    const char c =
        parser->buffer.pointer < parser->buffer.last ? (char)*parser->buffer.pointer : ' ';
    tree_builder_refuse_syntax(builder, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1,
                               c > ' ' && c < 0x7F
                                   ? "a text cannot start with '%c'; put it in quotes"
                                   : "a text cannot start with this character",
                               c);
}

static void report_character(struct tree_builder *builder, const yaml_parser_t *parser,
                             const char *bytes)
{
    const struct place place = text_place(NULL, bytes, parser->problem_offset);
    tree_builder_refuse_syntax(builder, place.line, place.column, "character U+%04X is not allowed",
                               (unsigned)parser->problem_value);
}

void yaml_report(struct tree_builder *builder, const yaml_parser_t *parser, const char *bytes,
                 size_t count)
{
    uint32_t column;
    if (parser->error == YAML_MEMORY_ERROR)
        bug("libyaml has no memory");
    if (parser->error == YAML_READER_ERROR) {
        report_character(builder, parser, bytes);
        return;
    }
    if (tab_in_indentation(bytes, count, parser->problem_mark.line, &column)) {
        tree_builder_refuse_syntax(builder, (uint32_t)parser->problem_mark.line + 1, column, "%s",
                                   tabs);
        return;
    }
    if (strcmp(parser->problem, "found character that cannot start any token") == 0) {
        report_bad_start(builder, parser);
        return;
    }
    for (size_t i = 0; i < sizeof(translations) / sizeof(*translations); i++)
        if (strcmp(parser->problem, translations[i].problem) == 0) {
            const bool at_context = translations[i].at_context && parser->context;
            report_at(builder, at_context ? parser->context_mark : parser->problem_mark,
                      translations[i].message);
            return;
        }
    tree_builder_refuse_syntax(builder, (uint32_t)parser->problem_mark.line + 1,
                               (uint32_t)parser->problem_mark.column + 1, "no valid YAML: %s",
                               parser->problem);
}
