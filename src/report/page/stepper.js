// Goes through a counterexample step by step, with one picture that stays in place.
import { make } from "../../web/dom.js";
import { drawCluster } from "./picture.js";
import { busyNodes, changesOf, clustersOf } from "./run.js";
import { makeSeries } from "./series.js";

const PLAY_MS = 900;

function button(words, title, onclick) {
  return make("button", { type: "button", title, "aria-label": title, onclick }, words);
}

export class Stepper {
  constructor(section) {
    this.section = section;
    this.run = JSON.parse(section.querySelector(".run-data").textContent);
    this.clusters = clustersOf(this.run);
    this.busy = busyNodes(this.run);
    this.items = [...section.querySelectorAll("li[data-step]")];
    this.last = this.run.steps.length;
    this.at = -1;
    this.timer = 0;
    this.build();
    this.show(this.last, false);
  }

  build() {
    this.slider = make("input", { type: "range", min: 0, max: this.last, step: 1, "aria-label": "step",
      oninput: () => this.show(Number(this.slider.value), true) });
    this.play = button("Play", "Play the run", () => this.toggle());
    this.play.setAttribute("aria-pressed", "false");
    this.where = make("output", { class: "where", "aria-live": "polite" });
    this.told = make("p", { class: "told" });
    this.picture = make("div", {});
    this.series = makeSeries(this.clusters, this.run.workloads);
    const tools = make("div", { class: "tools", role: "toolbar", "aria-label": "Go through the run" },
      button("|<", "Start", () => this.show(0, true)), button("<", "One step back", () => this.show(this.at - 1, true)),
      button(">", "One step on", () => this.next()), button(">|", "End", () => this.show(this.last, true)),
      this.play, this.slider, this.where);
    const legend = make("p", { class: "legend" }, ...["ready", "starting", "bound", "terminating"].map((stage) =>
      make("span", { class: `pod cnone ${stage}` }, stage)), make("span", { class: "pod cnone changed" }, "changed by this step"),
      "bars: CPU and memory requested of a node");
    this.section.querySelector(".stage").append(tools, this.told, this.picture,
      make("div", { class: "charts" }, ...this.series.map((chart) => chart.box)), legend);
    this.section.querySelector(".stage").hidden = false;
    const end = this.section.querySelector(".at-end");
    if (end) end.hidden = true; // the picture shows it
    this.section.addEventListener("keydown", (event) => this.key(event));
    for (const item of this.items)
      item.addEventListener("click", (event) => {
        if (!event.target.closest("a")) this.show(Number(item.dataset.step), false);
      });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.slider) return;
    const go = { ArrowRight: 1, ArrowLeft: -1, j: 1, k: -1, n: 1, p: -1 }[event.key];
    if (go) this.show(this.at + go, true);
    else if (event.key === "Home") this.show(0, true);
    else if (event.key === "End") this.show(this.last, true);
    else return;
    event.preventDefault();
  }

  // After the last step of a loop comes its first one again.
  next() {
    const again = this.run.loopFrom !== null && !this.run.rests && this.at === this.last;
    this.show(again ? this.run.loopFrom + 1 : this.at + 1, true);
  }

  toggle() {
    const plays = this.timer !== 0;
    clearInterval(this.timer);
    this.timer = plays ? 0 : setInterval(() => {
      const ends = this.at === this.last && (this.run.loopFrom === null || this.run.rests);
      if (ends) this.toggle();
      else this.next();
    }, PLAY_MS);
    if (!plays && this.at === this.last) this.show(0, true);
    this.play.setAttribute("aria-pressed", String(!plays));
    this.play.textContent = plays ? "Play" : "Pause";
  }

  show(step, scrolls) {
    const number = Math.max(0, Math.min(this.last, step));
    if (number === this.at) return;
    if (this.at > 0) this.items[this.at - 1].classList.remove("now");
    this.at = number;
    this.slider.value = String(number);
    const told = this.run.steps[number - 1];
    const time = told && told.time ? `, ${told.time}` : "";
    this.where.textContent = `${number} of ${this.last}${time}`;
    this.picture.replaceChildren(
      drawCluster(this.clusters[number], this.busy, this.run.workloads, changesOf(this.clusters, number)));
    for (const chart of this.series) chart.show(number);
    if (number === 0) {
      this.told.textContent = "the cluster at the start";
      return;
    }
    const item = this.items[number - 1];
    this.told.textContent = item.querySelector(".detail").textContent;
    item.classList.add("now");
    const folded = item.closest("details.idle");
    if (folded) folded.open = true;
    if (scrolls) this.reveal(item);
  }

  // Within the list of steps only: the picture stays where it is.
  reveal(item) {
    const list = this.section.querySelector(".list");
    const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (top < 0 || top > list.clientHeight - item.clientHeight) list.scrollTop += top - list.clientHeight / 2;
  }
}
