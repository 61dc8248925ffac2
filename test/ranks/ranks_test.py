#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fathom-mpi and what it is made of, on several ranks of this machine.

    ranks_test.py FATHOM FATHOM_MPI RANKS_MODELS
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARGE = os.path.join(ROOT, "bench/threads/rollout.yaml")
# Loops, ends, clocks, autoscalers, several intents; each takes less than a second alone.
SAMPLE = ["examples/c02-apply-without-replicas/broken.yaml", "examples/c05-duplicates-vs-resources/broken.yaml",
          "examples/c16-logging-surge/broken.yaml", "test/cases/beside-clocks/check.yaml"]
LOOPS = SAMPLE[1]
SECONDS = 300


def command(ranks, *program, options=()):
    return ["mpirun", "--oversubscribe", "--allow-run-as-root", "--quiet", *options, "-np", str(ranks), *program]


def run(ranks, *program, **environment):
    return subprocess.run(command(ranks, *program), env={**os.environ, **environment}, cwd=ROOT, text=True,
                          capture_output=True, timeout=SECONDS, check=False)


class Models(unittest.TestCase):
    def agree(self, ranks, first, count, **environment):
        done = run(ranks, RANKS_MODELS, str(first), str(count), **environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{count} models on {ranks} ranks", done.stdout)
        return done.stdout

    def test_random_models_are_the_same_on_any_number_of_ranks(self):
        told = {re.sub(r"on \d ranks", "", self.agree(ranks, 1, 20)) for ranks in (1, 2, 3, 4)}
        self.assertEqual(len(told), 1, told)

    def test_delays_change_nothing(self):
        self.agree(3, 1000, 4, FATHOM_MPI_DELAY_US="1000")

    def test_what_one_rank_has_no_memory_for_four_decide(self):
        def explore(ranks, most):
            told = run(ranks, RANKS_MODELS, "memory", str(most)).stdout
            found = re.fullmatch(r"(\w+) \((.*)\), (\d+) states, (\d+) bytes\n", told)
            self.assertTrue(found, told)
            return found.groups()
        verdict, _, states, taken = explore(1, 1 << 30)
        self.assertEqual(verdict, "holds")
        half = int(taken) // 2
        self.assertEqual(explore(1, half)[:2], ("undecided", "the memory limit was reached"))
        four = explore(4, half)
        self.assertEqual((four[0], four[2]), ("holds", states))


class Checks(unittest.TestCase):
    def test_reports_are_those_of_one_process(self):
        done = subprocess.run([os.path.join(HERE, "ranks_checks.py"), FATHOM, FATHOM_MPI, *SAMPLE,
                               "--ranks", "1,2,3,4", "--alone", "100"], cwd=ROOT, text=True, capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(SAMPLE)} Checks", done.stdout)
        self.assertIn(" 0 left out", done.stdout)

    def test_a_counterexample_is_replayed_by_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.json")
            done = run(2, FATHOM_MPI, "verify", LOOPS, "--trial", "0s", "-o", "json=" + report)
            self.assertEqual(done.returncode, 1, done.stderr)
            replayed = subprocess.run([FATHOM, "replay", report], cwd=ROOT, text=True, capture_output=True,
                                      check=False)
            self.assertEqual(replayed.returncode, 1, replayed.stderr)
            self.assertIn("noEvictionLoop", replayed.stdout)

    def test_limits_end_in_undecided(self):
        done = run(2, FATHOM_MPI, "verify", LARGE, "--trial", "0s", "--max-states", "3000", "--no-color")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the limit on states was reached (--max-states 3000)", done.stdout)
        done = run(2, FATHOM_MPI, "verify", LARGE, "--trial", "0s", "--timeout", "1s", "--no-color")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("UNDECIDED", done.stdout)

    def test_statistics(self):
        done = run(3, FATHOM_MPI, "verify", SAMPLE[2], "--trial", "0s", "--stats")
        self.assertRegex(done.stderr, r"rank +states +expanded +transitions +sent +bytes")
        self.assertRegex(done.stderr, r"largest share of states [\d.]+ of the mean, [\d.]+ bytes a transition")

    def test_what_is_not_supported_is_refused(self):
        for option in (["--fix"], ["--shard", "1/2"]):
            done = run(2, FATHOM_MPI, "verify", LOOPS, *option)
            self.assertEqual(done.returncode, 2, option)
            self.assertIn(option[0] + ": is for a process by itself", done.stderr)
            self.assertEqual(done.stderr.count("for a process by itself"), 1)
        self.assertEqual(run(2, FATHOM_MPI, "decide").returncode, 2)
        self.assertEqual(run(2, FATHOM_MPI, "verify", "no-such.yaml").returncode, 2)

    def test_a_killed_rank_leaves_an_undecided_report(self):
        """mpirun ends the other ranks, and gives rank 0 the time to tell."""
        options = ["--mca", "odls_base_sigkill_timeout", "60"]
        with tempfile.TemporaryFile("w+") as told:
            started = subprocess.Popen(
                command(3, FATHOM_MPI, "verify", LARGE, "--trial", "0s", "--no-color", "--progress", "always",
                        options=options),
                cwd=ROOT, text=True, stdout=told, stderr=subprocess.PIPE,
                env={**os.environ, "FATHOM_MPI_DELAY_US": "100000"})
            line = started.stderr.readline()
            while line and " states" not in line:
                line = started.stderr.readline()
            self.assertTrue(line, "the run ended before it was killed")
            os.kill(ranks_of(started.pid)[1], signal.SIGKILL)
            started.stderr.read()
            code = started.wait(timeout=SECONDS)
            started.stderr.close()
            told.seek(0)
            report = told.read()
        self.assertNotIn(code, (0, 1))
        self.assertIn("UNDECIDED", report)
        self.assertIn("interrupted", report)
        self.assertNotIn("HOLDS", report)
        self.assertNotIn("VIOLATED", report)


class Checkpoints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.kept = os.path.join(self.folder, "kept")

    def verify(self, ranks, *options, path=LARGE):
        return run(ranks, FATHOM_MPI, "verify", path, "--trial", "0s", "--no-color", *options)

    def interrupted(self, ranks=2):
        done = self.verify(ranks, "--checkpoint", self.kept, "--checkpoint-every", "0s", "--max-states", "3000")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(f"to go on from here: --resume {self.kept}", done.stderr)
        return sorted(os.listdir(self.folder))

    def test_a_run_that_goes_on_has_the_report_of_one_that_was_not_interrupted(self):
        done = subprocess.run([os.path.join(HERE, "ranks_checks.py"), FATHOM, FATHOM_MPI, *SAMPLE, "--ranks", "3",
                               "--halves", "--alone", "100"], cwd=ROOT, text=True, capture_output=True,
                              timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(SAMPLE)} runs went on from a checkpoint", done.stdout)

    def test_the_limit_is_reached_again_farther_on(self):
        """Each time the run goes on where it was, and the files take turns."""
        states = []
        for most in ("3000", "6000", "9000"):
            how = ["--resume", self.kept] if states else ["--checkpoint", self.kept]
            done = self.verify(2, *how, "--checkpoint-every", "0s", "--max-states", most)
            self.assertEqual(done.returncode, 3, done.stderr)
            states.append(int(re.search(r"(\d+) states", done.stdout).group(1)))
        self.assertEqual(states, sorted(set(states)))

    def test_a_rank_was_killed(self):
        with tempfile.TemporaryFile("w+") as told:
            started = subprocess.Popen(
                command(3, FATHOM_MPI, "verify", SAMPLE[1], "--trial", "0s", "--checkpoint", self.kept,
                        "--checkpoint-every", "0s"),
                cwd=ROOT, text=True, stdout=told, stderr=told,
                env={**os.environ, "FATHOM_MPI_DELAY_US": "20000"})
            while started.poll() is None and len(os.listdir(self.folder)) < 6:
                time.sleep(0.01)
            self.assertIsNone(started.poll(), "the run ended before it was killed")
            os.kill(ranks_of(started.pid)[1], signal.SIGKILL)
            self.assertNotIn(started.wait(timeout=SECONDS), (0, 1))
        alone = subprocess.run([FATHOM, "verify", SAMPLE[1], "--trial", "0s", "--no-modular", "--jobs", "1", "--no-color"],
                               cwd=ROOT, text=True, capture_output=True, check=False)
        done = self.verify(3, "--resume", self.kept, path=SAMPLE[1])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, alone.stdout)

    def test_files_that_do_not_fit_are_refused(self):
        names = self.interrupted()
        self.assertEqual([name.split(".")[1] for name in names], ["1-of-2"] * 2 + ["2-of-2"] * 2)

        def refused(why, *options, ranks=2, path=LARGE):
            done = self.verify(ranks, "--resume", self.kept, *options, path=path)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(why, done.stderr)
        refused("kept.1-of-3.a: No such file or directory", ranks=3)
        refused("was made from other input", path=SAMPLE[0])
        refused("was made from other input", "--interleaving", "settled")
        for name in names[2:]:
            path = os.path.join(self.folder, name)
            with open(path, "r+b") as file:
                file.seek(os.path.getsize(path) // 2)
                byte = file.read(1)
                file.seek(-1, os.SEEK_CUR)
                file.write(bytes([byte[0] ^ 1]))
        refused("kept.2-of-2.a: is damaged: its checksum is wrong")

    def test_one_file_of_two_may_be_lost(self):
        """The run goes on from the last time of which all ranks have a file."""
        self.interrupted()
        os.remove(os.path.join(self.folder, "kept.2-of-2.a"))
        done = self.verify(2, "--resume", self.kept, "--max-states", "6000")
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_what_cannot_be_written(self):
        done = self.verify(2, "--checkpoint", os.path.join(self.folder, "no", "folder"), "--checkpoint-every", "0s",
                           "--max-states", "3000")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("no checkpoint was written", done.stderr)
        self.assertNotIn("--resume", done.stderr)
        done = self.verify(2, "--checkpoint", self.kept, "--checkpoint-every", "soon")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--checkpoint-every: expected a duration such as 10m, found 'soon'", done.stderr)


def ranks_of(mpirun):
    """The processes that it has started, in the order of their ranks."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as file:
                if name.isdigit() and int(file.read().rpartition(")")[2].split()[1]) == mpirun:
                    found.append(int(name))
        except (OSError, ValueError, IndexError):
            continue
    return sorted(found)


if __name__ == "__main__":
    FATHOM, FATHOM_MPI, RANKS_MODELS = (os.path.abspath(path) for path in sys.argv[1:4])
    if not shutil.which("mpirun"):
        print("skipped: mpirun is not installed (Debian's openmpi-bin)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[4:], verbosity=2)
