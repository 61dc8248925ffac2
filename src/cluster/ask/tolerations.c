/* SPDX-License-Identifier: Apache-2.0 */
/* How long pods stay on a node in spite of its NoExecute taints. */
#include "cluster/ask/tolerations.h"
#include "decide/controller/taint_manager.h"
#include "object/taint.h"

#include <string.h>

static bool is_lifecycle_taint(const struct taint *taint)
{
    return strcmp(taint->key, TAINT_NOT_READY) == 0 || strcmp(taint->key, TAINT_UNREACHABLE) == 0;
}

int64_t node_tolerated_seconds(struct arena *scratch, const struct node *node,
                               const struct pod_spec *spec, bool silent)
{
    if (node->spec.taint_count == 0)
        return TOLERATED_FOREVER;
    const struct arena_mark mark = arena_mark(scratch);
    struct taint *taints = ARENA_ARRAY(scratch, struct taint, node->spec.taint_count + 1);
    uint32_t count = 0;
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        if (node->spec.taints[t].effect == TAINT_NO_EXECUTE &&
            (silent || !is_lifecycle_taint(&node->spec.taints[t])))
            taints[count++] = node->spec.taints[t];
    const int64_t seconds =
        taint_manager_tolerated_seconds(taints, count, spec->tolerations, spec->toleration_count);
    arena_rewind(scratch, mark);
    return seconds;
}
