/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the bytes of a file and the tree builder: the check that the bytes
 * are text at all, and the two readers, YAML and JSON.
 *
 * kubectl takes a file that starts with `{` for JSON and falls back to YAML
 * when it is not. So do we: JSON proper is read several times faster than as
 * YAML, and allows what YAML 1.1 does not (`\ud83d\ude00`, keys of more than
 * 1,024 characters, objects one after the other without `---`).
 */
#ifndef FATHOM_MANIFEST_TEXT_READER_H
#define FATHOM_MANIFEST_TEXT_READER_H

#include "base/vec.h"
#include "manifest/tree_builder.h"

struct roots {
    struct value *items;
    uint32_t count;
    uint32_t capacity;
};

/* Refuses what is not UTF-8 text. Gives the number of bytes to skip at the
 * start (a byte order mark) in `*skip`. */
bool text_check(const char *bytes, size_t count, struct place start, size_t *skip,
                struct problems *problems);

/* Line and column of an offset, both from 1. */
struct place text_place(const char *file, const char *bytes, size_t offset);

/* Adds the root of every document that is not empty to `roots`, in the
 * builder's arena. False if anything was wrong. */
bool yaml_read(struct tree_builder *builder, const char *bytes, size_t count, struct roots *roots);

enum json_outcome {
    JSON_READ,
    JSON_REFUSED, /* JSON, but something was wrong and has been reported */
    JSON_NO_JSON, /* a syntax error, told in `json_syntax` and not reported */
};

struct json_syntax {
    const char *message;
    uint32_t line;
    uint32_t column;
};

/* `start` is the place of the first byte. With `several`, values may follow
 * one another. */
enum json_outcome json_read(struct tree_builder *builder, const char *bytes, size_t count,
                            struct place start, bool several, struct roots *roots,
                            struct json_syntax *syntax);

#endif
