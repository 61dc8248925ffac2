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
#include "base/json_out.h"
#include "base/map.h"
#include "object/kind_names.h"
#include "object/meta.h"

struct document; /* manifest/document.h */
struct documents;
struct path; /* object/path.h */
struct pod_template;
struct value;

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

/* Starts out zeroed. */
struct objects {
    struct object *items; /* in the order of reading */
    uint32_t count;
    uint32_t capacity;
    struct map index; /* "Kind/namespace/name" to the number in `items`, plus 1 */
};

struct object_options {
    const char *namespace; /* of objects that name none; NULL: "default" */
    uint32_t ordinal;      /* makes a name from generateName; for object_decode_at alone */
    /* Objects are read and defaulted but not judged: for deciders that are asked about requests
     * before the API server validates them. */
    bool unvalidated;
};

/* Reads all documents, in order, into `objects`. False if anything was wrong;
 * objects with mistakes are left out. NULL options are the usual ones. */
bool object_decode(struct arena *arena, const struct documents *documents,
                   const struct object_options *options, struct objects *objects,
                   struct problems *problems);

/* One more. The same object (kind, namespace, name) twice is an error. */
bool objects_add(struct arena *arena, struct objects *objects, const struct document *document,
                 const struct object_options *options, struct problems *problems);

/* One that is there already, or was made without a document; false, and nothing
 * is added, if there is one of that name. */
bool objects_put(struct arena *arena, struct objects *objects, const struct object *object);

/* An object inside a document: the value at `path` under `root`. With a kind
 * other than OBJECT_OTHER the object is of that kind and need not say so.
 * `object->source` is left NULL. */
bool object_decode_at(struct arena *arena, const struct value *root, const struct path *path,
                      enum object_kind kind, const struct object_options *options,
                      struct object *object, struct problems *problems);

/* NULL when there is none; the namespace of kinds that have none is NULL. */
struct object *objects_find(const struct objects *objects, enum object_kind kind,
                            const char *namespace, const char *name);

/* In Kubernetes' words, as the API server would give it. The scratch arena
 * fills up with short texts; rewind it now and then. Not for OBJECT_OTHER. */
void object_encode(struct arena *scratch, struct json_out *json, const char *key,
                   const struct object *object);

/* A third party's group may use the name of one of Kubernetes' kinds. */
bool api_version_is_foreign(const char *api_version);

/* What the pods of a workload are made from; NULL for kinds that make none. */
struct pod_template *object_pod_template(const struct object *object);

#endif
