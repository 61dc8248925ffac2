# SPDX-License-Identifier: Apache-2.0
"""The pages of examples/field: what was reported, the Check, the run, and the fix.

A page is made of the files of its folder: the first comment of each says what it is about, `fathom verify` shows the run,
the difference between the broken and the fixed file is the fix, and `fathom fix` says what it would change. Where the
table of docs/bench-fix.md says that such a search takes long, the page has the row of that table instead.
"""

import difflib
import glob
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIELD = os.path.join(ROOT, "examples/field")
REPAIR_SECONDS_MOST = 1.5
NOTE = "<!-- Made by tools/gallery.py from the files of this folder; test/cli/gallery_test.py keeps it true. -->\n"
NOT_SAID = re.compile(r"(expect|shows|repeats|ends|options|with|large): ")
MODELINE = "# yaml-language-server:"


class Check:
    """A file with a Check: its first comment in paragraphs, its options, and the rest."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.shown = os.path.relpath(path, ROOT)
        with open(path, encoding="utf-8") as stream:
            lines = [line.rstrip("\n") for line in stream]
        head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
        self.options = [line.split(": ", 1)[1] for line in lines[:head] if line.startswith("# options: ")]
        self.is_large = any(line.startswith("# large: ") for line in lines[:head])
        said = [line[1:].strip() for line in lines[:head]]
        said = "\n".join(line for line in said if not NOT_SAID.match(line))
        self.paragraphs = [part.replace("\n", " ") for part in said.strip().split("\n\n") if part]
        self.body = [line for line in lines[head:] if not line.startswith(MODELINE)]

    @property
    def files(self):
        """Links to the file, and to the manifests that its events apply."""
        text = "\n".join(self.body)
        applied = [name for names in re.findall(r"manifests: \[([^]]*)\]", text) for name in names.split(", ")]
        links = [f"[{name}]({name})" for name in dict.fromkeys(applied)]
        return f"[{self.name}]({self.name})" + (f", which applies {' and '.join(links)}" if links else "")

    def command(self, verb, *options):
        return " ".join(["./fathom", verb, self.shown, *self.options, *options])


class Report:
    """A folder: the Check of the report, the one that shows a failure, the fix, and variants."""

    def __init__(self, folder):
        self.folder = folder
        self.number_and_name = os.path.basename(folder)
        checks = {}
        for path in sorted(glob.glob(os.path.join(folder, "*.yaml"))):
            with open(path, encoding="utf-8") as stream:
                if "apiVersion: fathom/v1" in stream.read():
                    checks[os.path.basename(path)] = Check(path)
        self.reported = checks.pop("reported.yaml", None)
        self.broken = checks.pop("broken.yaml", None)
        self.fixed = checks.pop("fixed.yaml", None)
        self.variants = list(checks.values())
        self.first = self.reported or self.broken

    @property
    def title(self):
        """The first sentence, without its references: those follow below."""
        text = re.sub(r" \([^()]*(?:#|PR)[^()]*\)", "", self.first.paragraphs[0])
        return text.rstrip(".")


def reports():
    return [Report(folder.rstrip("/")) for folder in sorted(glob.glob(os.path.join(FIELD, "*/")))]


def references(text):
    """Links to the threads: `owner/name#1, #2`; a repository whose owner is not said stays text."""
    links = []
    repository = None
    pattern = r"([\w.-]+/[\w.-]+)(?:, review of )?(PR)?#(\d+)|([\w.-]*?)(PR)?#(\d+)"
    for found in re.finditer(pattern, text):
        named, short = found.group(1), found.group(4)
        number = found.group(3) or found.group(6)
        repository = None if short else named or repository
        kind = "pull" if found.group(2) or found.group(5) else "issues"
        link = f"[{repository}#{number}](https://github.com/{repository}/{kind}/{number})"
        links.append(link if repository else found.group())
    return ", ".join(links)


def output_of(fathom, command):
    """What a command of a page prints, as in a terminal without colours."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "COLUMNS")}
    environment["LC_ALL"] = "C.UTF-8"
    done = subprocess.run(["bash", "-c", command.replace("./fathom", fathom)], cwd=ROOT, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return f"```console\n$ {command}\n{done.stdout}```\n"


def verdicts(fathom, check):
    return output_of(fathom, check.command("verify") + " | grep -E '^(HOLDS|VIOLATED|UNDECIDED)'")


def whole(fathom, check, heading):
    """A Check in full, and its run."""
    return [f"## {heading}\n", f"{check.files}:\n", "```yaml\n" + "\n".join(check.body) + "\n```\n",
            "## The run\n", output_of(fathom, check.command("verify"))]


def changed(fathom, check, base):
    """What differs from another Check, and the verdicts."""
    lines = list(difflib.unified_diff(base.body, check.body, base.name, check.name, n=2, lineterm=""))
    return ["\n\n".join(check.paragraphs) + "\n", "```diff\n" + "\n".join(lines) + "\n```\n", verdicts(fathom, check)]


def repair_rows():
    """Of docs/bench-fix.md: file -> whether it is repaired, patch, cost, what is given up, seconds."""
    rows = {}
    with open(os.path.join(ROOT, "docs/bench-fix.md"), encoding="utf-8") as stream:
        for line in stream:
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            if len(cells) == 6 and cells[0].startswith("examples/field/"):
                rows[cells[0]] = cells[1:]
    return rows


def repair(fathom, check, rows):
    """What `fathom fix` would change."""
    if check.is_large:
        return [f"`fathom fix {check.shown}` looks for a repair by itself; here that takes a minute.\n"]
    repaired, patch, cost, lost, seconds = rows.get(check.shown, ("no", "", "", "", "0"))
    if float(seconds) <= REPAIR_SECONDS_MOST:
        return ["`fathom fix` finds a repair by itself, or says what it would need:\n",
                output_of(fathom, check.command("fix", "--jobs 1"))]
    if repaired in ("no", "never"):
        return [f"`fathom fix {check.shown}` finds no repair ([all repairs](../../../docs/bench-fix.md)).\n"]
    return [f"`fathom fix {check.shown}` finds, after a longer search: {patch}. It costs {cost} and gives up "
            f"{lost} ([all repairs](../../../docs/bench-fix.md)).\n"]


def left_of(check):
    """What its comment says, below the heading that says so already."""
    text = "\n\n".join(check.paragraphs).removeprefix("What is left of it: ")
    return text[0].upper() + text[1:]


def page(fathom, report, rows):
    """One folder's README.md."""
    first = report.first
    parts = [NOTE + f"# {report.title}\n"]
    threads = references(first.paragraphs[0])
    if threads:
        parts.append(f"Reported in {threads}.\n")
    parts += ["## What was reported\n", "\n\n".join(first.paragraphs[1:] or [first.paragraphs[0]]) + "\n"]
    shown = report.broken or report.reported
    if report.reported and report.broken:
        parts += ["That is [reported.yaml](reported.yaml):\n", verdicts(fathom, report.reported),
                  "## What is left of it\n", left_of(report.broken) + "\n"]
    parts += whole(fathom, shown, "The Check")
    if report.fixed:
        parts += ["## The fix\n" if report.broken else "## With another setting\n"]
        parts += changed(fathom, report.fixed, shown)
    if report.broken:
        if not report.fixed:
            parts += ["## The fix\n"]
        parts += repair(fathom, report.broken, rows)
    for variant in report.variants:
        parts += [f"## Variant: {variant.name}\n"] + changed(fathom, variant, shown)
    return "\n".join(parts)


def pages(fathom):
    """All pages: path -> text."""
    rows = repair_rows()
    return {os.path.join(report.folder, "README.md"): page(fathom, report, rows) for report in reports()}
