/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/autoscaler_words.h"

#include "base/arena.h"
#include "manifest/document.h"
#include "object/as_written.h"
#include "object/autoscaler.h"

const char *autoscaler_fewest_field(struct arena *arena, const struct object *autoscaler)
{
    return written_field(arena, autoscaler, "spec.minReplicas");
}

const char *autoscaler_fewest(struct arena *arena, const struct object *autoscaler)
{
    const int32_t fewest = autoscaler->as.horizontal_pod_autoscaler->min_replicas;
    const char *field = autoscaler_fewest_field(arena, autoscaler);
    int64_t written = 0;
    value_read_integer(value_find(value_find(written_root(autoscaler), "spec"), field), &written);
    if (autoscaler->source && autoscaler->source->written && written != fewest)
        return arena_printf(arena, "%d pod%s (%s is 0: none is left when there is nothing to do)",
                            fewest, fewest == 1 ? "" : "s", field);
    return arena_printf(arena, "%s %d", field, fewest);
}

const char *autoscaler_most(struct arena *arena, const struct object *autoscaler)
{
    return arena_printf(arena, "%s %d", written_field(arena, autoscaler, "spec.maxReplicas"),
                        autoscaler->as.horizontal_pod_autoscaler->max_replicas);
}
