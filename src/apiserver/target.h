/* SPDX-License-Identifier: Apache-2.0 */
/* What a path of the API names, whether or not it exists. */
#ifndef FATHOM_APISERVER_TARGET_H
#define FATHOM_APISERVER_TARGET_H

#include "base/arena.h"

#include <stdbool.h>

enum target_kind {
    TARGET_NONE,          /* no path of the API */
    TARGET_HEALTH,        /* /healthz, /livez, /readyz */
    TARGET_VERSION,       /* /version */
    TARGET_CORE,          /* /api */
    TARGET_GROUPS,        /* /apis */
    TARGET_GROUP,         /* /apis/GROUP */
    TARGET_GROUP_VERSION, /* /api/v1, /apis/GROUP/VERSION */
    TARGET_RESOURCE,      /* a collection, an object or a sub-resource */
    TARGET_OPENAPI_V2,
    TARGET_OPENAPI_V3,
    TARGET_OPENAPI_V3_GROUP,
};

/* Texts are "" where the path has none. */
struct target {
    enum target_kind kind;
    const char *group;
    const char *version;
    const char *name_space;
    const char *plural;
    const char *name;
    const char *sub_resource;
};

struct target target_parse(struct arena *arena, const char *path);

#endif
