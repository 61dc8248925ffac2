/* SPDX-License-Identifier: Apache-2.0 */
/* One plan of `fathom verify`, run with its progress; and what all of them found, as reports. */
#ifndef FATHOM_CLI_VERIFY_ONE_H
#define FATHOM_CLI_VERIFY_ONE_H

#include "cli/verify_settings.h"
#include "cli/verify_trial.h"
#include "report/report.h"
#include "verify/plan.h"

/* The limits are of the whole run: what was spent is taken off those of the options. */
void verify_one(struct session *session, const struct verify_settings *settings,
                const struct verify_plan *plan, struct verify_options *options,
                struct verify_report *found);

struct reports verify_reports(struct session *session, const struct verify_settings *settings,
                              const struct verify_plan *plans, uint32_t count,
                              const struct verify_report *found, const struct trials *trials,
                              uint64_t peak_bytes);

#endif
