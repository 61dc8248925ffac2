#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are recorded runs followed by rules, or by heart? Changes them in ways that a
real control plane could have produced (possible.py), which must still be
followed, and in ways that none could (impossible.py), of which the first wrong
write must be named.

    vary.py FATHOM [FOLDER] [--each N] [--seed S] [--only NAME] [--keep FOLDER]

FOLDER holds recordings (test/data/runs). With --each N every N-th run is
taken, and each change is tried on every run that has a place for it; the same
seed gives the same changes."""
import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import impossible  # noqa: E402  pylint: disable=wrong-import-position
import possible  # noqa: E402  pylint: disable=wrong-import-position
from run_files import Run, numbers_of  # noqa: E402  pylint: disable=wrong-import-position

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = 400  # runs that are replayed together


def replay(fathom, folder):
    done = subprocess.run([fathom, "replay", "--observed", str(folder), "-o", "json"],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"replay gives {done.returncode}: {done.stderr[:2000]}")
    return {run["recording"]: run for run in json.loads(done.stdout)["runs"]}


def judge(report, expected):
    """What is wrong with the report; None if nothing is."""
    stops = report["notFollowed"]
    if expected == "followed":
        if report["followed"]:
            return None
        return stops[0] if stops else report["end"]
    if report["followed"]:
        return "followed"
    if report["undecided"]:
        return "undecided"
    if expected is not None and (not stops or stops[0]["resourceVersion"] != expected):
        return f"named {stops[0] if stops else report['end']}, not {expected}"
    return None


class Campaign:
    def __init__(self, options):
        self.options = options
        self.tried = collections.Counter()
        self.good = collections.Counter()
        self.failures = []
        self.waiting = {}
        self.folder = None

    def flush(self):
        if not self.waiting:
            return
        reports = replay(self.options.fathom, self.folder.name)
        for name, (change, expected) in self.waiting.items():
            wrong = judge(reports[name], expected)
            self.tried[change] += 1
            self.good[change] += wrong is None
            if wrong is not None:
                self.failures.append(f"{change}: {name}: {wrong}")
        self.waiting = {}
        if self.options.keep:
            subprocess.run(["cp", "-r", self.folder.name, self.options.keep], check=True)
        self.folder.cleanup()

    def add(self, run, change, changed, expected):
        if not self.waiting:
            self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        name = f"{change}.{run.name}"
        changed.write(pathlib.Path(self.folder.name) / name)
        self.waiting[name] = (change, expected)
        if len(self.waiting) == BATCH:
            self.flush()

    def vary(self, run):
        for change in possible.ALL + impossible.ALL:
            name = change.__name__
            if self.options.only and self.options.only not in name:
                continue
            rng = random.Random(f"{self.options.seed} {run.name} {name}")
            changed = change(run, rng)
            if changed and change in possible.ALL:
                self.add(run, name, changed, "followed")
            elif changed:
                self.add(run, name, *changed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom", type=os.path.abspath)
    parser.add_argument("folder", nargs="?", default=ROOT / "test" / "data" / "runs")
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep")
    options = parser.parse_args()
    campaign = Campaign(options)
    folders = sorted(f for f in pathlib.Path(options.folder).iterdir() if f.is_dir())
    runs = [(folder, number) for folder in folders for number in numbers_of(folder)]
    for folder, number in runs[options.seed % options.each::options.each]:
        campaign.vary(Run(folder, number))
    campaign.flush()
    for change in possible.ALL + impossible.ALL:
        name = change.__name__
        kind = "followed" if change in possible.ALL else "noticed"
        if campaign.tried[name] or not options.only:
            print(f"{campaign.good[name]:6} of {campaign.tried[name]:<6} {kind}: {name}")
    for failure in campaign.failures[:40]:
        print(failure)
    sys.exit(1 if campaign.failures else 0)


if __name__ == "__main__":
    main()
