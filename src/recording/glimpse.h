/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cluster as a controller saw it.
 *
 * An outlook gives for each watch the last commit that the controller had seen;
 * a glimpse has the objects of that outlook.
 */
#ifndef FATHOM_RECORDING_GLIMPSE_H
#define FATHOM_RECORDING_GLIMPSE_H

#include "object/object.h"
#include "recording/recording.h"

struct follower;

/* What a controller has seen: there is a watch for each kind. Each delivers
 * versions in the order of their commits, but one may lag behind another. */
enum { VIEW_KINDS_MOST = 8 };
struct outlook {
    int64_t rv; /* of kinds that are not named below */
    uint32_t count;
    struct {
        const char *kind;
        int64_t rv;
    } behind[VIEW_KINDS_MOST];
};
/* The last commit of this kind that was seen. */
int64_t outlook_rv(const struct outlook *outlook, const char *kind);

/* The cluster as it is in a view. */
struct glimpse {
    struct follower *follower;
    struct objects objects;
    struct outlook outlook;
    double now; /* when the deed was done */
};

/* Versions that replace those at that commit: what an actor knows of its own
 * writes before they are committed. */
struct foresight {
    struct version **items;
    uint32_t count;
};

/* Fills the glimpse with the objects of the outlook; NULL foresight is none.
 * False, with the problem reported, if an object makes no sense. */
bool glimpse_at(struct follower *follower, const struct outlook *outlook, double now,
                const struct foresight *foresight, struct glimpse *glimpse);
/* The object of this kind and name in the namespace at hand; NULL: none. */
const struct object *glimpse_find(const struct glimpse *glimpse, enum object_kind kind,
                                  const char *name);

/* Is the object of the namespace at hand, or of none? */
bool is_of_namespace(const struct follower *follower, const struct object_meta *meta);

#endif
