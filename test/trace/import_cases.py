#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small inputs of every sort that `fathom trace import` reads, and what it makes of them.

    import_cases.py FATHOM
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

FATHOM = ""
ROOT_CPID = "11111111-1111-4111-8111-111111111111"
OTHER_CPID = "22222222-2222-4222-8222-222222222222"
NEW_CPID = "33333333-3333-4333-8333-333333333333"


def audit(number, user, verb, resource, name, **more):
    """One line of an audit log, `number` milliseconds after noon."""
    reference = {"resource": resource, "namespace": "shop", "name": name}
    reference.update(more.pop("reference", {}))
    line = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "stage": "ResponseComplete",
            "auditID": f"a{number}", "verb": verb, "user": {"username": user},
            "objectRef": reference, "responseStatus": {"code": more.pop("code", 200)},
            "requestReceivedTimestamp": f"2026-03-01T12:00:00.{number:03d}000Z",
            "stageTimestamp": f"2026-03-01T12:00:00.{number:03d}500Z"}
    line.update(more)
    return line


def body(kind, name, version, **metadata):
    spec, status = metadata.pop("spec", {}), metadata.pop("status", {})
    return {"apiVersion": "v1", "kind": kind,
            "metadata": {"name": name, "namespace": "shop", "uid": "u-" + name,
                         "resourceVersion": str(version), **metadata},
            "spec": spec, "status": status}


def owned_by(kind, name):
    return [{"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": "u-" + name,
             "controller": True}]


class ImportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content, packed=False):
        path = os.path.join(self.folder.name, name)
        opener = gzip.open if packed else open
        with opener(path, "wt", encoding="utf-8") as stream:
            stream.write(content)
        return path

    def write_lines(self, lines, name="audit.log", packed=False):
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines), packed)

    def run_import(self, *arguments):
        return subprocess.run([FATHOM, "trace", "import", *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)

    def import_json(self, *paths, options=()):
        arguments = [word for path in paths for word in ("-f", path)]
        done = self.run_import(*arguments, "-o", "json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def causes(self, records):
        """{name of a span: [(name of its cause, label, rule)]}"""
        title = {s["spanId"]: f"{s['service']}: {s['name']}" for s in records["spans"]}
        return {title[s["spanId"]]: [(title[c["span"]], c["label"], c["rule"])
                                     for c in s.get("attributes", {}).get("cpid.causes", ())]
                for s in records["spans"]}

    def log(self):
        """A Deployment, its set, a pod, its binding, and a status."""
        agent = "system:serviceaccount:kube-system:"
        return [
            audit(1, "alice", "create", "deployments", "web",
                  responseObject=body("Deployment", "web", 10, generation=1)),
            audit(5, agent + "deployment-controller", "create", "replicasets", "web-1",
                  responseObject=body("ReplicaSet", "web-1", 11, generation=1,
                                      ownerReferences=owned_by("Deployment", "web"))),
            audit(9, agent + "replicaset-controller", "create", "pods", None,
                  responseObject=body("Pod", "web-1-x", 12,
                                      ownerReferences=owned_by("ReplicaSet", "web-1"))),
            audit(14, "system:kube-scheduler", "create", "pods", "web-1-x",
                  reference={"subresource": "binding"},
                  requestObject={"target": {"kind": "Node", "name": "n1"}},
                  responseObject={"kind": "Status", "apiVersion": "v1"}),
            audit(30, agent + "deployment-controller", "update", "deployments", "web",
                  reference={"subresource": "status", "resourceVersion": "10"},
                  responseObject=body("Deployment", "web", 14, generation=1,
                                      status={"observedGeneration": 1})),
        ]

    EXPECTED = {
        "alice: create Deployment": [],
        "deployment-controller: create ReplicaSet": [("alice: create Deployment", "owner", "owner")],
        "replicaset-controller: create Pod":
            [("deployment-controller: create ReplicaSet", "owner", "owner")],
        "scheduler: bind Pod": [("replicaset-controller: create Pod", "time-window", "object")],
        "deployment-controller: status Deployment": [
            ("alice: create Deployment", "exact", "precondition"),
            ("deployment-controller: create ReplicaSet", "time-window", "below")],
    }

    def test_an_audit_log(self):
        records = self.import_json(self.write_lines(self.log()))
        self.assertEqual(self.causes(records), self.EXPECTED)
        self.assertEqual(len(records["mergelogs"]), 1)
        self.assertEqual({span["cpid"] for span in records["spans"]},
                         {records["mergelogs"][0]["cpid"]})
        self.assertEqual(records["spans"][0]["startTimeUnixNano"], "1772366400001000000")
        self.assertEqual(records["spans"][0]["endTimeUnixNano"], "1772366400001500000")

    def test_order_and_packing_do_not_matter(self):
        plain = self.import_json(self.write_lines(self.log()))
        packed = self.import_json(self.write_lines(self.log()[::-1], "audit.log.gz", packed=True))
        self.assertEqual(packed, plain)

    def test_several_files_are_one_cluster(self):
        first = self.write_lines(self.log()[:2], "one.log")
        second = self.write_lines(self.log()[2:], "two.log")
        self.assertEqual(self.causes(self.import_json(second, first)), self.EXPECTED)

    def test_what_writes_nothing_is_left_out_and_counted(self):
        lines = self.log() + [
            audit(40, "alice", "get", "pods", "web-1-x"),
            audit(41, "system:node:n1", "update", "leases", "n1"),
            audit(42, "alice", "create", "tokenreviews", None),
        ]
        done = self.run_import("-f", self.write_lines(lines))
        self.assertEqual(done.returncode, 0)
        text = done.stdout.decode()
        self.assertIn("changes         5 by 4 actors, 0 of them refused\n", text)
        for left_out in ("1 requests that write nothing", "1 renewals of Leases",
                         "1 requests that store nothing"):
            self.assertIn("left out        " + left_out, text)

    def test_a_refused_write_causes_nothing(self):
        refused = audit(20, "bob", "update", "deployments", "web", code=409,
                        reference={"resourceVersion": "10"},
                        responseStatus={"code": 409, "message": "the object has been modified"})
        records = self.import_json(self.write_lines(self.log() + [refused]))
        span = next(s for s in records["spans"] if s["service"] == "bob")
        self.assertEqual(span["attributes"]["cpid.failure"], "409: the object has been modified")
        for causes in self.causes(records).values():
            self.assertNotIn("bob: update Deployment", [cause for cause, _, _ in causes])

    def test_a_patch_that_changed_nothing_wrote_no_version(self):
        idle = audit(3, "bob", "patch", "deployments", "web",
                     requestObject={"spec": {}},
                     responseObject=body("Deployment", "web", 10, generation=1))
        records = self.import_json(self.write_lines(self.log() + [idle]))
        status = self.causes(records)["deployment-controller: status Deployment"]
        self.assertIn(("alice: create Deployment", "exact", "precondition"), status)

    def test_a_patch_that_raced_with_the_writer_of_its_version(self):
        """It started first, but only the update is known to have written version 14."""
        idle = audit(29, "bob", "patch", "deployments", "web", requestObject={"spec": {}},
                     responseObject=body("Deployment", "web", 14, generation=1))
        agent = "system:serviceaccount:kube-system:deployment-controller"
        status = audit(60, agent, "update", "deployments", "web",
                       reference={"subresource": "status", "resourceVersion": "14"},
                       responseObject=body("Deployment", "web", 21, generation=1,
                                           status={"observedGeneration": 1}))
        records = self.import_json(self.write_lines(self.log() + [idle, status]))
        spans = {s["spanId"]: s for s in records["spans"]}
        last = next(s for s in records["spans"] if s.get("resourceVersionWritten") == "21")
        exact = [spans[c["span"]]["service"] for c in last["attributes"]["cpid.causes"]
                 if c["label"] == "exact"]
        self.assertEqual(exact, ["deployment-controller"])

    def test_two_patches_with_one_version_prove_nothing(self):
        lines = self.log() + [
            audit(40 + i, user, "patch", "deployments", "web", requestObject={"spec": {}},
                  responseObject=body("Deployment", "web", 20, generation=2))
            for i, user in enumerate(("bob", "carol"))]
        agent = "system:serviceaccount:kube-system:deployment-controller"
        lines.append(audit(60, agent, "update", "deployments", "web",
                           reference={"subresource": "status", "resourceVersion": "20"},
                           responseObject=body("Deployment", "web", 21, generation=2,
                                               status={"observedGeneration": 2})))
        records = self.import_json(self.write_lines(lines))
        last = next(s for s in records["spans"] if s.get("resourceVersionWritten") == "21")
        self.assertNotIn("exact", [c["label"] for c in last["attributes"]["cpid.causes"]])

    def test_two_changes_meet(self):
        """A user's update is a root of its own, and merges with what was there."""
        update = audit(50, "bob", "update", "deployments", "web",
                       reference={"resourceVersion": "14"},
                       responseObject=body("Deployment", "web", 20, generation=2,
                                           status={"observedGeneration": 1}))
        agent = "system:serviceaccount:kube-system:deployment-controller"
        status = audit(60, agent, "update", "deployments", "web",
                       reference={"subresource": "status", "resourceVersion": "20"},
                       responseObject=body("Deployment", "web", 21, generation=2,
                                           status={"observedGeneration": 2}))
        records = self.import_json(self.write_lines(self.log() + [update, status]))
        spans = {(s["service"], s.get("resourceVersionWritten")): s for s in records["spans"]}
        merged = [m for m in records["mergelogs"] if m["sources"]]
        self.assertEqual(len(merged), 1)
        self.assertEqual(set(merged[0]["sources"]),
                         {spans["alice", "10"]["cpid"], spans["bob", "20"]["cpid"]})
        last = spans["deployment-controller", "21"]
        self.assertEqual(last["cpid"], merged[0]["cpid"])
        self.assertEqual([(c["label"], c["rule"]) for c in last["attributes"]["cpid.causes"]],
                         [("exact", "precondition")])

    def test_contexts_that_objects_carry_are_kept(self):
        lines = self.log()
        annotations = {"cpid.trace/id": ROOT_CPID}
        lines[0]["responseObject"]["metadata"]["annotations"] = annotations
        lines[1]["responseObject"]["metadata"]["annotations"] = {
            "cpid.trace/id": NEW_CPID, "cpid.trace/anc": f"{ROOT_CPID},{OTHER_CPID}"}
        records = self.import_json(self.write_lines(lines))
        cpids = [span["cpid"] for span in records["spans"]]
        self.assertEqual(cpids[:3], [ROOT_CPID, NEW_CPID, NEW_CPID])
        merges = {m["cpid"]: m["sources"] for m in records["mergelogs"]}
        self.assertEqual(merges[ROOT_CPID], [])
        self.assertEqual(set(merges[NEW_CPID]), {ROOT_CPID, OTHER_CPID})

    def test_trust_decides_what_passes_cpids_on(self):
        path = self.write_lines(self.log())
        spans = self.import_json(path, options=("--trust", "owner"))["spans"]
        bind = next(s for s in spans if s["name"] == "bind Pod")
        self.assertEqual(bind["attributes"]["cpid.causes"][0]["label"], "time-window")
        self.assertEqual(bind["cpid"], spans[0]["cpid"])  # by the pod itself
        spans = self.import_json(path, options=("--trust", "exact"))["spans"]
        self.assertEqual(len({s["cpid"] for s in spans}), 3)

    DUMP = """
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    namespace: shop
    uid: u-web
    generation: 1
    resourceVersion: "30"
    creationTimestamp: "2026-03-01T12:00:00Z"
    managedFields:
    - {manager: kubectl-create, operation: Update, time: "2026-03-01T12:00:00Z"}
    - {manager: kube-controller-manager, operation: Update, subresource: status, time: "2026-03-01T12:00:04Z"}
- apiVersion: apps/v1
  kind: ReplicaSet
  metadata:
    name: web-1
    namespace: shop
    uid: u-web-1
    creationTimestamp: "2026-03-01T12:00:00Z"
    ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u-web, controller: true}]
    managedFields:
    - {manager: kube-controller-manager, operation: Update, time: "2026-03-01T12:00:00Z"}
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-1-x
    namespace: shop
    creationTimestamp: "2026-03-01T12:00:01Z"
    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: u-web-1, controller: true}]
    managedFields:
    - {manager: kube-controller-manager, operation: Update, time: "2026-03-01T12:00:01Z"}
    - {manager: kubelet, operation: Update, subresource: status, time: "2026-03-01T12:00:03Z"}
  spec: {nodeName: n1}
  status: {conditions: [{type: PodScheduled, status: "True", lastTransitionTime: "2026-03-01T12:00:02Z"}]}
"""

    def test_a_dump_with_managed_fields(self):
        records = self.import_json(self.write("dump.yaml", self.DUMP))
        self.assertEqual(self.causes(records), {
            "kubectl-create: create Deployment": [],
            "deployment-controller: create ReplicaSet":
                [("kubectl-create: create Deployment", "owner", "owner")],
            "replicaset-controller: create Pod":
                [("deployment-controller: create ReplicaSet", "owner", "owner")],
            "scheduler: bind Pod": [("replicaset-controller: create Pod", "time-window", "object")],
            "kubelet: status Pod": [("scheduler: bind Pod", "time-window", "object")],
            "deployment-controller: status Deployment": [
                ("kubectl-create: create Deployment", "time-window", "object"),
                ("deployment-controller: create ReplicaSet", "time-window", "below")],
        })
        self.assertFalse([s for s in records["spans"]
                          for c in s["attributes"].get("cpid.causes", ()) if c["label"] == "exact"])

    def test_standard_input_and_packed_manifests(self):
        plain = self.import_json(self.write("dump.yaml", self.DUMP))
        self.assertEqual(self.import_json(self.write("dump.yaml.gz", self.DUMP, packed=True)), plain)
        for content, expected in ((self.DUMP, plain), ("".join(
                json.dumps(line) + "\n" for line in self.log()), None)):
            done = subprocess.run([FATHOM, "trace", "import", "-f", "-", "-o", "json"],
                                  input=content.encode(), stdout=subprocess.PIPE, check=True)
            self.assertEqual(json.loads(done.stdout),
                             expected or self.import_json(self.write_lines(self.log())))

    def test_events_name_the_version_that_was_seen(self):
        event = {"apiVersion": "v1", "kind": "Event",
                 "metadata": {"name": "e1", "namespace": "shop", "uid": "e-1"},
                 "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web-1-x",
                                    "resourceVersion": "12"},
                 "reason": "FailedScheduling", "message": "0/1 nodes are available",
                 "source": {"component": "default-scheduler"}, "count": 3,
                 "firstTimestamp": "2026-03-01T12:00:00Z", "lastTimestamp": "2026-03-01T12:00:09Z"}
        records = self.import_json(self.write_lines(self.log()),
                                   self.write("events.json", json.dumps(event)))
        self.assertEqual(self.causes(records)["scheduler: FailedScheduling"],
                         [("replicaset-controller: create Pod", "exact", "involved")])

    def test_ambiguity_is_shown(self):
        """Two pods change before the status of their set: both are listed."""
        agent = "system:serviceaccount:kube-system:replicaset-controller"
        lines = self.log()
        lines += [audit(15 + i, f"system:node:n{i}", "patch", "pods", name,
                        reference={"subresource": "status"},
                        responseObject=body("Pod", name, 20 + i,
                                            ownerReferences=owned_by("ReplicaSet", "web-1")))
                  for i, name in enumerate(("web-1-x", "web-1-y"))]
        lines.append(audit(40, agent, "update", "replicasets", "web-1",
                           reference={"subresource": "status", "resourceVersion": "11"},
                           responseObject=body("ReplicaSet", "web-1", 30, generation=1,
                                               status={"observedGeneration": 1})))
        causes = self.causes(self.import_json(self.write_lines(lines)))
        windows = [c for c in causes["replicaset-controller: status ReplicaSet"]
                   if c[1] == "time-window"]
        self.assertEqual(len(windows), 2)

    def test_wrong_input(self):
        for name, content, message in (
                ("cut.log", json.dumps(self.log()[0]) + "\n{\"kind\": ", "cut.log:2:"),
                ("number.log", json.dumps(self.log()[0]) + "\n12\n",
                 "number.log:2:1: expected an audit event, an Event or an object"),
                ("other.yaml", "hello: world\n", "other.yaml:1:1: expected an audit event"),
        ):
            done = self.run_import("-f", self.write(name, content))
            self.assertEqual(done.returncode, 2, name)
            self.assertIn(message, done.stderr.decode())
        done = self.run_import("-f", os.path.join(self.folder.name, "nothing"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing: cannot be read: No such file or directory", done.stderr.decode())
        done = self.run_import()
        self.assertEqual(done.returncode, 2)


def main():
    global FATHOM
    FATHOM = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
