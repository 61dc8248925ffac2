/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report in JSON, read back: the counterexamples of what was violated.
 *
 * The file is read as manifests are, so that every problem has its place. A
 * report that was written neither by `fathom verify -o json` nor by `fathom
 * controller -o json` is refused.
 */
#ifndef FATHOM_REPORT_TOLD_REPORT_H
#define FATHOM_REPORT_TOLD_REPORT_H

#include "base/vec.h"
#include "decide/features.h"
#include "manifest/document.h"
#include "object/check.h"
#include "object/meta.h"

struct told_numbers {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};

struct told_step {
    const char *actor;
    const char *action;
    const char *object;
    const char *detail;
    VEC(const char *) why;
    struct told_numbers causes;
    uint32_t choice;
    bool outside;
};

/* A violated intent. */
struct told_violation {
    enum intent_kind kind; /* of a report of `fathom verify` */
    const char *name;
    const char *meaning; /* what it means that it is violated, if the report says so */
    uint32_t number;     /* of the intent in its report, from 0 */
    const char *label;
    const struct value *scale;
    VEC(struct told_step) steps;
    uint32_t begin; /* which of the ways to begin */
    bool loops;
    bool rests;
    uint32_t loop_from; /* from 0 */
    struct told_numbers causes;
    struct told_numbers judged;
    VEC(const char *) places; /* "file:line:column: path" */
};

struct told_report {
    const char *check;
    bool of_controller; /* written by `fathom controller` */
    const struct value *input;
    struct features features; /* by these rules */
    uint32_t unit;    /* which of the Checks of the input it is about, or which of the questions */
    uint32_t intents; /* that it has */
    VEC(struct told_violation) violations;
};

struct told_reports {
    VEC(struct told_report) items;
};

/* A Report or a ReportList. False, with problems, if it is none. */
bool told_report_read(struct arena *arena, const char *path, struct told_reports *reports,
                      struct problems *problems);

/* Leaves those of the violations that are wanted, by name or label; no names: all of them.
 * False if there are violations, and none of them is left. */
bool told_report_select(struct told_reports *reports, const struct string_list *wanted);

#endif
