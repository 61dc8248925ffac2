#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bundles pages into C arrays.

    bundle_page.py PAGE.html STYLE.css MAIN.js OUTPUT.c
    bundle_page.py --parts NAME HEADER STYLE.css... MAIN.js OUTPUT.c

The first makes one HTML page in three pieces, between which a Content-Security-Policy and records
may stand; the second makes the style sheets, as one, and the script by themselves. Both write the
hashes that a Content-Security-Policy names style sheet and script by.

MAIN.js and what it imports are ES modules of ours: every import names a file
by its way from there and the names that it wants. They become one module: each file once,
after those that it imports, without its import and export words. For that no two files
may declare the same name at the top; this is checked. There is no minifying.
"""

import base64
import hashlib
import os
import re
import sys

IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?function |const |let |class )", re.M)
DECLARATION = re.compile(
    r"^(?:export )?(?:async )?(?:function\*? |const |let |class )(\w+)", re.M)
MARKS = ("<!--policy-->", "<style>/*style*/</style>", "<!--records-->",
         '<script type="module">/*script*/</script>')


def order_modules(path, done, stack):
    """Depth first: (path, source) of what is imported comes first."""
    if path in stack:
        sys.exit(f"{path}: imports itself through {' '.join(stack)}")
    if any(path == known for known, _ in done):
        return
    with open(path, encoding="utf-8") as stream:
        source = stream.read()
    for _, target in IMPORT.findall(source):
        order_modules(os.path.normpath(os.path.join(os.path.dirname(path), target)), done,
                      stack + [path])
    done.append((path, source))


def check_names(modules):
    """Names are declared once, and what is imported is exported."""
    owners = {}
    exported = {}
    for path, source in modules:
        for name in DECLARATION.findall(source):
            if name in owners and owners[name] != path:
                sys.exit(f"{path}: {name} is declared in {owners[name]}, too")
            owners[name] = path
        exported[os.path.basename(path)] = set(
            re.findall(r"^export (?:async )?(?:function\*? |const |let |class )(\w+)", source, re.M))
    for path, source in modules:
        if re.search(r"^\s*import\b", IMPORT.sub("", source), re.M):
            sys.exit(f"{path}: an import that is not of the form that is known here")
        for names, target in IMPORT.findall(source):
            for name in filter(None, (word.strip() for word in names.split(","))):
                if name not in exported[os.path.basename(target)]:
                    sys.exit(f"{path}: {target} does not export {name}")


def bundle(main):
    modules = []
    order_modules(os.path.normpath(main), modules, [])
    check_names(modules)
    script = "".join(EXPORT.sub("", IMPORT.sub("", source)) for _, source in modules)
    if "</script" in script:
        sys.exit(f"{main}: a script may not hold </script")
    return script


def c_array(name, content):
    data = content.encode("utf-8")
    rows = (data[i:i + 24] for i in range(0, len(data), 24))
    body = "".join("    " + "".join(f"{byte}," for byte in row) + "\n" for row in rows)
    return (f"const unsigned char {name}[] = {{\n{body}}};\n"
            f"const size_t {name}_length = {len(data)};\n")


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def hash_text(name, content):
    digest = base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode()
    return f"const char {name}_hash[] = \"'sha256-{digest}'\";\n"


def bundle_parts(name, header, *paths):
    *style_paths, main_path, output_path = paths
    with open(output_path, "w", encoding="utf-8") as stream:
        stream.write(f"#include {header}\n\n")
        for part, content in (("style", "".join(map(read, style_paths))), ("script", bundle(main_path))):
            stream.write(c_array(f"{name}_{part}", content) + hash_text(f"{name}_{part}", content))


def bundle_page(page_path, style_path, main_path, output_path):
    page, style, script = read(page_path), read(style_path), bundle(main_path)
    if any(page.count(mark) != 1 for mark in MARKS):
        sys.exit(f"{page_path}: expected {', '.join(MARKS)}, each once")
    # Browsers hash all that stands between the tags, so nothing else may stand there.
    start, rest = page.split("<!--policy-->")
    head, tail = rest.split("<!--records-->")
    head, tail = head.replace("/*style*/", style), tail.replace("/*script*/", script)
    with open(output_path, "w", encoding="utf-8") as stream:
        stream.write('#include "tracing/page/page.h"\n\n')
        for name, piece in (("page_start", start), ("page_head", head), ("page_tail", tail)):
            stream.write(c_array(name, piece))
        stream.write(hash_text("page_style", style) + hash_text("page_script", script))


def main():
    if sys.argv[1] == "--parts":
        bundle_parts(*sys.argv[2:])
        return
    bundle_page(*sys.argv[1:])


if __name__ == "__main__":
    main()
