/* SPDX-License-Identifier: Apache-2.0 */
/* Whether kubelets admit pods that come to their nodes. */
#ifndef FATHOM_CLUSTER_ASK_ADMISSION_H
#define FATHOM_CLUSTER_ASK_ADMISSION_H

#include "cluster/forward.h"
#include "decide/controller/kubelet.h"

struct kubelet_reason;
struct pod_count;

/* What the kubelet does with the bound pods of one class on a node. */
struct admitted_batch {
    uint32_t config;                     /* the config of the node afterwards */
    uint32_t handled;                    /* so many were admitted or rejected, */
    uint32_t rejected;                   /* so many of them rejected */
    const struct kubelet_reason *reason; /* why the last one was rejected; NULL: none was */
    bool drives_out;                     /* true if the next one takes the place of others */
};

/* Would a kubelet of this version admit a pod of the class beside these pods? */
struct kubelet_admission kubelet_ask(struct worker *worker, const struct node_config *config,
                                     const struct pod_count *pods, uint32_t pod_entry_count,
                                     uint32_t class);
/* The pods that the kubelet has admitted: bound ones hold nothing yet. In the scratch arena,
 * with room for one more. */
uint32_t kubelet_admitted_pods(struct worker *worker, const struct node_config *config,
                               struct pod_count **pods);
struct admitted_batch kubelet_admit_batch(struct worker *worker, uint32_t number,
                                          const struct pod_count *bound);

/* The config of a node that a pod of the revision has come to. */
uint32_t config_with_new_pod(struct worker *worker, uint32_t config, uint32_t revision);

/* So many new pods of the revision: on the node that they name, or waiting. Gives
 * the entry of that node, UINT32_MAX if there is none. */
uint32_t state_add_pods(struct worker *worker, struct state *state, uint32_t revision,
                        uint32_t count);

/* Why the kubelet rejects a bound pod of the revision; NULL: it does not. */
const struct kubelet_reason *kubelet_why_rejected(struct worker *worker, uint32_t config,
                                                  uint32_t revision);

#endif
