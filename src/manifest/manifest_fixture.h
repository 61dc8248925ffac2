/* SPDX-License-Identifier: Apache-2.0 */
/* For the tests of this folder: everything that reading needs, and the result
 * as text. Included after cmocka.h. */
#ifndef FATHOM_MANIFEST_MANIFEST_FIXTURE_H
#define FATHOM_MANIFEST_MANIFEST_FIXTURE_H

#include "base/text.h"
#include "manifest/manifest.h"

#include <string.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct documents documents;
    struct text told; /* the documents as JSON, or the messages */
};

static inline void set_up(struct fixture *fixture)
{
    memset(fixture, 0, sizeof(*fixture));
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&fixture->problems, &fixture->arena);
    text_init(&fixture->told, &fixture->memory);
}

static inline void tear_down(struct fixture *fixture)
{
    text_release(&fixture->told);
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
}

/* The messages, one a line, or else the documents, one a line. */
static inline const char *tell(struct fixture *fixture)
{
    text_reset(&fixture->told);
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        text_printf(&fixture->told, "%s\n",
                    problem_format(&fixture->arena, &fixture->problems.items[i]));
    for (uint32_t i = 0; fixture->problems.count == 0 && i < fixture->documents.count; i++) {
        struct json_out json;
        json_out_init(&json, &fixture->told, 0);
        value_write_json(&json, NULL, &fixture->documents.items[i].root);
        text_append_char(&fixture->told, '\n');
    }
    return text_content(&fixture->told);
}

static inline bool parse(struct fixture *fixture, const char *text, size_t length)
{
    return manifest_parse(&fixture->arena, "a.yaml", text, length, &fixture->documents,
                          &fixture->problems);
}

#endif
