#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs all tests and checks; called by ./run-tests, which installs what they need.

The steps, in order: the release build and its tests, static checks, the build
with AddressSanitizer and UndefinedBehaviorSanitizer and its tests, a few
seconds of every fuzzer. A test counts once for each of its cases in each
build; a static check or a fuzzer counts once. Logs are in build*/.
"""

import argparse
import concurrent.futures
import fnmatch
import glob
import json
import os
import re
import sys
import time

import static_checks

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FUZZ_SECONDS = 5
FUZZ_SECONDS_LONG = 600
BUILDS = {
    "release": ("build", ["--buildtype", "release"]),
    "sanitizer": (
        "build-asan",
        # With assertions; optimised, to be fast enough. Gcc's warnings are then
        # wrong now and then, and the release build has looked at them already.
        # Lines are all that a stack trace needs of what debuggers want to know.
        ["-Ddebug=false", "-Dc_args=-g1", "-Db_ndebug=false", "-Db_sanitize=address,undefined"]
        + ["-Doptimization=1", "-Dwerror=false"],
    ),
}


# What the sanitizer build does not repeat: the suites of scripts, which are no C,
# and of referees, whose programs are not ours; and tests that run over again what
# others have run, to look at it from another side.
ONCE = (
    "apart",
    "causes",
    "documents",
    "kubectl",
    "large_states",
    "recorded_table",
    "trace_dashboard",
    "trace_import_quality",
    "trace_kills",
    "trace_recorded_chains",
)


class Results:
    """What passed and what failed, told as it happens."""

    def __init__(self):
        self.passed = 0
        self.failures = []

    def add(self, name, passed, failed, log, seconds):
        """One line for a test with that many cases; the log is for the end."""
        self.passed += passed
        word = "ok" if not failed else "FAILED"
        print(f"{word:6} {name} ({passed + failed}, {seconds:.1f} s)", flush=True)
        if failed:
            self.failures.append((name, failed, log))

    def summary(self):
        for name, _, log in self.failures:
            print(f"\n--- {name}")
            lines = log.rstrip().split("\n")
            if len(lines) > 200:
                lines = lines[:100] + [f"[{len(lines) - 200} lines left out]"] + lines[-100:]
            print("\n".join(lines))
        failed = sum(count for _, count, _ in self.failures)
        print(f"\n{self.passed} passed, {failed} failed")
        return 1 if failed else 0


def run(command, **options):
    return static_checks.run(command, ROOT, **options)


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


def configure(folder, options):
    """Sets the build up. A folder that ./fathom has set up knows nothing of the
    packages that only tests need, and so has to look again."""
    ninja_file = os.path.join(ROOT, folder, "build.ninja")
    packages = os.path.join(ROOT, "packages.txt")
    if not os.path.exists(ninja_file):
        return run(["meson", "setup", "-Dtests=enabled", *options, folder])
    listed = json.loads(run(["meson", "introspect", "--buildoptions", folder]).stdout)
    tested = any(option["name"] == "tests" and option["value"] == "enabled" for option in listed)
    if not tested or os.path.getmtime(packages) > os.path.getmtime(ninja_file):
        return run(["meson", "setup", "--reconfigure", "-Dtests=enabled", folder])
    return None


def build(results, name):
    """Configures and compiles; a failure counts as one."""
    folder, options = BUILDS[name]
    start = time.monotonic()
    done = configure(folder, options)
    log = done.stdout if done else ""
    if not done or done.returncode == 0:
        done = run(["ninja", "-C", folder])
        log += done.stdout
    with open(os.path.join(ROOT, folder, "compile.log"), "w", encoding="utf-8") as stream:
        stream.write(log)
    good = done.returncode == 0
    results.add(f"{name}/build", int(good), int(not good), log, time.monotonic() - start)
    return good


def tests_of(name, selected):
    """The names of the build's tests that are selected, as meson wants them."""
    listed = json.loads(run(["meson", "introspect", "--tests", BUILDS[name][0]]).stdout)
    found = []
    for test in listed:
        suite = test["suite"][0].split(":")[-1]
        if name == "sanitizer" and (suite in ("scripts", "referee") or test["name"] in ONCE):
            continue
        if selected(f"{name}/{suite}/{test['name']}", suite):
            found.append(test["name"])
    return found


def test(results, name, selected):
    folder = BUILDS[name][0]
    names = tests_of(name, selected)
    if not names:
        return
    environment = dict(
        os.environ,
        ASAN_OPTIONS="abort_on_error=0:detect_leaks=1:strict_string_checks=1",
        UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1",
        CMOCKA_MESSAGE_OUTPUT="STDOUT",
    )
    log_path = os.path.join(ROOT, folder, "meson-logs", "testlog.json")
    if os.path.exists(log_path):
        os.remove(log_path)
    output = run(["meson", "test", "-C", folder, "--no-rebuild", *names], env=environment).stdout
    seen = 0
    if os.path.exists(log_path):
        with open(log_path, encoding="utf-8") as stream:
            for line in stream:
                report(results, name, json.loads(line))
                seen += 1
    if seen != len(names):
        results.add(f"{name}/meson-test", 0, 1, output, 0)


def report(results, build_name, entry):
    log = entry.get("stdout", "") + entry.get("stderr", "")
    good = entry["result"] in ("OK", "EXPECTEDFAIL", "SKIP")
    passed, failed = cases_in(log) or (int(good), int(not good))
    if not good and not failed:
        failed = 1  # it broke before or after its cases
    suite, _, test_name = entry["name"].rpartition(" / ")
    suite = suite.split(":")[-1]
    results.add(
        f"{build_name}/{suite}/{test_name}",
        passed,
        failed,
        f"{entry['result']} {entry.get('command')}\n{log}",
        entry["duration"],
    )


def check(results, selected, long):
    for name, function in static_checks.CHECKS.items():
        if selected(f"static/{name}", "static"):
            start = time.monotonic()
            log = function(ROOT, long)
            results.add(f"static/{name}", int(not log), int(bool(log)), log,
                        time.monotonic() - start)


def fuzz(results, selected, seconds):
    """tools/fuzz builds the harnesses on its first call, so that one runs alone."""
    targets = sorted(
        os.path.basename(path)[: -len("_fuzz.c")]
        for path in glob.glob(os.path.join(ROOT, "test", "fuzz", "*_fuzz.c"))
    )
    targets = [target for target in targets if selected(f"fuzz/{target}", "fuzz")]

    def one(target):
        start = time.monotonic()
        done = run([os.path.join(ROOT, "tools", "fuzz"), target, str(seconds)])
        good = done.returncode == 0
        results.add(f"fuzz/{target}", int(good), int(not good), done.stdout,
                    time.monotonic() - start)

    for target in targets[:1]:
        one(target)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, targets[1:]))


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
    if build(results, "release"):
        test(results, "release", selected)
    if not options.fast:
        check(results, selected, options.long)
        if not (options.only or "").startswith(("release", "static", "fuzz")):
            if build(results, "sanitizer"):
                test(results, "sanitizer", selected)
        fuzz(results, selected, FUZZ_SECONDS_LONG if options.long else FUZZ_SECONDS)
    return results.summary()


if __name__ == "__main__":
    sys.exit(main())
