#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom record` with the real kubectl at `fathom apiserver --memory`, where this
test plays the StatefulSet controller, rightly and wrongly. A kind that the server
does not have ends at once, which must not go unnoticed. Kinds of which there is
nothing are not asked for at all, but waited for."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "apiserver"))
import serving  # noqa: E402  pylint: disable=wrong-import-position

FATHOM = os.path.abspath(sys.argv[1])
KUBECTL = os.environ.get("KUBECTL", "kubectl")
SERVED = "pods statefulsets daemonsets"

STATEFUL_SET = {
    "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"},
    "spec": {"replicas": 2, "serviceName": "db", "selector": {"matchLabels": {"app": "db"}},
             "template": {"metadata": {"labels": {"app": "db"}},
                          "spec": {"containers": [{"name": "c", "image": "app:v1"}]}}}}


def pod(name, owner):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "labels": {"app": "db"}, "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "controller": True,
                 "uid": owner["metadata"]["uid"]}]},
            "spec": STATEFUL_SET["spec"]["template"]["spec"]}


def expect(condition, what):
    if not condition:
        sys.exit(str(what))


def main():
    serving.FATHOM.append(FATHOM)
    with tempfile.TemporaryDirectory() as folder:
        server = serving.Server(folder)
        try:
            play(server, pathlib.Path(folder))
        finally:
            server.stop()


def play(server, scratch):
    def kubectl(*arguments, stdin=None):
        done = subprocess.run([KUBECTL, "--server", server.url, *arguments], text=True,
                              input=json.dumps(stdin) if stdin else None,
                              capture_output=True, check=False)
        expect(done.returncode == 0, done.stderr)
        return done.stdout

    def program(name, body):
        path = scratch / name
        path.write_text(f"#!/bin/sh\n{body}\nexec {KUBECTL} --server {server.url} \"$@\"\n",
                        encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    # A cluster without Deployments is none, which is told at the end.
    plain = program("plain", 'case "$2" in deployments*) shift 2; set -- get absentkinds "$@" ;; esac')
    done = subprocess.run([FATHOM, "record", str(scratch / "none"), "--kubectl", plain,
                           "--timeout", "20s"], capture_output=True, text=True, check=False)
    expect(done.returncode == 2 and "kubectl get" in done.stderr, done)

    waits = program("waits", f'case " {SERVED} " in *" $2 "*) ;; *) exec sleep 60 ;; esac')
    with subprocess.Popen([FATHOM, "record", str(scratch / "run"), "--kubectl", waits,
                           "--timeout", "9s"], stderr=subprocess.PIPE, text=True) as recorder:
        time.sleep(4)  # until every kubectl watches, on a busy machine, too
        kubectl("create", "-f", "-", stdin=STATEFUL_SET)
        owner = json.loads(kubectl("get", "statefulset", "db", "-o", "json"))
        kubectl("create", "-f", "-", stdin=pod("db-0", owner))
        kubectl("create", "-f", "-", stdin=pod("db-7", owner))
        told = recorder.communicate()[1]
    expect(recorder.returncode == 0 and "3 versions" in told, told)
    done = subprocess.run([FATHOM, "replay", "--observed", str(scratch / "run"), "-o", "json"],
                          capture_output=True, text=True, check=False)
    expect(done.returncode == 1, done)
    run = json.loads(done.stdout)["runs"][0]
    expect(run["writes"] == 2 and run["writesFollowed"] == 1, run)
    expect([stop["name"] for stop in run["notFollowed"]] == ["db-7"], run)


main()
