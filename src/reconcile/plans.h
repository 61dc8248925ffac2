/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be run for a ControllerCheck: itself, or (--grow) with budgets that
 * grow step by step, or (--matrix) with scripts made of all pairs of desired
 * states.
 */
#ifndef FATHOM_RECONCILE_PLANS_H
#define FATHOM_RECONCILE_PLANS_H

#include "object/meta.h"
#include "reconcile/check_file.h"
#include "reconcile/judge.h"

/* A number of the command line, if it is given. */
struct plan_number {
    bool given;
    uint32_t value;
};

struct plan_settings {
    struct judge_options how;
    int64_t controller_timeout_ns;
    struct plan_number crashes, failures, stale_reads;
    bool status_flap, timeout_applied, client_async, fuse_schedule, merge;
    bool grow, matrix;
};

/* The result of one check, or of one variant of it. */
struct controller_report {
    const char *check; /* its name */
    const char *file;
    const struct environment_options *options; /* what was judged */
    const struct judged_controller *judged;
    const char *variant;       /* of --matrix and --grow: which script, which budgets; NULL */
    struct string_list limits; /* that were reached */
    double seconds;
    uint64_t peak_bytes;
};

struct controller_reports {
    struct controller_report *items;
    uint32_t count;
    uint32_t capacity;
    const char *settled; /* --grow: the largest budgets that were decided; NULL: not asked */
};

/* Adds the reports. What goes wrong with the controller becomes a problem. The time of the
 * settings is spent. */
void plan_run(struct arena *arena, struct plan_settings *settings,
              const struct controller_check *check, struct controller_reports *reports,
              struct problems *problems);

/* Violated if any is; else undecided if any is; else holds. */
enum verdict controller_reports_verdict(const struct controller_reports *reports);

/* "2 user operations, 1 crash, no failed request" */
const char *controller_bounds(struct arena *arena, const struct environment_options *options);

#endif
