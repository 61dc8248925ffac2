/* SPDX-License-Identifier: Apache-2.0 */
/* What following recorded runs found, for people and for programs. */
#ifndef FATHOM_REPORT_REPORT_OBSERVED_H
#define FATHOM_REPORT_REPORT_OBSERVED_H

#include "recording/follow.h"

struct observed_run {
    const char *folder; /* its last part: "s01-deploy-plain" */
    uint32_t number;
    struct follow_result result;
};

struct observed_report {
    struct observed_run *items; /* folder by folder */
    uint32_t count;
    uint32_t capacity;
};

/* From good to bad. */
enum observed_verdict {
    OBSERVED_FOLLOWED,
    OBSERVED_UNDECIDED, /* a limit of the search was reached first */
    OBSERVED_NOT_FOLLOWED,
};
enum observed_verdict observed_verdict_of(const struct follow_result *result);
/* The worst of them. */
enum observed_verdict observed_verdict(const struct observed_report *report);

void report_observed_text(struct arena *arena, const struct observed_report *report, bool verbose,
                          struct text *text);
void report_observed_json(struct arena *arena, const struct observed_report *report,
                          struct text *text);

#endif
