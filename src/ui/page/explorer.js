// One run by hand: the steps that may come next, by who takes them; undo; steps at random. The state
// is the list of choices, so a link can hold it.
import { make } from "../../web/dom.js";
import { drawCluster, drawLegend } from "../../report/page/picture.js";
import { busyNodes, clustersOf, marksOf } from "../../report/page/run.js";
import { schedulingTable } from "../../report/page/scheduling.js";
import { makeSeries } from "../../report/page/series.js";
import { send } from "./ask.js";

const RANDOM_STEPS = 10;

export class Explorer {
  constructor(contents, onchange, whatIf) {
    this.contents = contents;
    this.onchange = onchange;
    this.whatIf = whatIf; // (base)
    this.setup = "";
    this.unit = ""; // of manifests without a Check: the number of the question, see --unit; "": none
    this.take = []; // numbers, or numbers with words: what a counterexample has
    this.asked = 0;
    this.begun = false;
    this.build();
  }

  build() {
    this.setupField = make("input", { type: "text", class: "setup", "aria-label": "Sizes", placeholder: "the usual sizes",
      onchange: () => this.restart(this.setupField.value) });
    this.every = make("input", { type: "checkbox", onchange: () => this.go([]) });
    this.leave = make("button", { type: "button", class: "leave-question", hidden: true, title: "The manifests alone, without the events of the question",
      onclick: () => this.jump("", [], this.every.checked, "") }, "Leave the question");
    this.undo = make("button", { type: "button", title: "Undo the last step (u)", onclick: () => this.go(this.take.slice(0, -1)) }, "Undo");
    this.random = make("button", { type: "button", title: "Ten steps at random (r)", onclick: () => this.walk() }, `${RANDOM_STEPS} at random`);
    this.ask = make("button", { type: "button", class: "ask-what-if", title: "This run with other manifests, beside this one", disabled: true,
      onclick: () => this.whatIf({ files: this.contents(), setup: this.setup, take: this.take, every: this.every.checked, unit: this.unit }) }, "What if");
    this.state = make("p", { class: "explore-state", role: "status" });
    this.picture = make("div", { class: "explore-picture" });
    this.charts = make("div", { class: "charts" });
    this.menu = make("div", { class: "menu", role: "group", "aria-label": "What may come next" });
    this.taken = make("ol", { class: "taken", "aria-label": "Steps taken" });
    this.box = make("div", { class: "explorer" },
      make("div", { class: "bar-of-tools" }, make("button", { type: "button", onclick: () => this.go([]) }, "Start again"), this.undo, this.random, this.ask, this.leave,
        make("label", { class: "grows" }, "sizes ", this.setupField),
        make("label", {}, this.every, " every step (also those that change no verdict)")),
      this.state,
      make("div", { class: "columns" },
        make("div", {}, make("h2", {}, "The cluster"), this.picture, this.charts, drawLegend()),
        make("div", {}, make("h2", {}, "What may come next"), this.menu, make("h2", {}, "Steps taken"), this.taken)));
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input")) return;
    if (event.key === "u") this.go(this.take.slice(0, -1));
    else if (event.key === "r") this.walk();
    else return;
    event.preventDefault();
  }

  get numbers() {
    return this.take.map((line) => line.split(" ")[0]);
  }

  restart(setup) {
    this.setup = setup;
    return this.go([]);
  }

  // From elsewhere: a link, or a counterexample.
  jump(setup, take, every, unit) {
    this.setup = setup;
    this.unit = unit;
    this.every.checked = every;
    return this.go(take);
  }

  walk() {
    return this.go(this.take, { random: RANDOM_STEPS, seed: String(1 + Math.floor(Math.random() * 999999)) });
  }

  // To the state after these steps. One that cannot be reached leaves the page where it is.
  async go(take, more) {
    const number = ++this.asked;
    const files = this.contents();
    this.begun = files.length > 0;
    if (!this.begun) {
      this.refuse("There is nothing to explore yet: the manifests are empty.");
      return;
    }
    this.state.className = "explore-state";
    this.state.textContent = "asking";
    try {
      const answer = await send("/api/explore", { files, take, setup: this.setup || undefined, unit: this.unit || undefined,
        everyStep: this.every.checked, ...more });
      if (number !== this.asked) return;
      if (answer.run) this.show(answer.run);
      else this.refuse(answer.messages);
    } catch (error) {
      if (number === this.asked) this.refuse(error.message);
    }
  }

  refuse(words) {
    this.state.textContent = words;
    this.state.classList.add("violated");
  }

  show(found) {
    const { run } = found;
    const clusters = clustersOf(run);
    const last = clusters.length - 1;
    this.take = found.told.map((step) => String(step.choice));
    this.setup = found.setup;
    this.leave.hidden = this.unit === "";
    this.setupField.value = found.setup;
    this.undo.disabled = this.ask.disabled = last === 0;
    this.random.disabled = found.choices.length === 0;
    this.picture.replaceChildren(drawCluster(clusters[last], busyNodes(run), run.workloads, marksOf(clusters[last - 1], clusters[last], run.steps[last - 1])));
    const charts = makeSeries(clusters, run.workloads);
    for (const chart of charts) chart.show(last);
    this.charts.replaceChildren(...charts.map((chart) => chart.box));
    this.tell(found, last);
    this.drawMenu(found.choices);
    this.drawTaken(found.told, run.steps);
    this.onchange();
  }

  tell(found, last) {
    const violated = found.told.flatMap((step, place) => step.violates.map((intent) => `${intent} is violated by step ${place + 1}`));
    violated.push(...found.restViolates.map((intent) => `${intent} is violated: no controller does anything any more`));
    const back = found.cameBack === undefined ? "" : `; the cluster is as it was after step ${found.cameBack}: this may repeat for ever`;
    const rest = found.rests ? "; at rest" : "";
    this.state.textContent = [`${found.scale}; ${last} ${last === 1 ? "step" : "steps"} taken${rest}${back}`, ...violated].join(". ");
    this.state.classList.toggle("violated", violated.length > 0);
  }

  // Grouped by who acts; what comes from outside is last.
  drawMenu(choices) {
    const groups = new Map();
    for (const choice of [...choices.filter((each) => !each.outside), ...choices.filter((each) => each.outside)]) {
      const who = choice.outside ? "events" : choice.actor;
      if (!groups.has(who)) groups.set(who, []);
      groups.get(who).push(choice);
    }
    const boxes = [...groups].map(([who, list]) => make("div", { class: "actor-group", role: "group", "aria-label": who },
      make("h3", {}, who), ...list.map((choice) => make("button", { type: "button", class: choice.outside ? "choice event" : "choice",
        "data-choice": choice.number, onclick: () => this.go([...this.take, String(choice.number)]) },
      choice.detail, choice.changes ? null : make("small", {}, " (changes nothing)")))));
    this.menu.replaceChildren(...(boxes.length > 0 ? boxes : [make("p", {}, "Nothing can happen any more.")]));
  }

  drawTaken(told, steps) {
    this.taken.replaceChildren(...told.map((step, place) => make("li", { class: step.violates.length > 0 ? "blamed" : "" },
      make("button", { type: "button", class: "step", title: "Go back to the state after this step",
        onclick: () => this.go(this.take.slice(0, place + 1)) }, step.detail),
      ...step.why.slice(0, 4).map((why) => make("div", { class: "why" }, why)),
      steps[place].scheduling ? schedulingTable(steps[place].scheduling) : null,
      step.causes.length > 0 ? make("div", { class: "causes" }, `needs ${step.causes.join(", ")}`) : null,
      ...step.violates.map((intent) => make("div", { class: "violated" }, `violates ${intent}`)))));
    this.taken.scrollTop = this.taken.scrollHeight;
  }
}
