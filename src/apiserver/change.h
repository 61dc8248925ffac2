/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that change one object: the verbs, applied to the store. Called with
 * the store's lock held. */
#ifndef FATHOM_APISERVER_CHANGE_H
#define FATHOM_APISERVER_CHANGE_H

#include "apiserver/apiserver.h"
#include "apiserver/status.h"

struct change {
    struct apiserver *server;
    struct arena *arena;
    const struct resource_type *type;
    const char *version; /* of the group, as the client speaks it */
    const char *name_space;
    const char *name; /* "": of a create, whatever the object says */
    bool dry_run;
    bool by_collector; /* only the collector may remove the finalizers that it works on */
};

/* What keeps a namespace, and a definition of custom resources, until it is empty. */
#define NAMESPACE_FINALIZER  "kubernetes"
#define DEFINITION_FINALIZER "customresourcecleanup.apiextensions.k8s.io"

struct change_result {
    bool refused;
    struct status status;       /* of a refusal */
    const struct datum *object; /* what there is now; as it was last, if it is gone */
    bool gone;
    bool unchanged; /* nothing was written */
};

struct change_result change_create(const struct change *change, const struct datum *object);
/* `verb`: API_UPDATE or API_UPDATE_STATUS. */
struct change_result change_update(const struct change *change, enum api_verb verb,
                                   const struct datum *object);
/* Preconditions may be NULL. */
struct change_result change_delete(const struct change *change, const struct datum *uid,
                                   const struct datum *version);

/* What is stored; NULL: nothing. */
const struct datum *change_stored(const struct change *change);

#endif
