# SPDX-License-Identifier: Apache-2.0
"""Is a page well-formed, does it need nothing from elsewhere, do its links lead somewhere?

    check_page.py PAGE.html

Prints what is wrong, or a summary.
"""
import html.parser
import sys

VOID = {"meta", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.links = [], [], set(), set()
        self.counts, self.texts = {}, []

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "srcset", "data", "action") or name.startswith("on"):
                self.problems.append(f"<{tag} {name}>")
            if name == "id":
                self.ids.add(value)
            if name == "href":
                self.links.add(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append(data)


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        content = stream.read()
    page = Page()
    page.feed(content)
    page.close()
    page.problems += [f"<{tag}> is not closed" for tag in page.open]
    for link in page.links:
        if not link.startswith("#") or link[1:] not in page.ids:
            page.problems.append(f"the link {link} leads nowhere")
    content = content.replace('"http://www.w3.org/2000/svg"', "")  # the name of SVG, which nobody asks for
    for foreign in ("http://", "https://", "url(", "@import"):
        if foreign in content:
            page.problems.append(f"needs {foreign}")
    print("\n".join(page.problems) or "well-formed and on its own")
    for tag in ("section", "li", "table", "script"):
        print(tag, page.counts.get(tag, 0))
    print("wild names kept as text:", "<i>&\"" in "".join(page.texts))
    return 1 if page.problems else 0


if __name__ == "__main__":
    sys.exit(main())
