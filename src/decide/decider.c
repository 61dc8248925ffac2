/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/decider.h"

#include <string.h>

const struct decider *const decider_registry[] = {
#define DECIDER(name) &decider_##name,
#include "decide/deciders.def"
#undef DECIDER
    NULL,
};

const struct decider *decider_find(const char *name)
{
    for (const struct decider *const *decider = decider_registry; *decider; decider++)
        if (strcmp((*decider)->name, name) == 0)
            return *decider;
    return NULL;
}
