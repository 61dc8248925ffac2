#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well --max-states, --memory and --timeout are kept.

    bench/limits.py                      everything, with build/fathom
    bench/limits.py --fathom PROGRAM     with another build
    bench/limits.py states|memory|time   one of them

Each row is a run that cannot end before its limit, with all workloads together
(--no-modular): what was allowed, what was used, and the ratio. States are those of the report, memory is the largest resident size
that the kernel saw of the process, time is that of the clock, so that `time` wants a
machine with nothing else to do. A ratio above 1.1 is a failure (exit code 1), as is
an exit code other than 3, a `holds`, or a run that used far less than it was allowed:
the limit came too early.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LARGE = "bench/threads/large.yaml"
SETUPS = "examples/c08-soft-spread-vs-descheduler/fixed.yaml"
UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def run(fathom, arguments):
    """Exit code, report, seconds, and bytes of one verification."""
    started = time.monotonic()
    with subprocess.Popen(
        [fathom, "verify", *arguments, "--no-modular", "--output", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
    ) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - started
    return process.returncode, json.loads(output), seconds, usage.ru_maxrss * 1024


class Table:
    def __init__(self):
        self.failures = 0
        print(f"{'limit':22} {'what':44} {'used':>12} {'ratio':>6}  ended by")

    def add(self, limit, what, used, allowed, least, found):
        code, report = found
        ratio = used / allowed
        verdicts = {intent["verdict"] for intent in report["intents"]}
        wrong = []
        if ratio > 1.1:
            wrong.append("too much")
        if ratio < least:
            wrong.append("too early")
        if code != 3 or "holds" in verdicts:
            wrong.append(f"exit code {code}, {', '.join(sorted(verdicts))}")
        self.failures += bool(wrong)
        ended = "; ".join(report["limits"]) or "-"
        used_text = f"{used:.2f}" if isinstance(used, float) else f"{used}"
        print(f"{limit:22} {what:44} {used_text:>12} {ratio:6.2f}  {ended}"
              + ("  WRONG: " + "; ".join(wrong) if wrong else ""), flush=True)


def states(fathom, table):
    for check, extra in ((LARGE, []), (SETUPS, ["--interleaving", "full"])):
        for jobs in (1, 2, 4):
            for most in (100, 1000, 30000, 300000):
                found = run(fathom, [check, *extra, "--jobs", str(jobs), "--max-states", str(most)])
                table.add(f"--max-states {most}", f"{check} --jobs {jobs}"[-44:],
                          found[1]["explored"]["states"], most, 0.9, found[:2])


def memory(fathom, table):
    for jobs in (1, 2, 4):
        for size in ("32Mi", "64Mi", "128Mi", "256Mi"):
            allowed = int(size[:-2]) * UNITS[size[-2:]]
            found = run(fathom, [LARGE, "--jobs", str(jobs), "--memory", size])
            table.add(f"--memory {size}", f"{LARGE} --jobs {jobs}"[-44:], found[3], allowed, 0.6,
                      found[:2])
    with tempfile.TemporaryDirectory() as folder:
        found = run(fathom, [LARGE, "--jobs", "1", "--memory", "128Mi", "--checkpoint",
                             os.path.join(folder, "checkpoint")])
        table.add("--memory 128Mi", "... --checkpoint", found[3], 128 * UNITS["Mi"], 0.6, found[:2])


def times(fathom, table):
    for check, extra in ((LARGE, []), (SETUPS, ["--interleaving", "full"])):
        for jobs in (1, 2, 4):
            for seconds in (1, 3, 10):
                found = run(fathom, [check, *extra, "--jobs", str(jobs), "--timeout", f"{seconds}s"])
                table.add(f"--timeout {seconds}s", f"{check} --jobs {jobs}"[-44:], found[2], seconds,
                          0.9, found[:2])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", nargs="?", choices=("states", "memory", "time"))
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    options = parser.parse_args()
    table = Table()
    for name, measure in (("states", states), ("memory", memory), ("time", times)):
        if options.what in (None, name):
            measure(os.path.abspath(options.fathom), table)
    sys.exit(1 if table.failures else 0)


if __name__ == "__main__":
    main()
