// The merge graph: which changes went into which. A node is a CPID; arrow keys go
// along its edges, Enter or a click looks at it.

import { make, makeSvg } from "../../web/dom.js";
import { layerNodes } from "./layers.js";
import { countOf, describeCpid, rootSpan } from "./model.js";

const NODE_WIDTH = 190;
const NODE_HEIGHT = 40;
const GAP_X = 46;
const GAP_Y = 12;
const NODES_MOST = 400;

export class MergeView {
  constructor(container, note, onFollow) {
    this.container = container;
    this.note = note;
    this.onFollow = onFollow;
    this.elements = new Map();
  }

  // `cpids` are looked at; sources outside of them are drawn, dashed, too.
  show(model, cpids, focus) {
    const wanted = [...cpids].filter((cpid) => {
      const node = model.cpids.get(cpid);
      return cpid === focus || node.sources.length > 0 || node.targets.length > 0 || cpids.size < 60;
    });
    const shown = new Set(wanted.slice(0, NODES_MOST));
    for (const cpid of [...shown])
      for (const source of model.cpids.get(cpid).sources)
        if (shown.size < NODES_MOST * 1.5) shown.add(source);
    const byTime = [...shown].sort((a, b) => model.cpids.get(a).time - model.cpids.get(b).time);
    const layers = layerNodes(byTime, (cpid) => model.cpids.get(cpid).sources);
    this.note.textContent = wanted.length > NODES_MOST
      ? `the first ${NODES_MOST} of ${wanted.length} CPIDs; look at one of them to see less`
      : countOf(shown.size, "CPID");
    this.model = model;
    this.focus = focus;
    this.cpids = cpids;
    this.draw(layers);
  }

  draw(layers) {
    const place = this.placeNodes(layers);
    const height = Math.max(0, ...[...place.values()].map((at) => at.y)) + NODE_HEIGHT + GAP_Y;
    const width = layers.length * (NODE_WIDTH + GAP_X) + GAP_Y;
    const svg = makeSvg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": "Merge graph: changes from left to right" });
    for (const [cpid, to] of place)
      for (const source of this.model.cpids.get(cpid).sources)
        if (place.has(source)) svg.append(edge(place.get(source), to));
    this.elements.clear();
    for (const [cpid, at] of place) svg.append(this.node(cpid, at));
    this.setTabStop(this.elements.has(this.focus) ? this.focus : place.keys().next().value);
    this.container.replaceChildren(place.size ? svg : make("p", { class: "hint" }, "No changes."));
    const focused = place.get(this.focus);
    const scroller = this.container.parentElement;
    scroller.scrollLeft = focused ? focused.x - scroller.clientWidth / 2 + NODE_WIDTH / 2 : 0;
    scroller.scrollTop = focused ? focused.y - scroller.clientHeight / 2 + NODE_HEIGHT / 2 : 0;
  }

  // As high as the mean of its sources, if what is above it in its layer leaves room.
  placeNodes(layers) {
    const place = new Map();
    layers.forEach((layer, column) => {
      let free = GAP_Y;
      for (const cpid of layer) {
        const sources = this.model.cpids.get(cpid).sources.filter((source) => place.has(source));
        const sum = sources.reduce((total, source) => total + place.get(source).y, 0);
        const y = Math.max(free, sources.length ? sum / sources.length : free);
        place.set(cpid, { x: GAP_Y + column * (NODE_WIDTH + GAP_X), y });
        free = y + NODE_HEIGHT + GAP_Y;
      }
    });
    return place;
  }

  node(cpid, at) {
    const node = this.model.cpids.get(cpid);
    const what = describeCpid(node);
    const kind = node.sources.length ? `merged from ${node.sources.length}` : "root";
    const classes = ["merge-node", node.sources.length ? "" : "root", cpid === this.focus ? "focus" : "",
      this.cpids.has(cpid) ? "" : "outside"].filter(Boolean).join(" ");
    const group = makeSvg("g", { class: classes, role: "button", tabindex: "-1",
      transform: `translate(${at.x} ${at.y})`, "data-cpid": cpid,
      "aria-label": `CPID ${cpid.slice(0, 8)}, ${kind}, ${countOf(node.spans.length, "span")}, ${what}` });
    group.append(makeSvg("title", {}, `${cpid}\n${what}`),
      makeSvg("rect", { width: NODE_WIDTH, height: NODE_HEIGHT, rx: 6 }),
      makeSvg("text", { x: 8, y: 16 }, `${cpid.slice(0, 8)} · ${countOf(node.spans.length, "span")}`),
      makeSvg("text", { x: 8, y: 32, class: "what" }, shorten(shortWhat(node, what), 28)));
    group.addEventListener("click", () => this.onFollow(cpid));
    group.addEventListener("keydown", (event) => this.key(event, cpid));
    this.elements.set(cpid, group);
    return group;
  }

  setTabStop(cpid) {
    for (const [other, element] of this.elements)
      element.setAttribute("tabindex", other === cpid ? "0" : "-1");
  }

  key(event, cpid) {
    const node = this.model.cpids.get(cpid);
    const order = [...this.elements.keys()];
    const near = (list) => list.find((other) => this.elements.has(other));
    const targets = {
      ArrowRight: near(node.targets),
      ArrowLeft: near(node.sources),
      ArrowDown: order[order.indexOf(cpid) + 1],
      ArrowUp: order[order.indexOf(cpid) - 1],
    };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onFollow(cpid);
    } else if (event.key in targets) {
      event.preventDefault();
      if (!targets[event.key]) return;
      this.setTabStop(targets[event.key]);
      this.elements.get(targets[event.key]).focus();
    }
  }
}

function edge(from, to) {
  const x1 = from.x + NODE_WIDTH;
  const y1 = from.y + NODE_HEIGHT / 2;
  const y2 = to.y + NODE_HEIGHT / 2;
  const bend = (to.x - x1) / 2;
  return makeSvg("path", { class: "merge-edge",
    d: `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}` });
}

// There is little room: the object's name goes before its kind and namespace.
function shortWhat(node, what) {
  const span = rootSpan(node);
  if (!span || !span.object) return what;
  const deed = span.name.endsWith(" " + span.kind) ? span.name.slice(0, -span.kind.length - 1) : span.name;
  return `${deed} ${span.objectName.split("/").pop()} (${span.service})`;
}

function shorten(text, most) {
  return text.length > most ? text.slice(0, most - 1) + "…" : text;
}
