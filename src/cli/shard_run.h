/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom verify --shard`: the setups of one shard, and the report of it. */
#ifndef FATHOM_CLI_SHARD_RUN_H
#define FATHOM_CLI_SHARD_RUN_H

#include "cli/verify_settings.h"
#include "report/shard_report.h"
#include "verify/plan.h"

/* False, after complaints, if something else on the command line cannot be done by a shard. */
bool shard_accepts_options(const struct session *session);

/* What is verified, for the reports of all shards. False, after a complaint, if an input cannot be
 * read a second time. */
bool shard_identify(struct session *session, const struct verify_plan *plans, uint32_t count,
                    bool exhaustive, struct checkpoint_identity *identity);

/* Gives the exit code: 0, once the report is written; 3 if Ctrl-C or the end of the job came first.
 */
int shard_run(struct session *session, const struct verify_settings *settings,
              const struct verify_plan *plans, uint32_t count);

#endif
