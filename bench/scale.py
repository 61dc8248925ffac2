#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What verifying one topology costs as it grows: 10, 100, 1,000 and 5,000 nodes.

    bench/scale.py                        both series, with build/fathom
    bench/scale.py --fathom PROGRAM       with another build
    bench/scale.py --sizes 10 100         fewer sizes
    bench/scale.py --runs N               the least of N runs each (default 1)
    bench/scale.py --write FILE           the tables into a page (docs/bench-scale.md)
    bench/scale.py --print one|many NODES the Check itself

Nodes in three zones, 30 pods a node, spread over zones and hosts, an autoscaler
for each Deployment, and then any one node fails for good.

  one    one Deployment, from an empty cluster: every tie of every placement
  many   twenty Deployments, from one settled placement of many (start: canonical):
         every outcome from there on

Processor seconds, user and system, and the peak of the process's memory. The
exponent is that of the growth from the size before: 1 is linear.
"""
import argparse
import json
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = [10, 100, 1000, 5000]
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


def check(series, nodes):
    counts = [nodes // len(ZONES) + (i < nodes % len(ZONES)) for i in range(len(ZONES))]
    groups = "".join(GROUP.format(zone=zone, count=count) for zone, count in zip(ZONES, counts))
    start = "empty" if series == "one" else "canonical"
    text = HEAD.format(name=series, nodes=nodes, start=start, groups=groups)
    for i, replicas in enumerate(sizes_of(series, nodes * PODS_PER_NODE)):
        text += WORKLOAD.format(name=f"web-{i + 1}", replicas=replicas, most=2 * replicas)
    return text


def verify(fathom, text):
    """Seconds, peak bytes and the report of one verification."""
    command = [fathom, "verify", "-f", "-", "--jobs", "1", "--output", "json", "--max-states", str(STATES_MOST)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(text)
        process.stdin.close()
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        sys.exit(f"scale: exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, json.loads(output)


def measure(fathom, series, nodes, runs):
    text = check(series, nodes)
    seconds, peak, report = verify(fathom, text)
    for _ in range(runs - 1):
        again, bytes_again, _ = verify(fathom, text)
        seconds, peak = min(seconds, again), min(peak, bytes_again)
    explored = report["explored"]
    return {
        "nodes": nodes,
        "pods": nodes * PODS_PER_NODE,
        "verdict": report["verdict"],
        "states": explored["states"],
        "transitions": explored["transitions"],
        "seconds": seconds,
        "bytes": peak,
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
    ]


def table(fathom, series, sizes, runs):
    """The rows of a series, printed as they come; and whether the goal is reached."""
    print(f"\n{series}: " + ", ".join(COLUMNS), flush=True)
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    before = None
    for nodes in sizes:
        now = measure(fathom, series, nodes, runs)
        cells = row(now, before)
        print("  ".join(f"{cell:>11}" for cell in cells), flush=True)
        lines.append("| " + " | ".join(cells) + " |")
        before = now
    reached = before["verdict"] != "undecided" and before["seconds"] < GOAL_SECONDS and before["bytes"] < GOAL_BYTES
    return lines, reached


def write_page(path, tables):
    """Replaces what stands between the markers of a series."""
    with open(path, encoding="utf-8") as stream:
        page = stream.read()
    for series, lines in tables.items():
        begin, end = f"<!-- {series} -->\n", f"<!-- end of {series} -->\n"
        before, rest = page.split(begin)
        page = before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1]
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--write")
    parser.add_argument("--print", nargs=2, metavar=("SERIES", "NODES"))
    options = parser.parse_args()
    if options.print:
        print(check(options.print[0], int(options.print[1])), end="")
        return
    tables, missed = {}, []
    for series in ("one", "many"):
        tables[series], reached = table(options.fathom, series, options.sizes, options.runs)
        if not reached:
            missed.append(series)
    if options.write:
        write_page(options.write, tables)
    if missed:
        sys.exit(f"scale: not within {GOAL_SECONDS} s and 2 GiB at {options.sizes[-1]} nodes: {', '.join(missed)}")


if __name__ == "__main__":
    main()
