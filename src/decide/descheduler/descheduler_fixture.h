/* SPDX-License-Identifier: Apache-2.0 */
/* Small clusters with a DeschedulerPolicy, written as manifests, for tests. */
#ifndef FATHOM_DECIDE_DESCHEDULER_FIXTURE_H
#define FATHOM_DECIDE_DESCHEDULER_FIXTURE_H

#include "decide/descheduler/descheduler.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline void read_manifests(struct arena *arena, const char *text, struct objects *objects)
{
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, arena);
    if (!manifest_parse(arena, "case", text, strlen(text), &documents, &problems) ||
        !object_decode(arena, &documents, NULL, objects, &problems))
        fail_msg("%s", problem_format(arena, &problems.items[0]));
}

/* The last policy among the objects; NULL if there is none. */
static inline const struct descheduler_policy *find_policy(const struct objects *objects)
{
    const struct descheduler_policy *policy = NULL;
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_DESCHEDULER_POLICY)
            policy = objects->items[i].as.descheduler_policy;
    return policy;
}

#endif
