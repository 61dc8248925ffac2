// Verifies the manifests, tells how far it is, and shows the report that -o html would write.
import { make } from "../../web/dom.js";
import { followLink, prepareRuns, stepShown } from "../../report/page/runs.js";
import { askJson, askText, send } from "./ask.js";

const POLL_MS = [20, 400]; // until there is progress, and at most

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// What the page of a report shows, without its own style and script. The parser runs nothing.
function partsOf(page) {
  const main = page.slice(page.indexOf("<main>"), page.lastIndexOf("</main>"));
  const parsed = new DOMParser().parseFromString(main, "text/html");
  return [...parsed.querySelector("main").childNodes].map((node) => document.adoptNode(node));
}

// As --setup takes it.
function setupText(scale) {
  return Object.entries({ ...scale.nodeGroups, ...scale.workloads }).map(([name, count]) => `${name}=${count}`).join(",");
}

function isControllerCheck(file) {
  return /^kind: *ControllerCheck\b/m.test(file.text);
}

// A ControllerCheck that is open in the editor is verified by itself; the others are no manifests.
function whatToVerify(files, shown) {
  const open = files.find((file) => file.name === shown);
  const others = files.filter((file) => !isControllerCheck(file));
  const controller = (open && isControllerCheck(open)) || others.length === 0;
  return { controller, files: !controller ? others : open && isControllerCheck(open) ? [open] : files.filter(isControllerCheck) };
}

export class Verifier {
  constructor(contents, shown, given, explore, whatIf) {
    this.contents = contents;
    this.shown = shown; // the name of the file in the editor
    this.given = given; // the files before they were edited
    this.explore = explore; // (setup, lines, unit)
    this.whatIf = whatIf; // (base)
    this.verified = []; // the files that the report is about
    this.job = 0;
    this.build();
  }

  build() {
    this.start = make("button", { type: "button", class: "main", onclick: () => this.run() }, "Verify");
    this.stop = make("button", { type: "button", disabled: true, onclick: () => send(`/api/jobs/${this.job}/stop`, {}) }, "Stop");
    this.compare = make("button", { type: "button", title: "What the edits change, as fathom diff tells it", onclick: () => this.askWhatIf() },
      "Compare with the files as given");
    this.interleaving = make("select", { "aria-label": "When periodic controllers act" },
      ...["controllers", "settled", "full", "racing"].map((word) => make("option", { value: word }, word)));
    this.version = make("input", { type: "text", size: 5, placeholder: "1.36", "aria-label": "Kubernetes version" });
    this.timeout = make("input", { type: "text", size: 4, value: "2m", "aria-label": "Time to take" });
    this.heatmap = make("input", { type: "checkbox" });
    this.progress = make("p", { class: "progress", role: "status" }, "Nothing has been verified yet: press Verify.");
    this.messages = make("pre", { class: "messages", hidden: true });
    this.report = make("div", { class: "report" });
    this.report.addEventListener("click", (event) => this.follow(event));
    this.box = make("div", { class: "verifier" },
      make("div", { class: "bar-of-tools" }, this.start, this.stop, this.compare,
        make("label", {}, "Kubernetes ", this.version), make("label", {}, "interleaving ", this.interleaving),
        make("label", {}, "time ", this.timeout), make("label", {}, this.heatmap, " all sizes")),
      this.progress, this.messages, this.report);
  }

  // Links of the report are places in it: the address is the workbench's.
  follow(event) {
    const link = event.target.closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    followLink(this.report, decodeURIComponent(link.getAttribute("href").slice(1)));
  }

  async run() {
    this.start.disabled = true;
    this.stop.disabled = false;
    this.report.replaceChildren();
    this.messages.hidden = true;
    this.progress.textContent = "started";
    try {
      const { files, controller } = whatToVerify(this.contents(), this.shown());
      if (files.length === 0) throw new Error("There is nothing to verify yet: the manifests are empty.");
      this.verified = files;
      const { job } = await send("/api/verify", { files, controller, kubernetesVersion: this.version.value,
        interleaving: this.interleaving.value, timeout: this.timeout.value, heatmap: this.heatmap.checked });
      this.job = job;
      this.show(await this.wait(job));
    } catch (error) {
      this.progress.textContent = error.message;
    }
    this.start.disabled = false;
    this.stop.disabled = true;
  }

  // What if: the outcomes before and after what was edited.
  async askWhatIf() {
    this.compare.disabled = true;
    this.progress.className = "progress";
    this.progress.textContent = "comparing";
    this.messages.hidden = true;
    try {
      const answer = await send("/api/compare", { before: this.given(), files: this.contents(), kubernetesVersion: this.version.value });
      this.progress.textContent = { 0: "the edits change nothing", 1: "the edits change what happens", 3: "undecided" }[answer.exit] || "they cannot be compared";
      this.messages.textContent = answer.messages;
      this.messages.hidden = !answer.messages;
      this.report.replaceChildren(make("pre", { class: "comparison" }, answer.text || ""));
    } catch (error) {
      this.progress.textContent = error.message;
    }
    this.compare.disabled = false;
  }

  async wait(job) {
    for (let wait = POLL_MS[0]; ;) {
      const answer = await askJson(`/api/jobs/${job}`);
      if (answer.progress) this.progress.textContent = answer.progress;
      if (answer.state === "done") return answer;
      await pause(wait);
      if (answer.progress) wait = Math.min(POLL_MS[1], wait * 1.5);
    }
  }

  async show(answer) {
    const words = { 0: "everything holds", 1: "something is violated", 2: "the manifests are not as they should be", 3: "undecided" };
    this.progress.textContent = words[answer.exit] || `ended with ${answer.exit}`;
    this.progress.className = `progress ${{ 0: "holds", 1: "violated", 2: "violated", 3: "undecided" }[answer.exit] || ""}`;
    this.messages.textContent = answer.messages;
    this.messages.hidden = !answer.messages;
    if (![0, 1, 3].includes(answer.exit)) return;
    this.report.replaceChildren(...partsOf(await askText(`/api/jobs/${this.job}/page`)));
    prepareRuns(this.report);
    this.offerExploring(await askJson(`/api/jobs/${this.job}/report`));
  }

  // A counterexample can be gone on from, at the step that is shown. That of a question has events that
  // the manifests alone do not have: its number goes with it. Of several Checks none is meant.
  offerExploring(report) {
    const violated = (report.intents || []).filter((intent) => intent.trace && intent.scale);
    for (const section of this.report.querySelectorAll(".run:has(> .run-data)")) {
      const details = [...section.querySelectorAll("li[data-step] .detail")].map((detail) => detail.textContent);
      const intent = violated.find((each) => each.trace.length === details.length &&
        each.trace.every((step, place) => step.detail === details[place]));
      if (!intent) continue;
      const unit = intent.question ? String(intent.unit + 1) : "";
      const setup = setupText(intent.scale);
      const lines = (count) => intent.trace.slice(0, count).map((step) => `${step.choice + 1} ${step.detail}`);
      const shown = () => (stepShown(section) < 0 ? intent.trace.length : stepShown(section));
      section.before(make("p", {},
        make("button", { type: "button", class: "explore-from", onclick: () => this.explore(setup, lines(shown()), unit) },
          "Explore from the step that is shown"), " ",
        make("button", { type: "button", class: "ask-what-if", title: "This run with other manifests, beside this one",
          onclick: () => this.whatIf({ files: this.verified, setup, take: lines(intent.trace.length), every: false, unit }) }, "What if")));
    }
  }
}
