/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_out.h"

#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_out_init(struct json_out *json, struct text *text, int indent)
{
    *json = (struct json_out){.text = text, .indent = indent};
}

static void new_line(struct json_out *json)
{
    if (json->indent == 0)
        return;
    text_append_char(json->text, '\n');
    for (int i = 0; i < json->depth * json->indent; i++)
        text_append_char(json->text, ' ');
}

static void quote(struct text *text, const char *bytes, size_t length)
{
    text_append_char(text, '"');
    size_t plain = 0; /* start of the run that needs no escape */
    for (size_t i = 0; i < length;) {
        const unsigned char c = (unsigned char)bytes[i];
        const size_t width = c < 0x80 ? 1 : utf8_length(bytes + i, length - i);
        if (width > 0 && c >= 0x20 && c != '"' && c != '\\') {
            i += width;
            continue;
        }
        text_append(text, bytes + plain, i - plain);
        if (width == 0)
            text_append_string(text, "\xEF\xBF\xBD");
        else if (c == '"' || c == '\\')
            text_printf(text, "\\%c", c);
        else if (c == '\n')
            text_append_string(text, "\\n");
        else if (c == '\t')
            text_append_string(text, "\\t");
        else
            text_printf(text, "\\u%04x", c);
        plain = ++i;
    }
    text_append(text, bytes + plain, length - plain);
    text_append_char(text, '"');
}

/* Everything that stands before a value: comma, line break, key. */
static void begin_value(struct json_out *json, const char *key)
{
    if (json->filled[json->depth])
        text_append_char(json->text, ',');
    if (json->depth > 0)
        new_line(json);
    json->filled[json->depth] = true;
    if (key) {
        quote(json->text, key, strlen(key));
        text_append_string(json->text, json->indent ? ": " : ":");
    }
}

static void open_container(struct json_out *json, const char *key, char bracket)
{
    begin_value(json, key);
    text_append_char(json->text, bracket);
    json->depth++;
    assert(json->depth < JSON_OUT_DEPTH_MOST);
    json->filled[json->depth] = false;
}

static void close_container(struct json_out *json, char bracket)
{
    assert(json->depth > 0);
    const bool filled = json->filled[json->depth--];
    if (filled)
        new_line(json);
    text_append_char(json->text, bracket);
}

void json_object_begin(struct json_out *json, const char *key)
{
    open_container(json, key, '{');
}

void json_object_end(struct json_out *json)
{
    close_container(json, '}');
}

void json_array_begin(struct json_out *json, const char *key)
{
    open_container(json, key, '[');
}

void json_array_end(struct json_out *json)
{
    close_container(json, ']');
}

void json_string(struct json_out *json, const char *key, const char *value)
{
    if (!value)
        json_null(json, key);
    else
        json_string_of(json, key, value, strlen(value));
}

void json_string_of(struct json_out *json, const char *key, const char *bytes, size_t length)
{
    begin_value(json, key);
    quote(json->text, bytes, length);
}

void json_integer(struct json_out *json, const char *key, int64_t value)
{
    begin_value(json, key);
    text_printf(json->text, "%" PRId64, value);
}

void json_unsigned(struct json_out *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    text_printf(json->text, "%" PRIu64, value);
}

void json_number(struct json_out *json, const char *key, double value)
{
    begin_value(json, key);
    if (!isfinite(value)) {
        text_append_string(json->text, "null");
        return;
    }
    /* Few digits are tried first; 17 are always enough. */
    char digits[48];
    int precision = 0;
    do
        snprintf(digits, sizeof(digits), "%.*e", precision, value);
    while (strtod(digits, NULL) != value && ++precision <= 16);
    const int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent >= -6 && exponent < 21)
        snprintf(digits, sizeof(digits), "%.*f", precision > exponent ? precision - exponent : 0,
                 value);
    text_append_string(json->text, digits);
}

void json_boolean(struct json_out *json, const char *key, bool value)
{
    json_raw(json, key, value ? "true" : "false");
}

void json_null(struct json_out *json, const char *key)
{
    json_raw(json, key, "null");
}

void json_raw(struct json_out *json, const char *key, const char *value)
{
    begin_value(json, key);
    text_append_string(json->text, value);
}

void json_append_to_html(struct text *text, const char *json, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (json[i] == '<')
            text_append_string(text, "\\u003c");
        else
            text_append_char(text, json[i]);
}
