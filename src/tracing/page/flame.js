// The flame graph: spans over time on a canvas, a band for each controller.
//
// Only what can be seen is drawn, and spans narrower than a pixel beside others are
// drawn once, so that many thousands are no burden. What the mouse can do,
// keys can, too; the table of spans holds the same for who cannot see it.

import { colourOf } from "./colours.js";
import { layOut } from "./lanes.js";
import { formatTime } from "./model.js";

const ROW = 22;
const BAND_GAP = 8;
const AXIS = 24;
const NAMES = 168;
const LEAST_WIDTH = 3;

export class FlameGraph {
  constructor(canvas, tip, onSelect) {
    this.canvas = canvas;
    this.tip = tip;
    this.onSelect = onSelect;
    this.spans = [];
    this.layout = { bands: [], rowOf: new Map(), rows: 0 };
    this.view = [0, 1];
    this.extent = [0, 1];
    this.selected = null;
    this.drag = null;
    this.fitted = true; // until somebody zooms or moves
    this.listen();
  }

  show(spans, services, keeps) {
    this.spans = spans;
    this.layout = layOut(spans, services);
    const first = spans.reduce((least, span) => Math.min(least, span.start), Infinity);
    const last = spans.reduce((most, span) => Math.max(most, span.end), -Infinity);
    this.extent = spans.length ? [first, Math.max(last, first + 1)] : [0, 1];
    if (keeps && !this.fitted) this.draw();
    else this.fit();
  }

  fit() {
    const margin = (this.extent[1] - this.extent[0]) * 0.02;
    this.fitted = true;
    this.view = [this.extent[0] - margin, this.extent[1] + margin];
    this.draw();
  }

  look(from, to) {
    this.fitted = false;
    this.view = [from, to];
  }

  select(span, reveal) {
    this.selected = span;
    if (reveal && span && (span.end < this.view[0] || span.start > this.view[1])) {
      const half = (this.view[1] - this.view[0]) / 2;
      this.look(span.start - half, span.start + half);
    }
    this.draw();
    if (reveal && span) this.scrollTo(span);
  }

  // Are there bands below those in sight?
  get cut() {
    return this.canvas.parentElement.clientHeight < this.height;
  }

  scrollTo(span) {
    const box = this.boxOf(span);
    const scroller = this.canvas.parentElement;
    if (!box) return;
    if (box.y < scroller.scrollTop + AXIS) scroller.scrollTop = box.y - AXIS;
    else if (box.y + ROW > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = box.y + ROW - scroller.clientHeight;
  }

  zoom(factor, around) {
    const [from, to] = this.view;
    const centre = around ?? (this.selected ? this.selected.start : (from + to) / 2);
    const width = Math.max((to - from) / factor, 1);
    const widest = (this.extent[1] - this.extent[0]) * 1.5;
    const share = (centre - from) / (to - from);
    const next = Math.min(width, widest);
    this.look(centre - share * next, centre + (1 - share) * next);
    this.draw();
  }

  pan(share) {
    const shift = (this.view[1] - this.view[0]) * share;
    this.look(this.view[0] + shift, this.view[1] + shift);
    this.draw();
  }

  // ---- drawing ----

  xOf(time) {
    return NAMES + ((time - this.view[0]) / (this.view[1] - this.view[0])) * (this.width - NAMES);
  }

  timeAt(x) {
    return this.view[0] + ((x - NAMES) / (this.width - NAMES)) * (this.view[1] - this.view[0]);
  }

  bandTop(band) {
    return AXIS + band.top * ROW + this.layout.bands.indexOf(band) * BAND_GAP;
  }

  boxOf(span) {
    const band = this.layout.bands.find((one) => one.service === span.service);
    const row = this.layout.rowOf.get(span);
    if (!band || row === undefined) return null;
    const x = this.xOf(span.start);
    return { x, y: this.bandTop(band) + row * ROW, width: Math.max(this.xOf(span.end) - x, LEAST_WIDTH) };
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = Math.max(this.canvas.parentElement.clientWidth, 320);
    this.height = AXIS + this.layout.rows * ROW + this.layout.bands.length * BAND_GAP + 8;
    this.canvas.style.height = this.height + "px";
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
  }

  draw() {
    const context = this.resize();
    const style = getComputedStyle(document.documentElement);
    this.ink = style.getPropertyValue("--ink").trim();
    this.soft = style.getPropertyValue("--soft").trim();
    this.line = style.getPropertyValue("--line").trim();
    this.accent = style.getPropertyValue("--accent").trim();
    this.bad = style.getPropertyValue("--bad").trim();
    this.dark = document.documentElement.dataset.theme === "dark";
    context.clearRect(0, 0, this.width, this.height);
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.drawAxis(context);
    const links = this.links();
    this.drawLinks(context, links);
    for (const band of this.layout.bands) this.drawBand(context, band);
    this.drawHeads(context, links);
  }

  drawAxis(context) {
    const span = this.view[1] - this.view[0];
    const rough = span / Math.max(3, (this.width - NAMES) / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
    context.strokeStyle = this.line;
    context.fillStyle = this.soft;
    context.textAlign = "center";
    for (let t = Math.ceil(this.view[0] / step) * step; t <= this.view[1]; t += step) {
      const x = Math.round(this.xOf(t)) + 0.5;
      if (x < NAMES) continue;
      context.beginPath();
      context.moveTo(x, AXIS - 6);
      context.lineTo(x, this.height);
      context.stroke();
      if (x > NAMES + 24 && x < this.width - 24) context.fillText(axisLabel(t, step), x, 9);
    }
    context.textAlign = "left";
  }

  drawBand(context, band) {
    const top = this.bandTop(band);
    context.save();
    context.beginPath();
    context.rect(0, top, NAMES - 8, ROW);
    context.clip();
    context.fillStyle = this.ink;
    context.fillText(band.service, 4, top + ROW / 2);
    context.restore();
    context.strokeStyle = this.line;
    context.beginPath();
    context.moveTo(0, top - BAND_GAP / 2);
    context.lineTo(this.width, top - BAND_GAP / 2);
    context.stroke();
    context.save();
    context.beginPath();
    context.rect(NAMES, top, this.width - NAMES, band.rows * ROW);
    context.clip();
    const drawn = new Float64Array(band.rows).fill(-1);
    for (const span of band.spans) {
      if (span.end < this.view[0] || span.start > this.view[1]) continue;
      const row = this.layout.rowOf.get(span);
      const box = this.boxOf(span);
      if (box.width <= LEAST_WIDTH && box.x - drawn[row] < 0.5 && span !== this.selected) continue;
      drawn[row] = box.x;
      this.drawSpan(context, span, box);
    }
    context.restore();
  }

  drawSpan(context, span, box) {
    context.fillStyle = colourOf(span.service, this.dark);
    context.fillRect(box.x, box.y + 1, box.width, ROW - 3);
    if (span.failure) {
      context.strokeStyle = this.bad;
      context.lineWidth = 2;
      context.strokeRect(box.x, box.y + 1, box.width, ROW - 3);
    } else if (span.root) {
      context.fillStyle = this.ink;
      context.fillRect(box.x, box.y + 1, 2, ROW - 3);
    }
    if (span === this.selected) {
      context.strokeStyle = this.accent;
      context.lineWidth = 3;
      context.strokeRect(box.x - 1, box.y, box.width + 2, ROW - 1);
    }
    context.lineWidth = 1;
    if (box.width < 26) return;
    context.save();
    context.beginPath();
    context.rect(box.x + 3, box.y, box.width - 6, ROW);
    context.clip();
    context.fillStyle = this.ink;
    context.fillText(span.name, Math.max(box.x, NAMES) + 6, box.y + ROW / 2);
    context.restore();
  }

  // From causes to the selected span, and on to what it caused: from the end of one to the start of
  // the other, or from the start if it was still at it.
  links() {
    if (!this.selected) return [];
    const link = (from, to, label) => {
      const a = this.boxOf(from);
      const b = this.boxOf(to);
      if (!a || !b) return null;
      const x = a.x + a.width <= b.x ? a.x + a.width : a.x + Math.min(a.width, 6);
      return { label, start: [x, a.y + ROW / 2], end: [b.x, b.y + ROW / 2] };
    };
    return [...this.selected.causes.map((cause) => link(cause.span, this.selected, cause.label)),
      ...this.selected.effects.map((effect) => link(this.selected, effect.span, effect.label))].filter(Boolean);
  }

  startLinks(context) {
    context.save();
    context.beginPath();
    context.rect(NAMES, AXIS, this.width - NAMES, this.height);
    context.clip();
    context.strokeStyle = context.fillStyle = this.accent;
    context.lineWidth = 1.6;
  }

  // Behind the spans, whose names stay legible.
  drawLinks(context, links) {
    const dashes = { exact: [], owner: [7, 4], "time-window": [2, 4] };
    this.startLinks(context);
    for (const { label, start, end } of links) {
      const bend = Math.max(30, Math.abs(end[0] - start[0]) / 3);
      context.setLineDash(dashes[label] || []);
      context.beginPath();
      context.moveTo(...start);
      context.bezierCurveTo(start[0] + bend, start[1], end[0] - bend, end[1], ...end);
      context.stroke();
    }
    context.restore();
  }

  drawHeads(context, links) {
    this.startLinks(context);
    for (const { end } of links) {
      context.beginPath();
      context.arc(...end, 3, 0, 7);
      context.fill();
    }
    context.restore();
  }

  // ---- mouse and keys ----

  spanAt(x, y) {
    for (const band of this.layout.bands) {
      const row = Math.floor((y - this.bandTop(band)) / ROW);
      if (row < 0 || row >= band.rows) continue;
      let best = null;
      for (const span of band.spans) {
        if (this.layout.rowOf.get(span) !== row) continue;
        const box = this.boxOf(span);
        if (x >= box.x - 2 && x <= box.x + box.width + 2) best = span;
      }
      return best;
    }
    return null;
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("pointerdown", (event) => {
      this.drag = { x: event.offsetX, view: [...this.view], moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => {
      const moved = this.drag && this.drag.moved;
      this.drag = null;
      if (moved) return;
      const span = this.spanAt(event.offsetX, event.offsetY);
      if (span) this.onSelect(span);
    });
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    canvas.addEventListener("dblclick", (event) => {
      const span = this.spanAt(event.offsetX, event.offsetY);
      if (span) this.zoomTo(span);
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.3 : 1 / 1.3, this.timeAt(event.offsetX));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  zoomTo(span) {
    const width = Math.max(span.end - span.start, 10);
    this.look(span.start - width, span.end + width);
    this.draw();
  }

  move(event) {
    if (this.drag && Math.abs(event.offsetX - this.drag.x) > 3) {
      const [from, to] = this.drag.view;
      const shift = ((this.drag.x - event.offsetX) / (this.width - NAMES)) * (to - from);
      this.drag.moved = true;
      this.look(from + shift, to + shift);
      this.draw();
      return;
    }
    const span = this.spanAt(event.offsetX, event.offsetY);
    this.tip.hidden = !span;
    if (!span) return;
    this.tip.textContent = `${span.service}: ${span.name}\n${span.object}\n` +
      `${formatTime(span.start)}, took ${formatTime(span.end - span.start)}` +
      (span.failure ? `\n${span.failure}` : "");
    const left = Math.min(event.offsetX + 14, this.width - this.tip.offsetWidth - 4);
    this.tip.style.left = Math.max(0, left) + "px";
    this.tip.style.top = event.offsetY + 16 + "px";
  }

  key(event) {
    const bands = this.layout.bands;
    const keys = {
      "+": () => this.zoom(1.6),
      "=": () => this.zoom(1.6),
      "-": () => this.zoom(1 / 1.6),
      0: () => this.fit(),
      PageUp: () => this.pan(-0.5),
      PageDown: () => this.pan(0.5),
      ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.stepBand(bands, 1),
      ArrowUp: () => this.stepBand(bands, -1),
      Home: () => this.pick(this.spans[0]),
      End: () => this.pick(this.spans[this.spans.length - 1]),
      Enter: () => this.selected && this.onSelect(this.selected, { open: true }),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  pick(span) {
    if (!span) return;
    this.onSelect(span, { passing: true });
    this.select(span, true);
  }

  step(by) {
    const band = this.selected &&
      this.layout.bands.find((one) => one.service === this.selected.service);
    const list = band ? band.spans : this.spans;
    const at = this.selected ? list.indexOf(this.selected) : -1;
    this.pick(list[Math.min(Math.max(at + by, 0), list.length - 1)]);
  }

  // The span of the next band that is nearest in time.
  stepBand(bands, by) {
    if (!this.selected) {
      this.pick(this.spans[0]);
      return;
    }
    const at = bands.findIndex((band) => band.service === this.selected.service);
    const band = bands[Math.min(Math.max(at + by, 0), bands.length - 1)];
    const distance = (span) => Math.abs(span.start - this.selected.start);
    this.pick(band.spans.reduce((a, b) => (distance(b) < distance(a) ? b : a)));
  }
}

function axisLabel(time, step) {
  if (step >= 1e6) return (time / 1e6).toFixed(0) + " s";
  if (step >= 1e3) return (time / 1e6).toFixed(Math.min(3, Math.ceil(6 - Math.log10(step)))) + " s";
  return (time / 1e3).toFixed(Math.max(0, Math.ceil(3 - Math.log10(step)))) + " ms";
}
