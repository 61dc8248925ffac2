/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of a run goes (`--stats`). One `struct phases` sums up all searches of all
 * threads; a search without one measures nothing. */
#ifndef FATHOM_EXPLORE_PHASES_H
#define FATHOM_EXPLORE_PHASES_H

#include <stdatomic.h>
#include <stdint.h>

enum phase_unit { PHASE_COUNT, PHASE_TIME, PHASE_BYTES };

struct phases {
#define PHASE(name, unit, help) atomic_uint_fast64_t name;
#include "explore/phases.def"
#undef PHASE
};

/* Processor time of the calling thread, in nanoseconds. */
uint64_t phases_thread_ns(void);
/* The larger of what was noted before and this. */
void phases_note_most(atomic_uint_fast64_t *noted, uint64_t value);

#endif
