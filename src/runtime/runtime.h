/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a controller against a real API server: the same `struct controller` that the
 * checker checks.
 *
 * One thread does everything, one round at a time. The custom resources are listed
 * and watched, as are the kinds that the controller turns out to ask about; a change
 * of an object makes its owner due, one of a kind that users write makes all due.
 * Rounds that fail are repeated later and later, good ones after the resync period.
 */
#ifndef FATHOM_RUNTIME_RUNTIME_H
#define FATHOM_RUNTIME_RUNTIME_H

#include "runtime/round.h"

enum runtime_log { RUNTIME_SILENT, RUNTIME_WARNINGS, RUNTIME_ROUNDS, RUNTIME_REQUESTS };

struct runtime_settings {
    const struct controller *controller;
    const struct kube_access *access;
    const char *name_space; /* "": all */
    int64_t resync_ns;
    uint32_t requests_per_second; /* twice as many may come at once; 0: no limit */
    bool once;                    /* until nothing is left to do */
    int64_t timeout_ns;           /* of `once`; 0: none */
    bool model_external;
    enum runtime_log log;
    /* Becomes readable when an end is asked for; -1: never. `stop` is set by whoever reads it. */
    int stop_descriptor;
    atomic_bool *stop;
};

enum runtime_end {
    RUNTIME_STOPPED, /* as asked for; of `once`: nothing is left to do */
    RUNTIME_TIMEOUT, /* of `once`: there is still something */
    RUNTIME_BROKEN,  /* there are problems */
};

enum runtime_end runtime_run(struct memory *memory, const struct runtime_settings *settings,
                             struct problems *problems);

#endif
