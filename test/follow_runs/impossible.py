# SPDX-License-Identifier: Apache-2.0
"""Changes of a recorded run that no control plane could have produced. Each takes
a run and a source of chance, and gives the changed run with the number of the
first wrong write (None: something must be noticed at the end), or None if the
run has no place for it.

A run that has settled is at rest: most of these are writes seconds after that,
when nothing is under way and every view is up to date."""
import continued
from run_files import active, committed, objects_of, pods_of

LATER = 3.0  # seconds after the last change


def at_rest(run):
    return (run.copy(), run.state(), run.last_time() + LATER) if run.settled else None


def pod_deed(actor, action, pod, **more):
    return {"actor": actor, "action": action, "object": f"Pod/{pod['name']}", **more}


def fresh(pod, name, rng):
    """A pod like this one, just made."""
    drop = ("nodeName", "scheduled", "started", "reason", "disruption", "nominatedNodeName",
            "schedReason", "schedMsg", "grace", "via")
    line = {k: v for k, v in pod.items() if k not in drop}
    return {**line, "name": name, "type": "ADDED", "uid": f"{rng.randrange(16**8):08x}",
            "phase": "Pending", "ready": False, "deleting": False}


def going(pod):
    return {**pod, "type": "MODIFIED", "deleting": True}


def choose(rng, items):
    return rng.choice(sorted(items, key=lambda item: item["name"])) if items else None


def writes(actor, action, pick, version, **more):
    """A write of this actor to a pod that `pick` finds in a run at rest."""
    def change(run, rng):
        if not run.settled:
            return None
        other, state, time = at_rest(run)
        pod = choose(rng, [p for p in pods_of(state) if pick(state, p)])
        if not pod:
            return None
        return other, other.add(pod_deed(actor, action, pod, **more), version(pod), time)
    change.__name__ = f"{actor.replace('-', '_')}_{action}"
    return change


def owned_by(*kinds):
    return lambda state, pod: (pod.get("owner") or [None])[0] in kinds and active(pod)


def quota_of(state):
    return any(kind == "ResourceQuota" for kind, _ in state)


def set_creates(kind, actor):
    def change(run, rng):
        if not run.settled or quota_of(run.state()):
            return None
        other, state, time = at_rest(run)
        pod = choose(rng, [p for p in pods_of(state) if (p.get("owner") or [None])[0] == kind])
        if not pod:
            return None
        name = f"{pod['name'].rsplit('-', 1)[0]}-{77 if kind == 'StatefulSet' else 'extra'}"
        deed = {"actor": actor, "action": "create", "object": f"Pod/{name}",
                "owner": "/".join(pod["owner"])}
        return other, other.add(deed, fresh(pod, name, rng), time)
    change.__name__ = f"{kind}_creates_too_many"
    return change


def set_resized(step):
    def change(run, rng):
        if not run.settled:
            return None
        other, state, time = at_rest(run)
        chosen = choose(rng, [s for s in objects_of(state, "ReplicaSet")
                              if s.get("replicas", 0) + step >= 0 and s.get("owner")])
        if not chosen:
            return None
        size = chosen.get("replicas", 0) + step
        deed = {"actor": "deployment-controller", "action": "scale",
                "object": f"ReplicaSet/{chosen['name']}",
                "change": {"replicas": [size - step, size]}}
        return other, other.add(deed, {**chosen, "type": "MODIFIED", "replicas": size}, time)
    change.__name__ = f"set_resized_by_{step}"
    return change


def rollout_too_far(run, rng):
    """The sum of a Deployment's sets beyond its replicas and maxSurge."""
    choices = [i for i, d in enumerate(run.deeds) if committed(d)
               and d["actor"] == "deployment-controller" and d["action"] == "scale"
               and (d.get("change") or {}).get("replicas", [0, 0])[1] >
               (d.get("change") or {}).get("replicas", [0, 0])[0]]
    rng.shuffle(choices)
    for at in choices:
        deed = run.deeds[at]
        state = run.state(deed["rv"] - 1)
        chosen = state.get(("ReplicaSet", deed["object"].split("/")[1]))
        if not chosen or not chosen.get("owner"):
            continue
        deployment = state.get(tuple(chosen["owner"]))
        if not deployment:
            continue
        sizes = [v["replicas"] for v in run.versions if v.get("kind") == "Deployment"
                 and v["name"] == deployment["name"] and v["t"] > deed["t"] - 4]
        surge = ((deployment.get("strategy") or {}).get("rollingUpdate") or {}).get("maxSurge", 0)
        most = max(sizes + [deployment["replicas"]])
        if isinstance(surge, str):
            surge = -(-most * int(surge.rstrip("%")) // 100)
        rest = sum(s.get("replicas", 0) for s in objects_of(state, "ReplicaSet")
                   if s.get("owner") == chosen["owner"] and s["name"] != chosen["name"])
        size = max(most + surge - rest, deed["change"]["replicas"][1]) + 1
        other = run.before(at)
        wrong = {**deed, "change": {"replicas": [chosen["replicas"], size]}}
        return other, other.add(wrong, {**chosen, "type": "MODIFIED", "replicas": size}, deed["t"])
    return None


def budget_miscounted(run, rng):
    if not run.settled:
        return None
    other, state, time = at_rest(run)
    budget = choose(rng, objects_of(state, "PodDisruptionBudget"))
    if not budget:
        return None
    status = dict(budget["status"])
    key = rng.choice(["currentHealthy", "expectedPods", "disruptionsAllowed"])
    status[key] = status.get(key, 0) + 1
    deed = {"actor": "disruption-controller", "action": "status", "status": status,
            "object": f"PodDisruptionBudget/{budget['name']}"}
    return other, other.add(deed, {**budget, "type": "MODIFIED", "status": status}, time)


def guarded(state, pod):
    """Under a budget that lets nobody go, and ready."""
    if not active(pod) or not pod.get("ready") or pod.get("phase") != "Running":
        return False
    app = (pod.get("labels") or {}).get("app")
    for budget in objects_of(state, "PodDisruptionBudget"):
        # In the recorded runs a budget is called after what it guards.
        if budget["name"] in (f"p{app}", "pw" if app == "web" else None) and \
                budget["status"].get("disruptionsAllowed", 0) == 0:
            return True
    return False


def scaled_by_autoscaler(run, rng, size_of):
    if not run.settled:
        return None
    other, state, time = at_rest(run)
    autoscaler = choose(rng, objects_of(state, "HorizontalPodAutoscaler"))
    target = autoscaler and state.get(("Deployment", autoscaler["name"]))
    if not target or not target.get("replicas"):
        return None
    size = size_of(autoscaler, target)
    if size is None or size == target["replicas"]:
        return None
    deed = {"actor": "horizontal-pod-autoscaler", "action": "scale", "replicas": size,
            "object": f"Deployment/{target['name']}"}
    return other, other.add(deed, {**target, "type": "MODIFIED", "replicas": size}, time)


def autoscaler_beyond_most(run, rng):
    return scaled_by_autoscaler(run, rng, lambda a, t: a["spec"]["maxReplicas"] + 1)


def autoscaler_below_least(run, rng):
    def least(autoscaler, target):
        del target
        size = autoscaler["spec"].get("minReplicas", 1) - 1
        return size if size > 0 else None
    return scaled_by_autoscaler(run, rng, least)


def taint(key, add):
    def change(run, rng):
        if not run.settled:
            return None
        other, state, time = at_rest(run)
        def fits(node):
            has = any(t["key"] == key for t in node.get("taints") or [])
            healthy = node.get("ready") == "True" and not node.get("unschedulable")
            return healthy and not has if add else has and not healthy
        node = choose(rng, [n for n in objects_of(state, "Node") if fits(n)])
        if not node or (not add and all(n.get("ready") != "True"
                                        for n in objects_of(state, "Node"))):
            return None
        old = node.get("taints") or []
        new = old + [{"key": key, "effect": "NoSchedule"}] if add else \
            [t for t in old if t["key"] != key]
        deed = {"actor": "node-lifecycle", "action": "update", "change": {"taints": [old, new]},
                "object": f"Node/{node['name']}"}
        return other, other.add(deed, {**node, "type": "MODIFIED", "taints": new}, time)
    change.__name__ = f"{'adds' if add else 'removes'}_{key.split('/')[1].replace('-', '_')}"
    return change


def waiting_pod_bound(run, rng):
    """What waits at the end fits nowhere."""
    if not run.settled:
        return None
    other, state, time = at_rest(run)
    pod = choose(rng, [p for p in pods_of(state) if active(p) and not p.get("nodeName")])
    node = choose(rng, objects_of(state, "Node"))
    if not pod or not node:
        return None
    deed = pod_deed("scheduler", "bind", pod, node=node["name"])
    version = {**pod, "type": "MODIFIED", "nodeName": node["name"], "scheduled": "True"}
    return other, other.add(deed, version, time)


def bound_elsewhere(run, at, node):
    deed = run.deeds[at]
    pod = run.state(deed["rv"] - 1)[("Pod", deed["object"].split("/")[1])]
    other = run.before(at)
    version = {**pod, "type": "MODIFIED", "nodeName": node, "scheduled": "True"}
    return other, other.add({**deed, "node": node}, version, deed["t"])


def bound_to_tainted(run, rng):
    """To a node that has long been cordoned."""
    choices = [i for i, d in enumerate(run.deeds) if committed(d) and d["action"] == "bind"]
    rng.shuffle(choices)
    for at in choices:
        deed = run.deeds[at]
        state = run.state(deed["rv"] - 1)
        pod = state.get(("Pod", deed["object"].split("/")[1]))
        if not pod or (pod.get("owner") or [None])[0] == "DaemonSet":
            continue
        for node in objects_of(state, "Node"):
            long_ago = [v for v in run.versions if v.get("kind") == "Node"
                        and v["name"] == node["name"] and v["rv"] < deed["rv"]
                        and deed["t"] - v["t"] < 2.5]
            if node.get("unschedulable") and not long_ago and "unschedulable" not in run.manifests:
                return bound_elsewhere(run, at, node["name"])
    return None


def bound_to_fuller(run, rng):
    """Not to the emptiest of equal nodes."""
    return continued.grown(run, rng, False)


def deleted_from_emptier(run, rng):
    """Not of the most crowded node."""
    return continued.shrunk(run, rng, False)


def ready_pod_deleted(run, rng):
    """Not the one that is not ready."""
    return continued.shrunk_unready(run, rng, False)


def pod_forgotten(run, rng):
    """A pod that was needed was never made: its owner would not rest."""
    if not run.settled or quota_of(run.state()):
        return None
    state = run.state()
    pod = choose(rng, [p for p in pods_of(state) if active(p)
                       and (p.get("owner") or [None])[0] in ("ReplicaSet", "StatefulSet")])
    if not pod:
        return None
    other = run.copy()
    other.versions = [v for v in other.versions
                      if v.get("kind") != "Pod" or v["name"] != pod["name"]]
    other.deeds = [d for d in other.deeds if d.get("object") != f"Pod/{pod['name']}"]
    return other, None


def bind_forgotten(run, rng):
    """A pod that fits was never bound: the scheduler would not rest. (After a first
    failure it might, for the time of its back-off.)"""
    if not run.settled or quota_of(run.state()):
        return None
    state = run.state()
    tried = {v["name"] for v in run.versions if v.get("schedReason") == "Unschedulable"}
    pod = choose(rng, [p for p in pods_of(state) if active(p) and p.get("nodeName")
                       and (p.get("owner") or [None])[0] == "ReplicaSet"
                       and p["name"] not in tried])
    binds = [d for d in run.deeds if committed(d) and d["action"] == "bind"
             and pod and d["object"] == f"Pod/{pod['name']}"]
    if not binds:
        return None
    other = run.copy()
    rv = binds[0]["rv"]
    other.versions = [v for v in other.versions if v.get("kind") != "Pod"
                      or v["name"] != pod["name"] or v["rv"] < rv]
    other.deeds = [d for d in other.deeds if d.get("object") != f"Pod/{pod['name']}"
                   or d.get("rv") is None or d["rv"] < rv]
    return other, None


def running(state, pod):
    del state
    return active(pod) and pod.get("phase") == "Running" and pod.get("nodeName")


def on_healthy_node(state, pod):
    node = state.get(("Node", pod.get("nodeName")))
    return running(state, pod) and node and node.get("ready") == "True" and \
        not any(t.get("effect") == "NoExecute" for t in node.get("taints") or [])


def unbound(state, pod):
    del state
    return active(pod) and not pod.get("nodeName")


ALL = [
    set_creates("ReplicaSet", "replicaset-controller"),
    set_creates("StatefulSet", "statefulset-controller"),
    set_creates("DaemonSet", "daemon-set-controller"),
    set_creates("Job", "job-controller"),
    writes("replicaset-controller", "delete", owned_by("ReplicaSet"), going),
    writes("statefulset-controller", "delete", owned_by("StatefulSet"), going),
    writes("daemon-set-controller", "delete", owned_by("DaemonSet"), going),
    writes("scheduler", "delete", on_healthy_node, going),
    writes("node-lifecycle", "delete", on_healthy_node, going),
    writes("kubelet", "delete", running, lambda pod: {**pod, "type": "DELETED"}),
    writes("kubelet", "status", unbound,
           lambda pod: {**pod, "type": "MODIFIED", "phase": "Running"},
           change={"phase": "Running"}),
    writes("generic-garbage-collector", "delete", owned_by("ReplicaSet", "StatefulSet"), going),
    writes("pod-garbage-collector", "delete", on_healthy_node,
           lambda pod: {**pod, "type": "DELETED"}),
    writes("user", "evict", guarded, going),
    set_resized(1), set_resized(-1), rollout_too_far, budget_miscounted,
    autoscaler_beyond_most, autoscaler_below_least,
    taint("node.kubernetes.io/unreachable", True), taint("node.kubernetes.io/not-ready", True),
    taint("node.kubernetes.io/unschedulable", True),
    taint("node.kubernetes.io/unschedulable", False),
    waiting_pod_bound, bound_to_tainted, bound_to_fuller, deleted_from_emptier,
    ready_pod_deleted,
    pod_forgotten, bind_forgotten,
]
