#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom controller run --once` with an API server that does not know a kind, and fails when it is asked for
its kinds again, as one does that restarts: the kinds that are known stay known."""
import http.server
import json
import os
import socketserver
import subprocess
import sys
import tempfile
import threading

import kubeconfig

FATHOM = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SITE = {
    "apiVersion": "example.org/v1", "kind": "Website",
    "metadata": {"name": "w", "namespace": "default", "uid": "00000000-0000-4000-8000-000000000001", "resourceVersion": "5"},
    "spec": {"title": "t", "replicas": 1, "storage": "1Gi"},
}
ANSWERS = {
    "/api/v1": {"resources": [{"name": "configmaps", "kind": "ConfigMap", "namespaced": True}]},
    "/apis/example.org/v1": {"resources": [{"name": "websites", "kind": "Website", "namespaced": True}]},
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    discoveries = 0

    def log_message(self, *_):
        pass

    def answer(self, code, content):
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        content = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        content.setdefault("metadata", {}).update(uid="00000000-0000-4000-8000-000000000009", resourceVersion="9")
        self.answer(201, content)

    do_PUT = do_POST

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/apis":
            Handler.discoveries += 1
            if Handler.discoveries > 1:
                self.answer(503, {"kind": "Status", "message": "restarting", "code": 503})
            else:
                version = {"groupVersion": "example.org/v1"}
                self.answer(200, {"groups": [{"name": "example.org", "preferredVersion": version}]})
        elif path in ANSWERS:
            self.answer(200, ANSWERS[path])
        elif path.endswith("/websites"):
            self.answer(200, {"items": [SITE], "metadata": {"resourceVersion": "5"}})
        elif path.endswith("/websites/w"):
            self.answer(200, SITE)
        elif path.endswith("/configmaps"):
            self.answer(200, {"items": [], "metadata": {"resourceVersion": "5"}})
        else:
            self.answer(404, {"kind": "Status", "reason": "NotFound", "message": "no", "code": 404})


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def main():
    with tempfile.TemporaryDirectory() as folder, Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path = os.path.join(folder, "kubeconfig")
        kubeconfig.write(path, server.server_address[1])
        check = os.path.join(ROOT, "examples", "controller-machine", "check.yaml")
        run = subprocess.run([FATHOM, "controller", "run", check, "--kubeconfig", path, "--once", "--timeout", "2s"],
                             capture_output=True, timeout=100, check=False)
        server.shutdown()
        if run.returncode not in (2, 3) or Handler.discoveries < 2:
            sys.exit(f"code {run.returncode} after {Handler.discoveries} discoveries\n{run.stderr.decode()}")


main()
