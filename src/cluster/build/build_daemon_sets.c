/* SPDX-License-Identifier: Apache-2.0 */
/* What DaemonSets need of nodes and pods before anything happens. */
#include "cluster/build/build_daemon_sets.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "object/schemas.h"

/* No label of a manifest can look like this one. */
#define LABEL_TARGET "the node itself"

/* Pods of DaemonSets ask for one node, by its name. Nodes of a group have none:
 * the one that is asked for is told by a label, which only it has. */
void add_target_template(struct population *population, uint32_t template)
{
    const struct node_template *of = population->catalog->templates.items[template];
    struct node *node = ARENA_NEW(&population->arena, struct node);
    *node = *of->node;
    labels_set(&population->arena, &node->meta.labels, LABEL_TARGET, "");
    const uint32_t target = of->anonymous
                                ? catalog_add_anonymous_node(population->maker->catalog, node)
                                : catalog_add_named_node(population->maker->catalog, node);
    const struct template_info info = population->templates.items[template];
    VEC_PUSH(&population->arena, &population->templates, info);
    population->templates.items[template].target = target;
}

/* What the DaemonSet controller puts in place of the template's own terms, which
 * it has looked at itself. */
void pod_ask_for_target(struct arena *arena, struct pod *pod)
{
    struct affinity *affinity = ARENA_NEW(arena, struct affinity);
    struct node_affinity *node_affinity = ARENA_NEW(arena, struct node_affinity);
    struct node_selector *required = ARENA_NEW(arena, struct node_selector);
    struct node_selector_term *term = ARENA_NEW(arena, struct node_selector_term);
    struct selector_requirement *exists = ARENA_NEW(arena, struct selector_requirement);
    if (pod->spec.affinity)
        *affinity = *pod->spec.affinity;
    if (affinity->node_affinity)
        *node_affinity = *affinity->node_affinity;
    *exists = (struct selector_requirement){.key = LABEL_TARGET, .operator= SELECTOR_EXISTS };
    *term = (struct node_selector_term){.match_expressions = exists, .match_expression_count = 1};
    *required = (struct node_selector){.terms = term, .term_count = 1};
    node_affinity->required = required;
    affinity->node_affinity = node_affinity;
    pod->spec.affinity = affinity;
}

const struct daemon_set *daemon_set_with(struct arena *arena, const struct workload *workload,
                                         const struct pod_template *template)
{
    struct daemon_set *set = ARENA_NEW(arena, struct daemon_set);
    *set = *workload->setup->object->as.daemon_set;
    set->template = *template;
    return set;
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
