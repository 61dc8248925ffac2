/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods of others that are not modelled preempt pods of the model.
 *
 * Where a pod of a higher priority may find no node, it may preempt any pod of a lower one, at any
 * moment or never. Several victims are several steps. This is no step that a run must take, and it
 * is taken finitely often: each preemption is made for a pod that was made, and the others come to
 * rest (verify/modular_preemption.c).
 *
 * A victim terminates for a while. It keeps room, and others that preempt are taken to keep all
 * room where they can be. Terms of affinity see it from other nodes, too: anti-affinity keeps pods
 * from its zone, where those that preempt need not be. Where there are none, it is gone at once.
 */
#include "cluster/actor/step_preemptions.h"
#include "cluster/emit.h"
#include "cluster/intent/victims.h"
#include "cluster/others.h"
#include "cluster/state/actions.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/happening.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Does a pod look for pods on other nodes, and count those that terminate? The pool does not say
 * where pods are. */
static bool seen_from_other_nodes(const struct population *population)
{
    for (uint32_t r = 0; !population->pools && r < population->revisions.count; r++) {
        const struct affinity *affinity = population->revisions.items[r].pod->spec.affinity;
        if (affinity && (affinity->pod_affinity || affinity->pod_anti_affinity))
            return true;
    }
    return false;
}

static void preempt(struct expansion *expansion, const struct pod_walk *pods)
{
    const uint32_t revision = pods->info->revision;
    const uint32_t after =
        seen_from_other_nodes(expansion->population)
            ? class_deleted(expansion->worker, pods->config->id, pods->class, END_DISRUPTED)
            : VIEW_NONE;
    struct happening happening =
        happening_with(expansion->population, ACT_PREEMPT, revision, pods->entry, 1);
    happening.victims = victims_of(expansion->population, revision);
    expansion->finite = true;
    expansion->crowding = CROWDING_LASTING;
    expansion_emit_pod(expansion, pods->class, after, happening);
    expansion->crowding = CROWDING_NONE;
    expansion->finite = false;
    expansion->worker->findings.hindered |= HINDERED_BY_PREEMPTION;
}

void step_preemptions(struct expansion *expansion)
{
    const struct population *population = expansion->population;
    const struct others *others = population->options.others;
    if (!others || others->preempted_from == 0)
        return;
    for (struct pod_walk pods = pods_on_nodes(expansion->worker, expansion->state);
         pods_next(&pods);) {
        const struct revision *revision = &population->revisions.items[pods.info->revision];
        if (pods.info->stage != STAGE_TERMINATING &&
            priority_rank(revision->priority) < others->preempted_from)
            preempt(expansion, &pods);
    }
}
