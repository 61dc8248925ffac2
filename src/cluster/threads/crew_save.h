/* SPDX-License-Identifier: Apache-2.0 */
/* A crew's numbers and findings in a file, so that saved states can be read again. */
#ifndef FATHOM_CLUSTER_THREADS_CREW_SAVE_H
#define FATHOM_CLUSTER_THREADS_CREW_SAVE_H

#include "cluster/forward.h"

#include <stdbool.h>
#include <stdint.h>

struct bytes_in;
struct bytes_out;

/* What the numbers in saved states stand for, and what else the crew has found out.
 * To be loaded into a new crew of the same setup; false: it does not fit (in->bad). */
void crew_save(struct crew *crew, struct bytes_out *out);
bool crew_load(struct crew *crew, struct bytes_in *in);

/* Can the setup have this state, which was saved with those numbers? */
bool crew_state_is_sound(struct crew *crew, const uint32_t *words, uint32_t length);

#endif
