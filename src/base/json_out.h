/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON into a text, value by value.
 *
 * Commas, quoting and (if asked for) indentation are taken care of; what is
 * left to the caller is to close what was opened. Inside an object every value
 * has a key, inside an array `key` is NULL:
 *
 *     struct json_out json;
 *     json_out_init(&json, &text, 2);
 *     json_object_begin(&json, NULL);
 *     json_string(&json, "verdict", "holds");
 *     json_object_end(&json);
 *
 * Strings are UTF-8; bytes that are not are written as U+FFFD, so that the
 * output is always valid JSON.
 */
#ifndef FATHOM_BASE_JSON_OUT_H
#define FATHOM_BASE_JSON_OUT_H

#include "base/text.h"

#include <stdbool.h>

enum { JSON_OUT_DEPTH_MOST = 128 };

struct json_out {
    struct text *text;
    int indent; /* spaces a level; 0: everything on one line */
    int depth;
    bool filled[JSON_OUT_DEPTH_MOST]; /* the container at this depth has a value already */
};

void json_out_init(struct json_out *json, struct text *text, int indent);

void json_object_begin(struct json_out *json, const char *key);
void json_object_end(struct json_out *json);
void json_array_begin(struct json_out *json, const char *key);
void json_array_end(struct json_out *json);

void json_string(struct json_out *json, const char *key, const char *value); /* NULL: null */
void json_string_of(struct json_out *json, const char *key, const char *bytes, size_t length);
void json_integer(struct json_out *json, const char *key, int64_t value);
void json_unsigned(struct json_out *json, const char *key, uint64_t value);
/* The fewest digits that give the number back; an exponent only below 1e-6 and from 1e21 on. */
void json_number(struct json_out *json, const char *key, double value);
void json_boolean(struct json_out *json, const char *key, bool value);
void json_null(struct json_out *json, const char *key);
/* A finished JSON text, written as it is. */
void json_raw(struct json_out *json, const char *key, const char *value);

/* JSON inside of an element of HTML: no "<" is left that could end or open one. It can only stand
 * in strings, where an escape means the same. */
void json_append_to_html(struct text *text, const char *json, size_t length);

#endif
