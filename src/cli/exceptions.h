/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Living with findings: which violations are accepted, and which ones fail the run.
 *
 * A violation is accepted by an entry of `.fathom.yaml`, by the annotation fathom.dev/ignore of its
 * workload ("drainCompletes -- one replica by design"), or because a report from before has it
 * (--baseline). It is told as violated all the same, with the reason; it only does not fail the
 * run.
 *
 * Of an intent that is about all workloads only one violation is known, the smallest. Accepting it
 * for one workload would hide those of the others, so an exception that names a workload counts
 * only for intents that are about that workload alone; a baseline accepts such an intent only with
 * the very same run.
 */
#ifndef FATHOM_CLI_EXCEPTIONS_H
#define FATHOM_CLI_EXCEPTIONS_H

#include "cli/config_file.h"
#include "object/input.h"
#include "report/report.h"

/* Checks the options before the run: --fail-on, and that the baseline is a report. False after
 * complaints. */
bool exceptions_accept_options(struct session *session);

/* Adds what is accepted to the reports, writes them, and gives the exit code. Annotations that are
 * not understood are complained about. */
int exceptions_report(struct session *session, const struct input *input, struct reports *reports);

/* One annotation: "podsSchedulable, drain -- the reason", for the workload of this name. False,
 * with what is wrong, if it cannot be read. */
bool exceptions_parse(struct arena *arena, const char *text, const char *workload, const char *by,
                      struct exception_list *list, const char **wrong);

#endif
