#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom record` from a kubectl that plays a drain back, with and without an
audit log; `fathom replay --observed` follows what was recorded, and stops where
the recording was falsified."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

FATHOM = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
KUBECTL = os.path.join(HERE, "kubectl")


def run(*arguments, start=None):
    environment = dict(
        os.environ,
        FATHOM_PLAY=os.path.join(HERE, "drain.jsonl.gz"),
        FATHOM_START=str(start or time.time() + 0.2),
    )
    return subprocess.run(arguments, capture_output=True, text=True, env=environment, check=False)


def expect(condition, what, result):
    if not condition:
        sys.exit(f"{what}\n{result.stdout}\n{result.stderr}")


def record(folder, *more, start=None):
    start = start or time.time() + 1.5
    result = run(FATHOM, "record", folder, "--kubectl", KUBECTL, *more, start=start)
    expect(result.returncode == 0, f"record gives {result.returncode}", result)
    expect("105 versions of objects" in result.stderr, "not all versions were recorded", result)


def replay(folder, code):
    result = run(FATHOM, "replay", "--observed", folder, "-o", "json")
    expect(result.returncode == code, f"replay gives {result.returncode}", result)
    return json.loads(result.stdout)


def expect_version(folder, number, version):
    with open(os.path.join(folder, f"run-{number}.version.json"), encoding="utf-8") as stream:
        found = json.load(stream)["gitVersion"]
    if found != version:
        sys.exit(f"run {number} is of {version}, and written down is {found}")


def rerecord(folder, recording):
    """What the API server told comes before what a scenario says, and an option before both."""
    copy = os.path.join(folder, "rerecorded")
    shutil.copytree(recording, copy)
    with open(os.path.join(copy, "scenario.json"), "w", encoding="utf-8") as stream:
        stream.write('{"controlPlane": {"kubernetes": "v1.30.1"}}')
    versions = [replay(copy, 0)["runs"][0]["kubernetesVersion"]]
    os.remove(os.path.join(copy, "run-1.version.json"))
    versions.append(replay(copy, 0)["runs"][0]["kubernetesVersion"])
    if versions != ["1.26", "1.30"]:
        sys.exit(f"the run was followed by the rules of {versions}")
    made = os.path.join(folder, "of-another-version")
    result = run(FATHOM, "record", copy, "--as-check", made, "--kubernetes-version", "1.33")
    with open(os.path.join(made, "check.yaml"), encoding="utf-8") as stream:
        expect('kubernetesVersion: "1.33"' in stream.read(), "no version in the Check", result)
    # With the option the API server is not asked.
    quiet = os.path.join(folder, "quiet")
    with open(quiet, "w", encoding="utf-8") as stream:
        stream.write('#!/bin/sh\ncase "$2" in --raw) exit 1 ;; esac\n')
    os.chmod(quiet, 0o755)
    result = run(FATHOM, "record", folder + "/given", "--kubectl", quiet, "--kubernetes-version",
                 "1.31")
    expect(result.returncode == 0, f"record gives {result.returncode}", result)
    expect_version(folder + "/given", 1, "1.31")
    result = run(FATHOM, "record", folder + "/refused", "--kubectl", quiet)
    expect(result.returncode == 2 and "kubectl get /version failed" in result.stderr,
           "a version that is not told goes unnoticed", result)


def main():
    with tempfile.TemporaryDirectory() as folder:
        inferred = os.path.join(folder, "inferred")
        record(inferred)
        expect_version(inferred, 1, "v1.26.15")
        rerecord(folder, inferred)
        report = replay(inferred, 0)
        judged = {(w["actor"], w["action"]): w["writes"] for w in report["runs"][0]["writesBy"]}
        wanted = {
            ("deployment-controller", "create"): 1,
            ("replicaset-controller", "create"): 8,
            ("scheduler", "bind"): 8,
        }
        for key, count in wanted.items():
            if judged.get(key) != count:
                sys.exit(f"{key}: expected {count}, found {judged.get(key)}")

        audited = os.path.join(folder, "audited")
        log = os.path.join(folder, "audit.log")
        start = time.time() + 1.8
        with open(log, "w", encoding="utf-8") as stream:
            stream.write(run(KUBECTL, "audit", start=start).stdout)
        record(audited, "--audit-log", log, start=start)
        report = replay(audited, 0)
        judged = {(w["actor"], w["action"]): w["writes"] for w in report["runs"][0]["writesBy"]}
        for key, count in {**wanted, ("user", "evict"): 2}.items():
            if judged.get(key) != count:
                sys.exit(f"{key}: expected {count}, found {judged.get(key)}")

        # The drain as a Check: what is in it, and that it can be verified.
        made = os.path.join(folder, "check")
        result = run(FATHOM, "record", audited, "--as-check", made)
        expect(result.returncode == 0, f"--as-check gives {result.returncode}", result)
        with open(os.path.join(made, "check.yaml"), encoding="utf-8") as stream:
            check = stream.read()
        for text in ("{name: maintenance, node: n1,", "# its budget", "kind: PodDisruptionBudget"):
            expect(text in check, f"no {text} in the Check", result)
        result = run(FATHOM, "verify", os.path.join(made, "check.yaml"))
        expect("HOLDS  drainCompletes" in result.stdout, "the drain does not complete", result)

        # A pod that the scheduler would never have bound there.
        path = os.path.join(audited, "run-1.actions.jsonl")
        with open(path, encoding="utf-8") as stream:
            lines = stream.read()
        falsified, count = re.subn(r'("action":"bind".*"node":")n\d', r"\1n9", lines, count=1)
        if count != 1:
            sys.exit("there is no bind to falsify")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(falsified)
        report = replay(audited, 1)
        if report["runs"][0]["notFollowed"][0]["action"] != "bind":
            sys.exit("the falsified bind was not noticed")

        cut = os.path.join(folder, "cut")
        with open(cut, "w", encoding="utf-8") as stream:
            stream.write("#!/bin/sh\necho '{\"type\": \"ADD'\n")
        os.chmod(cut, 0o755)
        result = run(FATHOM, "record", folder + "/x", "--kubectl", cut)
        expect(result.returncode == 2 and "middle of an object" in result.stderr, "cut", result)

        result = run(FATHOM, "record", folder + "/x", "--kubectl", "/nowhere/kubectl")
        expect(result.returncode == 2 and "cannot be run" in result.stderr, "no kubectl", result)


main()
