// Draws a cluster: zones, nodes with what of them is requested, pods by workload and stage.
import { make } from "../../web/dom.js";

const COLOURS = 8; // of the style sheet
const BUSY_MOST = 40; // nodes that keep a box of their own through a whole run
const PODS_SHOWN = 40; // of a node, or of those that wait

function colourOf(number) {
  return number < 0 ? "none" : String(number % COLOURS);
}

function podBlock(name, stage, workload, workloads, changed) {
  const words = stage ? `${name}, ${stage}` : name;
  return make("span", {
    class: `pod c${colourOf(workload)} ${stage.replace(" ", "-") || "ready"}${changed ? " changed" : ""}`,
    title: `${words}${workload >= 0 ? ` of ${workloads[workload]}` : ""}`,
  }, make("span", { class: "pod-name" }, name), stage ? make("small", {}, ` ${stage}`) : null);
}

// A long list is cut, and what changed is always shown.
function podBlocks(pods, workloads, changes) {
  const shown = pods.filter((pod, place) => place < PODS_SHOWN || changes.has(pod[0]));
  const blocks = shown.map((pod) => podBlock(pod[0], pod[1], pod[2], workloads, changes.has(pod[0])));
  if (shown.length < pods.length)
    blocks.push(make("span", { class: "more" }, ` and ${pods.length - shown.length} more`));
  return blocks;
}

function bar(words, room) {
  const share = room[1] > 0 ? room[0] / room[1] : 0;
  const fill = make("span", { class: "fill" });
  fill.style.width = `${Math.min(100, Math.round(share * 100))}%`;
  return make("span", { class: share > 1 ? "bar over" : "bar", title: words, role: "img", "aria-label": words }, fill);
}

function memoryText(bytes) {
  const units = ["", "Ki", "Mi", "Gi", "Ti"];
  let unit = 0;
  while (unit < units.length - 1 && bytes >= 1024) {
    bytes /= 1024;
    unit++;
  }
  return `${Math.round(bytes * 10) / 10}${units[unit]}`;
}

function nodeBox(node, count, workloads, changes) {
  const classes = ["node", node.condition ? "off" : "", changes.has(node.name) ? "changed" : ""];
  const title = count > 1 ? `${node.name} and ${count - 1} like it` : node.name;
  return make("div", { class: classes.filter(Boolean).join(" "), "data-node": node.name },
    make("strong", {}, title),
    node.condition ? make("em", {}, ` ${node.condition}`) : null,
    bar(`${node.cpu[0]}m of ${node.cpu[1]}m CPU requested`, node.cpu),
    bar(`${memoryText(node.memory[0])} of ${memoryText(node.memory[1])} memory requested`, node.memory),
    make("div", { class: "pods" }, ...podBlocks(node.pods, workloads, changes)));
}

const looks = new WeakMap(); // nodes that a step leaves alone are the same objects

function lookOf(node) {
  let look = looks.get(node);
  if (look === undefined) {
    const pods = node.pods.map((pod) => `${pod[2]} ${pod[1]}`).sort().join("|");
    look = JSON.stringify([node.condition, node.cpu, node.memory, pods]);
    looks.set(node, look);
  }
  return look;
}

// Nodes that look alike are one box with their number. Those that something happens to in the run
// keep a box of their own, so that the picture stays in place; if these are too many for that, only
// those do that this step changes.
function folded(nodes, busy, changes) {
  const boxes = [];
  const alike = new Map();
  const alone = busy.size > BUSY_MOST ? changes : busy;
  for (const node of nodes) {
    const known = alone.has(node.name) ? undefined : alike.get(lookOf(node));
    if (known) {
      known.count++;
      continue;
    }
    const box = { node, count: 1 };
    boxes.push(box);
    if (!alone.has(node.name)) alike.set(lookOf(node), box);
  }
  return boxes;
}

function zoneBox(zone, nodes, busy, workloads, changes) {
  const boxes = folded(nodes, busy, changes).map((box) => nodeBox(box.node, box.count, workloads, changes));
  return make("div", { class: "zone", role: "group", "aria-label": zone ? `zone ${zone}` : "nodes" },
    zone ? make("div", { class: "zone-name" }, `zone ${zone}`) : null,
    make("div", { class: "nodes" }, ...boxes));
}

function waitingBox(workload, workloads, changes) {
  const number = workloads.indexOf(workload.name);
  return make("div", { class: changes.has(workload.name) ? "wanted changed" : "wanted" },
    make("span", { class: `swatch c${colourOf(number)}` }),
    make("span", {}, `${workload.name} wants ${workload.replicas}`),
    ...podBlocks(workload.waiting.map((pod) => [pod, "no node", number]), workloads, changes));
}

export function drawCluster(cluster, busy, workloads, changes) {
  const zones = new Map();
  for (const node of cluster.nodes) {
    const zone = node.zone || "";
    if (!zones.has(zone)) zones.set(zone, []);
    zones.get(zone).push(node);
  }
  return make("div", { class: "picture" },
    make("div", { class: "zones" }, ...[...zones].map(([zone, nodes]) =>
      zoneBox(zone, nodes, busy, workloads, changes))),
    make("div", { class: "wants" }, ...cluster.workloads.map((workload) =>
      waitingBox(workload, workloads, changes))));
}

export function drawLegend(marked = "changed by this step, or what it is about") {
  return make("p", { class: "legend" }, ...["ready", "starting", "bound", "terminating"].map((stage) =>
    make("span", { class: `pod cnone ${stage}` }, make("span", { class: "pod-name" }, stage))),
  make("span", { class: "pod cnone changed" }, marked),
  " The colour of a pod is that of its workload. The bars of a node are CPU and memory requested.");
}
