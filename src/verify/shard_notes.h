/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How shards stop early: a folder that all of them see, in which each notes the setups that violate
 * an intent. No shard judges that intent in larger setups any more, as one process would not.
 *
 * A note is an empty file whose name says everything, so nobody reads half of one. The name begins
 * with what is verified and by which build, so notes of other runs in the same folder do no harm,
 * and those of an earlier run of the same are true. A folder that cannot be read or written costs
 * time and changes no result.
 */
#ifndef FATHOM_VERIFY_SHARD_NOTES_H
#define FATHOM_VERIFY_SHARD_NOTES_H

#include <stdint.h>

struct shard_notes {
    const char *folder;
    uint64_t identity; /* of what is verified, and of the build */
};

void shard_notes_add(const struct shard_notes *notes, uint32_t unit, uint32_t intent,
                     uint64_t setup);

/* Of each intent of the unit the smallest setup that is known to violate it: `smallest` has a place
 * for each, which is only lowered. */
void shard_notes_read(const struct shard_notes *notes, uint32_t unit, uint32_t intent_count,
                      uint64_t *smallest);

#endif
