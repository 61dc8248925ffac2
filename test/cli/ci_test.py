#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The CI kit in a clean folder: the script that the action and the template run, and the hooks.

The reports are what the servers want: SARIF with the metadata that code scanning shows and steps at the lines of
their workloads, code quality with fingerprints, JUnit as XML. action.yml, the hooks and the template are read
as YAML, and their commands are run.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def expect(condition, what):
    if not condition:
        print(f"failed: {what}")
    return 0 if condition else 1


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
        return yaml.safe_load(stream)


def test_script(fathom, folder):
    environment = {"PATH": os.environ["PATH"], "FATHOM": fathom, "FATHOM_REPORTS": "reports"}
    script = os.path.join(ROOT, "packaging/run_in_ci.sh")

    def run(**more):
        return subprocess.run(
            [script, "manifests"], cwd=folder, env={**environment, **more}, capture_output=True,
            text=True, check=False,
        )

    done = run()
    failures = expect(done.returncode == 1 and "finding" in done.stdout, f"a violation fails: {done}")
    with open(os.path.join(folder, "reports/fathom.sarif"), encoding="utf-8") as stream:
        sarif = json.load(stream)["runs"][0]
    rule = sarif["tool"]["driver"]["rules"][0]
    failures += expect(
        all(key in rule for key in ("shortDescription", "fullDescription", "help"))
        and rule.get("name", "").lower() != rule["id"].lower()
        and rule["help"]["markdown"] and rule["properties"]["tags"],
        f"metadata of rules: {rule}",
    )
    result = sarif["results"][0]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    lines = {
        step["location"]["physicalLocation"]["region"]["startLine"]
        for step in steps if "physicalLocation" in step["location"]
    }
    failures += expect(len(lines) > 1, f"steps are at lines of their own: {lines}")
    failures += expect(result["partialFingerprints"], "results are known again")
    with open(os.path.join(folder, "reports/fathom-quality.json"), encoding="utf-8") as stream:
        issue = json.load(stream)[0]
    failures += expect(
        issue["severity"] == "critical" and issue["location"]["path"] == "manifests/web.yaml"
        and issue["location"]["lines"]["begin"] > 1 and len(issue["fingerprint"]) == 16,
        f"code quality: {issue}",
    )
    xml.etree.ElementTree.parse(os.path.join(folder, "reports/fathom.xml"))
    shutil.copy(os.path.join(folder, "reports/fathom.json"), os.path.join(folder, "base.json"))
    failures += expect(run(FATHOM_BASELINE="base.json").returncode == 0, "a baseline accepts")
    with open(os.path.join(folder, "reports/fathom-quality.json"), encoding="utf-8") as stream:
        failures += expect(json.load(stream) == [], "what is accepted is no issue")
    failures += expect(run(FATHOM_FAIL_ON="never").returncode == 0, "--fail-on never")
    failures += expect(run(FATHOM_ARGUMENTS="--what").returncode == 2, "wrong input fails")
    return failures


def test_files(fathom, folder):
    action = read("action.yml")
    failures = expect(action["runs"]["using"] == "composite", "action.yml")
    for step in action["runs"]["steps"]:
        failures += expect("uses" in step or "shell" in step, f"a step of the action: {step}")
    template = read("packaging/gitlab/fathom.gitlab-ci.yml")["fathom"]
    failures += expect("run_in_ci.sh" in template["script"][0], "the template runs the script")
    os.symlink(fathom, os.path.join(folder, "fathom"))
    environment = {"PATH": folder + ":" + os.environ["PATH"]}
    for hook in read(".pre-commit-hooks.yaml"):
        done = subprocess.run(
            ["bash", "-c", hook["entry"] + ' "$@"', "bash", "manifests/web.yaml"], cwd=folder,
            env=environment, capture_output=True, text=True, check=False,
        )
        wanted = 1 if hook["id"] == "fathom-verify" else 0
        failures += expect(done.returncode == wanted, f"{hook['id']}: {done}")
    return failures


def main():
    fathom = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "examples/tutorial/manifests"),
                        os.path.join(folder, "manifests"))
        failures = test_script(fathom, folder) + test_files(fathom, folder)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
