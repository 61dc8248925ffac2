# SPDX-License-Identifier: Apache-2.0
"""Changes of a recorded run that a real control plane could have produced, too:
other names, other times, another order of what is independent. Each takes a run
and a source of chance, and gives the changed run, or None if there is nothing
to change."""
import re

import continued
from run_files import committed, objects_of, pods_of, renamed

KUBELET_AND_USER = ("kubelet", "user")


def other_names(run, rng):
    """Names are chance, but for those that manifests give."""
    names = {}
    nodes = sorted({v["name"] for v in run.versions if v.get("kind") == "Node"})
    if not re.search(r"\bn\d\b", run.manifests):
        others = [f"node-{rng.randrange(10**6):06}-{i}" for i in range(len(nodes))]
        rng.shuffle(others)
        names.update(zip(nodes, others))
    # The descheduler takes pods of a namespace in the order of their names.
    sorts = any("TopologySpreadConstraint" in str(deed.get("object")) for deed in run.deeds)
    for version in run.versions if not sorts else []:
        owner = version.get("owner") or [None]
        if version.get("kind") == "Pod" and owner[0] in ("ReplicaSet", "DaemonSet", "Job"):
            stem = version["name"].rsplit("-", 1)[0]
            names.setdefault(version["name"], f"{stem}-{rng.randrange(36**4):05}")
    if len(set(names.values())) < len(names):
        return None
    other = run.copy()
    other.versions = renamed(other.versions, names)
    other.deeds = renamed(other.deeds, names)
    other.metrics = renamed(other.metrics, names)
    return other


def jitter(run, rng):
    """The clock of the recorder is not that of the writers."""
    other = run.copy()
    for line in other.versions + other.deeds:
        if "t" in line:
            line["t"] = round(max(0, line["t"] + rng.uniform(-0.04, 0.04)), 3)
    return other


def without_hints(run, rng):
    """What Fathom's own recorder does not write."""
    del rng
    other = run.copy()
    for version in other.versions:
        for key in ("manager", "actor", "via", "schedMsg", "grace", "readyReason"):
            version.pop(key, None)
    other.deeds = [d for d in other.deeds
                   if not d["action"].startswith("event:") and (d.get("rv") or d["actor"] == "script"
                                                               or d["action"] == "bind")]
    return other


def move(run, first, last, things):
    """Within the commits first..last, those of these objects come first."""
    inside = [v for v in run.versions if "rv" in v and first <= v["rv"] <= last]
    ahead = [v for v in inside if (v["kind"], v["name"]) in things]
    rest = [v for v in inside if (v["kind"], v["name"]) not in things]
    slots = sorted(v["rv"] for v in inside)
    deeds = {d["rv"] for d in run.deeds if d.get("rv") is not None and first <= d["rv"] <= last}
    if not ahead or not rest or not deeds <= set(slots):
        return None
    numbers = dict(zip((v["rv"] for v in ahead + rest), slots))
    time = min(v["t"] for v in inside)
    other = run.copy()
    for version in other.versions:
        if version.get("rv") in numbers:
            if (version["kind"], version["name"]) in things:
                version["t"] = min(version["t"], time)
            version["rv"] = numbers[version["rv"]]
    other.versions.sort(key=lambda v: v.get("rv", -1))
    moved = [d for d in other.deeds if d.get("rv") in numbers]
    for deed in moved:
        kind, _, name = str(deed["object"]).partition("/")
        deed["rv"] = numbers[deed["rv"]]
        if (kind, name) in things:
            deed["t"] = min(deed["t"], time)
    order = iter(sorted(moved, key=lambda d: d["rv"]))
    other.deeds = [next(order) if d in moved else d for d in other.deeds]
    return other


def thing_of(deed):
    kind, _, name = str(deed["object"]).partition("/")
    return kind, name


def environment_first(run, rng):
    """What a kubelet or a user does waits for nobody but writers of the very same
    object: it may come some commits earlier. The others have not seen it yet."""
    choices = [i for i, d in enumerate(run.deeds) if committed(d)
               and d["actor"] in KUBELET_AND_USER and thing_of(d)[0] in ("Pod", "Deployment")
               and d["action"] in ("status", "delete", "scale", "update")
               # What a kubelet refuses, it refuses because of other pods.
               and (d.get("change") or {}).get("phase") != "Failed"]
    rng.shuffle(choices)
    for at in choices:
        deed = run.deeds[at]
        thing = thing_of(deed)
        back = at
        passed = 0
        while back > 0 and passed < 6:
            before = run.deeds[back - 1]
            if before["actor"] == "script" or deed["t"] - before["t"] > 0.3 or \
                    (committed(before) and thing_of(before) == thing):
                break
            # An eviction reads the budget's status, and the status the pods.
            if before["actor"] in ("user", "kube-apiserver", "descheduler"):
                break
            back -= 1
            passed += committed(before)
        first = next((d["rv"] for d in run.deeds[back:at] if committed(d)), None)
        if passed and first is not None and first < deed["rv"]:
            moved = move(run, first, deed["rv"], {thing})
            if moved:
                return moved
    return None


def swap(run, rng, actor, action, same_owner):
    """Two requests of one writer that were under way together, the other way round."""
    state = {}
    for version in run.versions:
        if version.get("kind") == "Pod":
            state.setdefault(version["name"], version.get("owner"))
    pairs = []
    last = None
    for deed in run.deeds:
        if not committed(deed):
            continue
        if deed["actor"] == actor and deed["action"] == action and thing_of(deed)[0] == "Pod":
            owner = state.get(thing_of(deed)[1])
            if last and deed["t"] - last["t"] < 0.05 and thing_of(last) != thing_of(deed) and \
                    (not same_owner or owner == state.get(thing_of(last)[1])):
                pairs.append((last, deed))
            last = deed
        elif same_owner and deed["actor"] not in ("replicaset-controller",
                                                  "deployment-controller"):
            last = None  # it may have been the reason for the second
        elif deed["actor"] != "kubelet" and deed["action"] != "status":
            last = None
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    # What was done to the second pod in between moves with it.
    return move(run, first["rv"], second["rv"], {thing_of(second)})


def binds_swapped(run, rng):
    return swap(run, rng, "scheduler", "bind", False)


def creations_swapped(run, rng):
    return swap(run, rng, "replicaset-controller", "create", True)


def deletions_swapped(run, rng):
    return swap(run, rng, "replicaset-controller", "delete", True)


def twice(run, rng):
    """The cluster is wiped, and the same is played again, with other pods."""
    if not run.settled or "descheduler" in str(run.deeds):
        return None
    first = other_pods(run, rng)
    other = run.copy()
    time = other.last_time() + 3
    rv = other.last_rv()
    end = [d for d in other.deeds if d.get("object") == "end settled"]
    other.deeds = [d for d in other.deeds if d not in end]
    for (kind, name), version in other.state().items():
        rv += 1
        other.versions.append({**version, "type": "DELETED", "rv": rv, "t": time})
        other.deeds.append({"t": time, "rv": rv, "actor": "user", "action": "delete",
                            "object": f"{kind}/{name}"})
    # Garbage that the collectors of the second run would not have met.
    shift = rv + 1 - min(v["rv"] for v in first.versions if "rv" in v)
    later = time + 3
    for line in first.versions + first.deeds + (first.metrics or []):
        if line.get("rv") is not None:
            line["rv"] += shift
        line["t"] = round(line.get("t", 0) + later, 3)
    other.versions += first.versions
    other.deeds += first.deeds
    if other.metrics is not None:
        other.metrics += first.metrics
    return other


def other_pods(run, rng):
    names = {v["name"]: f"{v['name'][:-5]}{rng.randrange(36**4):05}" for v in run.versions
             if v.get("kind") == "Pod" and (v.get("owner") or [None])[0] in
             ("ReplicaSet", "DaemonSet", "Job")}
    other = run.copy()
    other.versions = renamed(other.versions, names)
    other.deeds = renamed(other.deeds, names)
    other.metrics = renamed(other.metrics, names)
    return other


def late_cordon(run, rng):
    """A node is cordoned, and tainted, just before a pod is bound to it that was
    under way: seen in reality, too."""
    binds = [i for i, d in enumerate(run.deeds) if committed(d) and d["action"] == "bind"]
    if not binds:
        return None
    at = rng.choice(binds)
    bind = run.deeds[at]
    state = run.state(bind["rv"] - 1)
    node = state.get(("Node", bind["node"]))
    if not node or node.get("unschedulable") or any(
            v.get("kind") == "Node" and v["name"] == bind["node"] and v["rv"] > bind["rv"]
            for v in run.versions):
        return None
    other = run.before(at)
    other.add({"actor": "user", "action": "update", "object": f"Node/{bind['node']}",
               "change": {"unschedulable": [False, True]}},
              {**node, "type": "MODIFIED", "unschedulable": True}, bind["t"] - 0.002)
    kind, name = thing_of(bind)
    pod = state[(kind, name)]
    other.add({**bind}, {**pod, "type": "MODIFIED", "nodeName": bind["node"],
                         "scheduled": "True"}, bind["t"])
    return other


def owner_made_anew(run, rng):
    """A Deployment is deleted and made again under its name before the garbage
    collector has done its work."""
    if not run.settled:
        return None
    state = run.state()
    deployments = [d for d in objects_of(state, "Deployment")]
    sets = [s for s in objects_of(state, "ReplicaSet") if s.get("replicas")]
    if not deployments or not sets:
        return None
    chosen = rng.choice(sets)
    owner = chosen["owner"]
    deployment = state.get(tuple(owner))
    pods = [p for p in pods_of(state, "ReplicaSet", chosen["name"])]
    if not deployment or not pods:
        return None
    other = run.copy()
    time = other.last_time() + 3
    what = f"Deployment/{deployment['name']}"
    other.add({"actor": "user", "action": "delete", "object": what},
              {**deployment, "type": "DELETED"}, time)
    other.add({"actor": "user", "action": "create", "object": what},
              {**deployment, "type": "ADDED", "generation": 1, "status": {}}, time + 0.1)
    other.add({"actor": "generic-garbage-collector", "action": "delete",
               "object": f"ReplicaSet/{chosen['name']}"},
              {**chosen, "type": "DELETED"}, time + 0.2)
    other.deeds = [d for d in other.deeds if d.get("object") != "end settled"]
    return other


def one_more(run, rng):
    """A user makes a Deployment larger by one; ties are free."""
    found = continued.grown(run, rng, True)
    return found and found[0]


def one_less(run, rng):
    """A user makes a Deployment smaller by one."""
    found = continued.shrunk(run, rng, True)
    return found and found[0]


def unready_one_less(run, rng):
    """The one that is not ready goes first."""
    found = continued.shrunk_unready(run, rng, True)
    return found and found[0]


ALL = [other_names, jitter, without_hints, environment_first, binds_swapped, creations_swapped,
       deletions_swapped, twice, late_cordon, owner_made_anew, one_more, one_less,
       unready_one_less]
