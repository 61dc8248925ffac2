#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What verifying a dump of a live cluster costs: 7 nodes with 37 pods to 50 nodes with 400 pods.

    bench/dumps.py                        the table, with build/fathom
    bench/dumps.py --fathom PROGRAM       with another build
    bench/dumps.py --size small large     only these clusters
    bench/dumps.py --event drain zone     only these events
    bench/dumps.py --seconds N            processor time of a cell (default 20)
    bench/dumps.py --write FILE           the table into a page (docs/bench-dumps.md)
    bench/dumps.py --print SIZE EVENT     the Check of a cell, with the dump

A cluster has control-plane nodes with static pods, and workers in three zones; three DaemonSets on
all nodes (dense: one), coredns, Deployments with a PodDisruptionBudget each, StatefulSets with a volume for each
pod, a Job that runs, and a Pod that nobody owns. Everything is ready, and about 40 % of the CPU is
requested. Runs start from there.
"""
import argparse
import collections
import json
import os
import sys

import apps
from pages import write_page

ROOT = apps.ROOT
ZONES = apps.ZONES
SYSTEM = "kube-system"
SHOP = "shop"

# Nodes, those of them that are of the control plane, DaemonSets, pods of each Deployment, pods of each
# StatefulSet.
Shape = collections.namedtuple("Shape", "nodes control_plane daemons deployments stateful_sets")
SHAPES = {
    "small": Shape(7, 1, 3, [3, 2], [3]),
    "dense": Shape(7, 1, 1, [3, 4, 5, 4], [3, 3]),
    "middle": Shape(20, 3, 3, [2, 3, 4, 5, 6] * 3 + [3, 3, 2], [3, 3]),
    "large": Shape(50, 3, 3, [2, 3, 4, 5, 6] * 11 + [3, 2], [3, 3, 3]),
}
INTENTS = [
    {"name": "podsSchedulable"},
    {"name": "converges"},
    {"name": "noEvictionLoop"},
    {"name": "replicasAtLeast", "value": 1},
    {"name": "drainCompletes"},
]
EVENTS = {
    "drain-node": lambda size: [{"name": "maintenance", "node": worker_name(0)}],
    "drain": lambda size: [{"name": "maintenance"}],
    "upgrade": lambda size: [{"name": "maintenance", "atMost": SHAPES[size].nodes}],
    "failure": lambda size: [{"name": "nodeFailure"}],
    "failure-recovers": lambda size: [{"name": "nodeFailure", "recovers": True}],
    "zone": lambda size: [{"name": "zoneOutage"}],
    "rollout-one": lambda size: [{"name": "apply", "manifests": ["new.json"]}],
    "rollout-all": lambda size: [{"name": "apply", "manifests": ["new.json"]}],
    "rollout-daemons": lambda size: [{"name": "apply", "manifests": ["new.json"]}],
}
PRIORITIES = {"system-node-critical": 2000001000, "system-cluster-critical": 2000000000}


# ---- nodes ----


def worker_name(number):
    return f"worker-{number + 1}"


def node(name, zone, control_plane):
    labels = {
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "topology.kubernetes.io/region": "r",
        "topology.kubernetes.io/zone": zone,
    }
    spec = {"providerID": f"cloud:///{zone}/{name}"}
    if control_plane:
        labels["node-role.kubernetes.io/control-plane"] = ""
        spec["taints"] = [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]
    room = {"cpu": "4", "memory": "16073632Ki", "pods": "110", "ephemeral-storage": "94489235456"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": labels, "creationTimestamp": TIME},
        "spec": spec,
        "status": {"allocatable": room, "capacity": room, "conditions": [{"type": "Ready", "status": "True"}]},
    }


TIME = "2026-03-02T08:15:04Z"


class Cluster:
    """The objects of a dump, and where the next pod goes."""

    def __init__(self, size):
        shape = SHAPES[size]
        self.shape = shape
        self.items = []
        self.workers = []
        self.all_nodes = []
        self.next = 0
        for i in range(shape.nodes):
            control_plane = i < shape.control_plane
            name = f"control-plane-{i + 1}" if control_plane else worker_name(i - shape.control_plane)
            self.all_nodes.append(name)
            if not control_plane:
                self.workers.append(name)
            self.items.append(node(name, ZONES[i % len(ZONES)], control_plane))

    def place(self):
        self.next += 1
        return self.workers[(self.next - 1) % len(self.workers)]

    def zone_of(self, name):
        return ZONES[self.all_nodes.index(name) % len(ZONES)]


# ---- workloads and pods ----


def meta(name, namespace, labels=None, owner=None):
    made = {"name": name, "namespace": namespace, "uid": f"{namespace}-{name}", "creationTimestamp": TIME}
    if labels:
        made["labels"] = labels
    if owner:
        kind, owner_name = owner
        version = {"Node": "v1", "Job": "batch/v1"}.get(kind, "apps/v1")
        made["ownerReferences"] = [
            {"apiVersion": version, "kind": kind, "name": owner_name, "uid": f"{namespace}-{owner_name}", "controller": True}
        ]
    return made


def container(name, version, cpu, memory):
    requests = {"cpu": f"{cpu}m", "memory": f"{memory}Mi"} if cpu else {}
    return {
        "name": name,
        "image": f"example.org/{name}:{version}",
        "resources": {"requests": requests},
        "readinessProbe": {"httpGet": {"path": "/", "port": 80}},
    }


def pod(name, namespace, labels, spec, owner, place):
    spec = dict(spec, nodeName=place, priority=PRIORITIES.get(spec.get("priorityClassName"), 0))
    spec["tolerations"] = spec.get("tolerations", []) + [
        {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
        for key in ("not-ready", "unreachable")
    ]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": meta(name, namespace, labels, owner),
        "spec": spec,
        "status": {
            "phase": "Running",
            "startTime": TIME,
            "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": TIME}],
        },
    }


def template(labels, spec):
    return {"metadata": {"labels": labels}, "spec": spec}


def daemon_set(name, version, cpu, memory):
    spec = {
        "containers": [container(name, version, cpu, memory)],
        "hostNetwork": True,
        "priorityClassName": "system-node-critical",
        "tolerations": [{"operator": "Exists"}],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": meta(name, SYSTEM),
        "spec": {
            "selector": {"matchLabels": {"k8s-app": name}},
            "template": template({"k8s-app": name}, spec),
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}},
        },
    }


DAEMONS = [("kube-proxy", 0, 0), ("cni", 250, 64), ("node-exporter", 100, 180)]


def daemon_sets(shape, version):
    return [daemon_set(name, version, cpu, memory) for name, cpu, memory in DAEMONS[: shape.daemons]]


def add_daemons(cluster):
    for made in daemon_sets(cluster.shape, 1):
        name, spec = made["metadata"]["name"], made["spec"]["template"]["spec"]
        cluster.items.append(made)
        for place in cluster.all_nodes:
            labels = {"k8s-app": name, "controller-revision-hash": "1", "pod-template-generation": "1"}
            cluster.items.append(pod(f"{name}-{place}", SYSTEM, labels, spec, ("DaemonSet", name), place))


def add_static_pods(cluster):
    for place in cluster.all_nodes[: cluster.shape.control_plane]:
        for name in ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"):
            spec = {
                "containers": [container(name, 1, 100, 128)],
                "hostNetwork": True,
                "priorityClassName": "system-node-critical",
                "tolerations": [{"operator": "Exists", "effect": "NoExecute"}],
            }
            static = pod(f"{name}-{place}", SYSTEM, {"component": name}, spec, ("Node", place), place)
            static["metadata"]["annotations"] = {"kubernetes.io/config.mirror": name, "kubernetes.io/config.source": "file"}
            static["metadata"]["ownerReferences"][0]["uid"] = place
            cluster.items.append(static)


def deployment(name, namespace, labels, replicas, spec):
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": dict(meta(name, namespace), annotations={"deployment.kubernetes.io/revision": "1"}),
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": template(labels, spec),
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
        },
    }


def add_deployment(cluster, made):
    name, namespace = made["metadata"]["name"], made["metadata"]["namespace"]
    spec = made["spec"]
    labels = dict(spec["selector"]["matchLabels"], **{"pod-template-hash": "1"})
    replica_set = meta(f"{name}-1", namespace, labels, ("Deployment", name))
    replica_set["annotations"] = {
        "deployment.kubernetes.io/revision": "1",
        "deployment.kubernetes.io/desired-replicas": str(spec["replicas"]),
    }
    cluster.items.append(made)
    cluster.items.append(
        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": replica_set,
            "spec": {
                "replicas": spec["replicas"],
                "selector": {"matchLabels": labels},
                "template": template(labels, spec["template"]["spec"]),
            },
        }
    )
    for i in range(spec["replicas"]):
        owner = ("ReplicaSet", f"{name}-1")
        cluster.items.append(pod(f"{name}-1-{i}", namespace, labels, spec["template"]["spec"], owner, cluster.place()))


def add_budget(cluster, name, namespace, labels):
    cluster.items.append(
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": meta(name, namespace),
            "spec": {"maxUnavailable": 1, "selector": {"matchLabels": labels}},
        }
    )


def coredns():
    spec = {
        "containers": [container("coredns", 1, 100, 70)],
        "priorityClassName": "system-cluster-critical",
        "tolerations": [
            {"key": "CriticalAddonsOnly", "operator": "Exists"},
            {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"},
        ],
    }
    return deployment("coredns", SYSTEM, {"k8s-app": "kube-dns"}, 2, spec)


def service(number, replicas, version):
    name = f"svc-{number}"
    spec = {"containers": [container(name, version, 200 + 50 * (number % 4), 256 + number)]}
    return deployment(name, SHOP, {"app": name}, replicas, spec)


def add_stateful_set(cluster, name, replicas):
    spec = {
        "containers": [container(name, 1, 500, 1024)],
        "volumes": [],
    }
    claim = {
        "metadata": {"name": "data"},
        "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "10Gi"}}},
    }
    cluster.items.append(
        {
            "apiVersion": "apps/v1",
            "kind": "StatefulSet",
            "metadata": meta(name, SHOP),
            "spec": {
                "replicas": replicas,
                "serviceName": name,
                "selector": {"matchLabels": {"app": name}},
                "template": template({"app": name}, {"containers": spec["containers"]}),
                "volumeClaimTemplates": [claim],
            },
        }
    )
    add_budget(cluster, name, SHOP, {"app": name})
    for i in range(replicas):
        pod_name = f"{name}-{i}"
        place = cluster.place()
        labels = {"app": name, "statefulset.kubernetes.io/pod-name": pod_name, "controller-revision-hash": f"{name}-1"}
        with_claim = dict(
            spec, volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": f"data-{pod_name}"}}], hostname=pod_name
        )
        cluster.items.append(pod(pod_name, SHOP, labels, with_claim, ("StatefulSet", name), place))
        add_claim(cluster, f"data-{pod_name}", cluster.zone_of(place))


def add_claim(cluster, name, zone):
    size = {"storage": "10Gi"}
    term = {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": [zone]}]}
    cluster.items.append(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": meta(name, SHOP),
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": "disk",
                "volumeName": f"pv-{name}",
                "resources": {"requests": size},
            },
            "status": {"phase": "Bound"},
        }
    )
    cluster.items.append(
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": f"pv-{name}", "uid": f"pv-{name}"},
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": "disk",
                "capacity": size,
                "csi": {"driver": "disk.example.org", "volumeHandle": name},
                "claimRef": {"kind": "PersistentVolumeClaim", "namespace": SHOP, "name": name, "uid": f"{SHOP}-{name}"},
                "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}},
            },
            "status": {"phase": "Bound"},
        }
    )


def add_job(cluster):
    labels = {"job-name": "report", "batch.kubernetes.io/job-name": "report", "controller-uid": f"{SHOP}-report"}
    spec = {"containers": [container("report", 1, 200, 128)], "restartPolicy": "Never"}
    cluster.items.append(
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": meta("report", SHOP),
            "spec": {
                "completions": 1,
                "parallelism": 1,
                "selector": {"matchLabels": {"controller-uid": f"{SHOP}-report"}},
                "template": template(labels, spec),
            },
            "status": {"active": 1},
        }
    )
    cluster.items.append(pod("report-1", SHOP, labels, spec, ("Job", "report"), cluster.place()))


def add_toolbox(cluster):
    cluster.items.append(
        pod("toolbox", SHOP, {"run": "toolbox"}, {"containers": [container("toolbox", 1, 100, 64)]}, None, cluster.place())
    )


def services(shape, version):
    return [service(i, replicas, version) for i, replicas in enumerate(shape.deployments)]


def dump(size):
    cluster = Cluster(size)
    shape = cluster.shape
    storage = {"provisioner": "disk.example.org", "volumeBindingMode": "WaitForFirstConsumer"}
    cluster.items.append(
        {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "disk"}, **storage}
    )
    add_daemons(cluster)
    add_static_pods(cluster)
    add_deployment(cluster, coredns())
    for made in services(shape, 1):
        add_deployment(cluster, made)
        add_budget(cluster, made["metadata"]["name"], SHOP, made["spec"]["selector"]["matchLabels"])
    for i, replicas in enumerate(shape.stateful_sets):
        add_stateful_set(cluster, f"db-{i}", replicas)
    add_job(cluster)
    add_toolbox(cluster)
    return cluster.items


def documents(size, event):
    spec = {"events": EVENTS[event](size), "intents": INTENTS}
    return [{"apiVersion": "fathom/v1", "kind": "Check", "metadata": {"name": "cluster"}, "spec": spec}, *dump(size)]


def new_documents(size, event):
    """What a rollout brings."""
    if event == "rollout-daemons":
        return daemon_sets(SHAPES[size], 2)
    return services(SHAPES[size], 2)[: 1 if event == "rollout-one" else None]


# ---- the table ----


COLUMNS = ["event", "cluster", "nodes", "pods", "components", "verdict", "hold", "violated", "undecided", "states", "CPU s", "MiB"]


def row(size, event, fathom, seconds):
    items = documents(size, event)
    pods = sum(item["kind"] == "Pod" for item in items)
    files = {"check.json": apps.as_list(items), "new.json": apps.as_list(new_documents(size, event))}
    now = apps.verify_files(fathom, files, seconds, f"dumps: {event}, {size}")
    return now.undecided == 0, [
        event, size, str(SHAPES[size].nodes), str(pods), str(now.components), now.verdict, str(now.holds), str(now.violated),
        str(now.undecided), f"{now.states:,}", f"{now.seconds:.2f}", f"{now.bytes / (1 << 20):.0f}",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--size", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--event", nargs="+", choices=EVENTS, default=list(EVENTS))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--write")
    parser.add_argument("--print", nargs=2, metavar=("SIZE", "EVENT"))
    arguments = parser.parse_args()
    if arguments.print:
        size, event = arguments.print
        print(json.dumps(documents(size, event), indent=1))
        return 0
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    decided, cells = 0, 0
    for event in arguments.event:
        for size in arguments.size:
            done, words = row(size, event, os.path.abspath(arguments.fathom), arguments.seconds)
            decided, cells = decided + done, cells + 1
            print("  ".join(f"{text:>9}" for text in words), flush=True)
            lines.append("| " + " | ".join(words) + " |")
    said = f"{decided} of {cells} cells are decided."
    print(said)
    if arguments.write:
        write_page(arguments.write, {"dumps": [*lines, "", said]})
    return 0 if decided == cells else 1


if __name__ == "__main__":
    sys.exit(main())
