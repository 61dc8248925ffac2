#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The dashboard in headless Chromium: as one file, and served by `fathom trace serve`.

    dashboard_test.py FATHOM [--pictures FOLDER]

Without Chromium (a machine with the packages of `./fathom` alone) it is skipped.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request

import control_plane

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "web"))
import browser  # noqa: E402

FATHOM = ""
PICTURES = ""
FOLDER = ""


def run(*arguments):
    return subprocess.run([FATHOM, *arguments], stdout=subprocess.PIPE, check=True).stdout


def contrast(one, other):
    """As WCAG counts it, of two colours as bytes."""
    def luminance(colour):
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in (byte / 255 for byte in colour[:3])]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class Reference:
    """What the page must show, worked out apart from it."""

    def __init__(self, records):
        self.records = records
        self.edges = [(s, m["cpid"]) for m in records["mergelogs"] for s in m["sources"]]
        self.roots = [m["cpid"] for m in records["mergelogs"] if not m["sources"]]

    def reach(self, cpid, forward=True):
        reached, grown = {cpid}, True
        while grown:
            new = {b if forward else a for a, b in self.edges if (a if forward else b) in reached}
            grown = bool(new - reached)
            reached |= new
        return reached

    def spans_of(self, cpids):
        return [span for span in self.records["spans"] if span["cpid"] in cpids]


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        log = os.path.join(FOLDER, "audit.log")
        cls.page = os.path.join(FOLDER, "page.html")
        lines, _ = control_plane.simulate(5, deeds=12)
        with open(log, "w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(line) + "\n" for line in lines)
        records = run("trace", "import", "-f", log, "-o", "json")
        cls.reference = Reference(json.loads(records))
        run("trace", "show", "-f", log, "-o", "html=" + cls.page)
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.problems.clear()
        self.browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "light"}])
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open("file://" + self.page)

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def status(self):
        return self.browser.evaluate("document.getElementById('status').textContent")

    def picture(self, name):
        if PICTURES:
            self.browser.screenshot(os.path.join(PICTURES, name + ".png"))

    def search(self, text):
        self.browser.type_into("#cpid", text)
        self.browser.key("Enter")

    def busiest_root(self):
        return max(self.reference.roots,
                   key=lambda root: len(self.reference.spans_of(self.reference.reach(root))))

    def test_everything_is_shown_at_first(self):
        spans = len(self.reference.records["spans"])
        self.assertTrue(self.status().startswith(f"{spans} spans, "), self.status())
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"), spans)
        self.picture("all-light")

    def test_search_forward_and_backward(self):
        root = self.busiest_root()
        self.search(root[:8])
        related = self.reference.reach(root)
        wanted = len(self.reference.spans_of(related))
        self.browser.wait_for(f"fathom.state.focus === '{root}'")
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"), wanted)
        self.assertIn(f"{len(related)} CPIDs that came of {root}", self.status())
        target = next(new for source, new in self.edges_of(root))
        self.search(target)
        self.browser.click_on("#direction input[value=backward]")
        before = self.reference.reach(target, forward=False)
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"),
                         len(self.reference.spans_of(before)))
        self.search("zzzz")
        self.assertEqual(self.status(), 'No CPID begins with "zzzz", and no object, controller or user has it in its name.')

    def test_search_by_name_and_back(self):
        spans = self.reference.records["spans"]
        text = next(s["object"] for s in spans if s.get("object", "").startswith("Pod/")).split("/")[-1]
        wanted = sum(text.lower() in "\n".join((s["service"], s["name"], s.get("object", ""))).lower() for s in spans)
        self.search(text)
        self.browser.wait_for(f"fathom.state.text === {json.dumps(text)}")
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"), wanted)
        self.search("kubelet")
        self.browser.wait_for("fathom.state.text === 'kubelet'")
        self.assertTrue(self.browser.evaluate("fathom.flame.spans.every((s) => s.service === 'kubelet')"))
        self.browser.click_on("#objects-tab")
        self.browser.evaluate("history.back()")
        self.browser.wait_for("document.getElementById('objects-panel').hidden && fathom.state.text === 'kubelet'")
        self.browser.evaluate("history.back()")
        self.browser.wait_for(f"fathom.state.text === {json.dumps(text)}")
        self.browser.call("Page.reload")
        self.browser.wait_for(f"window.fathom && fathom.state.text === {json.dumps(text)} && fathom.flame.spans.length === {wanted}")

    def test_a_phone(self):
        self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=True)
        self.browser.call("Page.reload")
        self.browser.wait_for("window.fathom && document.getElementById('status').textContent")
        self.browser.click_on("#filters summary")
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
        self.picture("phone")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)

    def edges_of(self, cpid):
        return [edge for edge in self.reference.edges if edge[0] == cpid]

    def test_click_a_span_zoom_and_go_to_its_cause(self):
        place = self.browser.evaluate("""(() => {
            const span = fathom.flame.spans.find((s) => s.causes.length && s.kind === 'Pod');
            fathom.flame.view = [span.start - 3000, span.end + 3000];
            fathom.flame.draw();
            const box = fathom.flame.boxOf(span);
            fathom.flame.canvas.scrollIntoView();
            const canvas = fathom.flame.canvas.getBoundingClientRect();
            return {x: canvas.x + box.x + 2, y: canvas.y + box.y + 10, id: span.id,
                    cause: span.causes[0].span.id};
        })()""")
        self.browser.click(place["x"], place["y"])
        self.assertEqual(self.browser.evaluate("fathom.state.selected.id"), place["id"])
        self.picture("span-light")
        width = "fathom.flame.view[1] - fathom.flame.view[0]"
        before = self.browser.evaluate(width)
        self.browser.click_on("#zoom-in")
        self.assertLess(self.browser.evaluate(width), before)
        self.browser.click_on("#zoom-fit")
        self.assertGreater(self.browser.evaluate(width), before)
        self.browser.click_on("#details li button")
        self.assertEqual(self.browser.evaluate("fathom.state.selected.id"), place["cause"])

    def test_follow_a_merge(self):
        source, target = next(edge for edge in self.reference.edges)
        self.search(source)
        self.browser.wait_for(f"document.querySelector('[data-cpid=\"{target}\"]')")
        self.browser.click_on(f'[data-cpid="{target}"]')
        self.assertEqual(self.browser.evaluate("fathom.state.focus"), target)
        self.assertEqual(self.browser.evaluate("document.getElementById('cpid').value"), target)
        self.browser.evaluate("document.querySelector('#merges [tabindex=\"0\"]').focus()")
        self.browser.key("ArrowLeft")
        there = self.browser.evaluate("document.activeElement.dataset.cpid")
        self.assertIn((there, target), self.reference.edges)
        self.browser.key("Enter")
        self.assertEqual(self.browser.evaluate("fathom.state.focus"), there)

    def test_keys_alone(self):
        """Every control is reached by Tab, in the order of the page, and has a name."""
        reached = []
        self.browser.evaluate("document.body.focus()")
        for _ in range(40):
            self.browser.key("Tab")
            reached.append(self.browser.evaluate(
                "document.activeElement.id || document.activeElement.className.baseVal "
                "|| document.activeElement.className || document.activeElement.tagName"))
        order = ["cpid", "all", "theme", "zoom-in", "zoom-fit", "flame", "changes-tab"]
        positions = [reached.index(name) for name in order]
        self.assertEqual(positions, sorted(positions), reached)
        self.browser.evaluate("document.getElementById('flame').focus()")
        self.browser.key("Home")
        first = self.browser.evaluate("fathom.state.selected.number")
        self.browser.key("ArrowRight")
        self.assertNotEqual(self.browser.evaluate("fathom.state.selected.number"), first)
        self.browser.key("ArrowDown")
        self.assertNotEqual(self.browser.evaluate("fathom.state.selected.service"),
                            self.browser.evaluate("fathom.flame.layout.bands[0].service"))
        width = "fathom.flame.view[1] - fathom.flame.view[0]"
        before = self.browser.evaluate(width)
        self.browser.key("+")
        self.assertLess(self.browser.evaluate(width), before)
        self.browser.key("0")
        self.browser.key("Enter")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "details-title")
        self.browser.evaluate("document.getElementById('changes-tab').focus()")
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.evaluate("document.activeElement.id"), "spans-tab")
        self.assertFalse(self.browser.evaluate("document.getElementById('spans-panel').hidden"))
        self.browser.evaluate("document.querySelector('#spans-panel tr[tabindex=\"0\"]').focus()")
        self.browser.key("End")
        self.browser.key("Enter")
        self.assertEqual(self.browser.evaluate("fathom.state.selected.number"), self.browser.evaluate(
            "fathom.flame.spans[fathom.flame.spans.length - 1].number"))

    def test_screen_readers(self):
        """What can be operated has a name, pictures are described, changes are announced."""
        tree = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        roles = {}
        for node in tree:
            if node.get("ignored"):
                continue
            role = node["role"]["value"]
            name = node.get("name", {}).get("value", "")
            roles.setdefault(role, []).append(name)
            if role in ("button", "textbox", "combobox", "radio", "tab", "application", "table",
                        "toolbar", "tabpanel", "checkbox", "spinbutton", "group"):
                if role != "group":
                    self.assertTrue(name.strip(), f"a {role} without a name")
        for role in ("main", "status", "tablist", "application", "table", "search", "heading"):
            self.assertIn(role, roles)
        rows = self.browser.evaluate("Number(document.querySelector('#spans-panel table')"
                                     ".getAttribute('aria-rowcount'))")
        self.assertEqual(rows, len(self.reference.records["spans"]) + 1)

    def test_filters(self):
        kubelet = sum(s["service"] == "kubelet" for s in self.reference.records["spans"])
        total = len(self.reference.records["spans"])
        self.assertGreater(kubelet, 0)
        self.browser.click_on("#filters summary")
        self.browser.click_on('#service-boxes label[title="kubelet"] input')
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"), total - kubelet)
        self.browser.click_on('#kind-boxes label[title="Pod"] input')
        pods = sum(s["object"].startswith("Pod/") and s["service"] != "kubelet"
                   for s in self.reference.records["spans"])
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"),
                         total - kubelet - pods)
        self.browser.type_into("#time-to", "5")
        self.browser.key("Tab")
        self.assertTrue(self.browser.evaluate(
            "fathom.flame.spans.length > 0 && fathom.flame.spans.every((s) => s.start <= 5e6)"))
        self.browser.click_on("#clear-filters")
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"), total)

    def test_filters_and_the_span_are_in_the_address(self):
        spans = self.reference.records["spans"]
        self.browser.click_on("#filters summary")
        self.browser.click_on('#service-boxes label[title="kubelet"] input')
        self.browser.click_on('#kind-boxes label[title="Pod"] input')
        self.browser.type_into("#time-to", "5.5")
        self.browser.key("Tab")
        wanted = sum(s["service"] != "kubelet" and not s["object"].startswith("Pod/") for s in spans)
        shown = "fathom.flame.spans.map((s) => s.cpid + s.id).join()"
        left = self.browser.evaluate(shown)
        self.assertLess(len(left.split(",")), wanted)
        self.assertEqual(self.browser.evaluate("document.querySelector('#filters summary').textContent"), "Filter (3)")
        self.browser.evaluate("fathom.flame.onSelect(fathom.flame.spans.find((s) => s.causes.length > 0))")
        chosen = self.browser.evaluate("fathom.state.selected.id")
        details = self.browser.evaluate("document.getElementById('details').textContent")
        # Somebody else sees the same.
        link = self.browser.evaluate("location.href")
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(link)
        self.browser.wait_for(f"fathom.state.selected?.id === {json.dumps(chosen)}")
        self.assertEqual(self.browser.evaluate(shown), left)
        self.assertEqual(self.browser.evaluate("document.getElementById('details').textContent"), details)
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.boxes input')].filter((box) => !box.checked).length"), 2)
        self.assertEqual(self.browser.evaluate("document.getElementById('time-to').value"), "5.5")
        # Clicks are places to come back to; spans that keys pass by are not.
        length = self.browser.evaluate("history.length")
        self.browser.evaluate("document.getElementById('flame').focus()")
        self.browser.key("ArrowRight")
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.evaluate("history.length"), length)
        self.assertIn(self.browser.evaluate("fathom.state.selected.id"), self.browser.evaluate("location.hash"))
        self.browser.evaluate("document.getElementById('clear-filters').click()")
        self.assertEqual(self.browser.evaluate("fathom.flame.spans.length"), len(spans))
        self.browser.evaluate("history.back()")
        self.browser.wait_for(f"{shown} === {json.dumps(left)}")
        for made_up in ("#from=x&to=&without=nobody&span=none", "#span=%00&direction=sideways&tab=none", "#=&=&cpid"):
            self.browser.evaluate(f"location.hash = {json.dumps(made_up)}")
            self.browser.wait_for(f"fathom.flame.spans.length === {len(spans)} && fathom.state.selected === null")

    def test_a_legend_and_colours(self):
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.browser.wait_for(f"document.documentElement.dataset.theme === '{scheme}'")
            # What is filled with in the canvas, by controller.
            fills, ink = self.browser.evaluate("""(() => {
              const { flame } = fathom;
              const fills = {};
              const context = { save() {}, restore() {}, beginPath() {}, rect() {}, clip() {}, fillText() {}, strokeRect() {}, fillRect() {
                fills[this.band] ??= this.fillStyle; } };
              for (const span of flame.spans) flame.drawSpan(Object.assign(context, { band: span.service }), span, flame.boxOf(span));
              const canvas = document.createElement('canvas').getContext('2d');
              const bytes = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
              return [Object.fromEntries(Object.entries(fills).map(([name, fill]) => [name, bytes(fill)])), bytes(flame.ink)];
            })()""")
            names = ("deployment-controller", "replicaset-controller", "scheduler", "kubelet", "horizontal-pod-autoscaler", "disruption-controller")
            for one, fill in fills.items():
                self.assertGreater(contrast(fill, ink), 4.5, (scheme, one))
            for one in names:
                for other in names:
                    if other != one:
                        self.assertGreater(sum(abs(a - b) for a, b in zip(fills[one], fills[other])), 40, (scheme, one, other))
            self.assertEqual(self.browser.faint_texts(), [], scheme)
        words = self.browser.evaluate("document.querySelector('.legend').textContent")
        for sign in ("controller", "from outside", "failed", "exactly", "owner", "time alone"):
            self.assertIn(sign, words)
        # All bands are in sight, or the page says that there are more.
        bands = self.browser.evaluate("fathom.flame.layout.bands.length")
        self.assertEqual(self.browser.evaluate("document.getElementById('flame-note').textContent"), f"{bands} bands")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=500, deviceScaleFactor=1, mobile=True)
        self.browser.call("Page.reload")
        self.browser.wait_for("document.getElementById('flame-note')?.textContent")
        cut = self.browser.evaluate("document.querySelector('.flame-scroll').scrollHeight > document.querySelector('.flame-scroll').clientHeight + 1")
        self.assertEqual("scroll" in self.browser.evaluate("document.getElementById('flame-note').textContent"), cut)
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)

    def test_reduced_motion(self):
        for wish, seconds in (("reduce", "0s"), ("no-preference", "0.15s")):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": wish}])
            self.assertEqual(self.browser.evaluate("getComputedStyle(document.getElementById('all')).transitionDuration"), seconds)

    def test_objects(self):
        objects = {s["object"] for s in self.reference.records["spans"] if s.get("object")}
        self.browser.click_on("#objects-tab")
        rows = "Number(document.querySelector('#objects-panel table').getAttribute('aria-rowcount'))"
        self.assertEqual(self.browser.evaluate(rows), len(objects) + 1)
        self.browser.click_on("#objects-panel th:nth-child(3) button")
        self.assertEqual(self.browser.evaluate(
            "document.querySelector('#objects-panel th:nth-child(3)').getAttribute('aria-sort')"),
            "ascending")

    def test_dark_and_light(self):
        for scheme, theme in (("dark", "dark"), ("light", "light")):
            self.browser.call("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}])
            self.browser.wait_for(f"document.documentElement.dataset.theme === '{theme}'")
            for front, back in (("--ink", "--card"), ("--soft", "--card"), ("--bad", "--card"),
                                ("--ink", "--pick"), ("--accent-ink", "--accent")):
                self.assertGreater(self.browser.contrast(front, back), 4.5, (theme, front, back))
            if theme == "dark":
                self.browser.evaluate("fathom.flame.pick(fathom.flame.spans.find("
                                      "(s) => s.causes.length > 1))")
                self.picture("span-dark")
        self.browser.click_on("#theme")
        self.assertEqual(self.browser.evaluate("document.documentElement.dataset.theme"), "dark")

    def test_names_are_texts(self):
        page, records = os.path.join(FOLDER, "hostile.html"), os.path.join(FOLDER, "hostile.json")
        with open(records, "w", encoding="utf-8") as stream:
            json.dump(hostile_records(), stream)
        run("trace", "show", "-f", records, "-o", "html=" + page)
        for width in (1400, 400):
            self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1200, deviceScaleFactor=1, mobile=width == 400)
            self.browser.call("Page.navigate", url="about:blank")
            self.browser.open("file://" + page)
            self.assertTrue(self.status().startswith("2 spans, 2 CPIDs"), self.status()[:100])
            seen = ""
            for tab in ("changes", "spans", "objects"):
                self.browser.click_on(f"#{tab}-tab")
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width, tab)
                seen += self.browser.evaluate("document.body.textContent")
            self.picture(f"hostile-{width}")
            self.browser.evaluate("fathom.flame.pick(fathom.flame.spans[1])")
            self.browser.evaluate("fathom.flame.move({offsetX: fathom.flame.boxOf(fathom.flame.spans[1]).x + 3, "
                                  "offsetY: fathom.flame.boxOf(fathom.flame.spans[1]).y + 3})")
            self.assertFalse(self.browser.evaluate("document.getElementById('tip').hidden"))
            self.assertIn(f"failure {HOSTILE}", self.browser.evaluate("document.getElementById('tip').textContent"))
            self.browser.click_on("#filters summary")
            seen += self.browser.evaluate("document.body.textContent")
            for field in ("service", "deed", "space", "read", "written", "failure", "audit", "uid", "rule", "kind"):
                self.assertIn(f"{field} {HOSTILE}", seen)
            self.assertIn("n" * 10_000, seen)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
            # What is long does not push the rest away.
            self.assertLess(self.browser.evaluate("document.documentElement.scrollHeight"), 6000)
            self.picture(f"hostile-span-{width}")
            self.search("object <SCRIPT>")
            self.browser.wait_for("fathom.state.text === 'object <SCRIPT>' && fathom.flame.spans.length === 2")
            self.search(HOSTILE + "no such thing")
            self.assertIn(HOSTILE, self.status())
            self.assertIsNone(self.browser.evaluate("window.ran || null"))
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('script').length"), 2)
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)

    def test_twenty_thousand_spans(self):
        page = os.path.join(FOLDER, "large.html")
        records = os.path.join(FOLDER, "large.json")
        with open(records, "w", encoding="utf-8") as stream:
            json.dump(large_records(20_000), stream, separators=(",", ":"))
        run("trace", "show", "-f", records, "-o", "html=" + page)
        self.browser.open("file://" + page)
        self.assertTrue(self.status().startswith("20000 spans"), self.status())
        self.browser.click_on("#spans-tab")
        self.assertLess(self.browser.evaluate(
            "document.querySelectorAll('#spans-panel tr').length"), 100)
        # The quickest of several: the machine may be busy.
        milliseconds = self.browser.evaluate("""(() => {
            let quickest = Infinity;
            for (let i = 0; i < 10; i++) {
                const start = performance.now();
                fathom.flame.zoom(1.1);
                quickest = Math.min(quickest, performance.now() - start);
            }
            return quickest;
        })()""")
        self.assertLess(milliseconds, 500)
        self.picture("large-light")


HOSTILE = "<script>window.ran=1</script><img src=x onerror=window.ran=1>\u202e\U0001f600\u0645\u0631"


def hostile_records():
    """In every field that is a text of its writer's choice; names are as long as records may have them."""
    cpids = [f"{i:08x}-0000-4000-8000-000000000000" for i in (1, 2)]
    name = HOSTILE + "n" * 3900

    def span(number, cpid, attributes):
        start = 1_700_000_000_000_000_000 + number * 1_000_000_000
        return {"cpid": cpid, "spanId": f"{number:08x}-1111-4111-8111-111111111111", "parentId": "", "service": f"service {name}",
                "name": f"deed {name}", "startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 500_000_000),
                "object": f"kind {HOSTILE}/space {HOSTILE}/object {HOSTILE}{'n' * 3600}", "resourceVersionRead": f"read {name}",
                "resourceVersionWritten": f"written {name}", "attributes": attributes}
    first = span(1, cpids[0], {"cpid.root": True})
    cause = {"cpid": cpids[0], "span": first["spanId"], "label": "exact", "rule": f"rule {HOSTILE}"}
    second = span(2, cpids[1], {"cpid.failure": f"failure {HOSTILE}" + "n" * 10_000, "k8s.audit.id": f"audit {HOSTILE}", HOSTILE: HOSTILE,
                                "k8s.object.uid": f"uid {HOSTILE}", "cpid.causes": [cause]})
    mergelogs = [{"cpid": cpid, "sources": cpids[:place], "timeUnixNano": "1700000000000000000"} for place, cpid in enumerate(cpids)]
    return {"mergelogs": mergelogs, "spans": [first, second]}


def large_records(count):
    cpids = [f"{i:08x}-0000-4000-8000-000000000000" for i in range(1, 201)]
    mergelogs = [{"cpid": cpid, "sources": [] if i % 3 else cpids[max(0, i - 2):i],
                  "timeUnixNano": str(1_700_000_000_000_000_000 + i)}
                 for i, cpid in enumerate(cpids)]
    mergelogs[0]["sources"] = []
    spans = [{"cpid": cpids[i % 200], "spanId": f"{i:08x}-1111-4111-8111-111111111111",
              "parentId": "", "service": f"controller-{i % 12}", "name": "sync",
              "startTimeUnixNano": str(1_700_000_000_000_000_000 + i * 1_000_000),
              "endTimeUnixNano": str(1_700_000_000_000_000_000 + i * 1_000_000 + 2_500_000),
              "object": f"Pod/default/p{i % 3000}"} for i in range(count)]
    return {"mergelogs": mergelogs, "spans": spans}


class ServerTest(unittest.TestCase):
    def start(self, *arguments, environment=None):
        server = subprocess.Popen([FATHOM, "trace", "serve", "--in-memory", "--listen",
                                   "127.0.0.1:0", *arguments], stderr=subprocess.PIPE, text=True,
                                  env=dict(os.environ, **(environment or {})))
        self.addCleanup(lambda: (server.terminate(), server.wait(10), server.stderr.close()))
        return re.search(r"http://[\d.]+:\d+", server.stderr.readline()).group(0)

    def post(self, url, records, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        request = urllib.request.Request(url + "/api/v1/records", json.dumps(records).encode(),
                                         headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            self.assertEqual(answer.status, 200)

    def test_names_and_new_records(self):
        """A change is named by the span that it began with, wherever that is in the answer."""
        url = self.start()
        cpid = "0000000a-0000-4000-8000-000000000000"
        span = {"cpid": cpid, "parentId": "", "startTimeUnixNano": "1700000000000000000",
                "endTimeUnixNano": "1700000001000000000", "object": "Pod/default/p"}
        first = dict(span, spanId="ffffffff-1111-4111-8111-111111111111", service="kubectl", name="apply")
        later = dict(span, spanId="00000000-1111-4111-8111-111111111111", service="kubelet", name="start",
                     parentId=first["spanId"])
        self.post(url, {"mergelogs": [{"cpid": cpid, "sources": [], "timeUnixNano": "1700000000000000000"}],
                        "spans": [later, first]})
        page = browser.Browser()
        self.addCleanup(page.close)
        page.open(url + "/")
        page.wait_for("document.querySelector('#changes-panel td:nth-child(2)')")
        self.assertEqual(page.evaluate("document.querySelector('#changes-panel tr[aria-rowindex] td:nth-child(2)').textContent"),
                         "kubectl: apply default/p")
        page.click_on("#live")
        self.post(url, {"mergelogs": [], "spans": [dict(later, spanId="11111111-1111-4111-8111-111111111111")]})
        page.wait_for("fathom.flame.spans.length === 3")
        # Who has zoomed in, or looks at a span, keeps that; what it led to comes in addition.
        page.click_on("#changes-panel tr[aria-rowindex]")
        page.evaluate("fathom.flame.pick(fathom.state.model.spans.find((span) => span.name === 'apply'))")
        page.click_on("#zoom-in")
        view = page.evaluate("fathom.flame.view")
        cause = {"cpid": cpid, "span": first["spanId"], "label": "exact", "rule": "precondition"}
        self.post(url, {"mergelogs": [], "spans": [dict(later, spanId="22222222-1111-4111-8111-111111111111", service="newcomer",
                                                        attributes={"cpid.causes": [cause]})]})
        page.wait_for("fathom.flame.spans.length === 4")
        self.assertEqual(page.evaluate("fathom.flame.view"), view)
        self.assertEqual(page.evaluate("fathom.state.selected.name"), "apply")
        self.assertIn("newcomer: start", page.evaluate("document.getElementById('details').textContent"))
        self.assertIn("newcomer", page.evaluate("document.getElementById('service-boxes').textContent"))
        page.click_on("#details li button")
        self.assertEqual(page.evaluate("fathom.state.selected.service"), "newcomer")
        self.assertEqual(page.problems, [])

    def test_served(self):
        url = self.start(environment={"FATHOM_TRACE_TOKEN": "open-sesame"})
        self.post(url, large_records(300), "open-sesame")
        page = browser.Browser()
        self.addCleanup(page.close)
        page.call("Page.navigate", url=url + "/")
        page.wait_for("!document.getElementById('token-form').hidden")
        page.type_into("#token", "open-sesame")
        page.key("Enter")
        page.wait_for("document.getElementById('status').textContent.startsWith('300 spans')")
        page.problems.clear()  # the 401 was logged
        page.type_into("#cpid", "00000005-")
        page.key("Enter")
        page.wait_for("fathom.state.focus.startsWith('00000005')")
        self.assertEqual(page.problems, [])
        # More than the page loads at once: a change is asked for when it is looked at.
        many = large_records(12_000)
        many["spans"] = many["spans"][300:]
        for i in range(0, len(many["spans"]), 4000):
            self.post(url, {"mergelogs": many["mergelogs"], "spans": many["spans"][i:i + 4000]},
                      "open-sesame")
        page.call("Page.reload")  # what was looked at is in the address
        page.wait_for("fathom.state.focus.startsWith('00000005') && fathom.state.partial")
        page.click_on("#all")
        page.wait_for("document.getElementById('status').textContent.startsWith('10000 spans')")
        wanted = Reference(large_records(12_000))
        for cpid in ("000000c8-0000-4000-8000-000000000000",
                     "00000002-0000-4000-8000-000000000000"):
            page.type_into("#cpid", cpid)
            page.key("Enter")
            count = len(wanted.spans_of(wanted.reach(cpid)))
            page.wait_for(f"fathom.state.focus === '{cpid}' && "
                          f"fathom.flame.spans.length === {count}")


def main():
    global FATHOM, PICTURES, FOLDER
    FATHOM = os.path.abspath(sys.argv.pop(1))
    if "--pictures" in sys.argv:
        at = sys.argv.index("--pictures")
        PICTURES = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    if not browser.find_chromium():
        print("there is no Chromium here")
        return 77
    with tempfile.TemporaryDirectory() as FOLDER:
        unittest.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
