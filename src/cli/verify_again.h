/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report must carry so that its input can be found again: the arguments
 * that say what is verified and how, and the files with a hash each. Manifests
 * are not copied into the report: they may be large, and nobody's business.
 */
#ifndef FATHOM_CLI_VERIFY_AGAIN_H
#define FATHOM_CLI_VERIFY_AGAIN_H

#include "cli/session.h"
#include "report/report.h"
#include "verify/plan.h"

struct report_input verify_again_describe(struct session *session, const struct verify_plan *plan,
                                          uint32_t unit);

/* The hash of a file; false if it cannot be read. */
bool verify_again_hash(struct session *session, const char *name, uint64_t *hash);

#endif
