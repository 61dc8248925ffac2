#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kubectl fathom verify` reads a live cluster through the real kubectl.

The cluster is `fathom apiserver` with the objects of examples/live/cluster.json. What is verified of
it is what is verified of the dump itself.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KUBECTL = os.environ.get("KUBECTL", "kubectl")


class Cluster:
    """A server with the objects of a dump; their owners are made first, and get new uids."""

    def __init__(self, fathom, folder):
        self.folder = folder
        self.kubeconfig = os.path.join(folder, "kube.yaml")
        for name in ("fathom", "kubectl-fathom"):
            os.symlink(fathom, os.path.join(folder, name))
        self.environment = {
            **os.environ,
            "PATH": folder + ":" + os.environ["PATH"],
            "KUBECONFIG": self.kubeconfig,
            "HOME": folder,
        }
        self.server = subprocess.Popen(
            [fathom, "apiserver", "--memory", "--port", "0", "--no-garbage-collector",
             "--write-kubeconfig", self.kubeconfig],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        self.server.stdout.readline()

    def run(self, *arguments, stdin=None):
        return subprocess.run(
            list(arguments), input=stdin, env=self.environment, cwd=self.folder,
            capture_output=True, text=True, check=False,
        )

    def fill(self, objects):
        uids = {}
        spaces = {item["metadata"].get("namespace") for item in objects} - {None, "default"}
        for name in sorted(spaces):
            self.run(KUBECTL, "create", "namespace", name)
        waiting = list(objects)
        while waiting:
            item = waiting.pop(0)
            meta = item["metadata"]
            owners = meta.get("ownerReferences", [])
            known = {other["metadata"]["uid"] for other in waiting}
            if any(owner["uid"] in known for owner in owners):
                waiting.append(item)
                continue
            for owner in owners:
                owner["uid"] = uids.get(owner["uid"], owner["uid"])
            meta.pop("resourceVersion", None)
            done = self.run(KUBECTL, "create", "-f", "-", "-o", "json", stdin=json.dumps(item))
            if done.returncode:
                raise SystemExit(f"{item['kind']} {meta['name']}: {done.stderr}")
            uids[meta["uid"]] = json.loads(done.stdout)["metadata"]["uid"]

    def stop(self):
        self.server.terminate()
        self.server.wait()


def expect(condition, what, done):
    if not condition:
        print(f"failed: {what}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
    return 0 if condition else 1


def summary(text):
    return re.findall(r"^\d+ workloads?, .*|^\d+\. .*", text, re.M)


def main():
    fathom = os.path.abspath(sys.argv[1])
    failures = 0
    with open(os.path.join(ROOT, "examples/live/cluster.json"), encoding="utf-8") as stream:
        objects = [item for item in json.load(stream)["items"] if item["kind"] != "PodMetrics"]
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(fathom, folder)
        try:
            cluster.fill(objects)
            dump = cluster.run(KUBECTL, "get", "nodes,pods,deploy,rs,sts,ds,jobs,hpa,pdb", "-A",
                               "-o", "json")
            questions = ("--event", "drain,rollout")
            of_dump = cluster.run("fathom", "verify", "-f", "-", *questions, stdin=dump.stdout)
            live = cluster.run(KUBECTL, "fathom", "verify", "-A", *questions)
            failures += expect(live.returncode in (0, 1), "the cluster is verified", live)
            failures += expect(
                summary(live.stdout) and summary(live.stdout) == summary(of_dump.stdout),
                f"as the dump is: {summary(of_dump.stdout)}", live)
            version = json.loads(cluster.run(KUBECTL, "get", "--raw", "/version").stdout)
            failures += expect(version["gitVersion"] in live.stdout, "by its version", live)
            some = cluster.run("fathom", "verify", "-n", "shop", "--context", "fathom", *questions)
            if some.returncode == 2:
                contexts = cluster.run(KUBECTL, "config", "current-context").stdout.strip()
                some = cluster.run("fathom", "verify", "-n", "shop", "--context", contexts, *questions)
            failures += expect(
                some.returncode in (0, 1) and summary(some.stdout)[0].startswith("3 workloads"),
                "of one namespace its workloads", some)
            one = cluster.run("fathom", "verify", "-A", "-l", "app=cart", *questions)
            failures += expect(
                one.returncode in (0, 1) and summary(one.stdout)[0].startswith("1 workload,"),
                "of a selector its workload", one)
            wrong = cluster.run("fathom", "verify", "-A", "--context", "nowhere")
            failures += expect(
                wrong.returncode == 2 and "nowhere" in wrong.stderr, "an unknown context", wrong)
        finally:
            cluster.stop()
        gone = cluster.run("fathom", "verify", "-A")
        failures += expect(
            gone.returncode == 2 and "kubectl get nodes:" in gone.stderr, "no cluster", gone)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
