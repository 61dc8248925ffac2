/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A value: what an object of the API, a request, a response or a controller's
 * memory consists of. JSON's six kinds, and two more: a resource version and a
 * uid, which may be copied and compared with one another and nothing else.
 *
 * Values are immutable trees. Whoever makes one gives the arena it lives in; a
 * value may share parts of others that live at least as long. Members of an
 * object are sorted by key, and there is no member whose value is null or which
 * was set to NULL: 'absent' and 'null' are the same, as to the API server. So
 * equal values are equal trees, and `value_equal` compares what is stored, not
 * how it was written down.
 *
 * Numbers are 64-bit integers or doubles; 2 and 2.0 are the same number.
 *
 * In JSON a resource version is written {"$rv":3} and a uid {"$uid":3}
 * (VALUE_TAGGED, what the checker's external controllers read) or as the strings
 * of a real API server: "3" and a uuid made of the number (VALUE_REAL, what the
 * server and the runtime speak).
 */
#ifndef FATHOM_KUBEAPI_VALUE_H
#define FATHOM_KUBEAPI_VALUE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum value_kind {
    VALUE_FALSE,
    VALUE_TRUE,
    VALUE_INTEGER,
    VALUE_DOUBLE,
    VALUE_STRING,
    VALUE_VERSION, /* a resource version */
    VALUE_UID,
    VALUE_LIST,
    VALUE_OBJECT,
};

struct value_member;

struct value {
    enum value_kind kind;
    uint32_t count; /* of a string: bytes; of a list: items; of an object: members */
    uint64_t hash;  /* of the whole tree */
    union {
        int64_t integer;
        double real;
        uint64_t number;  /* of VALUE_VERSION and VALUE_UID */
        const char *text; /* NUL-terminated, UTF-8 */
        const struct value *const *items;
        const struct value_member *members; /* sorted by key */
    };
};

struct value_member {
    const char *key;
    const struct value *value; /* never NULL */
};

/* Making. NULL stands for null wherever a value is given or returned. */
const struct value *value_bool(bool flag);
const struct value *value_integer(struct arena *arena, int64_t number);
const struct value *value_double(struct arena *arena, double number);
const struct value *value_string(struct arena *arena, const char *text);
__attribute__((format(printf, 2, 3))) const struct value *value_printf(struct arena *arena,
                                                                       const char *format, ...);
const struct value *value_version(struct arena *arena, uint64_t number);
const struct value *value_uid(struct arena *arena, uint64_t number);
/* NULL items are left out of neither: a list keeps its length, so they are refused by bug(). */
const struct value *value_list(struct arena *arena, const struct value *const *items,
                               uint32_t count);
/* Members in any order; those whose value is NULL are left out; of equal keys the last counts. */
const struct value *value_object(struct arena *arena, const struct value_member *members,
                                 uint32_t count);

/* Looking. A path is "spec.template.metadata" with "[2]" for items and
 * ["a.b/c"] for keys that hold dots; what is not there is NULL, and looking into
 * NULL or into a scalar gives NULL. */
const struct value *value_member(const struct value *object, const char *key);
const struct value *value_at(const struct value *value, const char *path);
const char *value_text(const struct value *value, const char *fallback);
int64_t value_number(const struct value *value, int64_t fallback);
bool value_equal(const struct value *a, const struct value *b);  /* NULL equals NULL only */
int value_compare(const struct value *a, const struct value *b); /* a total order by content */

/* A copy of `value` in which `path` holds `member` (NULL: is absent); what lies
 * in between is made where it is missing. What did not change is shared. */
const struct value *value_with(struct arena *arena, const struct value *value, const char *path,
                               const struct value *member);
/* All of it anew in another arena. */
const struct value *value_copy(struct arena *arena, const struct value *value);

/* Reading and writing JSON. */
enum value_form { VALUE_TAGGED, VALUE_REAL };

/* One JSON value; NULL with a problem added if it is malformed (a plain null
 * gives NULL without one). VALUE_REAL turns the string of
 * metadata.resourceVersion and the uids of metadata and ownerReferences into
 * VALUE_VERSION and VALUE_UID, where they are such as we write them. */
const struct value *value_read(struct arena *arena, enum value_form form, struct place place,
                               const char *bytes, size_t count, struct problems *problems);
void value_write(struct text *text, enum value_form form, const struct value *value);

struct document;
/* A part of a YAML or JSON manifest as a value, read as VALUE_TAGGED. */
const struct value *value_of_document(struct arena *arena, const struct document *document,
                                      struct problems *problems);

#endif
