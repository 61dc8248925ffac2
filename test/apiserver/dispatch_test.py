#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom dispatch`: kubectl and the API server take the Indexed Job, and the command lines of its pods, run
with the files that their volume has, give shards whose join is the report of one process. So do the tasks of
the sbatch file.

    test/apiserver/dispatch_test.py build/fathom
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from serving import FATHOM, Server

KUBECTL = os.environ.get("KUBECTL", "kubectl")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CHECK = "examples/c03-spread-conflict/broken.yaml"


def program():
    return os.path.abspath(FATHOM[0])


def run(command, code=0, cwd=ROOT, environment=None):
    done = subprocess.run(command, cwd=cwd, text=True, capture_output=True, timeout=300,
                          env={**os.environ, **(environment or {})})
    if done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


class Dispatch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.server = Server(self.folder)
        self.addCleanup(self.server.stop)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def kubectl(self, *arguments):
        return run([KUBECTL, "--kubeconfig", self.server.kubeconfig, *arguments])

    def apply(self, *arguments):
        """The Job and the ConfigMap as the API server has them."""
        with open(self.path("job.yaml"), "w", encoding="utf-8") as file:
            file.write(run([program(), "dispatch", "--kubernetes", "--name=shards", *arguments]))
        self.kubectl("apply", "--validate=strict", "-f", self.path("job.yaml"))
        return [json.loads(self.kubectl("get", kind, "-o", "json")) for kind in ("job/shards", "cm/shards-input")]

    def mount(self, job, config):
        """The folder that the pods find their files in."""
        volume = job["spec"]["template"]["spec"]["volumes"][0]["configMap"]
        self.assertEqual(volume["name"], config["metadata"]["name"])
        for item in volume["items"]:
            path = self.path("input", item["path"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(config["data"][item["key"]])
        return self.path("input")

    def run_pods(self, job, folder):
        container = job["spec"]["template"]["spec"]["containers"][0]
        command = [program(), *container["command"][1:]]
        names = []
        for index in range(job["spec"]["completions"]):
            names.append(self.path(f"pod-{index}.json"))
            with open(names[-1], "w", encoding="utf-8") as file:
                file.write(run(command, cwd=folder, environment={"JOB_COMPLETION_INDEX": str(index)}))
        return names

    def test_an_indexed_job(self):
        job, config = self.apply(CHECK, "--shards=3", "--", "--trial=0")
        self.assertEqual(job["spec"]["completionMode"], "Indexed")
        self.assertEqual(job["spec"]["completions"], 3)
        self.assertEqual(job["spec"]["template"]["spec"]["restartPolicy"], "Never")
        names = self.run_pods(job, self.mount(job, config))
        one = run([program(), "verify", CHECK, "--trial=0"], code=1)
        self.assertEqual(run([program(), "join", *names], code=1), one)

    def test_pods_have_all_files_of_a_folder(self):
        """Also those in which nothing is modelled."""
        check = "examples/app-marketplace/zone-outage-before.yaml"
        job, config = self.apply(check)
        folder = self.mount(job, config)
        for name in ("app/config.yaml", "zone-outage-before.yaml"):
            with open(os.path.join(ROOT, "examples/app-marketplace", name), encoding="utf-8") as file:
                content = file.read()
            with open(os.path.join(folder, "examples/app-marketplace", name), encoding="utf-8") as file:
                self.assertEqual(file.read(), content)

    def test_content_is_kept_whatever_it_is(self):
        with open(os.path.join(ROOT, CHECK), encoding="utf-8") as file:
            text = file.read()
        odd = {"plain.yaml": text, "tab.yaml": text + "#\tümlaut \n\n", "open.yaml": text + "# no end"}
        for name, content in odd.items():
            os.makedirs(self.path("input"), exist_ok=True)
            with open(self.path("input", name), "w", encoding="utf-8") as file:
                file.write(content)
            job = run([program(), "dispatch", "--kubernetes", "--name=shards", name, "--", 
                       "--never=pods.exists(p, p.labels.app == '$(HOME)')"], cwd=self.path("input"))
            with open(self.path("job.yaml"), "w", encoding="utf-8") as file:
                file.write(job)
            self.kubectl("apply", "--validate=strict", "-f", self.path("job.yaml"))
            config = json.loads(self.kubectl("get", "cm/shards-input", "-o", "json"))
            self.assertEqual(list(config["data"].values()), [content])
            command = json.loads(self.kubectl("get", "job/shards", "-o", "json"))
            command = command["spec"]["template"]["spec"]["containers"][0]["command"]
            self.assertIn("--never=pods.exists(p, p.labels.app == '$$(HOME)')", command)
            self.kubectl("delete", "job/shards", "configmap/shards-input")

    def test_a_claim_is_for_notes(self):
        job, _ = self.apply(CHECK, "--volume-claim=shared", "--task-cpus=2", "--task-memory=4Gi", "--image=own:1")
        pod = job["spec"]["template"]["spec"]
        container = pod["containers"][0]
        self.assertEqual(container["image"], "own:1")
        self.assertIn("--shard-notes=/notes", container["command"])
        self.assertIn("--jobs=2", container["command"])
        self.assertEqual(container["resources"]["requests"], {"cpu": "2", "memory": "4096Mi"})
        self.assertEqual(pod["volumes"][1]["persistentVolumeClaim"]["claimName"], "shared")

    def test_a_job_array(self):
        shutil.copytree(os.path.join(ROOT, os.path.dirname(CHECK)), self.path("work", os.path.dirname(CHECK)))
        work = self.path("work")
        script = run([program(), "dispatch", "--slurm", "--name=shards", "--shards=3", CHECK, "--", "--trial=0"],
                     cwd=work)
        self.assertIn("#SBATCH --array=1-3\n", script)
        with open(os.path.join(work, "shards.sbatch"), "w", encoding="utf-8") as file:
            file.write(script)
        for task in (2, 3, 1):
            run(["sh", os.path.join(work, "shards.sbatch")], cwd="/",
                environment={"FATHOM": program(), "SLURM_SUBMIT_DIR": work, "SLURM_ARRAY_TASK_ID": str(task)})
        joined = run([program(), "join", *[f"shards-{task}.json" for task in (1, 2, 3)]], cwd=work, code=1)
        self.assertEqual(joined, run([program(), "verify", CHECK, "--trial=0"], code=1))
        self.assertTrue(os.listdir(os.path.join(work, "shards-notes")))

    def test_what_cannot_be_dispatched_is_refused(self):
        outside = self.path("check.yaml")
        shutil.copy(os.path.join(ROOT, CHECK), outside)
        with open(outside, "a", encoding="utf-8") as file:
            file.write("# " + "x" * 1000000 + "\n")
        for arguments, wanted in (
                ([CHECK], "found neither"), (["--kubernetes", "--slurm", CHECK], "found both"),
                (["--slurm", "--image=x", CHECK], "are for --kubernetes"),
                (["--kubernetes", "--name=A b", CHECK], "small letters"),
                (["--kubernetes", outside], "below one folder"),
                (["--kubernetes", CHECK, "--", "--shard=1/2"], "are given by dispatch"),
                (["--kubernetes", "examples/app-marketplace/before/rabbitmq.yaml"], "found several questions"),
                (["--kubernetes", "examples/none.yaml"], "none.yaml")):
            done = subprocess.run([program(), "dispatch", *arguments], cwd=ROOT, text=True, capture_output=True,
                                  timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(wanted, done.stderr)
        done = subprocess.run([program(), "dispatch", "--kubernetes", "check.yaml"], cwd=self.folder, text=True,
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("a ConfigMap holds", done.stderr)


if __name__ == "__main__":
    FATHOM.append(sys.argv.pop(1))
    unittest.main()
