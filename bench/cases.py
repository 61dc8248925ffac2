#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What verifying the eight cases costs: both versions of each, on one core.

    bench/cases.py                       all sixteen, with build/fathom
    bench/cases.py --fathom PROGRAM      with another build
    bench/cases.py --reference PROGRAM   beside an older build, as a ratio
    bench/cases.py --runs N              the least of N runs each (default 3)
    bench/cases.py --kubernetes-version VERSION
                                         by these rules, which an older build knows, too

Processor seconds, user and system, so that other load on the machine counts
little; with a reference the two take turns. A reference must come to the same
verdicts with as many states and transitions, or there is nothing to compare.
"""
import argparse
import glob
import json
import os
import subprocess
import sys

from programs import without_trial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def verify(fathom, check, rules):
    """Processor seconds of one verification, and what it found."""
    command = [fathom, "verify", check, "--jobs", "1", "--output", "json", *rules]
    command += without_trial(fathom)
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"cases: {fathom} verify {check}: exit code {process.returncode}")
    report = json.loads(output)
    explored = report["explored"]
    found = (report["verdict"], explored["setups"], explored["states"], explored["transitions"])
    return usage.ru_utime + usage.ru_stime, found


def measure(programs, check, runs, rules):
    """The least time of each program, and what they found."""
    least = [float("inf")] * len(programs)
    results = set()
    for _ in range(runs):
        for i, program in enumerate(programs):
            seconds, found = verify(program, check, rules)
            least[i] = min(least[i], seconds)
            results.add(found)
    if len(results) != 1:
        sys.exit(f"cases: {check}: runs differ: {sorted(results)}")
    return least, results.pop()


def row(name, found, least):
    verdict, setups, states, transitions = found
    line = f"{name:40} {verdict:9} {setups:6} {states:9} {transitions:11} {least[0]:7.3f}"
    if len(least) > 1:
        line += f" {least[1]:9.3f} {least[1] / least[0] if least[0] > 0 else 1:6.2f}"
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--reference")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kubernetes-version")
    options = parser.parse_args()
    version = options.kubernetes_version
    rules = ["--kubernetes-version", version] if version else []
    programs = [os.path.abspath(options.fathom)]
    if options.reference:
        programs.append(os.path.abspath(options.reference))
    heading = f"{'check':40} {'verdict':9} {'setups':>6} {'states':>9} {'transitions':>11} {'CPU s':>7}"
    print(heading + (f" {'reference':>9} {'ratio':>6}" if options.reference else ""))
    sums = [0, 0, 0]
    total = [0.0] * len(programs)
    for folder in sorted(glob.glob(os.path.join(ROOT, "examples", "c0[1-8]-*"))):
        for version in ("broken", "fixed"):
            check = os.path.relpath(os.path.join(folder, version + ".yaml"), ROOT)
            least, found = measure(programs, check, max(options.runs, 1), rules)
            row(check.removeprefix("examples/").removesuffix(".yaml"), found, least)
            sums = [a + b for a, b in zip(sums, found[1:])]
            total = [a + b for a, b in zip(total, least)]
    row("all", ("", *sums), total)


if __name__ == "__main__":
    main()
