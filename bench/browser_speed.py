#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How quick pages are in headless Chromium: a counterexample of 1,000 steps on 1,000 nodes, and
`fathom ui` with the Check of an example.

    browser_speed.py FATHOM [--page docs/ui.md]

Times are those of the page itself (performance.now), from the navigation, the key or the click on,
until the frame that shows it has been drawn; so a busy machine is slower. `quietest` is the median of
twenty in a row, when the machine had least else to do. The processor time (a mean) is
that of all processes of Chromium together. --page writes the table there.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

import pages

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "web"))
import browser  # noqa: E402

SPREAD = os.path.join(ROOT, "examples", "c03-spread-conflict", "broken.yaml")
REPEATS = 5
STEPS_MEASURED = 200
IN_A_ROW = 20

# A pod for each node, and one more: they are bound one after the other.
LARGE = """apiVersion: fathom/v1
kind: Check
metadata: {name: large}
spec:
  scale: {mode: exact}
  nodeGroups:
  - name: node
    count: 1000
    node: {status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}}
  intents: [{name: podsSchedulable}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1001
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: app, resources: {requests: {cpu: 2500m}}}]
"""

# Runs before the page's own script. A frame has been drawn when a task after its callbacks runs.
WATCH = """(() => {
  window.drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)));
  const look = () => {
    if (document.querySelector('.stage:not([hidden]) .picture')) drawn().then((time) => { window.shownAt = time; });
    else requestAnimationFrame(look);
  };
  look();
})()"""

STEP = """(async () => {
  const times = [];
  const button = document.querySelector('.tools button');
  const press = (key) => button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  press('Home');
  await drawn();
  for (let step = 0; step < COUNT; step++) {
    const start = performance.now();
    press('ArrowRight');
    times.push(await drawn() - start);
  }
  return times;
})()"""

# From anywhere to anywhere: the list of steps scrolls to a place that was not drawn before.
JUMP = """(async () => {
  const times = [];
  const slider = document.querySelector('.tools input');
  const most = Number(slider.max);
  for (let jump = 1; jump <= COUNT; jump++) {
    slider.value = String((jump * 389) % (most + 1));
    const start = performance.now();
    slider.dispatchEvent(new Event('input'));
    times.push(await drawn() - start);
  }
  return times;
})()"""

VERIFY = """new Promise((resolve) => {
  const found = {};
  const progress = document.querySelector('.progress');
  const start = performance.now();
  const watch = new MutationObserver(() => {
    const text = progress.textContent;
    // A quick run may end before it tells how far it is: then the verdict is the first that is heard of it.
    if (/ setups, |violated|holds|undecided/.test(text) && !found.seen) { found.seen = true; drawn().then((time) => { found.progress = time - start; }); }
    if (!/violated|holds|undecided/.test(text)) return;
    watch.disconnect();
    const shown = () => {
      if (document.querySelector('.report .stage:not([hidden]) .picture')) drawn().then((time) => resolve({ ...found, report: time - start }));
      else requestAnimationFrame(shown);
    };
    shown();
  });
  watch.observe(progress, { childList: true, characterData: true, subtree: true });
  document.querySelector('header button.main').click();
})"""


def watched():
    page = browser.Browser()
    page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    return page


def processor_milliseconds(page):
    """What the browser's processes have taken so far."""
    parents, ticks = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stream:
                fields = stream.read().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        parents[int(name)] = int(fields[1])
        ticks[int(name)] = int(fields[11]) + int(fields[12])
    return sum(ticks[process] for process in parents if descends(process, page.process.pid, parents)) * 1000 / os.sysconf("SC_CLK_TCK")


def descends(process, ancestor, parents):
    while process not in (ancestor, 0):
        process = parents.get(process, 0)
    return process == ancestor


def measure_in(page, script):
    """Times of each, and the processor time of one."""
    before = processor_milliseconds(page)
    times = page.evaluate(script.replace("COUNT", str(STEPS_MEASURED)))
    quietest = min(statistics.median(times[start:start + IN_A_ROW]) for start in range(0, len(times) - IN_A_ROW + 1, IN_A_ROW))
    return f"{quietest:.0f} ms", *typical_and_most(times), f"{(processor_milliseconds(page) - before) / len(times):.0f} ms"


def measure_report(fathom, folder):
    check, file = os.path.join(folder, "large.yaml"), os.path.join(folder, "large.html")
    with open(check, "w", encoding="utf-8") as stream:
        stream.write(LARGE)
    done = subprocess.run([fathom, "verify", check, "--quiet", "--trial", "0", "-o", "html=" + file], check=False)
    if done.returncode != 1:
        raise SystemExit(f"verify of the large Check: exit code {done.returncode}")
    page = watched()
    opened, processor = [], []
    for _ in range(REPEATS):
        page.call("Page.navigate", url="about:blank")
        before = processor_milliseconds(page)
        page.open("file://" + file, "window.shownAt")
        opened.append(page.evaluate("window.shownAt"))
        processor.append(processor_milliseconds(page) - before)
    steps, jumps = measure_in(page, STEP), measure_in(page, JUMP)
    count = page.evaluate("Number(document.querySelector('.tools input').max)")
    page.close()
    name = f"{count:,} steps on 1,000 nodes"
    return [(f"the page of {name}", f"{os.path.getsize(file) / 1e6:.2f} MB", "", "", ""),
            (f"opening it ({REPEATS} times)", f"{min(opened):.0f} ms", *typical_and_most(opened), f"{statistics.mean(processor):.0f} ms"),
            (f"one step on ({STEPS_MEASURED} times)", *steps),
            (f"to another step with the slider ({STEPS_MEASURED} times)", *jumps)]


def measure_workbench(fathom):
    server = subprocess.Popen([fathom, "ui", SPREAD, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    page = watched()
    found = []
    try:
        link = server.stdout.readline().strip()
        for _ in range(REPEATS):
            page.call("Page.navigate", url="about:blank")
            page.open(link, "window.fathom && !fathom.panels.get('edit').hidden")
            found.append(page.evaluate(VERIFY))
    finally:
        page.close()
        server.terminate()
        server.wait(20)
    return [(f"*Verify* of c03-spread-conflict until the first {what} ({REPEATS} times)", f"{min(each[key] for each in found):.0f} ms", *typical_and_most([each[key] for each in found]), "")
            for what, key in (("progress", "progress"), ("picture of its counterexample", "report"))]


def typical_and_most(milliseconds):
    return f"{statistics.median(milliseconds):.0f} ms", f"{max(milliseconds):.0f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fathom")
    parser.add_argument("--page", help="the page of the documentation with the table")
    options = parser.parse_args()
    fathom = os.path.abspath(options.fathom)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure_report(fathom, folder) + measure_workbench(fathom)
    table = ["| what | quietest | median | most | processor |", "| --- | ---: | ---: | ---: | ---: |", *(f"| {' | '.join(row)} |" for row in rows)]
    print("\n".join(table))
    if options.page:
        pages.write_page(options.page, {"speed in the browser": table})


if __name__ == "__main__":
    main()
