/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of documents that are put in order before they are decoded. */
#ifndef FATHOM_OBJECT_WAY_FIXTURE_H
#define FATHOM_OBJECT_WAY_FIXTURE_H

#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct way_fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents;
};

static inline void way_read_file(struct way_fixture *fixture, const char *file, const char *text)
{
    *fixture = (struct way_fixture){0};
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&fixture->problems, &fixture->arena);
    assert_true(manifest_parse(&fixture->arena, file, text, strlen(text), &fixture->documents,
                               &fixture->problems));
}

static inline void way_read(struct way_fixture *fixture, const char *text)
{
    way_read_file(fixture, "a.yaml", text);
}

/* The documents in JSON, one after the other, and the number of warnings. */
static inline void way_expect(struct way_fixture *fixture, uint32_t warnings, const char *expected)
{
    struct text text;
    text_init(&text, &fixture->memory);
    for (uint32_t i = 0; i < fixture->documents.count; i++) {
        struct json_out json;
        json_out_init(&json, &text, 0);
        value_write_json(&json, NULL, &fixture->documents.items[i].root);
        text_append_char(&text, '\n');
    }
    assert_string_equal(text_content(&text), expected);
    assert_int_equal(fixture->problems.count, warnings);
    assert_int_equal(fixture->problems.errors, 0);
    text_release(&text);
    arena_release(&fixture->arena);
}

#endif
