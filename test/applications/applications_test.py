#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applications without a Check, each with the answers that are right.

A file is an application: manifests shaped like those that people have. The first comment says
what is to be seen in it, in lines of its own:

    # finding: QUESTION WORKLOAD: REGEX   a finding; its title, reasons, remedy and line read so
    # order: SEVERITY ...                 how bad the findings are, the first one first
    # hint: REGEX                         a hint reads like this
    # needs: REGEX                        what the nodes have to be like
    # warning: REGEX                      a warning reads like this
    # warnings: N                         so many lines of warnings are told
    # assumed: REGEX                      an assumption reads like this
    # undecided: N                        so many questions about a workload are open (0)
    # holds: N                            so many hold
    # options: ...                        for the command line

There are no other findings and hints than those. Nothing depends on time: questions are limited
by their states.

    applications_test.py FATHOM ROOT [PATTERN ...]
"""
import fnmatch
import json
import pathlib
import re
import subprocess
import sys


def header(path):
    """The keys and values of the first comment."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        key, colon, value = line[1:].strip().partition(":")
        if colon:
            lines.append((key, value.strip()))
    return lines


def verify(fathom, path, options):
    """The report, the exit code and the complaints."""
    command = [fathom, "verify", "-f", str(path), "-o", "json", "--progress", "never", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    try:
        return json.loads(done.stdout), done.returncode, done.stderr
    except json.JSONDecodeError:
        return None, done.returncode, done.stderr


def told(finding):
    """All that is said of a finding, as one text."""
    sources = [f"{s['path']} line {s['line']} {s.get('note', '')}" for s in finding["sources"]]
    alike = [f"the same: {a['workload']} line {a['source']['line']}" for a in finding["alike"]]
    return "\n".join(
        [finding["title"], *finding["reasons"], finding.get("remedy", ""), *sources, *alike]
    )


def check_findings(expected, findings):
    """Complaints about findings that are missing or too many."""
    left = list(findings)
    for value in expected:
        subject, _, pattern = value.partition(": ")
        question, _, workload = subject.rpartition(" ")
        found = [
            f
            for f in left
            if f["question"] == question
            and workload in f["workloads"]
            and re.search(pattern, told(f))
        ]
        if not found:
            yield f"no finding {value!r}"
        else:
            left.remove(found[0])
    for finding in left:
        yield f"finding {finding['question']} {finding['workloads']}: {told(finding)!r}"


def check_texts(what, expected, texts):
    """Complaints about texts that are missing or too many."""
    left = list(texts)
    for pattern in expected:
        found = [text for text in left if re.search(pattern, text)]
        if not found:
            yield f"no {what} {pattern!r} among {left}"
        else:
            left.remove(found[0])
    for text in left:
        yield f"{what} {text!r}"


def check(fathom, path):
    """What is wrong with the answers to the questions about one application."""
    lines = header(path)

    def values(key):
        return [value for name, value in lines if name == key]

    options = [word for value in values("options") for word in value.split()]
    report, code, complaints = verify(fathom, path, options)
    if report is None:
        yield f"exit code {code}: {complaints}"
        return
    summary = report["summary"]
    undecided = int((values("undecided") or ["0"])[0])
    wanted = 1 if values("finding") else 3 if undecided else 0
    if code != wanted:
        yield f"exit code {code}, expected {wanted}"
    yield from check_findings(values("finding"), report["findings"])
    for value in values("order"):
        order = [finding["gravity"] for finding in report["findings"]]
        if order != value.split():
            yield f"severities {order}, expected {value}"
    yield from check_texts("hint", values("hint"), [hint["text"] for hint in report["hints"]])
    if summary["undecided"] != undecided:
        yield f"{summary['undecided']} undecided: {report['undecided']}"
    for value in values("holds"):
        if summary["hold"] != int(value):
            yield f"{summary['hold']} hold, expected {value}"
    for pattern in values("needs"):
        if not re.search(pattern, report.get("needs", "")):
            yield f"needs {report.get('needs')!r}"
    for pattern in values("warning"):
        if not re.search(pattern, complaints):
            yield f"no warning {pattern!r} in {complaints!r}"
        if not any(re.search(pattern, text) for text in report["warnings"]):
            yield f"no warning {pattern!r} among {report['warnings']}"
    for value in values("warnings"):
        if len(report["warnings"]) != int(value):
            yield f"{len(report['warnings'])} warnings, expected {value}: {report['warnings']}"
    for pattern in values("assumed"):
        if not any(re.search(pattern, text) for text in report["assumptions"]):
            yield f"no assumption {pattern!r} among {report['assumptions']}"


def main():
    """Exit code 1 if an application is answered wrongly."""
    fathom, root, *patterns = sys.argv[1:]
    folder = pathlib.Path(root) / "test" / "applications"
    paths = sorted(folder.glob("*.yaml"))
    failed = 0
    for path in paths:
        if patterns and not any(fnmatch.fnmatch(path.stem, p) for p in patterns):
            continue
        problems = list(check(fathom, path))
        failed += bool(problems)
        for problem in problems:
            print(f"{path.stem}: {problem}")
    print(f"{len(paths)} applications, {failed} answered wrongly")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
