/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a report, read again: its command line, its Check, the manifests as they
 * are now. */
#ifndef FATHOM_CLI_READ_AGAIN_H
#define FATHOM_CLI_READ_AGAIN_H

#include "cli/verify_settings.h"
#include "report/told_report.h"
#include "verify/plan.h"

struct read_again {
    struct verify_settings settings;
    struct verify_plan plan;
    VEC(const char *) changed_files; /* since the report was written */
};

/* With the manifests of -f, if any. False, after complaints, if it cannot be read any more. */
bool report_read_again(struct session *session, const struct told_report *report,
                       struct read_again *again);

#endif
