#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom verify --shard` and `fathom join`: the join of all shards is the report of one process, byte for
byte but for times, in every format and over any number of shards; what does not belong together is refused.

    test/cli/shards_test.py build/fathom
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FATHOM = []

# Two workloads, which are decided one by one.
WORKLOADS = """
apiVersion: fathom/v1
kind: Check
metadata: {name: two-workloads}
spec:
  nodeGroups:
  - {name: node, count: {min: 1, max: 3}, node: {status: {allocatable: {cpu: "4", memory: 16Gi, pods: "110"}}}}
  intents: [{name: podsSchedulable}, {name: converges}]
""" + "".join(f"""---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: default}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec: {{containers: [{{name: c, image: x, resources: {{requests: {{cpu: {cpu}}}}}}}]}}
""" for name, cpu in (("web", "500m"), ("api", "2")))

# Setups of which some violate; several intents; loops; several workloads, in parts; two Checks.
CHECKS = {
    "violated": (["examples/c03-spread-conflict/broken.yaml"], (1, 2, 3, 4, 8)),
    "workloads": (["workloads.yaml", "--modular-first"], (2, 3)),
    "loop": (["examples/c04-kernel-panic-loop/broken.yaml", "--interleaving=full"], (3,)),
    "all": (["workloads.yaml", "--all"], (2,)),
    "limited": (["examples/c03-spread-conflict/broken.yaml", "--max-states=5000"], (3,)),
    "two": (["examples/c02-apply-without-replicas/broken.yaml", "examples/c07-nodename-vs-taint/fixed.yaml"], (2,)),
}
FORMATS = ("text", "json", "junit", "sarif", "gitlab", "html")
TIMES = re.compile(r'(time=|timestamp=|"(?:elapsedSeconds|peakMemoryBytes)": ?)("[^"]*"|[0-9.e+-]+)')


def run(*arguments, code=None, environment=None, cwd=ROOT, program=None):
    """Runs the program; its output as text, and its complaints."""
    done = subprocess.run([program or os.path.abspath(FATHOM[0]), *arguments], cwd=cwd, text=True, capture_output=True,
                          timeout=300, env={**os.environ, **(environment or {})})
    if code is not None and done.returncode != code:
        raise AssertionError(f"{arguments}: exit code {done.returncode}, not {code}: {done.stderr}")
    return done


class Shards(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def shards(self, arguments, count, stem="shard", program=None):
        names = [self.path(f"{stem}-{number}.json") for number in range(1, count + 1)]
        for number, name in enumerate(names, 1):
            run("verify", *arguments, "--quiet", "--jobs=1", f"--shard={number}/{count}", f"-ojson={name}", code=0,
                program=program)
        return names

    def formats(self, stem):
        return [f"-o{form}={self.path(stem + '.' + form)}" for form in FORMATS]

    def content(self, stem):
        found = {}
        for form in FORMATS:
            with open(self.path(f"{stem}.{form}"), encoding="utf-8") as file:
                found[form] = TIMES.sub(r"\1", file.read())
        return found

    def test_a_join_is_the_report_of_one_process(self):
        for name, (arguments, counts) in CHECKS.items():
            arguments = [self.write("w.yaml", WORKLOADS) if text == "workloads.yaml" else text
                         for text in [*arguments, "--trial=0"]]
            one = run("verify", *arguments, "--quiet", "--jobs=2", *self.formats("one"))
            for count in counts:
                with self.subTest(check=name, shards=count):
                    names = self.shards(arguments, count)
                    joined = run("join", *reversed(names), "--quiet", *self.formats("joined"))
                    self.assertEqual(joined.returncode, one.returncode, joined.stderr)
                    self.assertEqual(self.content("joined"), self.content("one"))

    def test_shards_explore_only_their_own_setups(self):
        names = self.shards(["examples/c03-spread-conflict/fixed.yaml", "--trial=0"], 3)
        setups = []
        for number, name in enumerate(names):
            with open(name, encoding="utf-8") as file:
                check = json.load(file)["checks"][0]
            self.assertTrue(all(outcome["setup"] % 3 == number for outcome in check["outcomes"]))
            setups += [outcome["setup"] for outcome in check["outcomes"]]
        self.assertEqual(sorted(setups), list(range(check["setups"])))

    def test_people_can_read_how_far_a_shard_got(self):
        found = run("verify", "examples/c03-spread-conflict/broken.yaml", "--shard=2/4", "-otext", code=0)
        self.assertEqual(found.stdout, "Shard 2 of 4, Check spread-conflict: 15 of 441 setups explored, 1 of them "
                         "violates an intent; fathom join has the verdict\n")

    def test_numbers_come_from_the_environment(self):
        check = "examples/c07-nodename-vs-taint/broken.yaml"
        second = run("verify", check, "--quiet", "--shard=2/3", code=0).stdout
        for variables in ({"JOB_COMPLETION_INDEX": "1"}, {"SLURM_ARRAY_TASK_ID": "2"}):
            found = run("verify", check, "--quiet", "--shard=auto/3", environment=variables, code=0)
            self.assertEqual(found.stdout, second)
        for variables, wanted in (({}, "found neither"),
                                  ({"JOB_COMPLETION_INDEX": "1", "SLURM_ARRAY_TASK_ID": "2"}, "found both"),
                                  ({"JOB_COMPLETION_INDEX": "3"}, "from 0 to 2, found \"3\""),
                                  ({"SLURM_ARRAY_TASK_ID": "0"}, "from 1 to 3, found \"0\"")):
            found = run("verify", check, "--shard=auto/3", environment=variables, code=2)
            self.assertIn(wanted, found.stderr)

    def test_what_does_not_belong_together_is_refused(self):
        check = self.path("check.yaml")
        shutil.copy(os.path.join(ROOT, "examples/c07-nodename-vs-taint/fixed.yaml"), check)
        names = self.shards([check], 3)
        others = self.shards([check, "--interleaving=full"], 3, "other")
        halves = self.shards([check], 2, "half")
        foreign = self.shards([check], 3, "foreign", self.foreign_build())
        strangers = self.shards(["examples/c02-apply-without-replicas/fixed.yaml"], 3, "strange")
        cases = [
            ([names[0], names[2]], "of 3 shards 1 is missing: 2"),
            ([names[1]], "of 3 shards 2 are missing: 1, 3"),
            ([*names, names[1]], "shard 2 of 3 is given twice"),
            ([names[0], others[1], names[2]], "was made with other arguments"),
            ([names[0], halves[1], names[2]], "is one of 2 shards, and not of 3"),
            ([names[0], strangers[1], names[2]], "does not belong to"),
            ([names[0], foreign[1], names[2]], "was written by another build of fathom"),
            (foreign, "was written by another build of fathom"),
            ([names[0], self.damaged(names[1]), names[2]], "its checksum is wrong"),
            ([names[0], self.path("nothing.json"), names[2]], "cannot be read"),
            ([names[0], check, names[2]], "expected the report of a shard"),
        ]
        run("join", *names, code=0)
        for reports, wanted in cases:
            found = run("join", *reports, code=2)
            self.assertIn(wanted, found.stderr)
            self.assertEqual(found.stdout, "")
        with open(check, "a", encoding="utf-8") as file:
            file.write("# changed\n")
        self.assertIn("has changed", run("join", *names, code=2).stderr)

    def foreign_build(self):
        """A program that is not the same file, and does the same."""
        program = self.path("fathom")
        shutil.copy(FATHOM[0], program)
        with open(program, "ab") as file:
            file.write(b"x")
        return program

    def damaged(self, name):
        with open(name, encoding="utf-8") as file:
            text = file.read()
        return self.write("damaged.json", text.replace('"states":', '"states":1', 1))

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_options_that_make_no_sense_are_refused(self):
        check = "examples/c07-nodename-vs-taint/fixed.yaml"
        for options, wanted in (
                (["--shard=0/3"], "from 1 to 3"), (["--shard=4/3"], "from 1 to 3"), (["--shard=3"], "I/N or auto/N"),
                (["--shard=1/0"], "I/N or auto/N"), (["--shard=1/2", "--checkpoint=x"], "cannot be combined"),
                (["--shard=1/2", "-ojunit"], "its report is json or text"), (["--shard-notes=x"], "only shards have notes")):
            self.assertIn(wanted, run("verify", check, *options, code=2).stderr)
        manifests = run("verify", "-f", "examples/app-marketplace/before/rabbitmq.yaml", "--shard=1/2", code=2)
        self.assertIn("found several questions", manifests.stderr)
        self.assertIn("found nothing", run("join", code=2).stderr)
        names = self.shards([check], 1)
        self.assertIn("give --all to the shards", run("join", *names, "-osvg", code=2).stderr)

    def test_shards_that_see_notes_stop_early(self):
        check = "examples/c03-spread-conflict/broken.yaml"
        one = run("verify", check, "--trial=0", "--jobs=1", code=1).stdout
        arguments = [check, "--trial=0", f"--shard-notes={self.folder}"]
        last = []
        for name in self.shards(arguments, 4):
            with open(name, encoding="utf-8") as file:
                last.append(json.load(file)["checks"][0]["outcomes"][-1]["setup"])
        # The second shard has the smallest setup that violates: those after it see that, the first does not.
        self.assertEqual(last[1], 57)
        self.assertGreater(last[0], 57)
        self.assertLess(max(last[2:]), 57)
        joined = run("join", *[self.path(f"shard-{number}.json") for number in range(1, 5)], code=1)
        self.assertEqual(joined.stdout, one)


if __name__ == "__main__":
    FATHOM.append(sys.argv.pop(1))
    unittest.main()
