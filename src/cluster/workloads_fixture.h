/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: clusters with several workloads, in pieces of YAML. */
#ifndef FATHOM_CLUSTER_WORKLOADS_FIXTURE_H
#define FATHOM_CLUSTER_WORKLOADS_FIXTURE_H

#include "cluster/population.h"
#include "setup/scope_fixture.h"

#define ROOMY "cpu: '4', memory: 16Gi, pods: '110'"
/* `rest`: what else a node has, before its status. */
#define NODES(name, count, rest, allocatable)                                                   \
    "  - {name: " name ", count: " count ", node: {" rest "status: {allocatable: {" allocatable \
    "}}}}\n"
#define CLUSTER(groups, rest)                                                                     \
    "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: test}\nspec:\n  scale: {mode: exact}\n" \
    "  nodeGroups:\n" groups rest
#define DEPLOYMENT(name, labels, pod) WORKLOAD("Deployment", name, labels, "cpu: 500m", pod)
/* `pod`: lines of the pod's spec. */
#define WORKLOAD(kind, name, labels, requests, pod)                                                \
    "---\napiVersion: apps/v1\nkind: " kind "\nmetadata: {name: " name ", namespace: default}\n"   \
    "spec:\n  selector: {matchLabels: {" labels "}}\n  template:\n    metadata: {labels: {" labels \
    "}}\n    spec:\n      containers: [{name: c, image: x, resources: {requests: {" requests       \
    "}}}]\n" pod
#define BUDGET(name, selector)                                                      \
    "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: " name \
    ", namespace: default}\nspec: {maxUnavailable: 1, selector: {matchLabels: {" selector "}}}\n"
#define AUTOSCALER(name)                                                                       \
    "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: " name   \
    ", namespace: default}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, " \
    "name: " name "}\n  minReplicas: 1\n  maxReplicas: 2\n  metrics: [{type: Resource, "       \
    "resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]\n"

/* The model of the fixture's only setup. */
static inline struct population *fixture_population(struct fixture *fixture,
                                                    const struct population_options *options)
{
    struct setups setups = {0};
    scope_enumerate(&fixture->arena, &fixture->scope, &setups);
    assert_int_equal(setups.count, 1);
    struct population *population = population_create(
        &fixture->memory, &fixture->scope, &setups.items[0], fixture->check->intents,
        fixture->check->intent_count, options, &fixture->problems);
    assert_non_null(population);
    return population;
}

/* A model beside others, from manifests, by the rules of 1.26; with fixture_end it is gone. */
static inline struct population *fixture_begin(struct fixture *fixture, const char *manifests,
                                               struct population_options options)
{
    options.features = features_of_version(26);
    assert_true(fixture_load(fixture, manifests));
    return fixture_population(fixture, &options);
}

static inline void fixture_end(struct fixture *fixture, struct population *population)
{
    population_free(population);
    fixture_release(fixture);
}

#endif
