# SPDX-License-Identifier: Apache-2.0
"""Ways in which one workload can make a difference to another. Each function gives a cluster one
of them, and says whether that was possible. Its first sentence is what --list prints."""
import clusters

ALL = {}


def coupling(function):
    ALL[function.__name__] = function
    return function


# ---- room ----

def take_room(cluster, cpu):
    for one in cluster.groups:
        one["node"]["status"]["allocatable"]["cpu"] = f"{cpu}m"


@coupling
def little_room(cluster):
    """Nodes have room for two to four pods."""
    take_room(cluster, cluster.dice.choice([1000, 1200, 1500, 2000]))
    return True


@coupling
def few_pods(cluster):
    """Nodes take two or three pods, whatever these ask for."""
    for one in cluster.groups:
        one["node"]["status"]["allocatable"]["pods"] = cluster.dice.choice(["2", "3"])
    return True


@coupling
def extended_resource(cluster):
    """Pods ask for a resource of which nodes have none, one or two."""
    for one in cluster.groups:
        one["node"]["status"]["allocatable"]["example.org/gpu"] = \
            str(cluster.dice.choice([0, 1, 1, 2]))
    for thing in cluster.workloads:
        if cluster.chance(.7):
            resources = clusters.container_of(thing).setdefault("resources", {})
            resources.setdefault("requests", {})["example.org/gpu"] = "1"
            resources["limits"] = {"example.org/gpu": "1"}
    return True


@coupling
def small_node(cluster):
    """One node is smaller than the others, and some pods must go there."""
    cluster.groups.append(clusters.group("small", 1, {"pool": "b"},
                                         cluster.dice.choice([500, 700, 1000])))
    for thing in cluster.workloads:
        if cluster.chance(.4):
            clusters.pod_of(thing)["nodeSelector"] = {"pool": "b"}
    return True


@coupling
def daemons_fill_nodes(cluster):
    """A DaemonSet may take the last room of a node."""
    if len(cluster.workloads) == clusters.WORKLOADS_MOST:
        return False
    take_room(cluster, cluster.dice.choice([1000, 1200]))
    cluster.workloads.append(clusters.workload(cluster.dice, "agent", "DaemonSet", 1))
    return True


@coupling
def surge(cluster):
    """A rollout needs room for new pods while old ones still hold theirs."""
    found = cluster.of_kind("Deployment")
    if not found or cluster.applied:
        return False
    take_room(cluster, cluster.dice.choice([1000, 1200, 1500]))
    for thing in found:
        thing["spec"]["strategy"] = {"type": "RollingUpdate",
                                     "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    cluster.later(*cluster.dice.sample(found, cluster.dice.randint(1, len(found))))
    cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    return True


# ---- placement ----

def label_tiers(cluster):
    """A label that pods of two workloads have, at least."""
    front = cluster.two()
    for thing in cluster.workloads:
        tier = "front" if thing in front else cluster.dice.choice(["front", "back"])
        clusters.template_of(thing)["metadata"]["labels"]["tier"] = tier


def term_about_other(cluster):
    """A pod and a term that is about pods of another workload; now and then about its own, and
    now and then by a label that several workloads have, so that a third couples two."""
    one, other = cluster.two()
    selector = {"matchLabels": clusters.app_of(other)}
    if cluster.chance(.3):
        label_tiers(cluster)
        selector = {"matchLabels": {"tier": "front"}}
    elif cluster.chance(.2):
        selector = {"matchLabels": clusters.app_of(one)}
    return clusters.pod_of(one), {"labelSelector": selector,
                                  "topologyKey": cluster.topology_key()}


def require(cluster, kind):
    pod, term = term_about_other(cluster)
    pod.setdefault("affinity", {})[kind] = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    return True


@coupling
def affinity(cluster):
    """A pod must be where pods of another workload are."""
    return require(cluster, "podAffinity")


@coupling
def anti_affinity(cluster):
    """A pod must not be where pods of another workload are."""
    return require(cluster, "podAntiAffinity")


@coupling
def preferred_affinity(cluster):
    """A pod would rather be, or not be, where pods of another workload are."""
    pod, term = term_about_other(cluster)
    kind = cluster.dice.choice(["podAffinity", "podAntiAffinity"])
    pod.setdefault("affinity", {})[kind] = {
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100,
                                                             "podAffinityTerm": term}]}
    return True


def spread(cluster, when):
    pod, term = term_about_other(cluster)
    pod["topologySpreadConstraints"] = [dict(term, maxSkew=1, whenUnsatisfiable=when)]
    return True


@coupling
def hard_spread(cluster):
    """A pod must be spread with pods of another workload."""
    return spread(cluster, "DoNotSchedule")


@coupling
def soft_spread(cluster):
    """A pod should be spread with pods of another workload."""
    return spread(cluster, "ScheduleAnyway")


@coupling
def host_port(cluster):
    """Pods of two workloads want the same port of a node."""
    for thing in cluster.two():
        clusters.container_of(thing)["ports"] = [{"containerPort": 80, "hostPort": 8080}]
    return True


@coupling
def shared_disk(cluster):
    """Pods of two workloads want the same disk, which is on one node at a time."""
    mode = cluster.dice.choice(["ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod"])
    pair = cluster.two("Deployment", "ReplicaSet", "Job")
    if any(one["kind"] == "PersistentVolume" for one in cluster.objects):
        return False
    cluster.add("PersistentVolume", "disk", "v1",
                spec={"accessModes": [mode], "capacity": {"storage": "1Gi"},
                      "claimRef": {"namespace": "default", "name": "data"},
                      "csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "disk"}})
    cluster.add("PersistentVolumeClaim", "data", "v1",
                spec={"accessModes": [mode], "resources": {"requests": {"storage": "1Gi"}},
                      "volumeName": "disk"})
    for thing in pair:
        clusters.pod_of(thing)["volumes"] = [{"name": "data",
                                              "persistentVolumeClaim": {"claimName": "data"}}]
    return bool(pair)


@coupling
def pinned_pods(cluster):
    """Pods name their node and pass the scheduler by, so that the kubelet may reject others."""
    thing = cluster.dice.choice(cluster.workloads)
    if thing["kind"] == "DaemonSet":
        return False
    take_room(cluster, cluster.dice.choice([1000, 1500]))
    clusters.pod_of(thing)["nodeName"] = f"{cluster.groups[0]['name']}-1"
    return True


# ---- priorities ----

def give_priorities(cluster, policy):
    cluster.add("PriorityClass", "high", "scheduling.k8s.io/v1", value=1000,
                preemptionPolicy=policy)
    for thing in cluster.dice.sample(cluster.workloads,
                                     cluster.dice.randint(1, len(cluster.workloads) - 1)):
        clusters.pod_of(thing)["priorityClassName"] = "high"


@coupling
def preemption(cluster):
    """Pods of one workload preempt those of another, if there is too little room for both."""
    give_priorities(cluster, "PreemptLowerPriority")
    if cluster.chance(.6):
        take_room(cluster, cluster.dice.choice([1000, 1200, 1500]))
    return True


@coupling
def priority_without_preemption(cluster):
    """Pods of one workload have their turn before those of another."""
    give_priorities(cluster, "Never")
    if cluster.chance(.6):
        take_room(cluster, cluster.dice.choice([1000, 1200, 1500]))
    return True


# ---- objects that are about several ----

def break_one(cluster):
    """The pods of one workload never become ready, which others may notice."""
    thing = cluster.dice.choice(cluster.workloads)
    if thing["kind"] != "Job" and cluster.chance(.5):
        clusters.template_of(thing)["metadata"]["annotations"] = {"fathom.dev/never-ready": "true"}


@coupling
def shared_budget(cluster):
    """One PodDisruptionBudget guards pods of several workloads."""
    label_tiers(cluster)
    break_one(cluster)
    cluster.objects = [one for one in cluster.objects if one["kind"] != "PodDisruptionBudget"]
    cluster.add("PodDisruptionBudget", "front", "policy/v1",
                spec={"selector": {"matchLabels": {"tier": "front"}},
                      **cluster.dice.choice([{"maxUnavailable": 1}, {"minAvailable": 1},
                                             {"minAvailable": 2}, {"maxUnavailable": 0}])})
    if cluster.chance(.6):
        cluster.events.append({"name": "maintenance"})
    return True


@coupling
def budget_of_controller_label(cluster):
    """A budget goes by a label that a controller gives to its pods."""
    found = cluster.of_kind("StatefulSet")
    if not found:
        return False
    key = "statefulset.kubernetes.io/pod-name"
    thing = cluster.dice.choice(found)
    for other in cluster.workloads:
        if other is not thing and cluster.chance(.4):
            clusters.template_of(other)["metadata"]["labels"][key] = "other"
    cluster.add("PodDisruptionBudget", "first", "policy/v1",
                spec={"maxUnavailable": cluster.dice.choice([0, 1]),
                      "selector": {"matchLabels": {key: f"{thing['metadata']['name']}-0"}}})
    return True


@coupling
def shared_quota(cluster):
    """One ResourceQuota limits pods of several workloads, or of those that request something. It
    has enough for all of them now and then."""
    dice = cluster.dice
    spec = {"hard": dice.choice([{"pods": str(dice.randint(2, 6))},
                                 {"pods": str(dice.randint(4, 14))},
                                 {"requests.cpu": f"{dice.randint(1, 8) * 500}m"},
                                 {"pods": str(dice.randint(6, 14)),
                                  "requests.cpu": f"{dice.randint(4, 24) * 500}m"}])}
    if cluster.chance(.5):
        spec["scopes"] = ["NotBestEffort"]
        for container in clusters.pod_of(dice.choice(cluster.workloads))["containers"]:
            container.pop("resources", None)
    cluster.add("ResourceQuota", "team", "v1", spec=spec)
    return True


def webhook_rule(dice):
    """A rule about new pods, or about other requests of which the model knows when they are refused."""
    group, operations, resources = dice.choice([
        ("", ["CREATE"], ["pods"]),
        ("", ["CREATE"], ["pods"]),
        ("", ["CREATE"], ["pods/eviction"]),
        ("", ["CREATE"], ["pods", "pods/eviction"]),
        ("", ["CREATE"], ["pods/binding"]),
        ("apps", ["CREATE", "UPDATE"], ["replicasets"])])
    return {"apiGroups": [group], "apiVersions": ["v1"], "operations": operations,
            "resources": resources}


@coupling
def webhook(cluster):
    """Pods of one workload answer for a webhook, which is asked about all pods or those of one."""
    dice = cluster.dice
    cluster.add("Service", "hook", "v1",
                spec={"selector": clusters.app_of(dice.choice(cluster.workloads)),
                      "ports": [{"port": 443}]})
    hook = {"name": "hook.example.org",
            "clientConfig": {"service": {"namespace": "default", "name": "hook"}},
            "failurePolicy": dice.choice(["Fail", "Fail", "Fail", "Ignore"]),
            "rules": [webhook_rule(dice)]}
    if cluster.chance(.5):
        hook["objectSelector"] = {"matchLabels": clusters.app_of(dice.choice(cluster.workloads))}
    cluster.objects.append({"apiVersion": "admissionregistration.k8s.io/v1",
                            "kind": "ValidatingWebhookConfiguration",
                            "metadata": {"name": "hook"}, "webhooks": [hook]})
    return True


@coupling
def shared_service(cluster):
    """A Service that an intent is about has endpoints of several workloads."""
    label_tiers(cluster)
    break_one(cluster)
    cluster.add("Service", "front", "v1",
                spec={"selector": {"tier": "front"}, "ports": [{"port": 80}]})
    cluster.intents.append(cluster.dice.choice([{"name": "endpointsLive"},
                                                {"name": "trafficBalanced", "maxRatio": 1.5}]))
    return True


def add_autoscaler(cluster, thing, percent):
    replicas = thing["spec"]["replicas"]
    cluster.add("HorizontalPodAutoscaler", thing["metadata"]["name"], "autoscaling/v2",
                spec={"scaleTargetRef": {"apiVersion": "apps/v1", "kind": thing["kind"],
                                         "name": thing["metadata"]["name"]},
                      "minReplicas": 1, "maxReplicas": replicas + 1,
                      "metrics": [{"type": "Resource",
                                   "resource": {"name": "cpu",
                                                "target": {"type": "Utilization",
                                                           "averageUtilization": percent}}}]})


@coupling
def autoscaler_takes_room(cluster):
    """An autoscaler grows one workload into the room of others."""
    found = cluster.of_kind("Deployment", "StatefulSet")
    if not found or any(one["kind"] == "HorizontalPodAutoscaler" for one in cluster.objects):
        return False
    thing = cluster.dice.choice(found)
    take_room(cluster, cluster.dice.choice([1000, 1500, 2000]))
    add_autoscaler(cluster, thing, 50)
    named = {"workload": clusters.name_of(thing)}
    cluster.events.append(cluster.dice.choice([
        {"name": "cpuChange", "levels": ["20%", "90%"], **named},
        {"name": "load", "total": ["100m", "900m"], **named}]))
    return True


@coupling
def autoscaler_reads_others(cluster):
    """The selector of an autoscaled workload finds pods of another one."""
    pair = cluster.two("Deployment")
    if not pair or any(one["kind"] == "HorizontalPodAutoscaler" for one in cluster.objects):
        return False
    thing, other = pair
    add_autoscaler(cluster, thing, 100)
    labels = clusters.template_of(other)["metadata"]["labels"]
    other["spec"]["selector"]["matchLabels"] = {"role": "other"}
    labels.update(role="other", app=thing["metadata"]["name"])
    busy = {"workload": clusters.name_of(other)}
    cluster.events.append(cluster.dice.choice([
        {"name": "cpuChange", "levels": ["20%", "200%"], **busy},
        {"name": "cpuPattern", "pattern": [{"after": "0s", "cpu": "200%"}], **busy}]))
    cluster.intents.append({"name": "replicasAtMost", "workload": clusters.name_of(thing),
                            "value": thing["spec"]["replicas"]})
    return True


# ---- events that are about several ----

def change_two(cluster, **how):
    pair = cluster.two("Deployment", "StatefulSet")
    if not pair or cluster.applied:
        return False
    cluster.later(*pair)
    if cluster.chance(.4):
        cluster.applied[0]["spec"].pop("replicas")
    cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE], **how})
    return True


@coupling
def repeated_apply(cluster):
    """A GitOps controller applies two workloads again and again."""
    if not change_two(cluster, repeats=True):
        return False
    cluster.events.append({"name": "scale",
                           "workload": clusters.name_of(cluster.applied[0]), "to": [3]})
    return True


@coupling
def change_taken_back(cluster):
    """A change of two workloads is taken back."""
    return change_two(cluster, recovers=True)


@coupling
def deleted_node(cluster):
    """A node is deleted, and comes back or not."""
    cluster.events.append({"name": "delete", "object": f"Node/{cluster.groups[0]['name']}-*",
                           "recovers": cluster.chance(.5)})
    return True


# ---- what looks at all pods of a node ----

@coupling
def descheduler(cluster):
    """A descheduler looks at pods of all workloads."""
    plugin, kind, arguments = cluster.dice.choice([
        ("RemoveDuplicates", "balance", {}),
        ("LowNodeUtilization", "balance", {"thresholds": {"cpu": 20, "memory": 20, "pods": 20},
                                           "targetThresholds": {"cpu": 50, "memory": 50,
                                                                "pods": 50}}),
        ("RemovePodsViolatingInterPodAntiAffinity", "deschedule", {}),
        ("RemovePodsViolatingTopologySpreadConstraint", "balance", {})])
    policy = {"apiVersion": "descheduler/v1alpha2", "kind": "DeschedulerPolicy",
              "profiles": [{"name": "p", "pluginConfig": [{"name": plugin, "args": arguments}],
                            "plugins": {kind: {"enabled": [plugin]}}}]}
    cluster.spec.setdefault("controllers", {})["descheduler"] = {"policy": policy}
    return True


@coupling
def kernel_panic(cluster):
    """A node goes down if the pods on it use too much together."""
    found = cluster.of_kind("Deployment", "StatefulSet", "ReplicaSet")
    if not found:
        return False
    take_room(cluster, cluster.dice.choice([1500, 2000]))
    for thing in found[:2]:
        cluster.events.append({"name": "cpuChange", "workload": clusters.name_of(thing),
                               "levels": ["20%", "150%"]})
    cluster.events.append({"name": "kernelPanic", "aboveCpu": cluster.dice.choice(["60%", "90%"]),
                           "recovers": cluster.chance(.5)})
    cluster.intents.append({"name": "nodesHealthy"})
    return True


@coupling
def node_pressure(cluster):
    """A kubelet under pressure evicts pods of all workloads."""
    cluster.events.append({"name": "nodePressure", "recovers": cluster.chance(.5),
                           "condition": cluster.dice.choice(["MemoryPressure", "DiskPressure"])})
    return True


# ---- others that never rest, and time ----

@coupling
def restless_other(cluster):
    """A workload is bound and evicted for ever, because it tolerates a taint for a while."""
    tainted = clusters.group("tainted", 1, {"pool": cluster.dice.choice("ab")}, 8000)
    if cluster.zones:
        tainted["node"]["metadata"]["labels"][clusters.ZONE] = "a"
    tainted["node"]["spec"] = {"taints": [{"key": "t", "effect": "NoExecute"}]}
    cluster.groups.append(tainted)
    for thing in cluster.workloads:
        if cluster.chance(.6):
            clusters.pod_of(thing)["tolerations"] = [dict(
                {"key": "t", "operator": "Exists", "effect": "NoExecute"},
                **cluster.dice.choice([{}, {"tolerationSeconds": 0}, {"tolerationSeconds": 30}]))]
    return True


@coupling
def jobs_with_deadlines(cluster):
    """A Job is given up in the end, which waits for the cluster to rest."""
    if not cluster.of_kind("Job") and len(cluster.workloads) < clusters.WORKLOADS_MOST:
        cluster.workloads.append(clusters.workload(cluster.dice, "task", "Job", 1))
    for thing in cluster.of_kind("Job"):
        thing["spec"].update(activeDeadlineSeconds=60, backoffLimit=cluster.dice.choice([0, 1]))
        clusters.template_of(thing)["metadata"]["annotations"] = {
            "fathom.dev/outcome": cluster.dice.choice(["succeeds", "fails", "either"])}
    return bool(cluster.of_kind("Job"))


@coupling
def clocks(cluster):
    """Time is clocked."""
    cluster.spec["time"] = "clocked"
    return True


@coupling
def several_schedulers(cluster):
    """Pods are bound by several schedulers, or by one that does not exist."""
    profiles = [{"schedulerName": "default-scheduler"}, {"schedulerName": "web-scheduler"}]
    cluster.spec.setdefault("controllers", {})["scheduler"] = {
        "separate": cluster.chance(.5), "configuration": {"profiles": profiles}}
    for thing in cluster.workloads:
        if cluster.chance(.5):
            clusters.pod_of(thing)["schedulerName"] = \
                cluster.dice.choice(["web-scheduler", "web-scheduler", "api-scheduler"])
    return True


# ---- scores ----

PROFILES = [
    {"pluginConfig": [{"name": "NodeResourcesFit",
                       "args": {"scoringStrategy": {"type": "MostAllocated"}}}]},
    {"plugins": {"score": {"disabled": [{"name": "PodTopologySpread"}],
                           "enabled": [{"name": "PodTopologySpread", "weight": 1}]}}},
    {"plugins": {"score": {"disabled": [{"name": "PodTopologySpread"}],
                           "enabled": [{"name": "PodTopologySpread", "weight": 5}]}}},
    {"plugins": {"score": {"disabled": [{"name": "*"}],
                           "enabled": [{"name": "NodeResourcesFit"}]}}},
]


def keep_apart(cluster, thing):
    """Own pods are kept apart by preferences, or by the scheduler's default."""
    term = {"labelSelector": {"matchLabels": clusters.app_of(thing)},
            "topologyKey": cluster.topology_key()}
    how = cluster.dice.choice(["constraint", "constraint", "preference", "default"])
    if how == "constraint":
        clusters.pod_of(thing)["topologySpreadConstraints"] = [
            dict(term, maxSkew=cluster.dice.choice([1, 1, 3]), whenUnsatisfiable="ScheduleAnyway")]
    elif how == "preference":
        clusters.pod_of(thing).setdefault("affinity", {})["podAntiAffinity"] = {
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100,
                                                                 "podAffinityTerm": term}]}


@coupling
def kept_apart_by_scores(cluster):
    """Pods of one workload are kept apart by scores alone, which others change."""
    dice = cluster.dice
    found = cluster.of_kind("Deployment", "ReplicaSet", "StatefulSet")
    if not found:
        return False
    one = dice.choice(found)
    one["spec"]["replicas"] = 2
    keep_apart(cluster, one)
    for group in cluster.groups:
        group["count"] = max(group["count"], dice.choice([1, 2, 2, 3]))
    take_room(cluster, dice.choice([1000, 1500, 2500, 4000, 8000]))
    if cluster.chance(.4) and "controllers" not in cluster.spec:
        profile = {"schedulerName": "default-scheduler", **dice.choice(PROFILES)}
        cluster.spec["controllers"] = {"scheduler": {"configuration": {"profiles": [profile]}}}
    cluster.events.append({"name": "nodeFailure", "after": "settled",
                           **dice.choice([{}, {"recovers": True}])})
    cluster.intents.append({"name": "replicasAtLeast", "value": 1,
                            "workload": clusters.name_of(one)})
    return True


@coupling
def gathered(cluster):
    """All pods of a workload are on one node when it goes away, unless scores keep them apart."""
    dice = cluster.dice
    found = cluster.of_kind("Deployment", "ReplicaSet")
    if not found or cluster.applied:
        return False
    one = dice.choice(found)
    one["spec"]["replicas"] = dice.choice([2, 2, 3])
    for group in cluster.groups:
        group["count"] = max(group["count"], dice.choice([1, 2, 3, 4]))
    take_room(cluster, dice.choice([1000, 1500, 2500, 4000, 8000]))
    if cluster.chance(.3) and "controllers" not in cluster.spec:
        profile = {"schedulerName": "default-scheduler", **dice.choice(PROFILES)}
        cluster.spec["controllers"] = {"scheduler": {"configuration": {"profiles": [profile]}}}
    if cluster.chance(.4) and one["kind"] == "Deployment":
        cluster.later(one)
        cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    cluster.events.append(dice.choice([
        {"name": "maintenance"}, {"name": "nodeFailure", "after": "settled"},
        {"name": "nodeFailure", "recovers": True, "after": "settled"},
        {"name": "maintenance", "atMost": 2, "after": "settled"}]))
    cluster.intents.append({"name": "replicasAtLeast", "value": dice.choice([1, 1, 1, 2]),
                            "workload": clusters.name_of(one)})
    return True
