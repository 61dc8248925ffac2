#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The twenty examples of docs/expressions.md are verified, each in a small cluster with what it
names: an autoscaler, a budget, drains and failures, a rollout.

    examples.py FATHOM ROOT

Each of them is read, decided, and fails in no state; some hold and some are violated.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROW = re.compile(r"^\| (?P<what>[^|]+) \| `(?P<form>(?:[^`\\]|\\.)+)` \|$", re.M)
NAMED = re.compile(r"workloads\['(\w+)/(\w+)'\]")
LIMITS = ("--max-states", "60000", "--trial", "0", "--jobs", "1")


def workload(kind, name, image):
    labels = {"app": name, "tier": "batch"}
    container = {"name": "c", "image": image, "resources": {"requests": {"cpu": "500m"}}}
    spec = {"replicas": 2, "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}}}
    return {"apiVersion": "apps/v1", "kind": kind,
            "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def around(form, kind, name):
    """What the example asks for beside workloads."""
    meta = {"name": name, "namespace": "default"}
    if "autoscalers" in form:
        target = {"apiVersion": "apps/v1", "kind": kind, "name": name}
        cpu = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}
        yield {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": meta,
               "spec": {"scaleTargetRef": target, "minReplicas": 1, "maxReplicas": 3,
                        "metrics": [{"type": "Resource", "resource": cpu}]}}
    if "budgets" in form:
        yield {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": meta,
               "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {"app": name}}}}


def check(form, changed):
    """A Check with the example: two zones with little happening, as it needs it."""
    events = [{"name": "maintenance", "atMost": 1}]
    if changed:
        events = [{"name": "apply", "manifests": [changed], "atMost": 1}]
    elif "n.ready" in form or "until" in form:
        events = [{"name": "nodeFailure", "recovers": True, "atMost": 1}]
    groups = [{"name": zone, "count": 1, "node": {
        "metadata": {"labels": {"topology.kubernetes.io/zone": zone}},
        "status": {"allocatable": {"cpu": "4", "memory": "4Gi", "pods": "20"}}}}
              for zone in ("a", "b")]
    return ("apiVersion: fathom/v1\nkind: Check\nmetadata: {name: example}\nspec:\n"
            f"  manifests: [app.json]\n  start: settled\n  nodeGroups: {json.dumps(groups)}\n"
            f"  events: {json.dumps(events)}\n  intents:\n  - name: example\n    {form}\n")


def verify(fathom, folder, form):
    """What became of the example; raises if it is refused."""
    named = sorted(set(NAMED.findall(form))) or [("Deployment", "web")]
    rolls_out = "revision" in form or "updating" in form
    things = [workload(kind, name, f"{name}:1") for kind, name in named]
    things += around(form, *named[0])
    (folder / "app.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List",
                                                 "items": things}))
    kind, name = named[0]
    (folder / "new.json").write_text(json.dumps(workload(kind, name, f"{name}:2")))
    (folder / "check.yaml").write_text(check(form, "new.json" if rolls_out else None))
    done = subprocess.run([fathom, "verify", "check.yaml", "-o", "json", "--quiet", *LIMITS],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise ValueError(done.stderr.strip() or f"exit code {done.returncode}")
    return json.loads(done.stdout)["intents"][0]


def fault(found):
    """What is wrong with a verdict; None: nothing."""
    if found["verdict"] not in ("holds", "violated"):
        return found["verdict"]
    fails = [part for part in found.get("values", []) if part["part"] == "it fails"]
    return f"it fails: {fails[0]['value']}" if fails else None


def main():
    fathom, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    page = (root / "docs/expressions.md").read_text(encoding="utf-8")
    page = page.split("## Twenty examples")[1].split("\n## ")[0]
    rows = ROW.findall(page)
    failed = [] if len(rows) == 20 else [f"there are {len(rows)} examples"]
    verdicts = collections.Counter()
    for what, form in rows:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = verify(str(fathom), pathlib.Path(folder), form.replace("\\|", "|"))
                wrong = fault(found)
                verdicts[found["verdict"]] += 1
            except ValueError as error:
                wrong = str(error)
        if wrong:
            failed.append(f"{what}: {wrong}")
    if not verdicts["holds"] or not verdicts["violated"]:
        failed.append("the examples show nothing")
    print("\n".join(failed))
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    print(f"{len(rows) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
