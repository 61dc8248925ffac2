/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/phases_text.h"

#include <inttypes.h>
#include <stdio.h>

struct phases *phases_new(struct arena *arena)
{
    struct phases *phases = ARENA_NEW(arena, struct phases);
#define PHASE(name, unit, help) atomic_init(&phases->name, 0);
#include "explore/phases.def"
#undef PHASE
    return phases;
}

static void print(const char *name, enum phase_unit unit, uint64_t value, const char *help)
{
    if (unit == PHASE_TIME)
        fprintf(stderr, "%-18s %14.6f s  %s\n", name, (double)value / 1e9, help);
    else
        fprintf(stderr, "%-18s %14" PRIu64 " %s  %s\n", name, value,
                unit == PHASE_BYTES ? "B" : " ", help);
}

void phases_print(const struct phases *phases)
{
#define PHASE(name, unit, help) print(#name, PHASE_##unit, atomic_load(&phases->name), help);
#include "explore/phases.def"
#undef PHASE
}
