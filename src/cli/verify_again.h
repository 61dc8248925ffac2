/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLI_VERIFY_AGAIN_H
#define FATHOM_CLI_VERIFY_AGAIN_H

#include "cli/session.h"
#include "verify/made_from.h"

/* What this command line verifies: its arguments without those of no consequence, and the
 * files of the plan. `unit`: which of the Checks the plan is of. */
struct made_from verify_again_describe(struct session *session, const struct verify_plan *plan,
                                       uint32_t unit);

/* The arguments that all shards of this verification have in common: with them and the options of
 * the report the same is verified again. */
struct string_list verify_again_shard_arguments(struct session *session);

/* The command line that verifies one intent of the plan in the same way, but with these options
 * ("--lag budgets"). */
const char *verify_again_command(struct session *session, const struct verify_plan *plan,
                                 const struct check_intent *intent,
                                 const struct string_list *options);

#endif
