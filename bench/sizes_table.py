#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""For which numbers of nodes the outcomes of the Checks of the tree are known.

    ninja -C build test/sizes/sizes_list
    bench/sizes_table.py build/test/sizes/sizes_list [--seconds N] [FOLDER ...] >docs/bench-sizes.md

Every group of nodes is taken to have no maximum, and replicas are as in the manifests (test/sizes/sizes_list.c). Checks
whose manifests are in other files, and those that are wrong on purpose, are left out. Seconds are CPU time; a Check
that takes more than N of them (1) is interrupted.
"""

import argparse
import collections
import os
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("examples", "test/cases", "test/sizes")
PROVED = ("every size", "a million nodes")
# There it is known as `verify` tells it: what is violated with its smallest size, and that all else holds.
TOLD = tuple(f"verdicts for {sizes}" for sizes in PROVED)
# The number of nodes is not free there.
FIXED = ("nodes are given by name", "runs start from pods on certain nodes", "there is no verdict for any size")


def checks(folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            if re.search(r"^kind: Check$", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE):
                yield str(path.relative_to(ROOT))


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ask(program, path, seconds):
    """The row of a Check, with its CPU seconds; None: it is no Check by itself."""
    before = spent()
    run = subprocess.run([program, path], cwd=ROOT, capture_output=True, text=True, check=False,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)))
    lines = [line for line in run.stdout.splitlines() if line.startswith(path + "\t")]
    if not lines:
        return [path, "unknown", "", "", "", f"more than {seconds} s"], spent() - before
    row = lines[-1].split("\t")
    return (None if row[1] == "not read" else row), spent() - before


def table(rows, seconds):
    fixed = [row for row in rows if row[5] in FIXED]
    rows = [row for row in rows if row[5] not in FIXED]
    proved = [row for row in rows if row[1] in PROVED]
    told = [row for row in rows if row[1] in TOLD]
    every = sum(row[1] == "every size" for row in rows)
    known = len(proved) + len(told)
    print("# Every size: what is known of the Checks of this tree\n")
    print("Written by `bench/sizes_table.py`. In each Check, every group of nodes is taken to have no maximum, and replicas are "
          "as in the manifests. `every size`: the outcome is known for every number of nodes. `a million nodes`: for every "
          "size up to a million nodes. What both mean is in [every-size.md](every-size.md).\n")
    print(f"{len(proved)} of {len(rows)} ({100 * len(proved) // max(len(rows), 1)} %): {every} for every size, "
          f"{len(proved) - every} up to a million nodes. Of {len(told)} more the verdicts are known as `verify` tells them: what is "
          "violated, with its smallest size, and that all else holds for every size (or up to a million nodes). With what other sizes "
          f"it is violated is not. Together {known} of {len(rows)} ({100 * known // max(len(rows), 1)} %). "
          f"CPU: {seconds[0]:.1f} s for those that are known, {seconds[1]:.1f} s for the others. {len(fixed)} more Checks are not asked: "
          "their nodes are given by name, runs start from the pods of a dump, or there is no verdict for any size.\n")
    print("The reasons of the others:\n")
    for why, count in collections.Counter(row[5] for row in rows if row[1] not in PROVED + TOLD).most_common():
        print(f"- {count}: {why}")
    print("\n| Check | known | reason |\n|---|---|---|")
    for row in rows:
        if row[1] not in PROVED + TOLD:
            print(f"| {row[0]} | {row[1]} | {row[5]} |")
    print("\n| Check | known | sizes explored | states | somewhere |\n|---|---|---|---|---|")
    for row in proved + told:
        print(f"| {row[0]} | {row[1]} | {row[2]} | {row[3]} | {row[4]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--seconds", type=int, default=1)
    given = parser.parse_args()
    rows, seconds = [], [0, 0]
    for path in checks(given.folders):
        row, taken = ask(os.path.abspath(given.program), path, given.seconds)
        if not row:
            continue
        rows.append(row)
        seconds[row[1] not in PROVED + TOLD] += taken
    table(rows, seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
