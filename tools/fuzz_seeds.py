# SPDX-License-Identifier: Apache-2.0
"""What is mutated, by kind, and the commands that read such a thing.

A seed is (path, content): the content is text, or bytes of a checkpoint. The path of a Check or manifest is
that of the tree, because a Check names other files by their way from it; of what is made here, only its name
counts.
"""

import glob
import gzip
import json
import os
import re

import fuzz_mutations

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZE_MOST = 20000
LINES_OF_A_FILE = 12
LIMITS = ["--timeout", "2s", "--memory", "400Mi"]
EXPLORE = LIMITS + ["--max-states", "3000"]
VIOLATED = ["examples/c07-nodename-vs-taint/broken.yaml", "examples/webhook-locks-cluster/check.yaml",
            "test/cases/autoscalers-fight/check.yaml", "test/cases/all-nodes-fail/check.yaml"]
DECIDERS = {"sched": "scheduler", "desched": "descheduler"}


def read_files():
    """Checks, objectives, controllers and manifests of the tree."""
    found = {"check": [], "objective": [], "manifest": [], "controller": []}
    names = {"Check": "check", "ServiceObjective": "objective", "ControllerCheck": "controller"}
    patterns = ["examples/**/*.yaml", "test/cases/**/*.yaml", "test/messages/**/*.yaml",
                "test/applications/*.yaml"]
    for path in sorted(path for pattern in patterns for path in glob.glob(os.path.join(ROOT, pattern), recursive=True)):
        if os.path.getsize(path) > SIZE_MOST:
            continue
        with open(path, encoding="utf-8", errors="replace") as stream:
            text = stream.read()
        kind = re.search(r"^kind: (Check|ServiceObjective|ControllerCheck)\s*$", text, re.MULTILINE)
        kind = names[kind.group(1)] if kind else "manifest"
        # Plugins are compiled first, and programs may do what they like.
        if kind != "controller" or not re.search(r"\b(plugin|program)\b", text):
            found[kind].append((path, text))
    return found


def read_lines():
    """Scenarios of `decide --batch` and `slo --batch`, with their controller as the name."""
    found = {"batch": [], "slo batch": []}
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "data", "conformance", "*.jsonl.gz"))):
        name = os.path.basename(path).split("-")[0]
        if name == "quota":
            continue
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            lines = [line.strip() for line, _ in zip(stream, range(400))]
        for line in [line for line in lines if len(line) < SIZE_MOST][::30][:LINES_OF_A_FILE]:
            line = json.loads(line)
            line.pop("expected", None)
            kind = "slo batch" if name == "slo" else "batch"
            found[kind].append((DECIDERS.get(name, name), json.dumps(line)))
    return found


def read_recordings():
    found = []
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "data", "runs*", "*", "run-1.jsonl.gz"))):
        if os.path.getsize(path) < 6000:
            with gzip.open(path, "rt", encoding="utf-8") as stream:
                found.append((path, stream.read()))
    return {"recording": found}


def make_reports(folder, ask):
    """Reports, checkpoints and records that the program itself writes. `ask` runs it."""
    found = {"report": [], "checkpoint": [], "records": []}
    for number, check in enumerate(path for path in VIOLATED if os.path.exists(os.path.join(ROOT, path))):
        report, saved = os.path.join(folder, f"seed-{number}.json"), os.path.join(folder, f"seed-{number}.saved")
        check = os.path.join(ROOT, check)
        ask(["verify", check, "--trial", "0", "--max-states", "20000", "-o", f"json={report}"])
        ask(["verify", check, "--trial", "0", "--max-states", "40", "--checkpoint", saved])
        for kind, path, mode in (("report", report, "r"), ("checkpoint", saved, "rb")):
            if os.path.exists(path):
                with open(path, mode) as stream:
                    found[kind].append((check, stream.read()))
    records = os.path.join(folder, "seed-records.json")
    ask(["trace", "import", "-f", os.path.join(ROOT, "test", "data", "runs", "r001"), "-o", f"json={records}"])
    for path in [records] + sorted(glob.glob(os.path.join(ROOT, "test", "trace", "**", "*.json"), recursive=True)):
        if os.path.exists(path) and os.path.getsize(path) < 100000:
            with open(path, encoding="utf-8") as stream:
                found["records"].append((path, stream.read()))
    return found


MUTATIONS = {
    "batch": fuzz_mutations.IN_JSON,
    "slo batch": fuzz_mutations.IN_JSON,
    "report": fuzz_mutations.IN_JSON,
    "records": fuzz_mutations.IN_JSON,
    "recording": fuzz_mutations.IN_LINES,
}


def mutate(draw, kind, content):
    if isinstance(content, bytes):
        return fuzz_mutations.mutate_bytes(draw, content)
    for _ in range(draw.choice([1, 1, 1, 2, 3])):
        content = draw.choice(MUTATIONS.get(kind, fuzz_mutations.IN_TEXT))(draw, content)
    return content


def commands(kind, source, path):
    """The commands that read such a file. A batch comes from standard input."""
    verify = ["verify", "--trial", "0", "--jobs", "1"] + EXPLORE
    simulate = ["simulate", "--steps", "30", "--seed", "1"] + LIMITS
    manifests = ["check-manifests", "-f", path] + LIMITS
    outputs = ["text", "json", "junit", "sarif", "svg", "html", "dot"]
    deciders = ["scheduler", "deployment", "hpa", "job", "cronjob", "statefulset", "daemonset", "pdb", "quota",
                "descheduler", "nodelifecycle", "kubelet", "limitrange", "replicaset"]
    traces = [["trace", "show", "-f", path] + LIMITS, ["trace", "import", "-f", path, "-o", "json"] + LIMITS,
              ["trace", "query", "roots", "-f", path] + LIMITS]
    return {
        "check": [verify + [path, "-o", output] for output in outputs] +
                 [verify + [path, "--heatmap"], verify + [path, "--time", "clocked"], simulate + [path], manifests],
        "manifest": [manifests, manifests + ["-o", "json"], verify + ["-f", path], verify + ["-f", path, "-o", "json"],
                     simulate + ["-f", path]] + traces[:2] +
                    [["decide", decider, "-f", path] + LIMITS for decider in deciders],
        "objective": [["slo", path] + EXPLORE, ["slo", path, "-o", "json"] + EXPLORE],
        "controller": [["controller", path] + EXPLORE, ["controller", path, "--merge", "-o", "json"] + EXPLORE],
        "report": [["explain", path] + LIMITS, ["replay", path] + LIMITS, ["replay", path, "-o", "json"] + LIMITS,
                   ["trace", "show", "-f", path] + LIMITS],
        "batch": [["decide", source, "--batch"] + LIMITS],
        "slo batch": [["slo", "--batch"] + EXPLORE],
        "records": traces + [["trace", "show", "-f", path, "-o", "html"] + LIMITS],
        "recording": [["replay", "--observed", os.path.dirname(path)] + LIMITS, ["replay", "--observed",
                      os.path.dirname(path), "-o", "json"] + LIMITS,
                      ["record", os.path.dirname(path), "--as-check", os.path.join(os.path.dirname(path), "made")]] +
                     traces[:2],
        "checkpoint": [verify + [source, "--resume", path], verify + [source, "--resume", path, "--checkpoint", path]],
    }[kind]
