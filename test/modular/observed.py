# SPDX-License-Identifier: Apache-2.0
"""A cluster as kubectl would dump it: runs start where its pods are."""
import copy

import clusters

STAGES = ["ready"] * 6 + ["starting", "pending", "leaving"]
PRIORITIES = {"low": -10, "high": 1000}


def node_objects(cluster):
    for one in cluster.groups:
        for number in range(one["count"]):
            name = f"{one['name']}-{number + 1}"
            node = copy.deepcopy(one["node"])
            node["metadata"]["name"] = name
            node["metadata"]["labels"][clusters.HOST] = name
            node["status"]["conditions"] = [
                {"type": "Ready", "status": "False" if cluster.chance(.06) else "True"}]
            yield {"apiVersion": "v1", "kind": "Node", **node}


def pod_object(name, labels, spec, owner, stage, node):
    meta = {"name": name, "namespace": "default", "labels": labels}
    spec = copy.deepcopy(spec)
    if owner:
        meta["ownerReferences"] = [owner]
    if stage == "leaving":
        meta.update(deletionTimestamp="2026-03-02T08:00:00Z", deletionGracePeriodSeconds=30)
    if stage != "pending":
        spec.setdefault("nodeName", node)
    if "priorityClassName" in spec:
        spec["priority"] = PRIORITIES[spec["priorityClassName"]]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec,
            "status": {"phase": "Pending" if stage in ("pending", "starting") else "Running",
                       "conditions": [{"type": "Ready",
                                       "status": "True" if stage == "ready" else "False"}]}}


def owner_of(kind, name, uid):
    return {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": uid, "controller": True}


def replica_set(cluster, deployment, owner):
    """The one that the Deployment has; now and then one of a template that is not its own."""
    name, spec = deployment["metadata"]["name"], deployment["spec"]
    template = copy.deepcopy(spec["template"])
    template["metadata"]["labels"]["pod-template-hash"] = "1"
    if cluster.chance(.2):
        template["spec"]["containers"][0]["image"] += "-old"
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": f"{name}-1", "namespace": "default", "uid": f"{name}-1",
                         "labels": template["metadata"]["labels"], "ownerReferences": [owner],
                         "creationTimestamp": "2026-03-02T08:00:00Z",
                         "annotations": {
                             "deployment.kubernetes.io/revision": "1",
                             "deployment.kubernetes.io/desired-replicas": str(spec["replicas"])}},
            "spec": {"replicas": spec["replicas"], "template": template,
                     "selector": {"matchLabels": dict(spec["selector"]["matchLabels"],
                                                      **{"pod-template-hash": "1"})}}}


def daemons_of(cluster, thing, owner, nodes):
    """On most nodes."""
    for node in nodes:
        if cluster.chance(.85):
            template = copy.deepcopy(clusters.template_of(thing))
            labels = dict(template["metadata"]["labels"],
                          **{"controller-revision-hash": "1", "pod-template-generation": "1"})
            yield pod_object(f"{thing['metadata']['name']}-{node}", labels, template["spec"], owner,
                             cluster.dice.choice(STAGES[:-2]), node)


def pin_to_zone(cluster):
    """A pod that can only be in one zone, beside others that could all be there, were it not for scores;
    and nodes that are drained one after the other."""
    dice = cluster.dice
    cpu = dice.choice([1000, 1250, 1500, 2000])
    cluster.groups = [clusters.group(f"zone-{zone}", dice.choice([1, 2, 2]), {clusters.ZONE: zone, "pool": "a"}, cpu)
                      for zone in "abc"[:dice.choice([2, 2, 3])]]
    pinned = clusters.workload(dice, "pinned", dice.choice(["ReplicaSet", "StatefulSet", "Deployment"]), 1)
    clusters.pod_of(pinned)["nodeSelector"] = {clusters.ZONE: "a"}
    others = [clusters.workload(dice, name, dice.choice(["ReplicaSet", "Deployment"]), dice.choice(sizes))
              for name, sizes in (("web", [2, 3, 3, 4]), ("api", [1, 2]))[:dice.choice([1, 2])]]
    for thing in [pinned, *others]:
        clusters.container_of(thing).pop("readinessProbe", None)
        clusters.container_of(thing)["resources"]["requests"]["cpu"] = f"{dice.choice([200, 250, 300, 400, 500])}m"
    cluster.workloads = [pinned, *others]
    cluster.events = [{"name": "maintenance", "atMost": dice.choice([2, 3, 4])}]
    cluster.applied = []


def prepare(cluster):
    """What dumps of real clusters have: nodes in zones, a DaemonSet on all of them that is rolled
    out, and drains of all nodes."""
    dice = cluster.dice
    if cluster.chance(.6):
        cluster.groups = [clusters.group(f"zone-{zone}", dice.choice([1, 1, 2]),
                                         {clusters.ZONE: zone, "pool": "a"},
                                         dice.choice([1000, 2000, 8000])) for zone in "ab"]
    if len(cluster.workloads) < clusters.WORKLOADS_MOST and cluster.chance(.6):
        daemon = clusters.workload(dice, "agent", "DaemonSet", 1)
        cluster.workloads.append(daemon)
        if not cluster.applied and cluster.chance(.5):
            cluster.later(daemon)
            cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    if cluster.chance(.3):
        cluster.events.append({"name": "maintenance", "atMost": dice.choice([1, 3])})
    if cluster.chance(.3):
        pin_to_zone(cluster)


def pods_of(cluster, thing, nodes):
    """The workload's pods, and its ReplicaSet."""
    dice, kind, name = cluster.dice, thing["kind"], thing["metadata"]["name"]
    thing["metadata"]["uid"] = name
    owner = owner_of(kind, name, name)
    template = clusters.template_of(thing)
    if kind == "Deployment":
        made = replica_set(cluster, thing, owner)
        yield made
        owner, template = owner_of("ReplicaSet", f"{name}-1", f"{name}-1"), made["spec"]["template"]
    if kind == "DaemonSet":
        yield from daemons_of(cluster, thing, owner, nodes)
    replicas = thing["spec"].get("replicas", 0)
    for number in range(replicas - (replicas > 0 and cluster.chance(.2))):
        labels = dict(template["metadata"]["labels"])
        pod_name = f"{name}-{number}" if kind == "StatefulSet" else f"{name}-x{number}"
        if kind == "StatefulSet":
            labels.update({"statefulset.kubernetes.io/pod-name": pod_name,
                           "controller-revision-hash": f"{name}-1"})
        yield pod_object(pod_name, labels, template["spec"], owner, dice.choice(STAGES),
                         dice.choice(nodes))


def strangers(cluster, nodes):
    """Pods without a workload."""
    dice = cluster.dice
    for name, labels, spec in cluster.strangers:
        yield pod_object(name, labels, spec, None,
                         dice.choice(["ready", "ready", "pending", "leaving"]), dice.choice(nodes))
    for number in range(dice.choice([0, 0, 1, 2])):
        spec = {"containers": [{"name": "app", "image": "example.org/bare:1",
                                "resources": {"requests": {"cpu": "500m"}}}]}
        labels = dice.choice([{"bare": "yes"}, {"tier": "front"},
                              dict(clusters.app_of(cluster.workloads[0]), bare="yes")])
        yield pod_object(f"bare-{number}", labels, spec, None,
                         dice.choice(["ready", "ready", "pending", "leaving"]), dice.choice(nodes))


def lose_zones(cluster):
    """Nothing happens but that zones fail or cannot be reached, once or twice, and perhaps a node."""
    dice = cluster.dice
    names = ["zoneOutage", "zoneOutage", "partition"] if cluster.zones else ["partition"]
    events = [{"name": dice.choice(names)} for _ in range(dice.choice([1, 1, 1, 2]))]
    for event in events:
        event["topologyKey"] = cluster.topology_key()
        if cluster.chance(.4):
            event["recovers"] = True
        if event["name"] == "partition":
            event["from"] = dice.choice(["clients", "controlPlane", "both"])
    if cluster.chance(.2):
        events.append({"name": dice.choice(["nodeFailure", "maintenance"])})
    cluster.events = events


def observe(cluster):
    """Turns groups into nodes, and gives the workloads pods."""
    nodes = list(node_objects(cluster))
    names = [node["metadata"]["name"] for node in nodes]
    cluster.objects += nodes
    for thing in cluster.workloads:
        cluster.objects += pods_of(cluster, thing, names)
    cluster.objects += strangers(cluster, names)
    for event in cluster.events:
        if event.get("object", "").startswith("Node/"):
            event["object"] = f"Node/{names[0]}"
    if cluster.chance(.35):
        lose_zones(cluster)
    cluster.groups = []
    cluster.spec.pop("start")
    cluster.spec.pop("scale")
