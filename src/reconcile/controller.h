/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller, whatever it is made of: a C plugin, an external program that
 * speaks JSON lines, or a state machine in YAML. The checker (environment.h) and
 * the runtime (runtime/) know it by this table alone.
 *
 * A controller is a state machine: `init` gives the memory of a new round,
 * `step` takes the custom resource that the round was started with, the answer to
 * the request of the last step (NULL at first) and the memory, and gives the next
 * memory and maybe one request. All functions are pure: the same values in, the
 * same values out, whenever and however often they are asked; the checker asks
 * some questions twice and reports a controller that answers differently.
 *
 * A function that cannot answer (the program ended, hangs or gave an invalid
 * answer; the plugin made an invalid request) returns false and adds a problem:
 * the check ends with exit code 2.
 */
#ifndef FATHOM_RECONCILE_CONTROLLER_H
#define FATHOM_RECONCILE_CONTROLLER_H

#include "kubeapi/verbs.h"

struct controller_answer {
    const struct datum *local; /* the memory after the step */
    bool has_request;
    struct api_request request;
};

struct controller_response {
    enum api_error error;        /* API_OK: `content` is the answer */
    const struct datum *content; /* an object, a list, or NULL (a delete) */
};

/* The objects of a store, sorted by kind, namespace, name. */
struct object_list {
    const struct datum *const *items;
    uint32_t count;
};

struct controller {
    const char *name;
    void *context;
    /* The kinds of its custom resources, NULL at the end; NULL: every kind that the API
     * server has not built in (a program that does not say). */
    const char *const *custom_kinds;
    /* Other kinds that its users may write (FluentBit: Secret), NULL at the end. */
    const char *const *user_kinds;

    bool (*init)(const struct controller *controller, struct arena *arena,
                 const struct datum **local, struct problems *problems);
    bool (*step)(const struct controller *controller, struct arena *arena,
                 const struct datum *custom_resource, const struct controller_response *response,
                 const struct datum *local, struct controller_answer *answer,
                 struct problems *problems);
    /* Done and error end the round. */
    bool (*status)(const struct controller *controller, struct arena *arena,
                   const struct datum *local, bool *done, bool *error, struct problems *problems);

    /* The rest may be NULL. */
    bool (*match)(const struct controller *controller, struct arena *arena,
                  const struct object_list *store, const struct datum *custom_resource,
                  bool *matches, struct problems *problems);
    /* Names of its safety properties, NULL at the end; NULL: not known beforehand. */
    const char *const *safety_names;
    /* `violated`: the name of a safety property that the step from one store to the
     * next breaks, NULL for none. */
    bool (*safety)(const struct controller *controller, struct arena *arena,
                   const struct object_list *before, const struct object_list *after,
                   const struct datum *external, /* the application's own state */
                   const char **violated, struct problems *problems);
    /* Rules for its custom resources; `why` as in verbs.h. */
    bool (*validate)(const struct controller *controller, struct arena *arena,
                     const struct datum *custom_resource, bool *valid, const char **why,
                     struct problems *problems);
    bool (*validate_change)(const struct controller *controller, struct arena *arena,
                            const struct datum *custom_resource, const struct datum *before,
                            bool *valid, const char **why, struct problems *problems);
    /* The application's own API (ZooKeeper's znodes): its state is a value, at first
     * `external_initial` (may be NULL). It may read the store. `fresh` is a version that
     * occurs nowhere yet: an API that numbers its changes (a znode's version) uses
     * datum_version()s, which can be compared but not incremented. */
    const struct datum *external_initial;
    bool (*external)(const struct controller *controller, struct arena *arena,
                     const struct datum *request, const struct object_list *store,
                     const struct datum *state, uint64_t fresh,
                     struct controller_response *response, const struct datum **state_after,
                     struct problems *problems);
    /* Whether the custom resource's desired state is satisfiable now (FluentBit: the
     * Secret it names exists). NULL: that it exists is enough. */
    bool (*desired)(const struct controller *controller, struct arena *arena,
                    const struct object_list *store, const struct datum *custom_resource,
                    bool *desired, struct problems *problems);

    void (*release)(struct controller *controller);
};

#endif
