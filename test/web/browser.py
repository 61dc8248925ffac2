# SPDX-License-Identifier: Apache-2.0
"""Drives headless Chromium over its debugging pipe; needs nothing else."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--disable-extensions", "--mute-audio", "--hide-scrollbars",
    "--remote-debugging-pipe",
)


def find_chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")

# Backgrounds may be translucent: they are laid upon each other. Controls that are disabled need no contrast.
FAINT = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = parts(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const luminance = (colour) => colour.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('script, style, :disabled')) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const front = over(parts(element.closest('svg') ? style.fill : style.color), back);
    const [low, high] = [luminance(front), luminance(back)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    seen++;
    if (contrast < 4.5) found.push([element.className.baseVal ?? element.className, walker.currentNode.data.slice(0, 40), contrast]);
  }
  return seen > 0 ? found : [['nothing', 'was seen', 0]];
})()"""


class Browser:
    """One page of one browser."""

    def __init__(self, width=1400, height=1200):
        self.folder = tempfile.mkdtemp(prefix="fathom-chromium-")
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def place_pipes():
            # It reads from 3 and writes to 4; neither may be overwritten on the way.
            high_in, high_out = os.dup2(to_browser, 100), os.dup2(from_browser, 101)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)

        self.process = subprocess.Popen(
            [find_chromium(), *FLAGS, f"--user-data-dir={self.folder}",
             f"--window-size={width},{height}", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.problems = []
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"],
                                 flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait(10)
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read_message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.into, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read_message(150)
            if answer.get("method") == "Runtime.exceptionThrown":
                self.problems.append(json.dumps(answer["params"]["exceptionDetails"])[:500])
            if answer.get("method") == "Log.entryAdded" and \
                    answer["params"]["entry"]["level"] == "error":
                self.problems.append(answer["params"]["entry"]["text"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def wait_for(self, expression, seconds=120):
        """Lets the page itself say when it is so far. The time is for pages that hang: a busy machine is slow."""
        return self.evaluate(
            "new Promise((resolve, reject) => {"
            f"const end = performance.now() + {seconds * 1000};"
            "const look = () => { let value = null;"
            f"try {{ value = ({expression}); }} catch (error) {{ value = null; }}"
            "if (value) resolve(value);"
            f"else if (performance.now() > end) reject(new Error('waited in vain for ' + "
            f"{json.dumps(expression)} + ': ' + document.getElementById('status')?.textContent));"
            "else setTimeout(look, 15); }; look(); })")

    def open(self, url, ready="window.fathom && document.getElementById('status').textContent"):
        self.call("Page.navigate", url=url)
        self.wait_for(ready)

    def key(self, key, code=None, text=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36,
                 "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        number = codes.get(key, ord(key[0].upper()) if len(key) == 1 else 0)
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": number,
                  "modifiers": modifiers}
        if len(key) == 1 or key == "Enter":
            common["text"] = text or ("\r" if key == "Enter" else key)
        self.call("Input.dispatchKeyEvent", type="keyDown", **common)
        common.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def click(self, x, y, count=1):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      buttons=0 if kind == "mouseMoved" else 1, clickCount=count)

    def click_on(self, selector):
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.click(*box)

    def type_into(self, selector, text):
        self.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
                      "e.focus(); e.select?.(); })()")
        self.call("Input.insertText", text=text)

    def choose_files(self, selector, paths):
        """As if the user had chosen them in the dialog of the field."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=paths)

    def nameless_controls(self):
        """What can be operated, or is a picture, and has no name for a screen reader; with all roles that there are."""
        operated = ("button", "textbox", "combobox", "radio", "tab", "application", "toolbar", "tabpanel", "checkbox", "spinbutton", "slider",
                    "link", "image", "listbox", "searchbox", "region")
        roles, nameless = set(), []
        for node in self.call("Accessibility.getFullAXTree")["nodes"]:
            if node.get("ignored"):
                continue
            role, name = node["role"]["value"], node.get("name", {}).get("value", "")
            roles.add(role)
            if role in operated and not name.strip():
                nameless.append(role)
        return nameless, roles

    def tab_stops(self, most=60):
        """What Tab reaches, in order, by their names or texts, until it comes round."""
        seen = []
        self.evaluate("document.activeElement?.blur()")
        for _ in range(most):
            self.key("Tab")
            seen.append(self.evaluate("(document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || "
                                      "document.activeElement.id || document.activeElement.tagName).trim().slice(0, 60)"))
        return seen

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as stream:
            stream.write(base64.b64decode(data))

    def faint_texts(self):
        """Texts in sight with less contrast than 4.5 to what is behind them (WCAG AA), with their contrast."""
        return self.evaluate(FAINT)

    def contrast(self, front, back):
        """Of two colours of the style sheet (#rrggbb), as WCAG counts it."""
        def luminance(colour):
            parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
            linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
            return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))
        values = [luminance(self.evaluate("getComputedStyle(document.documentElement)"
                                          f".getPropertyValue('{name}').trim()")) for name in (front, back)]
        return (max(values) + 0.05) / (min(values) + 0.05)
