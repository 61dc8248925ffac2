/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks that two pods of one node cannot share, unless both only read; and
 * claims that only one pod of the cluster may use (ReadWriteOncePod).
 */
#include "model/scheduler/plan.h"
#include "model/scheduler/volume_lookup.h"

#include <string.h>

enum { COUNTER_CONFLICTS, COUNTER_COUNT };

static bool is_disk(const struct volume *volume)
{
    return volume->source == VOLUME_GCE_PERSISTENT_DISK ||
           volume->source == VOLUME_AWS_ELASTIC_BLOCK_STORE || volume->source == VOLUME_ISCSI ||
           volume->source == VOLUME_RBD;
}

static bool disks_conflict(const struct volume *left, const struct volume *right)
{
    if (left->source != right->source || !left->disk || !right->disk ||
        strcmp(left->disk, right->disk) != 0)
        return false;
    bool may_be_shared = left->source != VOLUME_AWS_ELASTIC_BLOCK_STORE;
    return !(may_be_shared && left->read_only && right->read_only);
}

static void prepare(struct plan *plan, struct part *part)
{
    part->filters = false;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    for (uint32_t i = 0; i < spec->volume_count; i++)
        part->filters |= is_disk(&spec->volumes[i]);
    part->counters = plan_reserve_counters(plan, COUNTER_COUNT);
}

static void relate(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters)
{
    (void)terminating;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    for (uint32_t i = 0; i < spec->volume_count; i++)
        for (uint32_t j = 0; is_disk(&spec->volumes[i]) && j < pod->pod->spec.volume_count; j++)
            counters[part->counters + COUNTER_CONFLICTS] +=
                disks_conflict(&spec->volumes[i], &pod->pod->spec.volumes[j]);
}

static struct verdict filter(const struct trial *trial)
{
    if (trial->now->counters[trial->part->counters + COUNTER_CONFLICTS] == 0)
        return verdict_feasible();
    return verdict_no(VERDICT_UNSCHEDULABLE, &plugin_volume_restrictions,
                      "node(s) had no available disk");
}

const struct plugin plugin_volume_restrictions = {
    .name = "VolumeRestrictions",
    .mirrors =
        "pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go @ v1.26.15",
    .events = EVENT_POD_DELETE | EVENT_NODE_ADD | EVENT_STORAGE,
    .prepare = prepare,
    .relate = relate,
    .filter = filter,
};
