#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An adversary: changes Checks in ways that no verdict may depend on, and compares.

    adversary.py FATHOM WRITE_CHECKS [--relations settling|all|NAME,...] [--random COUNT]
                 [--first SEED] [--share N] [--max-states N] [--only TEXT] [--keep FOLDER]

The Checks are those of examples and test/cases, and random ones of the twin (`seed
N`). Each is verified as it is and after each change of relations.py; with --share 3, after a
third of them. Runs are limited by states and never by time, so that the outcome is the same
everywhere. What a limit leaves undecided is counted, and not compared.

The first failing cases of a relation are made smaller. FOLDER has them as they are
(before/check.yaml) and changed (after/check.yaml)."""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import zlib

import checks
import relations
import shrink

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHRUNK_OF_EACH = 3

Change = collections.namedtuple("Change", "label before after")


class Judge:
    """Asks fathom for verdicts."""

    def __init__(self, fathom, max_states, folder):
        self.fathom = os.path.abspath(fathom)
        self.limits = ["--max-states", str(max_states), "--jobs", "1", "--trial", "0"]
        self.folder = folder
        self.runs = 0

    def command(self, case):
        return [self.fathom, "verify", checks.CHECK_FILE, *case.options, *self.limits]

    def intents(self, case):
        """The intents of the report, or a text if there is none."""
        self.runs += 1
        case.write(self.folder)
        done = subprocess.run([*self.command(case), "-o", "json", "--quiet", "--progress", "never"],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        try:
            return json.loads(done.stdout)["intents"]
        except (json.JSONDecodeError, KeyError):
            return f"exit code {done.returncode}: {done.stderr.strip()}"


def defaults_of(fathom):
    """What the help says that options are if they are not given."""
    text = subprocess.run([fathom, "help", "verify"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return {option: re.search(rf"{option} .*?\(default\s+([^)]*)\)", text, re.S)[1]
            for option in ("--interleaving",)}


def is_open(intent):
    """A loop that is not confirmed node by node is for want of states, too."""
    return intent["verdict"] == "undecided" or intent.get("unconfirmed", False)


class Trial:
    """A case before and after a relation: which verdicts changed that may not."""

    def __init__(self, judge, relation, case, before):
        self.changes = []
        self.compared = collections.Counter()
        self.undecided = 0
        self.changed = relation.apply(case, dice_of(relation, case))
        if self.changed:
            self.compare(relation, before, judge.intents(self.changed))

    def compare(self, relation, before, after):
        if isinstance(after, str):
            self.changes.append(Change("the whole Check", "a report", after))
            return
        named = self.changed.spec.get("intents", [])
        for number, place in enumerate(self.changed.intents if named else range(len(before))):
            if place is None:
                continue
            old, new = before[number], after[place]
            if is_open(old) or is_open(new):
                self.undecided += 1
                continue
            self.compared[old["verdict"]] += 1
            if not relation.rule(old, new, named[place] if named else {}):
                self.changes.append(Change(old["label"], relations.outcome(old),
                                           relations.outcome(new)))


def dice_of(relation, case):
    return random.Random(relation.name + case.name)


def way(change):
    """How a verdict changed: `lost` is a violation that became a wrong `holds`."""
    before, after = change.before.split(" ")[0], change.after.split(" ")[0]
    if after == "exit":
        return "refused"
    return "run" if before == after else "lost" if before == "violated" else "alarm"


def still_fails(judge, relation, change):
    """Does a smaller case show the same change of the same intent?"""
    def fails(case):
        before = judge.intents(case)
        if isinstance(before, str):
            return False
        try:
            trial = Trial(judge, relation, case, before)
        except (KeyError, TypeError, AttributeError, ValueError):  # too little is left to change
            return False
        return any((found.label, way(found)) == (change.label, way(change))
                   for found in trial.changes)
    return fails


class Campaign:
    def __init__(self, judge, keep):
        self.judge = judge
        self.keep = keep
        self.counts = collections.defaultdict(collections.Counter)
        self.unread = 0

    def tell(self, relation, case, changes):
        for change in changes:
            print(f"{case.name}: {relation.name}: {change.label}: "
                  f"{change.before} -> {change.after}", flush=True)
        count = self.counts[relation.name]
        if count["shrunk"] == SHRUNK_OF_EACH:
            return
        count["shrunk"] += 1
        self.keep = self.keep or pathlib.Path(tempfile.mkdtemp(prefix="fathom-adversary-"))
        small = shrink.shrink(case, still_fails(self.judge, relation, changes[0]))
        folder = self.keep / re.sub("[^a-z0-9.]+", "-", f"{relation.name} {case.name}")
        changed = relation.apply(small, dice_of(relation, case))
        for side, one in (("before", small), ("after", changed)):
            one.write(folder / side, 1)
            print(f"    (cd {folder / side} && {shlex.join(self.judge.command(one))})", flush=True)

    def attack(self, case, chosen):
        before = self.judge.intents(case)
        if isinstance(before, str):
            print(f"{case.name} cannot be verified: {before}")
            self.unread += 1
            return
        for relation in chosen:
            trial = Trial(self.judge, relation, case, before)
            count = self.counts[relation.name]
            count["cases"] += trial.changed is not None
            count["undecided"] += trial.undecided
            count.update(trial.compared)
            count.update(map(way, trial.changes))
            if trial.changes:
                self.tell(relation, case, trial.changes)

    def summary(self, chosen):
        print(f"{'relation':20}{'Checks':>7}   violated -> holds    holds -> violated   "
              "other run  no report  undecided")
        for relation in chosen:
            count = self.counts[relation.name]
            print(f"{relation.name:20}{count['cases']:7}"
                  f"{count['lost']:10} of {count['violated']:<9}"
                  f"{count['alarm']:9} of {count['holds']:<9}{count['run']:9}"
                  f"{count['refused']:11}{count['undecided']:11}")
        compared = sum(count["violated"] + count["holds"] for count in self.counts.values())
        failed = sum(count[w] for count in self.counts.values()
                     for w in ("lost", "alarm", "run", "refused"))
        print(f"{self.judge.runs} verifications")
        print(f"{compared - failed} passed, {failed + self.unread} failed")
        return 1 if failed or self.unread or not compared else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("write_checks")
    parser.add_argument("--relations", default="settling")
    parser.add_argument("--random", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--max-states", type=int, default=20000)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    chosen = relations.chosen(options.relations)
    cases = checks.tree_cases(options.write_checks, ROOT)
    cases += checks.random_cases(options.write_checks, options.first, options.random)
    defaults = defaults_of(options.fathom)
    with tempfile.TemporaryDirectory(prefix="fathom-adversary-") as folder:
        campaign = Campaign(Judge(options.fathom, options.max_states, folder), options.keep)
        for case in cases:
            case.defaults = defaults
            if options.only in case.name:
                first = zlib.crc32(case.name.encode()) % options.share
                campaign.attack(case, relations.applicable(chosen[first::options.share], case))
    return campaign.summary(chosen)


if __name__ == "__main__":
    sys.exit(main())
