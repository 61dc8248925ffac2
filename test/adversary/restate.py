# SPDX-License-Identifier: Apache-2.0
"""The same Check, said in another way: groups of nodes in two parts, defaults in words,
objects in files of their own, one intent at a time."""
import json
import re


# ---- groups in two parts ----

def is_named(case, group):
    """Does anything speak of the group or of one of its nodes by name?"""
    rest = case.copy()
    rest.spec["nodeGroups"] = []
    texts = json.dumps([rest.all_documents(), rest.options])
    others = json.dumps([other["node"] for other in case.spec["nodeGroups"]])
    return re.search(rf'["/]{re.escape(group["name"])}(-[0-9*]+)?"', texts + others) is not None


def parts_of(count):
    """Two counts that add up to the sizes of the one; None if it is a single node, or has no maximum."""
    if isinstance(count, int):
        return (1, count - 1) if count > 1 else None
    least, most = count.get("min", 0), count.get("max", 0)
    if most < 2:  # or there is none
        return None
    rest = {"min": max(least - 1, 0), "max": most - 1}
    return (1 if least > 0 else {"min": 0, "max": 1}), rest


def split(case, dice):
    changed = case.copy()
    groups = changed.spec.get("nodeGroups", [])
    able = [g for g in groups
            if "max" in str(g.get("count")) or isinstance(g.get("count"), int)]
    able = [g for g in able if parts_of(g["count"]) and not is_named(case, g)]
    if not able:
        return None
    group = dice.choice(able)
    first, second = parts_of(group["count"])
    groups.append({**group, "name": group["name"] + "-more", "count": second})
    group["count"] = first
    return changed


# ---- defaults in words ----

OF_EVENTS = {"maintenance": {"concurrent": 1, "drain": True}, "partition": {"from": "clients"},
             "zoneOutage": {"topologyKey": "topology.kubernetes.io/zone"}}
# These are not counted.
ENDLESS = {"cpuPattern", "loadPattern", "kernelPanic"}
OF_INTENTS = {"balanced": {"maxSkew": 1, "when": "settled"}, "noReplicaSwing": {"swing": 1}}
OF_KINDS = {"Deployment": {"replicas": 1, "minReadySeconds": 0, "revisionHistoryLimit": 10},
            "ReplicaSet": {"replicas": 1, "minReadySeconds": 0},
            "StatefulSet": {"replicas": 1, "podManagementPolicy": "OrderedReady"},
            "DaemonSet": {"minReadySeconds": 0}, "Job": {"suspend": False}}
OF_AUTOSCALERS = {"syncPeriod": "15s", "tolerance": 0.1, "downscaleStabilization": "5m"}
OF_DESCHEDULERS = {"interval": "5m", "version": "v0.27"}


def say(mapping, defaults):
    for key, value in defaults.items():
        mapping.setdefault(key, value)


def say_in_check(changed):
    spec = changed.spec
    for event in spec.get("events", []):
        say(event, OF_EVENTS.get(event["name"], {}))
        if event["name"] not in ENDLESS and not event.get("repeats"):
            event.setdefault("atMost", 1)
    for intent in spec.get("intents", []):
        say(intent, OF_INTENTS.get(intent["name"], {}))
    spec.setdefault("start", "observed" if changed.of_kind("Pod") else "empty")
    controllers = spec.setdefault("controllers", {})
    if changed.of_kind("HorizontalPodAutoscaler"):
        say(controllers.setdefault("horizontalPodAutoscaler", {}), OF_AUTOSCALERS)
    if "descheduler" in controllers:
        say(controllers["descheduler"], OF_DESCHEDULERS)


def identity(thing):
    metadata = thing["metadata"]
    return thing["kind"], metadata.get("namespace", "default"), metadata["name"]


def defaults(case, _dice):
    changed = case.copy()
    say_in_check(changed)
    # Not of what is applied: a field that was written and is not any more is taken back.
    applied = {identity(thing) for file in case.applied.values() for thing in file}
    for thing in changed.objects:
        if identity(thing) not in applied:
            say(thing.get("spec", {}), OF_KINDS.get(thing["kind"], {}))
    for option, value in case.defaults.items():
        if option not in changed.options:
            changed.options = [*changed.options, option, value]
    return changed


# ---- files, intents ----

def files(case, _dice):
    """Each object in a file of its own."""
    changed = case.copy()
    changed.extra = {f"object-{number:03}.yaml": [thing]
                     for number, thing in enumerate(changed.objects)}
    changed.documents = [changed.check]
    if changed.extra:
        changed.spec["manifests"] = list(changed.extra)
    return changed


def alone(case, dice):
    """One intent without the others."""
    intents = case.spec.get("intents", [])
    if len(intents) < 2:
        return None
    changed = case.copy()
    kept = dice.randrange(len(intents))
    changed.spec["intents"] = [intents[kept]]
    changed.intents = [0 if i == kept else None for i in range(len(intents))]
    return changed


# ---- intents of the only workload ----

WORKLOADS = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet")
# About the whole cluster, or about its nodes: every workload counts.
OF_CLUSTERS = ("noOscillation", "drainCompletes", "nodesHealthy")


def limited(case, _dice):
    """Intents of all workloads become intents of the only one that there is."""
    things = [thing for thing in case.all_documents()
              if thing["kind"] in (*WORKLOADS, "Job", "Pod")]
    if len({identity(thing) for thing in things}) != 1 or things[0]["kind"] not in WORKLOADS:
        return None
    changed = case.copy()
    for intent in changed.spec.get("intents", []):
        if intent["name"] not in OF_CLUSTERS:
            intent.setdefault("workload", "/".join(identity(things[0])))
    return changed
