/* SPDX-License-Identifier: Apache-2.0 */
/* The admission webhooks that may keep pods of the model out, or refuse other requests. */
#ifndef FATHOM_CLUSTER_STATE_WEBHOOKS_H
#define FATHOM_CLUSTER_STATE_WEBHOOKS_H

#include "object/policy.h"

/* What a request is about, for the selectors of a webhook. */
enum webhook_object {
    WEBHOOK_POD,        /* a pod with the labels of its template */
    WEBHOOK_NAMESPACED, /* something in the namespace of a pod */
    WEBHOOK_SYSTEM,     /* something in the namespaces of the cluster itself */
    WEBHOOK_CLUSTER,    /* something without a namespace, which no selector of these leaves out */
};

/* Requests beside those that create pods of which the model knows when they are refused: the step
 * that makes one does not come while the webhook is silent. */
enum webhook_request {
    REQUEST_EVICTION,   /* of a pod of the revision */
    REQUEST_BINDING,    /* likewise */
    REQUEST_SET_CREATE, /* of the revision's ReplicaSet */
    REQUEST_SET_UPDATE, /* likewise: its size, or the Deployment's */
    WEBHOOK_REQUEST_COUNT
};

struct population_webhook {
    const struct object_meta *meta; /* of its configuration */
    const struct webhook *webhook;
    const struct service *service;
    bool *guards; /* by revision: true if it is asked about new pods */
    bool *backs;  /* by revision: true if its pods answer for it, once they are ready */

    /* ---- of other requests than those that create pods (build/webhook_requests.c) ---- */

    bool *refuses[WEBHOOK_REQUEST_COUNT]; /* by revision: true if it is asked about the request */
    bool refuses_some;                    /* true if it is asked about any of these */

    /* ---- of requests of which it is not modelled that they are refused ---- */

    bool *covers; /* by revision: true if its selectors select the pods */
    bool *near;   /* ... their namespace */
    bool covers_any;
    bool near_any;
    bool asks_more;    /* true if it is asked about such a request at all */
    bool asked_always; /* ... about one that is made again and again, whatever the model does */
    uint8_t *asked;    /* by action: the objects of the requests that it makes, as bits */
};

#endif
