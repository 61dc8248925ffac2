// How many pods each workload wants and has ready, step by step.
import { make, makeSvg } from "../../web/dom.js";

const WIDTH = 300;
const HEIGHT = 56;
const LEFT = 26;
const PAD = 5;

function stairs(values, most) {
  const x = (step) => LEFT + (step * (WIDTH - LEFT - PAD)) / Math.max(1, values.length - 1);
  const y = (value) => HEIGHT - PAD - (value * (HEIGHT - 2 * PAD)) / Math.max(1, most);
  return values.map((value, step) => (step === 0 ? `M${x(0)} ${y(value)}`
    : value === values[step - 1] ? "" : `H${x(step)}V${y(value)}`)).join("") + `H${x(values.length - 1)}`;
}

function chart(name, number, wanted, ready) {
  const most = Math.max(1, ...wanted, ...ready);
  const cursor = makeSvg("line", { class: "cursor", y1: PAD, y2: HEIGHT - PAD });
  const value = make("span", { class: "value" });
  const svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${name}: pods wanted and ready by step` },
    makeSvg("text", { x: LEFT - 4, y: PAD + 8, "text-anchor": "end" }, String(most)),
    makeSvg("text", { x: LEFT - 4, y: HEIGHT - PAD, "text-anchor": "end" }, "0"),
    makeSvg("path", { class: "wanted-line", d: stairs(wanted, most) }),
    makeSvg("path", { class: "ready-line", d: stairs(ready, most) }), cursor);
  const box = make("figure", { class: "series" }, make("figcaption", {}, make("span", { class: `swatch c${number % 8}` }), name, value), svg);
  return {
    box,
    show(step) {
      const x = LEFT + (step * (WIDTH - LEFT - PAD)) / Math.max(1, wanted.length - 1);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
      value.textContent = `: ${ready[step]} ready (line) of ${wanted[step]} wanted (dashes)`;
    },
  };
}

// Of workloads whose numbers change; all of them would be a wall.
export function makeSeries(clusters, workloads) {
  const charts = [];
  workloads.forEach((name, number) => {
    const wanted = clusters.map((cluster) => {
      const found = cluster.workloads.find((workload) => workload.name === name);
      return found ? found.replicas : 0;
    });
    const ready = clusters.map((cluster) => cluster.ready[number]);
    const changes = (values) => values.some((value) => value !== values[0]);
    if (changes(wanted) || changes(ready)) charts.push(chart(name, number, wanted, ready));
  });
  return charts;
}
