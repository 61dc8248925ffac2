// What if a field changes: one run with the manifests as they were, and beside it the same run with
// them as they are now. The same events come, and controllers do what they would do.
import { make } from "../../web/dom.js";
import { drawCluster, drawLegend } from "../../report/page/picture.js";
import { busyNodes, clustersOf, differencesBetween } from "../../report/page/run.js";
import { send } from "./ask.js";

const TYPING_MS = 400;
const WORDS = { same: "the same", differs: "differs", "only-left": "does not come", "only-right": "comes in addition" };

// Steps of both runs, side by side: [left, right] by their places, -1: there is none.
function pairUp(left, right) {
  const rows = [];
  let at = 0;
  right.forEach((step, place) => {
    const line = step.follows ? step.follows - 1 : -1;
    for (; line >= 0 && at < line; at++) rows.push([at, -1]);
    rows.push([line, place]);
    if (line >= 0) at = line + 1;
  });
  for (; at < left.length; at++) rows.push([at, -1]);
  return rows;
}

function kindOf(left, right) {
  if (!left) return "only-right";
  if (!right) return "only-left";
  return left.detail === right.detail ? "same" : "differs";
}

function stepCell(step, number) {
  if (!step) return make("td", { class: "no-step" }, "");
  return make("td", {}, make("span", { class: "number" }, `${number}.`), step.detail,
    ...step.violates.map((intent) => make("div", { class: "violated" }, `violates ${intent}`)));
}

function numbersByName(setup) {
  return new Map((setup || "").split(",").filter(Boolean).map((part) => part.split("=")));
}

function sizesOf(answer) {
  return numbersByName(answer.run ? answer.run.setup : "");
}

export class WhatIf {
  constructor(editor, onchange) {
    this.editor = editor;
    this.onchange = onchange; // another run, or other sizes
    this.base = null; // {files, setup, take, every, unit}: the run on the left
    this.typed = ""; // sizes of the run on the right, if somebody has chosen them
    this.asked = 0;
    this.timer = 0;
    this.at = 0;
    this.rows = [];
    this.build();
  }

  build() {
    const go = (words, title, onclick) => make("button", { type: "button", title, "aria-label": title, onclick }, words);
    this.slider = make("input", { type: "range", min: 0, max: 0, "aria-label": "row", oninput: () => this.show(Number(this.slider.value)) });
    this.where = make("output", { class: "where" });
    this.state = make("p", { class: "what-if-state", role: "status" }, "");
    this.sizes = make("input", { type: "text", class: "setup", "aria-label": "Sizes of the run on the right", placeholder: "as on the left", onchange: () => {
      this.typed = this.sizes.value.trim();
      this.onchange();
      this.ask();
    } });
    this.place = make("div", {}); // of the editor
    this.list = make("tbody", {});
    this.pictures = make("div", { class: "two-pictures" });
    this.legend = drawLegend("differs from the other run");
    this.found = make("div", { hidden: true },
      make("div", { class: "tools", role: "toolbar", "aria-label": "Go through both runs" },
        go("<", "One row back", () => this.show(this.at - 1)), go(">", "One row on", () => this.show(this.at + 1)),
        go("Next difference", "Next difference (d)", () => this.nextDifference()), this.slider, this.where),
      this.pictures, this.legend,
      make("div", { class: "wide two-runs" }, make("table", {}, make("thead", {}, make("tr", {},
        ...["as it was", "as it is now", ""].map((words) => make("th", { scope: "col" }, words)))), this.list)));
    this.box = make("div", { class: "what-if" }, this.state,
      make("details", { class: "what-if-edit", open: true }, make("summary", {}, "Change a field, and see what becomes of the run"),
        make("label", { class: "grows" }, "sizes of the run on the right ", this.sizes), this.place), this.found);
    this.found.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      if (row) this.show(Number(row.dataset.row));
    });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.slider) return;
    const goes = { ArrowRight: this.at + 1, ArrowDown: this.at + 1, ArrowLeft: this.at - 1, ArrowUp: this.at - 1, Home: 0, End: this.rows.length };
    if (event.key === "d") this.nextDifference();
    else if (event.key in goes) this.show(goes[event.key]);
    else if (event.key === "Enter" && event.target.dataset.row) this.show(Number(event.target.dataset.row));
    else return;
    event.preventDefault();
  }

  // From the report, or from a run by hand.
  begin(base, sizes = "") {
    this.base = base;
    this.found.hidden = true;
    this.typed = sizes;
    return this.ask();
  }

  // For a link: of files that are as they were given, the names say enough.
  get run() {
    if (!this.base) return null;
    const given = new Map(this.editor.given.map((file) => [file.name, file.text]));
    const files = this.base.files.map((file) => (given.get(file.name) === file.text ? file.name : file));
    return { files, setup: this.base.setup, take: this.base.take, every: this.base.every, sizes: this.typed, unit: this.base.unit };
  }

  // From a link.
  restore(run) {
    const given = new Map(this.editor.given.map((file) => [file.name, file]));
    const files = run.files.map((file) => (typeof file === "string" ? given.get(file) : file)).filter(Boolean);
    return this.begin({ files, setup: run.setup, take: run.take, every: run.every, unit: run.unit }, run.sizes);
  }

  open() {
    this.place.replaceChildren(this.editor.box);
    if (!this.base) this.state.textContent = "No run to compare with yet: choose one in the report, or explore by hand, and press “What if”.";
  }

  // The manifests have changed.
  changed() {
    if (!this.base) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), TYPING_MS);
  }

  async ask() {
    if (!this.base) return;
    const number = ++this.asked;
    this.state.textContent = "asking";
    this.state.classList.remove("violated");
    try {
      const files = this.editor.contents.filter((file) => file.text.trim() !== "");
      const answer = await send("/api/what-if", { before: this.base.files, files, take: this.base.take, setup: this.base.setup || undefined,
        setupAfter: this.typed || await this.sizesFor(files), everyStep: this.base.every, unit: this.base.unit || undefined });
      if (number === this.asked) this.take(answer);
    } catch (error) {
      if (number === this.asked) this.refuse(error.message);
    }
  }

  // The same nodes, and the same pods, unless they are as many as the manifests say: then these count.
  async sizesFor(files) {
    const unit = this.base.unit || undefined;
    const before = sizesOf(await send("/api/explore", { files: this.base.files, take: [], unit }));
    const now = sizesOf(await send("/api/explore", { files, take: [], unit }));
    const base = numbersByName(this.base.setup);
    return [...now].map(([name, usual]) => {
      const kept = base.has(name) && (!name.includes("/") || base.get(name) !== before.get(name));
      return `${name}=${kept ? base.get(name) : usual}`;
    }).join(",") || undefined;
  }

  refuse(words) {
    this.state.textContent = words;
    this.state.classList.add("violated");
    this.found.hidden = true;
  }

  take(answer) {
    if (!answer.before || !answer.after) {
      this.refuse(answer.messages);
      return;
    }
    this.sides = [answer.before, answer.after].map((side) => ({ ...side, clusters: clustersOf(side.run), busy: busyNodes(side.run) }));
    this.sizes.value = answer.after.setup;
    this.rows = pairUp(answer.before.told, answer.after.told);
    this.kinds = this.rows.map(([left, right]) => kindOf(answer.before.told[left], answer.after.told[right]));
    this.slider.max = String(this.rows.length);
    this.list.replaceChildren(...this.rows.map((row, place) => this.rowOf(row, place)));
    this.found.hidden = false;
    const first = this.kinds.findIndex((kind) => kind !== "same");
    const ends = this.sides.map((side) => [...side.told.flatMap((step) => step.violates), ...side.restViolates]);
    const words = (list) => (list.length > 0 ? `violates ${list.join(", ")}` : "violates nothing");
    this.state.textContent = first < 0 ? "Both runs are the same, step by step." : `The runs differ from row ${first + 1} on. `
      + `The run as it was ${words(ends[0])}; as it is now it ${words(ends[1])}.`;
    this.state.textContent += ` (${this.sides[0].scale} beside ${this.sides[1].scale})`;
    this.at = -1;
    this.show(first < 0 ? this.rows.length : first + 1);
  }

  rowOf([left, right], place) {
    const kind = this.kinds[place];
    return make("tr", { class: `pair ${kind}`, tabIndex: 0, "data-row": String(place + 1) },
      stepCell(this.sides[0].told[left], left + 1), stepCell(this.sides[1].told[right], right + 1), make("td", { class: "kind" }, WORDS[kind]));
  }

  nextDifference() {
    const next = this.kinds.findIndex((kind, place) => kind !== "same" && place >= this.at);
    this.show(next < 0 ? this.kinds.findIndex((kind) => kind !== "same") + 1 : next + 1);
  }

  // After so many rows, each run has taken so many of its steps.
  show(row) {
    const number = Math.max(0, Math.min(this.rows.length, row));
    if (this.at > 0 && this.list.children[this.at - 1]) this.list.children[this.at - 1].classList.remove("now");
    this.at = number;
    this.slider.value = String(number);
    this.where.textContent = number === 0 ? "the start" : `row ${number} of ${this.rows.length}: ${WORDS[this.kinds[number - 1]]}`;
    const taken = [0, 1].map((side) => this.rows.slice(0, number).reduce((most, pair) => Math.max(most, pair[side] + 1), 0));
    const clusters = this.sides.map((side, place) => side.clusters[taken[place]]);
    const differences = [differencesBetween(clusters[1], clusters[0]), differencesBetween(clusters[0], clusters[1])];
    this.pictures.replaceChildren(...this.sides.map((side, place) => make("section", { class: "side", "aria-label": place === 0 ? "as it was" : "as it is now" },
      make("h3", {}, `${place === 0 ? "As it was" : "As it is now"}, after ${taken[place]} ${taken[place] === 1 ? "step" : "steps"}`),
      drawCluster(clusters[place], side.busy, side.run.workloads, differences[place]))));
    if (number === 0) return;
    const item = this.list.children[number - 1];
    item.classList.add("now");
    const list = this.list.closest(".two-runs");
    const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (top < 0 || top > list.clientHeight - item.clientHeight) list.scrollTop += top - list.clientHeight / 2;
  }
}
