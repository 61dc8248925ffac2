#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The real kubectl applies the patches of `fathom fix` to an API server; what it gives back holds.

    test/repair/apply_test.py FATHOM

Each patch is applied in both forms: the strategic merge patches by their commands, and the diff by `patch`, whose
result is created. Both have to come to the same objects.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import checks

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "apiserver"))
from serving import FATHOM, Server  # noqa: E402  pylint: disable=wrong-import-position

KUBECTL = os.environ.get("KUBECTL", "kubectl")
KINDS = "deployments,poddisruptionbudgets,horizontalpodautoscalers,priorityclasses,resourcequotas"


def fathom(*arguments):
    return subprocess.run([FATHOM[0], *arguments, "--jobs", "1", "--quiet"], capture_output=True, text=True, check=False)


def is_ours(item):
    """Not what every API server begins with."""
    return not item["metadata"]["name"].startswith("system-")


class Cluster:
    def __init__(self, folder):
        self.server = Server(folder)
        self.environment = {"HOME": folder, "KUBECONFIG": self.server.kubeconfig, "PATH": os.environ["PATH"]}

    def run(self, command, given=None):
        done = subprocess.run(command.replace("kubectl", KUBECTL, 1), shell=True, input=given, text=True,
                              capture_output=True, env=self.environment, check=False)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    def objects(self):
        return list(filter(is_ours, json.loads(self.run(f"kubectl get {KINDS} --all-namespaces -o json"))["items"]))

    def with_objects(self, path, *commands):
        """What is there after the objects of the file were created, and the commands run; nothing is left."""
        self.run(f"kubectl create -f {path}")
        for command in commands:
            self.run(command)
        found = self.objects()
        self.run("kubectl delete -f -", json.dumps({"apiVersion": "v1", "kind": "List", "items": found}))
        return found


def specs(items):
    """By name, without what an API server adds."""
    return {(item["kind"], item["metadata"]["name"]): {key: value for key, value in item.items()
                                                       if key not in ("metadata", "status")} for item in items}


class Apply(unittest.TestCase):
    def test_patches(self):
        operations, count = set(), 0
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(folder)
            try:
                for name, objects in checks.applied():
                    check = checks.write_documents(os.path.join(folder, name + "-check.yaml"), objects[0])
                    path = checks.write_documents(os.path.join(folder, name + ".yaml"), *objects[1:])
                    done = fathom("fix", check, "-f", path, "-o", "json", "--allow", "all")
                    answer = json.loads(done.stdout)["checks"][0]
                    own = [patch for patch in answer["patches"] if all(o["kubectl"] for o in patch["objects"])]
                    self.assertTrue(own, name)
                    for patch in own:
                        with self.subTest(name, edits=[edit["kind"] for edit in patch["edits"]]):
                            self.apply(cluster, check, path, patch)
                            operations |= {c["operation"] for e in patch["edits"] for c in e["changes"]}
                            count += 1
            finally:
                cluster.server.stop()
        self.assertEqual(operations, {"set", "remove", "append", "create", "delete"})
        self.assertGreaterEqual(count, 12)

    def apply(self, cluster, check, path, patch):
        merged = cluster.with_objects(path, *(o["kubectl"] for o in patch["objects"]))
        changed = path.replace(".yaml", "-changed.yaml")
        shutil.copy(path, changed)
        for file in patch["files"]:
            subprocess.run(["patch", "-s", changed], input=file["diff"], text=True, check=True)
        patched = cluster.with_objects(changed)
        self.assertEqual(specs(merged), specs(patched))
        for found in (merged, patched):
            checks.write(changed, *found)
            self.assertEqual(fathom("verify", check, "-f", changed, "--trial", "0").returncode, 0)


if __name__ == "__main__":
    FATHOM.append(os.path.abspath(sys.argv[1]))
    unittest.main(argv=sys.argv[:1])
