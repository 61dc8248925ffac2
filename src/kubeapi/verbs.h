/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the API server handles a request: the verbs, as functions of the object
 * that is stored under the key.
 *
 * No verb but List looks at more than one key, so a verb is a pure function: the
 * request, the stored object (NULL: none), and the numbers to use if a new
 * resource version or uid is needed. The checker calls it with renamed numbers
 * and remembers the answers; `fathom apiserver` calls it with its counters. Both
 * so decide by the same code. The first check that fails wins, and a failed
 * request changes nothing.
 */
#ifndef FATHOM_KUBEAPI_VERBS_H
#define FATHOM_KUBEAPI_VERBS_H

#include "kubeapi/datum.h"

enum api_verb {
    API_GET,
    API_LIST,
    API_CREATE,
    API_UPDATE,
    API_UPDATE_STATUS,
    API_DELETE,
    API_EXTERNAL, /* to the application's own API, which a controller may model */
};

/* By the names of the contract: api_error_name(API_NOT_FOUND) is "NotFound". */
enum api_error {
    API_OK,
    API_BAD_REQUEST,
    API_CONFLICT,
    API_FORBIDDEN,
    API_INVALID,
    API_NOT_FOUND,
    API_ALREADY_EXISTS,
    API_NOT_SUPPORTED,
    API_INTERNAL_ERROR,
    API_TIMEOUT,
    API_SERVER_TIMEOUT,
    API_OTHER,
};

const char *api_error_name(enum api_error error);
bool api_error_parse(const char *name, enum api_error *error);
const char *api_verb_name(enum api_verb verb); /* "updateStatus" */
bool api_verb_parse(const char *name, enum api_verb *verb);

/* Namespace and name are "" where there is none. */
struct object_key {
    const char *kind;
    const char *name_space;
    const char *name;
};

struct api_request {
    enum api_verb verb;
    struct object_key key;      /* of a create without a name: name ""; of a list: name "" */
    const struct datum *object; /* create, update, updateStatus; of an external call: its content */
    /* Delete only, both optional ([K]: preconditions of real clients). */
    const struct datum *uid_precondition;
    const struct datum *version_precondition;
};

/* What is particular to a kind. The built-in ones are in kinds_of_api.c; those of
 * custom resources come from the controller. */
struct api_kind {
    const char *kind;
    bool custom; /* updates must carry a resource version */
    /* The member of the status in which a controller of Kubernetes' own counts what is
     * ready; NULL: none does. A new object has no status. */
    const char *ready;
    /* Each NULL: everything is valid. `why` (may be NULL) is set to a text in the
     * arena that says what is wrong and where. */
    bool (*parses)(const struct api_kind *kind, const struct datum *object);
    bool (*valid)(const struct api_kind *kind, struct arena *arena, const struct datum *object,
                  const char **why);
    bool (*valid_change)(const struct api_kind *kind, struct arena *arena,
                         const struct datum *object, const struct datum *before, const char **why);
    const void *context;
    bool status_is_given; /* a new object may come with its status, as a Node does */
};

/* NULL: not a kind that the API server has built in. */
const struct api_kind *api_kind_built_in(const char *kind);

struct api_numbers {
    uint64_t version;           /* the next resource version */
    uint64_t uid;               /* the next uid */
    const char *generated_name; /* for a create that has only a generateName */
    /* The time to stamp a deletion with; NULL: `true` (the checker has no dates). */
    const struct datum *now;
};

struct api_outcome {
    enum api_error error;
    const char *message;        /* of an error, for people; in the arena or static */
    const struct datum *reply;  /* of success; NULL for a delete */
    const struct datum *stored; /* what is under the key afterwards; NULL: nothing */
    bool written;               /* the store changed (else `stored` is what it was) */
    bool version_used;          /* the number given was used: the counter goes on */
    bool uid_used;
    bool unsettles; /* the key is no longer `stable` (a create, or an update that changed it) */
};

/* Every verb but List and External. `object` of the request and `stored` must
 * outlive the outcome. */
struct api_outcome api_apply(struct arena *arena, const struct api_kind *kind,
                             const struct api_request *request, const struct datum *stored,
                             const struct api_numbers *numbers);

/* Whether the garbage collector may delete this object: it has owners, and every
 * one of them is absent or has another uid. `find` looks an owner up. */
struct api_store_view {
    const void *store;
    const struct datum *(*find)(const void *store, const struct object_key *key);
};
bool api_is_orphan(const struct datum *object, const struct api_store_view *view);

#endif
