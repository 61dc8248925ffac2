#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks, verified by one process and by several ranks together: reports have to be the same.

    ranks_checks.py FATHOM FATHOM_MPI [--ranks 1,2,3,4] [--every N] [--first N] [--halves] [PATH...]

Without paths, all Checks of the tree are verified. What takes one process too long is left out, and so
is what fathom-mpi refuses (groups of nodes without a maximum). Limits are not given: where one is
reached, a level of the search has been finished by the ranks, but not by one process.

With --halves, ranks end at a limit on half of the states, and go on from their checkpoint.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What differs between two runs of one program, and what says how it was called.
OF_THE_RUN = {"elapsedSeconds", "peakMemoryBytes", "input"}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("fathom_mpi")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--ranks", default="2,3")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--alone", type=int, default=10, help="seconds that one process may take at most")
    parser.add_argument("--seconds", type=int, default=300, help="for one run of several ranks")
    return parser.parse_args()


def checks_of_the_tree():
    found = []
    for folder in ("examples", "test/cases"):
        for base, _, files in os.walk(os.path.join(ROOT, folder)):
            for name in files:
                path = os.path.join(base, name)
                if not name.endswith((".yaml", ".yml")):
                    continue
                with open(path, encoding="utf-8", errors="replace") as file:
                    if re.search(r"^kind: Check$", file.read(), re.M):
                        found.append(os.path.relpath(path, ROOT))
    return sorted(found)


def without_the_run(value):
    if isinstance(value, dict):
        return {k: without_the_run(v) for k, v in value.items() if k not in OF_THE_RUN}
    if isinstance(value, list):
        return [without_the_run(item) for item in value]
    return value


def verify(program, path, seconds, more):
    """The exit code, the report without what differs in any case, and what was complained of."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = program + ["verify", path, "--trial", "0s", "--no-color", "-o", "json=" + report]
        done = subprocess.run(command + more, cwd=ROOT, capture_output=True, text=True, timeout=seconds,
                              check=False)
        text = ""
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                text = file.read()
    return done.returncode, without_the_run(json.loads(text)) if text else None, done.stderr


def mpirun(ranks, program):
    return ["mpirun", "--oversubscribe", "--allow-run-as-root", "--quiet", "-np", str(ranks), program]


def difference(alone, together, path=""):
    if isinstance(alone, dict) and isinstance(together, dict):
        for key in sorted(set(alone) | set(together)):
            if alone.get(key) != together.get(key):
                return difference(alone.get(key), together.get(key), path + "." + key)
    if isinstance(alone, list) and isinstance(together, list) and len(alone) == len(together):
        for at, (left, right) in enumerate(zip(alone, together)):
            if left != right:
                return difference(left, right, f"{path}[{at}]")
    return f"{path}: {json.dumps(alone)[:300]} alone, {json.dumps(together)[:300]} together"


def verify_in_halves(program, path, seconds, states):
    """As verify, by two runs; the first may have decided all."""
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, "kept")
        first = verify(program, path, seconds, ["--checkpoint", kept, "--checkpoint-every", "0s",
                                                "--max-states", str(max(states // 2, 1))])
        # Nothing is there to go on from where a level reached the limit, or the initial states did.
        if first[0] != 3 or not os.listdir(folder):
            return first, False
        second = verify(program, path, seconds, ["--resume", kept])
        if second[0] != 2 and os.listdir(folder):
            return (second[0], second[1], "files are left: " + " ".join(os.listdir(folder))), True
        return second, True


def compare(given, path):
    """None: left out; else the complaints."""
    try:
        code, alone, _ = verify([given.fathom], path, given.alone, ["--no-modular", "--jobs", "1"])
    except subprocess.TimeoutExpired:
        return None
    if code not in (0, 1, 3) or alone is None:
        return None
    wrong = []
    for ranks in given.ranks.split(","):
        program = mpirun(ranks, given.fathom_mpi)
        resumed = True
        if given.halves:
            (got, together, said), resumed = verify_in_halves(program, path, given.seconds,
                                                              alone["explored"]["states"])
            given.resumed += resumed
        else:
            got, together, said = verify(program, path, given.seconds, [])
        if got == 2 and "needs a maximum of nodes here" in said:
            return None
        if not resumed:
            continue
        if "files are left" in said:
            wrong.append(f"{path} on {ranks} ranks: {said}")
        if got != code:
            wrong.append(f"{path} on {ranks} ranks: exit code {code} alone, {got} together: {said[:600]}")
        elif alone != together:
            wrong.append(f"{path} on {ranks} ranks: {difference(alone, together)}")
    return wrong


def main():
    given = parse()
    given.resumed = 0
    given.fathom = os.path.abspath(given.fathom)
    given.fathom_mpi = os.path.abspath(given.fathom_mpi)
    paths = given.paths or checks_of_the_tree()[given.first::given.every]
    compared = left_out = 0
    wrong = []
    for path in paths:
        result = compare(given, path)
        if result is None:
            left_out += 1
            continue
        compared += 1
        for line in result:
            print(line, flush=True)
        wrong += result
    if given.halves:
        print(f"{given.resumed} runs went on from a checkpoint")
    print(f"{compared} Checks on {given.ranks} ranks, {left_out} left out, {len(wrong)} differ")
    sys.exit(1 if wrong or compared == 0 else 0)


if __name__ == "__main__":
    main()
