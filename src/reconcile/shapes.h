/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes: data without their resource versions and uids, each kept once.
 *
 * A shape is a tree whose versions are numbered 0, 1, ... in the order in which
 * they first occur in it, and its uids likewise; what a state of the checker
 * holds of an object, a message or a memory is the number of its shape and the
 * list of the real numbers (its holes: versions first, then uids). So renaming
 * numbers touches no tree, and a question about trees is a question about shapes
 * and about which holes are equal.
 *
 * Adding is the caller's to guard by a lock; looking up a number that another
 * thread got before the last barrier needs none.
 */
#ifndef FATHOM_RECONCILE_SHAPES_H
#define FATHOM_RECONCILE_SHAPES_H

#include "kubeapi/verbs.h"

enum shape_role {
    SHAPE_OBJECT,
    SHAPE_REQUEST,
    SHAPE_RESPONSE,
    SHAPE_MEMORY, /* of a controller */
    SHAPE_EXTERNAL,
};

/* Of a kind each, in the order in which they first occur. */
enum { HOLES_MOST = 128 };

struct holes {
    uint64_t versions[HOLES_MOST];
    uint64_t uids[HOLES_MOST];
    uint32_t version_count;
    uint32_t uid_count;
};

struct shape_owner {
    uint32_t key;
    uint32_t uid; /* number of the hole; UINT32_MAX: no uid, equal to none */
};

struct shape {
    const struct datum *tree;
    enum shape_role role;
    uint8_t versions;
    uint8_t uids;
    uint32_t key; /* of an object, and of a request that has one */

    /* Of an object. */
    const struct shape_owner *owners;
    uint32_t owner_count;
    uint32_t uid; /* hole of its own uid; UINT32_MAX: it has none */
    bool reports; /* a controller reports its status */
    bool empty;   /* and it wants no replicas */

    /* Of a request, numbered as the shape is. */
    struct api_request request;
    bool generates_name;

    /* Of a response. */
    enum api_error error;

    /* Of a memory: whether the round is over. */
    bool done;
    bool failed;
};

enum { SHAPE_CHUNK = 4096, SHAPE_CHUNKS_MOST = 4096, KEYS_MOST = 512 };

struct shape_table {
    struct arena arena;
    struct shape *chunks[SHAPE_CHUNKS_MOST];
    uint32_t count; /* numbers from 1 on; 0 stands for none */
    uint32_t *slots;
    uint32_t slot_count;
    struct object_key keys[KEYS_MOST];
    uint32_t key_count; /* numbers from 1 on */
};

void shapes_init(struct shape_table *table, struct memory *memory);
void shapes_release(struct shape_table *table);

static inline struct shape *shape_at(const struct shape_table *table, uint32_t number)
{
    return &table->chunks[number / SHAPE_CHUNK][number % SHAPE_CHUNK];
}

/* The number of the key; 0: there are too many. */
uint32_t shapes_key(struct shape_table *table, const struct object_key *key);
int object_key_compare(const struct object_key *a, const struct object_key *b);
struct object_key object_key_of(const struct datum *object);

/* The number of a tree's shape, and its holes. A new one has its tree, role and
 * counts; `is_new` tells that the rest is still to be filled in. 0: it has more
 * holes, or there are more shapes, than there may be. */
uint32_t shapes_add(struct shape_table *table, enum shape_role role, const struct datum *tree,
                    struct holes *holes, bool *is_new);

/* The tree with these numbers in its holes. */
const struct datum *shape_fill(struct arena *arena, const struct datum *tree,
                               const uint64_t *versions, const uint64_t *uids);

/* Messages and memories as data, and back. */
const struct datum *request_datum(struct arena *arena, const struct api_request *request);
struct api_request request_of_datum(const struct datum *datum);
const struct datum *response_datum(struct arena *arena, enum api_error error,
                                   const struct datum *content);

#endif
