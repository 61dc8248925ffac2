/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The document tree: the content of a manifest, before it is interpreted as an
 * object.
 *
 * YAML and JSON give the same tree. A value is null, a boolean, a number, a
 * string, a sequence or a mapping, and knows the file, line and column it was
 * written at (columns count characters, not bytes). Scalars are resolved as
 * kubectl resolves them (scalar.h).
 *
 * Invariants:
 *   - texts are valid UTF-8, NUL-terminated, without NUL bytes inside;
 *   - the keys of a mapping are strings and differ from each other; merge keys
 *     (`<<`) are merged already;
 *   - nesting is at most DOCUMENT_DEPTH_MOST deep and the number of values is
 *     bounded even where aliases make subtrees appear several times, so that
 *     a plain recursive walk is safe.
 *
 * A tree is immutable and lives in the arena it was read into. Values may be
 * copied as structs: they share their children. An alias is such a copy, with
 * the place of the anchored value.
 */
#ifndef FATHOM_MANIFEST_DOCUMENT_H
#define FATHOM_MANIFEST_DOCUMENT_H

#include "base/error.h"
#include "base/json_out.h"

#include <stdbool.h>
#include <stdint.h>

enum value_kind {
    VALUE_NULL,
    VALUE_BOOLEAN,
    VALUE_INTEGER, /* fits int64_t or uint64_t */
    VALUE_FLOAT,   /* finite */
    VALUE_STRING,
    VALUE_SEQUENCE,
    VALUE_MAPPING,
};

struct member;

/* 32 bytes: a list of 20,000 pods has some three million of these. */
struct value {
    union {
        const char *text;             /* scalars: as written (`0x1F`, `yes`, `~`) */
        const struct value *items;    /* sequences */
        const struct member *members; /* mappings, in the order of the file */
    };
    const char *file;
    uint32_t line;
    uint32_t column;
    uint32_t count; /* bytes of the text, or how many items or members */
    uint8_t kind;   /* enum value_kind */
    bool truth;     /* of a boolean */
};

struct member {
    const char *key;
    uint32_t key_line;
    uint32_t key_column;
    struct value value;
};

/* One Kubernetes object, or whatever else a manifest holds. */
struct document {
    struct value root;
    /* As it is in the file, if something stands for it (object/stand_ins.h); else NULL. */
    const struct value *written;
};

struct documents {
    struct document *items;
    uint32_t count;
    uint32_t capacity;
};

struct place value_place(const struct value *value);
/* Where the key stands; the place for "unknown field" and its like. */
struct place member_place(const struct value *mapping, const struct member *member);

/* The member's value; NULL if there is none, or `mapping` is NULL or no mapping. */
const struct value *value_find(const struct value *mapping, const char *key);
const struct member *value_find_member(const struct value *mapping, const char *key);
/* The member's text if it is a string, otherwise NULL. */
const char *value_find_string(const struct value *mapping, const char *key);

/*
 * Typed reads. False, with the result untouched, if the value is not there, is something
 * else or out of range. A number is read as Kubernetes would after the detour
 * over JSON: `1e3`, `1_000` and `0x3E8` are the integer 1000, `1.5` is none.
 * Strings never become numbers, nor numbers strings.
 */
bool value_read_boolean(const struct value *value, bool *result);
bool value_read_integer(const struct value *value, int64_t *result);
bool value_read_number(const struct value *value, double *result);
bool value_read_string(const struct value *value, const char **result);

/* Null and "not there" (NULL) mean the same to Kubernetes. */
static inline bool value_is_null(const struct value *value)
{
    return !value || value->kind == VALUE_NULL;
}

/* "a string", "a number", "a mapping", ... */
const char *value_kind_name(enum value_kind kind);

/* What was found, for messages: `"three"` (shortened if long), `1.5`, `true`,
 * `null`, `a list`, `a mapping`. */
const char *value_describe(struct arena *arena, const struct value *value);

/* Adds the error "expected WANTED, found ..." at the value's place. */
void value_expected(struct problems *problems, const struct value *value, const char *path,
                    const char *wanted);

/* Same kinds, keys in the same order, equal texts; numbers by their value. */
bool value_equal(const struct value *left, const struct value *right);

void value_write_json(struct json_out *json, const char *key, const struct value *value);

#define VALUE_EACH_ITEM(sequence, item)                \
    for (const struct value *item = (sequence)->items; \
         item != (sequence)->items + (sequence)->count; item++)

#define VALUE_EACH_MEMBER(mapping, member)                 \
    for (const struct member *member = (mapping)->members; \
         member != (mapping)->members + (mapping)->count; member++)

#endif
