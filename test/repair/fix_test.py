#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom fix`: traps are refused, patches are minimal, apply, and hold.

    test/repair/fix_test.py FATHOM SOURCE [--random N] [--small] [CLASS.TEST]

With --small there is one trap of each kind.

Patches are checked by others: `patch` applies the diffs, and this file the changes of each part of a patch.
apply_test.py has the real kubectl apply them.
"""

import copy
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import checks

FATHOM = []
SOURCE = ["."]
RANDOM = [6]
SMALL = [False]


def fathom(*arguments):
    return subprocess.run([FATHOM[0], *arguments], capture_output=True, text=True, check=False)


def fix(path, *options):
    """The only Check of the answer, and the exit code."""
    done = fathom("fix", path, "-o", "json", "--jobs", "1", "--quiet", *options)
    assert done.stdout, (path, done.stderr)
    return json.loads(done.stdout)["checks"][0], done.returncode


def spent(process):
    """Its processor time in seconds, which does not depend on what else the machine does."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stream:
        fields = stream.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def listens(process):
    """Does it handle Ctrl-C by now?"""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as stream:
        caught = next(line for line in stream if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def read_all(folder):
    """The files of a folder, by name."""
    files = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as stream:
            files[name] = stream.read()
    return files


def verdict(path):
    return fathom("verify", path, "--trial", "0", "--jobs", "1", "--quiet").returncode


def steps_of(path):
    """The keys and indices of "spec.containers[0].image"; a tilde is a dot of a key."""
    steps = []
    for part in path.replace("[", ".[").split("."):
        if part.startswith("["):
            steps.append(int(part[1:-1]))
        elif part:
            steps.append(part.replace("~", "."))
    return steps


def change(items, name, done):
    """One change of the answer, made in the items of a List."""
    if done["operation"] == "create":
        items.append(done["value"])
        return
    for number, item in enumerate(items):
        meta = item["metadata"]
        own = "/".join(filter(None, (item["kind"], meta.get("namespace"), meta["name"])))
        if own == name and done["operation"] == "delete":
            del items[number]
        elif own == name:
            change_field(item, done)


def change_field(item, done):
    *way, last = steps_of(done["path"])
    for step in way:
        item = item[step] if isinstance(step, int) else item.setdefault(step, {})
    if done["operation"] == "remove":
        del item[last]
    elif done["operation"] == "append":
        item.setdefault(last, []).append(done["value"])
    else:
        item[last] = done["value"]


def sample(traps):
    """With --small those whose name begins as no other's before."""
    kinds = set()
    for trap in traps:
        kind = trap[0].rsplit("-", 1)[0]
        if not SMALL[0] or kind not in kinds:
            kinds.add(kind)
            yield trap


class Traps(unittest.TestCase):
    """The only cheap patches gut the workload."""

    def test_refused(self):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            for name, objects, expected in sample(checks.traps()):
                with self.subTest(name):
                    count += 1
                    path = checks.write(os.path.join(folder, name + ".json"), *objects)
                    answer, code = fix(path)
                    self.assertEqual(code, 1, answer["patches"])
                    self.assertEqual(answer["patches"], [])
                    self.assertTrue(answer["refused"], "no reason")
                    for refused in answer["refused"]:
                        guarded = {loss["protection"] for loss in refused["givesUp"] if loss["guarded"]}
                        self.assertTrue(guarded or refused["refused"], refused)
                    named = {loss["protection"] for refused in answer["refused"] for loss in refused["givesUp"]}
                    costs = any(refused["refused"] for refused in answer["refused"])
                    self.assertTrue(named & expected or costs, (named, expected))
        self.assertGreaterEqual(count, 7 if SMALL[0] else 20)

    def test_still(self):
        """A patch under which a controller stands still is refused, and allowed by name."""
        with tempfile.TemporaryDirectory() as folder:
            for name, objects, deed in sample(checks.still_traps()):
                with self.subTest(name):
                    path = checks.write(os.path.join(folder, name + ".json"), *objects)
                    answer, code = fix(path)
                    self.assertEqual((code, answer["patches"]), (1, []))
                    answer, code = fix(path, "--allow", "action")
                    self.assertEqual(code, 0)
                    for patch in answer["patches"]:
                        lost = {loss["protection"]: loss["detail"] for loss in patch["givesUp"]}
                        self.assertIn(deed, lost["action"])

    def test_blamed_may_stop(self):
        """What the violation is made of may end: evictions of a loop, deletions after an apply."""
        for name, kind in (("c02-apply-without-replicas", "replicasToAutoscaler"), ("c07-nodename-vs-taint", "tolerate"),
                           ("c08-soft-spread-vs-descheduler", "onlyHardConstraints")):
            answer, code = fix(os.path.join(SOURCE[0], "examples", name, "broken.yaml"))
            self.assertEqual(code, 0)
            self.assertEqual([edit["kind"] for edit in answer["patches"][0]["edits"]], [kind])
            self.assertNotIn("action", [loss["protection"] for loss in answer["patches"][0]["givesUp"]])

    def test_applied_at_the_violation(self):
        """An intent that first applied where it was violated has to apply with the repair."""
        together = {"name": "calm-together", "when": "nodes.exists(n, n.pods.size() >= 2)",
                    "always": "pods.all(p, p.ready)"}
        with tempfile.TemporaryDirectory() as folder:
            objects = [checks.check([checks.node_group(count=2)], [together], [checks.MAINTENANCE]),
                       checks.deployment(replicas=2)]
            path = checks.write(os.path.join(folder, "together.json"), *objects)
            answer, code = fix(path, "--budget", "nodes=+1")
            self.assertEqual((code, answer["patches"]), (1, []))
            self.assertEqual(verdict(path), 1)
            objects[0]["spec"]["nodeGroups"][0]["count"] = 3
            checks.write(path, *objects)
            self.assertEqual(verdict(path), 0, "with one node more it holds, of nothing")

    def test_empty_budget(self):
        """A budget that guards no pod any more is as good as removed."""
        with tempfile.TemporaryDirectory() as folder:
            objects = [checks.check([checks.node_group(count=2)], [checks.DRAINED], [checks.MAINTENANCE]),
                       checks.deployment(replicas=1), checks.budget(minAvailable=1)]
            path = checks.write(os.path.join(folder, "budget.json"), *objects)
            answer, _ = fix(path, "--allow", "budget", "--budget", "pods=+0")
            self.assertEqual(answer["patches"], [])
            lost = [{loss["protection"] for loss in refused["givesUp"]} for refused in answer["refused"]]
            self.assertIn({"object", "budget"}, lost)
            objects[1]["spec"]["replicas"] = 2
            objects[2]["spec"]["minAvailable"] = 2
            checks.write(path, *objects)
            answer, _ = fix(path, "--allow", "budget", "--budget", "pods=+0")
            self.assertEqual([loss["protection"] for loss in answer["patches"][0]["givesUp"]], ["budget"])

    def test_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            objects = [checks.check([checks.node_group()], [checks.PLACED]),
                       checks.deployment(replicas=1, pod={"nodeSelector": {"disk": "ssd"}})]
            path = checks.write(os.path.join(folder, "selector.json"), *objects)
            answer, code = fix(path, "--allow", "constraint")
            self.assertEqual(code, 0)
            self.assertEqual([loss["protection"] for loss in answer["patches"][0]["givesUp"]], ["constraint"])
            answer, code = fix(path, "--allow", "priority")
            self.assertEqual(code, 1)


class Applications(unittest.TestCase):
    """Several workloads, of which few are at fault."""

    def fixed(self, objects, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = checks.write(os.path.join(folder, "check.json"), *objects)
            answer, code = fix(path, *options)
            told = fathom("fix", path, "--jobs", "1", "--quiet", "--verbose", *options).stdout
            return answer, code, told

    def test_one_at_fault(self):
        """The violated workload is tried alone, and others are not tried at all."""
        objects = checks.application(checks.deployment("web", 2), checks.budget("web", minAvailable=2))
        answer, code, told = self.fixed(objects)
        self.assertEqual(code, 0, answer)
        for patch in answer["patches"]:
            self.assertLessEqual({edit["object"] for edit in patch["edits"]},
                                 {"Deployment/default/web", "PodDisruptionBudget/default/web"})
        alone = int(told.split(" rejected by the violated workload alone")[0].rsplit(" ", 1)[1])
        self.assertGreater(alone, 100, told.splitlines()[-1])

    def test_two_at_fault(self):
        """One edit for each of two violations, of two workloads; neither is enough."""
        objects = checks.application(checks.deployment("web", 2), checks.budget("web", minAvailable=2),
                                     checks.deployment("bare", 1))
        answer, code, _ = self.fixed(objects, "--budget", "pods=+2")
        self.assertEqual(code, 0, answer)
        for patch in answer["patches"]:
            self.assertEqual(len({edit["object"] for edit in patch["edits"]}), 2, patch["edits"])

    def test_every_edit_is_told(self):
        """verify --fix of a patch with two edits names both in every format, and SARIF changes both files."""
        example = os.path.join(SOURCE[0], "examples", "app-web-shop", "maintenance.yaml")
        with tempfile.TemporaryDirectory() as folder:
            files = {kind: os.path.join(folder, kind) for kind in ("text", "json", "sarif", "html")}
            fathom("verify", example, "--fix", "--trial", "0", "--jobs", "1", "--quiet",
                   *(word for kind, name in files.items() for word in ("-o", f"{kind}={name}")))
            told = {}
            for kind, name in files.items():
                with open(name, encoding="utf-8") as stream:
                    told[kind] = stream.read()
            for kind in ("text", "html"):
                repair = told[kind].rsplit("Repair", 1)[1]
                self.assertIn("Deployment/shop/checkout: create PodDisruptionBudget", repair)
                self.assertIn("Deployment/shop/cart: change spec.replicas", repair)
            self.assertEqual(len(json.loads(told["json"])["repairs"][0]["edits"]), 2)
            result = json.loads(told["sarif"])["runs"][0]["results"][0]["fixes"][0]
            self.assertIn("create PodDisruptionBudget", result["description"]["text"])
            self.assertIn("change spec.replicas", result["description"]["text"])
            self.assertEqual(len(result["artifactChanges"]), 2)

    def test_immutable(self):
        """The template of a Job cannot be changed: it has to be created again."""
        objects = [checks.check([checks.node_group()], [checks.PLACED]),
                   checks.job(pod={"nodeSelector": {"disk": "ssd"}})]
        answer, code, _ = self.fixed(objects, "--allow", "constraint")
        self.assertEqual((code, answer["patches"]), (1, []))
        self.assertIn("recreate", {loss["protection"] for loss in answer["refused"][0]["givesUp"]})
        answer, code, _ = self.fixed(objects, "--allow", "constraint,recreate")
        self.assertEqual(code, 0)

    def test_jobs_beside_each_other(self):
        """That a CronJob has fewer Jobs at a time is no loss of pods."""
        answer, code = fix(os.path.join(SOURCE[0], "examples", "cron-jobs-pile-up", "broken.yaml"))
        self.assertEqual(code, 0)
        self.assertEqual([edit["kind"] for edit in answer["patches"][0]["edits"]], ["jobsOneAtATime"])
        self.assertEqual([(loss["protection"], loss["guarded"]) for loss in answer["patches"][0]["givesUp"]],
                         [("runs", False)])

    def test_one_volume(self):
        answer, code, _ = self.fixed(checks.one_volume())
        self.assertEqual(code, 0)
        self.assertEqual([edit["kind"] for edit in answer["patches"][0]["edits"]], ["keepWithVolume"])

    def test_least_request(self):
        """What a LimitRange wants at least is requested, if that costs little enough."""
        answer, code, _ = self.fixed(checks.limited("600m", "500m"))
        self.assertEqual(code, 0)
        self.assertEqual([edit["kind"] for edit in answer["patches"][0]["edits"]], ["requestLeastCpu"])
        answer, code, _ = self.fixed(checks.limited("900m", "500m"))
        self.assertEqual((code, answer["patches"]), (1, []))

    def kinds(self, objects, *options):
        """The kinds of the edits of the first patch, and what it costs."""
        answer, _, _ = self.fixed(objects, *options)
        if not answer["patches"]:
            return [], None
        return [edit["kind"] for edit in answer["patches"][0]["edits"]], answer["patches"][0]["costs"]

    def test_budget_stuck_by_a_job(self):
        """A budget that needs a number of pods leaves out those of Jobs; one that is a number of pods counts them."""
        batch = checks.job()
        batch["spec"]["template"]["metadata"]["labels"] = {"app": "web"}
        objects = [checks.check([checks.node_group(count=2)], [checks.DRAINED], [checks.MAINTENANCE]),
                   checks.deployment(replicas=2), batch]
        for stuck in ({"maxUnavailable": 1}, {"minAvailable": "50%"}):
            self.assertEqual(self.kinds([*objects, checks.budget(**stuck)])[0], ["budgetWithoutJobs"])
        kinds, _ = self.kinds([*objects, checks.budget(minAvailable=3)], "--allow", "budget")
        self.assertTrue(kinds)
        self.assertNotIn("budgetWithoutJobs", kinds)

    def test_larger_nodes_cost_nodes(self):
        """Two nodes that are half as large again cost one."""
        objects = [checks.check([checks.node_group(count=2)], [checks.PLACED]), checks.deployment(replicas=1, cpu="5500m")]
        self.assertEqual(self.kinds(objects), ([], None))
        self.assertEqual(self.kinds(objects, "--budget", "nodes=+1"),
                         (["nodesWithMoreCpu"], "+1 node (in larger ones)"))
        objects[1] = checks.deployment(replicas=1, cpu="7500m")
        self.assertEqual(self.kinds(objects, "--budget", "nodes=+1"), ([], None))

    def test_more_pods_at_least_cost_pods(self):
        """The least number of a range that the Check gives costs pods."""
        ranges = [{"name": "Deployment/default/web", "replicas": {"min": 1, "max": 2}}]
        objects = [checks.check([checks.node_group(count=2)], [checks.DRAINED], [checks.MAINTENANCE], workloads=ranges),
                   checks.deployment(replicas=2), checks.budget(minAvailable=1)]
        self.assertEqual(self.kinds(objects, "--budget", "pods=+0"), ([], None))
        self.assertEqual(self.kinds(objects, "--budget", "pods=+1"), (["morePodsAtLeast"], "+1 pod"))

    def test_nodes_that_are_objects(self):
        """Of a cluster whose nodes are objects: one more like one of them costs a node, and is nothing for kubectl."""
        objects = [checks.check([], [checks.PLACED]), *checks.nodes("n1", "n2"),
                   checks.deployment(replicas=3, pod={"affinity": checks.APART})]
        del objects[0]["spec"]["nodeGroups"]
        self.assertEqual(self.kinds(objects), ([], None))
        answer, code, _ = self.fixed(objects, "--budget", "nodes=+1")
        self.assertEqual(code, 0)
        patch = answer["patches"][0]
        self.assertEqual(([edit["kind"] for edit in patch["edits"]], patch["costs"]), (["moreNodesLikeIt"], "+1 node"))
        self.assertEqual([edit["object"] for edit in patch["edits"]], ["Node/n1"], "n2 is like n1")
        self.assertEqual([(item["object"], item["kubectl"]) for item in patch["objects"]], [("Node/n1-more-1", None)])
        _, _, told = self.fixed(objects, "--budget", "nodes=+1")
        self.assertIn('  {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1-more-1"', told, "JSON has no lines for it")
        tried = []
        for names in (("n1", "n2"), ("n1", "n2", "n3", "n4")):
            bare = [{**node, "metadata": {"name": node["metadata"]["name"]}} for node in checks.nodes(*names)]
            _, _, told = self.fixed([objects[0], *bare, checks.deployment(replicas=9, pod={"affinity": checks.APART})])
            tried.append(told.rsplit(" edits, ", 1)[0].rsplit(None, 1)[1])
        self.assertEqual(tried[0], tried[1], "of nodes that are alike one is tried")
        tight = [*objects[:-1], checks.deployment(replicas=1, cpu="5")]
        self.assertEqual(self.kinds(tight, "--budget", "nodes=+1"), (["nodeWithMoreCpu"], "+1 node (in larger ones)"))

    def test_drivers_of_a_new_node(self):
        """A new node can have as many volumes as the one that it is like."""
        answer, code = fix(os.path.join(SOURCE[0], "test", "cases", "volume-limit-of-a-node", "check.yaml"), "--budget", "nodes=+1")
        self.assertEqual(code, 0)
        self.assertEqual([item["object"] for item in answer["patches"][0]["objects"]], ["Node/n1-more-1", "CSINode/n1-more-1"])
        self.assertIn("+  name: n1-more-1", answer["patches"][0]["files"][0]["diff"])

    def test_nodes_that_are_left_to_others(self):
        """A taint that keeps all pods off nodes costs them."""
        example = os.path.join(SOURCE[0], "examples", "c05-duplicates-vs-resources", "broken.yaml")
        answer, _ = fix(example, "--budget", "nodes=+1")
        self.assertEqual([edit["kind"] for edit in answer["patches"][0]["edits"]], ["nodesReserved"])
        self.assertEqual(answer["patches"][0]["costs"], "+1 node (where none of these pods may run any more)")
        groups = [checks.node_group("a", 3, labels={"pool": "a"}), checks.node_group("b", 1)]
        objects = [checks.check(groups, [{"name": "neverOn", "nodeSelector": {"pool": "a"}}]), checks.deployment(replicas=1)]
        for budget in (2, 3):
            answer, _, _ = self.fixed(objects, "--budget", f"nodes=+{budget}")
            kinds = [edit["kind"] for patch in answer["patches"] for edit in patch["edits"]]
            self.assertEqual("nodesReserved" in kinds, budget == 3, kinds)

    def test_pods_of_lost_nodes(self):
        """That pods stay for ever on a node that is lost is no repair of their eviction, unless it is allowed."""
        cases = os.path.join(SOURCE[0], "test", "cases")
        answer, code = fix(os.path.join(cases, "all-of-a-cluster-stops-hasty", "check.yaml"))
        patch = answer["patches"][0]
        self.assertEqual((code, [edit["kind"] for edit in patch["edits"]], patch["givesUp"]), (0, ["tolerateLonger"], []))
        path = os.path.join(cases, "all-of-two-nodes-stops-hasty", "check.yaml")
        answer, code = fix(path, "--allow", "action")
        self.assertEqual((code, answer["patches"]), (1, []))
        self.assertIn("failover", {loss["protection"] for loss in answer["refused"][0]["givesUp"] if loss["guarded"]})
        answer, code = fix(path, "--allow", "action,failover")
        self.assertEqual((code, [edit["kind"] for edit in answer["patches"][0]["edits"]]), (0, ["tolerateForEver"]))

    def test_addresses_and_schedulers(self):
        for name, kind in (("endpoints-published", "onlyReadyAddresses"),
                           ("beside-name-in-a-schedulers-name", "defaultScheduler")):
            answer, code = fix(os.path.join(SOURCE[0], "test", "cases", name, "check.yaml"))
            self.assertEqual((code, [edit["kind"] for edit in answer["patches"][0]["edits"]]), (0, [kind]))

    def test_whole_numbers(self):
        """Of a quota of pods there are no quarters."""
        answer, code = fix(os.path.join(SOURCE[0], "test", "cases", "quota-shared-by-two", "check.yaml"), "--allow", "quota")
        self.assertEqual((code, answer["patches"][0]["edits"][0]["changes"][0]["value"]), (0, "4"))

    def test_too_many_pods(self):
        """If there are too many pods, what asks for more may end."""
        for name, kind in (("several-metrics", "targetValueUp"), ("disk-two-replicas", "keepWithVolume")):
            answer, code = fix(os.path.join(SOURCE[0], "test", "cases", name, "check.yaml"))
            self.assertEqual(code, 0, answer["refused"])
            self.assertEqual([edit["kind"] for edit in answer["patches"][0]["edits"]], [kind])
            self.assertEqual(answer["patches"][0]["givesUp"], [])


class Patches(unittest.TestCase):
    def test_minimal(self):
        """Every part of a patch is no repair; the whole is."""
        repaired = 0
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(10 * RANDOM[0]):
                objects = checks.random_check(seed)
                path = checks.write(os.path.join(folder, "check.json"), *objects)
                if verdict(path) != 1:
                    continue
                answer, _ = fix(path, "--allow", "all")
                for patch in answer["patches"]:
                    self.parts_fail(objects, patch["edits"], path, seed)
                repaired += bool(answer["patches"])
                if repaired >= RANDOM[0]:
                    break
        self.assertGreaterEqual(repaired, RANDOM[0] * 3 // 4)

    def parts_fail(self, objects, edits, path, seed):
        for part in range(1 << len(edits)):
            items = copy.deepcopy(objects)
            for number, edit in enumerate(edits):
                for done in edit["changes"] if part >> number & 1 else ():
                    change(items, edit["object"], done)
            checks.write(path, *items)
            whole = part == (1 << len(edits)) - 1
            self.assertEqual(verdict(path), 0 if whole else 1, (seed, part, edits))

    def test_jobs_beside_each_other(self):
        """Jobs that a CronJob starts beside each other count as one; those of two CronJobs do not."""
        answer, code = fix(os.path.join(SOURCE[0], "examples", "cron-jobs-pile-up", "broken.yaml"))
        self.assertEqual(code, 0, answer["refused"])
        kinds = [edit["kind"] for patch in answer["patches"] for edit in patch["edits"]]
        self.assertIn("jobsOneAtATime", kinds)
        for patch in answer["patches"]:
            self.assertEqual([loss for loss in patch["givesUp"] if loss["guarded"]], [])

    def test_diffs(self):
        """`patch` takes the diffs, comments stay, and the result holds; nothing else was written."""
        for name in ("c04-kernel-panic-loop", "c06-maintenance-imbalance", "c07-nodename-vs-taint",
                     "c13-traffic-to-terminating", "quota-stops-rollout"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                shutil.copytree(os.path.join(SOURCE[0], "examples", name), os.path.join(folder, name))
                path = os.path.join(folder, name, "broken.yaml")
                before = read_all(os.path.dirname(path))
                answer, code = fix(path, "--allow", "room")
                self.assertEqual(code, 0, answer)
                after = read_all(os.path.dirname(path))
                self.assertEqual(before, after)
                for file in answer["patches"][0]["files"]:
                    subprocess.run(["patch", "-s", file["file"]], input=file["diff"], text=True, check=True)
                self.assertEqual(verdict(path), 0)
                with open(path, encoding="utf-8") as stream:
                    comments = [line for line in before["broken.yaml"].splitlines() if line.startswith("#")]
                    self.assertEqual(comments, [line for line in stream.read().splitlines() if line.startswith("#")])


class Input(unittest.TestCase):
    def test_wrong(self):
        example = os.path.join(SOURCE[0], "examples", "c04-kernel-panic-loop", "broken.yaml")
        for arguments in (("missing.yaml",), (example, "--allow", "everything"), (example, "--budget", "nodes=many"),
                          (os.path.join(SOURCE[0], "examples", "typo.yaml"),), ()):
            done = fathom("fix", *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout))
            self.assertTrue(done.stderr)

    def test_broken_files(self):
        """What is wrong is said with its place."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong")
            for text, place in (("a: [b\n", ":2:1: "), ("apiVersion: fathom/v1\nkind: Check\nmetadata: {name: x}\n"
                                                       "spec: {nodeGroups: 3}\n", ":4:20: spec.nodeGroups: "),
                                ("", ": contains no objects"), ("a: \0", "NUL byte"),
                                ('{"apiVersion": "fathom/v1", "kind": "Report"}', ":1:1: intents: ")):
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text)
                done = fathom("fix", path)
                self.assertEqual((done.returncode, done.stdout), (2, ""), text)
                self.assertIn(path, done.stderr)
                self.assertIn(place, done.stderr)

    def test_other_report(self):
        """Of a version that is not known, of files that are gone, and one that ends in the middle."""
        example = os.path.join(SOURCE[0], "examples", "c07-nodename-vs-taint", "broken.yaml")
        report = fathom("verify", example, "--trial", "0", "--jobs", "1", "-o", "json").stdout
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            for text in (report.replace('"kubernetesVersion": "1.', '"kubernetesVersion": "9.'),
                         report.replace("c07-", "x07-"), report[:len(report) // 2]):
                with open(path, "w", encoding="utf-8") as stream:
                    stream.write(text)
                done = fathom("fix", path)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr)

    def test_interrupted(self):
        """Ctrl-C and limits end the search, and what was found is told."""
        slow = os.path.join(SOURCE[0], "examples", "app-monitoring", "load-before.yaml")
        with subprocess.Popen([FATHOM[0], "fix", slow, "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            while process.poll() is None and not (listens(process) and spent(process) > 0.5):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            told, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 3, told)
        self.assertIn("interrupted", told)
        for limit in (("--timeout", "1s"), ("--memory", "1M")):
            done = fathom("fix", slow, "--jobs", "1", *limit)
            self.assertEqual(done.returncode, 3, done.stdout)
            self.assertIn(limit[0], done.stdout)

    def test_limit(self):
        done = fathom("fix", os.path.join(SOURCE[0], "examples", "c03-spread-conflict", "broken.yaml"),
                      "--max-states", "20")
        self.assertEqual(done.returncode, 3, done.stdout)

    def test_report(self):
        """A report of verify is repaired, and verify --fix has the same patch in every format."""
        example = os.path.join(SOURCE[0], "examples", "c07-nodename-vs-taint", "broken.yaml")
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.json")
            sarif = os.path.join(folder, "report.sarif")
            page = os.path.join(folder, "report.html")
            done = fathom("verify", example, "--fix", "--trial", "0", "--jobs", "1", "-o", "json=" + report,
                          "-o", "sarif=" + sarif, "-o", "html=" + page, "-o", "text")
            self.assertEqual(done.returncode, 1)
            self.assertIn("Repair (nothing was applied)", done.stdout)
            with open(report, encoding="utf-8") as stream:
                best = json.load(stream)["repairs"][0]
            answer, code = fix(report)
            self.assertEqual(code, 0)
            self.assertEqual(answer["patches"][0]["edits"], best["edits"])
            with open(sarif, encoding="utf-8") as stream:
                change_there = json.load(stream)["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]
            with open(example, encoding="utf-8") as stream:
                lines = stream.read().splitlines(keepends=True)
            region = change_there["replacements"][0]["deletedRegion"]
            lines[region["startLine"] - 1:region["endLine"] - 1] = [
                change_there["replacements"][0]["insertedContent"]["text"]]
            mended = os.path.join(folder, "mended.yaml")
            with open(mended, "w", encoding="utf-8") as stream:
                stream.write("".join(lines))
            self.assertEqual(verdict(mended), 0)
            with open(page, encoding="utf-8") as stream:
                self.assertIn("tolerations", stream.read().split("Repair", 1)[1])

    def test_objective(self):
        example = os.path.join(SOURCE[0], "examples", "slo-hpa-full-queue", "hpa.yaml")
        found = fathom("fix", example)
        self.assertEqual(found.stdout, fathom("slo", example, "--find", "min-pods").stdout)

    def test_needless(self):
        done = fathom("fix", os.path.join(SOURCE[0], "examples", "c04-kernel-panic-loop", "fixed.yaml"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("nothing to repair", done.stdout)


if __name__ == "__main__":
    FATHOM.append(os.path.abspath(sys.argv[1]))
    SOURCE[0] = os.path.abspath(sys.argv[2])
    if "--random" in sys.argv:
        RANDOM[0] = int(sys.argv[sys.argv.index("--random") + 1])
    SMALL[0] = "--small" in sys.argv
    unittest.main(argv=sys.argv[:1] + [name for name in sys.argv[3:] if "." in name])
