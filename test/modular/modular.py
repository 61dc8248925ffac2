#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies random clusters of 2 to 4 workloads part by part and as a whole, and compares.

    modular.py FATHOM [--first SEED] [--count N] [--seeds N,N,...] [--only COUPLING]
               [--seams] [--max-states N] [--keep FOLDER] [--list]

Each Check is verified with --modular-first, which verifies each workload (or group of coupled
workloads) by itself wherever that is possible, and with --no-modular, which explores all
workloads together. Verdicts that both give must be the same, and `fathom replay` must accept each
counterexample of the former. It is also verified with --modular-first --no-partial-order, whose
verdicts must not differ from those of --modular-first either. Runs are limited by states and never by time, so that the outcome is
the same everywhere.

The summary has a line for each coupling (--list says what they are): the Checks that have it, how
many of them were decided in parts, and of their intents how many are

  same        decided by both, with one verdict
  whole open  undecided as a whole, so that there is nothing to compare with
  parts open  decided as a whole, but not in parts
  wrong       decided by both, with two verdicts; or a counterexample that replay refuses; or said to
              hold of nothing, and of something as a whole (the models of parts allow more than can
              happen, so what never applies there never does)

The last four are counted for each coupling that a Check has; the total counts each once. Ctrl-C ends
a campaign with the summary of what it has done. The exit
code is 1 if anything is wrong, or if only one of the two gives a report. With --keep, FOLDER gets
the Checks for which that is so."""
import argparse
import collections
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import apart
import clusters
import couplings
import seams

WAYS = {**apart.ALL, **couplings.ALL}
ALL_WAYS = {**WAYS, **seams.ALL}

OUTCOMES = ("same", "whole open", "parts open", "wrong")
REPORT_FILE = "report.json"
STANDS = 1  # the exit code of a replay whose counterexamples stand

Finding = collections.namedtuple("Finding", "label in_parts as_a_whole")


class Judge:
    """Asks fathom for verdicts on the cluster in its folder."""

    def __init__(self, fathom, max_states, folder):
        self.fathom = os.path.abspath(fathom)
        self.max_states = max_states
        self.folder = folder
        self.options = []  # those of the cluster

    def command(self, *options):
        return [self.fathom, "verify", clusters.CHECK_FILE, *options, "--max-states",
                str(self.max_states), "--jobs", "1", "--trial", "0", *self.options]

    def run(self, command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def report(self, *options):
        """The report, or a text if there is none."""
        done = self.run([*self.command(*options), "-o", "json", "--quiet", "--progress", "never"])
        try:
            report = json.loads(done.stdout)
        except json.JSONDecodeError:
            return f"exit code {done.returncode}: {done.stderr.strip()}"
        pathlib.Path(self.folder, REPORT_FILE).write_text(done.stdout, encoding="utf-8")
        return report

    def refusal(self):
        """What replay says if it does not accept the counterexamples of the last report."""
        done = self.run([self.fathom, "replay", REPORT_FILE, "--quiet"])
        return "" if done.returncode == STANDS else f"replay: exit code {done.returncode}"


def is_open(intent):
    """A loop that is not confirmed node by node is for want of states, too."""
    return intent["verdict"] == "undecided" or intent.get("unconfirmed", False)


def outcome_of(in_parts, as_a_whole):
    if is_open(as_a_whole):
        return "whole open"
    if is_open(in_parts):
        return "parts open"
    if "ofNothing" in in_parts and "ofNothing" not in as_a_whole:
        return "wrong"
    return "same" if in_parts["verdict"] == as_a_whole["verdict"] else "wrong"


def words_of(intent):
    return intent["verdict"] + (" of nothing" if "ofNothing" in intent else "")


class Trial:
    """One cluster, verified both ways. `refused`: there is no report, in neither way."""

    def __init__(self, judge):
        self.outcomes = collections.Counter()
        self.findings = []
        self.components = 0
        whole = judge.report("--no-modular")
        ordered = judge.report("--modular-first", "--no-partial-order")
        parts = judge.report("--modular-first")
        self.refused = isinstance(whole, str) and isinstance(parts, str)
        if isinstance(whole, str) or isinstance(parts, str):
            if not self.refused:
                self.add("wrong", "the whole Check", *(one if isinstance(one, str) else "a report"
                                                       for one in (parts, whole)))
            return
        self.components = parts["explored"].get("components", 0)
        for one, other in zip(parts["intents"], whole["intents"]):
            self.add(outcome_of(one, other), one["label"], words_of(one), words_of(other))
        if isinstance(ordered, str):
            self.add("wrong", "the whole Check", "a report", ordered)
            return
        for one, other in zip(parts["intents"], ordered["intents"]):
            if outcome_of(one, other) == "wrong":
                self.add("wrong", one["label"], words_of(one),
                         f"{words_of(other)} with --no-partial-order")
        refusal = parts["verdict"] == "violated" and judge.refusal()
        if refusal:
            self.add("wrong", "the counterexamples", refusal, "-")

    def add(self, outcome, *finding):
        self.outcomes[outcome] += 1
        if outcome == "wrong":
            self.findings.append(Finding(*finding))


class Campaign:
    def __init__(self, judge, keep):
        self.judge = judge
        self.keep = keep
        self.counts = collections.defaultdict(collections.Counter)

    def attack(self, seed, only, with_seams=False):
        cluster = clusters.cluster_of(seed, only, with_seams)
        if only and only not in cluster.has:
            return
        cluster.write(self.judge.folder)
        self.judge.options = cluster.options
        trial = Trial(self.judge)
        for name in [*cluster.has, "total"]:
            self.counts[name].update(trial.outcomes)
            self.counts[name].update(Checks=1, refused=trial.refused,
                                     parts=trial.components > 0)
        for finding in trial.findings:
            print(f"seed {seed}: {finding.label}: {finding.in_parts} in parts, "
                  f"{finding.as_a_whole} as a whole  ({', '.join(cluster.has)})", flush=True)
        if trial.findings and self.keep:
            folder = self.keep / f"seed-{seed}"
            cluster.write(folder)
            for option in ("--modular-first", "--no-modular"):
                print(f"    (cd {folder} && {shlex.join(self.judge.command(option))})", flush=True)

    def summary(self):
        print(f"{'coupling':30}{'Checks':>7}{'refused':>8}{'in parts':>9}"
              + "".join(f"{outcome:>12}" for outcome in OUTCOMES))
        for name in [*sorted(set(self.counts) - {"total"}), "total"]:
            count = self.counts[name]
            print(f"{name:30}{count['Checks']:7}{count['refused']:8}{count['parts']:9}"
                  + "".join(f"{count[outcome]:12}" for outcome in OUTCOMES))
        count = self.counts["total"]
        decided = sum(count[outcome] for outcome in OUTCOMES if outcome != "whole open")
        print(f"{count['parts open']} of {decided} intents are undecided in parts and decided as a "
              f"whole: {100 * count['parts open'] / max(decided, 1):.2f} %")
        print(f"{count['same']} passed, {count['wrong']} failed")
        return 1 if count["wrong"] or not count["same"] else 0


def list_couplings():
    for name, function in sorted(ALL_WAYS.items()):
        print(f"{name:30}{function.__doc__}")
    print(f"{'observed':30}Runs start from a dump of the cluster.")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom", nargs="?", default="build/fathom")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--count", type=int, default=100, help="how many seeds (100)")
    parser.add_argument("--seeds", help="these seeds instead")
    parser.add_argument("--only", choices=sorted([*ALL_WAYS, "observed"]), metavar="COUPLING",
                        help="only Checks with this coupling")
    parser.add_argument("--seams", action="store_true",
                        help="each Check has one to four of the features of seams.py, too")
    parser.add_argument("--max-states", type=int, default=40000, help="of each run (40000)")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="for what is wrong")
    parser.add_argument("--list", action="store_true", help="list the couplings, and end")
    options = parser.parse_args()
    if options.list:
        return list_couplings()
    seeds = [int(seed) for seed in options.seeds.split(",")] if options.seeds else \
        range(options.first, options.first + options.count)
    with tempfile.TemporaryDirectory(prefix="fathom-modular-") as folder:
        campaign = Campaign(Judge(options.fathom, options.max_states, folder), options.keep)
        try:
            for seed in seeds:
                campaign.attack(seed, options.only, options.seams)
        except KeyboardInterrupt:
            print(f"interrupted at seed {seed}")
    return campaign.summary()


if __name__ == "__main__":
    sys.exit(main())
