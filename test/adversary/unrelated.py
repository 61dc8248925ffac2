# SPDX-License-Identifier: Apache-2.0
"""Workloads that have nothing to do with the rest of a Check: in a namespace of their own,
where nothing selects their labels. They cannot run, or request nothing, so they take no room
from others. What the others may do, they may still do."""
import json
import re

NAMESPACE = "adversary-elsewhere"
LABELS = {"adversary": "unrelated"}
NAME = "unrelated"


def template(requests, annotations=None, labels=None, **spec):
    container = {"name": "c", "image": "example.org/unrelated:1",
                 "resources": {"requests": requests}}
    more = {"annotations": annotations} if annotations else {}
    return {"metadata": {"labels": labels or LABELS, **more},
            "spec": {**spec, "containers": [container]}}


def workload(kind, pods, name=NAME, **spec):
    metadata = {"name": name, "namespace": NAMESPACE}
    if kind == "Job":
        pods["spec"]["restartPolicy"] = "Never"
        return {"apiVersion": "batch/v1", "kind": kind, "metadata": metadata,
                "spec": {**spec, "template": pods}}
    service = {"serviceName": NAME} if kind == "StatefulSet" else {}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata,
            "spec": {"replicas": 1, "selector": {"matchLabels": pods["metadata"]["labels"]}, **service, **spec,
                     "template": pods}}


NOTHING = {"cpu": "0", "memory": "0"}
TOO_MUCH = {"cpu": "5000"}


def some_node(case):
    """The name of a node that is there, at least in the larger setups."""
    for node in case.of_kind("Node"):
        return node["metadata"]["name"]
    for group in case.spec.get("nodeGroups", []):
        return group["name"] + "-1"
    return None


def most_pods(value, key=""):
    """At least as many pods as any workload of the tree may have, all together."""
    if isinstance(value, dict):
        return sum(most_pods(item, k) for k, item in value.items())
    if isinstance(value, list):
        return sum(most_pods(item, key) for item in value)
    counts = key in ("replicas", "maxReplicas", "parallelism", "completions", "to", "max")
    return value if counts and isinstance(value, int) else 0


def has_places(case):
    """Is one pod more nothing to any node?"""
    nodes = case.of_kind("Node") + [g.get("node", {}) for g in case.spec.get("nodeGroups", [])]
    most = most_pods(case.all_documents()) + len(case.of_kind("Pod"))
    return all(int(amounts.get("pods", 110)) > most for node in nodes
               for amounts in node.get("status", {}).values() if isinstance(amounts, dict))


def add(case, *documents):
    changed = case.copy()
    changed.documents += documents
    return changed


# ---- they come to rest ----

def plain(kind, requests, **spec):
    """It has no pods, or pods that fit nowhere."""
    def apply(case, _dice):
        return add(case, workload(kind, template(requests), **spec))
    return apply


def running(kind, annotations=None):
    """It has pods, which request nothing."""
    def apply(case, _dice):
        made = workload(kind, template(NOTHING, annotations))
        return add(case, made) if has_places(case) else None
    return apply


paused = plain("Deployment", NOTHING, paused=True)
zero = plain("Deployment", NOTHING, replicas=0)
suspended = plain("Job", NOTHING, suspend=True)
huge = plain("Deployment", TOO_MUCH)
ready = running("Deployment")
finished = running("Job")
never_ready = running("Deployment", {"fathom.dev/never-ready": "true"})


def namesake(case, _dice):
    """It is called as another one and has the same labels, in another namespace. A Check that
    names the other one without its namespace does not say which it means."""
    if re.search(r'"(workload|object|name)": "[A-Z][A-Za-z]*/[^/"]*"', json.dumps(case.spec)):
        return None
    for other in case.of_kind("Deployment", "ReplicaSet", "StatefulSet"):
        pods = template(NOTHING, labels=other["spec"]["template"]["metadata"]["labels"])
        made = workload(other["kind"], pods, other["metadata"]["name"])
        return add(case, made) if has_places(case) else None
    return None


def strangers(case, _dice):
    """Objects that select nothing of the Check."""
    metadata = {"name": NAME, "namespace": NAMESPACE}
    return add(
        case,
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
         "metadata": {"name": NAME}, "value": 7},
        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata,
         "spec": {"minAvailable": 1, "selector": {}}},
        {"apiVersion": "v1", "kind": "Service", "metadata": metadata,
         "spec": {"selector": LABELS, "ports": [{"port": 80}]}},
        {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata,
         "spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "3"}}]}})


# ---- they never rest ----

def refused(kind, requests, **spec):
    """Its kubelet refuses each of its pods, and another one is made at once."""
    def apply(case, _dice):
        node = some_node(case)
        made = workload(kind, template(requests, nodeName=node, **spec))
        return add(case, made) if node else None
    return apply


def is_collected(case):
    """Are there pods on a node that does not exist already?"""
    nodes = {node["metadata"]["name"] for node in case.of_kind("Node")}
    groups = tuple(group["name"] + "-" for group in case.spec.get("nodeGroups", []))
    return any(name not in nodes and not name.startswith(groups or ("node-",))
               for name in re.findall(r'"nodeName": "([^"]*)"', json.dumps(case.all_documents())))


def waits_for_time(case):
    return case.spec.get("time") == "clocked" or any(
        "activeDeadlineSeconds" in job["spec"] for job in case.of_kind("Job"))


def collected(kind):
    """Its pods are on a node that does not exist: they are collected, and made again. Two such
    workloads beside each other may keep the cluster from ever resting, and time from passing,
    which is a mistake that is known (docs/fidelity.md)."""
    def apply(case, _dice):
        if is_collected(case) and waits_for_time(case):
            return None
        return add(case, workload(kind, template({"cpu": "1m"}, nodeName="adversary-nowhere")))
    return apply


busy = refused("Deployment", TOO_MUCH)
busy_stateful = refused("StatefulSet", TOO_MUCH)
misplaced = refused("Deployment", NOTHING, nodeSelector=LABELS)
slow_loop = collected("Deployment")
slow_loop_stateful = collected("StatefulSet")


def quarrel(case, _dice):
    """An autoscaler wants two replicas, and a GitOps controller applies one, for ever. The
    pods fit nowhere."""
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": NAME}
    made = workload("Deployment", template(TOO_MUCH))
    scaler = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
              "metadata": {"name": NAME, "namespace": NAMESPACE},
              "spec": {"scaleTargetRef": target, "minReplicas": 2, "maxReplicas": 3,
                       "metrics": [{"type": "Resource", "resource": {
                           "name": "cpu",
                           "target": {"type": "Utilization", "averageUtilization": 50}}}]}}
    changed = add(case, made, scaler)
    changed.applied["adversary.yaml"] = [made]
    changed.spec["events"] = changed.spec.get("events", []) + [
        {"name": "apply", "manifests": ["adversary.yaml"], "repeats": True}]
    return changed
