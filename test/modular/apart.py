# SPDX-License-Identifier: Apache-2.0
"""What leaves workloads apart, and what the argument for verifying them one by one has to reckon
with all the same. Functions are like those of couplings.py."""
import clusters
import couplings

ALL = {}


def feature(function):
    ALL[function.__name__] = function
    return function


# ---- options ----

@feature
def interleaving(cluster):
    """Periodic controllers act when everything rests, or at any time."""
    cluster.options += ["--interleaving", cluster.dice.choice(["settled", "full", "racing"])]
    return True


@feature
def lag(cluster):
    """Statuses of budgets, or what ReplicaSets see, are late."""
    cluster.options += ["--lag", cluster.dice.choice(["budgets", "replicasets", "all"])]
    return True


@feature
def pulled_images(cluster):
    """Nodes keep the images that they have pulled, and some pods share them."""
    cluster.options += ["--images", cluster.dice.choice(["pulled", "pulled", "500Mi"])]
    for thing in cluster.workloads:
        if cluster.chance(.3):
            clusters.container_of(thing)["image"] = "example.org/shared:1"
    return True


@feature
def earlier_version(cluster):
    """The rules are those of an earlier Kubernetes."""
    versions = ["1.26", "1.27", "1.28", "1.31", "1.33", "1.35"]
    cluster.options += ["--kubernetes-version", cluster.dice.choice(versions)]
    return True


# ---- workloads ----

@feature
def alike(cluster):
    """Workloads differ by their names, and now and then by something small."""
    first = cluster.workloads[0]
    if first["kind"] == "Job":
        return False
    for number, thing in enumerate(cluster.workloads[1:], 1):
        name = thing["metadata"]["name"]
        made = clusters.renamed(first, name)
        if cluster.chance(.4):
            resources = clusters.container_of(made).setdefault("resources", {})
            resources.setdefault("requests", {})["cpu"] = \
                cluster.dice.choice(["100m", "300m", "900m", "1200m"])
        if cluster.chance(.2):
            clusters.pod_of(made)["nodeSelector"] = {"pool": cluster.dice.choice("ab")}
        cluster.workloads[number] = made
    cluster.objects = [one for one in cluster.objects if one["kind"] != "PodDisruptionBudget"]
    for thing in cluster.workloads:
        if cluster.chance(.5):
            cluster.add("PodDisruptionBudget", f"{thing['metadata']['name']}-budget", "policy/v1",
                        spec={"selector": {"matchLabels": clusters.app_of(thing)},
                              **cluster.dice.choice([{"maxUnavailable": 1}, {"minAvailable": 1}])})
    if cluster.chance(.5):
        couplings.take_room(cluster, cluster.dice.choice([1000, 1500, 2000, 3000]))
    return True


def about_itself(cluster, thing):
    return {"labelSelector": {"matchLabels": clusters.app_of(thing)},
            "topologyKey": cluster.topology_key()}


@feature
def apart_by_itself(cluster):
    """Pods of one workload keep away from each other."""
    for thing in cluster.workloads:
        if cluster.chance(.5):
            clusters.pod_of(thing)["affinity"] = {"podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [about_itself(cluster, thing)]}}
    return True


@feature
def spread_by_itself(cluster):
    """Pods of one workload are spread."""
    for thing in cluster.workloads:
        if cluster.chance(.5):
            clusters.pod_of(thing)["topologySpreadConstraints"] = [
                dict(about_itself(cluster, thing), maxSkew=1,
                     whenUnsatisfiable=cluster.dice.choice(["DoNotSchedule", "DoNotSchedule",
                                                            "ScheduleAnyway"]))]
    return True


def tolerate(thing, **what):
    clusters.pod_of(thing).setdefault("tolerations", []).append(dict(what, operator="Exists"))


@feature
def goes_to_cordoned_nodes(cluster):
    """Pods come to a node after its drain has listed those that it evicts."""
    for thing in cluster.workloads:
        if cluster.chance(.5):
            tolerate(thing, key="node.kubernetes.io/unschedulable", effect="NoSchedule")
    cluster.events.append(dict({"name": "maintenance"},
                               **cluster.dice.choice([{}, {"atMost": 2}])))
    return True


@feature
def hasty_pods(cluster):
    """Some pods leave a node that does not answer at once."""
    for thing in cluster.workloads:
        if cluster.chance(.5):
            for key in ("unreachable", "not-ready"):
                tolerate(thing, key=f"node.kubernetes.io/{key}", effect="NoExecute",
                         tolerationSeconds=cluster.dice.choice([0, 0, 30]))
    cluster.events.append(dict(
        {"name": cluster.dice.choice(["zoneOutage"] if cluster.zones else
                                     ["nodeFailure", "partition"])},
        **cluster.dice.choice([{}, {"recovers": True}])))
    if cluster.events[-1]["name"] == "partition":
        cluster.events[-1]["from"] = "both"
    return True


@feature
def own_autoscaler(cluster):
    """An autoscaler follows the load of one workload, with room enough."""
    found = cluster.of_kind("Deployment", "StatefulSet")
    if not found or any(one["kind"] == "HorizontalPodAutoscaler" for one in cluster.objects):
        return False
    thing = cluster.dice.choice(found)
    couplings.add_autoscaler(cluster, thing, cluster.dice.choice([50, 100]))
    named = {"workload": clusters.name_of(thing)}
    cluster.events.append(cluster.dice.choice([
        {"name": "cpuChange", "levels": ["20%", "200%"], **named},
        {"name": "load", "total": ["100m", "900m"], **named},
        {"name": "cpuPattern", "pattern": [{"after": "0s", "cpu": "200%"},
                                           {"after": "60s", "cpu": "20%"}], **named}]))
    return True


@feature
def quarrel(cluster):
    """A GitOps controller sets the replicas that an autoscaler changes."""
    found = cluster.of_kind("Deployment")
    if not found or cluster.applied or \
            any(one["kind"] == "HorizontalPodAutoscaler" for one in cluster.objects):
        return False
    thing = cluster.dice.choice(found)
    couplings.add_autoscaler(cluster, thing, 50)
    cluster.later(thing)
    if cluster.chance(.5):
        clusters.container_of(cluster.applied[0])["image"] = clusters.container_of(thing)["image"]
    if cluster.chance(.3):
        cluster.applied[0]["spec"].pop("replicas")
    cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE], "repeats": True})
    cluster.events.append({"name": "cpuChange", "workload": clusters.name_of(thing),
                           "levels": ["20%", "200%"]})
    return True


@feature
def waits_for_rest(cluster):
    """Events come when the cluster has settled."""
    cluster.events.append({"name": cluster.dice.choice(["maintenance", "nodeFailure"])})
    for event in cluster.events:
        if cluster.chance(.7):
            event["after"] = "settled"
    return True


@feature
def disk_of_one(cluster):
    """One workload has a disk, which keeps its pods on one node at a time."""
    found = cluster.of_kind("Deployment", "ReplicaSet")
    if not found or any(one["kind"] == "PersistentVolume" for one in cluster.objects):
        return False
    cluster.add("PersistentVolume", "disk", "v1",
                spec={"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
                      "claimRef": {"namespace": "default", "name": "data"},
                      "csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "disk"}})
    cluster.add("PersistentVolumeClaim", "data", "v1",
                spec={"accessModes": ["ReadWriteOnce"],
                      "resources": {"requests": {"storage": "1Gi"}}, "volumeName": "disk"})
    clusters.pod_of(cluster.dice.choice(found))["volumes"] = [
        {"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    return True


@feature
def different_nodes(cluster):
    """Nodes differ in labels, taints and sizes, which some workloads ask for and others do not."""
    dice = cluster.dice
    for number in range(dice.choice([1, 2])):
        labels = {"pool": dice.choice("ab"), "disk": dice.choice(["ssd", "hdd"])}
        if cluster.zones:
            labels[clusters.ZONE] = dice.choice("abc")
        one = clusters.group(f"other-{number}", dice.choice([1, 1, 2]), labels,
                             dice.choice([700, 1000, 2000, 8000]))
        allocatable = one["node"]["status"]["allocatable"]
        allocatable["memory"] = dice.choice(["2Gi", "32Gi"])
        allocatable["ephemeral-storage"] = dice.choice(["1Gi", "100Gi"])
        if cluster.chance(.2):
            one["node"]["spec"] = {"taints": [{"key": "own", "effect": "NoSchedule"}]}
        cluster.groups.append(one)
    for thing in cluster.workloads:
        if cluster.chance(.25):
            clusters.pod_of(thing)["nodeSelector"] = dice.choice([{"disk": "ssd"}, {"pool": "b"}])
        if cluster.chance(.2):
            tolerate(thing, key="own")
    return True


@feature
def daemons(cluster):
    """DaemonSets are on every node."""
    for number in range(min(cluster.dice.choice([1, 2]),
                            clusters.WORKLOADS_MOST - len(cluster.workloads))):
        cluster.workloads.append(clusters.workload(cluster.dice, f"daemon-{number}", "DaemonSet", 1))
    return bool(cluster.of_kind("DaemonSet"))


# ---- pods without a workload ----

def bare_pod(cluster, name, labels, **spec):
    container = {"name": "app", "image": "example.org/bare:1",
                 "resources": {"requests": {"cpu": cluster.dice.choice(["500m", "700m", "1"])}}}
    cluster.strangers.append((name, labels, {"containers": [container], **spec}))
    return container


@feature
def strangers(cluster):
    """There are pods without a workload, and something may tie them to pods of one that has."""
    thing = cluster.dice.choice(cluster.workloads)
    term = {"labelSelector": {"matchLabels": clusters.app_of(thing)},
            "topologyKey": clusters.HOST}
    for number in range(cluster.dice.choice([1, 1, 2])):
        tie = cluster.dice.choice(["none"] * 5 + ["budget"] * 2 + ["affinity"] * 2 +
                                  ["anti-affinity", "their-term", "port"])
        labels, spec = {"bare": "yes"}, {}
        if tie == "budget":
            labels = dict(labels, tier="front")
            clusters.template_of(thing)["metadata"]["labels"]["tier"] = "front"
            cluster.add("PodDisruptionBudget", f"tie-{number}", "policy/v1",
                        spec={"selector": {"matchLabels": {"tier": "front"}},
                              **cluster.dice.choice([{"minAvailable": 1}, {"minAvailable": 2},
                                                     {"maxUnavailable": 0}])})
            cluster.objects = [one for one in cluster.objects
                               if one["kind"] != "PodDisruptionBudget"
                               or one["metadata"]["name"].startswith("tie-")]
        elif tie == "affinity":
            spec["affinity"] = {"podAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [term]}}
        elif tie == "anti-affinity":
            spec["affinity"] = {"podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [term]}}
        elif tie == "their-term":
            clusters.pod_of(thing)["affinity"] = {"podAntiAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [
                    dict(term, labelSelector={"matchLabels": {"bare": "yes"}})]}}
        container = bare_pod(cluster, f"tied-{number}", labels, **spec)
        if tie == "port":
            ports = [{"containerPort": 80, "hostPort": 8080}]
            container["ports"] = ports
            clusters.container_of(thing)["ports"] = ports
    if cluster.chance(.7):
        couplings.take_room(cluster, cluster.dice.choice([1000, 1500]))
    if cluster.chance(.5):
        cluster.events.append({"name": "maintenance"})
    return True
