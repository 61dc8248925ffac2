#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the table of docs/versions.md true?

Every verdict of the table is asked for at the two versions beside each change; the rule that a row
names must have changed there (src/decide/features.def). And every case that expects other verdicts
at another version must be in the table.

    versions_table.py FATHOM ROOT
"""
import argparse
import functools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from verdicts_by_version import VERSIONS, outcomes_at  # pylint: disable=wrong-import-position

ROW = re.compile(r"\| \[([^]]+)\]\(\.\./\1\) \| ([^|]+) \| ([^|]+) \| `([^`]+)` \| [^|]+ \|")
SPAN = re.compile(r"(.+?) (1\.\d+)(?: to (1\.\d+))?")
FEATURE = re.compile(r'FEATURE\((\w+),\s*"([^"]+)",\s*(\d+),\s*(\d+),')


def changes_of_rules(root):
    """The minor versions in which each rule changed, by its name."""
    text = (root / "src/decide/features.def").read_text(encoding="utf-8")
    changes = {}
    names = {}
    for member, name, first, last in FEATURE.findall(text):
        names[member] = name
        changes[name] = {f"1.{first}", f"1.{int(last) + 1}"}
    for member, minor in re.findall(r"PATCHED\((\w+), (\d+), \d+\)", text):
        changes[names[member]].add(f"1.{minor}")
    return changes


def edges_of(text):
    """(verdict, first version, last version) of "holds 1.26; violated 1.27 to 1.36"."""
    spans = [SPAN.fullmatch(part) for part in text.split("; ")]
    return [(span[1], span[2], span[3] or span[2]) for span in spans if span]


def covers_all(edges):
    """Is every version in one of the spans, and each in one only?"""
    versions = [version for _, first, last in edges
                for version in VERSIONS[VERSIONS.index(first):VERSIONS.index(last) + 1]]
    return versions == VERSIONS


def check_verdict(outcomes, intent, verdict, version):
    """The same for a verdict at one version."""
    found = outcomes.get(intent, str(outcomes))
    same = found == verdict if "(" in verdict else found.partition(" (")[0] == verdict
    return None if same else f"expected \"{verdict}\" at {version}, found \"{found}\""


def check_row(row, rules, outcomes):
    """What is wrong with a row; None if nothing is."""
    path, intent, text, rule = row
    edges = edges_of(text)
    if len(edges) < 2 or not covers_all(edges):
        return f"expected verdicts at all versions, found \"{text}\""
    for (before, _, old), (after, new, _) in zip(edges, edges[1:]):
        if new not in rules.get(rule, ()):
            return f"{rule} is no rule that changed in {new}"
        problem = (check_verdict(outcomes(path, old), intent, before, old)
                   or check_verdict(outcomes(path, new), intent, after, new))
        if problem:
            return problem
    return None


def missing_cases(root, rows):
    """Cases that expect other verdicts at another version, but are not in the table."""
    known = {row[0] for row in rows}
    for folder in sorted((root / "test/cases").iterdir()):
        expected = {file.read_text(encoding="utf-8") for file in folder.glob("expected*")}
        path = f"test/cases/{folder.name}/check.yaml"
        if len(expected) > 1 and path not in known:
            yield path


def main():
    fathom, root = sys.argv[1], pathlib.Path(sys.argv[2])
    limits = argparse.Namespace(fathom=fathom, max_states=30000, seconds=120)
    rules = changes_of_rules(root)
    rows = ROW.findall((root / "docs/versions.md").read_text(encoding="utf-8"))

    @functools.cache
    def outcomes(path, version):
        return outcomes_at(limits, root / path, version)

    problems = [f"{path}: is not in docs/versions.md" for path in missing_cases(root, rows)]
    for row in rows:
        problem = check_row(row, rules, outcomes)
        problems += [f"{row[0]} {row[1]}: {problem}"] if problem else []
    print("\n".join(problems + [f"{len(rows)} rows, {len(problems)} wrong"]))
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
