// The manifests, each a text with its line numbers; problems are marked while one types, in the words
// of `fathom check-manifests`.
import { make } from "../../web/dom.js";
import { send } from "./ask.js";
import { EXAMPLE } from "./example.js";

const PAUSE_MS = 300;
const FILE_BYTES_MOST = 8 << 20; // of one that is opened
const MESSAGE = /^(.+?):(\d+):(\d+): (.*)$/;

export class Editor {
  constructor(files, onchange) {
    this.files = files.map((file) => ({ ...file, given: file.text }));
    this.onchange = onchange;
    this.at = 0;
    this.problems = [];
    this.asked = 0;
    this.timer = 0;
    this.build();
    this.open(0);
    this.check();
  }

  build() {
    this.list = make("div", { class: "file-list", role: "tablist", "aria-label": "Manifests" });
    this.gutter = make("div", { class: "gutter", "aria-hidden": "true" });
    this.area = make("textarea", { class: "source", spellcheck: false, wrap: "off", "aria-label": "Manifest",
      autocapitalize: "off", autocomplete: "off",
      oninput: () => this.changed(), onscroll: () => { this.gutter.scrollTop = this.area.scrollTop; } });
    this.chooser = make("input", { type: "file", multiple: true, accept: ".yaml,.yml,.json", hidden: true, "aria-label": "Files to open",
      onchange: () => this.read(this.chooser.files) });
    this.remove = make("button", { type: "button", title: "Take this file out", onclick: () => this.drop() }, "Remove");
    this.hint = make("p", { class: "empty-hint" }, "Nothing here yet. Write manifests, open files, or ",
      make("button", { type: "button", class: "begin-example", onclick: () => this.begin() }, "begin with an example"),
      ". A Check says what may happen and what must hold; without one, the usual questions are asked of the manifests.");
    this.found = make("ul", { class: "problems", "aria-label": "Problems", "aria-live": "polite" });
    this.state = make("p", { class: "check-state" });
    this.box = make("div", { class: "editor" },
      make("div", { class: "file-bar" }, this.list,
        make("div", { class: "file-list file-tools" }, make("button", { type: "button", onclick: () => this.add() }, "New file"),
          make("button", { type: "button", title: "Files of this machine; or drop them on the text", onclick: () => this.chooser.click() }, "Open"), this.chooser,
          make("button", { type: "button", title: "As the file was given", onclick: () => this.revert() }, "Revert"), this.remove)),
      this.hint,
      make("div", { class: "sheet" }, this.gutter, this.area), this.state, this.found);
    this.box.addEventListener("dragover", (event) => event.preventDefault());
    this.box.addEventListener("drop", (event) => {
      event.preventDefault();
      this.read(event.dataTransfer.files);
    });
  }

  get empty() {
    return this.files.every((file) => file.text.trim() === "");
  }

  get contents() {
    return this.files.map(({ name, text }) => ({ name, text }));
  }

  get given() {
    return this.files.filter((file) => file.given !== "").map(({ name, given }) => ({ name, text: given }));
  }

  get edited() {
    return this.files.filter((file) => file.text !== file.given).map(({ name, text }) => ({ name, text }));
  }

  // What a link brings.
  take(edited) {
    for (const { name, text } of edited) {
      if (typeof name !== "string" || typeof text !== "string") continue;
      const known = this.files.find((file) => file.name === name);
      if (known) known.text = text;
      else this.files.push({ name, text, given: "" });
    }
    this.open(this.at);
    this.check();
  }

  open(place) {
    this.at = Math.max(0, Math.min(place, this.files.length - 1));
    this.area.value = this.files[this.at].text;
    this.area.scrollTop = 0;
    this.drawList();
    this.drawGutter();
  }

  openNamed(name) {
    const place = this.files.findIndex((file) => file.name === name);
    if (place >= 0) this.open(place);
  }

  drawList() {
    this.hint.hidden = !this.empty;
    this.remove.hidden = this.files[this.at].given !== "" || this.files.length === 1;
    this.list.replaceChildren(...this.files.map((file, place) => make("button", { type: "button", role: "tab",
      "aria-selected": String(place === this.at), onclick: () => { this.open(place); this.onchange(); } },
    file.text === file.given ? file.name : `${file.name} *`)));
  }

  drawGutter() {
    const here = this.files[this.at].name;
    const marks = new Map(this.problems.filter((problem) => problem.file === here).map((problem) => [problem.line, problem.words]));
    const count = this.area.value.split("\n").length;
    const lines = [];
    for (let line = 1; line <= count; line++)
      lines.push(make("div", { class: marks.has(line) ? "line wrong" : "line", title: marks.get(line) || "" }, String(line)));
    this.gutter.replaceChildren(...lines);
    this.gutter.scrollTop = this.area.scrollTop;
  }

  changed() {
    this.files[this.at].text = this.area.value;
    this.drawList();
    this.drawGutter();
    this.onchange();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE_MS);
  }

  add() {
    let number = 1;
    while (this.files.some((file) => file.name === `new-${number}.yaml`)) number++;
    this.files.push({ name: `new-${number}.yaml`, text: "", given: "" });
    this.open(this.files.length - 1);
    this.area.focus();
  }

  // Files of this machine: they go to the server that this page is from, and nowhere else.
  async read(list) {
    const files = [...list];
    const large = files.find((file) => file.size > FILE_BYTES_MOST);
    if (large) {
      this.state.textContent = `${large.name} has more than ${FILE_BYTES_MOST >> 20} MiB`;
      return;
    }
    this.put(await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() }))));
    this.chooser.value = "";
  }

  begin() {
    this.put([EXAMPLE]);
  }

  // Files that are new here, or that replace those of their names. What was empty makes room.
  put(files) {
    if (files.length === 0) return;
    this.files = this.files.filter((file) => file.given !== "" || file.text.trim() !== "");
    this.take(files);
    this.openNamed(files[0].name);
    this.onchange();
  }

  drop() {
    this.files.splice(this.at, 1);
    this.open(this.at);
    this.onchange();
    this.check();
  }

  revert() {
    this.files[this.at].text = this.files[this.at].given;
    this.open(this.at);
    this.changed();
  }

  // An answer to a question that is out of date is not shown.
  async check() {
    const number = ++this.asked;
    if (this.empty) {
      this.problems = [];
      this.found.replaceChildren();
      this.state.textContent = "";
      this.drawGutter();
      return;
    }
    this.state.textContent = "checking";
    try {
      const answer = await send("/api/check", { files: this.contents });
      if (number === this.asked) this.show(answer);
    } catch (error) {
      if (number === this.asked) this.state.textContent = error.message;
    }
  }

  show(answer) {
    const lines = answer.messages.split("\n").filter(Boolean);
    this.problems = lines.map((line) => {
      const found = MESSAGE.exec(line);
      return found ? { file: found[1], line: Number(found[2]), column: Number(found[3]), words: found[4] }
        : { file: "", line: 0, column: 0, words: line };
    });
    const objects = answer.report ? answer.report.objects.length : 0;
    this.state.textContent = answer.exit === 0 ? `${objects} objects, ${lines.length === 0 ? "no problems" : lines.length === 1 ? "1 warning" : `${lines.length} warnings`}`
      : lines.length === 1 ? "1 problem" : `${lines.length} problems`;
    this.state.classList.toggle("violated", answer.exit !== 0);
    this.area.setAttribute("aria-invalid", String(answer.exit !== 0));
    this.found.replaceChildren(...this.problems.map((problem) => make("li", {},
      problem.file ? make("button", { type: "button", class: "place", onclick: () => this.goTo(problem) },
        `${problem.file}:${problem.line}:${problem.column}`) : null, ` ${problem.words}`)));
    this.drawGutter();
  }

  goTo(problem) {
    this.openNamed(problem.file);
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, problem.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[problem.line - 1] || "").length);
    this.area.scrollTop = Math.max(0, (this.area.scrollHeight / lines.length) * (problem.line - 5));
    this.onchange();
  }
}
