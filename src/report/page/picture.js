// Draws a cluster: zones, nodes with what of them is requested, pods by workload and stage.
import { make } from "../../web/dom.js";

const COLOURS = 8; // of the style sheet

function colourOf(workload, workloads) {
  const index = workloads.indexOf(workload);
  return index < 0 ? "none" : String(index % COLOURS);
}

function podBlock(name, stage, workload, workloads, changed) {
  const words = stage ? `${name}, ${stage}` : name;
  return make("span", {
    class: `pod c${colourOf(workload, workloads)} ${stage.replace(" ", "-") || "ready"}${changed ? " changed" : ""}`,
    title: `${words}${workload ? ` of ${workload}` : ""}`,
  }, make("span", { class: "pod-name" }, name), stage ? make("small", {}, ` ${stage}`) : null);
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
    make("div", { class: "pods" }, ...node.pods.map((pod) =>
      podBlock(pod[0], pod[1], pod[2], workloads, changes.has(pod[0])))));
}

// Nodes that nothing ever happens to, and that look alike, are one box with their number.
function folded(nodes, busy) {
  const boxes = [];
  const alike = new Map();
  for (const node of nodes) {
    const pods = node.pods.map((pod) => `${pod[2]} ${pod[1]}`).sort().join("|");
    const key = JSON.stringify([node.condition, node.cpu, node.memory, pods]);
    const known = busy.has(node.name) ? undefined : alike.get(key);
    if (known) {
      known.count++;
      continue;
    }
    const box = { node, count: 1 };
    boxes.push(box);
    if (!busy.has(node.name)) alike.set(key, box);
  }
  return boxes;
}

function zoneBox(zone, nodes, busy, workloads, changes) {
  const boxes = folded(nodes, busy).map((box) => nodeBox(box.node, box.count, workloads, changes));
  return make("div", { class: "zone", role: "group", "aria-label": zone ? `zone ${zone}` : "nodes" },
    zone ? make("div", { class: "zone-name" }, `zone ${zone}`) : null,
    make("div", { class: "nodes" }, ...boxes));
}

function waitingBox(workload, workloads, changes) {
  return make("div", { class: "wanted" },
    make("span", { class: `swatch c${colourOf(workload.name, workloads)}` }),
    make("span", {}, `${workload.name} wants ${workload.replicas}`),
    ...workload.waiting.map((pod) => podBlock(pod, "no node", workload.name, workloads, changes.has(pod))));
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
