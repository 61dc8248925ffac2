/* SPDX-License-Identifier: Apache-2.0 */
/* How long the pods of a Job run, as an annotation of their template says: "7m", or "5m-15m". */
#ifndef FATHOM_SETUP_RUN_TIME_H
#define FATHOM_SETUP_RUN_TIME_H

#include "object/workload.h"

#define ANNOTATION_RUN_TIME "fathom.dev/run-time"

struct run_time {
    bool given; /* false: for any time, which comes to an end */
    int64_t least;
    int64_t most; /* nanoseconds; more than 0 */
};

/* False if the text has not this form. */
bool run_time_parse(struct arena *arena, const char *text, struct run_time *run_time);

/* Of the template's annotation; not given if it has none, or a wrong one. */
struct run_time run_time_of(struct arena *arena, const struct pod_template *template);

#endif
