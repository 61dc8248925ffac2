#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom record` ends although kubectl ignores SIGTERM, and leaves nobody behind: neither kubectl nor what
it has started."""
import os
import stat
import subprocess
import sys
import tempfile
import time

FATHOM = os.path.abspath(sys.argv[1])

STUBBORN = """#!/bin/sh
trap '' TERM
echo $$ >> {folder}/processes
sleep 300 &
echo $! >> {folder}/processes
wait
sleep 300
"""


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as stream:
            return stream.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def main():
    with tempfile.TemporaryDirectory() as folder:
        kubectl = os.path.join(folder, "kubectl")
        with open(kubectl, "w", encoding="utf-8") as stream:
            stream.write(STUBBORN.format(folder=folder))
        os.chmod(kubectl, os.stat(kubectl).st_mode | stat.S_IXUSR)
        subprocess.run([FATHOM, "record", os.path.join(folder, "run"), "--kubectl", kubectl, "--timeout", "1s"],
                       capture_output=True, timeout=100, check=False)
        with open(os.path.join(folder, "processes"), encoding="utf-8") as stream:
            processes = [int(line) for line in stream]
        for _ in range(100):
            left = [process for process in processes if is_alive(process)]
            if not left:
                break
            time.sleep(0.1)
        if not processes or left:
            sys.exit(f"{len(left)} of {len(processes)} processes are left")


main()
