#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Intents of the library against the expressions that say the same (docs/expressions.md): the same
verdict, and counterexamples of the same length.

    library.py FATHOM ROOT [--share N] [--max-states N]

Every Check of the tree is asked all of them in one exploration; with --share 3, every third Check.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import zlib

PLACES = ("examples/*/*.yaml", "test/cases/*/check.yaml", "examples/field/*/*.yaml")
THERE = "workloads.filter(w, workloads[w].exists)"
SAME = (
    ("converges", "stable", f"{THERE}.all(w, workloads[w].converged)"),
    # Jobs are not rolled out.
    ("rolloutCompletes", "stable",
     f"{THERE}.all(w, workloads[w].kind == 'Job' || workloads[w].updated)"),
    ("replicasAtMost=value=1", "always",
     "workloads.all(w, workloads[w].pods.filter(p, !p.terminating).size() <= 1)"),
    ("replicasAtMost=value=3", "never",
     "workloads.exists(w, workloads[w].pods.filter(p, !p.terminating).size() > 3)"),
)


def ask(fathom, check, most):
    """The intents of the report, two by two; None if the Check is refused."""
    command = [fathom, "verify", str(check), "-o", "json", "--quiet", "--trial", "0",
               "--max-states", str(most), "--no-modular", "--jobs", "1"]
    for intent, kind, expression in SAME:
        command += ["--intent", intent, "--intent", f"{kind}=expression={json.dumps(expression)}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        return None
    intents = json.loads(done.stdout)["intents"]
    return list(zip(intents[::2], intents[1::2]))


def differs(left, right):
    if "undecided" in (left["verdict"], right["verdict"]):
        return None
    if left["verdict"] != right["verdict"]:
        return f"{left['verdict']} and {right['verdict']}"
    if left["verdict"] == "violated" and len(left["trace"]) != len(right["trace"]):
        return f"{len(left['trace'])} and {len(right['trace'])} steps"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--max-states", type=int, default=5000)
    options = parser.parse_args()
    verdicts = {}
    failed = []
    for check in sorted(path for place in PLACES for path in options.root.glob(place)):
        name = str(check.relative_to(options.root))
        if zlib.crc32(name.encode()) % options.share:
            continue
        for left, right in ask(options.fathom, check, options.max_states) or []:
            verdicts[left["verdict"]] = verdicts.get(left["verdict"], 0) + 1
            said = differs(left, right)
            if said:
                failed.append(f"{name}: {left['label']}: {said}")
    print("\n".join(failed))
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    judged = sum(verdicts.values())
    if not all(verdicts.get(verdict) for verdict in ("holds", "violated")):
        failed.append("the sample shows nothing")
    print(f"{judged - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
