#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The JSON Schemas of `fathom schema`, judged by an independent validator.

- Every schema is a valid one.
- They take every Check, objective and manifest of the examples and of test/cases that
  Fathom takes.
- They refuse at least 40 of the wrong manifests of test/messages, and none of those that Fathom
  only warns of.
- Reports of real runs are what the schema of reports says.
- Every example has the line that tells editors where its schema is, and that file is up to date.
"""

import glob
import json
import os
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError:
    # The packages are Debian's; another python3 may come first.
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHOULD_REFUSE = 40
SCHEMA_FILE = "examples/fathom.schema.json"
# What the API server reads strictly, and Fathom has no table for.
KINDS = ("Check", "ServiceObjective", "ControllerCheck", "Report", "Deployment", "Pod", "Node")


class Loader(yaml.SafeLoader):
    """Times stay texts, as in JSON."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def run(fathom, *arguments):
    return subprocess.run(
        [fathom, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def documents(path):
    with open(path, encoding="utf-8") as stream:
        if path.endswith(".json"):
            return [json.load(stream)]
        return [found for found in yaml.load_all(stream, Loader) if found is not None]


def complaints(validator, path):
    """What the validator finds; a file that is no YAML is nothing that it could judge."""
    try:
        found = documents(path)
    except (yaml.YAMLError, json.JSONDecodeError):
        return None
    lines = []
    for document in found:
        for error in validator.iter_errors(document):
            best = jsonschema.exceptions.best_match([error])
            lines.append(f"{'/'.join(map(str, best.absolute_path))}: {best.message[:160]}")
    return lines


def test_schemas(fathom):
    failures = 0
    for kind in KINDS:
        done = run(fathom, "schema", kind)
        try:
            jsonschema.Draft7Validator.check_schema(json.loads(done.stdout))
        except (json.JSONDecodeError, jsonschema.SchemaError) as error:
            print(f"schema {kind}: {error}")
            failures += 1
    done = run(fathom, "schema", "Chek")
    if done.returncode != 2 or "did you mean Check?" not in done.stderr:
        print(f"an unknown kind: {done}")
        failures += 1
    return failures


def test_accepted(validator):
    failures = 0
    judged = 0
    for pattern in ("examples/**/*.yaml", "examples/**/*.json"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            if path.endswith(("typo.yaml", "fathom.schema.json")):
                continue
            found = complaints(validator, path)
            judged += 1
            if found:
                print(f"{os.path.relpath(path, ROOT)}: refused: {found[:3]}")
                failures += 1
    print(f"{judged} files of examples and failures of the field are taken")
    return failures + (judged < 100)


def test_refused(validator):
    """A file is wrong if one line of what Fathom says of it is no warning."""
    refused = []
    missed = []
    failures = 0
    for path in sorted(glob.glob(os.path.join(ROOT, "test/messages/*.yaml"))):
        with open(path[: -len(".yaml")] + ".expected", encoding="utf-8") as stream:
            lines = [line for line in stream.read().splitlines() if line and line[0] != " "]
        wrong = any(": warning: " not in line for line in lines)
        found = complaints(validator, path)
        name = os.path.basename(path)
        if found and not wrong:
            print(f"{name}: refused, but Fathom only warns: {found[:2]}")
            failures += 1
        elif wrong and found is not None:
            (refused if found else missed).append(name)
    print(f"{len(refused)} wrong manifests are refused, {len(missed)} only by Fathom")
    return failures + (len(refused) < SHOULD_REFUSE)


def test_reports(fathom):
    validator = jsonschema.Draft7Validator(json.loads(run(fathom, "schema", "Report").stdout))
    failures = 0
    for arguments in (
        ("verify", "examples/c02-apply-without-replicas/broken.yaml"),
        ("verify", "examples/c02-apply-without-replicas/fixed.yaml"),
        (
            "verify",
            "examples/c02-apply-without-replicas/broken.yaml",
            "examples/c02-apply-without-replicas/fixed.yaml",
        ),
        ("verify", "-f", "examples/app-marketplace/before/rabbitmq.yaml"),
        ("verify", "examples/c03-spread-conflict/fixed.yaml", "--max-states", "500"),
        ("verify", "-f", "examples/live/cluster.json", "--event", "drain"),
        ("controller", "examples/controller-machine/broken-hasty.yaml"),
        ("slo", "examples/slo-nodejs/slo.yaml", "--question", "objective"),
    ):
        report = json.loads(run(fathom, *arguments, "-o", "json").stdout)
        for error in validator.iter_errors(report):
            best = jsonschema.exceptions.best_match([error])
            print(f"{' '.join(arguments)}: {list(best.absolute_path)}: {best.message[:200]}")
            failures += 1
    for wrong in ({}, {"kind": "Report"}, {"kind": "Report", "verdict": "maybe"}, []):
        if wrong != [] and validator.is_valid(wrong):
            print(f"taken for a report: {wrong}")
            failures += 1
    return failures


def test_modelines(fathom):
    failures = 0
    with open(os.path.join(ROOT, SCHEMA_FILE), encoding="utf-8") as stream:
        if stream.read() != run(fathom, "schema").stdout:
            print(f"{SCHEMA_FILE}: is outdated: fathom schema > {SCHEMA_FILE}")
            failures += 1
    for path in sorted(glob.glob(os.path.join(ROOT, "examples/**/*.yaml"), recursive=True)):
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        if "apiVersion: fathom/v1" not in text:
            continue
        target = os.path.relpath(os.path.join(ROOT, SCHEMA_FILE), os.path.dirname(path))
        if f"# yaml-language-server: $schema={target}\n" not in text:
            print(f"{os.path.relpath(path, ROOT)}: has no line for editors ({target})")
            failures += 1
    return failures


def main():
    fathom = os.path.abspath(sys.argv[1])
    everything = json.loads(run(fathom, "schema").stdout)
    jsonschema.Draft7Validator.check_schema(everything)
    validator = jsonschema.Draft7Validator(everything)
    failures = (
        test_schemas(fathom)
        + test_accepted(validator)
        + test_refused(validator)
        + test_reports(fathom)
        + test_modelines(fathom)
    )
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
