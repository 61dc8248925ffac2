# SPDX-License-Identifier: Apache-2.0
"""Transcripts: commands and what they print, as data, run and compared.

A case is a text file:

    # Why this case exists, in a sentence or two.
    === pod.yaml
    apiVersion: v1
    ...
    === end
    $ fathom check-manifests -f pod.yaml
    what it prints on standard output
    2> what it prints on standard error
    [exit 2]

Files between `=== NAME` and `=== end` are put into an empty folder, in which
every command runs, one after the other, by bash; the source tree's examples are
there, too. `> ` continues a command on
the next line. Without an `[exit N]` line the code is 0. A line `...` (or
`2> ...`) stands for any number of lines.

Documents are read the same way: their fenced blocks marked `console` are the
transcript, with standard error where the terminal shows it, and no exit codes
(`$ echo $?` shows them).
"""

import os
import re
import subprocess
import tempfile

TIMEOUT_SECONDS = 120


class Step:
    """One command with the output that is expected of it."""

    def __init__(self, command, line):
        self.command = command
        self.line = line
        self.expected = []


class Transcript:
    def __init__(self, path):
        self.path = path
        self.files = {}
        self.steps = []
        self.is_document = path.endswith(".md")
        with open(path, encoding="utf-8") as stream:
            self.lines = stream.read().split("\n")
        if self.is_document:
            self._read_document()
        else:
            self._read_case()

    def _read_steps(self, numbered_lines):
        for number, line in numbered_lines:
            if line.startswith("$ "):
                self.steps.append(Step(line[2:], number))
            elif not self.steps:
                continue
            elif line.startswith("> ") and not self.steps[-1].expected:
                self.steps[-1].command += "\n" + line[2:]
            else:
                self.steps[-1].expected.append(line)

    def _read_document(self):
        inside = False
        found = []
        for number, line in enumerate(self.lines, 1):
            if line.startswith("```"):
                inside = line == "```console"
            elif inside:
                found.append((number, line))
        self._read_steps(found)

    def _read_case(self):
        name = None
        rest = []
        for number, line in enumerate(self.lines, 1):
            if name is None and line.startswith("=== "):
                name = line[4:]
                self.files[name] = ""
            elif name is not None and line == "=== end":
                name = None
            elif name is not None:
                self.files[name] += line + "\n"
            else:
                rest.append((number, line))
        while rest and not rest[-1][1]:
            rest.pop()
        self._read_steps(rest)

    def updated(self, outputs):
        """The file's text with what was really printed."""
        if self.is_document:
            lines = list(self.lines)
            for step, output in reversed(list(zip(self.steps, outputs))):
                start = step.line + step.command.count("\n")
                lines[start : start + len(step.expected)] = output
            return "\n".join(lines)
        head = []
        for line in self.lines:
            if line.startswith("$ "):
                break
            head.append(line)
        for step, output in zip(self.steps, outputs):
            head.append("$ " + step.command.replace("\n", "\n> "))
            head.extend(output)
        return "\n".join(head) + "\n"


def lines_of(text):
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    else:
        lines[-1] += "\\ no newline at the end"
    return lines


def matches(expected, found):
    """Equal, where `...` stands for any lines."""
    any_lines = {"...": r"(?:.*\n)*", "2> ...": r"(?:2>.*\n)*"}
    pattern = "".join(any_lines.get(line, re.escape(line) + r"\n") for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def run_step(step, folder, environment, merged, previous_code):
    command = f"(exit {previous_code}); {step.command}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    output = lines_of(done.stdout.decode(errors="backslashreplace"))
    if not merged:
        errors = lines_of(done.stderr.decode(errors="backslashreplace"))
        output += [("2> " + line).rstrip() for line in errors]
        if done.returncode:
            output.append(f"[exit {done.returncode}]")
    return output, done.returncode


def prepare(transcript, folder, fathom, source_root):
    """Fills the folder that the commands run in, and gives their environment."""
    programs = os.path.join(folder, "bin")
    work = os.path.join(folder, "work")
    os.mkdir(programs)
    os.mkdir(work)
    for name in ("fathom", "kubectl-fathom"):
        os.symlink(fathom, os.path.join(programs, name))
    for name, content in transcript.files.items():
        path = os.path.join(work, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(content)
    if transcript.is_document:
        # A reader of a document sits in the source tree.
        for name in os.listdir(source_root):
            if not name.startswith((".", "build")) and name != "fathom":
                os.symlink(os.path.join(source_root, name), os.path.join(work, name))
        os.symlink(fathom, os.path.join(work, "fathom"))
    else:
        # Cases may use the examples that people are shown.
        os.symlink(os.path.join(source_root, "examples"), os.path.join(work, "examples"))
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "TERM", "COLUMNS")
    }
    environment["PATH"] = programs + ":" + environment["PATH"]
    environment["LC_ALL"] = "C.UTF-8"
    return work, environment


def run(transcript, fathom, source_root):
    """Runs all steps; gives what each printed."""
    with tempfile.TemporaryDirectory(prefix="fathom-case-") as folder:
        work, environment = prepare(transcript, folder, fathom, source_root)
        outputs = []
        code = 0
        for step in transcript.steps:
            output, code = run_step(step, work, environment, transcript.is_document, code)
            outputs.append(output)
        return outputs
