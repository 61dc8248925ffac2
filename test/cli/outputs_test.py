#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Outputs that cannot be written: a full or closed standard output, files that grow beyond what the disk
has, programs that are killed while they write. The exit code is 2 (3 where the run was undecided anyway) with
the reason, and no file of that name is there with half of its content.

    outputs_test.py FATHOM
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FATHOM = ""
CHECK = "examples/c07-nodename-vs-taint/broken.yaml"
RUN = ["-f", "test/data/runs/r001", "--run", "1"]
OBJECTIVE = ["examples/slo-hpa-full-queue/threshold.yaml", "--timeout", "20s"]
LIMITS = ["--trial", "0", "--max-states", "2000"]


def run(arguments, disk=None, **streams):
    """`disk`: the most bytes that a file may have."""
    def keep_files_small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))
    streams.setdefault("stdout", subprocess.DEVNULL)
    done = subprocess.run([FATHOM] + arguments, cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          preexec_fn=keep_files_small if disk is not None else None, timeout=120, **streams)
    return done.returncode, done.stderr.decode()


class Outputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.report = os.path.join(self.folder, "report.json")
        self.shard = os.path.join(self.folder, "shard.json")
        run(["verify", CHECK, "-o", f"json={self.report}"] + LIMITS)
        run(["verify", CHECK, "-o", f"json={self.shard}", "--shard", "1/1"] + LIMITS)

    def commands(self):
        """All that write to standard output."""
        return [
            ["verify", CHECK] + LIMITS, ["verify", CHECK, "-o", "json"] + LIMITS, ["explain", self.report],
            ["replay", self.report], ["replay", "--observed", "test/data/runs/r001"],
            ["simulate", CHECK, "--seed", "1"], ["check-manifests", "-f", CHECK], ["decide", "scheduler", "-f", CHECK],
            ["controller", "examples/controller-machine/check.yaml", "--max-states", "100"],
            ["trace", "import"] + RUN + ["-o", "json"], ["trace", "show"] + RUN + ["-o", "html"],
            ["trace", "query", "roots"] + RUN, ["completion", "bash"], ["version"], ["help", "verify"],
            ["fix", CHECK, "--max-states", "2000"], ["diff", CHECK, CHECK, "--max-states", "2000"],
            ["eval", "nodes.size()", "-f", CHECK], ["init", CHECK, "--to", "-"], ["schema", "Check"],
            ["slo"] + OBJECTIVE, ["join", self.shard],
        ]

    def test_standard_output_is_full(self):
        with open("/dev/full", "wb") as full:
            for command in self.commands():
                code, said = run(command, stdout=full)
                self.assertEqual(code, 2, (command, said))
                self.assertIn("standard output: cannot be written: No space left on device", said, command)

    def test_standard_output_is_closed(self):
        for command in self.commands():
            closed = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', FATHOM] + command, cwd=ROOT,
                                    stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120)
            self.assertEqual(closed.returncode, 2, (command, closed.stderr))
            self.assertIn(b"standard output: cannot be written: Bad file descriptor", closed.stderr, command)

    def test_the_disk_is_full(self):
        """Neither the file nor a draft of it is left; a file that was there stays as it was."""
        made = os.path.join(self.folder, "made")
        cases = [
            (2, "verified", ["verify", CHECK] + LIMITS + ["-o", "json=FILE"]),
            (2, "page", ["trace", "show"] + RUN + ["-o", "html=FILE"]),
            (2, "records", ["trace", "import"] + RUN + ["-o", "json=FILE"]),
            (3, "checkpoint", ["verify", "bench/threads/rollout.yaml", "--checkpoint", "FILE"] + LIMITS),
            (2, "patch", ["fix", CHECK, "--max-states", "2000", "-o", "json=FILE"]),
            (2, "changes", ["diff", CHECK, CHECK, "--max-states", "2000", "-o", "json=FILE"]),
            (2, "joined", ["join", self.shard, "-o", "html=FILE"]),
            (2, "run", ["simulate", CHECK, "--steps", "3", "--seed", "1", "-o", "run=FILE"]),
            (2, "plot", ["slo"] + OBJECTIVE + ["-o", "svg=FILE"]),
            (2, "diagram", ["controller", "examples/controller-machine/check.yaml", "--max-states", "100", "-o", "html=FILE"]),
            (2, "again", ["replay", self.report, "-o", "json=FILE"]),
            (2, "begun", ["init", CHECK, "--to", "FILE"]),
            (2, "kubeconfig", ["apiserver", "--memory", "--port", "0", "--write-kubeconfig", "FILE"]),
        ]
        for expected, name, command in cases:
            path = os.path.join(self.folder, name)
            for before in (None,) if command[0] == "init" else (None, "as it was"):  # init replaces nothing
                if before:
                    with open(path, "w", encoding="utf-8") as stream:
                        stream.write(before)
                code, said = run([word.replace("FILE", path) for word in command], disk=64)
                self.assertEqual(code, expected, (name, said))
                self.assertIn("File too large", said, name)
                self.assertIn(path, said)
                self.assertEqual([other for other in os.listdir(self.folder) if other.startswith(name)],
                                 [name] if before else [])
                if before:
                    with open(path, encoding="utf-8") as stream:
                        self.assertEqual(stream.read(), before)
        code, said = run(["record", "test/data/runs/r001", "--run", "1", "--as-check", made], disk=64)
        self.assertEqual(code, 2, said)
        self.assertEqual(os.listdir(made), [])

    def test_kills_leave_whole_files(self):
        """Whenever it is killed, a report is there as a whole, or the one before it is."""
        draw = random.Random(1)
        path = os.path.join(self.folder, "killed.json")
        for _ in range(15):
            with subprocess.Popen([FATHOM, "verify", CHECK, "-o", f"json={path}"] + LIMITS, cwd=ROOT,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
                time.sleep(draw.random() * 0.03)
                child.kill()
            if os.path.exists(path):
                with open(path, encoding="utf-8") as stream:
                    self.assertEqual(json.load(stream)["kind"], "Report")


if __name__ == "__main__":
    FATHOM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
