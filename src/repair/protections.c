/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/edit.h"

static const struct {
    const char *name;
    bool guarded;
    const char *words;
} table[] = {
#define PROTECTION(constant, name, guarded, words) {name, guarded, words},
#include "repair/protections.def"
#undef PROTECTION
};

const char *protection_name(enum protection protection)
{
    return table[protection].name;
}

const char *protection_words(enum protection protection)
{
    return table[protection].words;
}

unsigned protections_guarded(void)
{
    unsigned guarded = 0;
    for (uint32_t i = 0; i < PROTECTION_COUNT; i++)
        guarded |= table[i].guarded ? 1U << i : 0;
    return guarded;
}
