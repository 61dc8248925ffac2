#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole verifications as data: fathom verify on every case and every example.

A case is a folder with check.yaml (its first comment says why it matters) and
`expected`: one line an intent, in the order of the check, "name verdict".
examples.expected has a line a file: "folder file verdict nodes pods"; nodes and
pods are the smallest scale of a violation, which must not be larger.

    verify_cases.py FATHOM ROOT [NAME ...]
"""
import json
import pathlib
import subprocess
import sys

EXIT_CODES = {"holds": 0, "violated": 1, "undecided": 3}


def verify(fathom, path):
    """The report of one file, and the exit code."""
    done = subprocess.run([fathom, "verify", str(path), "-o", "json", "--progress", "never"],
                          capture_output=True, text=True, timeout=600, check=False)
    try:
        return json.loads(done.stdout), done.returncode, done.stderr
    except json.JSONDecodeError:
        return None, done.returncode, done.stderr + done.stdout


def check_case(fathom, folder):
    """What is wrong with a case; None if nothing is."""
    report, code, talk = verify(fathom, folder / "check.yaml")
    if report is None:
        return f"no report (exit code {code}): {talk}"
    found = [f"{intent['name']} {intent['verdict']}" for intent in report["intents"]]
    expected = (folder / "expected").read_text().split("\n")
    expected = [line for line in expected if line]
    if found != expected:
        return f"expected {expected}, found {found}"
    if code != EXIT_CODES[report["verdict"]]:
        return f"verdict {report['verdict']}, but exit code {code}"
    return None


def check_example(fathom, root, line):
    """The same for a line of examples.expected."""
    folder, file, verdict, *scale = line.split()
    report, code, talk = verify(fathom, root / "examples" / folder / file)
    if report is None:
        return f"no report (exit code {code}): {talk}"
    if report["verdict"] != verdict or code != EXIT_CODES[verdict]:
        return f"expected {verdict}, found {report['verdict']} (exit code {code})"
    if scale:
        violated = next(i for i in report["intents"] if i["verdict"] == "violated")
        found = [violated["scale"]["nodes"], violated["scale"]["pods"]]
        if found != [int(number) for number in scale]:
            return f"expected the smallest scale {scale}, found {found}"
    return None


def main():
    fathom, root, *names = sys.argv[1:]
    root = pathlib.Path(root)
    here = root / "test" / "cases"
    jobs = [(folder.name, lambda folder=folder: check_case(fathom, folder))
            for folder in sorted(here.iterdir()) if (folder / "check.yaml").exists()]
    lines = (here / "examples.expected").read_text().split("\n")
    jobs += [(" ".join(line.split()[:2]), lambda line=line: check_example(fathom, root, line))
             for line in lines if line and not line.startswith("#")]
    failed = 0
    for name, job in jobs:
        if names and name not in names:
            continue
        problem = job()
        failed += problem is not None
        print(f"{'not ok' if problem else 'ok'} - {name}{': ' + problem if problem else ''}",
              flush=True)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
