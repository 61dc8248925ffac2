#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which verdicts depend on the version of Kubernetes.

Verifies the Checks of examples and test/cases at the oldest and at the newest version
that Fathom knows. Where an intent has another verdict, or is violated on another smallest
cluster, the versions between are bisected. Prints those intents:

    test/cases/scheduling-gates/check.yaml converges: holds 1.26; violated 1.27 to 1.36

A verdict that changes and changes back between two versions that were run is not seen; --every
runs all versions. What is "undecided" (a limit, the time, the memory) or "refused" (not read) at a
version is named on standard error, unless two versions decide it differently. docs/versions.md has
the table, with the reasons.

    verdicts_by_version.py FATHOM ROOT [--every] [--max-states N] [--seconds N] [--mebibytes N]
                           [--jobs N] [--except PATTERN] [PATTERN ...]
"""
import argparse
import concurrent.futures
import fnmatch
import json
import pathlib
import re
import resource
import subprocess
import sys

VERSIONS = [f"1.{minor}" for minor in range(26, 37)]
NOT_DECIDED = ("undecided", "refused")


def is_check(path):
    """Is one of the documents a Check?"""
    text = path.read_text(encoding="utf-8")
    return bool(re.search(r"^kind: Check\s*$", text, re.M) and "apiVersion: fathom/v1" in text)


def checks_of(root):
    """Files with a Check, in the order of their names."""
    for folder in ("examples", "test/cases"):
        yield from (path for path in sorted((root / folder).rglob("*.yaml")) if is_check(path))


def options_of(path):
    """The options that the first comment asks for, without a version."""
    words = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line.startswith("#"):
            break
        found = re.match(r"# options: (.*)", line)
        words += re.sub(r"--kubernetes-version \S+", "", found[1]).split() if found else []
    return words


def outcome_of(intent):
    """The verdict, and of a violation the smallest cluster."""
    scale = intent.get("scale") if intent["verdict"] == "violated" else None
    size = f" (nodes: {scale['nodes']}, pods: {scale['pods']})" if scale else ""
    return intent["verdict"] + size


def outcomes_at(arguments, path, version):
    """The outcomes of the intents, "name" or "name 2" for a second one; "all" without a report."""
    command = [arguments.fathom, "verify", str(path), "-o", "json", "--progress", "never",
               "--trial", "0", "--jobs", "1", "--max-states", str(arguments.max_states),
               *options_of(path), "--kubernetes-version", version]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              timeout=arguments.seconds)
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"all": "undecided"}
    except json.JSONDecodeError:
        return {"all": "refused" if done.returncode == 2 else "undecided"}
    outcomes = {}
    for single in report.get("items", [report]):
        for intent in single["intents"]:
            name = intent["name"]
            same = sum(re.sub(r" \d+$", "", other) == name for other in outcomes)
            outcomes[f"{name} {same + 1}" if same else name] = outcome_of(intent)
    return outcomes


def outcomes_by_version(arguments, path):
    """The outcomes at each version; those between two equal ones are taken to be the same."""
    run = {}

    def between(first, last):
        for minor in (first, last):
            if minor not in run:
                run[minor] = outcomes_at(arguments, path, VERSIONS[minor])
        middle = (first + last) // 2
        if middle == first:
            return
        if run[first] == run[last] and not arguments.every:
            run.update(dict.fromkeys(range(first + 1, last), run[first]))
            return
        between(first, middle)
        between(middle, last)

    between(0, len(VERSIONS) - 1)
    return [run[minor] for minor in range(len(VERSIONS))]


def spans_of(outcomes):
    """[outcome at each version] as "holds 1.26 to 1.28; violated 1.29 to 1.36", with the smallest
    clusters if they are not the same."""
    spans = []
    if len({outcome for outcome in outcomes if outcome.startswith("violated")}) == 1:
        outcomes = [outcome.partition(" (")[0] for outcome in outcomes]
    for version, outcome in zip(VERSIONS, outcomes):
        if spans and spans[-1][0] == outcome:
            spans[-1][2] = version
        else:
            spans.append([outcome, version, version])
    return "; ".join(f"{outcome} {first}" + (f" to {last}" if last != first else "")
                     for outcome, first, last in spans)


def changes_of(arguments, path):
    """(name of the intent, outcomes by version) of what is not decided, or not the same at all."""
    by_version = outcomes_by_version(arguments, path)
    names = dict.fromkeys(name for outcomes in by_version for name in outcomes)
    if len(names) > 1:
        names.pop("all", None)
    for name in names:
        row = [outcomes.get(name, outcomes.get("all", "absent")) for outcomes in by_version]
        if len(set(row)) > 1 or row[0] in NOT_DECIDED:
            yield name, row


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("patterns", nargs="*", default=["*"])
    parser.add_argument("--except", dest="excepted", action="append", default=[])
    parser.add_argument("--every", action="store_true", help="run all versions")
    parser.add_argument("--max-states", type=int, default=30000)
    parser.add_argument("--seconds", type=float, default=20, help="for one run")
    parser.add_argument("--mebibytes", type=int, default=2048, help="memory of one run, and of this script")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_intermixed_args()


def main():
    arguments = parsed_arguments()
    memory = arguments.mebibytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    def matches(path, patterns):
        name = str(path.relative_to(arguments.root))
        return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)

    paths = [path for path in checks_of(arguments.root)
             if matches(path, arguments.patterns) and not matches(path, arguments.excepted)]
    changed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = pool.map(lambda path: list(changes_of(arguments, path)), paths)
        for path, changes in zip(paths, found):
            for name, row in changes:
                decided = len(set(row) - set(NOT_DECIDED)) > 1
                line = f"{path.relative_to(arguments.root)} {name}: {spans_of(row)}"
                print(line, flush=True, file=sys.stdout if decided else sys.stderr)
                changed += decided
    print(f"{len(paths)} Checks, {changed} verdicts that change", file=sys.stderr)


if __name__ == "__main__":
    main()
