/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the environment share.
 *
 *     environment.c   what is set up once
 *     env_state.c     states: words to a draft, a draft to words
 *     env_facts.c     kinds, resources, failure
 *     env_ask.c       questions about trees, answered once each
 *     env_answer.c    their answers (with env_inquiry.c, env_properties.c)
 *     env_expand.c    the steps out of a state
 *     env_world.c     a state as trees, for words about it
 */
#ifndef FATHOM_RECONCILE_ENVIRONMENT_INTERNAL_H
#define FATHOM_RECONCILE_ENVIRONMENT_INTERNAL_H

#include "reconcile/environment.h"
#include "reconcile/memo.h"
#include "reconcile/shapes.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    RESOURCES_MOST = 30,
    SAFETIES_MOST = 30,
    SCRIPT_MOST = 64,
    SLOTS_MOST = 120,
    ORPHANS_MOST = 64,
    KINDS_MOST = 16,
    MARK_CHANGED = 32, /* first mark that tells of a change of a resource's spec */
};

/* A key with an object, or with a message about it in flight. */
struct object_slot {
    uint32_t key;
    bool collected; /* the garbage collector's Delete is in flight */
    bool stable;    /* the status controller reports nothing until the object changes again */
    struct memo_part object;
    struct memo_part status; /* the status controller's request in flight */
};

struct round {
    struct memo_part
        scheduled;             /* the resource as the next round will see it; none: not scheduled */
    struct memo_part resource; /* the snapshot that the round works with; none: no round */
    struct memo_part memory;
    struct memo_part pending; /* a request, or the response to it */
};

/* An unpacked state. Steps change it, write it, and undo the change. */
struct object_draft {
    uint32_t script_done, crashes, failures, stale_reads;
    uint32_t next_version, next_uid; /* RENAME_NONE */
    uint32_t slot_count;
    struct object_slot slots[SLOTS_MOST + 1];
    struct memo_part external;
    struct round rounds[RESOURCES_MOST];
    struct memo_part users[SCRIPT_MOST]; /* requests in flight */
    uint32_t orphan_count;
    struct memo_part orphans[ORPHANS_MOST + 1];
    bool lags; /* an earlier store is remembered */
    uint32_t lagging_count;
    struct memo_part lagging[SLOTS_MOST];
};

struct env_worker {
    struct environment *environment;
    struct memory *memory;
    struct memo_table memo;
    struct memo_question question;
    struct object_draft draft;
    struct memo_part parts[4 * SLOTS_MOST + 8 * RESOURCES_MOST];
    uint32_t part_count;
    uint32_t next[4096];
    uint8_t named[8192];
    uint8_t holes[8][2 * HOLES_MOST]; /* of parts that answers gave */
    uint32_t removals[KEYS_MOST];     /* shapes of the collector's requests, by key */
    struct step_sink *sink;
};

struct environment {
    struct memory *memory;
    struct arena arena;
    const struct controller *controller;
    struct environment_options options;
    struct problems *problems;
    struct model model;
    atomic_bool failed;

    pthread_mutex_t mutex; /* guards the rest while the search runs */
    struct shape_table shapes;
    struct memo_table memo;
    struct arena answers;
    uint64_t asked;

    struct object_key resources[RESOURCES_MOST];
    uint32_t resource_keys[RESOURCES_MOST];
    uint32_t resource_count;
    uint32_t script_keys[SCRIPT_MOST];
    struct api_kind custom[KINDS_MOST];
    uint32_t custom_count;
    const char *safety[SAFETIES_MOST];
    uint32_t safety_count;
    bool judges_safety;
    struct memo_part first_memory;
    uint8_t first_memory_holes[1];
    struct memo_part first_external;
    uint8_t first_external_holes[2 * HOLES_MOST];
    uint32_t orphans_most;
    struct property *properties;
};

/* Fairness classes. Those of a key come last. */
enum key_class {
    KEY_SERVE_COLLECTOR,
    KEY_SERVE_STATUS,
    KEY_COLLECT,
    KEY_STATUS,
    KEY_STATUS_ZERO,
    KEY_STABILIZE,
    KEY_CLASSES
};
uint32_t class_of_key(const struct environment *environment, uint32_t key, enum key_class class);

/* env_state.c */
void draft_read(struct env_worker *worker, const uint32_t *words, uint32_t length,
                struct object_draft *draft);
/* The length; 0: too many numbers. */
uint32_t draft_write(struct env_worker *worker, const struct object_draft *draft, uint32_t *words);
uint32_t environment_length_most(const struct environment *environment);
struct object_slot *draft_slot(struct object_draft *draft, uint32_t key);

/* env_ask.c */
enum {
    ANSWER_WRITTEN = 1,   /* the store changes */
    ANSWER_UNSETTLES = 2, /* the key is no longer stable */
    ANSWER_CHANGES = 4,   /* spec or uid of the object changed, or it came or went */
    ANSWER_REQUEST = 8,   /* the controller sends a request */
    ANSWER_DONE = 16,     /* the round is over */
    ANSWER_EXTERNAL = 32, /* the application's state changed */
};

/* All return NULL when they could not be answered; the environment has failed then. */
const struct answer *ask_step(struct env_worker *worker, const struct round *round);
const struct answer *ask_verb(struct env_worker *worker, const struct memo_part *request,
                              const struct memo_part *object, uint32_t generated_key);
const struct answer *ask_list(struct env_worker *worker, const struct memo_part *request,
                              const struct memo_part *objects, uint32_t count);
const struct answer *ask_external(struct env_worker *worker, const struct memo_part *request,
                                  const struct object_draft *draft);
const struct answer *ask_user(struct env_worker *worker, uint32_t operation,
                              const struct memo_part *object);
const struct answer *ask_user_request(struct env_worker *worker, uint32_t operation,
                                      const struct memo_part *object);
const struct answer *ask_status(struct env_worker *worker, const struct memo_part *object,
                                bool zero);
const struct answer *ask_failure(struct env_worker *worker, const struct memo_part *request,
                                 enum api_error error);
const struct answer *ask_store(struct env_worker *worker, const struct memo_part *objects,
                               uint32_t count);
const struct answer *ask_safety(struct env_worker *worker, const struct memo_part *before,
                                uint32_t before_count, const struct memo_part *after,
                                uint32_t after_count, const struct memo_part *external);
/* Makes a part of a tree; called under the mutex. False: there are too many shapes or holes. */
bool make_part(struct environment *environment, enum shape_role role, const struct datum *tree,
               uint32_t versions, uint32_t uids, struct arena *arena, struct memo_part *part);
void fill_shape(struct environment *environment, struct shape *shape);

/* env_expand.c */
void environment_expand(const struct model *model, void *worker, const uint32_t *words,
                        uint32_t length, struct step_sink *sink);
void environment_initial(const struct model *model, void *worker, struct step_sink *sink);
uint64_t environment_atoms(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length);

#endif
