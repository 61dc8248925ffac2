#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example controllers of examples/trace-controller tell a real server what they do.

    test/traceserver/example_test.py --fathom build/fathom --controller PROGRAM
"""

import argparse
import subprocess
import sys

from server import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--controller", required=True)
    options = parser.parse_args()
    with Server(options.fathom, "--in-memory") as server:
        address = f"http://127.0.0.1:{server.port}"
        said = subprocess.run([options.controller, address], capture_output=True, text=True, check=True)
        create, scale = said.stdout.split()

        def spans(cpid):
            found = server.get(f"/api/v1/cpids/{cpid}/spans")[1]["spans"]
            return sorted((one["service"], one["name"], one.get("object", "")) for one in found)

        deployment, replicas = "Deployment/default/web", "ReplicaSet/default/web-1"
        pods = [f"Pod/default/web-1-{number}" for number in (1, 2, 3, 4)]

        def change(verb, pods_made):
            """All that one change sets in motion, but for kubectl, which is its root's alone."""
            return [
                ("deployment-controller", "syncDeployment", ""),
                ("deployment-controller", verb, replicas),
                ("replicaset-controller", "syncReplicaSet", ""),
                *(("replicaset-controller", "create", pod) for pod in pods_made),
            ]

        kubectl = [("kubectl", "apply", ""), ("kubectl", "update", deployment)]
        second = change("update", pods[2:])
        # What the first change set in motion, and, since the second one met it on
        # the Deployment, what came of both.
        assert spans(create) == sorted(kubectl + change("create", pods[:2]) + second), spans(create)
        # The second one has nothing to do with the first two pods.
        assert spans(scale) == sorted(kubectl + second), spans(scale)
        merges = [log for log in server.all("mergelogs") if log["sources"]]
        assert len(merges) == 1 and set(merges[0]["sources"]) == {create, scale}, merges
        roots = server.get(f"/api/v1/cpids/{merges[0]['cpid']}/roots")[1]["roots"]
        assert {root["cpid"] for root in roots} == {create, scale}, roots
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
