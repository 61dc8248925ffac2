/* SPDX-License-Identifier: Apache-2.0 */
/* What a cluster does, watched through kubectl and written down as the next run of a folder
 * (docs/recordings.md). */
#ifndef FATHOM_RECORDING_RECORD_CLUSTER_H
#define FATHOM_RECORDING_RECORD_CLUSTER_H

#include "recording/watch_cluster.h"

struct record_order {
    const char *folder;
    const char *kubectl;    /* program */
    const char *name_space; /* NULL: all */
    const char *audit_log;  /* of the API server; NULL: writers are inferred */
    const char *kubernetes; /* the version; NULL: the API server is asked for it */
    int64_t milliseconds;   /* when to stop; INT64_MAX: never by itself */
    const atomic_bool *interrupted;
};

struct record_made {
    uint32_t run;
    uint32_t versions; /* of objects that were seen */
};

/* False, with problems, if that failed. */
bool record_cluster(struct arena *arena, const struct record_order *order, struct record_made *made,
                    struct problems *problems);

#endif
