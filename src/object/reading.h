/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reading of one document: what decoding and validation pass along, and how
 * they say what is wrong.
 *
 * The first READING_PROBLEMS_MOST problems of a document are listed and the
 * other errors only counted: a user who gave the wrong file does not want a
 * million lines, and finding the place of each takes time.
 */
#ifndef FATHOM_OBJECT_READING_H
#define FATHOM_OBJECT_READING_H

#include "base/vec.h"
#include "manifest/document.h"
#include "object/path.h"

enum { READING_PROBLEMS_MOST = 100 };

struct reading {
    struct arena *arena; /* of the objects */
    struct problems *problems;
    const struct value *root; /* of the document; paths start here */
    VEC(const char *) broken; /* paths of the fields that could not be read */
    uint32_t told;            /* problems of this document that were reported */
    bool unvalidated;         /* what the API server would refuse is read as it is */
};

void reading_init(struct reading *reading, struct arena *arena, const struct value *root,
                  struct problems *problems);

/* Reports a field of the wrong type; validation reports nothing about it afterwards. */
void reading_expected(struct reading *reading, const struct path *path, const struct value *value,
                      const char *wanted);

/* Reports an unknown name with `message`, at the place of the key. */
void reading_unknown(struct reading *reading, const struct path *path, const struct value *mapping,
                     const struct member *member, enum problem_kind kind, const char *message);

/* Validation: nothing is said about a field that could not be read, what
 * contains it and what is in it, since that would only be noise. */
__attribute__((format(printf, 3, 4))) void
reading_error(struct reading *reading, const struct path *path, const char *format, ...);
__attribute__((format(printf, 3, 4))) void
reading_warning(struct reading *reading, const struct path *path, const char *format, ...);

/* False if something at, above or below the path could not be read. */
bool reading_is_sound(const struct reading *reading, const struct path *path);

/* Reports a required field that is missing, at the place of the value that should have it. */
void reading_missing(struct reading *reading, const struct path *path);

#endif
