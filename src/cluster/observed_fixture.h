/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: small dumps of clusters, in pieces of YAML. */
#ifndef FATHOM_CLUSTER_OBSERVED_FIXTURE_H
#define FATHOM_CLUSTER_OBSERVED_FIXTURE_H

#include "cluster/workloads_fixture.h"

#define OBSERVED(events)                                                         \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n" events \
    "  intents: [{name: converges}]\n"
#define NODE(name, zone)                                                                     \
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: " name ", uid: " name                 \
    ", labels: {kubernetes.io/hostname: " name ", topology.kubernetes.io/zone: " zone "}}\n" \
    "status: {allocatable: {" ROOMY "}, conditions: [{type: Ready, status: 'True'}]}\n"
#define SET(name, replicas, requests)                                    \
    "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: " name \
    ", namespace: default, uid: " name "}\nspec:\n  replicas: " replicas \
    "\n  selector: {matchLabels: {app: " name                            \
    "}}\n  template:\n    metadata: {labels: {app: " name                \
    "}}\n    spec: {containers: [{name: c, image: x, resources: {requests: {" requests "}}}]}\n"
#define POD(name, owner, node, requests)                                                    \
    "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: " name                              \
    "\n  namespace: default\n  labels: {app: " owner "}\n  ownerReferences: [{apiVersion: " \
    "apps/v1, kind: ReplicaSet, name: " owner ", uid: " owner                               \
    ", controller: true}]\n" POD_REST(node, requests)
#define BARE(name, node, requests)                           \
    "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " name \
    ", namespace: default}\n" POD_REST(node, requests)
#define POD_REST(node, requests)                                                                   \
    "spec: {nodeName: " node ", containers: [{name: c, image: x, resources: {requests: {" requests \
    "}}}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}]}\n"

#endif
