#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is what the model does followed, too? Plays random runs of the model (`fathom
simulate`) on random small clusters, writes them down as a recorder would have
seen them, and demands that `fathom replay --observed` follows every write.

    walks.py FATHOM [--count N] [--seed S] [--keep FOLDER]

Steps are five seconds apart, so that only a view that is up to date explains
them: the model's steps look at the whole cluster at once. Where a step is
several requests, they follow each other at once. Statuses, which the model does
not have, are written after each step. The runs take turns with the versions:
before 1.33 victims are deleted as the pod is nominated, since then later."""
import argparse
import copy
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

STEP = 5.0
RELEASES = ("1.36.4", "1.26.15", "1.32.9")


def meta(name, **more):
    return {"name": name, "namespace": "default", **more}


# ---- random clusters ----

def template(rng, app, nodes, priority):
    spec = {"containers": [{"name": "c", "image": "app:v1", "resources": {"requests": {
        "cpu": rng.choice(["100m", "400m", "700m", "1200m"]), "memory": "64Mi"}}}]}
    own = {"labelSelector": {"matchLabels": {"app": app}}}
    luck = rng.random()
    if luck < 0.15:
        spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
            {**own, "topologyKey": "kubernetes.io/hostname"}]}}
    elif luck < 0.3:
        spec["topologySpreadConstraints"] = [{
            **own, "maxSkew": 1, "topologyKey": rng.choice(["kubernetes.io/hostname", "zone"]),
            "whenUnsatisfiable": rng.choice(["DoNotSchedule", "ScheduleAnyway"])}]
    elif luck < 0.4:
        spec["nodeSelector"] = {"disk": "ssd"}
    if priority:
        spec["priorityClassName"] = "high"
        spec["priority"] = 1000
    del nodes
    return {"metadata": {"labels": {"app": app}}, "spec": spec}


def cluster(rng):
    """Manifests, and what the user applies later."""
    nodes = [{"apiVersion": "v1", "kind": "Node",
              "metadata": {"name": f"n{i}", "labels": {
                  "kubernetes.io/hostname": f"n{i}", "zone": rng.choice(["x", "y"]),
                  "disk": rng.choice(["ssd", "hdd"])}},
              "spec": {"taints": [{"key": "k", "effect": "NoSchedule"}]
                       if rng.random() < 0.1 else []},
              "status": {"allocatable": {"cpu": rng.choice(["1", "2", "3"]), "memory": "8Gi",
                                         "pods": "110"},
                         "conditions": [{"type": "Ready", "status": "True"}]}}
             for i in range(1, rng.randint(2, 4))]
    objects = []
    priority = rng.random() < 0.3
    if priority:
        objects.append({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
                        "metadata": {"name": "high"}, "value": 1000})
    events = []
    later = None
    for index in range(rng.randint(1, 2)):
        app = "ab"[index]
        strategy = rng.choice([
            {"type": "Recreate"}] + [
            {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": s, "maxUnavailable": u}}
            for s, u in ((1, 0), (0, 1), (1, 1), ("25%", "25%"), (2, 1))])
        objects.append({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta(app),
            "spec": {"replicas": rng.randint(1, 3), "strategy": strategy,
                     "selector": {"matchLabels": {"app": app}},
                     "template": template(rng, app, nodes, priority and index == 1)}})
        if rng.random() < 0.6:
            events.append({"name": "scale", "workload": f"Deployment/default/{app}",
                           "to": [rng.randint(0, 4)], "atMost": 1})
        if later is None and rng.random() < 0.6:
            later = copy.deepcopy(objects[-1])
            later["spec"]["template"]["spec"]["containers"][0]["image"] = "app:v2"
            events.append({"name": "apply", "manifests": ["v2.yaml"], "atMost": 1})
        if rng.random() < 0.3:
            objects.append({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
                            "metadata": meta(f"p{app}"),
                            "spec": {"minAvailable": 1,
                                     "selector": {"matchLabels": {"app": app}}}})
    if rng.random() < 0.3:
        objects.append({
            "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": meta("db"),
            "spec": {"replicas": rng.randint(1, 2), "serviceName": "db",
                     "podManagementPolicy": "OrderedReady",
                     "updateStrategy": {"type": "RollingUpdate"},
                     "selector": {"matchLabels": {"app": "db"}},
                     "template": template(rng, "db", nodes, False)}})
    if rng.random() < 0.4 and len(nodes) > 1:
        events.append({"name": "maintenance", "concurrent": 1, "atMost": 1, "drain": True})
    check = {"apiVersion": "fathom/v1", "kind": "Check", "metadata": {"name": "walk"},
             "spec": {"scale": {"mode": "exact"}, "start": "empty", "events": events,
                      "intents": [{"name": "noEvictionLoop"}]}}
    return check, nodes, objects, later


# ---- the recorder ----

class Unclear(Exception):
    """The model does not tell enough to write this step down."""


class Recorder:
    def __init__(self, nodes, objects, later):
        self.rv = 100
        self.time = 1.0
        self.versions = []
        self.deeds = []
        self.objects = {}
        self.later = later
        self.deed("script", "step", None, "nodes ready")
        for thing in nodes:
            self.put(copy.deepcopy(thing), "kubelet", "create")
        for thing in objects:
            if thing["kind"] != "PriorityClass":
                made = copy.deepcopy(thing)
                made["metadata"]["uid"] = f"{made['kind']}-{made['metadata']['name']}"
                made["metadata"]["generation"] = 1
                self.put(made, "user", "create")
        for thing in list(self.objects.values()):
            if thing["kind"] == "StatefulSet":
                self.revise(thing)
        self.refresh()

    def deed(self, actor, action, rv, target, **more):
        self.deeds.append({"t": round(self.time, 3), "rv": rv, "actor": actor, "action": action,
                           "object": target, **more})

    def stamp(self):
        seconds = int(self.time)
        return f"2024-01-01T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"

    def write(self, thing, kind_of_event):
        self.rv += 1
        self.time += 0.001
        thing["metadata"]["resourceVersion"] = str(self.rv)
        owner = next(iter(thing["metadata"].get("ownerReferences", [])), None)
        line = {"t": round(self.time, 3), "rv": self.rv, "type": kind_of_event,
                "kind": thing["kind"], "name": thing["metadata"]["name"]}
        if thing["kind"] != "Node":
            line["namespace"] = "default"
        if owner:
            line["owner"] = [owner["kind"], owner["name"]]
        if thing["kind"] == "Pod" and thing["spec"].get("nodeName"):
            line["nodeName"] = thing["spec"]["nodeName"]
        if thing["kind"] == "Node":
            line["taints"] = thing["spec"].get("taints", [])
        if thing["kind"] == "ControllerRevision":
            line["revision"] = thing["revision"]
        line["object"] = copy.deepcopy(thing)
        self.versions.append(line)

    def put(self, thing, actor=None, action=None, **more):
        key = (thing["kind"], thing["metadata"]["name"])
        known = key in self.objects
        self.objects[key] = thing
        if not known:
            thing["metadata"]["creationTimestamp"] = self.stamp()
        self.write(thing, "MODIFIED" if known else "ADDED")
        if actor:
            self.deed(actor, action, self.rv, f"{key[0]}/{key[1]}", **more)

    def remove(self, thing, actor, action, **more):
        key = (thing["kind"], thing["metadata"]["name"])
        del self.objects[key]
        self.write(thing, "DELETED")
        self.deed(actor, action, self.rv, f"{key[0]}/{key[1]}", **more)

    def find(self, kind, name):
        if (kind, name) not in self.objects:
            raise Unclear(f"{kind} {name}")
        return copy.deepcopy(self.objects[(kind, name)])

    def pods(self, owner=None):
        return [o for (k, _), o in self.objects.items() if k == "Pod" and
                (owner is None or o["metadata"]["ownerReferences"][0]["name"] == owner)]

    # ---- statuses ----

    def put_status(self, thing, status, actor=None):
        if thing.get("status") != status:
            thing["status"] = status
            more = {"status": status} if actor else {}
            self.put(thing, actor, "status" if actor else None, **more)

    def refresh(self):
        for (kind, name) in list(self.objects):
            if kind == "ReplicaSet":
                pods = [p for p in self.pods(name) if live(p)]
                ready = sum(is_ready(p) for p in pods)
                self.put_status(self.find(kind, name), {
                    "replicas": len(pods), "readyReplicas": ready, "availableReplicas": ready,
                    "fullyLabeledReplicas": len(pods),
                    "observedGeneration": self.objects[(kind, name)]["metadata"]["generation"]})
            elif kind == "StatefulSet":
                self.refresh_stateful(name)
        for (kind, name) in list(self.objects):
            if kind == "Deployment":
                sets = [o for (k, _), o in self.objects.items() if k == "ReplicaSet"
                        and o["metadata"]["ownerReferences"][0]["name"] == name]
                total = {f: sum(s["status"].get(f, 0) for s in sets)
                         for f in ("replicas", "readyReplicas", "availableReplicas")}
                thing = self.find(kind, name)
                self.put_status(thing, {**total, "observedGeneration":
                                        thing["metadata"]["generation"]})
            elif kind == "PodDisruptionBudget":
                self.refresh_budget(name)

    def refresh_budget(self, name):
        budget = self.find("PodDisruptionBudget", name)
        app = budget["spec"]["selector"]["matchLabels"]["app"]
        pods = [p for p in self.pods() if p["metadata"]["labels"]["app"] == app]
        healthy = sum(is_ready(p) for p in pods if live(p))
        desired = budget["spec"]["minAvailable"]
        allowed = max(0, healthy - desired) if pods else 0
        self.put_status(budget, {"observedGeneration": 1, "currentHealthy": healthy,
                                 "desiredHealthy": desired, "expectedPods": len(pods),
                                 "disruptionsAllowed": allowed}, "disruption-controller")

    def revise(self, thing):
        name = thing["metadata"]["name"]
        self.put({"apiVersion": "apps/v1", "kind": "ControllerRevision", "revision": 1,
                  "metadata": meta(f"{name}-r1", ownerReferences=[owner_of(thing)])},
                 "statefulset-controller", "create")

    def refresh_stateful(self, name):
        pods = [p for p in self.pods(name) if live(p)]
        ready = sum(is_ready(p) for p in pods)
        self.put_status(self.find("StatefulSet", name), {
            "replicas": len(pods), "readyReplicas": ready, "availableReplicas": ready,
            "currentReplicas": len(pods), "updatedReplicas": len(pods), "observedGeneration": 1,
            "currentRevision": f"{name}-r1", "updateRevision": f"{name}-r1", "collisionCount": 0})

    # ---- steps ----

    def make_set(self, deployment, name, size):
        owner = self.find("Deployment", deployment)
        number = sum(k == "ReplicaSet" and n.startswith(f"{deployment}-")
                     for k, n in self.objects) + 1
        hashed = copy.deepcopy(owner["spec"]["template"])
        hashed["metadata"]["labels"]["pod-template-hash"] = name
        self.put({"apiVersion": "apps/v1", "kind": "ReplicaSet",
                  "metadata": meta(name, uid=f"ReplicaSet-{name}", generation=1,
                                   labels=hashed["metadata"]["labels"],
                                   ownerReferences=[owner_of(owner)],
                                   annotations=self.annotations(owner, number)),
                  "spec": {"replicas": size, "template": hashed, "selector": {"matchLabels": {
                      **owner["spec"]["selector"]["matchLabels"], "pod-template-hash": name}}},
                  "status": {}},
                 "deployment-controller", "create", replicas=size,
                 owner=f"Deployment/{deployment}")
        owner["metadata"].setdefault("annotations", {})["deployment.kubernetes.io/revision"] = \
            str(number)
        self.put(owner)

    def annotations(self, deployment, revision):
        size = deployment["spec"]["replicas"]
        surge = (deployment["spec"]["strategy"].get("rollingUpdate") or {}).get("maxSurge", 0)
        if isinstance(surge, str):
            surge = -(-size * int(surge.rstrip("%")) // 100)
        return {"deployment.kubernetes.io/revision": str(revision),
                "deployment.kubernetes.io/desired-replicas": str(size),
                "deployment.kubernetes.io/max-replicas": str(size + surge)}

    def resize_set(self, name, size):
        thing = self.find("ReplicaSet", name)
        old = thing["spec"]["replicas"]
        thing["spec"]["replicas"] = size
        thing["metadata"]["generation"] += 1
        self.put(thing, "deployment-controller", "scale", change={"replicas": [old, size]})

    def annotate(self, deployment):
        """Brings the annotations of a Deployment's ReplicaSets up to date."""
        owner = self.find("Deployment", deployment)
        for (kind, name) in list(self.objects):
            thing = self.objects[(kind, name)]
            if kind == "ReplicaSet" and \
                    thing["metadata"]["ownerReferences"][0]["name"] == deployment:
                thing = copy.deepcopy(thing)
                revision = thing["metadata"]["annotations"]["deployment.kubernetes.io/revision"]
                wanted = self.annotations(owner, revision)
                if thing["metadata"]["annotations"] != wanted:
                    thing["metadata"]["annotations"] = wanted
                    self.put(thing)

    def make_pod(self, kind, owner_name, name):
        owner = self.find(kind, owner_name)
        base = copy.deepcopy(owner["spec"]["template"])
        labels = base["metadata"]["labels"]
        if kind == "StatefulSet":
            labels["controller-revision-hash"] = f"{owner_name}-r1"
            labels["statefulset.kubernetes.io/pod-name"] = name
        spec = base["spec"]
        spec.setdefault("priority", 0)
        self.put({"apiVersion": "v1", "kind": "Pod",
                  "metadata": meta(name, uid=f"Pod-{name}-{self.rv}", labels=labels,
                                   ownerReferences=[owner_of(owner)]),
                  "spec": spec, "status": {"phase": "Pending", "conditions": []}},
                 {"ReplicaSet": "replicaset-controller",
                  "StatefulSet": "statefulset-controller"}[kind],
                 "create", owner=f"{kind}/{owner_name}")

    def delete_pod(self, name, actor, action="delete"):
        pod = self.find("Pod", name)
        if not pod["spec"].get("nodeName"):
            self.remove(pod, actor, action)
            return
        pod["metadata"]["deletionTimestamp"] = self.stamp()
        self.put(pod, actor, action, node=pod["spec"]["nodeName"])

    def evict(self, name):
        pod = self.find("Pod", name)
        app = pod["metadata"]["labels"]["app"]
        budget = self.objects.get(("PodDisruptionBudget", f"p{app}"))
        if budget and is_ready(pod):
            budget = copy.deepcopy(budget)
            budget["status"]["disruptionsAllowed"] -= 1
            budget["status"]["disruptedPods"] = {name: "2024-01-01T00:00:00Z"}
            self.put(budget, "kube-apiserver", "status", status=budget["status"])
        self.delete_pod(name, "user", "evict")

    def cordon(self, name, on):
        node = self.find("Node", name)
        node["spec"]["unschedulable"] = on
        self.put(node, "user", "update", change={"unschedulable": [not on, on]})
        node = copy.deepcopy(node)
        old = node["spec"].get("taints", [])
        key = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
        new = old + [key] if on else [t for t in old if t != key]
        node["spec"]["taints"] = new
        self.put(node, "node-lifecycle", "update", change={"taints": [old, new]})

    def deployment_step(self, detail):
        name = None
        for part in detail.split("; "):
            made = re.fullmatch(r"Deployment (\S+) creates ReplicaSet (\S+) with (\d+) replicas?",
                                part)
            sized = re.fullmatch(r"Deployment (\S+) scales ReplicaSet (\S+) from \d+ to (\d+)",
                                 part)
            if made:
                name = made.group(1)
                self.make_set(name, made.group(2), int(made.group(3)))
            elif sized:
                name = sized.group(1)
                self.resize_set(sized.group(2), int(sized.group(3)))
            else:
                raise Unclear(part)
        self.annotate(name)

    def user_scales(self, name, detail):
        size = re.search(r"from \d+ to (\d+) replicas", detail)
        thing = self.find("Deployment", name)
        if size:
            thing["spec"]["replicas"] = int(size.group(1))
        if detail.startswith("the user applies"):
            thing["spec"]["template"] = copy.deepcopy(self.later["spec"]["template"])
        thing["metadata"]["generation"] += 1
        self.put(thing, "user", "scale" if not detail.startswith("the user app") else "update",
                 replicas=thing["spec"]["replicas"])

    def set_step(self, actor, action, detail):
        match = re.fullmatch(r"\S+ (\S+) (?:creates|deletes) pods? (.*)", detail)
        many = re.fullmatch(r"\S+ (\S+) creates (\d+) pods \(\S+-(\d+), .*\)", detail)
        if many:
            for number in range(int(many.group(2))):
                self.make_pod(actor, many.group(1),
                              f"{many.group(1)}-{int(many.group(3)) + number}")
            return
        if not match:
            raise Unclear(detail)
        for pod in re.sub(r" from node [^, ]+", "", match.group(2)).split(", "):
            if action == "create-pods":
                self.make_pod(actor, match.group(1), pod)
            else:
                self.delete_pod(pod, {"ReplicaSet": "replicaset-controller",
                                      "StatefulSet": "statefulset-controller"}[actor])

    def unlucky(self, name):
        """Pods that wait are alike to the model, but for a nomination: the one that it
        finds no node for has none."""
        pod = self.find("Pod", name)
        owner = pod["metadata"]["ownerReferences"][0]["name"]
        others = [p for p in self.pods(owner) if not p["spec"].get("nodeName")
                  and "nominatedNodeName" not in p["status"]]
        return copy.deepcopy(others[0]) if "nominatedNodeName" in pod["status"] and others else pod

    def scheduler_step(self, action, name, detail):
        if action == "bind":
            pod = self.find("Pod", name)
            node = re.search(r"to node (\S+)", detail)
            place = node.group(1) if node else pod["status"].get("nominatedNodeName")
            if not place:
                raise Unclear(detail)
            pod["spec"]["nodeName"] = place
            pod["status"].pop("nominatedNodeName", None)
            pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "True"}]
            self.put(pod, "scheduler", "bind", node=place)
        elif action == "unschedulable":
            pod = self.unlucky(name)
            pod["status"]["conditions"] = [{"type": "PodScheduled", "status": "False",
                                            "reason": "Unschedulable"}]
            self.put(pod, "scheduler", "status", change={"schedReason": "Unschedulable"})
        elif action == "nominate":
            match = re.search(r"nominates a pod of (\S+), and chooses pods? .* from node (\S+)",
                              detail)
            if not match:
                raise Unclear(detail)
            self.nominate(match.group(1), match.group(2), detail)
        elif action == "delete-victim":
            self.delete_pod(name, "scheduler")
        else:
            match = re.search(r"preempts pods? (.*) from node (\S+) to make room for a pod of (\S+)",
                              detail)
            if not match:
                raise Unclear(detail)
            for victim in match.group(1).split(", "):
                self.delete_pod(victim, "scheduler")
            self.nominate(match.group(3), match.group(2), detail)

    def nominate(self, owner, node, detail):
        """A pod of the owner that waits is nominated to the node."""
        waiting = [p for p in self.pods(owner) if not p["spec"].get("nodeName")]
        if not waiting:
            raise Unclear(detail)
        pod = copy.deepcopy(waiting[0])
        pod["status"]["nominatedNodeName"] = node
        self.put(pod, "scheduler", "status", change={"nominatedNodeName": node})

    def step(self, step):
        actor, action, detail = step["actor"], step["action"], step["detail"]
        name = step["object"].split("/")[-1]
        self.time = (int(self.time / STEP) + 1) * STEP
        if actor == "Deployment" and "updates the annotations" in detail:
            self.annotate(step["object"].split("/")[-1])
        elif actor == "Deployment":
            self.deployment_step(detail)
        elif actor == "user" and action in ("scale", "apply"):
            self.user_scales(name, detail)
        elif actor in ("ReplicaSet", "StatefulSet") and action in ("create-pods", "delete-pods"):
            self.set_step(actor, action, detail)
        elif actor == "scheduler":
            self.scheduler_step(action, name, detail)
        elif (actor, action) == ("kubelet", "start"):
            pod = self.find("Pod", name)
            pod["status"] = {"phase": "Running", "startTime": "2024-01-01T00:00:00Z",
                             "conditions": [{"type": "PodScheduled", "status": "True"},
                                            {"type": "Ready", "status": "True"}]}
            self.put(pod, "kubelet", "status", change={"phase": "Running", "ready": True})
        elif (actor, action) == ("kubelet", "terminated"):
            self.remove(self.find("Pod", name), "kubelet", "delete")
        elif (actor, action) == ("drain", "evict"):
            self.evict(name)
        elif (actor, action) == ("world", "maintenance"):
            self.cordon(name, True)
        elif (actor, action) == ("drain", "leave"):
            return
        elif (actor, action) == ("node", "return"):
            self.cordon(name, False)
        else:
            raise Unclear(f"{actor} {action}: {detail}")
        self.refresh()

    def end(self, rests):
        self.time = (int(self.time / STEP) + 3) * STEP
        self.deed("script", "step", None, "end settled" if rests else "end (not settled)")


def owner_of(thing):
    return {"apiVersion": thing["apiVersion"], "kind": thing["kind"], "controller": True,
            "name": thing["metadata"]["name"], "uid": thing["metadata"]["uid"]}


def live(pod):
    return "deletionTimestamp" not in pod["metadata"]


def is_ready(pod):
    return any(c["type"] == "Ready" and c["status"] == "True" for c in pod["status"]["conditions"])


# ---- the comparison ----

def documents(things):
    return "---\n".join(json.dumps(thing) + "\n" for thing in things)


def walk(fathom, seed, folder):
    """One run written down in the folder; the number of steps, or why it is not."""
    rng = random.Random(seed)
    release = RELEASES[seed % len(RELEASES)]
    check, nodes, objects, later = cluster(rng)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "check.yaml")
        pathlib.Path(path).write_text(documents([check] + nodes + objects), encoding="utf-8")
        if later:
            pathlib.Path(scratch, "v2.yaml").write_text(documents([later]), encoding="utf-8")
        done = subprocess.run([fathom, "simulate", path, "--seed", str(seed), "--steps", "150",
                               "-o", "json", "--quiet", "--kubernetes-version", release],
                              capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return f"simulate: {done.stderr[:200]}"
    report = json.loads(done.stdout)
    recorder = Recorder(nodes, objects, later)
    try:
        for step in report["trace"]:
            recorder.step(step)
    except Unclear as unclear:
        return f"unclear: {unclear}"
    recorder.end(report["rests"])
    folder.mkdir(parents=True)
    classes = [o for o in objects if o["kind"] == "PriorityClass"]
    if classes:
        (folder / "manifests.yaml").write_text(documents(classes), encoding="utf-8")
    (folder / "scenario.json").write_text(
        json.dumps({"controlPlane": {"kubernetes": f"v{release}"}}), encoding="utf-8")
    for name, lines in (("run-1.jsonl", recorder.versions), ("run-1.actions.jsonl", recorder.deeds)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines),
                                   encoding="utf-8")
    return len(report["trace"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    steps = 0
    unclear = []
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(options.keep or scratch)
        for seed in range(options.seed, options.seed + options.count):
            told = walk(options.fathom, seed, root / f"walk-{seed}")
            if isinstance(told, int):
                steps += told
            else:
                unclear.append(f"seed {seed}: {told}")
        done = subprocess.run([options.fathom, "replay", "--observed", str(root), "-o", "json"],
                              capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"replay gives {done.returncode}: {done.stderr[:2000]}")
    runs = json.loads(done.stdout)["runs"]
    bad = [run for run in runs if not run["followed"]]
    for run in bad[:20]:
        print(f"{run['recording']}: {(run['notFollowed'] or [run['end']])[0]}")
    for line in unclear[:10]:
        print(line)
    print(f"{len(runs) - len(bad)} of {len(runs)} walks followed, {steps} steps of the model, "
          f"{sum(run['writes'] for run in runs)} writes judged; {len(unclear)} not written down")
    sys.exit(1 if bad or len(unclear) * 5 > options.count else 0)


if __name__ == "__main__":
    main()
