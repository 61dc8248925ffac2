/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/hints.h"

#include "decide/autoscaler/autoscaler.h"

#include <string.h>

struct placing_hint {
    const char *node;
    uint32_t generation; /* that it was set in */
};

void hints_init(struct placing_hints *hints, struct arena *arena)
{
    *hints = (struct placing_hints){.arena = arena, .generation = 1};
    map_init(&hints->entries, arena);
}

void hints_drop_old(struct placing_hints *hints)
{
    hints->generation++;
}

static const char *find_hint(const struct placing_hints *hints, const struct autoscaler_pod *pod)
{
    const struct placing_hint *hint = map_get(&hints->entries, pod->hint_key);
    return hint && hint->generation + 1 >= hints->generation ? hint->node : NULL;
}

static void set_hint(struct placing_hints *hints, const struct autoscaler_pod *pod,
                     const char *node)
{
    struct placing_hint *hint = map_get(&hints->entries, pod->hint_key);
    if (!hint) {
        hint = ARENA_NEW(hints->arena, struct placing_hint);
        map_put(&hints->entries, arena_strdup(hints->arena, pod->hint_key))->value = hint;
    }
    if (!hint->node || strcmp(hint->node, node) != 0)
        hint->node = arena_strdup(hints->arena, node);
    hint->generation = hints->generation;
}

/* Pods of one controller with equal specs and labels that found no place in this call. */
enum { FAILURES_MOST = 10 }; /* of one controller */
struct failures {
    VEC(const struct autoscaler_pod *) pods;
};

static bool same_controller(const struct autoscaler_pod *a, const struct autoscaler_pod *b)
{
    const char *left = a->controller->uid ? a->controller->uid : "";
    const char *right = b->controller->uid ? b->controller->uid : "";
    return strcmp(left, right) == 0;
}

static bool has_failed(const struct failures *failures, const struct autoscaler_pod *pod)
{
    for (uint32_t i = 0; pod->controller && i < failures->pods.count; i++)
        if (failures->pods.items[i]->likeness == pod->likeness &&
            same_controller(failures->pods.items[i], pod))
            return true;
    return false;
}

static void note_failure(struct arena *arena, struct failures *failures,
                         const struct autoscaler_pod *pod)
{
    uint32_t known = 0;
    if (!pod->controller || pod->daemon)
        return;
    for (uint32_t i = 0; i < failures->pods.count; i++)
        known += same_controller(failures->pods.items[i], pod);
    if (known < FAILURES_MOST)
        VEC_PUSH(arena, &failures->pods, pod);
}

/* The hint is renewed if the pod may run there, even if the node is not acceptable. */
static uint32_t place_by_hint(struct placing_hints *hints, struct simulated_cluster *simulation,
                              const struct autoscaler_pod *pod, const struct acceptable *acceptable)
{
    const char *name = find_hint(hints, pod);
    const uint32_t position = name ? simulation_find(simulation, name) : SIMULATION_NOWHERE;
    if (position == SIMULATION_NOWHERE ||
        simulation_check(simulation, pod, position).code != VERDICT_FEASIBLE)
        return SIMULATION_NOWHERE;
    set_hint(hints, pod, name);
    if (position < acceptable->first ||
        (acceptable->accepts && !acceptable->accepts(acceptable->context, position)))
        return SIMULATION_NOWHERE;
    return position;
}

static uint32_t place(struct placing_hints *hints, struct simulated_cluster *simulation,
                      struct failures *failures, const struct autoscaler_pod *pod,
                      const struct acceptable *acceptable)
{
    /* With choices a pod may go anywhere: where it went before is one of them. */
    const bool chosen = simulation->mixes && simulation->mixes->choices;
    uint32_t position =
        chosen ? SIMULATION_NOWHERE : place_by_hint(hints, simulation, pod, acceptable);
    if (position != SIMULATION_NOWHERE || has_failed(failures, pod))
        return position;
    position = simulation_fit_any(simulation, pod, acceptable);
    if (position == SIMULATION_NOWHERE)
        note_failure(simulation->arena, failures, pod);
    else if (!chosen)
        set_hint(hints, pod, simulation->nodes[position]->name);
    return position;
}

void hints_place(struct placing_hints *hints, struct simulated_cluster *simulation,
                 const struct autoscaler_pod *const *pods, uint32_t count,
                 const struct acceptable *acceptable, bool stops, placed_list *placed)
{
    struct failures failures = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t position = place(hints, simulation, &failures, pods[i], acceptable);
        if (position == SIMULATION_NOWHERE && stops)
            return;
        if (position == SIMULATION_NOWHERE)
            continue;
        simulation_add_pod(simulation, position, pods[i]);
        const struct pod_placing where = {pods[i], simulation->nodes[position]->shown,
                                          simulation->nodes[position]->name};
        VEC_PUSH(simulation->arena, placed, where);
    }
}
