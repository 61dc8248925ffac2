#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded runs as Checks: what a real run violated is never said to hold.

    converted.py FATHOM [FOLDER] [--each N] [--only TEXT] [--states N] [--seconds N] [--list]

Every N-th run of the recordings in FOLDER (test/data/runs) is converted by `fathom record
--as-check`. Which intents the recorded run itself violated is read off its lines here, by
rules of their own. `fathom verify` must not say that one of those holds, if the Check says
that nothing was left out; with limits, `undecided` is as good as `violated`. Prints a table."""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "follow_runs"))
from run_files import Run, active, numbers_of, objects_of, pods_of  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKLOADS = ("Deployment", "StatefulSet", "ReplicaSet")


class Life:
    """The objects of a run, version by version."""

    def __init__(self, run):
        self.run = run
        self.sets = {v["name"]: v.get("owner") for v in run.versions
                     if v.get("kind") == "ReplicaSet"}

    def workload(self, pod):
        owner = pod.get("owner")
        if owner and owner[0] == "ReplicaSet":
            owner = self.sets.get(owner[1]) or owner
        return f"{owner[0]}/{owner[1]}" if owner else None

    def states(self):
        """The pods by name after each commit that changes one."""
        pods = {}
        for version in self.run.versions:
            if version.get("kind") != "Pod":
                continue
            if version["type"] == "DELETED":
                pods.pop(version["name"], None)
            else:
                pods[version["name"]] = version
            yield pods

    def ready(self, pods, workload):
        return sum(1 for p in pods.values() if p.get("ready") and not p.get("deleting") and
                   self.workload(p) == workload)


def falls_below(life, workload, value):
    armed = False
    for pods in life.states():
        enough = life.ready(pods, workload) >= value
        if armed and not enough:
            return True
        armed = armed or enough
    return False


def is_up_to_date(pod, workload):
    """Pods of a StatefulSet below its partition keep their template."""
    partition = ((workload.get("strategy") or {}).get("rollingUpdate") or {}).get("partition", 0)
    return pod.get("image") == workload.get("image") or \
        (partition > 0 and int(pod["name"].rsplit("-", 1)[1]) < partition)


def unconverged(life):
    """Workloads that are not what their spec wants at the end of a run that settled."""
    if not life.run.settled:
        return []
    state = life.run.state()
    found = []
    for kind in WORKLOADS:
        for version in objects_of(state, kind):
            if version.get("owner"):
                continue
            name = f"{kind}/{version['name']}"
            pods = [p for p in pods_of(state) if life.workload(p) == name and active(p)]
            good = [p for p in pods if p.get("ready") and is_up_to_date(p, version)]
            if len(good) != version.get("replicas", 1) or len(pods) != len(good):
                found.append(name)
    return found


def drain_stuck(life):
    """A cordoned node that somebody tried to drain in vain until the end."""
    state = life.run.state()
    cordoned = {n["name"] for n in objects_of(state, "Node") if n.get("unschedulable")}
    refused = {d["object"].split("/", 1)[1] for d in life.run.deeds
               if d.get("action") == "evict" and d.get("code") == 429}
    return any(p["name"] in refused and p.get("nodeName") in cordoned and active(p)
               for p in pods_of(state))


def evicts(run):
    return any(d.get("actor") in ("descheduler", "node-lifecycle") and
               d.get("action") in ("evict", "delete") for d in run.deeds)


def violated_by(run, intents, goes_round):
    """The labels of the intents that the recorded run violated."""
    life = Life(run)
    bad = unconverged(life)
    found = []
    for intent in intents:
        name = intent["name"]
        workload = intent.get("workload", "").replace("/default/", "/")
        if (name == "podsSchedulable" and
                any(v.get("schedReason") == "Unschedulable" and not v.get("nodeName")
                    for v in run.versions)) or \
                (name == "replicasAtLeast" and
                 falls_below(life, workload, int(intent["value"]))) or \
                (name in ("converges", "noOscillation") and goes_round) or \
                (name == "noEvictionLoop" and goes_round and evicts(run)) or \
                (name in ("converges", "rolloutCompletes") and bad) or \
                (name == "drainCompletes" and run.settled and drain_stuck(life)):
            found.append(intent)
    return found


def read_intents(check):
    found = []
    for line in check.split("\nkind: Node")[0].splitlines():
        match = re.match(r"  - \{(name: (?:podsSch|no[A-Z]|conv|roll|drain|replicas).*?)\}", line)
        if match:
            found.append(dict(part.split(": ", 1) for part in match.group(1).split(", ")))
    return found


def verdict_of(report, intent):
    """By name and workload."""
    for item in report["intents"]:
        if item["name"] == intent["name"] and intent.get("workload", "") in item["label"] and \
                (intent["name"] != "replicasAtLeast" or "workload" in intent):
            return item["verdict"]
    return "missing"


class Campaign:
    def __init__(self, options):
        self.options = options
        self.known = {}
        self.table = collections.defaultdict(collections.Counter)
        self.wrong = []
        self.looser = []

    def rounds(self, folder):
        done = subprocess.run([self.options.fathom, "replay", "--observed", str(folder),
                               "-o", "json", "--quiet"],
                              capture_output=True, text=True, check=False)
        return {run["run"]: run["end"] == "goes round" for run in json.loads(done.stdout)["runs"]}

    def verify(self, check, path):
        """Runs that led to the same Check have the same verdicts."""
        key = re.sub(r"#.*|name: .*-run-\d+|  name: s?r?\S+-run-\d+", "", check)
        if key not in self.known:
            done = subprocess.run(
                [self.options.fathom, "verify", str(path), "-o", "json", "--quiet",
                 "--max-states", str(self.options.states), "--timeout",
                 f"{self.options.seconds}s", *self.options.flag],
                capture_output=True, text=True, check=False)
            self.known[key] = json.loads(done.stdout) if done.stdout.startswith("{") else None
            if self.known[key] is None:
                print(f"{path}: {done.stderr[:300]}", file=sys.stderr)
        return self.known[key]

    def judge(self, folder, number, goes_round):
        run = Run(folder, number)
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([self.options.fathom, "record", str(folder), "--as-check", out,
                                   "--run", str(number)],
                                  capture_output=True, text=True, check=False)
            whole = "leaves out" not in done.stderr
            group = self.table["whole" if whole else "in part"]
            group["runs"] += 1
            if done.returncode != 0:
                group["refused"] += 1
                if self.options.list:
                    print(f"{run.name}: {done.stderr.strip()[:400]}")
                return
            path = pathlib.Path(out) / "check.yaml"
            check = path.read_text(encoding="utf-8")
            intents = violated_by(run, read_intents(check), goes_round)
            report = self.verify(check, path) if intents else None
        for intent in intents:
            verdict = verdict_of(report, intent) if report else "refused"
            group["intents"] += 1
            group[verdict] += 1
            if verdict not in ("violated", "undecided"):
                words = f"{run.name}: {intent}: {verdict}"
                (self.wrong if whole else self.looser).append(words)

    def print(self):
        columns = ("runs", "refused", "intents", "violated", "undecided", "holds")
        print(f"{'converted':10}" + "".join(f"{c:>11}" for c in columns))
        for name in ("whole", "in part"):
            print(f"{name:10}" + "".join(f"{self.table[name][c]:>11}" for c in columns))
        if self.options.list:
            for words in self.looser:
                print(f"left out, and so: {words}")
        for words in self.wrong:
            print(f"WRONG: {words}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom", type=os.path.abspath)
    parser.add_argument("folder", nargs="?", default=ROOT / "test" / "data" / "runs",
                        type=pathlib.Path)
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--states", type=int, default=100000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--flag", action="append", default=[], help="a further flag of verify")
    parser.add_argument("--list", action="store_true", help="say more of single runs")
    options = parser.parse_args()
    campaign = Campaign(options)
    count = 0
    for folder in sorted(options.folder.iterdir()):
        numbers = numbers_of(folder) if folder.is_dir() and options.only in folder.name else []
        chosen = [n for i, n in enumerate(numbers) if (count + i) % options.each == 0]
        count += len(numbers)
        rounds = campaign.rounds(folder) if chosen else {}
        for number in chosen:
            campaign.judge(folder, number, rounds[number])
    campaign.print()
    sys.exit(1 if campaign.wrong else 0)


if __name__ == "__main__":
    main()
