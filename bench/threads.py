#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What several threads are worth, within one setup and across setups.

    bench/threads.py                     1, 2 and 4 threads, with build/fathom
    bench/threads.py --threads 1,2       others
    bench/threads.py --fathom PROGRAM    with another build
    bench/threads.py --reference PROGRAM beside an older build, as a ratio of CPU seconds
    bench/threads.py --runs N            the least of N runs each (default 3)
    bench/threads.py --markdown          the table as docs/bench-threads.md has it

`clock` is the time of the wall, and means something only while the machine has
nothing else to do; `CPU` is user and system time of all threads. The speed-up by the
clock is what counts; threads times the CPU seconds of one thread over those of all is
the best that the clock could show on so many idle cores. Every run must report what
the first one did, to the last step, or there is nothing to compare (exit code 1).
"""
import argparse
import json
import os
import subprocess
import sys
import time

from programs import without_trial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = (
    ("one setup", ["bench/threads/rollout.yaml"]),
    ("126 setups", ["examples/c02-apply-without-replicas/fixed.yaml"]),
    ("1764 setups", ["examples/c03-spread-conflict/fixed.yaml"]),
)


def verify(fathom, arguments, threads):
    """Seconds by the clock, seconds of all processors, and the report."""
    started = time.monotonic()
    with subprocess.Popen(
        [fathom, "verify", *arguments, "--jobs", str(threads), "--output", "json",
         *without_trial(fathom)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    clock = time.monotonic() - started
    report = json.loads(output)
    for member in ("elapsedSeconds", "peakMemoryBytes"):
        del report[member]
    return clock, usage.ru_utime + usage.ru_stime, report


def measure(fathom, arguments, counts, runs, reference):
    """By number of threads: the least clock and CPU seconds, and the CPU seconds of the
    reference; and the one report."""
    least = {count: [float("inf")] * 3 for count in counts}
    first = None
    for _ in range(runs):
        for count in counts:
            clock, processor, report = verify(fathom, arguments, count)
            other = verify(reference, arguments, count)[1] if reference else float("inf")
            least[count] = [min(pair) for pair in zip(least[count], (clock, processor, other))]
            first = first or report
            if report != first:
                sys.exit(f"threads: {' '.join(arguments)}: {count} threads report something else")
    return least, first


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fathom", default=os.path.join(ROOT, "build", "fathom"))
    parser.add_argument("--reference")
    parser.add_argument("--threads", default="1,2,4")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    counts = [int(text) for text in options.threads.split(",")]
    form = "| {} | {} | {} | {} | {} | {} | {} |" if options.markdown else (
        "{:12} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9}")
    print(form.format("", "states", "threads", "clock s", "CPU s", "speed-up", "at best")
          + ("   ratio" if options.reference else ""))
    if options.markdown:
        print("|---|---|---|---|---|---|---|")
    reference = os.path.abspath(options.reference) if options.reference else None
    for name, arguments in CASES:
        least, report = measure(
            os.path.abspath(options.fathom), arguments, counts, options.runs, reference)
        for count in counts:
            clock, processor, other = least[count]
            one_clock, one_processor, _ = least[counts[0]]
            best = count / counts[0] * one_processor / processor
            print(form.format(name, report["explored"]["states"], count, f"{clock:.2f}",
                              f"{processor:.2f}", f"{one_clock / clock:.2f}", f"{best:.2f}")
                  + (f"   {other / processor:.2f}" if reference else ""), flush=True)


if __name__ == "__main__":
    main()
