/* SPDX-License-Identifier: Apache-2.0 */
/* Answers all questions about one service. */
#ifndef FATHOM_SLO_EXAMINE_H
#define FATHOM_SLO_EXAMINE_H

#include "object/meta.h"
#include "slo/questions.h"
#include "slo/synthesis.h"

/* What is to be found out. */
struct slo_order {
    struct slo_limits limits; /* of all questions together */
    bool questions[SLO_QUESTION_COUNT];
    bool finds; /* the best value of a parameter, too */
    enum slo_find find;
};

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

/* Of report->service. The limits of the order are spent. */
void slo_examine(struct arena *arena, struct memory *memory, struct slo_order *order,
                 struct slo_report *report);

/* Violated if any answer is; else undecided if any is; else holds. */
enum verdict slo_report_verdict(const struct slo_report *report);
/* Of all of them; undecided, too, if the best value of a parameter was not found. */
enum verdict slo_reports_verdict(const struct slo_reports *reports);

#endif
