# SPDX-License-Identifier: Apache-2.0
"""Small Checks for tests, as JSON: by rule, so that there are as many as one wants."""

import json
import random


def node_group(name="node", count=1, cpu=4, pods=110, labels=None, taints=None):
    node = {"status": {"allocatable": {"cpu": str(cpu), "memory": "16Gi", "pods": str(pods)}}}
    if labels:
        node["metadata"] = {"labels": labels}
    if taints:
        node["spec"] = {"taints": taints}
    return {"name": name, "count": count, "node": node}


def nodes(*names):
    """Node objects that are alike."""
    status = {"allocatable": {"cpu": "4", "memory": "16Gi", "pods": "110"}, "conditions": [{"type": "Ready", "status": "True"}]}
    return [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
             "status": status} for name in names]


def deployment(name="web", replicas=2, cpu="1", pod=None, spec=None):
    template = {"containers": [{"name": "app", "image": "example.org/app:1",
                                "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}]}
    template.update(pod or {})
    body = {"replicas": replicas, "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": template}}
    body.update(spec or {})
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": name, "namespace": "default"}, "spec": body}


def budget(name="web", **spec):
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"selector": {"matchLabels": {"app": name}}, **spec}}


def autoscaler(name="web", least=1, most=4, target=50):
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
                     "minReplicas": least, "maxReplicas": most,
                     "metrics": [{"type": "Resource", "resource": {
                         "name": "cpu", "target": {"type": "Utilization", "averageUtilization": target}}}]}}


def check(groups, intents, events=(), controllers=None, **spec):
    body = {"nodeGroups": list(groups), "intents": list(intents), **spec}
    if events:
        body["events"] = list(events)
    if controllers:
        body["controllers"] = controllers
    return {"apiVersion": "fathom/v1", "kind": "Check", "metadata": {"name": "check"}, "spec": body}


def write(path, *objects):
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"apiVersion": "v1", "kind": "List", "items": list(objects)}, stream, indent=1)
    return path


def write_documents(path, *objects):
    """One after the other, as manifests are."""
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("# YAML: kubectl takes what begins with a brace for JSON.\n")
        stream.write("\n---\n".join(json.dumps(item, indent=1) for item in objects) + "\n")
    return path


PLACED = {"name": "podsSchedulable", "mode": "eventually"}
DRAINED = {"name": "drainCompletes"}
MAINTENANCE = {"name": "maintenance", "atMost": 1, "after": "settled"}
APART = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
    {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}]}}


def spread(key, skew=1, hard=True):
    return {"maxSkew": skew, "topologyKey": key, "labelSelector": {"matchLabels": {"app": "web"}},
            "whenUnsatisfiable": "DoNotSchedule" if hard else "ScheduleAnyway"}


LOAD = {"name": "cpuChange", "workload": "Deployment/default/web", "levels": ["90%"], "atMost": 1, "after": "settled"}


def still_traps():
    """Name, objects, and what a controller would never do any more: without the guardrail, an autoscaler that is made
    to ignore the load would be the cheapest repair of a cluster without room for more pods."""
    up = "HorizontalPodAutoscaler: scale up Deployment/default/web"
    for cpu in (2, 3, 4):
        yield (f"no-room-{cpu}", [check([node_group(cpu=cpu)], [PLACED], [LOAD]), deployment(replicas=cpu),
                                  autoscaler(least=cpu, most=2 * cpu)], up)
    yield ("apart", [check([node_group(count=2)], [PLACED], [LOAD]), deployment(replicas=2, pod={"affinity": APART}),
                     autoscaler(least=2, most=4)], up)
    yield ("own-nodes", [check([node_group("a", 1, 2, labels={"pool": "a"}), node_group("b", 1, 2)], [PLACED], [LOAD]),
                         deployment(replicas=2, pod={"nodeSelector": {"pool": "a"}}), autoscaler(least=2, most=4)], up)


def traps():
    """Name, objects, and what the cheap patches would give up: those of which one has to be named."""
    for replicas in (3, 4, 5, 6):
        yield (f"replicas-{replicas}", [check([node_group(cpu=replicas - 1)], [PLACED]),
                                        deployment(replicas=replicas)], {"replicas", "requests"})
    for cpu in (2, 3, 4, 8):
        yield (f"requests-{cpu}", [check([node_group(cpu=cpu)], [PLACED]),
                                   deployment(replicas=1, cpu=f"{cpu * 1000 + 500}m")], {"requests"})
    for nodes in (1, 2, 3):
        yield (f"apart-{nodes}", [check([node_group(count=nodes)], [PLACED]),
                                  deployment(replicas=nodes + 1, pod={"affinity": APART})],
               {"constraint", "replicas"})
    for label in ("disk", "gpu"):
        yield (f"selector-{label}", [check([node_group()], [PLACED]),
                                     deployment(replicas=1, pod={"nodeSelector": {label: "yes"}})], {"constraint"})
    for replicas in (2, 3, 4):
        yield (f"budget-{replicas}", [check([node_group(cpu=replicas)], [DRAINED], [MAINTENANCE]),
                                      deployment(replicas=replicas), budget(minAvailable=replicas)],
               {"budget", "object"})
    for replicas in (1, 2):
        yield (f"drain-{replicas}", [check([node_group(count=1, cpu=replicas)], [DRAINED], [MAINTENANCE]),
                                     deployment(replicas=replicas), budget(maxUnavailable=0)], {"budget", "object"})
    for pods in (1, 2):
        quota = {"apiVersion": "v1", "kind": "ResourceQuota",
                 "metadata": {"name": "few", "namespace": "default"}, "spec": {"hard": {"pods": str(pods)}}}
        yield (f"quota-{pods}", [check([node_group()], [{"name": "converges"}]),
                                 deployment(replicas=pods + 1), quota], {"quota", "replicas"})


def job(name="batch", cpu="1", pod=None):
    body = deployment(name, 1, cpu, {"restartPolicy": "Never", **(pod or {})})["spec"]["template"]
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": "default"},
            "spec": {"template": body}}


def application(*broken):
    """Four nodes with six workloads that nothing is wrong with, and some more objects."""
    least = {"name": "replicasAtLeast", "workload": "Deployment/default/bare", "value": 1}
    intents = [DRAINED] + ([least] if any(item["metadata"]["name"] == "bare" for item in broken) else [])
    return [check([node_group(count=4, cpu=16)], intents, [MAINTENANCE]), *broken,
            *(deployment(f"fine-{number}", 1) for number in range(6))]


def one_volume():
    """Two pods that share a volume which is on one node at a time."""
    mounted = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}
    disk = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
            "claimRef": {"namespace": "default", "name": "data"},
            "csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "vol-1"}}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "volumeName": "vol-1"}
    return [check([node_group(count=2)], [{"name": "converges"}]), deployment(replicas=2, pod=mounted),
            {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "vol-1"}, "spec": disk},
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
             "metadata": {"name": "data", "namespace": "default"}, "spec": claim}]


def limited(least, cpu):
    """A LimitRange that wants more than the pods request."""
    limits = [{"type": "Container", "min": {"cpu": least}}]
    return [check([node_group()], [{"name": "converges"}]), deployment(replicas=1, cpu=cpu),
            {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "least", "namespace": "default"},
             "spec": {"limits": limits}}]


def applied():
    """Checks whose patches change, add, drop, create and delete what the API has."""
    yield "budget", [check([node_group(count=2)], [DRAINED], [MAINTENANCE]), deployment(replicas=2),
                     budget(minAvailable=2)]
    yield "no-budget", [check([node_group(count=2)], [{"name": "replicasAtLeast", "value": "desired-1"}], [MAINTENANCE]),
                        deployment(replicas=4)]
    yield "deleted", [check([node_group()], [DRAINED], [MAINTENANCE]), deployment(replicas=1), budget(maxUnavailable=0)]
    yield "taint", [check([node_group(count=2, taints=[{"key": "own", "effect": "NoSchedule"}])], [PLACED]),
                    deployment(replicas=2)]
    yield "apart", [check([node_group(count=2)], [PLACED]), deployment(replicas=3, pod={"affinity": APART})]
    yield "requests", [check([node_group(count=2)], [PLACED]), deployment(replicas=1, cpu="5")]
    yield "room", [check([node_group(cpu=2)], [PLACED], [LOAD]), deployment(replicas=2), autoscaler(least=2, most=4)]
    yield "rollout", [check([node_group()], [PLACED]),
                      deployment(replicas=2, pod={"nodeSelector": {"disk": "ssd"}})]


def random_check(seed):
    """Objects of a small cluster in which something may be violated."""
    choose = random.Random(seed)
    groups = [node_group("a", choose.randint(1, 2), choose.choice((1, 2, 3)),
                         labels={"topology.kubernetes.io/zone": "a"},
                         taints=[{"key": "own", "effect": "NoSchedule"}] if choose.random() < 0.2 else None)]
    if choose.random() < 0.5:
        groups.append(node_group("b", 1, choose.choice((1, 2, 3)), labels={"topology.kubernetes.io/zone": "b"}))
    pod = {}
    if choose.random() < 0.4:
        pod["topologySpreadConstraints"] = [
            spread(choose.choice(("kubernetes.io/hostname", "topology.kubernetes.io/zone")),
                   hard=choose.random() < 0.7)]
    if choose.random() < 0.2:
        pod["affinity"] = APART
    if choose.random() < 0.2:
        pod["nodeSelector"] = {"topology.kubernetes.io/zone": choose.choice("ab")}
    replicas = choose.randint(1, 3)
    objects = [deployment(replicas=replicas, cpu=choose.choice(("500m", "1", "1500m")), pod=pod)]
    intents, events = [PLACED], []
    if choose.random() < 0.6:
        objects.append(budget(**choose.choice(({"minAvailable": replicas}, {"maxUnavailable": 1}, {"maxUnavailable": 0}))))
        intents.append(DRAINED)
        events.append(MAINTENANCE)
    if choose.random() < 0.3:
        objects.append(deployment("other", 1, choose.choice(("500m", "1"))))
    return [check(groups, intents, events), *objects]
