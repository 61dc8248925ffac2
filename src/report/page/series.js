// What each workload wants and has, step by step: replicas and ready pods, its load, and what its
// autoscaler goes by.
import { make, makeSvg } from "../../web/dom.js";

const WIDTH = 300;
const HEIGHT = 56;
const LEFT = 34;
const PAD = 5;

// A line from step to step; it is broken where there is no value.
function stairs(values, most) {
  const x = (step) => LEFT + (step * (WIDTH - LEFT - PAD)) / Math.max(1, values.length - 1);
  const y = (value) => HEIGHT - PAD - (value * (HEIGHT - 2 * PAD)) / Math.max(1, most);
  let path = "";
  for (let step = 0; step < values.length; step++) {
    const value = values[step];
    if (value === null) continue;
    if (step === 0 || values[step - 1] === null) path += `M${x(step)} ${y(value)}`;
    else if (value !== values[step - 1]) path += `H${x(step)}V${y(value)}`;
    if (step === values.length - 1 || values[step + 1] === null) path += `H${x(step)}`;
  }
  return path;
}

// {name, number, what, line, dashes, words(line, dashes)}
function chart(series) {
  const { line, dashes } = series;
  const most = Math.max(1, ...line, ...dashes);
  const cursor = makeSvg("line", { class: "cursor", y1: PAD, y2: HEIGHT - PAD });
  const value = make("span", { class: "value" });
  const svg = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${series.name}: ${series.what} by step` },
    makeSvg("text", { x: LEFT - 4, y: PAD + 8, "text-anchor": "end" }, String(most)),
    makeSvg("text", { x: LEFT - 4, y: HEIGHT - PAD, "text-anchor": "end" }, "0"),
    makeSvg("path", { class: "wanted-line", d: stairs(dashes, most) }),
    makeSvg("path", { class: "ready-line", d: stairs(line, most) }), cursor);
  const box = make("figure", { class: "series", "data-series": series.what },
    make("figcaption", {}, make("span", { class: `swatch c${series.number % 8}` }), series.name, value), svg);
  return {
    box,
    show(step) {
      const x = LEFT + (step * (WIDTH - LEFT - PAD)) / Math.max(1, line.length - 1);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
      value.textContent = `: ${series.words(line[step], dashes[step])}`;
    },
  };
}

function known(value, unit) {
  return value === null ? "not known" : `${value}${unit}`;
}

function podSeries(name, number, found, clusters) {
  return { name, number, what: "pods wanted and ready", line: clusters.map((cluster) => cluster.ready[number]),
    dashes: found.map((workload) => (workload ? workload.replicas : 0)),
    words: (ready, wanted) => `${ready} ready (line) of ${wanted} wanted (dashes)` };
}

function loadSeries(name, number, found) {
  const numbers = (key) => found.map((workload) => (workload && workload[key] !== undefined ? workload[key] : null));
  return { name, number, what: "CPU used and load", line: numbers("used"), dashes: numbers("load"),
    words: (used, load) => `${known(used, "m")} CPU used (line)${load === null ? "" : `, load ${load}m (dashes)`}` };
}

function metricSeries(name, number, found, place) {
  const metrics = found.map((workload) => (workload && workload.metrics && workload.metrics[place]) || null);
  const first = metrics.find((metric) => metric !== null);
  return { name, number, what: `${first.name} that the autoscaler sees, and its target`,
    line: metrics.map((metric) => (metric && metric.value !== undefined ? metric.value : null)),
    dashes: metrics.map((metric) => (metric ? metric.target : null)),
    words: (value, target) => `${first.name} ${known(value, first.unit)} (line), target ${known(target, first.unit)} (dashes)` };
}

function changes(values) {
  return values.some((value) => value !== values[0]);
}

// Of workloads whose numbers change; all of them would be a wall.
export function makeSeries(clusters, workloads) {
  const all = workloads.flatMap((name, number) => {
    const found = clusters.map((cluster) => cluster.workloads.find((workload) => workload.name === name));
    const metrics = Math.max(0, ...found.map((workload) => (workload && workload.metrics ? workload.metrics.length : 0)));
    return [podSeries(name, number, found, clusters), loadSeries(name, number, found),
      ...Array.from({ length: metrics }, (_, place) => metricSeries(name, number, found, place))];
  });
  return all.filter((series) => changes(series.line) || changes(series.dashes)).map(chart);
}
