#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What verifying an application costs as it gets more services: 1 to 50 of them.

    bench/apps.py                         the quick tables, with build/fathom
    bench/apps.py --full                  every cell: hours
    bench/apps.py --fathom PROGRAM        with another build
    bench/apps.py --table services nodes  only these tables
    bench/apps.py --event drain rollout   only cells with these events
    bench/apps.py --seconds N             processor time of a cell (default 20)
    bench/apps.py --at-once N             cells at a time (default 1)
    bench/apps.py --write FILE            the tables into a page (docs/bench-apps.md)
    bench/apps.py --print SERVICES NODES REPLICAS EVENT FEATURE PERCENT
                                          the Check of a cell (and its new manifests)

An application is a number of Deployments whose pods ask for 500m of CPU, and each for another amount
of memory. What they have: `plain` nothing else, `budgets` a PodDisruptionBudget each, `alike` the
same, with the same memory, so that all look alike; `hpa` an autoscaler each; `soft` and `hard` a
spread constraint over zones, `anti` anti-affinity over nodes, each of a service to itself. Nodes are
in three zones and have room for so many pods that the application takes at most the given share
of it; a node holds whole pods, so the share may be smaller. Runs start from an empty cluster.

The tables: `services` has every event by the number of services, on 20 nodes; `large` every event
with 50 services on 100 nodes; `features` what the services have beside their pods, `utilisation` how
full the nodes are, `replicas` and `nodes` their numbers, each with 10 services.

Processor seconds, user and system, and the peak of the process's memory, so that a busy machine
makes no difference. A cell that takes longer than its time is interrupted, and undecided. The
exponent is that of the growth of processor time with the number of services: 1 is linear.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time

from pages import write_page

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ZONES = "abc"
REQUEST = 500  # thousandths of a core
SERVICES = [1, 2, 5, 10, 20, 50]
PERCENTS = [30, 60, 85]
FEATURES = ["plain", "budgets", "alike", "hpa", "soft", "hard", "anti"]
POLL_SECONDS = 0.05
GOAL_EXPONENT = 1.2
# Below this, most of the time is that of starting the program.
LEAST_SECONDS = 0.1

INTENTS = [
    {"name": "podsSchedulable"},
    {"name": "converges"},
    {"name": "noEvictionLoop"},
    {"name": "replicasAtLeast", "value": 1},
    {"name": "drainCompletes"},
]

Cell = collections.namedtuple("Cell", "services nodes replicas event feature percent")
Result = collections.namedtuple("Result", "verdict holds violated undecided states components seconds bytes")


# ---- the Checks ----


def apply_new(cell):
    return {"name": "apply", "manifests": ["new.json"]}


EVENTS = {
    "drain": lambda cell: [{"name": "maintenance"}],
    "drains": lambda cell: [{"name": "maintenance", "atMost": cell.nodes}],
    "failure": lambda cell: [{"name": "nodeFailure"}],
    "failure-recovers": lambda cell: [{"name": "nodeFailure", "recovers": True}],
    "zone": lambda cell: [{"name": "zoneOutage"}],
    "rollout-one": lambda cell: [apply_new(cell)],
    "rollout-all": lambda cell: [apply_new(cell)],
    "rollout-drain": lambda cell: [apply_new(cell), {"name": "maintenance"}],
    "hpa-steps": lambda cell: [
        {"name": "load", "workload": f"Deployment/default/{name_of(i)}", "initial": load(cell, 50), "total": [load(cell, 80)]}
        for i in range(cell.services)
    ],
}


def load(cell, percent):
    """Of all pods of a service, in percent of what they ask for."""
    return f"{cell.replicas * REQUEST * percent // 100}m"


def name_of(number):
    return f"svc-{number}"


def has_autoscalers(cell):
    return cell.feature == "hpa" or cell.event == "hpa-steps"


def most_replicas(cell):
    return cell.replicas + 1 if has_autoscalers(cell) else cell.replicas


def pods_of_node(cell):
    """A node has room for so many."""
    return math.ceil(cell.services * most_replicas(cell) * 100 / (cell.nodes * cell.percent))


def spread(name, when):
    return [
        {
            "maxSkew": 1,
            "topologyKey": "topology.kubernetes.io/zone",
            "whenUnsatisfiable": when,
            "labelSelector": {"matchLabels": {"app": name}},
        }
    ]


def pod_spec(cell, number, version):
    name = name_of(number)
    # Services that ask for the same are verified once; in most applications they do not.
    memory = 64 if cell.feature == "alike" else 64 + number
    container = {
        "name": "app",
        "image": f"example.org/{name}:{version}",
        "readinessProbe": {"httpGet": {"path": "/", "port": 80}},
        "resources": {"requests": {"cpu": f"{REQUEST}m", "memory": f"{memory}Mi"}},
    }
    spec = {"containers": [container]}
    if cell.feature == "soft":
        spec["topologySpreadConstraints"] = spread(name, "ScheduleAnyway")
    if cell.feature == "hard":
        spec["topologySpreadConstraints"] = spread(name, "DoNotSchedule")
    if cell.feature == "anti":
        term = {"labelSelector": {"matchLabels": {"app": name}}, "topologyKey": "kubernetes.io/hostname"}
        spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    return spec


def deployment(cell, number, version):
    name = name_of(number)
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "replicas": cell.replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": pod_spec(cell, number, version)},
        },
    }


def budget(name):
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": name}}},
    }


def autoscaler(cell, name):
    target = {"type": "Utilization", "averageUtilization": 60}
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
            "minReplicas": cell.replicas,
            "maxReplicas": most_replicas(cell),
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
        },
    }


def node_groups(cell):
    allocatable = {"cpu": f"{pods_of_node(cell) * REQUEST}m", "memory": "64Gi", "pods": "110"}
    for i, zone in enumerate(ZONES):
        count = cell.nodes // len(ZONES) + (i < cell.nodes % len(ZONES))
        labels = {"topology.kubernetes.io/zone": zone}
        node = {"metadata": {"labels": labels}, "status": {"allocatable": allocatable}}
        yield {"name": f"zone-{zone}", "count": count, "node": node}


def documents(cell):
    spec = {
        "start": "empty",
        "scale": {"mode": "exact"},
        "nodeGroups": list(node_groups(cell)),
        "events": EVENTS[cell.event](cell),
        "intents": INTENTS,
    }
    yield {"apiVersion": "fathom/v1", "kind": "Check", "metadata": {"name": "application"}, "spec": spec}
    for i in range(cell.services):
        yield deployment(cell, i, 1)
        if cell.feature in ("budgets", "alike"):
            yield budget(name_of(i))
        if has_autoscalers(cell):
            yield autoscaler(cell, name_of(i))


def new_documents(cell):
    """What a rollout brings."""
    return [deployment(cell, i, 2) for i in range(1 if cell.event == "rollout-one" else cell.services)]


def as_list(items):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}, indent=1)


# ---- one cell ----


def processor_seconds(pid):
    """Of a process that runs."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stream:
        fields = stream.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(process, seconds):
    """Its use of resources; it is interrupted when it has used its time, and killed if it does not heed that."""
    interrupted = False
    while True:
        pid, _, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            return usage
        used = processor_seconds(process.pid)
        if used > 2 * seconds:
            process.kill()
        elif used > seconds and not interrupted:
            interrupted = True
            process.send_signal(signal.SIGINT)
        time.sleep(POLL_SECONDS)


def verify_files(fathom, files, seconds, what):
    """Verifies check.json, which is one of the files (texts by name)."""
    command = [fathom, "verify", "check.json", "--jobs", "1", "--output", "json=report.json", "--quiet"]
    with tempfile.TemporaryDirectory(prefix="fathom-apps-") as folder:
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                stream.write(text)
        with open(os.path.join(folder, "errors"), "w+", encoding="utf-8") as errors:
            # pylint: disable-next=consider-using-with
            process = subprocess.Popen(command, cwd=folder, stdout=errors, stderr=errors)
            usage = wait_for(process, seconds)
            process.returncode = 0
            errors.seek(0)
            said = errors.read()
        try:
            with open(os.path.join(folder, "report.json"), encoding="utf-8") as stream:
                report = json.load(stream)
        except (OSError, json.JSONDecodeError):
            if usage.ru_utime + usage.ru_stime < seconds:
                sys.exit(f"{what}: {said}")
            report = {"verdict": "undecided", "intents": [], "explored": {"states": 0}}
    return result_of(report, usage)


def verify(fathom, cell, seconds):
    files = {"check.json": as_list(documents(cell)), "new.json": as_list(new_documents(cell))}
    return verify_files(fathom, files, seconds, f"apps: {cell}")


def result_of(report, usage):
    count = collections.Counter(intent["verdict"] for intent in report["intents"])
    return Result(
        verdict=report["verdict"],
        holds=count["holds"],
        violated=count["violated"],
        undecided=count["undecided"] if report["intents"] else len(INTENTS),
        states=report["explored"]["states"],
        components=report["explored"].get("components", 0),
        seconds=usage.ru_utime + usage.ru_stime,
        bytes=usage.ru_maxrss * 1024,
    )


# ---- the tables ----


def services_cells(full):
    for event in EVENTS:
        for feature in FEATURES if full else ["budgets"]:
            for percent in PERCENTS if full else [60]:
                for services in SERVICES:
                    yield Cell(services, 20, 3, event, feature, percent)


def large_cells(full):
    for event in EVENTS:
        for feature in FEATURES if full else ["budgets"]:
            for percent in PERCENTS if full else [60]:
                yield Cell(50, 100, 3, event, feature, percent)


def features_cells(full):
    for event in EVENTS if full else ["drain", "failure", "rollout-all"]:
        for feature in FEATURES:
            yield Cell(10, 20, 3, event, feature, 60)


def utilisation_cells(full):
    for event in EVENTS if full else ["drain", "failure", "zone", "rollout-all"]:
        for percent in PERCENTS:
            yield Cell(10, 20, 3, event, "budgets", percent)


def replicas_cells(full):
    for event in EVENTS if full else ["drain", "failure"]:
        for replicas in [2, 3, 5, 10]:
            yield Cell(10, 20, replicas, event, "budgets", 60)


def nodes_cells(full):
    for event in EVENTS if full else ["drain", "failure"]:
        for nodes in [3, 10, 30, 100]:
            yield Cell(10, nodes, 3, event, "budgets", 60)


TABLES = {
    "services": services_cells,
    "large": large_cells,
    "features": features_cells,
    "utilisation": utilisation_cells,
    "replicas": replicas_cells,
    "nodes": nodes_cells,
}
COLUMNS = [
    "event", "services", "nodes", "replicas", "with", "full", "verdict",
    "hold", "violated", "undecided", "states", "CPU s", "MiB", "exponent",
]


def exponent(cell, now, last, before):
    """Of the growth since the row before, if that differs in services alone, and both are decided."""
    if not last or now.undecided or before.undecided or before.seconds < LEAST_SECONDS:
        return None
    if cell.services <= last.services or cell[1:] != last[1:]:
        return None
    return math.log(now.seconds / before.seconds) / math.log(cell.services / last.services)


def row(cell, now, growth):
    full = round(100 * cell.services * most_replicas(cell) / (cell.nodes * pods_of_node(cell)))
    return [
        cell.event, str(cell.services), str(cell.nodes), str(cell.replicas), cell.feature, f"{full} %",
        now.verdict, str(now.holds), str(now.violated), str(now.undecided), f"{now.states:,}",
        f"{now.seconds:.2f}", f"{now.bytes / (1 << 20):.0f}", "-" if growth is None else f"{growth:.2f}",
    ]


def table(name, cells, results):
    """The rows of a table, printed as they come; and what it comes to."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    print(f"\n{name}: " + ", ".join(COLUMNS), flush=True)
    last, before, decided, worst = None, None, 0, 0
    for cell, now in zip(cells, results):
        growth = exponent(cell, now, last, before)
        worst = max(worst, growth or 0)
        decided += now.undecided == 0
        cells_of_row = row(cell, now, growth)
        print("  ".join(f"{text:>9}" for text in cells_of_row), flush=True)
        lines.append("| " + " | ".join(cells_of_row) + " |")
        last, before = cell, now
    said = f"{decided} of {len(cells)} cells are decided."
    if worst:
        said += f" The greatest exponent is {worst:.2f} (goal: {GOAL_EXPONENT})."
    print(said, flush=True)
    return [*lines, "", said], decided == len(cells) and worst <= GOAL_EXPONENT


def print_cell(words):
    services, nodes, replicas, event, feature, percent = words
    cell = Cell(int(services), int(nodes), int(replicas), event, feature, int(percent))
    print(as_list(documents(cell)))
    if "rollout" in event:
        print("--- new.json")
        print(as_list(new_documents(cell)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--table", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--event", nargs="+", choices=EVENTS, default=list(EVENTS))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--write")
    parser.add_argument("--print", nargs=6, metavar="WORD")
    options = parser.parse_args()
    if options.print:
        print_cell(options.print)
        return
    fathom = os.path.abspath(options.fathom)
    tables, missed = {}, []
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for name in options.table:
            cells = [cell for cell in TABLES[name](options.full) if cell.event in options.event]
            results = pool.map(lambda cell: verify(fathom, cell, options.seconds), cells)
            tables[name], reached = table(name, cells, results)
            if not reached:
                missed.append(name)
    if options.write:
        write_page(options.write, tables)
    if missed:
        sys.exit(f"apps: cells that are undecided, or an exponent above {GOAL_EXPONENT}: {', '.join(missed)}")


if __name__ == "__main__":
    main()
