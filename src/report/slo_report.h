/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `fathom slo` found, for people and for programs. As in report.h, formats
 * only append to a text, and those for people leave out times of the machine.
 */
#ifndef FATHOM_REPORT_SLO_REPORT_H
#define FATHOM_REPORT_SLO_REPORT_H

#include "base/json_out.h"
#include "object/meta.h"
#include "slo/questions.h"
#include "slo/synthesis.h"

struct slo_report {
    const char *name; /* of the ServiceObjective */
    const char *file;
    const struct slo_service *service;
    struct slo_answer *answers;
    uint32_t answer_count;
    const struct slo_frontier *frontier; /* --find; NULL: not asked for */
    struct string_list notes;            /* what was rounded, assumed or left out */
    struct string_list warnings;
    double seconds; /* of the machine's */
    uint64_t peak_bytes;
};

struct slo_reports {
    struct slo_report *items;
    uint32_t count;
    uint32_t capacity;
};

/* Violated if any answer is; else undecided if any is; else holds. */
enum verdict slo_report_verdict(const struct slo_report *report);

void slo_write_text(struct arena *arena, const struct slo_report *report, struct text *text);
void slo_write_json(struct arena *arena, const struct slo_reports *reports, struct text *text);
void slo_write_svg(struct arena *arena, const struct slo_reports *reports, struct text *text);

/* ---- parts ---- */

/* "1 to 4 pods (1 at first), each handles 166 requests a second; ..." */
const char *slo_describe_service(struct arena *arena, const struct slo_service *service);
/* Requests, queue, pods over time in a few lines of characters. */
void slo_write_picture(struct arena *arena, const struct slo_service *service,
                       const struct slo_timeline *timeline, struct text *text);
/* The longest queue of a second, as the objective sees it. */
uint32_t slo_longest_queue(const struct slo_second *second);

#endif
