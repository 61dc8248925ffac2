// Which controllers, kinds and times are shown: the boxes of the filter.
import { byId, make } from "../../web/dom.js";
import { SECOND } from "./model.js";

function fillBoxes(container, names, hidden, onchange) {
  container.replaceChildren(...names.map((name) => make("label", { title: name },
    make("input", { type: "checkbox", checked: !hidden.has(name), onchange: (event) => {
      if (event.target.checked) hidden.delete(name);
      else hidden.add(name);
      onchange();
    } }), ` ${name || "(no object)"}`)));
}

export class Filters {
  constructor(state, onchange) {
    this.state = state;
    this.onchange = onchange;
    for (const [id, field] of [["time-from", "from"], ["time-to", "to"]])
      byId(id).addEventListener("change", (event) => {
        state[field] = event.target.value === "" ? null : Number(event.target.value) * SECOND;
        onchange();
      });
    byId("clear-filters").addEventListener("click", () => {
      this.clear();
      onchange();
    });
  }

  // The boxes as the state has them; records that came may have brought others.
  draw() {
    const { state } = this;
    fillBoxes(byId("service-boxes"), state.model.services, state.hiddenServices, this.onchange);
    fillBoxes(byId("kind-boxes"), state.model.kinds, state.hiddenKinds, this.onchange);
    byId("time-from").value = state.from === null ? "" : String(state.from / SECOND);
    byId("time-to").value = state.to === null ? "" : String(state.to / SECOND);
    const count = state.hiddenServices.size + state.hiddenKinds.size + Number(state.from !== null) + Number(state.to !== null);
    byId("filters").firstElementChild.textContent = count > 0 ? `Filter (${count})` : "Filter";
  }

  set({ hiddenServices, hiddenKinds, from, to }) {
    Object.assign(this.state, { hiddenServices: new Set(hiddenServices), hiddenKinds: new Set(hiddenKinds), from, to });
    this.draw();
  }

  clear() {
    this.set({ hiddenServices: [], hiddenKinds: [], from: null, to: null });
  }

  has(span) {
    const { state } = this;
    return !state.hiddenServices.has(span.service) && !state.hiddenKinds.has(span.kind) &&
      (state.from === null || span.end >= state.from) && (state.to === null || span.start <= state.to);
  }
}
