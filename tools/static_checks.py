# SPDX-License-Identifier: Apache-2.0
"""Static checks. Each takes the source tree's folder, and whether it may take long,
and gives parts of itself: functions that can run side by side, and tell what they
found and the processor time it took, as (text, seconds).

clang-tidy takes a large part of a second for a file, so that its verdict is kept in
build/tidy under a hash of all that it depends on: the file, every header it
includes, the options and the version. Its analyzer follows calls only a little way
and gives each function a smaller budget, and leaves tests alone, whose every path is
run with sanitizers anyway; but for `./run-tests --long`: the whole way takes several
times as long.
"""

import glob
import hashlib
import json
import os
import re

import fidelity_rows
import jobs
import structure_checks


def files(root, *patterns):
    """Files of the tree by pattern, without what was built."""
    found = []
    for pattern in patterns:
        found += glob.glob(os.path.join(root, pattern), recursive=True)
    return sorted(os.path.relpath(path, root) for path in found if os.path.isfile(path))


def c_files(root):
    folders = ("src", "include", "test", "bench", "docs", "examples")
    return files(root, *(f"{folder}/**/*.[ch]" for folder in folders))


def complaint(done, output):
    """What a command has found: nothing only if its exit code is 0. One that crashed or
    was killed may have said nothing."""
    if done.code and not output.strip():
        return f"exit code {done.code}, and not a word\n"
    return output if done.code else ""


def part(command, root):
    """A part that is a command."""

    def run():
        done = jobs.run(command, root)
        return complaint(done, done.output), done.cpu_seconds

    return run


def own_part(function):
    """A part that is a function of ours, too quick to be measured."""
    return lambda: (function(), 0.0)


def clang_format(root, _long):
    return [part(["clang-format", "--dry-run", "-Werror", *c_files(root)], root)]


def headers_of_objects(root):
    """What each source file includes, as ninja learned it from the compiler."""
    build = os.path.join(root, "build")
    output = jobs.run(["ninja", "-C", build, "-t", "deps"], root).output
    headers = {}
    for block in output.split("\n\n"):
        paths = [line.strip() for line in block.split("\n") if line.startswith("    ")]
        paths = [os.path.relpath(os.path.join(build, path), root) for path in paths]
        if paths:
            headers[paths[0]] = [path for path in paths if not path.startswith("..")]
    return headers


def tidy_key(root, path, headers, basis):
    digest = hashlib.sha256(basis)
    for name in [path, *sorted(headers)]:
        with open(os.path.join(root, name), "rb") as stream:
            digest.update(name.encode() + b"\0" + stream.read() + b"\0")
    return digest.hexdigest()


def is_test(path):
    return path.startswith("test/") or path.endswith("_test.c")


def tidy_options(path, long):
    if not long and is_test(path):
        # Without the analyzer it takes warnings of the compiler, which gcc's build
        # is there for, as errors.
        return ["--checks=-clang-analyzer-*", "--extra-arg=-Wno-error"]
    depth = "mode=deep" if long else "mode=shallow,max-nodes=20000"
    options = ["-Xclang", "-analyzer-config", "-Xclang", depth]
    return [f"--extra-arg={option}" for option in options]


def tidy_one(root, path, key, options):
    cached = os.path.join(root, "build", "tidy", key)
    if os.path.exists(cached):
        return "", 0.0
    done = jobs.run(["clang-tidy", "--quiet", "-p", "build", *options, path], root)
    if done.code:
        lines = done.output.split("\n")
        kept = [line for line in lines if not line.endswith("warnings generated.")]
        return complaint(done, "\n".join(kept)), done.cpu_seconds
    with open(cached, "w", encoding="utf-8") as stream:
        stream.write(path + "\n")
    return "", done.cpu_seconds


def clang_tidy(root, long):
    build = os.path.join(root, "build")
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
        commands = json.load(stream)
    paths = {os.path.relpath(os.path.join(build, entry["file"]), root) for entry in commands}
    version = jobs.run(["clang-tidy", "--version"], root).output
    with open(os.path.join(root, ".clang-tidy"), "rb") as stream:
        basis = stream.read() + version.encode()
    headers = headers_of_objects(root)
    os.makedirs(os.path.join(build, "tidy"), exist_ok=True)

    def one(path):
        options = tidy_options(path, long)
        own_basis = basis + " ".join(options).encode()
        key = tidy_key(root, path, headers.get(path, []), own_basis)
        return tidy_one(root, path, key, options)

    return [lambda path=path: one(path) for path in sorted(paths)]


def cppcheck(root, _long):
    library = "tools/cppcheck.cfg"
    with open(os.path.join(root, library), "rb") as stream:
        digest = hashlib.sha256(stream.read()).hexdigest()
    cache = os.path.join(root, "build", "cppcheck-" + digest[:16])
    os.makedirs(cache, exist_ok=True)
    command = [
        "cppcheck",
        "--quiet",
        "--enable=warning,performance,portability",
        "--error-exitcode=1",
        "--inline-suppr",
        f"--library={library}",
        "--suppress=varFuncNullUB",  # NULL is a pointer wherever this is built
        # Takes a call through a pointer for a constructor; gcc warns of real ones.
        "--suppress=returnDanglingLifetime",
        "--std=c11",
        f"--cppcheck-build-dir={cache}",
        f"-j{max(1, jobs.slots() // 2)}",
        "-Isrc",
        "-Iinclude",
        "-D_GNU_SOURCE",
        "src",
    ]
    return [part(command, root)]


def is_shell(path):
    with open(path, "rb") as stream:
        start = stream.readline()
    return start in (b"#!/bin/sh\n", b"#!/bin/bash\n", b"#!/usr/bin/env bash\n")


def shell_scripts(root, _long):
    tops = files(root, "*", ".ci/*", "tools/*", "test/**/*", "bench/*")
    scripts = [path for path in tops if is_shell(os.path.join(root, path))]
    scripts += files(root, "tools/*.sh")
    return [part(["shellcheck", *sorted(set(scripts))], root)]


def python_problems(root):
    """They are small and have no checker of their own: at least they must compile."""
    problems = ""
    for path in files(root, "tools/**/*.py", "test/**/*.py", "bench/**/*.py"):
        with open(os.path.join(root, path), encoding="utf-8") as stream:
            try:
                compile(stream.read(), path, "exec")
            except SyntaxError as error:
                problems += f"{path}: {error}\n"
    return problems


def link_problems(root):
    """Links from one document of the tree to another file of it."""
    problems = ""
    for path in files(root, "*.md", "docs/**/*.md"):
        folder = os.path.dirname(os.path.join(root, path))
        with open(os.path.join(root, path), encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", line):
                    if not os.path.exists(os.path.join(folder, target)):
                        problems += f"{path}:{number}: {target} does not exist\n"
    return problems


def python_scripts(root, _long):
    return [own_part(lambda: python_problems(root))]


def document_links(root, _long):
    return [own_part(lambda: link_problems(root))]


def twin_problems(root):
    """The twin is a judge of the cluster model: it shares the names and traits of actions with
    it, and nothing else, so that it cannot repeat a mistake."""
    problems = ""
    for path in files(root, "test/twin/twin.[ch]", "test/twin/twin_[!t]*.[ch]",
                      "test/twin/twin_t[!e]*.[ch]"):
        with open(os.path.join(root, path), encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                found = re.match(r'#include "(cluster/[^"]*)"', line)
                if found and found[1] != "cluster/state/actions.def":
                    problems += f"{path}:{number}: the twin does not include {found[1]}\n"
    return problems


def twin_includes(root, _long):
    return [own_part(lambda: twin_problems(root))]


def structure(check):
    return lambda root, _long: [own_part(lambda: check(root))]


# With what a part of each is expected to take, and whether the release build comes first.
CHECKS = {
    "cppcheck": (cppcheck, 60, False),
    "clang-format": (clang_format, 5, False),
    "shellcheck": (shell_scripts, 2, False),
    "python": (python_scripts, 1, False),
    "links": (document_links, 1, False),
    "fidelity": (structure(fidelity_rows.check_rows), 1, False),
    "twin": (twin_includes, 1, False),
    "clang-tidy": (clang_tidy, 0.3, True),
    "calls": (structure(structure_checks.check_calls), 2, True),
    "layers": (structure(structure_checks.check_layers), 1, True),
    "versions": (structure(structure_checks.check_versions), 1, True),
    "tags": (structure(structure_checks.check_tags), 1, True),
}
