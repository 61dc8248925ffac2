#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole verifications as data: fathom verify on every case and every example.

A case is a folder with check.yaml (its first comment says why it matters) and
`expected`: one line an intent, in the order of the check, "name verdict". Behind the
verdict may be said whether it is "of nothing" or "of something". If a line says "under",
what holds is tried with stronger settings, too, and every line has what that comes to, in
order: "name holds, violated under --lag budgets". Where the version of
Kubernetes matters, `expected-1.29` has the same lines for that version. A line
"# options: ..." of the first comment has options for the command line. With lines
"# with: ..." the check is verified once with each of these options, and has the same
verdicts; behind "components N" in such a line, its workloads are verified in N parts.
examples.expected has a line a file: "folder file verdict nodes pods"; nodes and
pods are the smallest scale of a violation, which must not be larger. The file's first
comment may have options, as those of cases.

A file of examples/field or test/checks_from_runs says itself what is expected, in lines of its
first comment:

    # expect: INTENT VERDICT [NODES PODS]   the next intent of the check
    # shows: REGEX      a step of its counterexample reads like this
    # repeats: REGEX    so does a step of the loop at its end
    # ends: N N ...     pods on the nodes at the end, in increasing order
    # options: ...      for the command line

A file whose first comment says "# large: WHY" takes long.

    verify_cases.py FATHOM ROOT [--small] [PATTERN ...]

With --small, what takes long is left out: large files, and of the examples of whole
applications all questions but one.
"""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

EXIT_CODES = {"holds": 0, "violated": 1, "undecided": 3}


def verify(fathom, path, options=("--trial", "0")):
    """The report of one file, and the exit code."""
    command = [fathom, "verify", str(path), "-o", "json", "--progress", "never", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    try:
        return json.loads(done.stdout), done.returncode, done.stderr
    except json.JSONDecodeError:
        return None, done.returncode, done.stderr + done.stdout


def ways_of(path):
    """The options of each line "with" of a case, and in how many parts it is verified then."""
    ways = []
    for key, value in header(path):
        if key == "with":
            options, _, parts = value.partition(" components ")
            ways.append((options.split(), parts))
    return ways or [([], "")]


def check_case(fathom, file, way):
    """What is wrong with a case at the version of its expectations; None if nothing is."""
    version = file.name.removeprefix("expected").removeprefix("-")
    expected = [line for line in file.read_text().split("\n") if line]
    tries = any(" under " in line for line in expected)
    options = ["--kubernetes-version", version] if version else []
    options += [] if tries else ["--trial", "0"]
    for key, value in header(file.parent / "check.yaml"):
        options += value.split() if key == "options" else []
    report, code, talk = verify(fathom, file.parent / "check.yaml", options + way[0])
    if report is None:
        return f"no report (exit code {code}): {talk}"
    parts = str(report["explored"].get("components", 0))
    if way[1] and parts != way[1]:
        return f"expected {way[1]} components, found {parts}"
    found = [f"{intent['name']} {intent['verdict']}" for intent in report["intents"]]
    for i, (line, intent) in enumerate(zip(expected, report["intents"])):
        if " of " in line:
            found[i] += " of nothing" if "ofNothing" in intent else " of something"
        for trial in intent.get("trials", []):
            found[i] += f", {trial['verdict']} under {' '.join(trial['under'])}"
    if found != expected:
        return f"expected {expected}, found {found}"
    if code != EXIT_CODES[report["verdict"]]:
        return f"verdict {report['verdict']}, but exit code {code}"
    return None


def header(path):
    """The lines "key: value" of a file's first comment."""
    lines = []
    for line in path.read_text().split("\n"):
        if not line.startswith("#"):
            break
        found = re.match(r"# (expect|shows|repeats|ends|options|with|large): (.*)", line)
        if found:
            lines.append(found.groups())
    return lines


def check_outcome(intent, value):
    """Name, verdict and smallest scale of an intent."""
    name, verdict, *scale = value.split()
    if [intent["name"], intent["verdict"]] != [name, verdict]:
        return f"expected {name} {verdict}, found {intent['name']} {intent['verdict']}"
    found = [str(intent["scale"][what]) for what in ("nodes", "pods")] if scale else []
    if found != scale:
        return f"{name}: expected the smallest scale {scale}, found {found}"
    return None


def check_trace(intent, key, value):
    """What a line of the header says of a counterexample."""
    if intent["verdict"] != "violated":
        return f"{key}: {intent['name']} has no counterexample"
    if key == "ends":
        found = sorted(len(node["pods"]) for node in intent["cluster"]["nodes"])
        same = found == [int(number) for number in value.split()]
        return None if same else f"expected {value} pods on the nodes at the end, found {found}"
    steps = intent["trace"]
    if key == "repeats":
        steps = steps[intent["loop"]["from"] - 1:] if intent["loop"] else []
    texts = [" ".join([step["detail"], *step.get("why", [])]) for step in steps]
    same = any(re.search(value, text) for text in texts)
    return None if same else f"{intent['name']}: no step {key} \"{value}\""


def check_field(fathom, path):
    """The same for a file of examples/field."""
    lines = header(path)
    options = [word for key, value in lines if key == "options" for word in value.split()]
    options += ["--trial", "0"]
    report, code, talk = verify(fathom, path, options)
    if report is None:
        return f"no report (exit code {code}): {talk}"
    if len([key for key, _ in lines if key == "expect"]) != len(report["intents"]):
        return f"expected a line for each intent, found {[i['name'] for i in report['intents']]}"
    intents = iter(report["intents"])
    intent = None
    for key, value in lines:
        if key in ("options", "large"):
            continue
        intent = next(intents) if key == "expect" else intent
        problem = (check_outcome(intent, value) if key == "expect"
                   else check_trace(intent, key, value))
        if problem:
            return problem
    if code != EXIT_CODES[report["verdict"]]:
        return f"verdict {report['verdict']}, but exit code {code}"
    return None


def check_index(folder):
    """Every folder is in the table of the README, and only those are."""
    listed = set(re.findall(r"\(([0-9]{2}[a-z0-9-]*)/?\)", (folder / "README.md").read_text()))
    found = {path.name for path in folder.iterdir() if path.is_dir()}
    return None if listed == found else f"differs from the folders in {sorted(listed ^ found)}"


def check_example(fathom, root, line):
    """The same for a line of examples.expected."""
    folder, file, verdict, *scale = line.split()
    path = root / "examples" / folder / file
    options = [word for key, value in header(path) if key == "options" for word in value.split()]
    report, code, talk = verify(fathom, path, options)
    if report is None:
        return f"no report (exit code {code}): {talk}"
    if report["verdict"] != verdict or code != EXIT_CODES[verdict]:
        return f"expected {verdict}, found {report['verdict']} (exit code {code})"
    if scale:
        violated = next(i for i in report["intents"] if i["verdict"] == "violated")
        found = [violated["scale"]["nodes"], violated["scale"]["pods"]]
        if found != [int(number) for number in scale]:
            return f"expected the smallest scale {scale}, found {found}"
    return None


def is_large(path):
    """Does it take long to verify the file?"""
    application = path.parent.name.startswith("app-") and path.name != "drain.yaml"
    return application or any(key == "large" for key, _ in header(path))


def main():
    fathom, root, *patterns = sys.argv[1:]
    small = "--small" in patterns
    patterns = [pattern for pattern in patterns if pattern != "--small"]
    root = pathlib.Path(root)
    here = root / "test" / "cases"
    jobs = [(" ".join([file.parent.name + file.name.removeprefix("expected"), *way[0]]),
             lambda file=file, way=way: check_case(fathom, file, way))
            for folder in sorted(here.iterdir()) if (folder / "check.yaml").exists()
            and not (small and is_large(folder / "check.yaml"))
            for file in sorted(folder.glob("expected*")) or [folder / "expected"]
            for way in ways_of(folder / "check.yaml")]
    field = root / "examples" / "field"
    jobs += [(f"{path.parent.name} {path.name}", lambda path=path: check_field(fathom, path))
             for path in sorted(field.glob("*/*.yaml")) if "expect" in dict(header(path)) and not (small and is_large(path))]
    jobs += [(f"from a run: {path.name}", lambda path=path: check_field(fathom, path))
             for path in sorted((root / "test" / "checks_from_runs").glob("*.yaml"))]
    jobs += [("field README.md", lambda: check_index(field))]
    lines = (here / "examples.expected").read_text().split("\n")
    jobs += [(" ".join(line.split()[:2]), lambda line=line: check_example(fathom, root, line))
             for line in lines if line and not line.startswith("#")
             and not (small and is_large(root / "examples" / "/".join(line.split()[:2])))]
    if patterns:
        jobs = [job for job in jobs if any(fnmatch.fnmatch(job[0], p) for p in patterns)]
    failed = 0
    for name, job in jobs:
        problem = job()
        failed += problem is not None
        print(f"{'not ok' if problem else 'ok'} - {name}{': ' + problem if problem else ''}",
              flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
