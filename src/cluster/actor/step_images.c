/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kubelet of a node reports images that it has pulled for a pod (options.images_pulled).
 *
 * That takes the time of the pull and up to ten seconds more. The workload controllers and the
 * scheduler have done their work by then (unless they interleave with everything), other kubelets
 * need not have. A node that has an image keeps it.
 */
#include "cluster/actor_type.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/images.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Was another class of the revision's pods met before this place of the config? */
static bool was_met(struct worker *worker, const struct node_config *config, uint32_t place,
                    uint32_t revision)
{
    for (uint32_t p = 0; p < place; p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        if (info->revision == revision && info->stage != STAGE_BOUND)
            return true;
    }
    return false;
}

static void step_images(struct expansion *expansion)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    if (expansion->prompts && population->options.interleaving < INTERLEAVING_FULL)
        return;
    for (struct pod_walk pods = pods_on_nodes(worker, expansion->state); pods_next(&pods);) {
        const struct node_kind *kind =
            &population->node_kinds.items[config_template(worker, pods.config->id)->node];
        const struct revision *revision = &population->revisions.items[pods.info->revision];
        if (pods.info->stage == STAGE_BOUND || (revision->images & ~kind->images) == 0 ||
            !condition_traits[config_condition(worker, pods.config->id)].works ||
            was_met(worker, pods.config, pods.place - 1, pods.info->revision))
            continue;
        expansion_emit_node(
            expansion, config_with_images(worker, pods.config->id, revision->images),
            happening_with(population, ACT_IMAGES_REPORTED, pods.info->revision, pods.entry, 1));
    }
}

const struct actor actor_images = {
    .name = "kubelet",
    .step = step_images,
    .writes = PART_NODES,
};
