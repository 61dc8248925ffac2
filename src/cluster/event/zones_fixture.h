/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: a Deployment of two pods on the nodes of two zones, of which one may fail. */
#ifndef FATHOM_CLUSTER_EVENT_ZONES_FIXTURE_H
#define FATHOM_CLUSTER_EVENT_ZONES_FIXTURE_H

#include "cluster/workloads_fixture.h"

#define IN_ZONE(name, count) \
    NODES(name, count, "metadata: {labels: {topology.kubernetes.io/zone: " name "}}, ", ROOMY)
#define ZONES_OF(count, event)                                                                 \
    CLUSTER(IN_ZONE("a", count) IN_ZONE("b", count),                                           \
            "  events: [{name: zoneOutage" event "}]\n  intents: [{name: converges}]\n")       \
    "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default}\n"  \
    "spec:\n  replicas: 2\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: " \
    "{labels: {app: web}}\n    spec: {containers: [{name: c, image: x}]}\n"

#endif
