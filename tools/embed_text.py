#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a text file as a C array that ends with a zero.

    embed_text.py INPUT NAME OUTPUT.c

JSON is written without the spaces that people need.
"""

import json
import sys


def main():
    source, name, output = sys.argv[1:]
    with open(source, encoding="utf-8") as stream:
        text = stream.read()
    if source.endswith(".json"):
        text = json.dumps(json.loads(text), separators=(",", ":"))
    data = text.encode() + b"\0"
    lines = [", ".join(str(byte) for byte in data[i : i + 24]) for i in range(0, len(data), 24)]
    with open(output, "w", encoding="utf-8") as stream:
        stream.write(f"/* Made by embed_text.py. */\nextern const char {name}[];\n")
        stream.write(f"const char {name}[] = {{\n    " + ",\n    ".join(lines) + "\n};\n")


if __name__ == "__main__":
    main()
