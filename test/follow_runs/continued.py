# SPDX-License-Identifier: Apache-2.0
"""Runs that settled, with a user who then changes the size of a Deployment by one.
From rest, and with nothing else under way, the next writes are known: who they
are for, and which of the pods and nodes may be chosen."""
import re

from run_files import active, objects_of, pods_of

SPECIAL = re.compile(r"ffinity|topologySpread|nodeSelector|olerations|nodeName|DaemonSet|"
                     r"StatefulSet|Job|HorizontalPod|riority|ResourceQuota|Disruption")


def plain(run):
    """The one Deployment of a settled run on equal nodes that asks for nothing special,
    its one ReplicaSet with pods, and the state; or None."""
    if not run.settled or SPECIAL.search(run.manifests) or \
            len(set(re.findall(r"^kind: (.*)$", run.manifests, re.M))) != 1:
        return None
    state = run.state()
    deployments = objects_of(state, "Deployment")
    sets = [s for s in objects_of(state, "ReplicaSet") if s.get("replicas")]
    nodes = objects_of(state, "Node")
    kinds = {str((n.get("allocatable"), n.get("taints"), n.get("unschedulable"), n.get("ready"),
                  {k: v for k, v in n["labels"].items() if "hostname" not in k})) for n in nodes}
    rest = all(active(p) and p.get("ready") for p in pods_of(state))
    if len(deployments) != 1 or len(sets) != 1 or len(kinds) != 1 or not rest or \
            deployments[0].get("paused") or sets[0].get("owner") != \
            ["Deployment", deployments[0]["name"]]:
        return None
    return deployments[0], sets[0], state


def resized(run, step, found=None):
    """The run with the Deployment and its ReplicaSet larger by so many; what there was
    before, the ReplicaSet, and the time."""
    found = found or plain(run)
    if not found or found[1]["replicas"] + step < 1:
        return None
    deployment, chosen, state = found
    other = run.copy()
    time = run.last_time() + 3
    old = deployment["replicas"]
    other.deeds = [d for d in other.deeds if d.get("object") != "end settled"]
    other.add({"actor": "user", "action": "scale", "object": f"Deployment/{deployment['name']}",
               "replicas": old + step},
              {**deployment, "type": "MODIFIED", "replicas": old + step,
               "generation": deployment.get("generation", 1) + 1}, time)
    surge = int(chosen.get("max-replicas") or old) - int(chosen.get("desired-replicas") or old)
    other.add({"actor": "deployment-controller", "action": "scale",
               "object": f"ReplicaSet/{chosen['name']}",
               "change": {"replicas": [chosen["replicas"], chosen["replicas"] + step]}},
              {**chosen, "type": "MODIFIED", "replicas": chosen["replicas"] + step,
               "desired-replicas": str(old + step), "max-replicas": str(old + step + surge)},
              time + 0.01)
    return other, state, chosen, time


def counts(state):
    """How many pods each node has."""
    names = [p.get("nodeName") for p in pods_of(state)]
    return {n["name"]: names.count(n["name"]) for n in objects_of(state, "Node")}


def grown(run, rng, good):
    """One pod more, bound to one of the emptiest nodes, or to one of the others."""
    found = resized(run, 1)
    if not found:
        return None
    other, state, chosen, time = found
    by_node = counts(state)
    nodes = sorted(n for n, c in by_node.items() if (c == min(by_node.values())) == good)
    pod = pods_of(state, "ReplicaSet", chosen["name"])[0]
    if not nodes:
        return None
    node = rng.choice(nodes)
    drop = ("nodeName", "scheduled", "started")
    fresh = {**{k: v for k, v in pod.items() if k not in drop}, "type": "ADDED",
             "name": f"{chosen['name']}-grown", "uid": "0fedcba9", "phase": "Pending",
             "ready": False}
    other.add({"actor": "replicaset-controller", "action": "create",
               "object": f"Pod/{fresh['name']}", "owner": f"ReplicaSet/{chosen['name']}"},
              fresh, time + 0.02)
    rv = other.add({"actor": "scheduler", "action": "bind", "node": node,
                    "object": f"Pod/{fresh['name']}"},
                   {**fresh, "type": "MODIFIED", "nodeName": node, "scheduled": "True"},
                   time + 0.03)
    return other, rv


def shrunk(run, rng, good):
    """One pod less, of a node that has the most pods, or of one that has fewer. Ages
    decide only among nodes that are equally crowded."""
    found = resized(run, -1)
    if not found:
        return None
    other, state, chosen, time = found
    by_node = counts(state)
    pods = sorted((p for p in pods_of(state, "ReplicaSet", chosen["name"])
                   if (by_node[p["nodeName"]] == max(by_node.values())) == good),
                  key=lambda p: p["name"])
    if not pods:
        return None
    pod = rng.choice(pods)
    rv = other.add({"actor": "replicaset-controller", "action": "delete",
                    "object": f"Pod/{pod['name']}"},
                   {**pod, "type": "MODIFIED", "deleting": True}, time + 0.02)
    return other, rv


def shrunk_unready(run, rng, good):
    """One pod is no longer ready, then a user takes one away: that one goes, or another."""
    found = plain(run)
    pods = sorted(pods_of(found[2]), key=lambda p: p["name"]) if found else []
    if len(pods) < 2:
        return None
    unready, other_pod = rng.sample(pods, 2)
    sick = run.copy()
    sick.add({"actor": "kubelet", "action": "status", "object": f"Pod/{unready['name']}",
              "change": {"ready": False}},
             {**unready, "type": "MODIFIED", "ready": False}, run.last_time() + 3)
    other, _, _, time = resized(sick, -1, found)
    pod = {**unready, "ready": False} if good else other_pod
    rv = other.add({"actor": "replicaset-controller", "action": "delete",
                    "object": f"Pod/{pod['name']}"},
                   {**pod, "type": "MODIFIED", "deleting": True}, time + 0.02)
    return other, rv
