/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens to objects of one kind: a list, then a watch from there, and again a
 * list when the watch can no longer be followed. A watch that ends is taken up where
 * it was; one whose version is too old (410), or a server that does not answer, makes
 * for another list, later and later as long as that fails.
 */
#ifndef FATHOM_RUNTIME_INFORMER_H
#define FATHOM_RUNTIME_INFORMER_H

#include "runtime/kube_resources.h"

struct informer_hooks {
    void *context;
    /* An object was there, came, changed or went (`type` as in watches; "LISTED"). */
    void (*see)(void *context, const struct kube_resource *resource, const char *type,
                const struct datum *object);
    /* Everything was listed anew: changes in between may have been missed. */
    void (*relisted)(void *context, const struct kube_resource *resource);
    __attribute__((format(printf, 2, 3))) void (*say)(void *context, const char *format, ...);
};

struct informer {
    struct memory *memory;
    struct kube_client *client;
    const struct kube_resource *resource;
    const char *name_space; /* "": all */
    bool objects;           /* all of them are listed; else only the version is asked for */
    struct informer_hooks hooks;
    struct kube_stream *stream; /* NULL: none is open */
    char version[64];           /* to watch from; "": list first */
    int64_t due_ns;             /* when to open the next */
    int64_t opened_ns;          /* when the last was opened */
    uint32_t failures;
    bool listed_before;
    bool expired; /* an error event came */
};

void informer_init(struct informer *informer, struct memory *memory, struct kube_client *client,
                   const struct kube_resource *resource, const char *name_space, bool objects,
                   const struct informer_hooks *hooks);
void informer_release(struct informer *informer);

/* Lists and opens the watch if it is time; gives the moment to call again at the latest. */
int64_t informer_keep_going(struct informer *informer, int64_t now_ns);

#endif
