#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real kubectl against `fathom apiserver --memory`, end to end.

    test/apiserver/kubectl_test.py build/fathom

KUBECTL names another kubectl than the one in PATH.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

from serving import FATHOM, Server

KUBECTL = os.environ.get("KUBECTL", "kubectl")

CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {colour: red}
"""

STATEFUL_SET = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 2
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: web:1, env: [{name: A, value: "1"}, {name: B, value: "2"}]}
      - {name: side, image: side:1}
"""

AROUND = """
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:pages:reader"}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: pages}
spec: {controller: example.org/pages}
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: sandbox}
handler: sandbox
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.pages.example.org}
spec: {group: pages.example.org, version: v1, groupPriorityMinimum: 100, versionPriority: 100}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: pages}
webhooks:
- name: pages.example.org
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: "https://pages.example.org"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: pages}
webhooks: []
"""

NAMESPACE = """
apiVersion: v1
kind: Namespace
metadata: {name: zone}
"""

DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: zoos.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: zoos, kind: Zoo, shortNames: [zo]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources: {status: {}}
    additionalPrinterColumns: [{name: Animals, type: integer, jsonPath: .spec.animals}]
"""

ZOO = """
apiVersion: example.org/v1
kind: Zoo
metadata: {name: berlin}
spec: {animals: 3}
"""


class KubectlTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.server = Server(cls.home.name)
        cls.environment = {
            "HOME": cls.home.name,
            "KUBECONFIG": cls.server.kubeconfig,
            "PATH": os.environ["PATH"],
        }

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        cls.home.cleanup()
        assert code == 0, f"the server ended with {code}"

    def kubectl(self, *arguments, given=None, fails=False):
        """Standard output, or (fails) standard error."""
        done = subprocess.run(
            [KUBECTL, *arguments],
            input=given,
            text=True,
            capture_output=True,
            timeout=30,
            env=self.environment,
            check=False,
        )
        self.assertEqual(done.returncode != 0, fails, (arguments, done.stdout, done.stderr))
        return (done.stderr if fails else done.stdout).strip()

    def get(self, *arguments):
        return json.loads(self.kubectl("get", *arguments, "-o", "json"))

    def test_create_get_delete(self):
        self.assertIn("created", self.kubectl("create", "-f", "-", given=CONFIG_MAP))
        again = self.kubectl("create", "-f", "-", given=CONFIG_MAP, fails=True)
        self.assertIn('(AlreadyExists): error when creating "STDIN": configmaps "settings"', again)
        lines = self.kubectl("get", "configmaps", "-l", "app=web").split("\n")
        self.assertEqual(lines[0].split(), ["NAME", "DATA", "AGE"])
        self.assertEqual(lines[1].split()[:2], ["settings", "1"])
        found = self.get("cm", "settings")
        self.assertEqual(found["data"], {"colour": "red"})
        self.assertEqual(found["metadata"]["namespace"], "default")
        self.assertRegex(found["metadata"]["uid"], "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertIn("deleted", self.kubectl("delete", "cm", "settings"))
        self.assertIn(
            'Error from server (NotFound): configmaps "settings" not found',
            self.kubectl("get", "cm", "settings", fails=True),
        )

    def test_objects_that_kubectl_makes_itself(self):
        """Newer versions of kubectl send these as protobuf."""
        made = {
            "configmap": ("plain", "--from-literal=a=b", "--from-literal=empty="),
            "secret": ("generic", "hidden", "--from-literal=a=b"),
            "serviceaccount": ("account",),
            "role": ("reader", "--verb=get,list", "--resource=pods,pods/status"),
            "rolebinding": ("readers", "--role=reader", "--serviceaccount=default:account"),
            "service": ("nodeport", "front", "--tcp=80:http", "--node-port=30000"),
        }
        for kind, arguments in made.items():
            self.kubectl("create", kind, *arguments)
            name = next(word for word in arguments if word not in ("generic", "nodeport"))
            wanted = json.loads(
                self.kubectl("create", kind, *arguments, "--dry-run=client", "-o", "json")
            )
            found = self.get(kind, name)
            for member in ("data", "rules", "roleRef", "subjects", "spec"):
                self.assertEqual(found.get(member), wanted.get(member), (kind, member))

    def test_a_dump_is_verified(self):
        """What manifests have is kept as it is, the status of Nodes too."""
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "applications")
        self.kubectl("create", "namespace", "shop")
        self.kubectl("apply", "-f", os.path.join(folder, "three-zones.yaml"))
        self.kubectl("apply", "-f", os.path.join(folder, "scaled-by-two.yaml"))
        kinds = "nodes,deploy,rs,sts,ds,rc,jobs,cj,hpa,pdb,pc,sc,pv,pvc,svc,limits,quota,ing,netpol"
        dump = self.kubectl("get", kinds, "-A", "-o", "json")
        command = [FATHOM[0], "verify", "-f", "-", "--event", "drain", "-o", "json"]
        done = subprocess.run(command, input=dump, capture_output=True, text=True, check=False)
        summary = json.loads(done.stdout)["summary"]
        self.assertEqual((summary["workloads"], summary["hold"]), (2, 4), done.stderr)
        self.kubectl("delete", "-f", os.path.join(folder, "three-zones.yaml"))

    def test_what_applications_bring_along(self):
        self.kubectl("apply", "-f", "-", given=AROUND)
        kinds = "clusterroles,ingressclasses,runtimeclasses,apiservices,endpoints,endpointslices"
        found = self.get(kinds + ",validatingwebhookconfigurations,csidrivers")["items"]
        names = sorted(item["metadata"]["name"] for item in found)
        self.assertEqual(
            names, ["pages", "pages", "sandbox", "system:pages:reader", "v1.pages.example.org"]
        )
        self.kubectl("delete", "-f", "-", given=AROUND)

    def test_newer_kinds_that_manifests_have(self):
        kinds = {
            "admissionregistration.k8s.io": "ValidatingAdmissionPolicy MutatingAdmissionPolicy "
            "ValidatingAdmissionPolicyBinding MutatingAdmissionPolicyBinding",
            "flowcontrol.apiserver.k8s.io": "FlowSchema PriorityLevelConfiguration",
            "apps": "ControllerRevision",
            "storage.k8s.io": "CSINode VolumeAttachment VolumeAttributesClass",
            "resource.k8s.io": "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice",
        }
        made = [
            {
                "apiVersion": f"{group}/v1",
                "kind": kind,
                "metadata": {"name": "newer"},
                "spec": {"kept": "as it is"},
            }
            for group, names in kinds.items()
            for kind in names.split()
        ]
        given = json.dumps({"apiVersion": "v1", "kind": "List", "items": made})
        self.kubectl("apply", "-f", "-", given=given)
        found = json.loads(self.kubectl("get", "-f", "-", "-o", "json", given=given))["items"]
        self.assertEqual(
            [(item["kind"], item["spec"]) for item in found],
            [(item["kind"], item["spec"]) for item in made],
        )
        self.kubectl("delete", "-f", "-", given=given)

    def test_apply_twice_then_changed(self):
        self.assertEqual(
            self.kubectl("apply", "-f", "-", given=STATEFUL_SET), "statefulset.apps/web created"
        )
        before = self.get("sts", "web")["metadata"]
        self.assertEqual(
            self.kubectl("apply", "-f", "-", given=STATEFUL_SET), "statefulset.apps/web unchanged"
        )
        self.assertEqual(self.get("sts", "web")["metadata"], before)
        changed = STATEFUL_SET.replace("replicas: 2", "replicas: 3")
        changed = changed.replace('{name: A, value: "1"}, ', "").replace("side:1", "side:2")
        self.assertEqual(
            self.kubectl("apply", "-f", "-", given=changed), "statefulset.apps/web configured"
        )
        after = self.get("sts", "web")
        self.assertEqual(after["metadata"]["generation"], before["generation"] + 1)
        self.assertEqual(after["spec"]["replicas"], 3)
        containers = after["spec"]["template"]["spec"]["containers"]
        self.assertEqual([one["image"] for one in containers], ["web:1", "side:2"])
        self.assertEqual(containers[0]["env"], [{"name": "B", "value": "2"}])
        immutable = changed.replace("serviceName: web", "serviceName: other")
        self.assertIn(
            'The StatefulSet "web" is invalid: spec.serviceName',
            self.kubectl("apply", "-f", "-", given=immutable, fails=True),
        )
        self.kubectl("delete", "sts", "web")

    def test_scale(self):
        self.kubectl("create", "-f", "-", given=STATEFUL_SET.replace("name: web}", "name: big}", 1))
        self.assertEqual(
            self.kubectl("scale", "sts", "big", "--replicas=7", "--current-replicas=2"),
            "statefulset.apps/big scaled",
        )
        self.assertEqual(self.get("sts", "big")["spec"]["replicas"], 7)
        self.kubectl("scale", "sts", "big", "--replicas=8", "--current-replicas=2", fails=True)
        self.assertEqual(self.get("sts", "big")["metadata"]["generation"], 2)

    def test_stale_version_is_a_conflict(self):
        self.kubectl("create", "-f", "-", given=CONFIG_MAP.replace("settings", "stale"))
        old = self.kubectl("get", "cm", "stale", "-o", "yaml")
        self.kubectl("patch", "cm", "stale", "--type", "merge", "-p", '{"data":{"colour":"blue"}}')
        message = self.kubectl("replace", "-f", "-", given=old, fails=True)
        self.assertIn("Error from server (Conflict)", message)
        self.assertIn(
            'Operation cannot be fulfilled on configmaps "stale": the object has been modified; '
            "please apply your changes to the latest version and try again",
            message,
        )
        self.assertEqual(self.get("cm", "stale")["data"], {"colour": "blue"})

    def test_edit_meets_another_change(self):
        """The editor itself makes the version stale: kubectl keeps the edit in a file."""
        self.kubectl("create", "-f", "-", given=CONFIG_MAP.replace("settings", "edited"))
        editor = os.path.join(self.home.name, "editor")
        with open(editor, "w", encoding="utf-8") as stream:
            stream.write(
                f"#!/bin/sh\n{KUBECTL} label cm edited touched=yes >/dev/null || exit 1\n"
                'sed -i "s/colour: red/colour: green/" "$1"\n'
            )
        os.chmod(editor, 0o755)
        self.environment["KUBE_EDITOR"] = editor
        done = subprocess.run(
            [KUBECTL, "edit", "cm", "edited"],
            text=True,
            capture_output=True,
            timeout=30,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        # An edit is a patch without a version, so both changes are there.
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.get("cm", "edited")
        self.assertEqual(found["data"], {"colour": "green"})
        self.assertEqual(found["metadata"]["labels"], {"app": "web", "touched": "yes"})

    def test_finalizers_keep_what_is_deleted(self):
        held = CONFIG_MAP.replace("name: settings", "name: held, finalizers: [example.org/hold]")
        self.kubectl("create", "-f", "-", given=held)
        self.kubectl("delete", "cm", "held", "--wait=false")
        self.assertIn("deletionTimestamp", self.get("cm", "held")["metadata"])
        self.kubectl("patch", "cm", "held", "-p", '{"metadata":{"finalizers":null}}')
        self.kubectl("get", "cm", "held", fails=True)

    def test_watch(self):
        self.kubectl("create", "-f", "-", given=CONFIG_MAP.replace("settings", "seen"))
        with subprocess.Popen(
            [KUBECTL, "get", "cm", "seen", "--watch", "-o", "jsonpath={.data.colour} "],
            stdout=subprocess.PIPE,
            text=True,
            env=self.environment,
        ) as watch:
            try:
                self.assertEqual(watch.stdout.read(len("red ")), "red ")
                for colour in ("blue", "green"):
                    patch = f'{{"data":{{"colour":"{colour}"}}}}'
                    self.kubectl("patch", "cm", "seen", "-p", patch)
                    self.assertEqual(watch.stdout.read(len(colour) + 1), colour + " ")
            finally:
                watch.kill()

    def test_custom_resources(self):
        self.kubectl("apply", "-f", "-", given=DEFINITION)
        self.kubectl("wait", "--for", "condition=established", "crd/zoos.example.org")
        for outcome in ("created", "unchanged"):
            said = self.kubectl("apply", "-f", "-", given=ZOO)
            self.assertEqual(said, f"zoo.example.org/berlin {outcome}")
        self.kubectl("apply", "-f", "-", given=ZOO.replace("3", "4"))
        lines = self.kubectl("get", "zo").split("\n")
        self.assertEqual([line.split() for line in lines], [["NAME", "ANIMALS"], ["berlin", "4"]])
        self.kubectl("delete", "crd", "zoos.example.org")
        self.kubectl("get", "zo", fails=True)

    def test_dependents_go_with_their_owner(self):
        self.kubectl("create", "-f", "-", given=CONFIG_MAP.replace("settings", "owner"))
        uid = self.get("cm", "owner")["metadata"]["uid"]
        owner = f"{{apiVersion: v1, kind: ConfigMap, name: owner, uid: {uid}}}"
        part = CONFIG_MAP.replace("settings", f"part, ownerReferences: [{owner}]")
        self.kubectl("create", "-f", "-", given=part)
        self.kubectl("delete", "cm", "owner")
        for _ in range(600):
            if not self.kubectl("get", "cm", "part", "--ignore-not-found"):
                return
            time.sleep(0.1)
        self.fail("the dependent is still there")

    def test_namespaces(self):
        self.kubectl("create", "-f", "-", given=NAMESPACE)
        self.kubectl("-n", "zone", "create", "-f", "-", given=CONFIG_MAP)
        self.assertEqual(len(self.get("cm", "-n", "zone")["items"]), 1)
        self.kubectl("delete", "namespace", "zone")
        self.assertIn("NotFound", self.kubectl("get", "namespace", "zone", fails=True))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        FATHOM.append(sys.argv.pop(1))
    unittest.main()
