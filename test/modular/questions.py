# SPDX-License-Identifier: Apache-2.0
"""What happens to the random clusters, and what is asked of them."""
import clusters

EVENTS = ["maintenance", "maintenance", "nodeFailure", "nodeFailure", "apply", "scale", "delete",
          "zoneOutage", "partition"]


def maintenance(cluster):
    dice = cluster.dice
    return dice.choice([{}, {}, {"atMost": 2}, {"atMost": 2, "concurrent": 2}, {"drain": False},
                        {"atMost": 3}, {"atMost": 4, "concurrent": 2}])


def outage(cluster):
    return {"recovers": True} if cluster.chance(.5) else {}


def zone_outage(cluster):
    return outage(cluster) if cluster.zones else None


def partition(cluster):
    return dict(outage(cluster), **{"from": cluster.dice.choice(["clients", "controlPlane",
                                                                 "both"])})


def apply(cluster):
    changed = [thing for thing in cluster.of_kind("Deployment", "StatefulSet", "DaemonSet")
               if cluster.chance(.6)]
    if not changed or cluster.applied:
        return None
    cluster.later(*changed)
    return {"manifests": [clusters.APPLIED_FILE]}


def scale(cluster):
    found = cluster.of_kind("Deployment", "StatefulSet", "ReplicaSet")
    return found and {"workload": clusters.name_of(cluster.dice.choice(found)),
                      "to": cluster.dice.sample([0, 1, 2, 3], cluster.dice.choice([1, 1, 2])),
                      "atMost": cluster.dice.choice([1, 1, 3])}


def delete(cluster):
    found = cluster.of_kind("Deployment", "StatefulSet", "ReplicaSet")
    if cluster.chance(.2):
        found = [thing for thing in cluster.objects if thing["kind"] == "PodDisruptionBudget"]
    return found and {"object": clusters.name_of(cluster.dice.choice(found))}


PARAMETERS = {"maintenance": maintenance, "nodeFailure": outage, "zoneOutage": zone_outage,
              "partition": partition, "apply": apply, "scale": scale, "delete": delete}


def add_events(cluster):
    """Beside those that the couplings brought."""
    dice = cluster.dice
    for _ in range(dice.choice([0, 1, 1]) if cluster.events else dice.choice([1, 1, 2])):
        name = dice.choice(EVENTS)
        parameters = PARAMETERS[name](cluster)
        if parameters is None or parameters == []:
            continue
        event = {"name": name, **parameters}
        if cluster.chance(.2):
            event["after"] = "settled"
        cluster.events.append(event)


def about_one(cluster, thing):
    dice = cluster.dice
    named = {"workload": clusters.name_of(thing)}
    yield {"name": "converges", **named}
    yield {"name": "podsSchedulable", "mode": dice.choice(["always", "eventually"]), **named}
    yield {"name": "balanced", "topologyKey": clusters.HOST,
           "when": dice.choice(["settled", "always"]), **named}
    yield {"name": dice.choice(["neverOn", "onlyOn"]), "nodeSelector": {"pool": "a"}, **named}
    if thing["kind"] != "Job":
        yield {"name": "rolloutCompletes", **named}
        yield {"name": "replicasAtLeast", "value": dice.choice([1, "desired", "desired-1"]),
               **named}


def add_intents(cluster):
    """All that there are, or a few: what is asked decides what can be left out of the states."""
    dice = cluster.dice
    found = [{"name": name} for name in (
        "podsSchedulable", "converges", "noEvictionLoop", "noOscillation", "neverPreempted",
        "neverEvicted", "drainCompletes", "neverOnDrained", "noReplicaOscillation",
        "noReplicaSwing")]
    found += [{"name": "podsSchedulable", "mode": "eventually"},
              {"name": "replicasAtLeast", "value": 1},
              {"name": "replicasAtMost", "value": dice.choice([1, 2, "desired"])}]
    for thing in cluster.workloads:
        found += about_one(cluster, thing)
    cluster.intents += found if cluster.chance(.6) else dice.sample(found, dice.randint(1, 3))
