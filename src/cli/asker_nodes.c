/* SPDX-License-Identifier: Apache-2.0 */
/* How many nodes the manifests need: found by asking whether everything becomes ready. */
#include "cli/asker.h"
#include "setup/tolerated_taints.h"

#include <string.h>

enum { STATES_OF_SEARCH = 100000, NODES_MOST = 200 };

static void read_size(const char *text, struct node_size *size, struct problems *problems)
{
    const char *comma = strchr(text, ',');
    const size_t length = comma ? (size_t)(comma - text) : 0;
    char cpu[32] = "";
    if (comma && length < sizeof(cpu))
        memcpy(cpu, text, length);
    if (!comma || !quantity_parse(cpu, &size->cpu, NULL) ||
        !quantity_parse(comma + 1, &size->memory, NULL) || size->cpu.nanos <= 0 ||
        size->memory.nanos <= 0)
        problem_error(problems, (struct place){0}, "--node-size",
                      "expected CPU,MEMORY, such as 4,16Gi, found \"%s\"", text);
}

/* Do all pods find a node, for all that is known, if there are so many? */
static bool is_enough(struct asker *asker, const struct node_needs *needs, int32_t count)
{
    struct arena *arena = &asker->session->arena;
    struct questions questions = {0};
    struct objects objects;
    bool enough = true;
    asker_copy_objects(asker, NULL, 0, &objects);
    node_needs_add(arena, needs, count, NODE_ROOM_OF_SIZE, &objects);
    questions_add(arena, QUESTION_START, asker->unit, &objects, &(struct question_options){0},
                  &asker->scope, &questions);
    for (uint32_t i = 0; i < questions.count && enough; i++) {
        struct verify_report found;
        if (!questions.items[i].made)
            continue;
        asker_run(asker, &questions.items[i].plan, STATES_OF_SEARCH, &found);
        for (uint32_t r = 0; r < found.result_count; r++)
            enough &= found.results[r].verdict != VERDICT_VIOLATED ||
                      found.results[r].intent->kind != INTENT_PODS_SCHEDULABLE;
        verify_release(&found);
    }
    return enough;
}

/* The fewest nodes that are enough. If no number is, that is for other reasons than room, and the
 * question of the start will tell. */
static int32_t search_count(struct asker *asker, const struct node_needs *needs)
{
    const int32_t least = node_needs_least(needs);
    for (int32_t count = least; count <= 2 * least + 2 && count <= NODES_MOST; count++)
        if (is_enough(asker, needs, count))
            return count;
    return least;
}

bool asker_find_needs(struct asker *asker)
{
    struct arena *arena = &asker->session->arena;
    const struct count_range range = asker->settings->scope.nodes;
    struct problems problems;
    struct node_size size;
    problems_init(&problems, arena);
    read_size(asker->session->options.node_size, &size, &problems);
    if (problems.errors > 0) {
        session_refuse(asker->session, &problems);
        return false;
    }
    asker->needs = node_needs_of(arena, &asker->unit->objects, &size);
    const int32_t count = range.given ? range.max : search_count(asker, asker->needs);
    asker->nodes = node_needs_text(asker->needs, count);
    VEC_PUSH(
        arena, &asker->assumptions,
        range.open ? arena_printf(arena,
                                  "no nodes are given: there are %d, and any number more where it "
                                  "is said that it holds (--nodes)",
                                  range.max)
        : range.given
            ? arena_printf(arena, "no nodes are given: there are %d (--nodes)", range.max)
            : arena_printf(arena,
                           "no nodes are given: there are %d in %u zones, each with "
                           "room for all pods (with Node objects or --nodes, room "
                           "counts)",
                           node_needs_roomy(asker->needs, true), node_needs_zones(asker->needs)));
    const char *taints = tolerated_taints(arena, &asker->unit->objects);
    if (taints)
        VEC_PUSH(
            arena, &asker->assumptions,
            arena_printf(arena, "the nodes have no taints, though pods tolerate some: %s", taints));
    return true;
}

void asker_add_nodes(struct asker *asker, bool one_goes, struct objects *objects)
{
    const struct count_range range = asker->settings->scope.nodes;
    if (!asker->needs)
        return;
    node_needs_add(&asker->session->arena, asker->needs,
                   range.given ? range.max : node_needs_roomy(asker->needs, one_goes),
                   range.given ? NODE_ROOM_OF_SIZE : NODE_ROOM_FOR_ALL, objects);
}
