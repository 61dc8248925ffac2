# SPDX-License-Identifier: Apache-2.0
"""Static checks: each takes the source tree's folder, and whether it may take
long, and gives what it found, as text.

clang-tidy takes seconds a file, so that its verdict is kept in build/tidy under
a hash of all that it depends on: the file, every header it includes, the
options and the version. Its analyzer follows calls only a little way and gives
each function a smaller budget, but for `./run-tests --long`: the whole way takes
several times as long.
"""

import concurrent.futures
import glob
import hashlib
import json
import os
import re
import subprocess


def run(command, folder, **options):
    """Runs without input; standard error is part of the output."""
    return subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="backslashreplace",
        check=False,
        **options,
    )


def output_of(command, folder):
    done = run(command, folder)
    return done.returncode, done.stdout


def files(root, *patterns):
    """Files of the tree by pattern, without what was built."""
    found = []
    for pattern in patterns:
        found += glob.glob(os.path.join(root, pattern), recursive=True)
    return sorted(os.path.relpath(path, root) for path in found if os.path.isfile(path))


def c_files(root):
    folders = ("src", "include", "test", "bench", "docs", "examples")
    return files(root, *(f"{folder}/**/*.[ch]" for folder in folders))


def clang_format(root, _long):
    code, output = output_of(["clang-format", "--dry-run", "-Werror", *c_files(root)], root)
    return output if code else ""


def headers_of_objects(root):
    """What each source file includes, as ninja learned it from the compiler."""
    build = os.path.join(root, "build")
    _, output = output_of(["ninja", "-C", build, "-t", "deps"], root)
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


def analyzer_options(long):
    depth = "mode=deep" if long else "mode=shallow,max-nodes=20000"
    options = ["-Xclang", "-analyzer-config", "-Xclang", depth]
    return [f"--extra-arg={option}" for option in options]


def tidy_one(root, path, key, options):
    cached = os.path.join(root, "build", "tidy", key)
    if os.path.exists(cached):
        return ""
    code, output = output_of(["clang-tidy", "--quiet", "-p", "build", *options, path], root)
    if code:
        kept = [line for line in output.split("\n") if not line.endswith("warnings generated.")]
        return "\n".join(kept)
    with open(cached, "w", encoding="utf-8") as stream:
        stream.write(path + "\n")
    return ""


def clang_tidy(root, long):
    with open(os.path.join(root, "build", "compile_commands.json"), encoding="utf-8") as stream:
        commands = json.load(stream)
    build = os.path.join(root, "build")
    paths = {os.path.relpath(os.path.join(build, entry["file"]), root) for entry in commands}
    _, version = output_of(["clang-tidy", "--version"], root)
    with open(os.path.join(root, ".clang-tidy"), "rb") as stream:
        basis = stream.read() + version.encode()
    options = analyzer_options(long)
    basis += " ".join(options).encode()
    headers = headers_of_objects(root)
    os.makedirs(os.path.join(build, "tidy"), exist_ok=True)

    def one(path):
        key = tidy_key(root, path, headers.get(path, []), basis)
        return tidy_one(root, path, key, options)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return "".join(pool.map(one, sorted(paths)))


def cppcheck(root, _long):
    library = "tools/cppcheck.cfg"
    with open(os.path.join(root, library), "rb") as stream:
        digest = hashlib.sha256(stream.read()).hexdigest()
    cache = os.path.join(root, "build", "cppcheck-" + digest[:16])
    os.makedirs(cache, exist_ok=True)
    code, output = output_of(
        [
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
            f"-j{os.cpu_count()}",
            "-Isrc",
            "-Iinclude",
            "-D_GNU_SOURCE",
            "src",
        ],
        root,
    )
    return output if code else ""


def is_shell(path):
    with open(path, "rb") as stream:
        start = stream.readline()
    return start in (b"#!/bin/sh\n", b"#!/bin/bash\n", b"#!/usr/bin/env bash\n")


def shell_scripts(root, _long):
    tops = files(root, "*", ".ci/*", "tools/*", "test/**/*", "bench/*")
    scripts = [path for path in tops if is_shell(os.path.join(root, path))]
    scripts += files(root, "tools/*.sh")
    code, output = output_of(["shellcheck", *sorted(set(scripts))], root)
    return output if code else ""


def python_scripts(root, _long):
    """They are small and have no checker of their own: at least they must compile."""
    problems = ""
    for path in files(root, "tools/**/*.py", "test/**/*.py", "bench/**/*.py"):
        with open(os.path.join(root, path), encoding="utf-8") as stream:
            try:
                compile(stream.read(), path, "exec")
            except SyntaxError as error:
                problems += f"{path}: {error}\n"
    return problems


def document_links(root, _long):
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


CHECKS = {
    "clang-format": clang_format,
    "clang-tidy": clang_tidy,
    "cppcheck": cppcheck,
    "shellcheck": shell_scripts,
    "python": python_scripts,
    "links": document_links,
}
