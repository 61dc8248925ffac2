/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime, and what both ways to run it share. */
#ifndef FATHOM_RUNTIME_RUNTIME_PARTS_H
#define FATHOM_RUNTIME_RUNTIME_PARTS_H

#include "runtime/informer.h"
#include "runtime/runtime.h"
#include "runtime/work_queue.h"

struct runtime {
    const struct runtime_settings *settings;
    struct memory *memory;
    struct arena arena; /* of what lives as long as the runtime */
    struct kube_client *client;
    struct kube_resources resources;
    struct reconciler reconciler;
    struct work_queue queue;
    struct informer *informers[TOUCHED_MOST];
    uint32_t informer_count;
    struct problems *problems;
    double tokens;     /* requests that may be sent at once */
    int64_t tokens_ns; /* when the tokens were counted last */
};

/* Writes a line of the log: `2026-01-31T12:00:00.000Z	INFO	reconciled	Foo default/a: done`
 */
__attribute__((format(printf, 4, 5))) void runtime_say(const struct runtime *runtime,
                                                       enum runtime_log level, const char *word,
                                                       const char *format, ...);

/* True once an end was asked for. */
bool runtime_stops(const struct runtime *runtime);
/* Waits, for changes, for so long at most. */
void runtime_wait(struct runtime *runtime, int64_t nanoseconds);
/* Finds the kinds of the custom resources; waits until they are known. False: an end is
 * asked for, or (`once`) the time is over. */
bool runtime_find_kinds(struct runtime *runtime, int64_t deadline_ns);
/* Reconciles one custom resource, and says so in the log. */
struct round_result runtime_round(struct runtime *runtime, const struct object_key *key);

#endif
