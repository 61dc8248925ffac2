# SPDX-License-Identifier: Apache-2.0
"""Tables of measurements on pages of the documentation."""


def write_page(path, tables):
    """Replaces what stands between the markers of a table."""
    with open(path, encoding="utf-8") as stream:
        page = stream.read()
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, rest = page.split(begin)
        page = before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1]
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(page)
