# SPDX-License-Identifier: Apache-2.0
"""What the source promises about itself as a whole, held by ./run-tests:

calls     no source files that call each other in a circle (tools/call_cycles.txt has
          the exceptions)
layers    a folder includes only from folders to its left (src/meson.build, and
          tools/layers.txt for what is inside a folder)
versions  a minor version is compared with a number in the tables of versions only
tags      what a header calls a struct, an enum or a union, nothing else in the
          program is called (tools/shared_tags.txt has the exceptions)

Only what the program is made of is looked at: tests may include what they like. An
exception that is not needed any more is a problem, too.
"""

import json
import os
import re

import jobs

LIBRARIES = ("libfathom.a.p", "libfathom_cli.a.p", "fathom.p")

# Where a minor version may be compared with a number.
VERSION_TABLES = (
    "src/decide/features.c",
    "src/decide/features.def",
    "src/decide/features.h",
    "src/decide/descheduler/descheduler_features.def",
)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as stream:
        return stream.read()


# ---- what the program is made of ----


def objects_of(root):
    """The program's object files: from the source's path to the object's."""
    build = os.path.join(root, "build")
    objects = {}
    for entry in json.loads(read(build, "compile_commands.json")):
        output = entry["output"]
        source = os.path.relpath(os.path.join(build, entry["file"]), root)
        if os.path.basename(os.path.dirname(output)) in LIBRARIES and source.startswith("src/"):
            objects[source] = os.path.join(build, output)
    return objects


def included_in(text):
    return re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)


def texts_of(root, sources):
    """The text of sources, and of all that they include from src/, by path."""
    texts = {}
    waiting = list(sources)
    while waiting:
        path = waiting.pop()
        if path not in texts:
            texts[path] = read(root, path)
            for name in included_in(texts[path]):
                if os.path.exists(os.path.join(root, "src", name)):
                    waiting.append("src/" + name)
    return texts


def program_texts(root):
    return texts_of(root, objects_of(root))


# ---- lists of exceptions ----


def blocks(text):
    """The blocks of a list: lines without comments, parted by empty ones."""
    lines = [line.rstrip() for line in text.split("\n") if not line.startswith("#")]
    return [block.split("\n") for block in re.split(r"\n\n+", "\n".join(lines).strip("\n")) if block]


# ---- calls ----


def symbols(nm_output):
    """What an object defines for others, and what it takes from others."""
    defined, wanted = set(), set()
    for line in nm_output.split("\n"):
        words = line.split()
        if len(words) == 2 and words[0] == "U":
            wanted.add(words[1])
        elif len(words) == 3 and words[1] in "TDRBVC":
            defined.add(words[2])
    return defined, wanted


def calls_between(found):
    """Which files each file calls, from what each defines and wants. Who calls a function of the
    C library does not call the file that replaces it (`_exit`)."""
    home = {name: path for path, (defined, _) in found.items() for name in defined
            if not name.startswith("_")}
    return {path: {home[name] for name in wanted if home.get(name, path) != path}
            for path, (_, wanted) in found.items()}


def cycles(calls):
    """The strongly connected components of more than one file (Tarjan, without recursion)."""
    index, low, on_stack, stack, components = {}, {}, set(), [], []
    for root in sorted(calls):
        if root in index:
            continue
        work = [(root, iter(sorted(calls[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            path, others = work[-1]
            other = next(others, None)
            if other is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[path])
                if low[path] == index[path]:
                    component = set(stack[stack.index(path):])
                    del stack[stack.index(path):]
                    on_stack -= component
                    if len(component) > 1:
                        components.append(component)
            elif other not in index:
                index[other] = low[other] = len(index)
                stack.append(other)
                on_stack.add(other)
                work.append((other, iter(sorted(calls.get(other, ())))))
            elif other in on_stack:
                low[path] = min(low[path], index[other])
    return components


def call_problems(calls, exceptions):
    """`exceptions`: blocks of the files of a cycle, then the reason in indented lines."""
    problems = ""
    known = []
    for block in blocks(exceptions):
        files = {word for line in block if not line.startswith(" ") for word in line.split()}
        known.append(files)
        if not any(line.startswith(" ") for line in block):
            problems += f"tools/call_cycles.txt: no reason is given for {sorted(files)[0]} ...\n"
    found = cycles(calls)
    for cycle in found:
        if cycle not in known:
            problems += "these files call each other in a circle:\n"
            for path in sorted(cycle):
                problems += f"    {path} calls {' '.join(sorted(calls[path] & cycle))}\n"
    for files in known:
        if files not in found:
            problems += f"tools/call_cycles.txt: there is no such cycle: {' '.join(sorted(files))}\n"
    return problems


def check_calls(root):
    found = {path: symbols(jobs.run(["nm", name], root).output)
             for path, name in objects_of(root).items()}
    return call_problems(calls_between(found), read(root, "tools/call_cycles.txt"))


# ---- layers ----


def layers_of(text):
    """From a folder to its layers, each a list of parts, in order; and the exceptions,
    each a file and what it includes."""
    layers, exceptions = {}, set()
    for line in text.split("\n"):
        if line.startswith("except "):
            exceptions.add(tuple(line.split()[1:3]))
        elif line.strip() and not line.startswith("#"):
            if not line.startswith(" "):
                layers[line.rstrip(":")] = parts = []
            else:
                parts.append(line.split())
    return layers, exceptions


def part_of(path, folder, parts):
    """The part of the folder that a file belongs to: a subfolder, or a file of that name
    whatever its ending. None: the file is outside, or none of the parts."""
    if not path.startswith(folder + "/"):
        return None
    first = path[len(folder) + 1:].split("/")[0]
    name = first if "/" in path[len(folder) + 1:] else os.path.splitext(first)[0]
    return name if name in parts else None


def layer_problems(includes, layers, exceptions):
    """`includes`: from a file to the files that it includes."""
    problems = ""
    needed = set()
    for folder, order in layers.items():
        level = {part: number for number, parts in enumerate(order) for part in parts}
        for path in sorted(includes):
            part = part_of(path, folder, level)
            inner = path[len(folder) + 1:] if path.startswith(folder + "/") else ""
            if not part and "/" in inner:
                problems += f"{path}: {inner.split('/')[0]} is no layer of {folder}\n"
            for other in includes[path] if part else []:
                used = part_of(other, folder, level)
                if used and used != part and level[used] >= level[part]:
                    needed.add((path, other))
                    if (path, other) not in exceptions:
                        problems += f"{path}: {part} may not include {other}\n"
    for path, other in sorted(exceptions - needed):
        problems += f"tools/layers.txt: {path} does not include {other} any more\n"
    return problems


def check_layers(root):
    layers, exceptions = layers_of(read(root, "tools/layers.txt"))
    names = re.findall(r"^subdir\('(\w+)'\)", read(root, "src/meson.build"), re.M)
    layers["src"] = [[name] for name in names]
    includes = {path: ["src/" + name for name in included_in(text)]
                for path, text in program_texts(root).items()}
    return layer_problems(includes, layers, exceptions)


# ---- versions ----


def version_problems(texts):
    compares = r"(?:[<>]=?|[=!]=)"
    bare = re.compile(rf"\b\w*minor\s*{compares}\s*\d|\b\d+\s*{compares}\s*[\w.>-]*minor\b")
    problems = ""
    for path in sorted(texts):
        if path in VERSION_TABLES:
            continue
        for number, line in enumerate(texts[path].split("\n"), 1):
            if bare.search(line):
                problems += f"{path}:{number}: a version is compared outside of the tables\n"
    return problems


def check_versions(root):
    return version_problems(program_texts(root))


# ---- tags ----


def tag_problems(texts, exceptions):
    """`exceptions`: a tag a line, then the reason."""
    places = {}
    for path in sorted(texts):
        for number, line in enumerate(texts[path].split("\n"), 1):
            found = re.match(r"\s*(?:(?:typedef|static|const|extern) )*(struct|enum|union) (\w+) \{",
                             line)
            if found:
                places.setdefault(f"{found[1]} {found[2]}", []).append(f"{path}:{number}")
    shared = {tag: where for tag, where in places.items()
              if len(where) > 1 and any(".h:" in place for place in where)}
    lines = [line for line in exceptions.split("\n") if line and not line.startswith("#")]
    known = {" ".join(line.split()[:2]) for line in lines}
    problems = "".join(f"{tag} is defined in {' '.join(where)}\n"
                       for tag, where in sorted(shared.items()) if tag not in known)
    problems += "".join(f"tools/shared_tags.txt: {tag} is defined once\n"
                        for tag in sorted(known - set(shared)))
    return problems


def check_tags(root):
    return tag_problems(program_texts(root), read(root, "tools/shared_tags.txt"))
