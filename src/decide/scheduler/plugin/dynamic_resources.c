/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices that a pod claims. Claims are not modelled: reading a pod that has one warns of it. What
 * is left is a score of 0 for every node, from 1.35 on.
 */
#include "decide/scheduler/plan.h"

static void prepare(struct plan *plan, struct part *part)
{
    part->scores = false;
    const struct features *features = &plan->catalog->features;
    part->skips = !(features->devices_score && features->dynamic_resources);
}

const struct plugin plugin_dynamic_resources = {
    .name = "DynamicResources",
    .mirrors = "pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go @ v1.36.4",
    .weight = 2,
    .reads = &(const struct plugin_reads){.only_room = only_room_ever},
    .prepare = prepare,
};
