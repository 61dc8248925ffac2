// The run as a line: where events come, where it stands, and how a loop goes back.
import { makeSvg } from "../../web/dom.js";

const TRACK_WIDTH = 600;
const TRACK_HEIGHT = 34;
const TRACK_PAD = 8;
const LINE_Y = 26;
const DOTS_MOST = 120;

export class Track {
  constructor(count, loopFrom, events, pick) {
    this.count = count;
    this.here = makeSvg("circle", { class: "here", cy: LINE_Y, r: 5 });
    const words = loopFrom === null ? `${count} steps` : `${count} steps; after the last one it goes on with step ${loopFrom + 1}, for ever`;
    this.svg = makeSvg("svg", { class: "track", viewBox: `0 0 ${TRACK_WIDTH} ${TRACK_HEIGHT}`, role: "img", "aria-label": words },
      makeSvg("line", { x1: this.x(0), x2: this.x(count), y1: LINE_Y, y2: LINE_Y }));
    if (loopFrom !== null) this.svg.append(...this.loop(loopFrom));
    if (count <= DOTS_MOST)
      for (let step = 1; step <= count; step++)
        this.svg.append(makeSvg("circle", { class: events.has(step) ? "event-dot" : "dot", cx: this.x(step), cy: LINE_Y, r: events.has(step) ? 4 : 2 }));
    this.svg.append(this.here);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * TRACK_WIDTH;
      pick(Math.round(((at - TRACK_PAD) / (TRACK_WIDTH - 2 * TRACK_PAD)) * count));
    });
  }

  x(step) {
    return TRACK_PAD + (step * (TRACK_WIDTH - 2 * TRACK_PAD)) / Math.max(1, this.count);
  }

  // From the end back to the state that the loop begins in.
  loop(from) {
    const [left, right] = [this.x(from), this.x(this.count)];
    const top = 4;
    return [
      makeSvg("path", { class: "loop-line", d: `M${right} ${LINE_Y}C${right} ${top} ${left} ${top} ${left} ${LINE_Y - 3}` }),
      makeSvg("path", { class: "loop-head", d: `M${left - 4} ${LINE_Y - 9}L${left} ${LINE_Y - 2}L${left + 4} ${LINE_Y - 9}Z` }),
      makeSvg("line", { class: "loop-line", x1: left, x2: right, y1: LINE_Y, y2: LINE_Y }),
    ];
  }

  show(step) {
    this.here.setAttribute("cx", this.x(step));
  }
}
