/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `fathom controller` found, for people and for programs. As in report.h,
 * formats only append to a text, and those for people leave out times.
 */
#ifndef FATHOM_REPORT_CONTROLLER_REPORT_H
#define FATHOM_REPORT_CONTROLLER_REPORT_H

#include "base/json_out.h"
#include "object/meta.h"
#include "reconcile/judge.h"

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

void controller_write_text(struct arena *arena, const struct controller_reports *reports,
                           bool verbose, struct text *text);
void controller_write_json(struct arena *arena, const struct controller_reports *reports,
                           struct text *text);

/* A suite for each check or variant, a case for each intent. */
void controller_write_junit(struct arena *arena, const struct controller_reports *reports,
                            struct text *text);

/* Violated if any is; else undecided if any is; else holds. */
enum verdict controller_reports_verdict(const struct controller_reports *reports);

/* "2 user operations, 1 crash, no failed request" */
const char *controller_bounds(struct arena *arena, const struct environment_options *options);

#endif
