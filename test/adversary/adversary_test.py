#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The adversary itself, with a stand-in for fathom that is right or wrong on purpose: does it
notice, is what it shows small, and do its changes leave a Check what it is?"""
import contextlib
import io
import json
import pathlib
import random
import tempfile
import unittest

import adversary
import checks
import relations
import rename
import reorder
import restate
import shrink
import unrelated


class StandIn(adversary.Judge):
    """Judges by the text of the Check."""

    def __init__(self, judge):
        super().__init__("fathom", 100, None)
        self.judge = judge

    def intents(self, case):
        verdict = self.judge(json.dumps(case.documents))
        intents = case.spec.get("intents", [])
        if not all("name" in intent for intent in intents):
            return "exit code 2"
        if verdict.startswith("exit"):
            return verdict
        return [{"label": intent["name"], "verdict": verdict, "loop": None, "trace": [1, 2],
                 "scale": {"nodes": 1, "pods": len(case.objects)}}
                for intent in intents]


def holds_with(part):
    return lambda text: "holds" if part in text else "violated"


def holds_without(part):
    return lambda text: "violated" if part in text else "holds"


def some_case():
    check = {"apiVersion": "fathom/v1", "kind": "Check", "metadata": {"name": "some"}, "spec": {
        "nodeGroups": [{"name": "pool", "count": 3, "node": {"status": {"allocatable": {
            "cpu": "4", "pods": "110"}}}}],
        "events": [{"name": "scale", "workload": "Deployment/shop/web", "to": [1, 2]}],
        "intents": [{"name": "converges"}, {"name": "neverEvicted"}]}}
    web = {"apiVersion": "apps/v1", "kind": "Deployment",
           "metadata": {"name": "web", "namespace": "shop"},
           "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": {
               "metadata": {"labels": {"app": "web"}},
               "spec": {"nodeName": "pool-1", "tolerations": [
                   {"key": "spot", "value": "yes"},
                   {"key": "node.kubernetes.io/unreachable", "operator": "Exists"}],
                        "containers": [{"name": "web", "image": "example.org/web:1"}]}}}}
    return checks.Case("some case", [check, web], {}, [])


class AdversaryTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def attack(self, judge, names):
        """The exit code, and what was printed."""
        campaign = adversary.Campaign(StandIn(judge), self.folder)
        chosen = relations.chosen(names)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            campaign.attack(some_case(), chosen)
            code = campaign.summary(chosen)
        return code, printed.getvalue()

    def test_all_is_well(self):
        code, printed = self.attack(lambda text: "violated", "rename,reorder,huge,slow-loop")
        self.assertEqual(code, 0)
        self.assertIn("8 passed, 0 failed", printed)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_violation_is_lost(self):
        code, printed = self.attack(holds_with("adversary-elsewhere"), "huge,rename")
        self.assertEqual(code, 1)
        self.assertIn("some case: huge: converges: violated with 1 nodes and 1 pods in 2 steps "
                      "-> holds", printed)
        self.assertIn("2 passed, 2 failed", printed)
        before = (self.folder / "huge-some-case" / "before" / "check.yaml").read_text()
        after = (self.folder / "huge-some-case" / "after" / "check.yaml").read_text()
        self.assertNotIn("Deployment", before)
        self.assertNotIn("nodeGroups", before)
        self.assertIn("converges", before)
        self.assertIn("adversary-elsewhere", after)

    def test_an_alarm(self):
        # Of all workloads it may be one.
        self.assertEqual(self.attack(holds_without("adversary-elsewhere"), "huge")[0], 0)
        code, printed = self.attack(holds_without("adversary-elsewhere"), "huge-of-one")
        self.assertEqual(code, 1)
        self.assertIn("0 passed, 2 failed", printed)

    def test_a_name_matters(self):
        code, printed = self.attack(holds_with("shop"), "rename")
        self.assertEqual(code, 1)
        self.assertIn("holds -> violated", printed)

    def test_undecided_is_not_compared(self):
        code, printed = self.attack(
            lambda text: "undecided" if "adversary" in text else "violated", "huge,rename")
        self.assertEqual(code, 0)
        self.assertIn("2 passed, 0 failed", printed)

    def test_no_report(self):
        code, printed = self.attack(
            lambda text: "exit code 70" if "adversary" in text else "holds", "huge")
        self.assertEqual(code, 1)
        self.assertIn("a report -> exit code 70", printed)


class RelationsTest(unittest.TestCase):
    def test_renamed_twice_is_the_same(self):
        case = some_case()
        once = rename.rename(case, None)
        self.assertEqual(rename.rename(once, None).documents, case.documents)
        for name in ("web\"", "shop", "pool", "app\"", "spot"):
            self.assertNotIn(name, json.dumps(once.documents))
        self.assertIn("node.kubernetes.io/unreachable", json.dumps(once.documents))
        self.assertIn("example.org/web:1", json.dumps(once.documents))

    def test_reordered_is_the_same(self):
        case = some_case()
        changed = reorder.reorder(case, random.Random(3))
        for before, place in zip(case.spec["intents"], changed.intents):
            self.assertEqual(before, changed.spec["intents"][place])
        self.assertEqual(sorted(json.dumps(case.documents)), sorted(json.dumps(changed.documents)))

    def test_parts_add_up(self):
        def sizes(count):
            ends = (count, count) if isinstance(count, int) else (count.get("min", 0), count["max"])
            return range(ends[0], ends[1] + 1)
        for count in (2, 5, {"max": 3}, {"min": 1, "max": 4}, {"min": 3, "max": 3}):
            first, second = restate.parts_of(count)
            self.assertEqual({a + b for a in sizes(first) for b in sizes(second)},
                             set(sizes(count)), count)
        self.assertIsNone(restate.parts_of(1))

    def test_a_group_that_is_named_stays_whole(self):
        case = some_case()
        self.assertIsNone(restate.split(case, random.Random(1)))
        del case.objects[0]["spec"]["template"]["spec"]["nodeName"]
        self.assertEqual([group["count"] for group in
                          restate.split(case, random.Random(1)).spec["nodeGroups"]], [1, 2])

    def test_every_relation_leaves_its_case_alone(self):
        for relation in relations.RELATIONS:
            case = some_case()
            relation.apply(case, random.Random(relation.name))
            self.assertEqual(case.documents, some_case().documents, relation.name)

    def test_namesake(self):
        case = some_case()
        made = unrelated.namesake(case, None).objects[-1]
        self.assertEqual(made["metadata"], {"name": "web", "namespace": unrelated.NAMESPACE})
        self.assertEqual(made["spec"]["selector"], case.objects[0]["spec"]["selector"])
        case.spec["events"][0]["workload"] = "Deployment/web"
        self.assertIsNone(unrelated.namesake(case, None))

    def test_shrinking(self):
        small = shrink.shrink(some_case(), lambda case: "neverEvicted" in json.dumps(case.spec))
        self.assertEqual(small.objects, [])
        self.assertEqual(small.spec, {"intents": [{"name": "neverEvicted"}]})


if __name__ == "__main__":
    unittest.main()
