#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every export, read by a parser of its own format, against the records.

    export_checks.py FATHOM

The graph is that of a simulated run (control_plane.py). What must hold is in
docs/trace.md: links and references lead to spans of the file, every span's CPID
is a node of the merge graph, ids are unique and not zero, spans end after they
start, there are as many flows as (source, new) pairs.
"""

import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import control_plane

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "web"))
import page_policy  # noqa: E402

FATHOM = ""
FOLDER = ""
HEX16 = re.compile(r"[0-9a-f]{16}\Z")
HEX32 = re.compile(r"[0-9a-f]{32}\Z")
DECIMAL = re.compile(r"-?\d+\Z")


def show(name, *arguments):
    return subprocess.run([FATHOM, "trace", "show", "-f", os.path.join(FOLDER, name),
                           *arguments], stdout=subprocess.PIPE, check=True).stdout.decode()


class Records:
    """The reference: what `-o json` says."""

    def __init__(self, name, *arguments):
        self.records = json.loads(show(name, "-o", "json", *arguments))
        self.nodes, self.edges = set(), []
        for merge in self.records["mergelogs"]:
            self.nodes.add(merge["cpid"])
            self.nodes.update(merge["sources"])
            self.edges += [(source, merge["cpid"]) for source in merge["sources"]]
        self.hex_nodes = {node.replace("-", "") for node in self.nodes}
        self.roots = {m["cpid"] for m in self.records["mergelogs"] if not m["sources"]}
        self.causes = sum(len(s.get("attributes", {}).get("cpid.causes", ()))
                          for s in self.records["spans"])
        self.services = {span["service"] for span in self.records["spans"]}

    def related(self, cpid):
        reached, grown = {cpid}, True
        while grown:
            new = {target for source, target in self.edges if source in reached} - reached
            reached |= new
            grown = bool(new)
        return reached


def attributes(entries):
    """OTLP's list of typed values as a dictionary; each value has exactly one type."""
    found = {}
    for entry in entries:
        assert set(entry) == {"key", "value"} and len(entry["value"]) == 1, entry
        kind, value = next(iter(entry["value"].items()))
        assert kind in ("stringValue", "boolValue", "intValue"), kind
        assert isinstance(value, bool if kind == "boolValue" else str), entry
        if kind == "intValue":
            assert DECIMAL.match(value), value
        assert entry["key"] not in found, entry
        found[entry["key"]] = value
    return found


class Otlp:
    """Reads OTLP/JSON as its protocol buffers have it."""

    def __init__(self, text):
        self.spans, self.services = {}, []
        document = json.loads(text)
        assert set(document) == {"resourceSpans"}
        for resource in document["resourceSpans"]:
            service = attributes(resource["resource"]["attributes"])["service.name"]
            self.services.append(service)
            for scope in resource["scopeSpans"]:
                assert isinstance(scope["scope"]["name"], str)
                for span in scope["spans"]:
                    self.read(span, service)

    def read(self, span, service):
        assert HEX32.match(span["traceId"]) and int(span["traceId"], 16), span
        assert HEX16.match(span["spanId"]) and int(span["spanId"], 16), span
        assert span["parentSpanId"] == "" or HEX16.match(span["parentSpanId"]), span
        assert span["kind"] in (1, 3) and isinstance(span["name"], str) and span["name"]
        for time in ("startTimeUnixNano", "endTimeUnixNano"):
            assert isinstance(span[time], str) and DECIMAL.match(span[time]), span
        assert int(span["endTimeUnixNano"]) >= int(span["startTimeUnixNano"]), span
        assert set(span["status"]) in (set(), {"code", "message"}), span
        key = span["traceId"], span["spanId"]
        assert key not in self.spans, key
        span["service"] = service
        span["attributes"] = attributes(span["attributes"])
        for link in span["links"]:
            link["attributes"] = attributes(link["attributes"])
        self.spans[key] = span


class ExportChecks:
    """What every export must fulfil, whatever the records."""

    NAME = ""

    @classmethod
    def setUpClass(cls):
        cls.reference = Records(cls.NAME)

    def show(self, *arguments):
        return show(self.NAME, *arguments)

    def test_otlp(self):
        otlp = Otlp(self.show("-o", "otlp"))
        merge_links = cause_links = 0
        ids = [span["spanId"] for span in otlp.spans.values()]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(sorted(otlp.services), sorted(set(otlp.services)))
        self.assertLessEqual(self.reference.services, set(otlp.services))
        first = {}
        for (trace, _), span in otlp.spans.items():
            self.assertIn(trace, self.reference.hex_nodes)
            if span["parentSpanId"]:
                self.assertIn((trace, span["parentSpanId"]), otlp.spans)
            for link in span["links"]:
                self.assertIn((link["traceId"], link["spanId"]), otlp.spans)
                merge_links += link["attributes"]["cpid.link"] == "merge"
                cause_links += link["attributes"]["cpid.link"] == "cause"
            start = int(span["startTimeUnixNano"])
            if trace not in first or start < first[trace][0]:
                first[trace] = start, span
        self.assertEqual(merge_links, len(self.reference.edges))
        self.assertEqual(cause_links, self.reference.causes)
        roots = {trace for trace, (_, span) in first.items()
                 if span["attributes"].get("cpid.root")}
        self.assertEqual(roots, {root.replace("-", "") for root in self.reference.roots})
        real = {span["attributes"]["cpid.span.id"] for span in otlp.spans.values()
                if "cpid.span.id" in span["attributes"]}
        self.assertEqual(real, {span["spanId"] for span in self.reference.records["spans"]})
        merges = [s for s in otlp.spans.values() if s["name"] == "merge"]
        self.assertEqual(len(merges),
                         sum(bool(m["sources"]) for m in self.reference.records["mergelogs"]))
        sources = {m["cpid"]: sorted(source.replace("-", "") for source in m["sources"])
                   for m in self.reference.records["mergelogs"]}
        for span in merges:
            self.assertEqual(span["startTimeUnixNano"], span["endTimeUnixNano"])
            self.assertEqual(sorted(link["traceId"] for link in span["links"]),
                             sources[span["attributes"]["cpid.id"]])
        parents = sum(bool(span["parentSpanId"]) for span in otlp.spans.values())
        self.assertEqual(parents, sum(bool(s["parentId"]) for s in self.reference.records["spans"]))
        refused = [s for s in otlp.spans.values() if s["status"]]
        self.assertTrue(refused)
        for span in refused:
            self.assertEqual(span["status"]["code"], 2)
            self.assertEqual([event["name"] for event in span["events"]], ["violation"])

    def test_merged_traces(self):
        root = max(self.reference.roots, key=lambda r: len(self.reference.related(r)))
        related = self.reference.related(root)
        otlp = Otlp(self.show("-o", "otlp", "--merge-traces", root))
        self.assertEqual({trace for trace, _ in otlp.spans}, {root.replace("-", "")})
        wanted = {span["spanId"] for span in self.reference.records["spans"]
                  if span["cpid"] in related}
        real = {s["attributes"]["cpid.span.id"]: s["attributes"]["cpid.id"]
                for s in otlp.spans.values() if "cpid.span.id" in s["attributes"]}
        self.assertEqual(set(real), wanted)
        self.assertLessEqual(set(real.values()), related)
        for span in otlp.spans.values():
            for link in span["links"]:
                self.assertIn((link["traceId"], link["spanId"]), otlp.spans)
        jaeger = json.loads(self.show("-o", "jaeger", "--merge-traces", root))
        self.assertEqual([trace["traceID"] for trace in jaeger["data"]], [root.replace("-", "")])

    def test_a_part_alone_is_complete(self):
        """Sources outside of what was asked for are stood in for."""
        root = next(source for source, new in self.reference.edges
                    if self.outside_sources(source, new))
        part = Records(self.NAME, root)
        otlp = Otlp(self.show("-o", "otlp", root))
        for span in otlp.spans.values():
            for link in span["links"]:
                self.assertIn((link["traceId"], link["spanId"]), otlp.spans)
        self.assertEqual({s["cpid"] for s in part.records["spans"]} - self.reference.related(root),
                         set())

    def outside_sources(self, source, new):
        related = self.reference.related(source)
        return [other for other, target in self.reference.edges
                if target == new and other not in related]

    def test_spans_before_a_merge_are_not_under_the_other_cause(self):
        """The other sources of a merge are not related to this one."""
        for source, target in self.reference.edges:
            others = [s for s, t in self.reference.edges if t == target and s != source]
            related = self.reference.related(source)
            independent = [o for o in others if source not in self.reference.related(o)
                           and o not in related]
            if independent:
                part = Records(self.NAME, source)
                cpids = {span["cpid"] for span in part.records["spans"]}
                self.assertFalse(cpids & set(independent))
                return
        self.fail("no merge of independent sources")

    def test_jaeger(self):
        document = json.loads(self.show("-o", "jaeger"))
        spans, follows = {}, 0
        for trace in document["data"]:
            self.assertRegex(trace["traceID"], HEX32)
            self.assertIn(trace["traceID"], self.reference.hex_nodes)
            for span in trace["spans"]:
                self.assertEqual(span["traceID"], trace["traceID"])
                self.assertRegex(span["spanID"], HEX16)
                self.assertIn(span["processID"], trace["processes"])
                self.assertIsInstance(span["startTime"], int)
                self.assertGreaterEqual(span["duration"], 0)
                for tag in span["tags"]:
                    self.assertEqual(set(tag), {"key", "type", "value"})
                    expected = {"string": str, "bool": bool, "int64": int}[tag["type"]]
                    self.assertIsInstance(tag["value"], expected)
                key = span["traceID"], span["spanID"]
                self.assertNotIn(key, spans)
                spans[key] = span
        for span in spans.values():
            for reference in span["references"]:
                self.assertIn(reference["refType"], ("CHILD_OF", "FOLLOWS_FROM"))
                self.assertIn((reference["traceID"], reference["spanID"]), spans)
                follows += reference["refType"] == "FOLLOWS_FROM"
        self.assertEqual(document["total"], len(document["data"]))
        self.assertEqual(follows, len(self.reference.edges) + self.reference.causes)
        children = sum(r["refType"] == "CHILD_OF" for s in spans.values() for r in s["references"])
        self.assertEqual(children, sum(bool(s["parentId"]) for s in self.reference.records["spans"]))
        errors = [s for s in spans.values() if any(t["key"] == "error" for t in s["tags"])]
        self.assertTrue(errors and all(s["logs"] for s in errors))

    def test_chrome(self):
        events = json.loads(self.show("-o", "chrome"))["traceEvents"]
        names = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
        self.assertLessEqual(self.reference.services, set(names.values()))
        lanes, flows = {}, {}
        for event in events:
            self.assertIn(event["ph"], "MXisf")
            self.assertIn(event["pid"], names)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
                self.assertIn(event["args"]["cpid"], self.reference.nodes)
                lanes.setdefault((event["pid"], event["tid"]), []).append(event)
            elif event["ph"] in "sf":
                flows.setdefault(event["id"], {})[event["ph"]] = event
                self.assertEqual(event.get("bp"), "e" if event["ph"] == "f" else None)
        for lane in lanes.values():
            self.check_nesting(lane)
        pairs = {"merge": 0, "cause": 0}
        for pair in flows.values():
            self.assertEqual(set(pair), {"s", "f"})
            self.assertEqual(pair["s"]["cat"], pair["f"]["cat"])
            self.assertEqual(pair["s"]["name"], pair["f"]["name"])
            pairs[pair["s"]["cat"]] += 1
            for end in pair.values():
                self.assertTrue(any(x["ts"] <= end["ts"] <= x["ts"] + x["dur"]
                                    for x in lanes[end["pid"], end["tid"]]), end)
        self.assertEqual(pairs, {"merge": len(self.reference.edges),
                                 "cause": self.reference.causes})
        roots = {e["args"]["cpid"] for e in events if e["ph"] == "i" and e["name"] == "root"}
        self.assertEqual(roots, self.reference.roots)

    def check_nesting(self, lane):
        opened = []
        for event in sorted(lane, key=lambda e: (e["ts"], -e["dur"])):
            end = event["ts"] + event["dur"]
            while opened and opened[-1] <= event["ts"] + 0.5:
                opened.pop()
            if opened:
                self.assertLessEqual(end, opened[-1] + 0.5)
            opened.append(end)

    def test_folded(self):
        total = 0
        for line in self.show("-o", "folded").splitlines():
            stack, count = line.rsplit(" ", 1)
            self.assertRegex(count, r"\A[1-9]\d*\Z")
            self.assertIn(stack.split(";")[0],
                          {service.replace(";", ",") for service in self.reference.services})
            self.assertGreaterEqual(len(stack.split(";")), 2)
            total += 1
        self.assertGreater(total, 0)

    def test_dot(self):
        nodes, edges = parse_dot(self.show("-o", "dot"))
        self.assertEqual(len(edges), len(self.reference.edges) + self.reference.causes)
        for source, target in edges:
            self.assertIn(source, nodes)
            self.assertIn(target, nodes)
        self.assertEqual(len(nodes), len(self.reference.nodes)
                         + len(self.reference.records["spans"]))

    def test_html_holds_the_records(self):
        parser = PageParser()
        parser.feed(self.show("-o", "html"))
        self.assertEqual(json.loads(parser.scripts["application/json"]), self.reference.records)
        self.assertNotIn("http://", parser.external)
        self.assertEqual(parser.external, [])

    def test_html_runs_only_its_own_script_and_style(self):
        page = self.show("-o", "html")
        policy = page_policy.Inline(page).policy
        self.assertIsNotNone(policy)
        rules = page_policy.check(self, page, policy)
        self.assertNotIn("connect-src", rules)  # a file asks nobody

    def test_records_are_read_back(self):
        path = os.path.join(FOLDER, "records.json")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(self.show("-o", "json"))
        again = subprocess.run([FATHOM, "trace", "show", "-f", path, "-o", "json"],
                               stdout=subprocess.PIPE, check=True).stdout
        again = json.loads(again)
        self.assertEqual(again["mergelogs"], self.reference.records["mergelogs"])
        self.assertEqual(sorted(again["spans"], key=lambda s: s["spanId"]),
                         sorted(self.reference.records["spans"], key=lambda s: s["spanId"]))


class ImportedTest(ExportChecks, unittest.TestCase):
    NAME = "audit.log"


class ToldTest(ExportChecks, unittest.TestCase):
    """Records as controllers may tell them: spans inside others, ids that begin alike or
    with zeros, sources of which nothing else is known, texts that need care."""

    NAME = "told.json"

    def test_steps(self):
        otlp = Otlp(self.show("-o", "otlp"))
        self.assertEqual([s["attributes"]["mc.step"] for s in otlp.spans.values()
                          if "mc.step" in s["attributes"]], ["3"])

    def test_nesting(self):
        folded = self.show("-o", "folded").splitlines()
        self.assertIn("operator,a;sync;write ConfigMap/default/x 1000", folded)
        self.assertIn("operator,a;sync 2000", folded)


def told_records():
    def cpid(number):
        return f"{number:08x}-0000-4000-8000-00000000000{number}"

    def span(number, start, end, **more):
        return {"cpid": cpid(more.pop("under", 1)), "parentId": "", "service": "operator;a",
                "spanId": f"aaaaaaaa-bbbb-4ccc-8ddd-{number:012x}", "name": "sync",
                "startTimeUnixNano": str(1_700_000_000_000_000_000 + start * 1000),
                "endTimeUnixNano": str(1_700_000_000_000_000_000 + end * 1000), **more}

    zeros = "00000000-0000-0000-8000-000000000001"
    return {
        "mergelogs": [
            {"cpid": cpid(1), "sources": [], "timeUnixNano": "1700000000000000000"},
            {"cpid": cpid(2), "sources": [cpid(1), cpid(3)], "timeUnixNano": "1700000000000500000"},
            {"cpid": cpid(4), "sources": [], "timeUnixNano": "1700000000000600000"},
            {"cpid": cpid(5), "sources": [cpid(2), cpid(4)], "timeUnixNano": "1700000000000700000"},
        ],
        "spans": [
            span(1, 0, 3000),
            span(2, 1000, 2000, parentId="aaaaaaaa-bbbb-4ccc-8ddd-000000000001", name="write",
                 object="ConfigMap/default/x"),
            span(3, 1500, 4000, name="quote \" back \\ <script>\nline"),
            span(4, 5000, 5000, under=2, service="b", attributes={"mc.step": 3, "cpid.causes": [
                {"cpid": cpid(1), "span": "aaaaaaaa-bbbb-4ccc-8ddd-000000000001",
                 "label": "exact", "rule": "precondition"}]}),
            dict(span(5, 6000, 7000, under=5, service="b",
                      attributes={"cpid.failure": "409: conflict"}), spanId=zeros),
        ],
    }


class PageParser(html.parser.HTMLParser):
    """Scripts by type, and everything that a page would fetch."""

    def __init__(self):
        super().__init__()
        self.scripts, self.external, self.inside = {}, [], None

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.external += [found[name] for name in ("src", "href") if found.get(name)
                          and not found[name].startswith("#") and not
                          found[name].startswith("data:")]
        if tag == "script":
            self.inside = found.get("type")
            self.scripts[self.inside] = ""

    def handle_endtag(self, tag):
        if tag == "script":
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] += data


TOKEN = re.compile(r'\s*(->|[{}\[\];=,]|"(?:[^"\\]|\\.)*"|[A-Za-z_][\w]*|-?[\d.]+|$)')


def parse_dot(text):
    """Nodes and edges of a digraph, by the grammar of the language; ValueError if it is
    not one."""
    tokens, position = [], 0
    while position < len(text.rstrip()):
        match = TOKEN.match(text, position)
        if not match or not match.group(1):
            raise ValueError(text[position:position + 40])
        tokens.append(match.group(1))
        position = match.end()
    nodes, edges, depth, i = set(), [], 0, 2
    if tokens[0] != "digraph" or tokens[2] != "{":
        raise ValueError("expected a digraph")
    while i < len(tokens):
        token = tokens[i]
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
        elif token == "subgraph":
            i += 1
        elif token not in (";",):
            chain = [token]
            while tokens[i + 1] == "->":
                chain.append(tokens[i + 2])
                i += 2
            if tokens[i + 1] == "=":
                i += 2
                chain = []
            elif tokens[i + 1] == "[":
                i = tokens.index("]", i)
            if len(chain) == 1 and chain[0] not in ("node", "edge", "graph"):
                nodes.add(chain[0])
            edges += list(zip(chain, chain[1:]))
        i += 1
    if depth != 0:
        raise ValueError("braces do not match")
    return nodes, edges


def main():
    global FATHOM, FOLDER
    FATHOM = os.path.abspath(sys.argv.pop(1))
    with tempfile.TemporaryDirectory() as FOLDER:
        lines, _ = control_plane.simulate(5, deeds=12)
        with open(os.path.join(FOLDER, "audit.log"), "w", encoding="utf-8") as stream:
            for line in lines:
                stream.write(json.dumps(line) + "\n")
        with open(os.path.join(FOLDER, "told.json"), "w", encoding="utf-8") as stream:
            json.dump(told_records(), stream, separators=(",", ":"))
        unittest.main()


if __name__ == "__main__":
    main()
