#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a terminal sees: the line of progress, colours, and characters.

Fathom runs in pseudo terminals of several widths. What it writes is replayed on a small screen
(carriage returns, ends of lines, wiping, wrapping at the last column), so that a line that is too
wide leaves a trace, as it does for people.
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLOW = "examples/c03-spread-conflict/fixed.yaml"
QUICK = "examples/c02-apply-without-replicas/broken.yaml"


def run(fathom, arguments, columns, answer_too=False, **environment):
    """What is written to a terminal: standard error, and (`answer_too`) standard output."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    variables = {"PATH": os.environ["PATH"], "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
    with subprocess.Popen(
        [fathom] + arguments,
        cwd=ROOT,
        env={name: value for name, value in variables.items() if value is not None},
        stdin=subprocess.DEVNULL,
        stdout=slave if answer_too else subprocess.DEVNULL,
        stderr=slave,
    ) as process:
        os.close(slave)
        written = b""
        while True:
            try:
                chunk = os.read(master, 65536)
            except OSError:
                break
            if not chunk:
                break
            written += chunk
        process.wait()
    os.close(master)
    return written.decode(errors="replace")


def screen(written, columns):
    """The lines that stand there in the end."""
    rows, row, column = [""], 0, 0
    for part in re.findall(r"\033\[[0-9;]*[A-Za-z]|\r|\n|.", written, re.DOTALL):
        if part == "\r":
            column = 0
        elif part == "\n":
            row += 1
        elif part == "\033[K":
            rows[row] = rows[row][:column]
        elif not part.startswith("\033"):
            if column == columns:
                row, column = row + 1, 0
                rows += [""] * (row + 1 - len(rows))
            rows[row] = rows[row][:column].ljust(column) + part + rows[row][column + 1 :]
            column += 1
        rows += [""] * (row + 1 - len(rows))
    return [line.rstrip() for line in rows if line.strip()]


def expect(condition, what):
    if not condition:
        print(f"failed: {what}")
    return 0 if condition else 1


def test_progress(fathom):
    failures = 0
    for columns in (20, 60, 80, 200):
        written = run(fathom, ["verify", SLOW, "--trial", "0", "--max-states", "60000"], columns)
        failures += expect("setups" in written or columns < 30, f"progress is told, {columns}")
        failures += expect("\r" in written, f"the line is written over, {columns}")
        failures += expect(screen(written, columns) == [], f"nothing stays behind, {columns}")
        widest = max(len(line.replace("\033[K", "")) for line in re.split(r"[\r\n]", written))
        failures += expect(widest < columns, f"at most {columns} columns: {widest}")
    for terminal in ("dumb", None):
        written = run(fathom, ["verify", SLOW, "--trial", "0", "--max-states", "60000"], 80, TERM=terminal)
        failures += expect(written == "", f"TERM={terminal}: no progress: {written[:80]!r}")
    written = run(fathom, ["verify", SLOW, "--trial", "0", "--max-states", "60000", "--progress", "always"], 80, TERM="dumb")
    failures += expect("setups" in written and "\033" not in written, "a dumb terminal gets lines")
    return failures


def test_colours(fathom):
    failures = 0
    written = run(fathom, ["verify", QUICK], 80, answer_too=True)
    failures += expect("\033[1;31mVIOLATED\033[0m" in written, "verdicts have colours")
    for reason, arguments, environment in (
        ("NO_COLOR", [], {"NO_COLOR": "1"}),
        ("TERM=dumb", [], {"TERM": "dumb"}),
        ("--no-color", ["--no-color"], {}),
    ):
        written = run(
            fathom, ["verify", QUICK, "--progress", "never"] + arguments, 80, True, **environment
        )
        failures += expect("VIOLATED" in written and "\033" not in written, f"no colours: {reason}")
    return failures


def test_ascii(fathom):
    failures = 0
    for locale, ascii_only in (("C", True), ("POSIX", True), ("C.UTF-8", False)):
        written = run(fathom, ["slo", "examples/slo-nodejs/slo.yaml"], 80, True, LC_ALL=locale)
        failures += expect("requests |" in written, f"there is a picture, {locale}")
        failures += expect(written.isascii() == ascii_only, f"characters of {locale}")
    return failures


def main():
    fathom = os.path.abspath(sys.argv[1])
    failures = test_progress(fathom) + test_colours(fathom) + test_ascii(fathom)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
