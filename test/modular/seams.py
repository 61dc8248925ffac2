# SPDX-License-Identifier: Apache-2.0
"""What several parts of the model have to do with: admission, volumes, policies of Jobs and budgets,
nodes that come and go, expressions, versions. Functions are like those of couplings.py; --seams gives
each cluster one to four of them. Some leave workloads apart, and some couple them."""
import json

import clusters
import couplings

ALL = {}


def seam(function):
    ALL[function.__name__] = function
    return function


def has_kind(cluster, kind):
    return any(one["kind"] == kind for one in cluster.objects)


# ---- admission ----

@seam
def quota_for_some(cluster):
    """A ResourceQuota is about pods of one priority, of Jobs with deadlines, or without requests."""
    dice = cluster.dice
    spec = {"hard": dice.choice([{"pods": str(dice.randint(1, 5))},
                                 {"requests.cpu": f"{dice.randint(2, 10) * 250}m"},
                                 {"limits.memory": f"{dice.randint(1, 4)}Gi"},
                                 {"requests.memory": f"{dice.randint(2, 6)}Gi"}])}
    if "pods" in spec["hard"]:
        spec.update(dice.choice([
            {"scopes": ["Terminating"]}, {"scopes": ["NotTerminating"]}, {"scopes": ["BestEffort"]},
            {"scopeSelector": {"matchExpressions": [
                {"scopeName": "PriorityClass", "operator": "Exists"}]}},
            {"scopeSelector": {"matchExpressions": [
                {"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]}}]))
    if "limits.memory" in spec["hard"]:
        for thing in cluster.workloads:
            if cluster.chance(.8):
                resources = clusters.container_of(thing).setdefault("resources", {})
                resources.setdefault("limits", {})["memory"] = "1Gi"
    if "scopeSelector" in spec and not has_kind(cluster, "PriorityClass"):
        couplings.give_priorities(cluster, dice.choice(["Never", "PreemptLowerPriority"]))
    cluster.add("ResourceQuota", "some", "v1", spec=spec)
    return True


@seam
def two_quotas(cluster):
    """Two ResourceQuotas of one namespace, each of which may be the one that is used up."""
    dice = cluster.dice
    cluster.add("ResourceQuota", "pods", "v1", spec={"hard": {"pods": str(dice.randint(3, 8))}})
    cluster.add("ResourceQuota", "memory", "v1",
                spec={"hard": {"requests.memory": f"{dice.randint(3, 8)}Gi"}})
    return True


@seam
def quota_and_rollout(cluster):
    """A rollout with surge in a quota that others need, too."""
    dice = cluster.dice
    found = cluster.of_kind("Deployment")
    if not found or cluster.applied:
        return False
    pods = sum(thing["spec"].get("replicas", 1) for thing in cluster.workloads)
    cluster.add("ResourceQuota", "tight", "v1",
                spec={"hard": {"pods": str(pods + dice.randint(-1, 2))}})
    cluster.later(*dice.sample(found, dice.randint(1, len(found))))
    cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    return True


@seam
def quota_and_autoscaler(cluster):
    """An autoscaler grows its workload into a quota."""
    dice = cluster.dice
    found = cluster.of_kind("Deployment", "StatefulSet")
    if not found or has_kind(cluster, "HorizontalPodAutoscaler"):
        return False
    thing = dice.choice(found)
    pods = sum(one["spec"].get("replicas", 1) for one in cluster.workloads)
    cluster.add("ResourceQuota", "tight", "v1",
                spec={"hard": {"pods": str(pods + dice.randint(-1, 2))}})
    couplings.add_autoscaler(cluster, thing, 50)
    cluster.events.append({"name": "load", "total": ["100m", "900m"],
                           "workload": clusters.name_of(thing)})
    return True


@seam
def limit_range(cluster):
    """A LimitRange gives requests to pods that have none, or forbids some pods."""
    dice = cluster.dice
    limit = {"type": "Container"}
    limit.update(dice.choice([
        {"defaultRequest": {"cpu": dice.choice(["100m", "700m", "1"])}},
        {"default": {"cpu": "1", "memory": "1Gi"}},
        {"min": {"cpu": "300m"}}, {"max": {"cpu": "600m"}},
        {"maxLimitRequestRatio": {"memory": "2"}, "default": {"memory": "1Gi"}}]))
    if cluster.chance(.2):
        limit = {"type": "Pod", "max": {"cpu": dice.choice(["600m", "1"])}}
    cluster.add("LimitRange", "limits", "v1", spec={"limits": [limit]})
    for thing in cluster.workloads:
        if cluster.chance(.4):
            clusters.container_of(thing).pop("resources", None)
    return True


@seam
def webhook_in_a_drain(cluster):
    """The pods that answer for a webhook are evicted, and it may be asked about their successors."""
    dice = cluster.dice
    found = cluster.of_kind("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
    if not found or has_kind(cluster, "ValidatingWebhookConfiguration"):
        return False
    thing = dice.choice(found)
    service = {"selector": clusters.app_of(thing), "ports": [{"port": 443}]}
    if cluster.chance(.15):
        service["publishNotReadyAddresses"] = True
    cluster.add("Service", "hook", "v1", spec=service)
    hook = {"name": "hook.example.org",
            "clientConfig": {"service": {"namespace": "default", "name": "hook"}},
            "rules": [couplings.webhook_rule(dice)]}
    if cluster.chance(.4):
        hook["objectSelector"] = {"matchExpressions": [
            {"key": "app", "operator": "NotIn", "values": [thing["metadata"]["name"]]}]}
    cluster.objects.append({"apiVersion": "admissionregistration.k8s.io/v1",
                            "kind": dice.choice(["ValidatingWebhookConfiguration",
                                                 "MutatingWebhookConfiguration"]),
                            "metadata": {"name": "hook"}, "webhooks": [hook]})
    cluster.events.append({"name": dice.choice(["maintenance", "nodeFailure"]),
                           **dice.choice([{}, {"after": "settled"}])})
    return True


# ---- pods ----

@seam
def gated(cluster):
    """Pods of one workload have a scheduling gate, which nobody removes."""
    clusters.pod_of(cluster.dice.choice(cluster.workloads))["schedulingGates"] = \
        [{"name": "example.org/wait"}]
    return True


@seam
def sidecars(cluster):
    """Pods have containers before and beside the first one, which request something, too."""
    dice = cluster.dice
    for thing in cluster.workloads:
        if cluster.chance(.5):
            container = {"name": "first", "image": "example.org/first:1",
                         "resources": {"requests": {"cpu": dice.choice(["200m", "1", "1500m"])}}}
            if cluster.chance(.6):
                container["restartPolicy"] = "Always"
            clusters.pod_of(thing)["initContainers"] = [container]
    if cluster.chance(.6):
        couplings.take_room(cluster, dice.choice([1000, 1500, 2000, 3000]))
    return True


@seam
def whole_pod_requests(cluster):
    """Pods request for all their containers together."""
    for thing in cluster.workloads:
        if cluster.chance(.5):
            clusters.pod_of(thing)["resources"] = {
                "requests": {"cpu": cluster.dice.choice(["600m", "800m", "1500m"])}}
    if cluster.chance(.6):
        couplings.take_room(cluster, cluster.dice.choice([1500, 2000, 3000]))
    return True


@seam
def overhead(cluster):
    """The RuntimeClass of some pods adds to what they request."""
    cluster.objects.append({"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass",
                            "metadata": {"name": "boxed"}, "handler": "boxed",
                            "overhead": {"podFixed": {"cpu": "300m", "memory": "256Mi"}}})
    for thing in cluster.workloads:
        if cluster.chance(.5):
            clusters.pod_of(thing)["runtimeClassName"] = "boxed"
    if cluster.chance(.6):
        couplings.take_room(cluster, cluster.dice.choice([1000, 1500, 2000]))
    return True


@seam
def never_ready(cluster):
    """Pods of one workload, or of its next template, never become ready."""
    found = [thing for thing in cluster.workloads if thing["kind"] != "Job"]
    if not found:
        return False
    thing = cluster.dice.choice(found)
    broken = {"fathom.dev/never-ready": "true"}
    if cluster.chance(.5):
        clusters.template_of(thing)["metadata"].setdefault("annotations", {}).update(broken)
        return True
    cluster.finish.append(lambda: [clusters.template_of(one)["metadata"].setdefault(
        "annotations", {}).update(broken) for one in cluster.applied])
    return True


@seam
def other_templates(cluster):
    """What an `apply` brings differs in more than its image."""
    def change():
        dice = cluster.dice
        for one in cluster.applied:
            pod = clusters.pod_of(one)
            what = dice.choice(["cpu", "cpu", "selector", "labels", "priority", "replicas", "port",
                                "spread"])
            if what == "cpu":
                clusters.container_of(one).setdefault("resources", {}).setdefault(
                    "requests", {})["cpu"] = dice.choice(["100m", "900m", "1500m"])
            elif what == "selector":
                pod["nodeSelector"] = {"pool": dice.choice("ab")}
            elif what == "labels":
                clusters.template_of(one)["metadata"]["labels"]["tier"] = "front"
            elif what == "priority" and has_kind(cluster, "PriorityClass"):
                pod["priorityClassName"] = "high"
            elif what == "replicas" and "replicas" in one["spec"]:
                one["spec"]["replicas"] = dice.choice([0, 1, 3])
            elif what == "port":
                clusters.container_of(one)["ports"] = [{"containerPort": 80, "hostPort": 8080}]
            elif what == "spread":
                pod["topologySpreadConstraints"] = [
                    {"labelSelector": {"matchLabels": clusters.app_of(one)}, "maxSkew": 1,
                     "topologyKey": clusters.HOST, "whenUnsatisfiable": "DoNotSchedule"}]
    found = cluster.of_kind("Deployment", "StatefulSet", "DaemonSet")
    if not found:
        return False
    if not cluster.applied:
        cluster.later(*cluster.dice.sample(found, cluster.dice.randint(1, len(found))))
        cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    cluster.finish.append(change)
    return True


@seam
def new_workload(cluster):
    """An `apply` brings a workload that was not there."""
    if cluster.applied or len(cluster.workloads) < 3:
        return False
    thing = cluster.workloads[-1]
    named = json.dumps(clusters.name_of(thing))
    if thing["kind"] == "Job" or named in json.dumps([cluster.events, cluster.intents]):
        return False
    cluster.workloads.pop()
    cluster.applied.append(thing)
    cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    cluster.objects = [one for one in cluster.objects
                       if one["metadata"]["name"] != thing["metadata"]["name"]]
    return True


@seam
def strategies(cluster):
    """Workloads replace their pods in less usual ways."""
    dice = cluster.dice
    for thing in cluster.workloads:
        spec = thing["spec"]
        if thing["kind"] == "DaemonSet":
            spec["updateStrategy"] = dice.choice([
                {"type": "OnDelete"},
                {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}])
        elif thing["kind"] == "StatefulSet":
            spec["updateStrategy"] = dice.choice([
                {"type": "OnDelete"}, {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}])
        elif thing["kind"] == "Deployment":
            spec["strategy"] = dice.choice([
                {"type": "Recreate"},
                {"type": "RollingUpdate",
                 "rollingUpdate": {"maxSurge": "50%", "maxUnavailable": "50%"}},
                {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 2, "maxUnavailable": 0}}])
    if not cluster.applied:
        found = cluster.of_kind("Deployment", "StatefulSet", "DaemonSet")
        if not found:
            return False
        cluster.later(*dice.sample(found, dice.randint(1, len(found))))
        cluster.events.append({"name": "apply", "manifests": [clusters.APPLIED_FILE]})
    return True


# ---- Jobs ----

@seam
def job_policies(cluster):
    """A Job ends, or begins again, by the exit codes, indexes and disruptions of its pods."""
    dice = cluster.dice
    if not cluster.of_kind("Job"):
        if len(cluster.workloads) == clusters.WORKLOADS_MOST:
            return False
        cluster.workloads.append(clusters.workload(dice, "task", "Job", dice.choice([1, 2])))
    for thing in cluster.of_kind("Job"):
        spec = thing["spec"]
        spec["backoffLimit"] = dice.choice([0, 1, 6])
        how = dice.choice(["codes", "disruption", "index", "success", "failed"])
        if how in ("codes", "disruption"):
            spec["podFailurePolicy"] = {"rules": [
                {"action": dice.choice(["FailJob", "Ignore", "Count"]),
                 "onExitCodes": {"operator": "In", "values": [42]}} if how == "codes" else
                {"action": dice.choice(["Ignore", "FailJob"]),
                 "onPodConditions": [{"type": "DisruptionTarget"}]}]}
        elif how == "index":
            spec.update(completionMode="Indexed", backoffLimitPerIndex=dice.choice([0, 1]))
        elif how == "success":
            spec.update(completionMode="Indexed",
                        successPolicy={"rules": [{"succeededIndexes": "0"}]})
        else:
            spec["podReplacementPolicy"] = "Failed"
        clusters.template_of(thing)["metadata"].setdefault("annotations", {})[
            "fathom.dev/outcome"] = dice.choice(["succeeds", "fails", "either"])
    cluster.events.append({"name": "maintenance"})
    return True


@seam
def cron_job(cluster):
    """A CronJob, which stands for one Job, or makes Jobs by the calendar."""
    dice = cluster.dice
    if len(cluster.workloads) == clusters.WORKLOADS_MOST:
        return False
    job = clusters.workload(dice, "nightly", "Job", 1)["spec"]
    job["backoffLimit"] = 1
    thing = cluster.add("CronJob", "nightly", "batch/v1",
                        spec={"schedule": "0 * * * *", "jobTemplate": {"spec": job},
                              "concurrencyPolicy": dice.choice(["Allow", "Forbid", "Replace"])})
    if cluster.chance(.3):
        job["template"]["metadata"]["annotations"] = {"fathom.dev/run-time": "90m"}
        cluster.intents += [
            {"name": "jobsAtMost", "value": dice.choice([1, 2]), "workload": clusters.name_of(thing)},
            {"name": "podsSchedulable"}, {"name": "replicasAtLeast", "value": 1}]
        cluster.spec["time"] = "clocked"
        cluster.by_calendar = True
    if cluster.chance(.6):
        couplings.take_room(cluster, dice.choice([1000, 1500, 2000]))
    return True


# ---- budgets ----

@seam
def budgets_of_all_sorts(cluster):
    """Budgets with shares, for pods that are not ready, and over what is left of two workloads."""
    dice = cluster.dice
    cluster.objects = [one for one in cluster.objects if one["kind"] != "PodDisruptionBudget"]
    for thing in cluster.workloads:
        spec = {"selector": {"matchLabels": clusters.app_of(thing)},
                **dice.choice([{"maxUnavailable": "50%"}, {"minAvailable": "50%"},
                               {"maxUnavailable": "1%"}, {"minAvailable": "100%"},
                               {"minAvailable": 1}])}
        if cluster.chance(.5):
            spec["unhealthyPodEvictionPolicy"] = dice.choice(["AlwaysAllow", "IfHealthyBudget"])
        if cluster.chance(.2):
            spec["selector"] = {"matchExpressions": [
                {"key": "app", "operator": "NotIn", "values": [thing["metadata"]["name"]]}]}
        if cluster.chance(.7):
            cluster.add("PodDisruptionBudget", f"{thing['metadata']['name']}-share", "policy/v1",
                        spec=spec)
    couplings.break_one(cluster)
    cluster.events.append({"name": "maintenance"})
    return True


# ---- volumes ----

@seam
def zonal_volumes(cluster):
    """Volumes of a StatefulSet, or of a claim, stay in the zone in which they are made."""
    dice = cluster.dice
    found = cluster.of_kind("StatefulSet", "Deployment")
    if not found or has_kind(cluster, "StorageClass"):
        return False
    if not cluster.zones:
        cluster.groups = [clusters.group(f"zone-{zone}", 1, {clusters.ZONE: zone, "pool": zone},
                                         dice.choice([1500, 8000])) for zone in "ab"]
    cluster.objects.append({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
                            "metadata": {"name": "fast"}, "provisioner": "ebs.csi.aws.com",
                            "volumeBindingMode": "WaitForFirstConsumer"})
    claim = {"accessModes": ["ReadWriteOnce"], "storageClassName": "fast",
             "resources": {"requests": {"storage": "1Gi"}}}
    for thing in dice.sample(found, dice.randint(1, len(found))):
        if thing["kind"] == "StatefulSet":
            thing["spec"]["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": claim}]
        elif "volumes" not in clusters.pod_of(thing):
            name = f"{thing['metadata']['name']}-data"
            cluster.add("PersistentVolumeClaim", name, "v1", spec=claim)
            clusters.pod_of(thing)["volumes"] = [
                {"name": "data", "persistentVolumeClaim": {"claimName": name}}]
    if cluster.chance(.5):
        cluster.events.append({"name": dice.choice(["zoneOutage", "nodeFailure", "maintenance"])})
    return True


@seam
def volume_limits(cluster):
    """Nodes take one or two volumes of a driver."""
    found = cluster.of_kind("StatefulSet")
    if not found or has_kind(cluster, "StorageClass"):
        return False
    cluster.objects.append({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
                            "metadata": {"name": "net"}, "provisioner": "disk.example.org"})
    for one in cluster.groups:
        one["node"]["status"]["allocatable"]["attachable-volumes-csi-disk.example.org"] = \
            cluster.dice.choice(["1", "2"])
    for thing in found:
        thing["spec"]["volumeClaimTemplates"] = [
            {"metadata": {"name": "data"},
             "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "net",
                      "resources": {"requests": {"storage": "1Gi"}}}}]
    return True


# ---- scheduler, descheduler, nodes ----

@seam
def three_priorities(cluster):
    """Workloads have three priorities, some of which preempt."""
    dice = cluster.dice
    if has_kind(cluster, "PriorityClass"):
        return False
    for name, value in (("low", -10), ("high", 1000)):
        cluster.add("PriorityClass", name, "scheduling.k8s.io/v1", value=value,
                    preemptionPolicy=dice.choice(["Never", "PreemptLowerPriority",
                                                  "PreemptLowerPriority"]))
    for thing in cluster.workloads:
        name = dice.choice(["low", "high", None])
        if name:
            clusters.pod_of(thing)["priorityClassName"] = name
    couplings.take_room(cluster, dice.choice([1000, 1200, 1500, 2000, 8000]))
    cluster.events.append({"name": dice.choice(["maintenance", "nodeFailure"]),
                           **dice.choice([{}, {"after": "settled"}])})
    return True


@seam
def finer_spreading(cluster):
    """Pods are spread by revisions, over domains that must be there, or leaving tainted nodes out."""
    dice = cluster.dice
    for thing in cluster.workloads:
        if thing["kind"] not in ("Job", "DaemonSet") and cluster.chance(.6):
            constraint = {"labelSelector": {"matchLabels": clusters.app_of(thing)}, "maxSkew": 1,
                          "topologyKey": cluster.topology_key(),
                          "whenUnsatisfiable": "DoNotSchedule",
                          **dice.choice([{"minDomains": 2}, {"matchLabelKeys": ["pod-template-hash"]},
                                         {"nodeTaintsPolicy": "Honor"},
                                         {"nodeAffinityPolicy": "Ignore"}])}
            clusters.pod_of(thing)["topologySpreadConstraints"] = [constraint]
    return True


@seam
def other_deschedulers(cluster):
    """A descheduler looks at ages, taints, labels or the fullest nodes."""
    plugin, kind, arguments = cluster.dice.choice([
        ("HighNodeUtilization", "balance", {"thresholds": {"cpu": 30}}),
        ("RemovePodsViolatingNodeTaints", "deschedule", {}),
        ("RemovePodsViolatingNodeAffinity", "deschedule",
         {"nodeAffinityType": ["requiredDuringSchedulingIgnoredDuringExecution"]}),
        ("PodLifeTime", "deschedule", {"maxPodLifeTimeSeconds": 600})])
    policy = {"profiles": [{"name": "p", "pluginConfig": [{"name": plugin, "args": arguments}],
                            "plugins": {kind: {"enabled": [plugin]}}}]}
    cluster.spec.setdefault("controllers", {})["descheduler"] = {"policy": policy}
    if plugin == "PodLifeTime":
        cluster.spec["time"] = "clocked"
    return True


@seam
def node_groups_scaled(cluster):
    """A cluster autoscaler adds and removes nodes of a group."""
    if "time" in cluster.spec:
        return False
    groups = {}
    for one in cluster.groups:
        if cluster.chance(.7):
            groups[one["name"]] = {"min": cluster.dice.choice([0, 1]), "max": one["count"] + 1}
    if not groups:
        return False
    couplings.take_room(cluster, cluster.dice.choice([1000, 1500, 2000]))
    cluster.spec.setdefault("controllers", {})["clusterAutoscaler"] = {"groups": groups}
    cluster.intents.append(cluster.dice.choice([{"name": "noNodeOscillation"},
                                                {"name": "nodesAtMost", "value": 3},
                                                {"name": "scalesDown"}]))
    return True


# ---- what is asked, and whose rules apply ----

def by_labels(cluster, app):
    """What is said of pods with some labels: of one workload, of several, or of some templates only."""
    other = cluster.dice.choice(clusters.NAMES)
    tier = cluster.dice.choice(["front", "back"])
    return [f"pods.all(p, p.labels.app != '{app}' || p.ready)",
            f"pods.exists(p, p.labels.app == '{app}' && !p.ready)",
            f"pods.exists_one(p, p.labels.app == '{app}' && p.ready)",
            f"pods.filter(p, p.labels.app == '{app}').size() <= workloads.size()",
            f"pods.filter(p, p.labels.app == '{app}' || p.labels.app == '{other}').size() <= 2",
            f"pods.filter(p, p.labels.app in ['{app}', 'nobody'] && p.current).size() >= 1",
            f"pods.filter(p, !(p.labels.app == '{app}') && p.ready).size() >= 1",
            f"pods.map(p, p.labels.app == '{app}' && !p.terminating, p.revision).size() <= 2",
            f"pods.filter(p, has(p.labels.tier) && p.labels.tier == '{tier}').all(p, p.ready)",
            f"pods.exists(p, p.labels.tier == '{tier}' && p.ready)",
            f"pods.filter(p, p.labels.app == '{app}' && p.labels.tier == '{tier}').size() <= 1"]


def change_tiers(cluster):
    """Some templates get a label, and events bring others with another one."""
    for thing in [*cluster.workloads, *cluster.applied]:
        if cluster.chance(.5):
            labels = clusters.template_of(thing)["metadata"]["labels"]
            labels["tier"] = cluster.dice.choice(["front", "front", "back"])


@seam
def expressions(cluster):
    """Intents are expressions over pods, nodes and workloads."""
    dice = cluster.dice
    forms = ["always", "never", "eventually", "stable"]
    about = []
    for thing in cluster.workloads:
        name = clusters.name_of(thing)
        app = thing["metadata"]["name"]
        about += [f"workloads['{name}'].ready >= 1",
                  f"pods.filter(p, has(p.labels.app) && p.labels.app == '{app}' && p.ready).size() >= 1",
                  f"workloads['{name}'].pods.size() <= 2",
                  f"workloads['{name}'].converged",
                  f"pods.filter(p, p.owner == '{name}').all(p, has(p.node))"]
        about += dice.sample(by_labels(cluster, app), 3)
    about += ["pods.all(p, p.ready)", "nodes.all(n, n.pods.size() <= 2)",
              "pods.exists(p, p.terminating)", "nodes.exists(n, n.cordoned)",
              "nodes.all(n, n.ready && !n.cordoned)", "pods.size() <= 5",
              "budgets.all(b, b.disruptionsAllowed >= 0)"]
    # What can be said of each workload, or of each pod, by itself.
    about += ["workloads.all(w, workloads[w].ready >= 1)",
              "workloads.filter(w, workloads[w].exists).all(w, workloads[w].converged)",
              "workloads.exists(w, workloads[w].ready < workloads[w].replicas)",
              "workloads.all(w, workloads[w].pods.filter(p, !p.terminating).size() <= 2)",
              "pods.all(p, has(p.node))", "!pods.exists(p, !has(p.node) || p.terminating)",
              "pods.exists(p, !p.ready && p.current)",
              "pods.all(p, p.current) && workloads.all(w, workloads[w].updated)"]
    # What looks as if it were so, and is not.
    about += ["workloads.all(w, workloads[w].ready + 1 >= workloads.size())",
              "workloads.all(w, workloads.exists(v, v != w && workloads[v].ready > 0))",
              "pods.all(p, p.ready || pods.exists(q, q.terminating))",
              "pods.all(p, !has(p.node) || p.node.pods.size() <= 2)",
              "workloads.filter(w, pods.all(p, p.ready)).all(w, workloads[w].converged)",
              "workloads.all(w, workloads[w].ready >= 1) || pods.all(p, p.ready)"]
    for number in range(dice.choice([2, 3, 4])):
        own = {"name": f"own-{number}", dice.choice(forms): dice.choice(about)}
        if cluster.chance(.2) and {"always", "never"} & own.keys():
            own["when"] = dice.choice(about)
        cluster.intents.append(own)
    if cluster.chance(.3):
        cluster.intents.append({"name": "until", "until": {"hold": dice.choice(about),
                                                           "to": dice.choice(about)}})
    if cluster.chance(.4):
        cluster.intents.append({"name": "leads", "leadsTo": {"from": dice.choice(about),
                                                             "to": dice.choice(about)}})
    cluster.finish.append(lambda: change_tiers(cluster))
    return True


@seam
def some_version(cluster):
    """The rules are those of the version that the Check names."""
    cluster.spec["kubernetesVersion"] = f"1.{cluster.dice.randint(26, 36)}"
    return True


@seam
def own_namespace(cluster):
    """One workload is in a namespace of its own, where labels and names may be those of others."""
    thing = cluster.dice.choice(cluster.workloads)
    if cluster.strangers:
        return False
    old, name = clusters.name_of(thing), thing["metadata"]["name"]
    new = old.replace("/default/", "/other/")
    cluster.events[:] = json.loads(json.dumps(cluster.events).replace(old, new))
    cluster.intents[:] = json.loads(json.dumps(cluster.intents).replace(old, new))
    for one in [thing, *cluster.applied, *cluster.objects]:
        mine = one["metadata"]["name"]
        if one["metadata"].get("namespace") == "default" and (
                mine == name or mine.startswith(name + "-")):
            one["metadata"]["namespace"] = "other"
    cluster.in_namespaces = True
    return True
