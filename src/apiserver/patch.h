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

/* Each gives the changed object, or NULL and `*why`, in the arena. */
const struct datum *patch_merge(struct arena *arena, const struct datum *object,
                                const struct value *patch, const char **why);
const struct datum *patch_strategic(struct arena *arena, const char *kind,
                                    const struct datum *object, const struct value *patch,
                                    const char **why);
const struct datum *patch_json(struct arena *arena, const struct datum *object,
                               const struct value *patch, const char **why);

/* A part of a patch as a datum; NULL with `*why` set if it cannot be one, and NULL
 * without (`*why` NULL) for null. */
const struct datum *patch_content(struct arena *arena, const struct value *value, const char **why);
/* An object with one member set, or (NULL) taken away; NULL counts as empty. */
const struct datum *patch_member(struct arena *arena, const struct datum *object, const char *key,
                                 const struct datum *value);

#endif
