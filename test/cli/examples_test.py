#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of `fathom help COMMAND` are commands that work.

Those whose files are in the tree are run, and must end with a verdict; of the others the
options are looked at: `--help` after them must be accepted.
"""

import os
import shlex
import subprocess
import sys
import tempfile

VERDICTS = (0, 1, 3)


def run(arguments, folder):
    return subprocess.run(
        arguments, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def commands_of(overview):
    """The names in the groups of the overview."""
    names = []
    for line in overview.split("\nExamples:\n")[0].splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            names.append(line[2:].split("  ")[0])
    return names


def examples_of(text):
    lines = text.split("\nExamples:\n")[1].split("\n\n")[0].splitlines() if "\nExamples:\n" in text else []
    return [line.strip() for line in lines if not line.strip().startswith("#")]


def main():
    fathom = os.path.abspath(sys.argv[1])
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    overview = run([fathom, "help"], root).stdout
    commands = commands_of(overview)
    texts = [overview] + [run([fathom, "help"] + name.split(), root).stdout for name in commands]
    examples = [line for text in texts for line in examples_of(text)]
    failures = 0
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(root, "examples"), os.path.join(folder, "examples"))
        for line in examples:
            words = shlex.split(line)
            in_tree = "examples/" in line
            done = run([fathom] + words[1:] + ([] if in_tree else ["--help"]), folder)
            ran += in_tree
            if done.returncode not in (VERDICTS if in_tree else (0,)):
                failures += 1
                print(f"{line}: exit code {done.returncode}\n{done.stderr}")
    if len(commands) < 15 or ran < 10:
        failures += 1
        print(f"only {len(commands)} commands and {ran} examples were found")
    print(f"{len(examples)} examples, {ran} run, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
