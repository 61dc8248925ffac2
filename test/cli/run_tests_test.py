#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""That ./run-tests loses no failure, with stand-ins for tests and checks."""

import contextlib
import io
import os
import sys
import threading
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))

import jobs  # noqa: E402
import run_tests  # noqa: E402
import static_checks  # noqa: E402


def shell(script):
    return ["/bin/sh", "-c", script]


class RunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, run_tests, "ROOT", run_tests.ROOT)
        run_tests.ROOT = folder.name
        os.makedirs(os.path.join(folder.name, "build"))
        self.output = io.StringIO()
        self.results = run_tests.Results()

    def ended(self):
        """The exit code and the last line."""
        with contextlib.redirect_stdout(self.output):
            code = self.results.summary()
        return code, self.output.getvalue().rstrip("\n").split("\n")[-1]

    def run_one(self, script, timeout=60):
        test = {"name": "one", "cmd": shell(script), "env": {}, "workdir": None,
                "timeout": timeout}
        with contextlib.redirect_stdout(self.output):
            run_tests.run_test(self.results, "release/unit/one", test)
        return self.ended()

    def check(self, parts):
        self.addCleanup(static_checks.CHECKS.pop, "stand-in")
        static_checks.CHECKS["stand-in"] = (lambda root, long: parts, 1, False)
        pool = jobs.Pool(2)
        pool.add(lambda: run_tests.run_check(pool, self.results, "stand-in", False))
        with contextlib.redirect_stdout(self.output):
            self.assertEqual(pool.wait(), [])
        return self.ended()

    def test_a_test_that_passes(self):
        self.assertEqual(self.run_one("echo '3 passed, 0 failed'"), (0, "3 passed, 0 failed"))

    def test_a_test_that_fails(self):
        self.assertEqual(self.run_one("echo '3 passed, 2 failed'; exit 1"),
                         (1, "3 passed, 2 failed"))

    def test_a_failure_that_the_exit_code_does_not_tell(self):
        self.assertEqual(self.run_one("echo '3 passed, 1 failed'"), (1, "3 passed, 1 failed"))

    def test_a_test_that_breaks_after_its_cases(self):
        self.assertEqual(self.run_one("echo '3 passed, 0 failed'; kill -SEGV $$"),
                         (1, "3 passed, 1 failed"))

    def test_a_test_that_says_nothing(self):
        self.assertEqual(self.run_one("kill -KILL $$"), (1, "0 passed, 1 failed"))

    def test_a_test_that_takes_too_long(self):
        self.assertEqual(self.run_one("sleep 60 & wait", timeout=0.1), (1, "0 passed, 1 failed"))
        self.assertIn("out of time", self.output.getvalue())

    def test_checks(self):
        good = static_checks.part(shell("echo all is well"), ROOT)
        self.assertEqual(self.check([good, good]), (0, "1 passed, 0 failed"))

    def test_a_check_that_finds_something(self):
        good = static_checks.part(shell("true"), ROOT)
        bad = static_checks.part(shell("echo here; exit 1"), ROOT)
        self.assertEqual(self.check([good, bad, good]), (1, "0 passed, 1 failed"))

    def test_a_check_that_is_killed(self):
        self.assertEqual(self.check([static_checks.part(shell("kill -KILL $$"), ROOT)]),
                         (1, "0 passed, 1 failed"))

    def test_a_check_of_nothing(self):
        self.assertEqual(self.check([]), (1, "0 passed, 1 failed"))

    def test_what_breaks_stops_nothing_else(self):
        ran = []
        pool = jobs.Pool(1)
        pool.add(lambda: jobs.run(["/nonexistent/program"], ROOT), 2)
        pool.add(lambda: ran.append(True), 1)
        errors = pool.wait()
        self.assertEqual(ran, [True])
        self.assertEqual(len(errors), 1)
        self.assertIn("/nonexistent/program", errors[0])

    def test_what_sleeps_keeps_nothing_waiting(self):
        """The sleeper ends only if the other job runs beside it, though there is one slot."""
        woken = threading.Event()
        ended = []
        pool = jobs.Pool(1)
        pool.add(lambda: ended.append(woken.wait(30)), 2, sleeps=True)
        pool.add(woken.set, 1)
        self.assertEqual(pool.wait(), [])
        self.assertEqual(ended, [True])


if __name__ == "__main__":
    unittest.main()
