/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schemas: how a struct is written in Kubernetes' words.
 *
 * A schema is a table with one row for each field of a mapping: its name, what
 * it holds, and where in the struct that goes. One decoder, one encoder and one
 * set of messages work from these tables for every kind; what is written by
 * hand for a kind is its defaulting and its validation.
 *
 *     static const struct field probe_fields[] = {
 *         FIELD_INT32("periodSeconds", probe, period_seconds, 0, 1, INT32_MAX, 10),
 *         ...
 *     };
 *     const struct schema probe_schema = SCHEMA(probe, probe_fields);
 *
 * Rows are best in the order of the alphabet, which is the order kubectl writes
 * them in: the decoder looks for a name from the row after the last hit on.
 *
 * A struct field that lies deeper in the manifest than in the struct
 * (spec.strategy.rollingUpdate.maxSurge) is described by FIELD_NESTED, a schema
 * over the same struct. The row macros check the type of the member.
 *
 * Null counts as absent, as in the API. Absent fields have these values:
 *   texts          NULL; "" with FIELD_NEVER_NULL. An empty text is read as
 *                  absent, unless FIELD_KEEP_EMPTY says that it differs
 *   numbers        the row's fallback
 *   enums          the row's fallback
 *   instants       TIME_NONE
 *   everything else zeroes
 * The encoder leaves out what is absent: numbers only where absence would mean
 * the same, so reading what was written gives the same struct.
 *
 * Texts are not copied; they stay in the document, which must live as long.
 */
#ifndef FATHOM_OBJECT_SCHEMA_H
#define FATHOM_OBJECT_SCHEMA_H

#include "base/json_out.h"
#include "base/vec.h"
#include "manifest/document.h"
#include "object/meta.h"
#include "object/path.h"
#include "object/quantity.h"
#include "object/reading.h"

#include <stddef.h>

enum field_type {
    FIELD_TYPE_STRING,
    FIELD_TYPE_BOOLEAN,
    FIELD_TYPE_TRISTATE,
    FIELD_TYPE_INT32,
    FIELD_TYPE_INT64,
    FIELD_TYPE_OPTIONAL_INT,
    FIELD_TYPE_DOUBLE,
    FIELD_TYPE_QUANTITY,
    FIELD_TYPE_QUANTITY_POINTER,
    FIELD_TYPE_RESOURCES,
    FIELD_TYPE_LABELS,
    FIELD_TYPE_STRINGS,
    FIELD_TYPE_ENUM,
    FIELD_TYPE_INSTANT,
    FIELD_TYPE_DURATION,
    FIELD_TYPE_INT_OR_PERCENT,
    FIELD_TYPE_STRUCT,
    FIELD_TYPE_POINTER,
    FIELD_TYPE_LIST,
    FIELD_TYPE_HOOK,
    FIELD_TYPE_NOT_MODELLED,
    FIELD_TYPE_REFUSED,
};

enum field_flag {
    FIELD_REQUIRED = 1,   /* absent or empty is an error */
    FIELD_KEEP_EMPTY = 2, /* texts: "" is not the same as absent */
    FIELD_NEVER_NULL = 4, /* texts: absent is "" */
};

/* The names of an enum, ended by a row without a name. */
struct enum_name {
    const char *name;
    int value;
};

struct schema;
struct library;
struct kind_type;

/* A field that fits no type: `base` is the struct of the schema the row is in. */
struct field_hook {
    void (*decode)(struct reading *reading, const struct path *path, const struct value *value,
                   void *base);
    void (*encode)(struct arena *scratch, struct json_out *json, const char *key, const void *base);
    void (*init)(void *base); /* what absent means, if not zeroes; may be NULL */
    /* What it reads, for json_schema.h; without any of these it is taken to read anything. */
    const char *shape;             /* as a JSON Schema */
    const struct schema *schema;   /* a mapping by this table */
    const struct library *library; /* a list of names with parameters */
    const struct kind_type *kind;  /* an object of this kind */
};

struct field {
    const char *name;
    enum field_type type;
    unsigned flags;
    size_t offset;
    size_t count_offset; /* lists */
    union {
        const struct schema *schema;   /* structs, pointers, lists */
        const struct enum_name *names; /* enums */
        const struct field_hook *hook;
        const char *why; /* not modelled: what that means for the verdict */
    };
    int64_t low; /* numbers */
    int64_t high;
    int64_t fallback; /* numbers, enums, booleans, durations */
};

struct schema {
    size_t size;
    const struct field *fields;
    uint32_t field_count;
    bool strict; /* our own kind, or one read strictly upstream: an unknown field is an error */
    /* Names that Kubernetes knows and the model does not use. With this list
     * (ended by NULL) a schema is complete, and any other name gets a warning. */
    const char *const *unused;
};

/* For a schema that is complete by itself. */
extern const char *const nothing_unused[];

/* Fills a struct with what absent fields mean. */
void schema_init(const struct schema *schema, void *base);
/* A new struct in the arena, filled so. */
void *schema_new(struct arena *arena, const struct schema *schema);

/* Reads a mapping into an initialised struct; every problem is reported. */
void schema_decode(struct reading *reading, const struct path *path, const struct schema *schema,
                   const struct value *value, void *base);
/* Reads one value as the row says, as if it were found under the row's name. */
void field_decode(struct reading *reading, const struct path *path, const struct field *field,
                  const struct value *value, void *base);

/* Writes a mapping; without `key` it is an item of a list or the whole. The
 * scratch arena can be rewound afterwards. */
void schema_encode(struct arena *scratch, struct json_out *json, const char *key,
                   const struct schema *schema, const void *base);
/* The same without the braces, into a mapping that is open. */
void schema_encode_fields(struct arena *scratch, struct json_out *json, const struct schema *schema,
                          const void *base);

/* Parts for hooks. They report what is wrong and leave the target alone. */
void string_decode(struct reading *reading, const struct path *path, const struct value *value,
                   const char **target);
void quantity_decode(struct reading *reading, const struct path *path, const struct value *value,
                     struct quantity *target);
bool mapping_expected(struct reading *reading, const struct path *path, const struct value *value);
bool sequence_expected(struct reading *reading, const struct path *path, const struct value *value);

/* For fields that are read and never written. */
void encode_nothing(struct arena *scratch, struct json_out *json, const char *key,
                    const void *base);

/* Reports an unknown name: `unknown field, did you mean "x"?` */
void unknown_field_report(struct reading *reading, const struct path *path,
                          const struct schema *schema, const struct value *mapping,
                          const struct member *member);

#define SCHEMA(tag, rows)                                                              \
    {                                                                                  \
        .size = sizeof(struct tag), .fields = (rows), .field_count = FIELD_COUNT(rows) \
    }
#define SCHEMA_COMPLETE(tag, rows, names)                                               \
    {                                                                                   \
        .size = sizeof(struct tag), .fields = (rows), .field_count = FIELD_COUNT(rows), \
        .unused = (names)                                                               \
    }
#define SCHEMA_STRICT(tag, rows)                                                        \
    {                                                                                   \
        .size = sizeof(struct tag), .fields = (rows), .field_count = FIELD_COUNT(rows), \
        .strict = true                                                                  \
    }
#define SCHEMA_STRICT_COMPLETE(tag, rows, names)                                        \
    {                                                                                   \
        .size = sizeof(struct tag), .fields = (rows), .field_count = FIELD_COUNT(rows), \
        .strict = true, .unused = (names)                                               \
    }
#define FIELD_COUNT(rows) ((uint32_t)(sizeof(rows) / sizeof((rows)[0])))

/* Not defined anywhere: stands for any struct, of which only the types are looked at. */
extern void *field_nowhere;

/* The offset of a member, which must be of the given type. */
#define FIELD_OFFSET(tag, member, ctype) \
    _Generic(((struct tag *)field_nowhere)->member, ctype : offsetof(struct tag, member))

#define FIELD_STRING(key, tag, member, flag)                       \
    {                                                              \
        .name = (key), .type = FIELD_TYPE_STRING, .flags = (flag), \
        .offset = FIELD_OFFSET(tag, member, const char *)          \
    }
#define FIELD_BOOLEAN(key, tag, member, absent)                          \
    {                                                                    \
        .name = (key), .type = FIELD_TYPE_BOOLEAN, .fallback = (absent), \
        .offset = FIELD_OFFSET(tag, member, bool)                        \
    }
#define FIELD_TRISTATE(key, tag, member)                   \
    {                                                      \
        .name = (key), .type = FIELD_TYPE_TRISTATE,        \
        .offset = FIELD_OFFSET(tag, member, enum tristate) \
    }
#define FIELD_INT32(key, tag, member, flag, lowest, highest, absent)                          \
    {                                                                                         \
        .name = (key), .type = FIELD_TYPE_INT32, .flags = (flag), .low = (lowest),            \
        .high = (highest), .fallback = (absent), .offset = FIELD_OFFSET(tag, member, int32_t) \
    }
#define FIELD_INT64(key, tag, member, flag, lowest, highest, absent)                          \
    {                                                                                         \
        .name = (key), .type = FIELD_TYPE_INT64, .flags = (flag), .low = (lowest),            \
        .high = (highest), .fallback = (absent), .offset = FIELD_OFFSET(tag, member, int64_t) \
    }
#define FIELD_OPTIONAL_INT(key, tag, member, lowest, highest)                               \
    {                                                                                       \
        .name = (key), .type = FIELD_TYPE_OPTIONAL_INT, .low = (lowest), .high = (highest), \
        .offset = FIELD_OFFSET(tag, member, struct optional_int)                            \
    }
#define FIELD_DOUBLE(key, tag, member)                                                        \
    {                                                                                         \
        .name = (key), .type = FIELD_TYPE_DOUBLE, .offset = FIELD_OFFSET(tag, member, double) \
    }
#define FIELD_QUANTITY(key, tag, member, flag)                       \
    {                                                                \
        .name = (key), .type = FIELD_TYPE_QUANTITY, .flags = (flag), \
        .offset = FIELD_OFFSET(tag, member, struct quantity)         \
    }
#define FIELD_QUANTITY_POINTER(key, tag, member)               \
    {                                                          \
        .name = (key), .type = FIELD_TYPE_QUANTITY_POINTER,    \
        .offset = FIELD_OFFSET(tag, member, struct quantity *) \
    }
#define FIELD_RESOURCES(key, tag, member)                         \
    {                                                             \
        .name = (key), .type = FIELD_TYPE_RESOURCES,              \
        .offset = FIELD_OFFSET(tag, member, struct resource_list) \
    }
#define FIELD_LABELS(key, tag, member)                     \
    {                                                      \
        .name = (key), .type = FIELD_TYPE_LABELS,          \
        .offset = FIELD_OFFSET(tag, member, struct labels) \
    }
#define FIELD_STRINGS(key, tag, member, flag)                       \
    {                                                               \
        .name = (key), .type = FIELD_TYPE_STRINGS, .flags = (flag), \
        .offset = FIELD_OFFSET(tag, member, struct string_list)     \
    }
#define FIELD_ENUM(key, tag, member, flag, table, absent)                          \
    {                                                                              \
        .name = (key), .type = FIELD_TYPE_ENUM, .flags = (flag), .names = (table), \
        .fallback = (absent), .offset = FIELD_OFFSET(tag, member, unsigned)        \
    }
#define FIELD_INSTANT(key, tag, member)                                                         \
    {                                                                                           \
        .name = (key), .type = FIELD_TYPE_INSTANT, .offset = FIELD_OFFSET(tag, member, int64_t) \
    }
#define FIELD_DURATION(key, tag, member, absent)                          \
    {                                                                     \
        .name = (key), .type = FIELD_TYPE_DURATION, .fallback = (absent), \
        .offset = FIELD_OFFSET(tag, member, int64_t)                      \
    }
#define FIELD_INT_OR_PERCENT(key, tag, member)                     \
    {                                                              \
        .name = (key), .type = FIELD_TYPE_INT_OR_PERCENT,          \
        .offset = FIELD_OFFSET(tag, member, struct int_or_percent) \
    }
/* A struct inside the struct. */
#define FIELD_STRUCT(key, tag, member, flag, sub)                                    \
    {                                                                                \
        .name = (key), .type = FIELD_TYPE_STRUCT, .flags = (flag), .schema = &(sub), \
        .offset = offsetof(struct tag, member)                                       \
    }
/* Deeper in the manifest, but in the same struct. */
#define FIELD_NESTED(key, flag, sub)                                                \
    {                                                                               \
        .name = (key), .type = FIELD_TYPE_STRUCT, .flags = (flag), .schema = &(sub) \
    }
/* A struct of its own, NULL when absent. */
#define FIELD_POINTER(key, tag, member, flag, sub)                                    \
    {                                                                                 \
        .name = (key), .type = FIELD_TYPE_POINTER, .flags = (flag), .schema = &(sub), \
        .offset = offsetof(struct tag, member)                                        \
    }
#define FIELD_LIST(key, tag, member, count_member, flag, sub)                      \
    {                                                                              \
        .name = (key), .type = FIELD_TYPE_LIST, .flags = (flag), .schema = &(sub), \
        .offset = offsetof(struct tag, member),                                    \
        .count_offset = FIELD_OFFSET(tag, count_member, uint32_t)                  \
    }
#define FIELD_HOOK(key, functions)                                   \
    {                                                                \
        .name = (key), .type = FIELD_TYPE_HOOK, .hook = &(functions) \
    }
/* Would change the verdict if it were modelled: a warning when present. */
#define FIELD_NOT_MODELLED(key, effect)                                 \
    {                                                                   \
        .name = (key), .type = FIELD_TYPE_NOT_MODELLED, .why = (effect) \
    }
/* The same where no verdict would be worth anything: an error when present. */
#define FIELD_REFUSED(key, reason)                                 \
    {                                                              \
        .name = (key), .type = FIELD_TYPE_REFUSED, .why = (reason) \
    }

#endif
