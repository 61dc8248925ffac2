// The workbench of `fathom ui`: manifests, what verify says of them, and runs by hand.
import { byId, make } from "../../web/dom.js";
import { askJson, setToken, takeToken } from "./ask.js";
import { Editor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { readLink, writeLink } from "./link.js";
import { ObjectiveView, isObjective } from "./objective.js";
import { Verifier } from "./verifier.js";
import { WhatIf } from "./what_if.js";

const VIEWS = [["edit", "Manifests"], ["verify", "Report"], ["explore", "Explore by hand"], ["what-if", "What if"], ["objective", "Objective"]];
const EMPTY = [{ name: "check.yaml", text: "" }];

class Workbench {
  constructor(files) {
    this.editor = new Editor(files.length > 0 ? files : EMPTY, () => {
      if (this.view === "what-if") this.whatIf.changed();
      this.changed();
    });
    const contents = () => this.editor.contents.filter((file) => file.text.trim() !== "");
    this.explorer = new Explorer(contents, () => this.changed(), (base) => this.ask(base));
    this.verifier = new Verifier(contents, () => this.editor.files[this.editor.at].name, () => this.editor.given, (setup, take, unit) => {
      this.turn("explore", true);
      this.explorer.jump(setup, take, false, unit);
    }, (base) => this.ask(base));
    this.whatIf = new WhatIf(this.editor, () => this.changed());
    this.objective = new ObjectiveView(this.editor);
    this.view = "edit";
    this.written = "";
    this.build();
  }

  build() {
    this.tabs = new Map(VIEWS.map(([view, words]) => [view, make("button", { type: "button", role: "tab", id: `tab-${view}`,
      "aria-controls": `panel-${view}`, onclick: () => this.turn(view) }, words)]));
    const boxes = { edit: this.editor.box, verify: this.verifier.box, explore: this.explorer.box, "what-if": this.whatIf.box, objective: this.objective.box };
    this.panels = new Map(VIEWS.map(([view]) => [view, make("section", { id: `panel-${view}`, role: "tabpanel", "aria-labelledby": `tab-${view}` }, boxes[view])]));
    this.share = make("button", { type: "button", title: "Copy a link to what is shown", onclick: () => this.copy() }, "Copy link");
    this.said = make("span", { id: "status", role: "status" });
    byId("workbench").replaceChildren(
      make("header", {}, make("h1", {}, "Fathom"), make("div", { class: "views", role: "tablist", "aria-label": "Views", onkeydown: (event) => this.key(event) },
        ...this.tabs.values()), make("button", { type: "button", class: "main", onclick: () => this.verify() }, "Verify"), this.share, this.said),
      make("main", {}, ...this.panels.values()));
  }

  key(event) {
    const go = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!go) return;
    const names = [...this.tabs.keys()];
    const next = names[(names.indexOf(this.view) + go + names.length) % names.length];
    this.turn(next);
    this.tabs.get(next).focus();
    event.preventDefault();
  }

  verify() {
    this.turn("verify");
    this.verifier.run();
  }

  // What if something changes about this run?
  ask(base) {
    this.whatIf.begin(base);
    this.turn("what-if");
  }

  // (jumps): the view is about to be told what to show.
  turn(view, jumps) {
    this.view = view;
    for (const [name, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(name === view));
      tab.tabIndex = name === view ? 0 : -1;
      this.panels.get(name).hidden = name !== view;
    }
    if (view === "explore" && !this.explorer.begun && !jumps) this.explorer.go([]);
    if (view === "what-if") this.whatIf.open();
    if (view === "edit") this.panels.get("edit").replaceChildren(this.editor.box);
    if (view === "objective") this.objective.open();
    this.changed();
  }

  get state() {
    const explores = this.view === "explore";
    return { view: this.view, file: this.editor.files[this.editor.at].name, edited: this.editor.edited,
      setup: explores ? this.explorer.setup : "", take: explores ? this.explorer.numbers : [], every: explores && this.explorer.every.checked,
      unit: explores ? this.explorer.unit : "", run: this.view === "what-if" ? this.whatIf.run : null };
  }

  // A step taken is a place to come back to; typing is not.
  async changed() {
    this.tabs.get("objective").hidden = !this.editor.files.some(isObjective);
    const hash = await writeLink(this.state);
    if (hash === this.written || hash === location.hash) return;
    const place = (text) => text.replace(/&edited=[^&]*/, "");
    const same = place(hash) === place(this.written);
    this.written = hash;
    history[same ? "replaceState" : "pushState"](null, "", hash);
  }

  async follow() {
    if (location.hash === this.written) return;
    this.written = location.hash;
    const state = await readLink(location.hash);
    this.editor.take(state.edited);
    if (state.file) this.editor.openNamed(state.file);
    if (state.view === "explore") {
      this.explorer.begun = true;
      this.explorer.jump(state.setup, state.take, state.every, state.unit);
    }
    if (state.view === "what-if" && state.run) this.whatIf.restore(state.run);
    this.turn(this.tabs.has(state.view) ? state.view : "edit");
  }

  async copy() {
    const link = location.origin + location.pathname + await writeLink(this.state);
    try {
      await navigator.clipboard.writeText(link);
      this.said.textContent = "the link is copied";
    } catch {
      this.said.textContent = "the link is in the address bar";
    }
  }
}

function askForToken() {
  const field = make("input", { type: "password", id: "token", autocomplete: "off" });
  byId("workbench").replaceChildren(make("form", { class: "token", onsubmit: (event) => {
    event.preventDefault();
    setToken(field.value);
    begin();
  } }, make("label", { for: "token" }, "The token of the server, from the link that fathom ui printed: "), field, make("button", {}, "Open")));
  field.focus();
}

async function begin() {
  try {
    const workbench = new Workbench(await askJson("/api/files"));
    window.fathom = workbench;
    addEventListener("popstate", () => workbench.follow());
    await workbench.follow();
    if (!location.hash) workbench.turn("edit");
  } catch (error) {
    if (error.status === 401) askForToken();
    else byId("workbench").textContent = error.message;
  }
}

takeToken();
begin();
