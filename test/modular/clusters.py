# SPDX-License-Identifier: Apache-2.0
"""Random clusters of 2 to 4 workloads.

A seed makes a small cluster with room for everything, gives it up to three couplings
(couplings.py) and up to three features that leave workloads apart (apart.py), and then events and
intents (questions.py). Everything is JSON, so that no
package for YAML is needed."""
import copy
import json
import os
import random

import apart
import couplings
import observed
import questions
import seams

CHECK_FILE = "check.json"
APPLIED_FILE = "applied.json"
KINDS = ["Deployment"] * 6 + ["StatefulSet", "DaemonSet", "Job", "ReplicaSet"]
NAMES = ["web", "api", "store", "batch"]
WORKLOADS_MOST = 4
PODS_MOST = 4  # more of them are too many states for the product
HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"


class Cluster:
    """What the couplings write into. `has` are the names of those that it got."""

    def __init__(self, seed):
        self.seed = seed
        self.dice = random.Random(seed)
        self.workloads = []
        self.objects = []  # all that is no workload
        self.groups = []
        self.events = []
        self.applied = []
        self.intents = []
        self.spec = {"scale": {"mode": "exact"}}
        self.options = []  # of the command
        self.strangers = []  # (name, labels, spec) of pods that no workload has
        self.has = []
        self.finish = []  # what is called when everything else is there
        self.by_calendar = False  # CronJobs make Jobs for ever, so that nothing is asked of the end
        self.in_namespaces = False  # workloads are in several

    # ---- what couplings ask ----

    def chance(self, share):
        return self.dice.random() < share

    def of_kind(self, *kinds):
        return [thing for thing in self.workloads if thing["kind"] in kinds]

    def two(self, *kinds):
        """Two different workloads of these kinds (of any, if none are given); [] if there are
        not so many."""
        found = self.of_kind(*kinds) if kinds else self.workloads
        return self.dice.sample(found, 2) if len(found) > 1 else []

    def topology_key(self):
        return self.dice.choice([HOST, ZONE] if self.zones else [HOST])

    @property
    def zones(self):
        return any(ZONE in group["node"]["metadata"]["labels"] for group in self.groups)

    # ---- what they change ----

    def add(self, kind, name, api_version, **rest):
        thing = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **rest}
        if kind not in ("PriorityClass", "PersistentVolume"):
            thing["metadata"]["namespace"] = "default"
        self.objects.append(thing)
        return thing

    def later(self, *workloads):
        """What an `apply` brings: the workloads with another image."""
        for thing in workloads:
            changed = copy.deepcopy(thing)
            container_of(changed)["image"] += "2"
            self.applied.append(changed)

    # ---- the Check ----

    def documents(self):
        spec = dict(self.spec, events=self.events, intents=self.intents)
        if self.groups:
            spec["nodeGroups"] = self.groups
        check = {"apiVersion": "fathom/v1", "kind": "Check",
                 "metadata": {"name": f"seed-{self.seed}"}, "spec": spec}
        return [check, *self.objects, *self.workloads]

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        files = {CHECK_FILE: self.documents()}
        if self.applied:
            files[APPLIED_FILE] = self.applied
        for name, items in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                json.dump({"apiVersion": "v1", "kind": "List", "items": items}, stream, indent=1)


def name_of(thing):
    meta = thing["metadata"]
    return f"{thing['kind']}/{meta.get('namespace', 'default')}/{meta['name']}"


def template_of(thing):
    return thing["spec"]["template"]


def pod_of(thing):
    return template_of(thing)["spec"]


def container_of(thing):
    return pod_of(thing)["containers"][0]


def renamed(thing, name):
    """The same workload under another name."""
    made = copy.deepcopy(thing)
    made["metadata"]["name"] = name
    made["spec"]["selector"] = {"matchLabels": {"app": name}}
    template_of(made)["metadata"]["labels"]["app"] = name
    container_of(made)["image"] = f"example.org/{name}:1"
    if "serviceName" in made["spec"]:
        made["spec"]["serviceName"] = name
    return made


def app_of(thing):
    """The label that only pods of this workload have."""
    return {"app": thing["metadata"]["name"]}


# ---- the base ----

def workload(dice, name, kind, replicas):
    container = {"name": "app", "image": f"example.org/{name}:1",
                 "resources": {"requests": {"cpu": f"{dice.choice([250, 500, 500, 700])}m",
                                            "memory": "1Gi"}}}
    if dice.random() < .5:
        container["readinessProbe"] = {"httpGet": {"path": "/", "port": 80}}
    spec = {"template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}}
    if kind == "Job":
        spec["template"]["spec"]["restartPolicy"] = "Never"
        spec.update(completions=replicas, parallelism=replicas)
    else:
        spec["selector"] = {"matchLabels": {"app": name}}
    if kind not in ("Job", "DaemonSet"):
        spec["replicas"] = replicas
    if kind == "StatefulSet":
        spec["serviceName"] = name
        spec["podManagementPolicy"] = dice.choice(["OrderedReady", "Parallel"])
    if kind == "Deployment" and dice.random() < .4:
        spec["strategy"] = dice.choice([
            {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}},
            {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}},
            {"type": "Recreate"}])
    return {"apiVersion": "batch/v1" if kind == "Job" else "apps/v1", "kind": kind,
            "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def group(name, count, labels, cpu):
    """Nodes with `cpu` thousandths of a core each."""
    return {"name": name, "count": count,
            "node": {"metadata": {"labels": labels},
                     "status": {"allocatable": {"cpu": f"{cpu}m", "memory": "32Gi",
                                                "pods": "110"}}}}


def add_nodes(cluster):
    dice = cluster.dice
    if cluster.chance(.25):
        cluster.groups = [group(f"zone-{zone}", dice.choice([1, 1, 1, 2]),
                                {ZONE: zone, "pool": zone}, 8000) for zone in "ab"]
        return
    cluster.groups = [group("pool", dice.choice([1, 2, 2, 3]), {"pool": "a"}, 8000)]


def add_workloads(cluster):
    dice = cluster.dice
    names = NAMES[:dice.choice([2, 2, 2, 3, 3, 4])]
    left = PODS_MOST - len(names)
    for name in names:
        more = dice.randint(0, min(left, 2))
        left -= more
        cluster.workloads.append(workload(dice, name, dice.choice(KINDS), 1 + more))
    for thing in cluster.workloads:
        if cluster.chance(.35):
            cluster.add("PodDisruptionBudget", f"{thing['metadata']['name']}-budget", "policy/v1",
                        spec={"selector": {"matchLabels": app_of(thing)},
                              **dice.choice([{"maxUnavailable": 1}, {"minAvailable": 1},
                                             {"maxUnavailable": 0}])})


def cluster_of(seed, only=None, with_seams=False):
    """The cluster of a seed; with `only`, that coupling is one of its own, mostly the only one. With
    seams it has one to four of these, too."""
    cluster = Cluster(seed)
    dice = cluster.dice
    add_nodes(cluster)
    add_workloads(cluster)
    ways = {**apart.ALL, **couplings.ALL, **seams.ALL}
    wanted = [only] if only in ways else []
    if only == "observed":
        observed.prepare(cluster)
    wanted += dice.sample(sorted(apart.ALL), dice.choice([0, 1] if only else [0, 1, 1, 2, 3]))
    wanted += dice.sample(sorted(couplings.ALL),
                          dice.choice([0, 0, 1] if only else [0, 0, 0, 1, 1, 2, 3]))
    if with_seams:
        wanted += dice.sample(sorted(seams.ALL), dice.choice([1, 1, 2, 2, 3, 4]))
    for name in dict.fromkeys(wanted):
        if ways[name](cluster):
            cluster.has.append(name)
    # With clocks nothing settles for good.
    cluster.spec["start"] = "empty" if "time" in cluster.spec else \
        dice.choice(["empty", "empty", "settled", "canonical"])
    questions.add_events(cluster)
    if not cluster.by_calendar:
        questions.add_intents(cluster)
    for finish in cluster.finish:
        finish()
    if cluster.in_namespaces:
        return cluster
    if "time" not in cluster.spec and (cluster.strangers or only == "observed" or
                                       cluster.chance(.25)):
        observed.observe(cluster)
        cluster.has.append("observed")
    return cluster
