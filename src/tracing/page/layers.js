// A layered drawing of a directed graph without cycles: every node is one layer
// after its latest source (longest path), and within a layer nodes are ordered by
// the mean place of their neighbours, a few times there and back.

const SWEEPS = 6;

export function layerNodes(nodes, sourcesOf) {
  const layerOf = new Map();
  const present = new Set(nodes);
  const visit = (start) => {
    const stack = [start];
    while (stack.length) {
      const node = stack[stack.length - 1];
      const sources = sourcesOf(node).filter((source) => present.has(source));
      const waiting = sources.find((source) => !layerOf.has(source));
      if (waiting !== undefined && !stack.includes(waiting)) {
        stack.push(waiting);
        continue;
      }
      const deepest = Math.max(-1, ...sources.map((source) => layerOf.get(source) ?? -1));
      if (!layerOf.has(node)) layerOf.set(node, deepest + 1);
      stack.pop();
    }
  };
  nodes.forEach(visit);
  const layers = [];
  for (const node of nodes) (layers[layerOf.get(node)] ||= []).push(node);
  orderLayers(layers, nodes, sourcesOf, present);
  return layers;
}

function orderLayers(layers, nodes, sourcesOf, present) {
  const targets = new Map(nodes.map((node) => [node, []]));
  for (const node of nodes)
    for (const source of sourcesOf(node)) if (present.has(source)) targets.get(source).push(node);
  const place = new Map();
  const number = () => layers.forEach((layer) => layer.forEach((node, i) => place.set(node, i)));
  const sweep = (order, neighboursOf) => {
    for (const layer of order) {
      const mean = new Map(layer.map((node) => {
        const near = neighboursOf(node).filter((other) => present.has(other));
        const sum = near.reduce((total, other) => total + place.get(other), 0);
        return [node, near.length ? sum / near.length : place.get(node)];
      }));
      layer.sort((a, b) => mean.get(a) - mean.get(b) || place.get(a) - place.get(b));
      layer.forEach((node, i) => place.set(node, i));
    }
  };
  number();
  for (let i = 0; i < SWEEPS; i++) {
    sweep(layers, sourcesOf);
    sweep([...layers].reverse(), (node) => targets.get(node));
  }
}
