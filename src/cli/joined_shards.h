/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of shards that belong together: what all of them found out, Check by Check. */
#ifndef FATHOM_CLI_JOINED_SHARDS_H
#define FATHOM_CLI_JOINED_SHARDS_H

#include "cli/session.h"
#include "report/shard_report.h"

struct joined_shards {
    const struct shard_report *first; /* what is the same in all of them is read here */
    struct known_outcomes *checks;
    uint32_t check_count;
};

/* False, after complaints, if these are not all shards of one verification, made by this build from
 * the files as they are. */
bool joined_shards_read(struct session *session, const struct option_list *files,
                        struct joined_shards *joined);

#endif
