/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One round of a controller against an API server: from the custom resource as it
 * is now to Done or Error, request by request.
 *
 * Objects come to the controller in the form that the checker shows them, and go
 * out in the form that API servers want: apiVersion is filled in by discovery, in
 * objects and in owner references.
 */
#ifndef FATHOM_RUNTIME_ROUND_H
#define FATHOM_RUNTIME_ROUND_H

#include "reconcile/controller.h"
#include "runtime/kube_resources.h"

enum round_end {
    ROUND_DONE,
    ROUND_ERROR,  /* the controller says so, or the custom resource could not be read */
    ROUND_GONE,   /* there is no such custom resource */
    ROUND_BROKEN, /* the controller cannot answer: there are problems */
};

enum { TOUCHED_MOST = 64 };

struct reconciler {
    struct memory *memory;
    /* The kinds that were asked about so far, custom resources and others. */
    const struct kube_resource *touched[TOUCHED_MOST];
    uint32_t touched_count;
    const struct controller *controller;
    struct kube_client *client;
    struct kube_resources *resources;
    /* Called before each request, which may take its time: a limit of the rate, a log. */
    void (*before)(void *context, const struct api_request *request);
    void (*after)(void *context, const struct api_request *request, const struct kube_reply *reply);
    void *context;
    struct arena external_arena;
    const struct datum *external; /* the state of the application's own API, as modelled */
    uint64_t external_calls;
    bool may_model_external; /* else asking for it is a problem */
    bool owner_versions;     /* the controller writes apiVersion in owner references itself */
};

struct round_result {
    enum round_end end;
    uint32_t requests;
    uint32_t writes;     /* that changed something */
    const char *message; /* of an error, what was last refused; may be NULL; in the arena */
};

struct round_result reconcile_round(struct reconciler *reconciler, struct arena *arena,
                                    const struct object_key *key, struct problems *problems);

#endif
