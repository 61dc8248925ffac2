// Records of a trace server (mergelogs and spans) as a graph to look at.
//
// Times are microseconds from the earliest span or mergelog, so that they are
// exact as numbers; `origin` is that instant in nanoseconds.

export const SECOND = 1e6;
const NOTHING = new Set();

export function buildModel(records) {
  const spans = records.spans || [];
  const mergelogs = records.mergelogs || [];
  const instants = [];
  for (const span of spans) instants.push(BigInt(span.startTimeUnixNano));
  for (const log of mergelogs) instants.push(BigInt(log.timeUnixNano));
  const origin = instants.reduce((a, b) => (a < b ? a : b), instants[0] ?? 0n);
  const since = (text) => Number(BigInt(text) - origin) / 1000;
  const model = { origin, spans: [], cpids: new Map(), byId: new Map(), services: [], kinds: [] };
  for (const log of mergelogs) {
    const node = cpidOf(model, log.cpid);
    node.known = true;
    node.time = since(log.timeUnixNano);
    for (const source of log.sources) {
      node.sources.push(source);
      cpidOf(model, source).targets.push(log.cpid);
    }
  }
  for (const record of spans) addSpan(model, record, since);
  for (const span of model.spans) linkSpan(model, span);
  model.spans.sort((a, b) => a.start - b.start || a.number - b.number);
  model.end = model.spans.reduce((most, span) => Math.max(most, span.end), 1);
  model.services = orderOfAppearance(model.spans, (span) => span.service);
  model.kinds = [...new Set(model.spans.map((span) => span.kind))].sort();
  return model;
}

function cpidOf(model, cpid) {
  let node = model.cpids.get(cpid);
  if (!node) {
    node = { cpid, sources: [], targets: [], spans: [], known: false, time: 0 };
    model.cpids.set(cpid, node);
  }
  return node;
}

function addSpan(model, record, since) {
  const [kind, ...rest] = (record.object || "").split("/");
  const attributes = record.attributes || {};
  const span = {
    number: model.spans.length,
    id: record.spanId,
    cpid: record.cpid,
    parentId: record.parentId || "",
    service: record.service || "unknown",
    name: record.name || "span",
    object: record.object || "",
    kind: record.object ? kind : "",
    objectName: rest.join("/"),
    start: since(record.startTimeUnixNano),
    end: since(record.endTimeUnixNano),
    read: record.resourceVersionRead || "",
    written: record.resourceVersionWritten || "",
    attributes,
    failure: attributes["cpid.failure"] || "",
    root: attributes["cpid.root"] === true,
    unlisted: attributes["cpid.unlisted"] || 0,
    causes: [],
    effects: [],
    parent: null,
  };
  model.spans.push(span);
  model.byId.set(keyOf(span), span);
  cpidOf(model, span.cpid).spans.push(span);
}

// Of one span, in this model and in those that come after it.
export function keyOf(span) {
  return `${span.cpid} ${span.id}`;
}

function linkSpan(model, span) {
  span.parent = model.byId.get(span.cpid + " " + span.parentId) || null;
  for (const cause of span.attributes["cpid.causes"] || []) {
    const source = model.byId.get(cause.cpid + " " + cause.span);
    if (!source) continue;
    span.causes.push({ span: source, label: cause.label, rule: cause.rule || "" });
    source.effects.push({ span, label: cause.label, rule: cause.rule || "" });
  }
}

function orderOfAppearance(items, key) {
  return [...new Set(items.map(key))];
}

// The CPIDs that can be reached: forward, backward or both ways from one.
export function reach(model, cpid, direction) {
  const found = new Set();
  const walk = (step) => {
    const seen = new Set();
    const stack = [cpid];
    while (stack.length) {
      const next = stack.pop();
      if (seen.has(next)) continue;
      seen.add(next);
      found.add(next);
      stack.push(...step(model.cpids.get(next)));
    }
  };
  if (!model.cpids.has(cpid)) return NOTHING;
  if (direction !== "backward") walk((node) => node.targets);
  if (direction !== "forward") walk((node) => node.sources);
  return found;
}

// In full, or by first digits if these are enough; null: none, "": several.
export function findCpid(model, text) {
  const wanted = text.trim().toLowerCase();
  if (model.cpids.has(wanted)) return wanted;
  const matches = wanted ? [...model.cpids.keys()].filter((cpid) => cpid.startsWith(wanted)) : [];
  if (matches.length === 1) return matches[0];
  return matches.length ? "" : null;
}

// The span that a change began with: the one that is marked so, else the first of those that no
// other span of it caused. Spans come in any order, so their places say nothing.
export function rootSpan(node) {
  const before = (a, b) => Number(b.root) - Number(a.root) || Number(Boolean(a.parent)) - Number(Boolean(b.parent)) ||
    a.start - b.start || (a.id < b.id ? -1 : 1);
  return node.spans.reduce((best, span) => (best === null || before(span, best) < 0 ? span : best), null);
}

// What a change was, in words: the span that it began with, or that of what it was merged from.
export function describeCpid(node) {
  const span = rootSpan(node);
  if (span) return `${span.service}: ${span.name}${span.objectName ? " " + span.objectName : ""}`;
  return node.sources.length ? "merge" : "nothing was recorded under it";
}

// Is the text in the name of who acted, of what was done, or of the object?
export function spanHas(span, text) {
  return `${span.service}\n${span.name}\n${span.object}`.toLowerCase().includes(text.toLowerCase());
}

export function countOf(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function formatTime(microseconds) {
  const size = Math.abs(microseconds);
  if (size >= 1e6) return (microseconds / 1e6).toFixed(3) + " s";
  if (size >= 1e3) return (microseconds / 1e3).toFixed(2) + " ms";
  return microseconds.toFixed(0) + " µs";
}
