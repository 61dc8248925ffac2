#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The causes in counterexamples: what is expected of some, and whether they are true of all.

causes.expected has a line for a counterexample: the file, the causes of the
violation, then those of every step.

Every counterexample is replayed from its report, and must stand.

True causes: an event of the Check that no step in the slice of a violation stems
from is taken out of the Check; the violation must still be there. And every
step of a slice only goes back to steps before it.

    causes_cases.py FATHOM ROOT
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# The verb of the step that an event of a Check brings about.
VERBS = {"nodeFailure": "node-failure", "maintenance": "maintenance", "cpuChange": "cpu-change",
         "apply": "apply", "scale": "scale"}

# Events that matter and are in no cause: the failure of a node does not go back to what brought
# its pods there. A line goes when its event is found.
GAPS = {"test/cases/beside-pods-that-shrink/check.yaml": "apply is in no cause"}


def verify(fathom, path):
    """The report; with as many states as the case is verified with, if it says so."""
    limit = re.search(r"^# with: .*(--max-states \d+)", pathlib.Path(path).read_text(), re.M)
    done = subprocess.run([fathom, "verify", str(path), "-o", "json", "--progress", "never",
                           "--quiet", "--trial", "0", *(limit.group(1).split() if limit else [])],
                          capture_output=True, text=True, timeout=600, check=False)
    return json.loads(done.stdout)


def slice_of(intent):
    """The numbers of the steps that the violation goes back to."""
    steps = {step["step"]: step for step in intent["trace"]}
    todo, found = list(intent["causes"]), set()
    while todo:
        number = todo.pop()
        if number == 0 or number in found:
            continue
        found.add(number)
        todo += steps[number]["causes"]
    return found


def causes_text(intent):
    lists = [intent["causes"]] + [step["causes"] for step in intent["trace"]]
    return " ".join(",".join(str(number) for number in causes) for causes in lists)


def events_of(check):
    """The events of a Check that stand on lines of their own, as (line, name)."""
    lines = check.split("\n")
    found = []
    for number, line in enumerate(lines):
        match = re.match(r"\s*- \{name: (\w+)[,}]", line)
        if match and match.group(1) in VERBS:
            found.append((number, match.group(1)))
    return lines, found


def without(lines, number):
    """The Check without one event; an empty list of events is no list."""
    left = lines[:number] + lines[number + 1:]
    text = "\n".join(left)
    return re.sub(r"\n  events:\n(?=  \w)", "\n", text)


def check_replay(fathom, report):
    """Every counterexample must stand when it is run again, and can be explained."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(report, file)
        file.flush()
        done = subprocess.run([fathom, "replay", file.name, "-o", "json"], capture_output=True,
                              text=True, timeout=600, check=False)
        if done.returncode != 1:
            return f"replay: exit code {done.returncode}: {done.stderr}"
        for replayed in json.loads(done.stdout):
            if not replayed["stands"]:
                return f"{replayed['intent']} does not stand: {replayed['flaw']}"
        done = subprocess.run([fathom, "explain", file.name], capture_output=True, text=True,
                              timeout=600, check=False)
        if done.returncode != 0:
            return f"explain: exit code {done.returncode}: {done.stderr}"
    return None


def check_slices(fathom, path, report):
    """Problems of one Check: (text, events tried)."""
    lines, events = events_of(path.read_text())
    tried = 0
    for intent in report["intents"]:
        if intent["verdict"] != "violated" or intent.get("kind") == "reachable":
            continue  # where there is no run, nothing of it is to blame
        for step in intent["trace"]:
            if not all(0 <= cause < step["step"] for cause in step["causes"]) or \
                    not step["causes"]:
                return f"step {step['step']} cannot have causes {step['causes']}", tried
        if intent["trace"] and not intent["causes"]:
            return "nothing is to blame for the violation", tried
        found = slice_of(intent)
        verbs = {step["action"] for step in intent["trace"] if step["step"] in found}
        for number, name in events:
            if VERBS[name] in verbs:
                continue
            tried += 1
            with tempfile.NamedTemporaryFile("w", suffix=".yaml", dir=path.parent) as file:
                file.write(without(lines, number))
                file.flush()
                again = verify(fathom, file.name)
            same = [other for other in again["intents"] if other["label"] == intent["label"]]
            if same[0]["verdict"] != "violated":
                return f"{name} is in no cause of {intent['label']}, but matters", tried
    return None, tried


def main():
    fathom, root = sys.argv[1], pathlib.Path(sys.argv[2])
    here = root / "test" / "cases"
    expected = dict(line.split(" ", 1)
                    for line in (here / "causes.expected").read_text().split("\n") if line)
    paths = sorted(root.glob("examples/c0*/broken.yaml")) + sorted(here.glob("*/check.yaml")) \
        + sorted(root.glob("examples/field/*/broken.yaml"))
    failed = tried = 0
    for path in paths:
        name = str(path.relative_to(root))
        report = verify(fathom, path)
        problem, count = check_slices(fathom, path, report)
        tried += count
        gap = GAPS.get(name)
        if gap:
            problem = None if problem and problem.startswith(gap) else f"no longer true: {gap}"
        violated = [i for i in report["intents"] if i["verdict"] == "violated"]
        if not problem and violated:
            problem = check_replay(fathom, report)
        if not problem and name in expected:
            found = causes_text(violated[0]) if violated else "none"
            if found != expected.pop(name):
                problem = f"found {found}"
        failed += problem is not None
        print(f"{'not ok' if problem else 'ok'} - {name}{': ' + problem if problem else ''}")
    for name in expected:
        failed += 1
        print(f"not ok - {name}: expected, but not there")
    if tried == 0:
        failed += 1
        print("not ok - no event was ever taken out")
    print(f"{tried} events taken out, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
