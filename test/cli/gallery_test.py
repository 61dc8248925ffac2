#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of the examples are what tools/gallery.py writes, and pages link to files that are there.

    gallery_test.py FATHOM
"""

import difflib
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import gallery  # pylint: disable=wrong-import-position

DIFFERENCES_MOST = 20


def test_page(path, text):
    """Is a page what is written now?"""
    name = os.path.relpath(path, ROOT)
    found = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as stream:
            found = stream.read()
    if found == text:
        return 0
    print(f"{name}: is old: tools/gallery.py FATHOM writes it again")
    lines = difflib.unified_diff(found.split("\n"), text.split("\n"), "as it is", "as it should be", lineterm="")
    for line in list(lines)[:DIFFERENCES_MOST]:
        print("  " + line)
    return 1


def main():
    written = gallery.pages(os.path.abspath(sys.argv[1]))
    failures = sum(test_page(path, text) for path, text in written.items())
    pages = [os.path.join(ROOT, "README.md"), os.path.join(ROOT, "CHANGELOG.md")]
    pages += glob.glob(os.path.join(ROOT, "examples/**/*.md"), recursive=True)
    pages += glob.glob(os.path.join(ROOT, "docs/**/*.md"), recursive=True)
    links = 0
    for page in pages:
        with open(page, encoding="utf-8") as stream:
            text = re.sub(r"```.*?```", "", stream.read(), flags=re.S)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            if not os.path.exists(os.path.join(os.path.dirname(page), target)):
                print(f"{os.path.relpath(page, ROOT)}: links to {target}, which is not there")
                failures += 1
    print(f"{links} links in {len(pages)} pages, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
