#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/intents.md and docs/events.md are what the tables say, and their examples are true.

Every name has a section that `fathom help NAME` prints, the pages are those that topics_page writes
now, the YAML of each section is a Check's, and the Checks that a section names are violated and hold
as it says.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(*arguments):
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)


def expect(condition, what):
    if not condition:
        print(f"failed: {what}")
    return 0 if condition else 1


def verdicts(fathom, path, known):
    """The verdicts of the intents of a Check, and of all of it."""
    if path not in known:
        done = run(fathom, "verify", path, "-o", "json", "--trial", "0", "--quiet")
        report = json.loads(done.stdout)
        known[path] = [(item.get("kind", item["name"]), item["verdict"]) for item in report["intents"]]
    return known[path]


def is_read(fathom, key, line):
    """Is the example of a section understood as part of a Check?"""
    check = (
        "apiVersion: fathom/v1\nkind: Check\nmetadata: {name: example}\nspec:\n  nodeGroups:\n"
        "  - {name: spot, count: 1, node: {status: {allocatable: {cpu: '1'}}}}\n"
        f"  {key}:\n  {line}\n"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as stream:
        stream.write(check)
        stream.flush()
        done = run(fathom, "check-manifests", "-f", stream.name)
    return done.returncode == 0, done.stderr


def test_page(fathom, page, key):
    failures = 0
    known = {}
    text = run(page, key).stdout
    with open(os.path.join(ROOT, "docs", key + ".md"), encoding="utf-8") as stream:
        failures += expect(
            stream.read() == text, f"docs/{key}.md is old: build/docs/topics_page {key} > docs/{key}.md"
        )
    sections = re.split(r"\n## ", text)[1:]
    for section in sections:
        name = section.split("\n")[0]
        help_text = run(fathom, "help", name)
        failures += expect(
            help_text.returncode == 0 and help_text.stdout.startswith(name), f"fathom help {name}"
        )
        line = re.search(rf"```yaml\n{key}:\n(.*)\n```", section).group(1)
        good, why = is_read(fathom, key, line)
        failures += expect(good, f"{name}: {line}: {why}")
        found = re.search(r"Violated in \[(.*?)\].*holds in \[(.*?)\]", section)
        if not found:
            continue
        for path, verdict in zip(found.groups(), ("violated", "holds")):
            of = [v for n, v in verdicts(fathom, path, known) if key == "events" or n == name]
            failures += expect(
                of and (verdict in of if verdict == "violated" else set(of) == {verdict}),
                f"{name}: {path}: expected {verdict}, found {of}",
            )
    print(f"{key}: {len(sections)} sections, {len(known)} Checks verified")
    return failures + expect(len(sections) > 10, f"sections of {key}")


def main():
    fathom, page = (os.path.abspath(path) for path in sys.argv[1:3])
    failures = test_page(fathom, page, "intents") + test_page(fathom, page, "events")
    listed = run(fathom, "help", "intents").stdout
    failures += expect("podsSchedulable" in listed and "nodeFailure" not in listed, "help intents")
    failures += expect("nodeFailure" in run(fathom, "help", "events").stdout, "help events")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
