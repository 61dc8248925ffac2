# SPDX-License-Identifier: Apache-2.0
"""Does a Content-Security-Policy allow what a page consists of, and nothing else? Told from the
text alone, so that it is tested where there is no browser, too."""

import base64
import hashlib
import html.parser

# What a browser does not run, and so does not hold against the policy.
DATA = "application/json"


class Inline(html.parser.HTMLParser):
    """The style sheets and scripts of a page, its own policy, and attributes that a policy refuses
    whatever hashes it names."""

    def __init__(self, page):
        super().__init__()
        self.texts = {"style": [], "script": []}
        self.refused, self.policy, self.inside = [], None, None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.refused += [(tag, name) for name in found if name == "style" or name.startswith("on")]
        if tag == "meta" and found.get("http-equiv") == "Content-Security-Policy":
            assert not any(self.texts.values()), "the policy comes after what it is for"
            self.policy = found["content"]
        if tag in self.texts and found.get("type") != DATA:
            self.inside = tag
            self.texts[tag].append("")

    def handle_endtag(self, tag):
        if tag == self.inside:
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside][-1] += data


def name_by_hash(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def check(test, page, policy):
    """The policy names the page's style sheet and script by their hashes; the page has no other."""
    inline = Inline(page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    test.assertEqual(rules["default-src"], "'none'")
    for tag, texts in inline.texts.items():
        test.assertEqual([name_by_hash(text) for text in texts], [rules[tag + "-src"]])
    test.assertEqual(inline.refused, [])
    return rules
