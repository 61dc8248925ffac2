#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom diff`: refactorings are equal, changes with an effect are not, repairs flip their intents.

    test/repair/diff_test.py FATHOM SOURCE [--small]
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest

import checks

FATHOM = []
SOURCE = []


def diff(*arguments):
    done = subprocess.run([FATHOM[0], "diff", *arguments, "-o", "json", "--jobs", "1", "--quiet"],
                          capture_output=True, text=True, check=False)
    return (json.loads(done.stdout)["checks"] if done.stdout else []), done.returncode, done.stderr


def write_file(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def base(replicas, nodes):
    """A Deployment that is spread, guarded and drained on nodes of two zones."""
    web = checks.deployment(replicas=replicas, pod={
        "topologySpreadConstraints": [checks.spread("topology.kubernetes.io/zone")],
        "terminationGracePeriodSeconds": 30})
    return [
        checks.check([checks.node_group("a", 1, 2, labels={"topology.kubernetes.io/zone": "a"}),
                      checks.node_group("b", nodes, 2, labels={"topology.kubernetes.io/zone": "b"})],
                     [checks.PLACED, checks.DRAINED], [checks.MAINTENANCE]),
        web,
        checks.budget(maxUnavailable=1),
    ]


BASES = [(2, 1), (1, 1), (3, 1), (2, 2), (3, 2)]  # --small: every change, on the first of them


def renamed(objects, old, new):
    """Every mention of a name, in whatever field."""
    return json.loads(json.dumps(objects).replace(f'"{old}"', f'"{new}"')
                      .replace(f"/{old}\"", f"/{new}\""))


def with_field(objects, number, path, value):
    objects = copy.deepcopy(objects)
    target = objects[number]
    for step in path[:-1]:
        target = target[step] if isinstance(step, int) else target.setdefault(step, {})
    target[path[-1]] = value
    return objects


POD = ["spec", "template", "spec"]


def refactorings(objects):
    yield "order", [objects[0], *reversed(objects[1:])]
    yield "keys", json.loads(json.dumps(objects, sort_keys=True))
    yield "defaults", with_field(with_field(objects, 1, ["spec", "strategy"], {
        "type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}),
                                 1, POD + ["restartPolicy"], "Always")
    yield "unread label", with_field(objects, 1, ["metadata", "labels"], {"team": "shop"})
    yield "annotation", with_field(objects, 2, ["metadata", "annotations"], {"note": "for drains"})
    yield "renamed workload", renamed(objects, "web", "shop")
    yield "renamed group", with_field(objects, 0, ["spec", "nodeGroups", 0, "name"], "first")
    yield "quantity", with_field(objects, 1, POD + ["containers", 0, "resources", "requests", "cpu"], "1000m")
    yield "container", with_field(objects, 1, POD + ["containers", 0, "name"], "main")
    yield "unread template label", with_field(
        objects, 1, ["spec", "template", "metadata", "labels"], {"app": "web", "team": "shop"})


def changes(objects):
    """Changes of one field that every base notices."""
    replicas = objects[1]["spec"]["replicas"]
    yield "replicas", with_field(objects, 1, ["spec", "replicas"], replicas + 1)
    yield "too large", with_field(objects, 1, POD + ["containers", 0, "resources", "requests", "cpu"], "3")
    yield "node too small", with_field(
        objects, 0, ["spec", "nodeGroups", 0, "node", "status", "allocatable", "cpu"], "500m")
    yield "selector", with_field(objects, 1, POD + ["nodeSelector"], {"topology.kubernetes.io/zone": "a"})
    yield "taint", with_field(objects, 0, ["spec", "nodeGroups", 1, "node", "spec", "taints"],
                              [{"key": "own", "effect": "NoSchedule"}])
    yield "budget", with_field(objects, 2, ["spec", "maxUnavailable"], 0)
    yield "more nodes", with_field(objects, 0, ["spec", "nodeGroups", 0, "count"], 2)
    yield "no drains", with_field(objects, 0, ["spec", "events", 0, "drain"], False)
    yield "two drains", with_field(objects, 0, ["spec", "events", 0, "atMost"], 2)
    yield "named node", with_field(objects, 1, POD + ["nodeName"], "a-1")


class Diff(unittest.TestCase):
    def compare(self, old, new):
        with tempfile.TemporaryDirectory() as folder:
            return diff(checks.write(os.path.join(folder, "old.json"), *old),
                        checks.write(os.path.join(folder, "new.json"), *new))

    def test_refactorings(self):
        count = 0
        for sizes in BASES:
            objects = base(*sizes)
            for name, other in refactorings(objects):
                with self.subTest(name, sizes=sizes):
                    answer, code, said = self.compare(objects, other)
                    self.assertEqual(code, 0, (answer, said))
                    count += 1
        self.assertEqual(count, 10 * len(BASES))

    def test_changes(self):
        count = 0
        for sizes in BASES:
            objects = base(*sizes)
            for name, other in changes(objects):
                with self.subTest(name, sizes=sizes):
                    answer, code, said = self.compare(objects, other)
                    self.assertEqual(code, 1, (answer, said))
                    count += 1
        self.assertEqual(count, 10 * len(BASES))

    def test_pairs(self):
        """Of a broken example and the mended one, just what is violated flips."""
        for name in ("c02-apply-without-replicas", "c04-kernel-panic-loop", "c06-maintenance-imbalance",
                     "c07-nodename-vs-taint", "c13-traffic-to-terminating"):
            with self.subTest(name):
                folder = os.path.join(SOURCE[0], "examples", name)
                answer, code, said = diff(os.path.join(folder, "broken.yaml"), os.path.join(folder, "fixed.yaml"))
                self.assertEqual(code, 1, said)
                self.assertTrue(answer[0]["intents"])
                for intent in answer[0]["intents"]:
                    self.assertEqual((intent["old"], intent["new"]), ("violated", "holds"))

    def test_expressions(self):
        """Intents in users' own words are the same if they are called the same."""
        old = base(1, 1)
        old[0]["spec"]["intents"] = [{"name": "a", "always": "pods.size() <= 9"},
                                     {"name": "b", "always": "pods.size() <= 8"}]
        new = copy.deepcopy(old)
        new[0]["spec"]["intents"] = [{"name": "c", "always": "pods.size() <= 9"},
                                     {"name": "b", "always": "pods.size() <= 7"}]
        answer, code, said = self.compare(old, new)
        self.assertEqual(code, 1, said)
        told = {intent["intent"]: (intent.get("old"), intent.get("new")) for intent in answer[0]["intents"]}
        self.assertEqual(told, {"a": ("holds", None), "b": ("holds", "holds"), "c": (None, "holds")})

    def test_versions(self):
        path = os.path.join(SOURCE[0], "examples", "c04-kernel-panic-loop", "fixed.yaml")
        answer, code, said = diff(path, "--kubernetes-version", "1.30", "--to", "1.36")
        self.assertEqual((answer[0]["result"], code), ("equal", 0), said)

    def test_any_number_of_nodes(self):
        """Of groups without a largest size not all can be compared: what is the same up to six nodes may differ with seven."""
        def spread(least, count):
            constraint = {**checks.spread("kubernetes.io/hostname"), "minDomains": least}
            return [checks.check([{**checks.node_group(), "count": count}], [checks.PLACED]),
                    checks.deployment(replicas=8, pod={"topologySpreadConstraints": [constraint]})]
        for count, result, code in (({"min": 1}, "undecided", 3), ({"min": 1, "max": 8}, "different", 1),
                                    ({"min": 1, "max": 6}, "equal", 0)):
            with self.subTest(count):
                answer, got, said = self.compare(spread(7, count), spread(8, count))
                self.assertEqual((answer[0]["result"], got), (result, code), (answer, said))
        answer, code, said = self.compare(spread(7, {"min": 1}), spread(7, {"min": 1, "max": 6}))
        self.assertEqual((answer[0]["otherSizes"], code), (True, 1), said)

    def test_sizes_left_out(self):
        """Sizes that verify leaves out are named; ranges that differ are different, whichever sizes are explored."""
        def ranged(name, most):
            objects = base(2, 1)
            objects[0]["spec"]["workloads"] = [{"name": "Deployment/default/" + name, "replicas": {"min": 1, "max": most}}]
            return renamed(objects, "web", name)
        answer, code, said = self.compare(ranged("web", 30), ranged("shop", 30))
        self.assertEqual(code, 0, said)
        self.assertTrue(answer[0]["premises"])
        answer, code, said = self.compare(ranged("web", 30), ranged("web", 31))
        self.assertEqual((answer[0]["otherSizes"], code), (True, 1), said)

    def test_not_all_is_modelled(self):
        """Where verdicts are undecided because more may happen, graphs that are the same prove nothing."""
        with open(os.path.join(SOURCE[0], "test", "cases", "webhook-of-nodes", "check.yaml"), encoding="utf-8") as stream:
            text = stream.read()
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for cpu in ('"4"', "4000m"):
                paths.append(write_file(folder, cpu + ".yaml", text.replace('cpu: "4"', "cpu: " + cpu, 1)))
            answer, code, said = diff(*paths)
        self.assertEqual((answer[0]["result"], code), ("undecided", 3), (answer, said))

    def test_wrong(self):
        path = os.path.join(SOURCE[0], "examples", "c04-kernel-panic-loop", "fixed.yaml")
        for arguments in ((), (path,), (path, "missing.yaml"), (path, path, "--to", "1.30"),
                          (path, "--kubernetes-version", "1.30", "--to", "9.9"), (path, "--to", "1.30")):
            _, code, said = diff(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertTrue(said)

    def test_limit(self):
        folder = os.path.join(SOURCE[0], "examples", "c03-spread-conflict")
        _, code, said = diff(os.path.join(folder, "fixed.yaml"), os.path.join(folder, "fixed.yaml"))
        self.assertEqual(code, 0, said)
        with tempfile.TemporaryDirectory() as other:
            with open(os.path.join(folder, "fixed.yaml"), encoding="utf-8") as stream:
                text = stream.read().replace("name: web, namespace", "name: shop, namespace")
                text = text.replace("default/web", "default/shop").replace("Deployment, name: web", "Deployment, name: shop")
            path = write_file(other, "fixed.yaml", text)
            answer, code, said = diff(os.path.join(folder, "fixed.yaml"), path, "--max-states", "2000")
            self.assertEqual(code, 3, (answer, said))


if __name__ == "__main__":
    FATHOM.append(os.path.abspath(sys.argv[1]))
    SOURCE.append(os.path.abspath(sys.argv[2]))
    if "--small" in sys.argv:
        del BASES[1:]
    unittest.main(argv=sys.argv[:1])
