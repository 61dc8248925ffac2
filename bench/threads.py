#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What several threads are worth, within one setup and across setups.

    bench/threads.py                     1, 2, 4, 8 and 16 threads, with build/fathom
    bench/threads.py --threads 1,2       others
    bench/threads.py --fathom PROGRAM    with another build
    bench/threads.py --reference PROGRAM beside an older build, as a ratio of CPU seconds
    bench/threads.py --runs N            the least of N runs each (default 3)
    bench/threads.py --markdown          the table as docs/bench-threads.md has it

`clock` is the time of the wall, and means something only while the machine has
nothing else to do and as many cores; `CPU` is user and system time of all threads. The
speed-up is by the clock. On any other machine, the rest of the columns says what to
expect:

    inflation  CPU seconds over those of one thread: what is done twice, or slower
    serial     the share of the CPU seconds in which only one thread can work, by the
               phases that `verify --stats` tells: of one setup, all but the levels
               that several threads expand, and tables that grow within these; of many, what is outside of setups
    at best    the speed-up on as many idle cores, from these two alone: the CPU
               seconds of one thread over the serial ones and an equal part of the
               others each (of many setups, at least the longest one). Waiting for each
               other, and for memory that more cores read, comes on top

Every run must report what the first one did, to the last step, or there is nothing to
compare (exit code 1). --reference takes an older build without --stats, too.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from programs import without_trial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = (
    ("one setup", ["bench/threads/rollout.yaml", "--no-modular"]),
    ("126 setups", ["examples/c02-apply-without-replicas/fixed.yaml"]),
    ("1764 setups", ["examples/c03-spread-conflict/fixed.yaml"]),
)


def phases_of(text):
    """The numbers of --stats by name; times in seconds."""
    found = re.findall(r"^(\w+) +([0-9.]+) ", text, re.M)
    return {name: float(number) for name, number in found}


def serial_seconds(processor, phases):
    """Of all CPU seconds, those that more threads do not divide."""
    if phases["setups"] > 1:
        return max(processor - phases["in_setups"] - phases["helping"], 0.0)
    shared = phases["expanding_shared"] + phases["sorting_shared"] - phases["growing"]
    return max(processor - shared, 0.0)


def at_best(threads, one_processor, processor, phases):
    """The speed-up on so many idle cores, by the shares alone."""
    serial = serial_seconds(processor, phases)
    divided = (processor - serial) / threads
    if phases["setups"] > 1:
        divided = max(divided, phases["longest_setup"])
    return one_processor / (serial + divided) if threads > 1 else 1.0


def verify(fathom, arguments, threads, stats=True):
    """Seconds by the clock, seconds of all processors, the report, and the phases."""
    started = time.monotonic()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as told, subprocess.Popen(
        [fathom, "verify", *arguments, "--jobs", str(threads), "--output", "json",
         *without_trial(fathom), *(["--stats"] if stats else [])],
        stdout=subprocess.PIPE,
        stderr=told if stats else None,
        cwd=ROOT,
    ) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        told.seek(0)
        phases = phases_of(told.read())
    clock = time.monotonic() - started
    report = json.loads(output)
    for member in ("elapsedSeconds", "peakMemoryBytes"):
        del report[member]
    return clock, usage.ru_utime + usage.ru_stime, report, phases


def measure(fathom, arguments, counts, runs, reference):
    """By number of threads: the least clock and CPU seconds, and the CPU seconds of the
    reference; and the phases of the run with the least CPU seconds; and the one report."""
    least = {count: [float("inf")] * 3 for count in counts}
    phases_of_least = {}
    first = None
    for _ in range(runs):
        for count in counts:
            clock, processor, report, phases = verify(fathom, arguments, count)
            other = verify(reference, arguments, count, False)[1] if reference else float("inf")
            if processor < least[count][1]:
                phases_of_least[count] = phases
            least[count] = [min(pair) for pair in zip(least[count], (clock, processor, other))]
            first = first or report
            if report != first:
                sys.exit(f"threads: {' '.join(arguments)}: {count} threads report something else")
    return least, phases_of_least, first


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--reference")
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    counts = [int(text) for text in options.threads.split(",")]
    form = "| {} | {} | {} | {} | {} | {} | {} | {} | {} |" if options.markdown else (
        "{:12} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8}")
    print(form.format("", "states", "threads", "clock s", "CPU s", "speed-up", "inflation",
                      "serial", "at best")
          + ("   ratio" if options.reference else ""))
    if options.markdown:
        print("|" + "---|" * 9)
    reference = os.path.abspath(options.reference) if options.reference else None
    for name, arguments in CASES:
        least, phases, report = measure(
            os.path.abspath(options.fathom), arguments, counts, options.runs, reference)
        for count in counts:
            clock, processor, other = least[count]
            one_clock, one_processor, _ = least[counts[0]]
            best = at_best(count, one_processor, processor, phases[count])
            serial = serial_seconds(processor, phases[count]) / processor
            print(form.format(name, report["explored"]["states"], count, f"{clock:.2f}",
                              f"{processor:.2f}", f"{one_clock / clock:.2f}",
                              f"{processor / one_processor:.2f}",
                              f"{100 * serial:.1f} %" if count > 1 else "", f"{best:.1f}")
                  + (f"   {other / processor:.2f}" if reference else ""), flush=True)


if __name__ == "__main__":
    main()
