#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the same work costs with two builds, in instructions: is a change slower?

    bench/compare.py PROGRAM REFERENCE    both are .../fathom of a build folder
    bench/compare.py ... --only TEXT      only rows with this in their name
    bench/compare.py ... --runs N         beside instructions the least processor time of
                                          N runs each, which take turns (default 0: none)
    bench/compare.py ... --lines N        more or fewer recorded decisions (default 100)
    bench/compare.py ... --most RATIO     fails if a row costs more than this (say 1.02)
    bench/compare.py ... --keep FOLDER    the profiles, for callgrind_annotate
    bench/compare.py ... --write FILE     the table into a page (docs/bench-versions.md)

Instructions are counted by valgrind (callgrind). They are the same whatever else the
machine does, so a hundredth more shows. A ratio is PROGRAM's over REFERENCE's: less
than 1 is cheaper. Both get this tree's inputs and the rules of Kubernetes 1.26, which
every build knows. Answers that differ are marked: then the work was not the same.

  start      fathom version, fathom --help
  decide     recorded decisions of each controller, every nth line of the corpus
  verify     both versions of the eight cases; a topology of 100 nodes (bench/scale.py)
  benches    programs in bench/ of both build folders (ninja -C build bench/explore_bench)
"""
import argparse
import concurrent.futures
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

from pages import write_page
from programs import without_trial

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CORPORA = os.path.join(ROOT, "test", "data", "conformance")
DECISIONS = {
    "scheduler": "sched-v1.26",
    "hpa": "hpa-v1.26",
    "deployment": "deployment-v1.26",
    "replicaset": "replicaset-v1.26",
    "statefulset": "statefulset-v1.26",
    "daemonset": "daemonset-v1.26",
    "job": "job-v1.26",
    "pdb": "pdb-v1.26",
    "nodelifecycle": "nodelifecycle-v1.26",
    "descheduler": "desched-v0.27.1",
}
RULES = ["--kubernetes-version", "1.26"]
BENCHES = [
    ["explore_bench", "counters", "5", "6"],
    ["explore_bench", "philosophers", "9", "1", "live"],
    ["explore_bench", "tiny", "200"],
    ["manifest_bench", "200"],
]
COLUMNS = ["work", "million instructions", "reference", "ratio"]
TIMES = ["CPU ms", "reference", "ratio"]


class Work:
    """One row: a command of each program, and what of its answer has to be the same."""

    def __init__(self, name, command, stdin="", answer=lambda output: output):
        self.name = name
        self.command = command  # program -> list of words
        self.stdin = stdin
        self.answer = answer

    def run(self, program, before=()):
        """The answer and the processor seconds."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output:
            given.write(self.stdin.encode())
            given.seek(0)
            with subprocess.Popen([*before, *self.command(program)], cwd=ROOT, stdin=given,
                                  stdout=output, stderr=subprocess.PIPE) as process:
                complaints = process.stderr.read().decode()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1):
                sys.exit(f"compare: {self.name}: {' '.join(process.args)}: "
                         f"exit code {process.returncode}\n{complaints}")
            output.seek(0)
            text = output.read().decode()
        return (process.returncode, self.answer(text)), usage.ru_utime + usage.ru_stime

    def instructions(self, program, folder):
        """The answer, and the instructions of the program with its forks."""
        profile = os.path.join(folder, re.sub(r"\W+", "-", self.name))
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}.%p"]
        answer, _ = self.run(program, valgrind)
        count = 0
        for path in glob.glob(profile + ".*"):
            with open(path, encoding="utf-8", errors="replace") as stream:
                totals = [line for line in stream if line.startswith("totals:")]
            count += int(totals[-1].split()[1])
        return answer, count


def verification(text):
    """What two builds have to find both, whatever else a report says."""
    report = json.loads(text)
    explored = report["explored"]
    return report["verdict"], explored["setups"], explored["states"], explored["transitions"]


def decisions(text):
    """Answers as a set of facts: the order of members does not matter."""
    return [json.loads(line) for line in text.splitlines()]


def excerpt(corpus, most):
    with gzip.open(os.path.join(CORPORA, corpus + "-open.jsonl.gz"), "rt", encoding="utf-8") as stream:
        lines = stream.readlines()
    return "".join(lines[:: max(1, len(lines) // most)][:most])


def verify_command(check):
    def command(program):
        return [program, "verify", check, "--jobs", "1", "--output", "json", *RULES,
                *without_trial(program)]
    return command


def all_work(programs, options, folder):
    def nothing(_text):
        return ""

    for words in (["version"], ["--help"]):
        yield Work(f"start: {' '.join(words)}", lambda program, words=words: [program, *words],
                   answer=nothing)
    for controller, corpus in DECISIONS.items():
        words = ["decide", controller, "--batch", *RULES]
        yield Work(f"decide {controller}", lambda program, words=words: [program, *words],
                   excerpt(corpus, options.lines), decisions)
    for case in sorted(glob.glob(os.path.join(ROOT, "examples", "c0[1-8]-*"))):
        for version in ("broken", "fixed"):
            path = os.path.join(case, version + ".yaml")
            yield Work(f"verify {os.path.basename(case)} {version}", verify_command(path),
                       answer=verification)
    scale = os.path.join(folder, "scale.yaml")
    with open(scale, "w", encoding="utf-8") as stream:
        subprocess.run([os.path.join(ROOT, "bench", "scale.py"), "--print", "many", "100"],
                       stdout=stream, check=True)
    yield Work("verify scale many 100", verify_command(scale), answer=verification)
    for name, *words in BENCHES:
        def command(program, name=name, words=words):
            return [os.path.join(os.path.dirname(program), "bench", name), *words]
        if all(os.path.exists(command(program)[0]) for program in programs):
            yield Work(" ".join([name, *words]), command, answer=nothing)


def measure(work, programs, options, folders):
    """The cells of a row."""
    counted = [work.instructions(*pair) for pair in zip(programs, folders)]
    counts = [count for _, count in counted]
    ratio = counts[0] / counts[1]
    same = counted[0][0] == counted[1][0]
    cells = [work.name, *(f"{count / 1e6:,.1f}" for count in counts),
             f"{ratio:.3f}" + ("" if same else " (answers differ)")]
    if options.runs:
        least = [min(times) for times in zip(*(
            [work.run(program)[1] for program in programs] for _ in range(options.runs)))]
        cells += [*(f"{seconds * 1000:,.1f}" for seconds in least),
                  f"{least[0] / least[1]:.2f}" if least[1] else ""]
    return cells, ratio, same


def table(rows):
    head = COLUMNS + (TIMES if rows and len(rows[0]) > len(COLUMNS) else [])
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]


def compare(options, programs, folder):
    """The rows, and whether no ratio is more than is allowed."""
    folders = [os.path.join(folder, name) for name in ("program", "reference")]
    for name in folders:
        os.makedirs(name, exist_ok=True)
    rows, good = [], True
    works = [work for work in all_work(programs, options, folder) if options.only in work.name]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for cells, ratio, same in pool.map(
                lambda work: measure(work, programs, options, folders), works):
            rows.append(cells)
            good = good and same and not (options.most and ratio > options.most)
            print("  ".join(f"{cell:>12}" if i else f"{cell:42}" for i, cell in enumerate(cells)),
                  flush=True)
    return rows, good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("reference")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--most", type=float)
    parser.add_argument("--keep")
    parser.add_argument("--write")
    options = parser.parse_args()
    programs = [os.path.abspath(options.program), os.path.abspath(options.reference)]
    with tempfile.TemporaryDirectory() as folder:
        rows, good = compare(options, programs, options.keep or folder)
    if options.write:
        write_page(options.write, {"ratios": table(rows)})
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
