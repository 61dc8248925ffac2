/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that describe runs in words share. */
#ifndef FATHOM_RECONCILE_TELL_INTERNAL_H
#define FATHOM_RECONCILE_TELL_INTERNAL_H

#include "reconcile/shapes.h"
#include "reconcile/tell.h"

enum { FIELDS_MOST = 4, WRITERS_MOST = 512 };

struct difference {
    const char *path;
    const struct datum *old, *new;
};

struct differences {
    struct difference items[FIELDS_MOST];
    uint32_t count;
    uint32_t more;
};

struct tell_writer {
    const char *object;
    uint32_t step;
};

struct run_telling {
    const struct environment *environment;
    const struct environment_options *options;
    struct arena *arena;
    const struct env_world *before;
    const struct env_world *after;
    struct tell_writer
        writers[WRITERS_MOST]; /* which step wrote an object last, or requested a write */
    uint32_t writer_count;
    uint32_t *copy_steps;    /* when each resource was last copied, for a round to come */
    uint32_t *round_steps;   /* the last step of each resource's round */
    uint32_t *request_steps; /* the step that sent the request that is pending or late */
    uint32_t
        *crash_steps; /* the crash that each resource's next round begins anew after; 0: none */
    uint32_t crash_step;
    uint32_t external_step; /* the last that changed the application's state */
};

/* ---- tell_words.c ---- */
/* "2", "version #7"; long ones are cut. */
const char *tell_value_words(struct arena *arena, const struct datum *value);
bool tell_is_nested(const struct datum *value);
/* The fields in which two objects differ. */
void tell_compare(struct arena *arena, const struct datum *old, const struct datum *new,
                  struct differences *differences);
/* "replicas 1 -> 2, data.conf a -> b"; of a new object "replicas 1". */
const char *tell_difference_words(struct arena *arena, const struct differences *differences,
                                  bool is_new);
const char *tell_key_words(struct arena *arena, const struct object_key *key);
const char *tell_request_words(struct arena *arena, const struct api_request *request);
const char *tell_response_words(struct arena *arena, const struct controller_response *response);
/* The object of this key; NULL: there is none. */
const struct datum *tell_find(const struct object_list *store, const struct object_key *key);

/* ---- tell_causes.c ---- */
void tell_add_cause(struct controller_step *step, uint32_t cause);
/* The step that wrote the object last; 0: none did. */
uint32_t tell_writer_of(const struct run_telling *telling, const char *object);
/* The key under which a request of the garbage collector or a status controller
 * about an object is remembered. */
const char *tell_asking_about(struct run_telling *telling, bool collector, const char *object);
/* Adds the steps that wrote or deleted the owners of an object last. */
void tell_add_owners(struct run_telling *telling, const struct object_key *key,
                     struct controller_step *step);
/* Remembers what a step wrote, so that later steps can name it as a cause. */
void tell_remember(struct run_telling *telling, const struct path_step *made, uint32_t number);

/* ---- tell_lanes.c ---- */
/* Between whom the message of the step goes. `which` round, request or key it is about. */
void tell_lanes(const struct run_telling *telling, enum action action, uint32_t which,
                struct controller_step *step);

#endif
