/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report of one shard (verify/shard.h), as a JSON document: `fathom verify --shard` writes it,
 * and `fathom join` reads it. docs/distribution.md describes it.
 *
 * It says what was verified, by which build, and which share of it this is, so that reports which
 * do not belong together are not joined. A checksum tells a report that was cut off or changed.
 */
#ifndef FATHOM_REPORT_SHARD_REPORT_H
#define FATHOM_REPORT_SHARD_REPORT_H

#include "base/text.h"
#include "verify/checkpoint_identity.h"
#include "verify/shard.h"

/* The setups of one Check. */
struct shard_check {
    const char *name;
    struct string_list intents; /* in words, for people */
    struct shard_log log;
};

struct shard_report {
    const char *file; /* it was read from */
    struct checkpoint_identity identity;
    struct shard shard;
    struct shard_check *checks;
    uint32_t check_count;
};

/* What several shards of one verification have in common. */
uint64_t shard_report_identity(const struct checkpoint_identity *identity);

/* Reads the file; false, with problems, if it is no whole report of a shard. */
bool shard_report_read(struct arena *arena, const char *path, struct shard_report *report,
                       struct problems *problems);

#endif
