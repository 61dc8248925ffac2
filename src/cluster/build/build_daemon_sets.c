/* SPDX-License-Identifier: Apache-2.0 */
/* What DaemonSets need of nodes and pods before anything happens. */
#include "cluster/build/build_daemon_sets.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/controller/daemon_set/daemon_set_controller.h"

/* What the DaemonSet controller puts in place of the template's own terms, which
 * it has looked at itself. */
void pod_ask_for_target(struct arena *arena, struct pod *pod)
{
    struct affinity affinity = {0};
    struct node_affinity node_affinity = {0};
    if (pod->spec.affinity)
        affinity = *pod->spec.affinity;
    if (affinity.node_affinity)
        node_affinity = *affinity.node_affinity;
    struct selector_requirement exists = {.key = LABEL_TARGET, .operator= SELECTOR_EXISTS };
    struct node_selector_term term = {arena_copy(arena, &exists, sizeof(exists)), 1};
    struct node_selector required = {arena_copy(arena, &term, sizeof(term)), 1};
    node_affinity.required = arena_copy(arena, &required, sizeof(required));
    affinity.node_affinity = arena_copy(arena, &node_affinity, sizeof(node_affinity));
    pod->spec.affinity = arena_copy(arena, &affinity, sizeof(affinity));
}

void find_daemon_places(struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        if (!revision->daemon_set)
            continue;
        revision->daemon_places =
            ARENA_ARRAY(&population->arena, struct daemon_place, population->templates.count + 1);
        for (uint32_t t = 0; t < population->templates.count; t++)
            daemon_set_should_run(revision->daemon_set, revision->pod->spec.tolerations,
                                  revision->pod->spec.toleration_count,
                                  population->catalog->templates.items[t]->node,
                                  &revision->daemon_places[t].should_run,
                                  &revision->daemon_places[t].should_continue);
    }
}
