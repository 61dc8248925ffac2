/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/image_name.h"
#include "base/arena.h"

#include <string.h>

const char *image_name_normalised(struct arena *arena, const char *name)
{
    name = name ? name : "";
    const char *colon = strrchr(name, ':');
    const char *slash = strrchr(name, '/');
    if (colon && (!slash || colon > slash))
        return name;
    return arena_printf(arena, "%s:latest", name);
}
