#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page names every command and every option that the help names."""

import re
import subprocess
import sys


def main():
    program, page = sys.argv[1:]
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
    print(f"{len(names) - len(missing)} passed, {len(missing)} failed")
    return 1 if missing or len(commands) < 3 or len(names) < len(commands) + 3 else 0


if __name__ == "__main__":
    sys.exit(main())
