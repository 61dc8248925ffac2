/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which disks are attached to which nodes.
 *
 * The attach-detach controller attaches a disk to the node of a pod that asks for it, unless it
 * is attached to another node, and detaches it once no pod there asks for it any more. States do
 * not store where a disk is attached: it follows from the pods. One that has started has its
 * disk, and so has one that terminates. Of pods that have not started any may be the first to
 * get it: it becomes ready in the same step. One that cannot become ready gets it before the
 * others.
 */
#include "cluster/ask/attachments.h"
#include "cluster/state/conditions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* How surely a pod has its disks. */
enum hold { HOLDS_NOTHING, HOLDS_BEFORE_OTHERS, HOLDS_UNTIL_GONE, HOLDS };

static enum hold hold_of(const struct pod_walk *pods)
{
    const bool works = condition_traits[config_condition(pods->worker, pods->config->id)].works;
    switch (pods->info->stage) {
    case STAGE_READY: return HOLDS;
    case STAGE_TERMINATING: return HOLDS_UNTIL_GONE;
    case STAGE_STARTING:
        return !works || class_revision(pods->worker, pods->class)->never_ready
                   ? HOLDS_BEFORE_OTHERS
                   : HOLDS_NOTHING;
    default: return HOLDS_NOTHING;
    }
}

/* Equal disks have the same name, at the same address. */
static bool uses(const struct revision *revision, const char *disk)
{
    for (uint32_t d = 0; d < revision->disks.count; d++)
        if (revision->disks.items[d].name == disk)
            return true;
    return false;
}

static bool is_elsewhere(struct worker *worker, const struct state *state, uint32_t entry,
                         const char *disk)
{
    enum hold here = HOLDS_NOTHING;
    enum hold elsewhere = HOLDS_NOTHING;
    for (struct pod_walk pods = pods_on_nodes(worker, state); pods_next(&pods);) {
        const enum hold hold =
            uses(class_revision(worker, pods.class), disk) ? hold_of(&pods) : HOLDS_NOTHING;
        if (pods.entry == entry && hold > here)
            here = hold;
        if ((pods.entry != entry || pods.nodes > 1) && hold > elsewhere)
            elsewhere = hold;
    }
    return elsewhere > HOLDS_NOTHING && elsewhere >= here;
}

const char *disk_attached_elsewhere(struct worker *worker, const struct state *state,
                                    uint32_t entry, uint32_t revision)
{
    const struct revision *of = &worker->population->revisions.items[revision];
    for (uint32_t d = 0; d < of->disks.count; d++)
        if (is_elsewhere(worker, state, entry, of->disks.items[d].name))
            return of->disks.items[d].name;
    return NULL;
}
