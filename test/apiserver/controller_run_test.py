#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom controller run` against `fathom apiserver --memory`.

    test/apiserver/controller_run_test.py build/fathom
"""

import base64
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from serving import FATHOM, Server

TLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "tls")

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")

CLUSTER = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: websites.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: websites, kind: Website}
  versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]
---
apiVersion: example.org/v1
kind: Website
metadata: {name: shop}
spec: {title: hello, replicas: 2}
"""

CHECK = """
apiVersion: fathom/v1
kind: ControllerCheck
metadata: {name: site}
spec:
  controller:
    customKinds: [Website]
    machine:
      name: site
      resources:
      - kind: ConfigMap
        name: '{name}-pages'
        remember: {pages: metadata.resourceVersion}
        template: {data: {title: {cr: spec.title}}}
      - kind: StatefulSet
        name: '{name}'
        ownedOnly: true
        update: [spec.replicas, metadata.annotations]
        template:
          metadata: {annotations: {pages: {remembered: pages}}}
          spec: {replicas: {cr: spec.replicas}, serviceName: '{name}'}
"""

WEBSITE = "/apis/example.org/v1/namespaces/default/websites/shop"
PAGES = "/api/v1/namespaces/default/configmaps/shop-pages"
SET = "/apis/apps/v1/namespaces/default/statefulsets/shop"


class ControllerRunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.servers = []
        self.controllers = []
        self.context = None
        self.write("cluster.yaml", CLUSTER)
        self.write("check.yaml", CHECK)

    def tearDown(self):
        for controller in self.controllers:
            if controller.poll() is None:
                controller.kill()
                controller.wait()
            controller.stderr.close()
        for server in self.servers:
            if server.process.poll() is None:
                server.kill()
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write(text)
        return self.path(name)

    def serve(self, *options, port=0):
        server = Server(self.folder.name, "-f", self.path("cluster.yaml"), *options, port=port)
        self.servers.append(server)
        return server

    def command(self, server, *options):
        return [
            *(os.path.abspath(FATHOM[0]), "controller", "run", self.path("check.yaml")),
            *("--kubeconfig", server.kubeconfig, *options),
        ]

    def run_once(self, server, *options):
        return subprocess.run(
            self.command(server, "--once", "--timeout", "60s", *options),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def start(self, server, *options):
        with open(self.path("log"), "a", encoding="utf-8") as log:
            controller = subprocess.Popen(self.command(server, *options), stderr=log, text=True)
        controller.stderr = open(self.path("log"), encoding="utf-8")
        self.controllers.append(controller)
        return controller

    def ask(self, server, path, method="GET", body=None):
        """The object; None if there is none."""
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        request = urllib.request.Request(
            server.url + path,
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Content-Type": kind},
        )
        try:
            with urllib.request.urlopen(request, timeout=10, context=self.context) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != 404:
                raise
            return None

    def eventually(self, what, condition):
        for _ in range(1200):
            if condition():
                return
            time.sleep(0.05)
        with open(self.path("log"), encoding="utf-8") as log:
            self.fail(f"not in a minute: {what}\n{log.read()}")

    def replicas(self, server):
        found = self.ask(server, SET)
        return found and found["spec"]["replicas"]

    def test_once(self):
        server = self.serve()
        done = self.run_once(server)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Website default/shop: done, 4 requests, 2 writes", done.stderr)
        pages, made = self.ask(server, PAGES), self.ask(server, SET)
        self.assertEqual(pages["data"], {"title": "hello"})
        self.assertEqual(
            made["metadata"]["annotations"]["pages"], pages["metadata"]["resourceVersion"]
        )
        owner = made["metadata"]["ownerReferences"][0]
        website = self.ask(server, WEBSITE)
        self.assertEqual(owner["apiVersion"], "example.org/v1")
        self.assertEqual(owner["uid"], website["metadata"]["uid"])
        again = self.run_once(server)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("1 writes", again.stderr)
        self.assertEqual(self.ask(server, SET), made)
        self.assertEqual(server.stop(), 0)

    def test_once_ends_in_time_if_something_stays_undone(self):
        server = self.serve()
        self.ask(server, SET.rsplit("/", 1)[0], "POST", {"metadata": {"name": "shop"}, "spec": {}})
        done = self.run_once(server, "--timeout", "2s")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("Website default/shop: error", done.stderr)

    def test_follows_changes(self):
        server = self.serve()
        controller = self.start(server)
        self.eventually("made", lambda: self.replicas(server) == 2)
        self.ask(server, WEBSITE, "PATCH", {"spec": {"replicas": 5, "title": "bye"}})
        self.eventually("resized", lambda: self.replicas(server) == 5)
        self.eventually("renamed", lambda: self.ask(server, PAGES)["data"]["title"] == "bye")
        # What it owns comes back, and goes with its owner.
        self.ask(server, PAGES, "DELETE")
        self.eventually("made again", lambda: self.ask(server, PAGES))
        self.ask(server, WEBSITE, "DELETE")
        self.eventually("collected", lambda: not self.ask(server, SET))
        controller.send_signal(signal.SIGTERM)
        self.assertEqual(controller.wait(timeout=60), 0)

    def test_server_dies_and_comes_back_empty(self):
        server = self.serve()
        self.start(server)
        self.eventually("made", lambda: self.replicas(server) == 2)
        server.kill()
        again = self.serve(port=server.port)
        self.eventually("made anew", lambda: self.replicas(again) == 2)

    def test_watch_that_falls_behind_is_listed_again(self):
        server = self.serve("--history", "2")
        controller = self.start(server)
        self.eventually("made", lambda: self.replicas(server) == 2)
        controller.send_signal(signal.SIGSTOP)
        for replicas in range(3, 13):
            self.ask(server, WEBSITE, "PATCH", {"spec": {"replicas": replicas}})
            self.ask(server, SET, "DELETE")
        controller.send_signal(signal.SIGCONT)
        self.eventually("caught up", lambda: self.replicas(server) == 12)

    def test_definition_may_come_later(self):
        self.write("cluster.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: unrelated}\n")
        server = self.serve()
        self.start(server)
        definition = {
            "metadata": {"name": "websites.example.org"},
            "spec": {
                "group": "example.org",
                "scope": "Namespaced",
                "names": {"plural": "websites", "kind": "Website"},
                "versions": [{"name": "v1", "served": True, "storage": True}],
            },
        }
        self.ask(
            server, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "POST", definition
        )
        website = {"metadata": {"name": "shop"}, "spec": {"title": "late", "replicas": 1}}
        self.ask(server, WEBSITE.rsplit("/", 1)[0], "POST", website)
        self.eventually("made", lambda: self.replicas(server) == 1)

    def status_of(self, server, method, path, body=b"", headers=None):
        request = urllib.request.Request(
            server.url + path, method=method, data=body, headers=headers or {}
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    def test_server_outlives_garbage(self):
        server = self.serve()
        for garbage in (b"\0\1\2\3\n\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /api HTTP/1.1\r\nContent-"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
                connection.sendall(garbage)
        maps = "/api/v1/namespaces/default/configmaps"
        large = b'{"metadata":{"name":"a"},"data":{"k":"' + b"x" * (4 << 20) + b'"}}'
        for code, method, path, body, headers in (
            (404, "GET", "/" + "x" * 20000, b"", {}),
            (405, "BREW", maps, b"", {}),
            (400, "POST", maps, b"[" * 100000, {}),
            (413, "POST", maps, large, {"Content-Type": "application/json"}),
            (415, "POST", maps, b"{}", {"Content-Type": "text/plain"}),
            (403, "GET", maps, b"", {"Origin": "http://example.org"}),
            (403, "GET", maps, b"", {"Host": "example.org"}),
            (200, "GET", maps, b"", {"Host": "localhost:1"}),
        ):
            headers.setdefault("Content-Type", "application/json")
            self.assertEqual(self.status_of(server, method, path, body, headers), code, path[:99])
        self.assertEqual(server.stop(), 0)

    def define(self, group, plural, kind):
        return (
            f"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
            f"metadata: {{name: {plural}.{group}}}\nspec:\n  group: {group}\n"
            f"  scope: Namespaced\n  names: {{plural: {plural}, kind: {kind}}}\n"
            "  versions: [{name: v1, served: true, storage: true, subresources: {status: {}}}]\n"
            "---\n"
        )

    def run_example(self, name, manifest, *options):
        """The server, after the controller of an example has done all that it can."""
        self.write("cluster.yaml", manifest)
        server = self.serve()
        done = subprocess.run(
            [os.path.abspath(FATHOM[0]), "controller", "run", os.path.join(EXAMPLES, name)]
            + ["--kubeconfig", server.kubeconfig, "--once", "--timeout", "60s", *options],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("error", done.stderr)
        return server

    def test_plugin_with_a_model_of_its_application(self):
        cluster = self.define("zookeeper.example", "zookeeperclusters", "ZookeeperCluster")
        cluster += """
apiVersion: zookeeper.example/v1
kind: ZookeeperCluster
metadata: {name: zk}
spec:
  replicas: 4
  image: zookeeper:3.8
  ports: {client: 2181, quorum: 2888, leaderElection: 3888, metrics: 7000, adminServer: 8080}
  conf: {initLimit: 10, tickTime: 2000, syncLimit: 2, minSessionTimeout: 4000, maxSessionTimeout: 40000}
  persistence: {enabled: true, storageSize: 20Gi, storageClassName: standard}
"""
        server = self.run_example("controller-zookeeper/check.yaml", cluster, "--model-external")
        services = self.ask(server, "/api/v1/namespaces/default/services")["items"]
        self.assertEqual(
            [one["metadata"]["name"] for one in services],
            ["zk-admin-server", "zk-client", "zk-headless"],
        )
        made = self.ask(server, "/apis/apps/v1/namespaces/default/statefulsets/zk")
        self.assertEqual(made["spec"]["replicas"], 4)

    def test_program(self):
        cluster = self.define("fluentbit.example", "fluentbitconfigs", "FluentBitConfig")
        cluster += """
apiVersion: fluentbit.example/v1
kind: FluentBitConfig
metadata: {name: logs}
spec: {fluentbitConfig: "[SERVICE] flush 1", parsersConfig: "[PARSER] json"}
"""
        server = self.run_example("controller-fluentbit/config-python.yaml", cluster)
        made = self.ask(server, "/api/v1/namespaces/default/secrets/logs")
        self.assertEqual(sorted(made["data"]), ["fluent-bit.conf", "parsers.conf"])

    def kubeconfig(self, name, server, cluster, user):
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "c",
            "clusters": [{"name": "k", "cluster": {"server": server.url, **cluster}}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
        }
        return self.write(name, json.dumps(config))

    def test_certificates_and_tokens(self):
        def pem(name):
            return os.path.join(TLS, name)

        def data(name):
            with open(pem(name), "rb") as stream:
                return base64.b64encode(stream.read()).decode()

        token = self.write("token", "secret\n")
        server = self.serve(
            *("--tls-cert", pem("server.crt"), "--tls-key", pem("server.key")),
            *("--client-ca", pem("ca.crt"), "--token-file", token),
        )
        authority = {"certificate-authority": pem("ca.crt")}
        inline = {"certificate-authority-data": data("ca.crt")}
        users = [
            (authority, {"client-certificate": pem("client.crt"), "client-key": pem("client.key")}),
            (
                inline,
                {
                    "client-certificate-data": data("client.crt"),
                    "client-key-data": data("client.key"),
                },
            ),
            (inline, {"token": "secret"}),
            (inline, {"tokenFile": token}),
            ({"insecure-skip-tls-verify": True}, {"token": "secret"}),
        ]
        for index, (cluster, user) in enumerate(users):
            server.kubeconfig = self.kubeconfig(f"good{index}", server, cluster, user)
            done = self.run_once(server)
            self.assertEqual(done.returncode, 0, done.stderr)
        for index, (cluster, user, message) in enumerate(
            [
                (inline, {"token": "wrong"}, "Unauthorized"),
                ({}, {"token": "secret"}, "SSL"),
            ]
        ):
            server.kubeconfig = self.kubeconfig(f"bad{index}", server, cluster, user)
            done = self.run_once(server, "--timeout", "2s")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(message, done.stderr)
        # The server's own word for it.
        self.context = ssl.create_default_context(cafile=pem("ca.crt"))
        self.context.load_cert_chain(pem("client.crt"), pem("client.key"))
        self.assertEqual(self.replicas(server), 2)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        FATHOM.append(sys.argv.pop(1))
    unittest.main()
