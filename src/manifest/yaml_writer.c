/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest/yaml_writer.h"

#include "manifest/scalar.h"

#include <ctype.h>
#include <string.h>

enum { INDENT = 2 };

/* Letters, digits and what cannot be mistaken inside a plain scalar. */
static bool is_plain(const char *string)
{
    if (!isalnum((unsigned char)*string) && *string != '/')
        return false;
    for (const char *c = string; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._/-", *c))
            return false;
    return scalar_resolve(string, strlen(string)) == SCALAR_STRING;
}

void yaml_write_string(struct text *text, const char *string)
{
    struct json_out json;
    if (is_plain(string)) {
        text_append_string(text, string);
        return;
    }
    json_out_init(&json, text, 0);
    json_string(&json, NULL, string);
}

static bool is_block(const struct value *value)
{
    return (value->kind == VALUE_SEQUENCE || value->kind == VALUE_MAPPING) && value->count > 0;
}

static void write_scalar(struct text *text, const struct value *value)
{
    switch ((enum value_kind)value->kind) {
    case VALUE_NULL: text_append_string(text, "null"); break;
    case VALUE_BOOLEAN: text_append_string(text, value->truth ? "true" : "false"); break;
    case VALUE_INTEGER:
    case VALUE_FLOAT: text_append_string(text, value->text); break;
    case VALUE_STRING: yaml_write_string(text, value->text); break;
    case VALUE_SEQUENCE: text_append_string(text, "[]"); break;
    case VALUE_MAPPING: text_append_string(text, "{}"); break;
    }
}

static void write_indent(struct text *text, uint32_t indent)
{
    for (uint32_t i = 0; i < indent; i++)
        text_append_char(text, ' ');
}

/* `begun`: the first line is indented already, as behind "- ". */
static void write_block(struct text *text, const struct value *value, uint32_t indent, bool begun)
{
    for (uint32_t i = 0; i < value->count; i++) {
        const bool is_item = value->kind == VALUE_SEQUENCE;
        const struct value *inner = is_item ? &value->items[i] : &value->members[i].value;
        if (!begun || i > 0)
            write_indent(text, indent);
        if (is_item) {
            text_append_string(text, "- ");
        } else {
            yaml_write_string(text, value->members[i].key);
            text_append_char(text, ':');
        }
        if (!is_block(inner)) {
            if (!is_item)
                text_append_char(text, ' ');
            write_scalar(text, inner);
            text_append_char(text, '\n');
        } else if (is_item) {
            write_block(text, inner, indent + INDENT, true);
        } else {
            text_append_char(text, '\n');
            /* Kubernetes' own writers do not indent lists. */
            write_block(text, inner, inner->kind == VALUE_SEQUENCE ? indent : indent + INDENT,
                        false);
        }
    }
}

void yaml_write(struct text *text, const struct value *value, uint32_t indent)
{
    if (is_block(value)) {
        write_block(text, value, indent, false);
        return;
    }
    write_indent(text, indent);
    write_scalar(text, value);
    text_append_char(text, '\n');
}
