#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs transcripts (see transcript.py) against a built program.

    test/cli/run_cases.py --fathom build/fathom [--update] [--only PATTERN] [FILE...]

Without files: every case of this folder. --update rewrites the cases with what
was printed; read the difference before you commit it.
"""

import argparse
import concurrent.futures
import difflib
import fnmatch
import glob
import os
import sys

import transcript

HERE = os.path.dirname(os.path.abspath(__file__))


def outcome(path, options):
    """The failures of one transcript, as text; empty when all is well."""
    case = transcript.Transcript(path)
    if not case.steps:
        return "no commands\n" if not case.is_document else ""
    outputs = transcript.run(case, os.path.abspath(options.fathom), options.source_root)
    failures = ""
    for step, found in zip(case.steps, outputs):
        expected = step.expected
        if not transcript.matches(expected, found):
            difference = difflib.unified_diff(expected, found, "expected", "found", lineterm="")
            failures += f"{path}:{step.line}: $ {step.command}\n"
            failures += "".join(f"    {line}\n" for line in difference)
    if failures and options.update:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(case.updated(outputs))
        print(f"updated {path}")
        return ""
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--source-root", default=os.path.dirname(os.path.dirname(HERE)))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    files = options.files or sorted(glob.glob(os.path.join(HERE, "cases", "*.case")))
    files = [path for path in files if fnmatch.fnmatch(os.path.basename(path), f"*{options.only}*")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: outcome(path, options), files))
    for result in results:
        print(result, end="")
    failed = sum(bool(result) for result in results)
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
