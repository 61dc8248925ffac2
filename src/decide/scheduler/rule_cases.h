/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests: tables of rules of the scheduler, one beside each plugin.
 *
 * A case is a handful of manifests with the pending pod `new`, and what is decided, in
 * one line. In a table of one plugin that is what this plugin says of each node:
 *
 *     n1=200             its score, normalised and weighted
 *     n1=ok              the node is feasible, and the plugin does not score
 *     n1=skipped         the node is feasible, and the plugin left out scoring for this pod
 *     n1: node(s) ...    the reason why it turned the node down
 *     n1! NodeName       another plugin turned the node down, or none looked at it (n1!)
 *
 * In a table without a plugin it is the whole decision: each node with its total or the
 * plugin that said no, then the best nodes, then who may be evicted where.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_RULE_CASES_H
#define FATHOM_DECIDE_SCHEDULER_RULE_CASES_H

#include "decide/scheduler/scheduler.h"

#define END "\n---\n"
#define NODE(name, labels, cpu, rest)                                                         \
    "{apiVersion: v1, kind: Node, metadata: {name: " name                                     \
    ", labels: {kubernetes.io/hostname: " name labels "}}, status: {allocatable: {cpu: '" cpu \
    "', memory: 8Gi, pods: '10'}" rest "}}" END
#define NODE_SPEC(name, labels, spec)                                    \
    "{apiVersion: v1, kind: Node, metadata: {name: " name                \
    ", labels: {kubernetes.io/hostname: " name labels "}}, spec: {" spec \
    "}, status: {allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}}" END
#define POD(name, meta, cpu, spec)                                                \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name meta                     \
    "}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: " cpu \
    ", memory: 1Gi}}}]" spec "}}" END
#define PROFILE(text)                                                                           \
    "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: " \
    "[{" text "}]}" END
#define RUNNING(node, start) \
    ", nodeName: " node "}, status: {phase: Running, startTime: '2026-01-01T00:00:" start "Z'"

#define SELECT_A ", labelSelector: {matchLabels: {app: a}}"
#define WITH_CLAIM \
    POD("new", "", "1", ", volumes: [{name: d, persistentVolumeClaim: {claimName: data}}]")
#define BOUND_CLAIM                                                                      \
    "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, annotations: " \
    "{pv.kubernetes.io/bind-completed: 'yes'}}, spec: {accessModes: [ReadWriteOnce], "   \
    "volumeName: v, storageClassName: '', resources: {requests: {storage: 1Gi}}}}" END
#define VOLUME(labels, rest)                                                               \
    "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v, labels: {" labels        \
    "}}, spec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}, csi: {driver: d, " \
    "volumeHandle: h}" rest "}}" END
#define SPREAD(extra, selector)                                                         \
    ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: " \
    "DoNotSchedule" extra selector "}]"

struct rule_case {
    const char *name;
    int minor;
    const char *manifests;
    const char *expected;
};

struct rule_table {
    const char *plugin; /* NULL: whole decisions */
    const struct rule_case *cases;
    size_t count;
};

#define RULE_TABLE(plugin, cases)                             \
    {                                                         \
        (plugin), (cases), sizeof(cases) / sizeof((cases)[0]) \
    }

/* A test of cmocka's; its state is the table. */
void rule_table_check(void **state);

/* The objects of manifests, admitted as the API server would. */
void rule_objects(struct arena *arena, const char *manifests, struct objects *objects);

/* Those of the scheduler's configuration among the objects, or the default ones. */
struct profiles rule_profiles(struct arena *arena, const struct objects *objects);

#endif
