#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets SPIN and Rumur judge the models of the zoo.

For each case below the same model runs in Fathom and in the other checker,
without reductions in either. Compared are the number of stored states, the
number of transitions, the depth of a breadth-first search, the verdict of the
safety check, and the verdict of each temporal formula with weak fairness and
without. Every comparison is printed; any difference fails.

    run_referee.py ZOO_RUN              all cases
    run_referee.py ZOO_RUN peterson     those of one model

It is an error, not a reason to skip, if a checker is missing: the package list
installs them. Exit codes: 0 all agree, 1 some differ, 2 a tool is missing.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Model, parameters (Fathom's names; Promela's are theirs in capitals), the
# safety property judged. "deadlock_free" means the deadlock check as such.
SPIN_CASES = [
    ("philosophers", {"n": 3, "polite": 0}, "deadlock_free"),
    ("philosophers", {"n": 6, "polite": 1}, "deadlock_free"),
    ("token_ring", {"n": 4}, "mutual_exclusion"),
    ("peterson", {"n": 2}, "mutual_exclusion"),
    ("peterson", {"n": 3}, "mutual_exclusion"),
    ("broken_mutex", {"n": 3}, "mutual_exclusion"),
    ("alternating_bit", {"capacity": 2, "values": 3, "lossy": 1}, "in_order"),
    ("alternating_bit", {"capacity": 1, "values": 4, "lossy": 0}, "in_order"),
    ("leader_election", {"n": 4}, "one_leader"),
    ("bounded_buffer", {"producers": 2, "consumers": 2, "capacity": 3, "values": 2}, "deadlock_free"),
    ("queens", {"n": 6}, "not_solved"),
    ("queens", {"n": 8}, "not_solved"),
    ("hanoi", {"n": 5}, "not_solved"),
    ("counters", {"n": 4, "base": 5}, "deadlock_free"),
] + [("fairness_zoo", {"start": start}, "deadlock_free") for start in (0, 2, 5, 7, 10, 13)]

RUMUR_CASES = [
    ("philosophers", {"n": 5, "polite": 0}, "deadlock_free"),
    ("philosophers", {"n": 5, "polite": 1}, "deadlock_free"),
    ("peterson", {"n": 3}, "mutual_exclusion"),
    ("broken_mutex", {"n": 4}, "mutual_exclusion"),
    ("hanoi", {"n": 6}, "not_solved"),
    ("stabilising_ring", {"n": 5, "values": 4}, "someone_may_move"),
]


class Report:
    """The lines of one case, and whether all of them agree."""

    def __init__(self, title):
        self.lines = [title]
        self.same = 0
        self.different = 0

    def compare(self, what, fathom, other):
        same = fathom == other
        self.same += same
        self.different += not same
        mark = "same" if same else "DIFFERENT"
        self.lines.append(f"    {mark:9}  {what}: fathom {fathom}, referee {other}")


def run(command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def must_run(command, cwd=None):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"run_referee: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def fathom(zoo_run, model, parameters, *options):
    settings = [f"{name}={value}" for name, value in parameters.items()]
    lines = must_run([zoo_run, model, *settings, *options]).splitlines()
    return dict(line.split(" ", 1) for line in lines)


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


def spin_verdict(output):
    errors = number(r"errors: (\d+)", output)
    return {None: "no answer", 0: "holds"}.get(errors, "violated")


def compile_pan(folder, name, *options):
    must_run(["gcc", "-O0", "-w", "-DNOREDUCE", *options, "-o", name, "pan.c"], folder)
    return os.path.join(folder, name)


def spin_case(zoo_run, model, parameters, safety):
    report = Report(f"spin: {model} {parameters}")
    source = os.path.join(HERE, model + ".pml")
    with tempfile.TemporaryDirectory() as folder:
        must_run(["spin", "-a", *[f"-D{k.upper()}={v}" for k, v in parameters.items()], source], folder)
        # Every state, whatever is wrong with it: breadth first, ignoring deadlocks and assertions.
        counter = compile_pan(folder, "count", "-DSAFETY", "-DNOCLAIM", "-DBFS")
        counts = run([counter, "-E", "-A", "-m100000"], folder)
        judge = compile_pan(folder, "judge", "-DSAFETY", "-DNOCLAIM")
        verdict = spin_verdict(run([judge, "-m100000"], folder))
        mine = fathom(zoo_run, model, parameters)
        report.compare("states", int(mine["states"]), number(r"(\d+) states, stored", counts))
        # SPIN counts the way into the initial state as a transition.
        theirs = number(r"(\d+) transitions", counts)
        report.compare("transitions", int(mine["transitions"]), theirs and theirs - 1)
        report.compare("depth", int(mine["depth"]), number(r"depth reached (\d+)", counts))
        report.compare(safety, fathom(zoo_run, model, parameters, "--property", safety)["verdict"],
                       verdict)
        spin_formulas(zoo_run, model, parameters, folder, source, report)
    return report


def spin_formulas(zoo_run, model, parameters, folder, source, report):
    with open(source, encoding="utf-8") as file:
        formulas = re.findall(r"^ltl (\w+)", file.read(), re.MULTILINE)
    if not formulas:
        return
    pan = compile_pan(folder, "live", "-DNFAIR=4")
    for formula in formulas:
        for title, theirs, ours in (("weakly fair", ["-f"], []), ("unfair", [], ["--unfair"])):
            output = run([pan, "-a", "-m100000", *theirs, "-N", formula], folder)
            mine = fathom(zoo_run, model, parameters, "--property", formula, *ours)
            report.compare(f"{formula}, {title}", mine["verdict"], spin_verdict(output))


def rumur_source(model, parameters, with_invariant):
    with open(os.path.join(HERE, model + ".m"), encoding="utf-8") as file:
        text = file.read()
    values = {name.upper(): value for name, value in parameters.items()}
    if "values" in parameters:
        values["CODES"] = parameters["values"] ** parameters["n"]
    for name, value in values.items():
        text = re.sub(rf"\b{name}: \d+;", f"{name}: {value};", text, count=1)
    # An invariant stops the search at its violations, so counting goes without.
    return text if with_invariant else re.sub(r"(?s)\ninvariant .*", "\n", text)


def rumur_run(folder, name, source, deadlock):
    with open(os.path.join(folder, name + ".m"), "w", encoding="utf-8") as file:
        file.write(source)
    must_run(["rumur", "--deadlock-detection", deadlock, "--symmetry-reduction", "off",
              "--output", name + ".c", name + ".m"], folder)
    must_run(["gcc", "-O1", "-w", "-mcx16", "-o", name, name + ".c", "-lpthread"], folder)
    return run([os.path.join(folder, name)], folder)


def rumur_case(zoo_run, model, parameters, safety):
    report = Report(f"rumur: {model} {parameters}")
    with tempfile.TemporaryDirectory() as folder:
        counts = rumur_run(folder, "count", rumur_source(model, parameters, False), "off")
        judged = rumur_run(folder, "judge", rumur_source(model, parameters, True), "stuck")
        mine = fathom(zoo_run, model, parameters)
        report.compare("states", int(mine["states"]), number(r"(\d+) states,", counts))
        report.compare("transitions", int(mine["transitions"]), number(r"(\d+) rules fired", counts))
        verdict = "violated" if "error(s) found" in judged else "holds"
        if "No error found" not in judged and verdict == "holds":
            verdict = "no answer"
        report.compare(safety, fathom(zoo_run, model, parameters, "--property", safety)["verdict"],
                       verdict)
    return report


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    missing = [tool for tool in ("spin", "rumur", "gcc") if not shutil.which(tool)]
    if missing:
        print(f"run_referee: {', '.join(missing)} not installed (see packages.txt)", file=sys.stderr)
        return 2
    zoo_run = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2:]
    jobs = [(spin_case, case) for case in SPIN_CASES] + [(rumur_case, case) for case in RUMUR_CASES]
    jobs = [job for job in jobs if not wanted or job[1][0] in wanted]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(lambda job: job[0](zoo_run, *job[1]), jobs))
    for report in reports:
        print("\n".join(report.lines))
    same = sum(report.same for report in reports)
    different = sum(report.different for report in reports)
    print(f"{same} passed, {different} failed")
    return 1 if different or not same else 0


if __name__ == "__main__":
    sys.exit(main())
