/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects: what the manifests mean.
 *
 * object_decode turns a document into a typed object as the API server would
 * have stored it: defaulted and validated. Every problem is reported, with the
 * place of the offending field. Objects live in the arena they were decoded
 * into and keep a pointer to their document, so that a report can point at the
 * line of YAML that matters; the document must live as long.
 *
 * A kind that Fathom does not model is OBJECT_OTHER: its name is known, its
 * content is not looked at.
 */
#ifndef FATHOM_OBJECT_OBJECT_H
#define FATHOM_OBJECT_OBJECT_H

#include "base/error.h"
#include "object/meta.h"

struct document; /* manifest/document.h */

enum object_kind {
    OBJECT_OTHER,
#define OBJECT_KIND(constant, kind, member, type) constant,
#include "object/kinds.def"
#undef OBJECT_KIND
    OBJECT_KIND_COUNT
};

#define OBJECT_KIND(constant, kind, member, type) struct type;
#include "object/kinds.def"
#undef OBJECT_KIND

struct object {
    enum object_kind kind;
    const char *api_version; /* as written */
    const char *kind_name;
    struct place place;
    const struct document *source;
    struct object_meta *meta; /* of the object below; never NULL */
    union {
#define OBJECT_KIND(constant, kind, member, type) struct type *member;
#include "object/kinds.def"
#undef OBJECT_KIND
        void *any;
    } as;
};

struct objects {
    struct object *items; /* in the order of reading */
    uint32_t count;
    uint32_t capacity;
};

#endif
