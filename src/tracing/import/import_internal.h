/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the two halves of an import: causes (import_causes.c) and CPIDs
 * (import_contexts.c). */
#ifndef FATHOM_TRACING_IMPORT_IMPORT_INTERNAL_H
#define FATHOM_TRACING_IMPORT_IMPORT_INTERNAL_H

#include "tracing/import/import.h"

enum {
    CANDIDATES_MOST = 16, /* that a write lists */
    NO_NOTE = -1,
    BURST_GAP_NS = 10 * 1000 * 1000, /* between requests of one reconcile, at most */
};

/* When an actor last wrote a thing: its status, or the rest of it. */
struct last_write {
    const char *actor;
    int64_t of_status;
    int64_t of_rest;
};

/* The write that made a generation. */
struct maker {
    int64_t generation;
    uint32_t note;
    bool certain;
};

/* A thing during the walk through its notes. */
struct object_life {
    VEC(uint32_t) writes; /* committed, in order */
    VEC(uint32_t) below;  /* writes to what it owns or selects */
    VEC(struct last_write) last_writes;
    VEC(struct maker) makers;
    VEC(uint32_t) naming; /* things that name it */
    struct thing_list owners;
    struct thing_list named;
    int64_t generation; /* NOTE_NONE: not known */
    int64_t observed;
    int64_t generation_version; /* the version that showed the generation */
    bool gap;                   /* a version was read that nobody is known to have written */
    bool terminating;
    bool guessed; /* its owners, by their names */
    bool selects;
    uint32_t context; /* index + 1 of what it carries; 0: none */
};

/* Where to look for the causes of a write. */
struct window {
    int64_t since;      /* after this note */
    int64_t horizon_ns; /* and before this instant */
};

struct cause_candidate {
    uint32_t note;
    enum change_label label;
    const char *rule;
};

struct cause_candidates {
    struct cause_candidate items[CANDIDATES_MOST];
    uint32_t count;
    uint32_t unlisted;
};

/* The context that belongs to a CPID. */
struct known_context {
    struct fathom_trace_id id;
    const struct fathom_trace_id *ancestors;
    uint32_t ancestor_count;
};

struct import {
    struct note_collection *collection;
    const struct import_options *options;
    struct change_graph *graph;
    struct object_life *lives; /* by thing */
    uint32_t *note_context;    /* by note: index + 1 into contexts */
    uint32_t *first_of_burst;  /* by note: the first request of the same reconcile */
    VEC(struct known_context) contexts;
    struct map context_index; /* CPID as text -> index + 1 */
    VEC(uint32_t) selecting;  /* things that select pods */
    VEC(uint32_t) nameless;   /* creations of what had no name that we know */
};

/* Takes note of what the object has to do with others. */
void import_relate(struct import *import, uint32_t note);
/* What may have caused this write. */
void import_find_causes(struct import *import, uint32_t note, struct cause_candidates *found);
/* The note is part of the past now. */
void import_remember(struct import *import, uint32_t note);

/* Gives the note the context that its object has after it, and tells under which
 * it was done: a change from outside is done under its own root. True: a root
 * begins here. */
bool import_give_context(struct import *import, uint32_t note,
                         const struct cause_candidates *causes, uint32_t *done_under);

#endif
