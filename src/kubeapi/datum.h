/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A datum: what an object of the API, a request, a response or a controller's
 * memory consists of. JSON's six kinds, and two more: a resource version and a
 * uid, which may be copied and compared with one another and nothing else.
 *
 * Values are immutable trees. Whoever makes one gives the arena it lives in; a
 * value may share parts of others that live at least as long. Members of an
 * object are sorted by key, and there is no member whose value is null or which
 * was set to NULL: 'absent' and 'null' are the same, as to the API server. So
 * equal values are equal trees, and `datum_equal` compares what is stored, not
 * how it was written down.
 *
 * Numbers are 64-bit integers or doubles; 2 and 2.0 are the same number.
 *
 * In JSON a resource version is written {"$rv":3} and a uid {"$uid":3}
 * (DATUM_TAGGED, what the checker's external controllers read) or as the strings
 * of a real API server: "3" and a uuid made of the number (DATUM_REAL, what the
 * server and the runtime speak).
 */
#ifndef FATHOM_KUBEAPI_DATUM_H
#define FATHOM_KUBEAPI_DATUM_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum datum_kind {
    DATUM_FALSE,
    DATUM_TRUE,
    DATUM_INTEGER,
    DATUM_DOUBLE,
    DATUM_STRING,
    DATUM_VERSION, /* a resource version */
    DATUM_UID,
    DATUM_LIST,
    DATUM_OBJECT,
};

struct datum_member;

struct datum {
    enum datum_kind kind;
    uint32_t count; /* of a string: bytes; of a list: items; of an object: members */
    uint64_t hash;  /* of the whole tree */
    union {
        int64_t integer;
        double real;
        uint64_t number;  /* of DATUM_VERSION and DATUM_UID */
        const char *text; /* NUL-terminated, UTF-8 */
        const struct datum *const *items;
        const struct datum_member *members; /* sorted by key */
    };
};

struct datum_member {
    const char *key;
    const struct datum *value; /* never NULL */
};

/* Making. NULL stands for null wherever a value is given or returned. */
const struct datum *datum_bool(bool flag);
const struct datum *datum_integer(struct arena *arena, int64_t number);
const struct datum *datum_double(struct arena *arena, double number);
const struct datum *datum_string(struct arena *arena, const char *text);
const struct datum *datum_version(struct arena *arena, uint64_t number);
const struct datum *datum_uid(struct arena *arena, uint64_t number);
/* An item must not be NULL: a list keeps its length, so such an item ends in bug(). */
const struct datum *datum_list(struct arena *arena, const struct datum *const *items,
                               uint32_t count);
/* Members in any order; those whose value is NULL are left out; of equal keys the last counts. */
const struct datum *datum_object(struct arena *arena, const struct datum_member *members,
                                 uint32_t count);

/* Looking. A path is "spec.template.metadata" with "[2]" (or ".2") for items and
 * ["a.b/c"] for keys that hold dots; what is not there is NULL, and looking into
 * NULL or into a scalar gives NULL. */
const struct datum *datum_member(const struct datum *object, const char *key);
bool datum_path_is_well_formed(const char *path); /* others end in bug() */
const struct datum *datum_at(const struct datum *value, const char *path);

/* Keys of a path that stand for others. */
struct datum_keys {
    bool (*fits)(const struct datum_keys *keys, const char *part, size_t length, const char *key);
};
const struct datum *datum_at_keys(const struct datum *value, const char *path,
                                  const struct datum_keys *keys);

const char *datum_text(const struct datum *value, const char *fallback);
int64_t datum_number(const struct datum *value, int64_t fallback);
bool datum_equal(const struct datum *a, const struct datum *b);  /* NULL equals NULL only */
int datum_compare(const struct datum *a, const struct datum *b); /* a total order by content */

/* A copy of `value` in which `path` holds `member` (NULL: is absent); what lies
 * in between is made where it is missing. What did not change is shared. */
const struct datum *datum_with(struct arena *arena, const struct datum *value, const char *path,
                               const struct datum *member);
/* All of it anew in another arena. */
const struct datum *datum_copy(struct arena *arena, const struct datum *value);

/* Reading and writing JSON. */
enum datum_form { DATUM_TAGGED, DATUM_REAL };

/* One JSON value; NULL with a problem added if it is malformed (a plain null
 * gives NULL without one). DATUM_REAL turns the string of
 * metadata.resourceVersion and the uids of metadata and ownerReferences into
 * DATUM_VERSION and DATUM_UID, where they are such as we write them. */
const struct datum *datum_read(struct arena *arena, enum datum_form form, struct place place,
                               const char *bytes, size_t count, struct problems *problems);
void datum_write(struct text *text, enum datum_form form, const struct datum *value);

struct value;
/* A part of a YAML or JSON manifest (manifest/document.h), read as DATUM_TAGGED. */
const struct datum *datum_of_value(struct arena *arena, const struct value *value,
                                   struct problems *problems);

#endif
