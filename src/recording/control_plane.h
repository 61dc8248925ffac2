/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control plane that a recording is of: whose rules apply, and with which flags.
 *
 * `scenario.json` tells both, in the member `controlPlane`:
 *
 *     {"kubernetes": "v1.36.4",
 *      "kube-scheduler": ["--feature-gates=SchedulerAsyncPreemption=false"],
 *      "kube-controller-manager": ["--node-monitor-period=1s"]}
 *
 * What the API server told when the run was recorded comes before the version there. Without
 * both the nodes tell it, where lines have whole objects: a control plane is at least as new as
 * its kubelets. Recordings that tell nothing are taken for ones of 1.26, as the first were.
 */
#ifndef FATHOM_RECORDING_CONTROL_PLANE_H
#define FATHOM_RECORDING_CONTROL_PLANE_H

#include "decide/controller/hpa.h"
#include "recording/recording.h"

struct control_plane {
    struct features features;
    bool told;      /* the recording tells its version, or it is given */
    bool has_flags; /* those of the controller manager are known; otherwise they are upstream's */
    struct hpa_flags autoscaler;
    double node_monitor_seconds; /* how often the node lifecycle controller looks */
};

/* `given` are the features to go by instead of the recording's; NULL: its own. False, with a
 * problem, if the recording tells something that makes no sense. */
bool control_plane_read(const struct recording *recording, const struct features *given,
                        struct control_plane *plane, struct problems *problems);

#endif
