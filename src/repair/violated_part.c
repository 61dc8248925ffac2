/* SPDX-License-Identifier: Apache-2.0 */
#include "repair/violated_part.h"

#include "setup/part.h"

#include <string.h>

bool violated_part_of(const struct edit_case *of, const struct scope *scope,
                      const struct verify_result *result, uint32_t run, struct violated_part *part)
{
    bool *marked = ARENA_ARRAY(of->arena, bool, scope->workload_count + 1);
    bool *near = ARENA_ARRAY(of->arena, bool, of->documents.count + 1);
    *part = (struct violated_part){.run = run, .near = near};
    part->workloads = ARENA_ARRAY(of->arena, const char *, scope->workload_count + 1);
    repair_mark_workloads(result, scope, marked);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (marked[w])
            part->workloads[part->workload_count++] =
                arena_strdup(of->arena, scope->workloads[w].name);
    for (uint32_t i = 0; i < of->documents.count; i++)
        near[i] = repair_is_near(scope, marked, of->documents.items[i].object);
    /* With clocks, what others do decides at which moments something can happen. */
    return scope->time != TIME_CLOCKED && part->workload_count > 0 &&
           part->workload_count < scope->workload_count;
}

static bool has_workload(const struct violated_part *part, const char *name)
{
    for (uint32_t i = 0; i < part->workload_count; i++)
        if (strcmp(part->workloads[i], name) == 0)
            return true;
    return false;
}

bool violated_part_scope(struct arena *arena, const struct violated_part *part,
                         const struct known_runs *runs, const struct scope *scope,
                         struct scope *single)
{
    bool *in = ARENA_ARRAY(arena, bool, scope->workload_count + 1);
    struct scope_part *cut = ARENA_NEW(arena, struct scope_part);
    struct scope sized;
    uint32_t count = 0;
    if (!known_run_scope(arena, runs, part->run, scope, &sized))
        return false;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        in[w] = has_workload(part, scope->workloads[w].name);
        count += in[w];
    }
    scope_part(arena, &sized, in, cut);
    *single = cut->scope;
    return count == part->workload_count;
}

bool violated_part_is_changed(const struct violated_part *part, const struct edit *const *edits,
                              uint32_t count)
{
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t c = 0; c < edits[e]->change_count; c++)
            if (part->near[edits[e]->changes[c].document])
                return true;
    return false;
}
