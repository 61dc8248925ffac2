#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What verifying one topology costs as it grows: 10, 100, 1,000 and 5,000 nodes.

    bench/scale.py                        all series, with build/fathom
    bench/scale.py --fathom PROGRAM       with another build
    bench/scale.py --reference PROGRAM    beside an older build, as a ratio; the two take turns
    bench/scale.py --sizes 10 100         fewer sizes
    bench/scale.py --runs N               the least of N runs each (default 1)
    bench/scale.py --write FILE           the tables into a page (docs/bench-scale.md)
    bench/scale.py --series many given    fewer series
    bench/scale.py --print one|many|given NODES
                                          the Check itself; of a given placement the dump

Nodes in three zones, 30 pods a node, spread over zones and hosts, an autoscaler
for each Deployment, and then any one node fails for good.

  one    one Deployment, from an empty cluster: every tie of every placement
  many   twenty Deployments, from one settled placement of many (start: canonical):
         every outcome from there on
  given  the same twenty, from a dump: each Deployment evenly over the nodes with the
         fewest pods, by chance where these are equal, so that hardly two nodes are alike

Processor seconds, user and system, and the peak of the process's memory. The
exponent is that of the growth from the size before: 1 is linear. The ratio is the
seconds of the reference over those of the build: more than 1 is faster.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from pages import write_page
from programs import without_trial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = [10, 100, 1000, 5000]
SERIES = ["one", "many", "given"]
PODS_PER_NODE = 30
ZONES = "abc"
GOAL_SECONDS = 60
GOAL_BYTES = 2 << 30
STATES_MOST = 1000000
COLUMNS = ["nodes", "pods", "verdict", "states", "transitions", "CPU s", "MiB", "exponents: states", "CPU", "memory"]

HEAD = """apiVersion: fathom/v1
kind: Check
metadata: {{name: scale-{name}-{nodes}}}
spec:
  scale: {{mode: exact}}
  start: {start}
  nodeGroups:
{groups}  events:
  - {{name: nodeFailure, after: settled}}
  intents:
  - {{name: podsSchedulable}}
  - {{name: converges}}
  - {{name: noEvictionLoop}}
  - {{name: noReplicaOscillation}}
"""
GROUP = (
    "  - {{name: zone-{zone}, count: {count}, node: {{metadata: {{labels: {{topology.kubernetes.io/zone: {zone}}}}}, "
    'status: {{allocatable: {{cpu: "4", memory: 16Gi, pods: "110"}}}}}}}}\n'
)
WORKLOAD = """---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: ScheduleAnyway
        labelSelector: {{matchLabels: {{app: {name}}}}}
      - maxSkew: 1
        topologyKey: kubernetes.io/hostname
        whenUnsatisfiable: ScheduleAnyway
        labelSelector: {{matchLabels: {{app: {name}}}}}
      containers:
      - {{name: app, image: app, resources: {{requests: {{cpu: 100m, memory: 128Mi}}}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}
  minReplicas: {replicas}
  maxReplicas: {most}
  metrics:
  - {{type: Resource, resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 100}}}}}}
"""


def sizes_of(series, pods):
    """Replicas: all of one Deployment, or of twenty that are 1, 2, ... 20 parts of the whole."""
    if series == "one":
        return [pods]
    parts = [pods * 2 * (i + 1) // (20 * 21) for i in range(20)]
    parts[-1] += pods - sum(parts)
    return parts


def pod_spec(name):
    """As in WORKLOAD."""
    return {
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": key,
                "whenUnsatisfiable": "ScheduleAnyway",
                "labelSelector": {"matchLabels": {"app": name}},
            }
            for key in ("topology.kubernetes.io/zone", "kubernetes.io/hostname")
        ],
        "containers": [
            {"name": "app", "image": "app", "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}}}
        ],
    }


def owned_by(kind, name, uid):
    return [{"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": uid, "controller": True}]


def workload_objects(name, replicas):
    """A Deployment that has been there for a while, and its ReplicaSet."""
    labels = {"app": name, "pod-template-hash": "1"}
    meta = {"namespace": "default", "annotations": {"deployment.kubernetes.io/revision": "1"}}
    template = {"metadata": {"labels": {"app": name}}, "spec": pod_spec(name)}
    yield {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": dict(meta, name=name, uid=name),
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template},
    }
    yield {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": dict(
            meta, name=f"{name}-1", uid=f"{name}-1", labels=labels, ownerReferences=owned_by("Deployment", name, name)
        ),
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod_spec(name)},
        },
    }
    yield {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
            "minReplicas": replicas,
            "maxReplicas": 2 * replicas,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 100}},
                }
            ],
        },
    }


def dump(nodes):
    """The objects of a cluster in which the twenty are at rest."""
    dice = random.Random(nodes)
    items, load = [], [0] * nodes
    for n in range(nodes):
        labels = {"kubernetes.io/hostname": f"n-{n}", "topology.kubernetes.io/zone": ZONES[n % len(ZONES)]}
        room = {"cpu": "4", "memory": "16Gi", "pods": "110"}
        status = {"allocatable": room, "capacity": room, "conditions": [{"type": "Ready", "status": "True"}]}
        meta = {"name": f"n-{n}", "labels": labels}
        items.append({"apiVersion": "v1", "kind": "Node", "metadata": meta, "status": status})
    for i, replicas in enumerate(sizes_of("given", nodes * PODS_PER_NODE)):
        name = f"web-{i + 1}"
        items.extend(workload_objects(name, replicas))
        places = sorted(range(nodes), key=lambda n: (load[n], dice.random()))
        for p in range(replicas):
            node = places[p % nodes]
            load[node] += 1
            meta = {
                "name": f"{name}-1-{p}",
                "namespace": "default",
                "labels": {"app": name, "pod-template-hash": "1"},
                "ownerReferences": owned_by("ReplicaSet", f"{name}-1", f"{name}-1"),
            }
            status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
            spec = dict(pod_spec(name), nodeName=f"n-{node}")
            items.append({"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": status})
    return {"apiVersion": "v1", "kind": "List", "items": items}


def check(series, nodes):
    if series == "given":
        return HEAD.format(name=series, nodes=nodes, start="observed", groups="").replace("  nodeGroups:\n", "")
    counts = [nodes // len(ZONES) + (i < nodes % len(ZONES)) for i in range(len(ZONES))]
    groups = "".join(GROUP.format(zone=zone, count=count) for zone, count in zip(ZONES, counts))
    start = "empty" if series == "one" else "canonical"
    text = HEAD.format(name=series, nodes=nodes, start=start, groups=groups)
    for i, replicas in enumerate(sizes_of(series, nodes * PODS_PER_NODE)):
        text += WORKLOAD.format(name=f"web-{i + 1}", replicas=replicas, most=2 * replicas)
    return text


def verify(fathom, text, files):
    """Seconds, peak bytes and the report of one verification."""
    command = [fathom, "verify", "-f", "-", "--jobs", "1", "--output", "json", "--max-states", str(STATES_MOST)]
    command += [f"--filename={name}" for name in files] + without_trial(fathom)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(text)
        process.stdin.close()
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        sys.exit(f"scale: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, json.loads(output)


def measure(fathom, series, nodes, runs, reference):
    """The least of the runs; with a reference, its seconds, too."""
    text, files = check(series, nodes), []
    reference_seconds = None
    with tempfile.TemporaryDirectory(prefix="fathom-scale-") as folder:
        if series == "given":
            files.append(os.path.join(folder, "dump.json"))
            with open(files[0], "w", encoding="utf-8") as stream:
                json.dump(dump(nodes), stream)
        seconds, peak = math.inf, math.inf
        for _ in range(runs):
            again, bytes_again, report = verify(fathom, text, files)
            seconds, peak = min(seconds, again), min(peak, bytes_again)
            if reference:
                again, _, other = verify(reference, text, files)
                reference_seconds = min(reference_seconds or math.inf, again)
                if other["explored"]["states"] != report["explored"]["states"]:
                    sys.exit(f"scale: {series} {nodes}: the reference has another number of states")
    explored = report["explored"]
    return {
        "nodes": nodes,
        "pods": nodes * PODS_PER_NODE,
        "verdict": report["verdict"],
        "states": explored["states"],
        "transitions": explored["transitions"],
        "seconds": seconds,
        "bytes": peak,
        "reference": reference_seconds,
    }


def exponent(now, before, key):
    """Of the growth with the number of nodes; nothing is said of what was not explored to its end."""
    if not before or "undecided" in (now["verdict"], before["verdict"]):
        return "-"
    return f"{math.log(now[key] / before[key]) / math.log(now['nodes'] / before['nodes']):.2f}"


def row(now, before):
    return [
        f"{now['nodes']:,}",
        f"{now['pods']:,}",
        now["verdict"],
        f"{now['states']:,}",
        f"{now['transitions']:,}",
        f"{now['seconds']:.2f}",
        f"{now['bytes'] / (1 << 20):.0f}",
        exponent(now, before, "states"),
        exponent(now, before, "seconds"),
        exponent(now, before, "bytes"),
    ] + ([f"{now['reference'] / now['seconds']:.2f}"] if now["reference"] else [])


def table(fathom, series, sizes, runs, reference):
    """The rows of a series, printed as they come; and whether the goal is reached."""
    columns = COLUMNS + (["ratio"] if reference else [])
    print(f"\n{series}: " + ", ".join(columns), flush=True)
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    before = None
    for nodes in sizes:
        now = measure(fathom, series, nodes, runs, reference)
        cells = row(now, before)
        print("  ".join(f"{cell:>11}" for cell in cells), flush=True)
        lines.append("| " + " | ".join(cells) + " |")
        before = now
    reached = before["verdict"] != "undecided" and before["seconds"] < GOAL_SECONDS and before["bytes"] < GOAL_BYTES
    return lines, reached


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--reference")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--series", nargs="+", choices=SERIES, default=SERIES)
    parser.add_argument("--write")
    parser.add_argument("--print", nargs=2, metavar=("SERIES", "NODES"))
    options = parser.parse_args()
    if options.print:
        series, nodes = options.print[0], int(options.print[1])
        print(json.dumps(dump(nodes)) if series == "given" else check(series, nodes), end="")
        return
    tables, missed = {}, []
    for series in options.series:
        tables[series], reached = table(
            options.fathom, series, options.sizes, options.runs, options.reference
        )
        if not reached:
            missed.append(series)
    if options.write:
        write_page(options.write, tables)
    if missed:
        sys.exit(f"scale: not within {GOAL_SECONDS} s and 2 GiB at {options.sizes[-1]} nodes: {', '.join(missed)}")


if __name__ == "__main__":
    main()
