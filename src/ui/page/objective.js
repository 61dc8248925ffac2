// A ServiceObjective with a slider for each of its numbers, and the traffic that breaks it as a
// picture that follows: `fathom slo`.
import { make } from "../../web/dom.js";
import { send } from "./ask.js";

const SETTLE_MS = 250;
const NUMBER = /\b([A-Za-z]+): (\d+)(ms|s|m|%)?(?=[\s,}]|$)/g;
const FLOOR = 10; // a slider goes at least so far

export function isObjective(file) {
  return /^kind: *ServiceObjective\b/m.test(file.text);
}

// What the objective may be about; a Check, or another objective, is not.
function isManifest(file) {
  return file.text.trim() !== "" && !/^kind: *(Check|ServiceObjective)\b/m.test(file.text);
}

// Its numbers: name, value, unit, and where in the text it stands.
function numbersOf(text) {
  return [...text.matchAll(NUMBER)].map((found) => ({ name: found[1], value: Number(found[2]), unit: found[3] || "",
    from: found.index + found[1].length + 2, length: found[2].length }));
}

export class ObjectiveView {
  constructor(editor) {
    this.editor = editor;
    this.asked = 0;
    this.timer = 0;
    this.sliders = make("div", { class: "sliders" });
    this.state = make("p", { class: "objective-state", role: "status" });
    this.plot = make("div", { class: "plot" });
    this.box = make("div", { class: "objective" }, this.state, make("div", { class: "columns" }, this.plot, this.sliders));
  }

  get file() {
    return this.editor.files.find(isObjective);
  }

  open() {
    if (!this.file) {
      this.state.textContent = "None of the files is a ServiceObjective.";
      return;
    }
    this.drawSliders();
    this.ask();
  }

  drawSliders() {
    const numbers = numbersOf(this.file.text);
    this.sliders.replaceChildren(...numbers.map((number, place) => {
      const shown = make("output", {}, `${number.value}${number.unit}`);
      const slider = make("input", { type: "range", min: 0, max: Math.max(FLOOR, 3 * number.value), value: number.value,
        "aria-label": number.name, oninput: () => {
          shown.textContent = `${slider.value}${number.unit}`;
          this.set(place, slider.value);
        } });
      return make("label", { class: "slider" }, make("span", {}, number.name), slider, shown);
    }));
  }

  // The number at this place of the text becomes another one.
  set(place, value) {
    const number = numbersOf(this.file.text)[place];
    const { file } = this;
    file.text = file.text.slice(0, number.from) + value + file.text.slice(number.from + number.length);
    this.editor.open(this.editor.at);
    this.editor.onchange();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), SETTLE_MS);
  }

  async ask() {
    const number = ++this.asked;
    this.state.textContent = "asking";
    try {
      const { name } = this.file;
      const files = this.editor.contents.filter((file) => file.name === name || isManifest(file));
      const answer = await send("/api/objective", { files, objective: name });
      if (number === this.asked) this.show(answer);
    } catch (error) {
      if (number === this.asked) this.state.textContent = error.message;
    }
  }

  show(answer) {
    const words = { 0: "no traffic that is allowed breaks the objective", 1: "some traffic breaks the objective", 3: "undecided" };
    this.state.textContent = words[answer.exit] || answer.messages;
    this.state.className = `objective-state ${{ 0: "holds", 1: "violated", 3: "undecided" }[answer.exit] || "violated"}`;
    this.plot.replaceChildren();
    if (!answer.picture) return;
    const parsed = new DOMParser().parseFromString(answer.picture, "image/svg+xml").documentElement;
    if (parsed.localName === "svg") this.plot.append(document.adoptNode(parsed));
  }
}
