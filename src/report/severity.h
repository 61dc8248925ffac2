/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How grave a violation is, for pipelines that fail on some and tell others (--fail-on), and
 * violations that people have accepted. Neither changes a verdict: what is violated is told as
 * violated, with the reason why it is accepted.
 */
#ifndef FATHOM_REPORT_SEVERITY_H
#define FATHOM_REPORT_SEVERITY_H

#include "base/json_out.h"
#include "object/check.h"

/* The gravest first, which is what an intent has that no table lists. */
enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITY_COUNT };

struct severities {
    enum severity of[INTENT_KIND_COUNT];
};

struct severities severities_usual(void);
/* "error" */
const char *severity_name(enum severity severity);
bool severity_find(const char *name, enum severity *severity);

/* A violation that somebody has accepted. */
struct accepted_violation {
    uint32_t report; /* of the reports */
    uint32_t intent; /* of the report */
    const char *reason;
    const char *by; /* "annotation fathom.dev/ignore, web.yaml:4:3" */
};

struct accepted {
    struct accepted_violation *items;
    uint32_t count;
    uint32_t capacity;
    struct string_list unused; /* exceptions that nothing needs, in sentences */
};

struct reports;

/* NULL: nobody has. */
const struct accepted_violation *accepted_find(const struct accepted *accepted, uint32_t report,
                                               uint32_t intent);
/* Lines for people: what is accepted and why, and exceptions without effect. */
void accepted_write_text(struct arena *arena, const struct reports *reports, struct text *text);
/* The members "accepted" and "unusedExceptions"; of one report, or (UINT32_MAX) of all. */
void accepted_write_json(struct arena *arena, struct json_out *json, const struct reports *reports,
                         uint32_t report);

#endif
