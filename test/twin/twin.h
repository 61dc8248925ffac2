/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The naive twin of the cluster model (src/cluster): the same
 * cluster with every node and every pod by itself.
 *
 * No classes, no counts, no reductions: a state is a list of nodes, each in its
 * condition, and of places for pods, each with its revision, stage, usage and
 * node; a new pod takes the first free place. Deciders are asked on a way of the
 * twin's own: about every node and pod by itself, with every count 1, and about
 * budgets on objects that are written down, through `decide pdb`. Everything around
 * them (what a step is, what it changes, what intents see) is written here again,
 * in the plainest way, from what Kubernetes and docs/formats.md say. Of src/cluster
 * the twin knows the names of actions alone. Fairness is per object: each pod, node
 * and workload.
 *
 * Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs, schedulers with
 * preemption and nominations, pods that name their node, kubelets with admission and
 * eviction, node lifecycle, taints, drains with budgets, garbage, autoscalers by CPU,
 * the descheduler, Services, all starts, all events, and time by order or by clocks.
 * disks, and images that nodes pull. One autoscaler; no other volumes, no critical pods, no
 * workloads that an event brings.
 */
#ifndef FATHOM_TEST_TWIN_TWIN_H
#define FATHOM_TEST_TWIN_TWIN_H

#include "base/text.h"
#include "decide/features.h"
#include "explore/model.h"
#include "setup/setup.h"

struct twin;

enum { TWIN_PODS_MOST = 14, TWIN_NODES_MOST = 6 };

/* The population model leaves out some steps that nothing can come in between
 * of: a kubelet's admission, and the taint of a node that fails for good; and that
 * nodes report images that no pod is placed by. The twin leaves them out where the
 * population does, so that states can be compared, or takes them always. */
enum twin_manner { TWIN_MIRRORS, TWIN_TAKES_ALL };

/* When periodic controllers act: at rest; once Deployment, ReplicaSet, StatefulSet, DaemonSet and
 * Job controllers and the scheduler have nothing to do; or at any time. */
enum twin_interleaving { TWIN_SETTLED, TWIN_CONTROLLERS, TWIN_FULL, TWIN_RACING };

/* Of this Check. It cannot say so, so that its name does. */
enum twin_interleaving twin_interleaving_of(const struct check *check);
/* With the annotation TWIN_LAG the statuses of budgets may be outdated. */
#define TWIN_LAG "fathom.dev/twin-lag"
bool twin_lags(const struct check *check);
/* With the annotation TWIN_IMAGES nodes get the images that their pods pull. It says how large
 * those are that no node reports, in MiB; 0: they may have any size. */
#define TWIN_IMAGES "fathom.dev/twin-images"
bool twin_pulls_images(const struct check *check);
int64_t twin_image_bytes(const struct check *check);
/* Of the version of Kubernetes that its annotation TWIN_VERSION names; 1.26 without. */
#define TWIN_VERSION "fathom.dev/twin-version"
struct features twin_features(const struct check *check);

/* NULL if the setup is not of the kind above. */
struct twin *twin_create(struct memory *memory, const struct scope *scope,
                         const struct setup *setup, const struct check_intent *intents,
                         uint32_t intent_count, const struct property *properties,
                         enum twin_manner manner);
void twin_free(struct twin *twin);
const struct model *twin_model(const struct twin *twin);
/* More pods at once than there are places: nothing counts. */
bool twin_overflowed(const struct twin *twin);
/* Is whoever serves pods fair to each kind of them, or to each pod? */
void twin_be_fair_to_kinds(struct twin *twin, bool to_kinds);
/* Would TWIN_TAKES_ALL have other steps? */
bool twin_leaves_out(const struct twin *twin);

/* Runs begin here, not where the setup says. */
void twin_begin_at(struct twin *twin, const uint32_t *words);
void twin_begin_as(struct twin *twin, const struct twin *other);
/* The action with which runs from a settled state begin. */
uint32_t twin_action_begin(void);

/* The state without names: equal for states that differ by renaming alone. */
void twin_fold(struct twin *twin, const uint32_t *words, struct text *text);

#endif
