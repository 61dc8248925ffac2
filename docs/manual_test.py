#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page names every command and every option that the help names; no page gives warnings.

    manual_test.py FATHOM fathom.1 [PAGE ...]
"""

import os
import re
import shutil
import subprocess
import sys


def warnings_of(page):
    """What man and its formatter complain about; where there is no man, nothing is known."""
    if not shutil.which("man"):
        return []
    done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, check=False,
                          env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
    return [f"{page}: {line}" for line in done.stderr.splitlines()]


def main():
    program, page, *others = sys.argv[1:]
    with open(page, encoding="utf-8") as stream:
        manual = re.sub(r"\\f[BIR]|\\&", "", stream.read()).replace("\\-", "-")

    def help_of(*command):
        return subprocess.run(
            [program, "help", *command], capture_output=True, text=True, check=True
        ).stdout

    commands = re.findall(r"^  ([a-z-]+(?: [a-z-]+)?)  ", help_of(), re.M)
    names = set(commands)
    for command in commands:
        names |= set(re.findall(r"^  +(?:-\w, )?(--[a-z-]+)", help_of(*command.split()), re.M))
    missing = sorted(name for name in names if not re.search(rf"^.*{re.escape(name)}\b", manual, re.M))
    for name in missing:
        print(f"{page}: {name} is not in it")
    warnings = [line for one in [page, *others] for line in warnings_of(os.path.abspath(one))]
    print("".join(line + "\n" for line in warnings), end="")
    print(f"{len(names) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing or warnings or len(commands) < 3 or len(names) < len(commands) + 3 else 0


if __name__ == "__main__":
    sys.exit(main())
