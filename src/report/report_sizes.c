/* SPDX-License-Identifier: Apache-2.0 */
/* For which numbers of nodes a verdict is known, where groups have no maximum (verify/cover.h). */
#include "report/report_sizes.h"

#include <inttypes.h>

/* "4", "2 to 5", "5 and more" */
static const char *bounds_text(struct arena *arena, int64_t least, int64_t most)
{
    if (most == SIZE_UNBOUNDED)
        return arena_printf(arena, "%" PRId64 " and more", least);
    if (least == most)
        return arena_printf(arena, "%" PRId64, least);
    return arena_printf(arena, "%" PRId64 " to %" PRId64, least, most);
}

/* May all groups have any number of nodes from the same one on? */
static bool are_alike(const struct scope *scope)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (!scope->groups[g].open || scope->groups[g].least != scope->groups[0].least)
            return false;
    return true;
}

/* "node: 1 and more, spot: 0 to 3"; "1 and more of each of 3 groups" */
static const char *groups_text(struct arena *arena, const struct scope *scope)
{
    enum { FEW = 2 };
    const char *text = "";
    if (scope->group_count > FEW && are_alike(scope))
        return arena_printf(arena, "%s of each of %u groups",
                            bounds_text(arena, scope->groups[0].least, SIZE_UNBOUNDED),
                            scope->group_count);
    for (uint32_t g = 0; g < scope->group_count; g++) {
        const struct setup_group *group = &scope->groups[g];
        text = arena_printf(
            arena, "%s%s%s: %s", text, g > 0 ? ", " : "", group->name,
            bounds_text(arena, group->least, group->open ? SIZE_UNBOUNDED : group->most));
    }
    return text;
}

static int64_t least_nodes(const struct scope *scope)
{
    int64_t least = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        least += scope->groups[g].least;
    return least > 0 ? least : 1;
}

const char *report_sizes_held(struct arena *arena, const struct report *report)
{
    const struct cover_found *sizes = &report->found->sizes;
    const struct scope *scope = report->scope;
    const char *groups =
        scope->group_count > 1 ? arena_printf(arena, " (%s)", groups_text(arena, scope)) : "";
    if (sizes->complete)
        return arena_printf(arena, "for every number of nodes from %" PRId64 " on%s",
                            least_nodes(scope), groups);
    if (sizes->by_proof)
        return arena_printf(arena, "for every size up to %" PRId64 " nodes%s", sizes->up_to,
                            groups);
    return arena_printf(arena, "up to %" PRId64 " nodes (explored)%s%s%s", sizes->up_to, groups,
                        sizes->why ? ": " : "", sizes->why ? sizes->why : "");
}

/* The names of these groups: "a + b" */
static const char *names_of(struct arena *arena, const struct scope *scope, uint32_t groups)
{
    const char *text = "";
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (groups >> g & 1)
            text = arena_printf(arena, "%s%s%s", text, *text ? " + " : "", scope->groups[g].name);
    return text;
}

const char *report_sizes_violated(struct arena *arena, const struct report *report,
                                  const struct verify_result *result)
{
    const struct verify_report *found = report->found;
    const char *text = "";
    if (!found->sizes.open || !result->setup || result->searched)
        return NULL;
    const struct size_region *region = &found->sizes.regions[result->setup - found->setups.items];
    for (uint32_t i = 0; region->tracked && !region->point && i < region->slab_count; i++)
        text = arena_printf(arena, "%s%s%s: %s", text, *text ? ", " : "",
                            names_of(arena, report->scope, region->slabs[i].groups),
                            bounds_text(arena, region->slabs[i].least, region->slabs[i].most));
    return *text ? text : NULL;
}

/* ---- JSON ---- */

void report_scale_json(struct json_out *json, const struct scope *scope, const struct setup *setup)
{
    if (!setup) {
        json_null(json, "scale");
        return;
    }
    json_object_begin(json, "scale");
    json_integer(json, "nodes", setup->total_nodes);
    json_integer(json, "pods", setup->total_pods);
    json_object_begin(json, "nodeGroups");
    for (uint32_t g = 0; g < scope->group_count; g++)
        json_integer(json, scope->groups[g].name, setup->nodes[g]);
    json_object_end(json);
    json_object_begin(json, "workloads");
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (setup_workload_is_sized(&scope->workloads[w]))
            json_integer(json, scope->workloads[w].name, setup->replicas[w]);
    json_object_end(json);
    json_object_end(json);
}

static void write_region(struct json_out *json, const struct report *report, uint32_t number)
{
    const struct verify_report *found = report->found;
    const struct setup *setup = &found->setups.items[number];
    const struct size_region *region = &found->sizes.regions[number];
    const bool point = region->point || !region->tracked;
    json_object_begin(json, NULL);
    report_scale_json(json, report->scope, setup);
    json_array_begin(json, "nodes");
    for (uint32_t i = 0; i < (point ? report->scope->group_count : region->slab_count); i++) {
        const uint32_t groups = point ? UINT32_C(1) << i : region->slabs[i].groups;
        json_object_begin(json, NULL);
        json_array_begin(json, "groups");
        for (uint32_t g = 0; g < report->scope->group_count; g++)
            if (groups >> g & 1)
                json_string(json, NULL, report->scope->groups[g].name);
        json_array_end(json);
        json_integer(json, "min", point ? setup->nodes[i] : region->slabs[i].least);
        if (point || region->slabs[i].most != SIZE_UNBOUNDED)
            json_integer(json, "max", point ? setup->nodes[i] : region->slabs[i].most);
        json_object_end(json);
    }
    json_array_end(json);
    if (region->why)
        json_string(json, "why", region->why);
    json_object_end(json);
}

void report_sizes_json(struct json_out *json, const struct report *report)
{
    const struct cover_found *sizes = &report->found->sizes;
    if (!sizes->open)
        return;
    json_object_begin(json, "sizes");
    json_string(json, "covered",
                sizes->complete   ? "every"
                : sizes->by_proof ? "everyUpTo"
                                  : "explored");
    if (!sizes->complete)
        json_integer(json, "upToNodes", sizes->up_to);
    if (!sizes->complete && sizes->why)
        json_string(json, "why", sizes->why);
    json_array_begin(json, "regions");
    for (uint32_t s = 0; s < report->found->setups_explored; s++)
        write_region(json, report, s);
    json_array_end(json);
    json_object_end(json);
}
