// Goes through a counterexample step by step, with one picture that stays in place.
import { make } from "../../web/dom.js";
import { drawCluster, drawLegend } from "./picture.js";
import { busyNodes, clustersOf, marksOf } from "./run.js";
import { schedulingTable } from "./scheduling.js";
import { makeSeries } from "./series.js";
import { Track } from "./track.js";

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
    this.goesRound = this.run.loopFrom !== null && !this.run.rests;
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
    this.where = make("output", { class: "where" });
    this.told = make("div", { class: "told", "aria-live": "polite" });
    this.picture = make("div", {});
    this.table = make("div", {});
    this.series = makeSeries(this.clusters, this.run.workloads);
    const events = new Set(this.items.filter((item) => item.querySelector(".event")).map((item) => Number(item.dataset.step)));
    this.track = new Track(this.last, this.goesRound ? this.run.loopFrom : null, events, (step) => this.show(step, true));
    const tools = make("div", { class: "tools", role: "toolbar", "aria-label": "Go through the run" },
      button("|<", "Start", () => this.show(0, true)), button("<", "One step back", () => this.show(this.at - 1, true)),
      button(">", "One step on", () => this.next()), button(">|", "End", () => this.show(this.last, true)),
      this.play, this.slider, this.where);
    this.section.querySelector(".stage").append(tools, this.track.svg, this.told, this.picture, this.table,
      make("div", { class: "charts" }, ...this.series.map((chart) => chart.box)), drawLegend());
    this.section.querySelector(".stage").hidden = false;
    const end = this.section.querySelector(".at-end");
    if (end) end.hidden = true; // the picture shows it
    this.section.addEventListener("keydown", (event) => this.key(event));
    this.section.addEventListener("click", (event) => {
      const item = event.target.closest("li[data-step]");
      if (item && !event.target.closest("a, summary")) this.show(Number(item.dataset.step), false);
    });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === this.slider) return;
    const go = { ArrowRight: 1, ArrowLeft: -1, j: 1, k: -1, n: 1, p: -1 }[event.key];
    const item = event.target.closest("li[data-step]");
    if (go) this.show(this.at + go, true);
    else if (event.key === "Home") this.show(0, true);
    else if (event.key === "End") this.show(this.last, true);
    else if (event.key === "Enter" && item === event.target) this.show(Number(item.dataset.step), true);
    else return;
    event.preventDefault();
  }

  // After the last step of a loop comes its first one again.
  next() {
    this.show(this.goesRound && this.at === this.last ? this.run.loopFrom + 1 : this.at + 1, true);
  }

  toggle() {
    const plays = this.timer !== 0;
    clearInterval(this.timer);
    this.timer = plays ? 0 : setInterval(() => {
      if (this.at === this.last && !this.goesRound) this.toggle();
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
    this.picture.replaceChildren(drawCluster(this.clusters[number], this.busy, this.run.workloads,
      marksOf(this.clusters[number - 1], this.clusters[number], told)));
    for (const chart of this.series) chart.show(number);
    this.track.show(number);
    this.table.replaceChildren(...(told && told.scheduling !== undefined ? [schedulingTable(told.scheduling)] : []));
    this.tell(number, scrolls);
  }

  // Who acted, what happened, why, and what it needs: as the list has it.
  tell(number, scrolls) {
    if (number === 0) {
      this.told.replaceChildren(make("p", { class: "sentence" }, "the cluster at the start"));
      return;
    }
    const item = this.items[number - 1];
    this.told.replaceChildren(item.querySelector(".actor").cloneNode(true),
      make("p", { class: "sentence" }, item.querySelector(".detail").textContent),
      ...[...item.querySelectorAll(":scope > .why, :scope > .causes")].map((part) => part.cloneNode(true)));
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
