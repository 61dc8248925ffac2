/* SPDX-License-Identifier: Apache-2.0 */
/* A report that is given as a file, for the commands that look at its violations. */
#ifndef FATHOM_CLI_READ_REPORT_H
#define FATHOM_CLI_READ_REPORT_H

#include "cli/session.h"
#include "report/told_report.h"

/* Those of the violations that --intent asks for; all without it. False, after complaints,
 * if it is no report or none of them is left. */
bool session_read_report(struct session *session, const char *path, struct told_reports *reports);

#endif
