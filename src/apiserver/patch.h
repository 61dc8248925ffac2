/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patches: an object, changed as a client asks.
 *
 *   merge      RFC 7386, what clients send for custom resources
 *   strategic  Kubernetes' own: lists of built-in kinds are merged by a key, and
 *              `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/...` and
 *              `$setElementOrder/...` are obeyed
 *   json       RFC 6902
 *
 * A patch is a document and not a datum, because in it null means "take away".
 * Resource versions and uids are texts in it, and must be so in the object, too
 * (`patch_plain`).
 */
#ifndef FATHOM_APISERVER_PATCH_H
#define FATHOM_APISERVER_PATCH_H

#include "kubeapi/datum.h"
#include "manifest/document.h"

/* The object with its resource versions and uids as the texts that clients see. */
const struct datum *patch_plain(struct arena *arena, const struct datum *object);

/* Of the real API server: operations of a JSON patch, and the bytes that its `copy` may add. */
enum { PATCH_OPERATIONS_MOST = 10000, PATCH_COPIED_BYTES_MOST = 3 << 20 };

/* A patch while it is applied, with the lock of the store held. So the work that it may do is
 * limited: members and items that are copied or compared. */
struct patching {
    struct arena *arena;
    const char *kind; /* of the object */
    uint64_t work_left;
    size_t copied_bytes_left;
    const char *why; /* it was given up; NULL: it was not */
    bool too_large;  /* because of a limit */
};

struct patching patching_begin(struct arena *arena, const char *kind);
/* True, with `why` set, if the work is more than is left. */
bool patching_spend(struct patching *patching, uint64_t work);
/* The work to copy the members of an object, or the items of a list; NULL: none. */
uint64_t patching_work(const struct datum *copied);

/* Each gives the changed object, or NULL and `why`. */
const struct datum *patch_merge(struct patching *patching, const struct datum *object,
                                const struct value *patch);
const struct datum *patch_strategic(struct patching *patching, const struct datum *object,
                                    const struct value *patch);
const struct datum *patch_json(struct patching *patching, const struct datum *object,
                               const struct value *patch);

/* A part of a patch as a datum; NULL with `*why` set if it cannot be one, and NULL
 * without (`*why` NULL) for null. */
const struct datum *patch_content(struct arena *arena, const struct value *value, const char **why);
/* The object with one member set, or (NULL) taken away; NULL counts as empty. */
const struct datum *patch_member(struct patching *patching, const struct datum *object,
                                 const char *key, const struct datum *value);

#endif
