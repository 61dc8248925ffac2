/* SPDX-License-Identifier: Apache-2.0 */
/* Hints about the pods of a workload, and about how a rollout replaces them. */
#include "setup/hinting.h"

#include "object/as_written.h"
#include "object/node.h"
#include "setup/setup.h"

#include <string.h>

static void look_at_tolerations(struct hinting *hinting, const struct object *object,
                                const struct pod_spec *spec)
{
    const struct toleration *toleration =
        tolerations_find_cordon(spec->tolerations, spec->toleration_count);
    if (object->kind == OBJECT_DAEMON_SET || !toleration)
        return;
    hint_add(hinting, object,
             arena_printf(hinting->arena, "spec.template.spec.tolerations[%u]",
                          (unsigned)(toleration - spec->tolerations)),
             arena_printf(hinting->arena,
                          "%s tolerates cordoned nodes: when a drain evicts its pod, the next one "
                          "may come to the same node; kubectl drain ends, an upgrade that waits "
                          "for an empty node does not",
                          written_words(hinting->arena, object)),
             "name the taints that it has to tolerate: a toleration without a key tolerates all "
             "of them");
}

/* The API server refuses 0 for both, but not percentages that come to 0. The Deployment controller
 * takes one pod away then, because the rollout could never proceed. */
static void look_at_rollout(struct hinting *hinting, const struct object *object)
{
    if (object->kind != OBJECT_DEPLOYMENT)
        return;
    const struct deployment *deployment = object->as.deployment;
    const int64_t pods = deployment->replicas;
    if (deployment->strategy != DEPLOYMENT_ROLLING_UPDATE || pods == 0 ||
        !deployment->max_unavailable.percent ||
        int_or_percent_of(deployment->max_surge, pods, true) != 0 ||
        int_or_percent_of(deployment->max_unavailable, pods, false) != 0)
        return;
    hint_add(
        hinting, object, "spec.strategy.rollingUpdate.maxUnavailable",
        arena_printf(hinting->arena,
                     "%s: maxUnavailable %lld%% of %lld, rounded down, is 0, and "
                     "so is maxSurge: a rollout could never proceed, so the controller takes 1 "
                     "pod away all the same",
                     written_words(hinting->arena, object),
                     (long long)deployment->max_unavailable.value, (long long)pods),
        "maxUnavailable: 1, if a pod may be missing; or maxSurge: 1");
}

void hints_look_at_pods(struct hinting *hinting, const struct object *object)
{
    const struct pod_spec *spec = &workload_template(object)->spec;
    look_at_tolerations(hinting, object, spec);
    hints_look_at_spread(hinting, object);
    look_at_rollout(hinting, object);
}
