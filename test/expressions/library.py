#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Intents of the library against the expressions that say the same (docs/expressions.md): the same
verdict, counterexamples of the same length, and no more states.

    library.py FATHOM ROOT [--share N] [--max-states N]

Every Check of the tree is asked all of them in one exploration, and each of them by itself; with
--share 3, every third Check. By itself an expression may explore fewer states, where it can be seen
to ignore more than the intent does; counterexamples have fewer steps then.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import zlib

PLACES = ("examples/*/*.yaml", "test/cases/*/check.yaml", "examples/field/*/*.yaml")
# Asked in every sample: it has more kinds of pods in a state than others.
ALWAYS = ("test/cases/beside-daemons-counted/check.yaml",)
# Pods that wait are deleted one by one where an expression counts them (docs/fidelity.md), which
# bounds of the library need not see.
ONE_BY_ONE = {f"test/cases/{name}/check.yaml" for name in (
    "expressions-of-lost-pods", "expressions-of-orphans", "node-name-missing")}
THERE = "workloads.filter(w, workloads[w].exists)"
ACTIVE = "has(events.maintenance) && events.maintenance.active"
PODS = "workloads[w].pods.filter(p, !p.terminating).size()"


def leads(first, second):
    return f"{{name: same, leadsTo: {{from: {json.dumps(first)}, to: {json.dumps(second)}}}}}"


def form(kind, expression):
    return f"{{name: same, {kind}: {json.dumps(expression)}}}"


SAME = (
    ("converges", form("stable", f"{THERE}.all(w, workloads[w].converged)")),
    # Jobs are not rolled out.
    ("rolloutCompletes",
     form("stable", f"{THERE}.all(w, workloads[w].kind == 'Job' || workloads[w].updated)")),
    ("replicasAtMost=value=1", form("always", f"workloads.all(w, {PODS} <= 1)")),
    ("replicasAtMost=value=3", form("never", f"workloads.exists(w, {PODS} > 3)")),
    ("drainCompletes", leads(ACTIVE, f"!({ACTIVE})")),
    ("nodesAtMost=value=2", form("always", "nodes.size() <= 2")),
)


def ask(fathom, check, intents, most):
    """The report on the intents; None if it is refused."""
    command = [fathom, "verify", str(check), "-o", "json", "--quiet", "--trial", "0",
               "--max-states", str(most), "--no-modular", "--jobs", "1"]
    for intent in intents:
        command += ["--intent", intent]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode in (0, 1, 3) else None


def differs(one, other):
    """What is different between two intents of one exploration; None: nothing."""
    if one["verdict"] != other["verdict"]:
        return f"{one['verdict']} and {other['verdict']}"
    if one["verdict"] == "violated" and len(one["trace"]) != len(other["trace"]):
        return f"{len(one['trace'])} and {len(other['trace'])} steps"
    return None


class Comparison:
    def __init__(self, fathom, most):
        self.fathom = fathom
        self.most = most
        self.verdicts = collections.Counter()
        self.states = collections.Counter()
        self.failed = []

    def add(self, name, check):
        """Compares all that the Check can be asked."""
        asked = [pair for pair in SAME if self.compare_states(name, check, *pair)]
        together = ask(self.fathom, check, [one for pair in asked for one in pair], self.most)
        found = together["intents"] if asked and together else []
        for intent, one, other in zip(asked, found[::2], found[1::2]):
            self.verdicts[one["verdict"]] += 1
            self.fail(name, intent[0], differs(one, other))

    def compare_states(self, name, check, intent, expression):
        """Asks both by themselves; False if they are refused."""
        one = ask(self.fathom, check, [intent], self.most)
        other = ask(self.fathom, check, [expression], self.most)
        if one is None or other is None:
            self.fail(name, intent, "only one of them is refused" if one or other else None)
            return False
        verdicts = {report["intents"][0]["verdict"] for report in (one, other)} - {"undecided"}
        if len(verdicts) == 2:
            self.fail(name, intent, "two verdicts, asked by themselves")
        states = one["explored"]["states"], other["explored"]["states"]
        if "undecided" not in (one["intents"][0]["verdict"], other["intents"][0]["verdict"]):
            self.states["same" if states[0] == states[1] else "fewer"] += 1
            may_be_more = name in ONE_BY_ONE and intent.startswith("replicasAtMost")
            self.fail(name, intent, f"{states[0]} and {states[1]} states"
                      if states[0] < states[1] and not may_be_more else None)
        return True

    def fail(self, name, intent, why):
        if why:
            self.failed.append(f"{name}: {intent}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--max-states", type=int, default=5000)
    options = parser.parse_args()
    found = Comparison(options.fathom, options.max_states)
    for check in sorted(path for place in PLACES for path in options.root.glob(place)):
        name = str(check.relative_to(options.root))
        if name not in ALWAYS and zlib.crc32(name.encode()) % options.share:
            continue
        found.add(name, check)
    print("\n".join(found.failed))
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(found.verdicts.items()))
          + f"; {found.states['same']} with as many states, {found.states['fewer']} with fewer")
    if not all(found.verdicts[verdict] for verdict in ("holds", "violated")):
        found.failed.append("the sample shows nothing")
    print(f"{found.verdicts.total() - len(found.failed)} passed, {len(found.failed)} failed")
    return 1 if found.failed else 0


if __name__ == "__main__":
    sys.exit(main())
