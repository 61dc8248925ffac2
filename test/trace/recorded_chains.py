#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded runs of a real control plane, imported: is every pod traced back?

For every pod of a ReplicaSet of a Deployment the change graph must have the chain
Deployment -> ReplicaSet -> Pod -> binding: the ReplicaSet's creation goes back
to a write of the Deployment, the pod's creation to a write of the ReplicaSet,
its binding to a write of the pod.

    recorded_chains.py FATHOM RECORDED [--all]

Without --all, one run of each scenario from a few.
"""

import glob
import gzip
import json
import os
import re
import subprocess
import sys

SAMPLE = ("s01-deploy-plain", "s11-rollover", "s16-preempt", "s29-node-recovery",
          "s45-hpa-flap", "s51-delete-cascade", "r007")


def read_lines(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def runs(root, everything):
    for path in sorted(glob.glob(os.path.join(root, "*", "run-*.actions.jsonl*"))):
        folder = os.path.dirname(path)
        number = int(re.search(r"run-(\d+)", os.path.basename(path)).group(1))
        if everything or (os.path.basename(folder) in SAMPLE and number == 1):
            yield folder, number, path


class Graph:
    """Spans by what they did to which object, and whether one goes back to another."""

    def __init__(self, records):
        self.spans = {span["spanId"]: span for span in records["spans"]}
        self.by_deed = {}
        for span in records["spans"]:
            deed = span["name"].split(" ")[0]
            self.by_deed.setdefault((deed, span["object"]), []).append(span)

    def goes_back(self, deed, target, source):
        """Every such deed on the target has a cause that is a write of the source."""
        spans = self.by_deed.get((deed, target))
        return bool(spans) and all(
            any(self.spans[cause["span"]]["object"] == source
                for cause in span.get("attributes", {}).get("cpid.causes", ()))
            for span in spans)


def check_run(fathom, folder, number, actions):
    """(pods, what is missing)"""
    done = subprocess.run([fathom, "trace", "import", "-f", folder, "--run", str(number),
                           "-o", "json"], stdout=subprocess.PIPE, check=True)
    graph = Graph(json.loads(done.stdout))
    pods, missing = 0, []
    owners, bound = {}, set()
    watch = actions.replace(".actions", "")
    for line in read_lines(watch):
        if line.get("kind") in ("Pod", "ReplicaSet") and line.get("owner"):
            owners[line["kind"], line["name"]] = line["owner"]
    for line in read_lines(actions):
        if line.get("action") == "bind" and line.get("rv") is not None and "code" not in line:
            bound.add(line["object"].split("/")[1])
    for (kind, name), (owner_kind, owner) in sorted(owners.items()):
        above = owners.get(("ReplicaSet", owner))
        if kind != "Pod" or owner_kind != "ReplicaSet" or not above or above[0] != "Deployment":
            continue
        pods += 1
        pod, replica_set = f"Pod/default/{name}", f"ReplicaSet/default/{owner}"
        deployment = f"Deployment/default/{above[1]}"
        for deed, target, source in (("create", replica_set, deployment),
                                     ("create", pod, replica_set), ("bind", pod, pod)):
            if deed == "bind" and name not in bound:
                continue
            if not graph.goes_back(deed, target, source):
                missing.append(f"{folder} run {number}: {deed} {target} does not go back to {source}")
    return pods, missing


def main():
    fathom, root = sys.argv[1:3]
    passed = pods = 0
    missing = []
    for folder, number, actions in runs(root, "--all" in sys.argv):
        found, gaps = check_run(fathom, folder, number, actions)
        pods += found
        missing += gaps
        passed += not gaps
    print("\n".join(missing[:20]))
    failed = len({gap.split(":")[0] for gap in missing})
    if pods == 0:
        failed += 1
    print(f"{pods} pods of Deployments")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
