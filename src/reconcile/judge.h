/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges a controller in its environment: eventually stable reconciliation of each
 * custom resource, and the safety properties; and of each violation, what it needs.
 */
#ifndef FATHOM_RECONCILE_JUDGE_H
#define FATHOM_RECONCILE_JUDGE_H

#include "explore/explore.h"
#include "reconcile/tell.h"

/* The operations of the script and the faults that a violation needs: if any one
 * of them is removed there is no violation, which was checked (unless
 * `unchecked`). */
struct cause_slice {
    bool *operations; /* of the script */
    uint32_t crashes, failures, stale_reads;
    bool unchecked; /* a limit was reached before all was tried */
};

struct judged_intent {
    const char *name;     /* "esr", or that of a safety property */
    const char *resource; /* of esr: "Cluster/default/a" */
    enum verdict verdict;
    enum explore_reason reason; /* if undecided */
    bool is_esr;
    bool stability; /* of a violated esr: true if the resource is matched again and again, false if
                       it is never matched again */
    const struct controller_run *run;
    uint32_t stem;             /* steps before the loop; of safety, all of them */
    uint64_t component_states; /* of esr: states among which the run goes round */
    uint64_t components;
    struct cause_slice slice;
    bool sliced;
};

struct judged_controller {
    struct judged_intent *intents;
    uint32_t count;
    enum verdict verdict;
    enum explore_reason reason;
    bool complete;
    struct statistics statistics;
    struct environment_statistics asked;
};

struct judge_options {
    uint32_t threads;
    uint64_t states_most;
    uint64_t time_most_ms;
    bool slices; /* find out what violations need */
    const atomic_bool *interrupted;
    void (*progress)(void *context, const struct explore_progress *progress);
    void *progress_context;
};

/* False if the controller could not be asked; `problems` says why. */
bool judge_controller(struct memory *memory, struct arena *arena,
                      const struct controller *controller,
                      const struct environment_options *options, const struct judge_options *how,
                      struct judged_controller *judged, struct problems *problems);

#endif
