#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs all tests and checks; called by ./run-tests, which installs what they need.

The stages are the release build and its tests, static checks, the build with
AddressSanitizer and UndefinedBehaviorSanitizer and its tests, a few seconds of every
fuzzer. They share the processors: what need not wait for a build runs beside it.
A test counts once for each of its cases in each build; a static check or a fuzzer
counts once. Logs are in build*/.
"""

import argparse
import fnmatch
import glob
import json
import os
import random
import re
import shutil
import sys
import threading
import time

import jobs
import static_checks

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FUZZ_SECONDS = 3
FUZZ_SECONDS_LONG = 600
FUZZ_ONLY_LONG = {"batch"}  # its build has all deciders
SANITIZER_ARGUMENTS = "-g1 -fno-sanitize-recover=all -fsanitize-undefined-trap-on-error"
BUILDS = {
    "release": ("build", ["--buildtype", "release"]),
    "sanitizer": (
        "build-asan",
        # With assertions; optimised, to be fast enough. Gcc's warnings are then
        # wrong now and then, and the release build has looked at them already.
        # Lines are all that a stack trace needs of what debuggers want to know. What is
        # undefined traps, and AddressSanitizer tells where. Half a million descriptions of
        # what might be wrong where, 13 MB of data in each program, would tell what, too,
        # and make every start twice as long.
        ["-Ddebug=false", f"-Dc_args={SANITIZER_ARGUMENTS}", "-Db_ndebug=false"]
        + ["-Db_sanitize=address,undefined", "-Doptimization=1", "-Dwerror=false"]
        + ["-Db_staticpic=false"],
    ),
}
# AddressSanitizer keeps pointers to places in the source. Where programs have a fixed
# address, these need not be adapted whenever one starts, of thousands that do. Meson
# puts these options before those of shared libraries, which win.
SANITIZER_COMPILER = "cc -fno-pie -no-pie"


# What the sanitizer build does not repeat: the suites of scripts, which are no C,
# and of referees, whose programs are not ours; and tests that run over again what
# others have run, to look at it from another side.
ONCE = (
    "adversary",
    "build",
    "causes",
    "converted_runs",
    "dispatch",
    "documents",
    "expressions_library",
    "fix_applied",
    "focus",
    "follow_vary",
    "follow_walks",
    "help_examples",
    "kubectl",
    "large_states",
    "live_verify",
    "minimal_repairs",
    "record_command_kubectl",
    "recorded_table",
    "report_page",
    "schema",
    "topics",
    "trace_dashboard",
    "trace_import_quality",
    "trace_kills",
    "trace_recorded_chains",
    "ui_page",
    "versions_table",
)


# Tests that wait for timers and for other programs most of the time: less than a third of
# their time is processor time.
SLEEPS = (
    "controller_run",
    "controller_run_hanging_request",
    "controller_run_restarting_server",
    "cross",
    "program",
    "record_command",
    "record_command_kubectl",
    "record_stubborn_kubectl",
)


class Results:
    """What passed and what failed, told as it happens; and what it cost."""

    def __init__(self):
        self.lock = threading.Lock()
        self.start = time.monotonic()
        self.passed = 0
        self.failures = []
        self.stages = {}

    def add(self, name, passed, failed, log, seconds):
        """One line for a test with that many cases; the log is for the end."""
        with self.lock:
            self.passed += passed
            word = "ok" if not failed else "FAILED"
            print(f"{word:6} {name} ({passed + failed}, {seconds:.1f} s)", flush=True)
            if failed:
                self.failures.append((name, failed, log))

    def cost(self, stage, start, cpu_seconds):
        """Something of that stage ran from then until now."""
        with self.lock:
            first, _, before = self.stages.get(stage, (start, 0, 0))
            self.stages[stage] = (min(first, start), time.monotonic(), before + cpu_seconds)

    def times(self):
        print("\nstage                   from     to   seconds of processor time")
        for stage, (start, end, cpu) in sorted(self.stages.items(), key=lambda item: item[1]):
            print(f"{stage:20} {start - self.start:7.0f} {end - self.start:6.0f} {cpu:9.1f}")
        total = sum(cpu for _, _, cpu in self.stages.values())
        print(f"{'all':20} {0:7} {time.monotonic() - self.start:6.0f} {total:9.1f}")

    def summary(self):
        for name, _, log in self.failures:
            print(f"\n--- {name}")
            lines = log.rstrip().split("\n")
            if len(lines) > 200:
                lines = lines[:100] + [f"[{len(lines) - 200} lines left out]"] + lines[-100:]
            print("\n".join(lines))
        self.times()
        failed = sum(count for _, count, _ in self.failures)
        print(f"\n{self.passed} passed, {failed} failed")
        return 1 if failed else 0


def run(command, **options):
    return jobs.run(command, ROOT, **options)


def cases_in(output):
    """How many cases a test says it ran, as (passed, failed); None if it does not say."""
    own = re.findall(r"^(\d+) passed, (\d+) failed$", output, re.M)
    if own:
        return int(own[-1][0]), int(own[-1][1])
    cmocka = re.findall(r"^\[  (PASSED|FAILED)  \] (\d+) test\(s\)", output, re.M)
    if cmocka:
        counts = {"PASSED": 0, "FAILED": 0}
        for word, count in cmocka:
            counts[word] += int(count)
        return counts["PASSED"], counts["FAILED"]
    ran = re.findall(r"^Ran (\d+) tests? in", output, re.M)
    if ran:
        bad = sum(int(count) for count in re.findall(r"(?:failures|errors)=(\d+)", output))
        return int(ran[-1]) - bad, bad
    return None


def set_up(name):
    folder, options = BUILDS[name]
    environment = dict(os.environ)
    if name == "sanitizer":
        cache = "ccache " if shutil.which("ccache") else ""  # meson looks for it only without CC
        environment["CC"] = cache + SANITIZER_COMPILER
        environment["CC_LD"] = "lld"
    return run(["meson", "setup", "-Dtests=enabled", *options, folder], environment=environment)


def configure(name):
    """Sets the build up. A folder that ./fathom has set up knows nothing of the
    packages that only tests need, and so has to look again."""
    folder = BUILDS[name][0]
    ninja_file = os.path.join(ROOT, folder, "build.ninja")
    packages = os.path.join(ROOT, "packages.txt")
    if not os.path.exists(ninja_file):
        return set_up(name)
    listed = json.loads(run(["meson", "introspect", "--buildoptions", folder]).output)
    tested = any(option["name"] == "tests" and option["value"] == "enabled" for option in listed)
    if not tested or os.path.getmtime(packages) > os.path.getmtime(ninja_file):
        return run(["meson", "setup", "--reconfigure", "-Dtests=enabled", folder])
    return None


def build(results, name, parallel):
    """Configures and compiles; a failure counts as one."""
    folder = BUILDS[name][0]
    start = time.monotonic()
    done = configure(name)
    log, cpu = (done.output, done.cpu_seconds) if done else ("", 0)
    if not done or done.code == 0:
        done = run(["ninja", "-C", folder, f"-j{parallel}"])
        log += done.output
        cpu += done.cpu_seconds
    os.makedirs(os.path.join(ROOT, folder), exist_ok=True)
    with open(os.path.join(ROOT, folder, "compile.log"), "w", encoding="utf-8") as stream:
        stream.write(log)
    good = done.code == 0
    results.cost(f"{name}/build", start, cpu)
    results.add(f"{name}/build", int(good), int(not good), log, time.monotonic() - start)
    return good


def tests_of(name, selected):
    """The build's tests that are selected, as meson describes them; with their names."""
    listed = json.loads(run(["meson", "introspect", "--tests", BUILDS[name][0]]).output)
    for test in listed:
        suite = test["suite"][0].split(":")[-1]
        if name == "sanitizer" and (suite in ("scripts", "referee") or test["name"] in ONCE):
            continue
        full_name = f"{name}/{suite}/{test['name']}"
        if selected(full_name, suite):
            yield full_name, test


def run_test(results, name, test):
    """One of meson's tests, as `meson test` would run it."""
    build_name = name.split("/", 1)[0]
    folder = os.path.join(ROOT, BUILDS[build_name][0])
    environment = {
        **os.environ,
        "ASAN_OPTIONS": "abort_on_error=0:detect_leaks=1:strict_string_checks=1:handle_sigill=1",
        "CMOCKA_MESSAGE_OUTPUT": "STDOUT",
        "MALLOC_PERTURB_": str(random.randint(1, 255)),  # new memory is not zero
        **test["env"],
    }
    start = time.monotonic()
    done = jobs.run(test["cmd"], test["workdir"] or folder, environment=environment,
                    timeout=test["timeout"])
    results.cost(f"{build_name}/tests", start, done.cpu_seconds)
    passed, failed = cases_in(done.output) or (int(done.code == 0), int(done.code != 0))
    if done.code != 0 and not failed:
        failed = 1  # it broke before or after its cases
    ended = "out of time" if done.timed_out else f"exit code {done.code}"
    log = f"{ended}: MALLOC_PERTURB_={environment['MALLOC_PERTURB_']} {' '.join(test['cmd'])}\n"
    log += done.output
    logs = os.path.join(folder, "test-logs")
    os.makedirs(logs, exist_ok=True)
    with open(os.path.join(logs, test["name"] + ".log"), "w", encoding="utf-8") as stream:
        stream.write(f"{log}\n{done.seconds:.2f} s, {done.cpu_seconds:.2f} s of processor time\n")
    results.add(name, passed, failed, log, done.seconds)


def run_check(pool, results, name, long):
    """Adds the parts of a static check; the last of them to end tells what all found."""
    function, expected_seconds, _ = static_checks.CHECKS[name]
    parts = function(ROOT, long) or [lambda: ("there is nothing to check\n", 0.0)]
    start = time.monotonic()
    lock = threading.Lock()
    found = {}

    def one(number, part):
        part_start = time.monotonic()
        text, cpu = part()
        results.cost(f"static/{name}", part_start, cpu)
        with lock:
            found[number] = text
            if len(found) < len(parts):
                return
        log = "".join(found[number] for number in sorted(found))
        results.add(f"static/{name}", int(not log), int(bool(log)), log,
                    time.monotonic() - start)

    for number, part in enumerate(parts):
        pool.add(lambda number=number, part=part: one(number, part), expected_seconds)


def add_fuzzers(pool, results, selected, options):
    """tools/fuzz builds the harnesses on its first call, so that one runs alone."""
    targets = sorted(
        os.path.basename(path)[: -len("_fuzz.c")]
        for path in glob.glob(os.path.join(ROOT, "test", "fuzz", "*_fuzz.c"))
    )
    targets = [target for target in targets if selected(f"fuzz/{target}", "fuzz") and
               (options.long or options.only or target not in FUZZ_ONLY_LONG)]
    seconds = FUZZ_SECONDS_LONG if options.long else FUZZ_SECONDS

    def one(target):
        start = time.monotonic()
        done = run([os.path.join(ROOT, "tools", "fuzz"), target, str(seconds)])
        results.cost("fuzz", start, done.cpu_seconds)
        good = done.code == 0
        results.add(f"fuzz/{target}", int(good), int(not good), done.output,
                    time.monotonic() - start)

    def first():
        one(targets[0])
        for target in targets[1:]:
            pool.add(lambda target=target: one(target), seconds)

    if targets:
        pool.add(first, seconds + 40)


def main():
    parser = argparse.ArgumentParser(
        prog="./run-tests", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--fast", action="store_true", help="unit and cli tests, release build only")
    parser.add_argument(
        "--long", action="store_true", help="the whole depth of the analyzer, ten minutes a fuzzer"
    )
    parser.add_argument(
        "--only",
        metavar="PATTERN",
        help="only what has this in its name, as printed (release/unit/options);\n"
        "* stands for anything",
    )
    options = parser.parse_args()

    def selected(name, suite):
        if options.fast and not (name.startswith("release/") and suite in ("unit", "cli", "scripts")):
            return False
        return not options.only or fnmatch.fnmatch(name, f"*{options.only}*")

    results = Results()
    pool = jobs.Pool(jobs.slots())
    names = ["sanitizer", "release"]
    if options.fast or (options.only or "").startswith(("release", "static", "fuzz")):
        names = ["release"]
    elif (options.only or "").startswith("sanitizer"):
        names = ["sanitizer"]
    checks = [check for check in static_checks.CHECKS if selected(f"static/{check}", "static")]

    def build_and_test(name):
        if not build(results, name, max(1, pool.slots // len(names))):
            return
        for full_name, test in tests_of(name, selected):
            pool.add(lambda full_name=full_name, test=test: run_test(results, full_name, test),
                     max(1, test["priority"]), test["name"] in SLEEPS)
        if name == "release":
            add_checks(after_build=True)

    def add_checks(after_build):
        for check in checks:
            _, expected_seconds, needs_build = static_checks.CHECKS[check]
            if needs_build == after_build:
                pool.add(lambda check=check: run_check(pool, results, check, options.long),
                         expected_seconds)

    for name in names:
        pool.add(lambda name=name: build_and_test(name), 1000)
    add_checks(after_build=False)
    add_fuzzers(pool, results, selected, options)
    for error in pool.wait():
        results.add("run-tests", 0, 1, error, 0)
    return results.summary()


if __name__ == "__main__":
    sys.exit(main())
