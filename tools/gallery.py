#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes examples/README.md, an index of the examples, and a page for each failure of examples/field.

    tools/gallery.py FATHOM

What an example is about is the first sentence of the comment that its file begins with. tools/field_pages.py describes
the pages.
"""

import glob
import os
import re
import sys

import field_pages

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN = """<!-- Made by tools/gallery.py; test/cli/gallery_test.py keeps it true. -->
# Examples

Each folder has a Check that is violated (`broken.yaml`) and one that holds (`fixed.yaml`), or an application with several. Run one:

```sh
./fathom verify examples/c03-spread-conflict/broken.yaml
```

[The tutorial](../docs/tutorial.md) begins with `examples/tutorial`.

"""
FIELD = """
## Failures that people reported

Reports from public issue trackers as Checks ([more about them](field/README.md)). Each page has what was reported, the Check, the run
that shows it, and the fix. A claim in quotation marks does not hold.

"""


def first_sentence(path):
    """Of the comment at the top."""
    words = []
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            if not line.startswith("#") or not line[1:].strip():
                break
            words.append(line[1:].strip())
    text = " ".join(words)
    return re.split(r"(?<=[.?])\s", text)[0].replace("|", "\\|") if text else ""


def heading_of(path):
    """Of a page: its title."""
    with open(path, encoding="utf-8") as stream:
        return stream.readline().lstrip("# ").strip().rstrip(".")


def files_of(folder, names):
    return [name for name in names if os.path.exists(os.path.join(folder, name))]


def link(root, folder, name):
    return f"[{name}]({os.path.relpath(os.path.join(folder, name), root)})"


def examples():
    lines = ["| example | what it is about | files |", "| --- | --- | --- |"]
    root = os.path.join(ROOT, "examples")
    for folder in sorted(glob.glob(os.path.join(root, "*/"))):
        folder = folder.rstrip("/")
        if folder == field_pages.FIELD:
            continue
        checks = sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "*.yaml")))
        readme = os.path.join(folder, "README.md")
        shown = files_of(folder, ["README.md", "broken.yaml", "fixed.yaml", "slo.yaml", "check.yaml"])
        about = ""
        if "broken.yaml" in checks:
            about = first_sentence(os.path.join(folder, "broken.yaml"))
        if not about and os.path.exists(readme):
            about = heading_of(readme)
        for check in checks:
            about = about or first_sentence(os.path.join(folder, check))
        lines.append(
            f"| `{os.path.basename(folder)}` | {about} | "
            f"{', '.join(link(root, folder, name) for name in shown)} |"
        )
    return lines


def reports():
    lines = ["| report | what happens |", "| --- | --- |"]
    for report in field_pages.reports():
        name = report.number_and_name
        lines.append(f"| [{name}](field/{name}/README.md) | {report.title} |")
    return lines


def index():
    return BEGIN + "\n".join(examples()) + "\n" + FIELD + "\n".join(reports()) + "\n"


def pages(fathom):
    """All that is made here: path -> text."""
    return {os.path.join(ROOT, "examples/README.md"): index(), **field_pages.pages(fathom)}


def main():
    for path, text in pages(os.path.abspath(sys.argv[1])).items():
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    main()
