/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches a cluster through kubectl: one `kubectl get KIND --watch` for each
 * kind, whose output is split into single JSON documents as it arrives. A kind
 * that begins with a slash is a path of the API server, and is asked for once.
 */
#ifndef FATHOM_RECORDING_WATCH_CLUSTER_H
#define FATHOM_RECORDING_WATCH_CLUSTER_H

#include "base/error.h"

#include <stdatomic.h>

struct watch_order {
    const char *kubectl;   /* program */
    const char *namespace; /* NULL: all */
    const char *const *kinds;
    uint32_t kind_count;
    int64_t milliseconds; /* when to stop; INT64_MAX: never by itself */
    const atomic_bool *interrupted;
};

/* Every document, with the seconds since the start. */
typedef void watch_visit(void *context, const char *document, size_t length, double time);

/* Returns when all kubectls have ended, time is up, or the user interrupts. False,
 * with problems, if kubectl could not be run or failed. */
bool watch_cluster(struct arena *arena, const struct watch_order *order, watch_visit *visit,
                   void *context, struct problems *problems);

/* How far a JSON document reaches: the bytes up to its end, 0 if it goes on.
 * `*start` is set to where it begins. */
size_t json_document_end(const char *bytes, size_t count, size_t *start);

#endif
