/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cluster's records say about its changes, before causes are inferred:
 * notes, one for each write, refused write or Event, about things, the objects of
 * the cluster.
 *
 * Audit logs, dumps of objects, Events and recordings (docs/trace.md) all become
 * notes. A note is small, whatever the size of the object that it is about, so
 * that logs of gigabytes fit. An object that is made again under the same name is
 * the same thing.
 *
 * A collection owns its memory; texts are interned in it and live as long.
 */
#ifndef FATHOM_TRACING_IMPORT_NOTES_H
#define FATHOM_TRACING_IMPORT_NOTES_H

#include "base/map.h"
#include "base/vec.h"
#include "fathom/trace.h"
#include "manifest/document.h"

enum { NOTE_NONE = -1 };

enum note_kind {
    NOTE_WRITE,   /* committed */
    NOTE_NOTHING, /* accepted, and nothing changed */
    NOTE_REFUSED,
    NOTE_EVENT, /* an Event: something was done or decided that need not be a write */
};

enum note_source { SOURCE_AUDIT, SOURCE_RECORDING, SOURCE_DUMP };

/* Indices of things. */
struct thing_list {
    const uint32_t *items;
    uint32_t count;
};

struct note {
    int64_t start_ns;
    int64_t end_ns;
    int64_t version_read; /* the version that a write insisted on; NOTE_NONE: not told */
    int64_t version;      /* the version that it made; NOTE_NONE: not told */
    int64_t position;     /* in the order of commits; equal ones by time */
    int64_t generation;   /* of the object after it; NOTE_NONE: not told */
    int64_t observed;     /* status.observedGeneration after it */
    const char *actor;    /* interned */
    const char *action;   /* "create", "bind", ...; an Event's reason */
    const char *origin;   /* auditID; NULL: none */
    const char *message;  /* of an Event or a refusal; NULL: none */
    const struct fathom_trace_context *context; /* the object's; NULL: none */
    struct fathom_trace_id id;
    struct thing_list owners; /* as far as told */
    struct thing_list named;
    uint32_t thing;
    uint32_t number; /* in the order in which they were read */
    uint16_t code;   /* HTTP; 0: not told */
    uint8_t kind;
    uint8_t source;
    bool user : 1; /* somebody from outside, not a controller */
    bool creates : 1;
    bool deletes : 1; /* the object is gone, or marked as such, after it */
    bool patches : 1;
    bool says_spec : 1;   /* its body has a spec */
    bool bound : 1;       /* the object has a nodeName after it */
    bool terminating : 1; /* the object has a deletionTimestamp after it */
    bool uncertain : 1;   /* its version may be the work of another patch */
    bool whole : 1;       /* the object was told as it was after it */
};

struct known_thing {
    const char *kind;
    const char *namespace; /* "": none */
    const char *name;
    const char *uid;    /* the last that was told; NULL: never */
    const char *labels; /* "key=value" lines; NULL: never told */
    const char *selector;
    uint32_t depth; /* owners above it, as far as known */
};

struct note_collection {
    struct arena *arena;
    struct map names;   /* interned texts */
    struct map by_name; /* "Kind/namespace/name" -> index + 1 */
    VEC(struct known_thing) things;
    VEC(struct note) notes;
    uint32_t run;        /* which recorded run; 0: the only one */
    uint64_t bytes_most; /* of one file; 0: as usual (lines.h) */
    uint64_t lines;      /* of JSON lines */
    uint64_t reads;      /* requests that write nothing */
    uint64_t heartbeats; /* of Leases: left out */
    uint64_t reviews;    /* requests that store nothing: left out */
    uint64_t nameless;   /* writes to what has no name that we know */
};

void note_collection_init(struct note_collection *collection, struct arena *arena);

/* The text as it is kept; NULL for NULL. */
const char *notes_intern(struct note_collection *collection, const char *text);
/* The index of this object, which is new if it was never named before. */
uint32_t notes_thing(struct note_collection *collection, const char *kind, const char *namespace,
                     const char *name);
/* An id that depends on these texts alone, so that the same records give the same ids. */
struct fathom_trace_id notes_id(const char *domain, const char *first, const char *second);
/* Takes from a whole object what a note and its thing can hold. */
void notes_take_object(struct note_collection *collection, struct note *note,
                       const struct value *object);
/* A list of this thing alone. */
struct thing_list notes_one_thing(struct note_collection *collection, uint32_t thing);

#endif
