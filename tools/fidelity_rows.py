# SPDX-License-Identifier: Apache-2.0
"""Does every row of docs/fidelity.md name a test that shows it?

A row names a test by a path under test/ or src/ (`test/cases/tie-explored`,
`src/setup/sizes_test.c`), by the name of a case (`tie-explored`), or by the name of a
unit test's source (`hpa_memory_test.c`). A row that links to a section of the page is
shown by what that section names. What looks like such a name and does not exist is a
problem, in any line.
"""

import os
import re
import sys

PAGE = "docs/fidelity.md"
FEATURES = "src/decide/features.def"
# Tables that are not about what the model does: numbers of campaigns, and words for readers.
LEFT_OUT = ("Campaigns with the twin", "Held against an adversary", "Features by version")


def anchor_of(title):
    """As GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return kept.strip().replace(" ", "-")


class Tests:
    """What can be named."""

    def __init__(self, root):
        self.root = root
        self.cases = set(os.listdir(os.path.join(root, "test/cases")))
        self.sources = set()
        for folder in ("src", "test", "bench"):
            for _, _, files in os.walk(os.path.join(root, folder)):
                self.sources.update(name for name in files if re.search(r"_test\.(c|py)$", name))

    def named_in(self, text):
        """(names of tests, names that look like one and are none)"""
        found, missing = [], []
        for name in re.findall(r"`([^`\s]+)`", text):
            if re.match(r"(test|src|examples|bench)/[\w./-]+$", name) and "*" not in name:
                (found if os.path.exists(os.path.join(self.root, name)) else missing).append(name)
            elif name in self.cases:
                found.append(name)
            elif re.match(r"\w+_test\.(c|py)$", name):
                (found if name in self.sources else missing).append(name)
        found = [n for n in found if not (n.startswith("src/") and "_test." not in n)]
        return found, missing


def sections_of(page):
    """(title, level, lines with their numbers) for each heading, in order."""
    sections = [("", 0, [])]
    for number, line in enumerate(page.split("\n"), 1):
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            sections.append((heading.group(2), len(heading.group(1)), []))
        sections[-1][2].append((number, line))
    return sections


def rows_of(lines):
    """The rows of tables, without heads."""
    for i, (number, line) in enumerate(lines):
        below = lines[i + 1][1] if i + 1 < len(lines) else ""
        if line.startswith("|") and not re.match(r"\|[\s:|-]+\|$", line):
            if not re.match(r"\|[\s:|-]+\|$", below):
                yield number, line


def row_problems(page, tests):
    """What is wrong with the page, a line each."""
    sections = sections_of(page)
    shown = {}  # by anchor: does the section name a test?
    problems = []
    for title, _, lines in sections:
        text = "\n".join(line for _, line in lines)
        shown[anchor_of(title)] = bool(tests.named_in(text)[0])
        for number, line in lines:
            for name in tests.named_in(line)[1]:
                problems.append(f"{PAGE}:{number}: there is no {name}")
    for title, _, lines in sections:
        if title in LEFT_OUT:
            continue
        for number, line in rows_of(lines):
            links = re.findall(r"\]\(#([\w-]+)\)", line)
            if not tests.named_in(line)[0] and not any(shown.get(link) for link in links):
                problems.append(f"{PAGE}:{number}: no test is named: {line[:100]}")
            problems += [
                f"{PAGE}:{number}: there is no section #{link}" for link in links if link not in shown
            ]
    return "".join(problem + "\n" for problem in problems)


def feature_problems(root, page):
    """Every rule that changed in a version is a row of the table of features."""
    with open(os.path.join(root, FEATURES), encoding="utf-8") as stream:
        names = re.findall(r'^FEATURE\(\w+,\s+"([^"]+)"', stream.read(), re.M)
    missing = [name for name in names if f"| `{name}` |" not in page]
    return "".join(f"{PAGE}: no row for {name} of {FEATURES}\n" for name in missing)


def check_rows(root):
    with open(os.path.join(root, PAGE), encoding="utf-8") as stream:
        page = stream.read()
    return row_problems(page, Tests(root)) + feature_problems(root, page)


def main():
    problems = check_rows(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    print(problems, end="")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
