/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answers to the questions that are asked of manifests without a Check: one finding for each
 * cause, with its reason in Kubernetes' arithmetic and a remedy; and how many of the questions
 * about each workload hold.
 *
 * Every question is a report of its own (report.h); this is what people want to know of all of
 * them together.
 */
#ifndef FATHOM_REPORT_ANSWERS_H
#define FATHOM_REPORT_ANSWERS_H

#include "report/report.h"
#include "setup/hints.h"

/* How bad a finding is: pods are missing for good; an operation can never be completed, or the
 * cluster never comes to rest; something is lost that can be started again, or comes where it
 * should not. */
enum gravity { GRAVITY_CRITICAL, GRAVITY_HIGH, GRAVITY_MEDIUM };

/* Another workload of which a finding says the same. */
struct alike_cause {
    const char *workload;
    uint32_t report;
    uint32_t intent;
    const struct report_source *source; /* NULL: none is known */
};

struct cause {
    enum gravity severity;
    uint32_t report;   /* of the reports */
    uint32_t intent;   /* of the report */
    const char *title; /* "a node that has one of its pods can never be drained" */
    VEC(const char *) workloads;
    VEC(const char *) also; /* other questions and intents with the same cause */
    VEC(const char *) reasons;
    const char *remedy; /* NULL: none is known */
    struct report_sources sources;
    VEC(struct alike_cause) alike; /* their workloads are among those above */
};

struct answers {
    const char *nodes;              /* what the manifests need; NULL: nodes are given */
    struct string_list assumptions; /* of all questions */
    struct string_list left_out;    /* questions that could not be asked, and why */
    struct string_list warnings;    /* about the manifests: "file:line:column: ..." */
    struct string_list limits;      /* that ended a question */
    struct hints hints;             /* about the manifests; those that findings tell are left out */

    /* ---- by answers_collect ---- */
    VEC(struct cause) findings;  /* the worst first */
    VEC(const char *) questions; /* that were asked */
    VEC(const char *) undecided; /* "rollout: DaemonSet/kube-system/agent: why" */
    uint32_t workloads;
    uint32_t hold; /* of the questions about each of the workloads */
};

/* "start, drain: for every number of nodes from 4 on", where no nodes are given (answers_sizes.c).
 */
struct string_list answers_sizes(struct arena *arena, const struct reports *reports,
                                 const struct answers *answers);

void answers_collect(struct arena *arena, const struct reports *reports, struct answers *answers);

/* Puts findings together that say the same of several workloads (answers_alike.c). */
void answers_group(struct arena *arena, const struct reports *reports, struct answers *answers);

/* Why the intent is violated, and what to do (answers_reason.c). */
void cause_explain(struct arena *arena, const struct report *report,
                   const struct verify_result *result, struct cause *finding);

/* If the API server refuses pods of the workload: by which quota or webhook, and what to do
 * (answers_refused.c). False: it does not. */
bool cause_explain_refusal(struct arena *arena, const struct report *report,
                           const struct verify_result *result, struct cause *finding);

/* For the other formats: the finding in a sentence or two, and its first line; NULL: the report is
 * not of a question. `place` may be NULL. */
const char *answers_told(struct arena *arena, const struct report *report,
                         const struct verify_result *result, struct place *place);
/* Is this the intent by which a finding is told of a workload, and not another one with the same
 * cause? */
bool answers_tell(const struct answers *answers, uint32_t report, uint32_t intent);

/* "critical", "high", "medium" */
const char *gravity_name(enum gravity severity);

/* "12 workloads, 4 questions each (start, ...): 46 hold, 1 finding, 1 undecided" */
const char *answers_summary(struct arena *arena, const struct answers *answers);
void answers_write_text(struct arena *arena, const struct reports *reports, bool verbose,
                        struct text *text);
/* Members of the report: "summary", "findings", "needs", "leftOut". */
void answers_write_json(struct arena *arena, struct json_out *json, const struct reports *reports);

/* The member "hints". */
void hints_write_json(struct json_out *json, const struct hints *hints);

#endif
