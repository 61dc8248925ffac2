// The dashboard of `fathom trace`: what a change set in motion.
//
// One state, shown by views that know nothing of each other: a flame graph, the
// merge graph, three tables and the details of one span.

import { byId, make, say } from "../../web/dom.js";
import { readAddress, writeAddress } from "./address.js";
import { Filters } from "./filters.js";
import { buildModel, countOf, describeCpid, findCpid, formatTime, keyOf, reach, spanHas } from "./model.js";
import { FlameGraph } from "./flame.js";
import { MergeView } from "./merge_view.js";
import { RowTable } from "./table.js";
import { showDetails } from "./details.js";
import { Unauthorized, embeddedRecords, serverRecords, useToken } from "./source.js";

const state = {
  model: buildModel({ spans: [], mergelogs: [] }),
  focus: "", // a CPID; "": all
  direction: "forward",
  text: "", // only spans that have it in their names
  tab: "changes",
  hiddenServices: new Set(),
  hiddenKinds: new Set(),
  from: null, // microseconds
  to: null,
  selected: null,
  partial: false, // the server has more than was loaded
};

const filters = new Filters(state, () => {
  filters.draw();
  refresh();
  writeAddress(state);
});
const flame = new FlameGraph(byId("flame"), byId("tip"), (span, how) => select(span, how));
const merges = new MergeView(byId("merges"), byId("merge-note"), (cpid) => follow(cpid));
const changeTable = new RowTable(byId("changes-panel"), "Changes from outside", [
  column("When", "9em", (node) => node.time, (node) => formatTime(node.time), true),
  column("What", "auto", describeCpid, describeCpid),
  column("Spans", "7em", (node) => node.spans.length, (node) => node.spans.length, true),
  column("CPID", "24em", (node) => node.cpid, (node) => node.cpid),
], (node) => follow(node.cpid));
const spanTable = new RowTable(byId("spans-panel"), "Spans", [
  column("When", "9em", (span) => span.start, (span) => formatTime(span.start), true),
  column("Took", "8em", (span) => span.end - span.start, (span) => formatTime(span.end - span.start), true),
  column("Controller", "15em", (span) => span.service, (span) => span.service),
  column("Did", "14em", (span) => span.name, (span) => span.name),
  column("To", "auto", (span) => span.objectName, (span) => span.objectName),
  column("Causes", "10em", causeOrder, causeText),
  column("CPID", "7em", (span) => span.cpid, (span) => span.cpid.slice(0, 8)),
], (span) => select(span));
const objectTable = new RowTable(byId("objects-panel"), "Objects touched", [
  column("Kind", "14em", (row) => row.kind, (row) => row.kind),
  column("Name", "auto", (row) => row.name, (row) => row.name),
  column("Spans", "7em", (row) => row.spans.length, (row) => row.spans.length, true),
  column("First", "9em", (row) => row.first, (row) => formatTime(row.first), true),
  column("Last", "9em", (row) => row.last, (row) => formatTime(row.last), true),
  column("By", "26em", (row) => row.services.join(", "), (row) => row.services.join(", ")),
], (row) => select(row.spans[0]));

function column(name, width, value, text, number) {
  return { name, width, value, text, number: Boolean(number) };
}

function causeOrder(span) {
  return span.causes.length;
}

// The strongest label that a span's causes have, and how many there are.
function causeText(span) {
  if (span.root) return "root";
  if (!span.causes.length) return "";
  const best = ["exact", "owner", "time-window"].find((label) =>
    span.causes.some((cause) => cause.label === label));
  return span.causes.length > 1 ? `${span.causes.length}, ${best}` : best;
}

// ---- what is looked at ----

function visibleCpids() {
  if (!state.focus) return new Set(state.model.cpids.keys());
  return reach(state.model, state.focus, state.direction);
}

function visibleSpans(cpids) {
  return state.model.spans.filter((span) => cpids.has(span.cpid) &&
    (!state.text || spanHas(span, state.text)) && filters.has(span));
}

function objectsOf(spans) {
  const rows = new Map();
  for (const span of spans) {
    if (!span.object) continue;
    let row = rows.get(span.object);
    if (!row) {
      row = { kind: span.kind, name: span.objectName, spans: [], first: span.start, last: span.end,
        services: [] };
      rows.set(span.object, row);
    }
    row.spans.push(span);
    row.last = Math.max(row.last, span.end);
    if (!row.services.includes(span.service)) row.services.push(span.service);
  }
  return [...rows.values()];
}

// (keeps): more of the same came, so the part of time that is looked at stays.
function refresh(keeps) {
  const cpids = visibleCpids();
  const spans = visibleSpans(cpids);
  if (state.selected && !spans.includes(state.selected)) state.selected = null;
  flame.show(spans, state.model.services, keeps);
  flame.select(state.selected, false);
  byId("flame-note").textContent = `${countOf(flame.layout.bands.length, "band")}${flame.cut ? ", scroll to see all" : ""}`;
  merges.show(state.model, cpids, state.focus);
  const roots = [...state.model.cpids.values()].filter((node) => node.known && !node.sources.length);
  changeTable.show(roots.sort((a, b) => a.time - b.time));
  changeTable.pick(state.model.cpids.get(state.focus) || null, false);
  spanTable.show(spans);
  objectTable.show(objectsOf(spans));
  if (!state.selected)
    byId("details").replaceChildren(make("p", { class: "hint" }, "Nothing is selected: click a span, or a row of a table."));
  const what = state.focus
    ? `${countOf(cpids.size, "CPID")} ${{ forward: "that came of", backward: "that led to", both: "around" }[state.direction]} ${state.focus}`
    : countOf(cpids.size, "CPID");
  const having = state.text ? ` with "${state.text}"` : "";
  say(`${countOf(spans.length, "span")}${having}, ${what}${state.partial ? "; the server has more, look at one change to see all of it" : ""}.`);
}

// {open}: its details get the focus; {passing}: on the way to another one.
function select(span, { open, passing } = {}) {
  state.selected = span;
  flame.select(span, true);
  spanTable.pick(span, true);
  describe(span);
  writeAddress(state, passing);
  say(`${span.service}: ${span.name} ${span.objectName}, ${formatTime(span.start)}, ` +
    `${countOf(span.causes.length, "cause")}, ${countOf(span.effects.length, "effect")}.`);
  if (open) byId("details-title").focus();
}

function describe(span) {
  showDetails(byId("details"), state.model, span, (other) => reveal(state.model.byId.get(keyOf(other)) || other), follow);
}

// A span that may be outside of what is looked at: then look at everything.
function reveal(span) {
  if (!visibleSpans(visibleCpids()).includes(span)) {
    filters.clear();
    state.focus = state.text = "";
    byId("cpid").value = "";
    refresh();
  }
  select(span);
}

async function follow(cpid) {
  state.focus = cpid;
  state.text = "";
  byId("cpid").value = cpid;
  if (state.partial) await load(cpid).catch(() => {});
  refresh();
  writeAddress(state);
}

// Only what has the text in the name of an object, a controller or a user.
function look(text) {
  state.focus = "";
  state.text = text;
  byId("cpid").value = text;
  refresh();
  writeAddress(state);
}

// As the address says: at first, and when the browser goes back.
async function restore() {
  const asked = readAddress();
  const found = findCpid(state.model, asked.cpid) || (state.partial && asked.cpid) || "";
  const known = found === state.focus;
  state.direction = asked.direction;
  state.text = asked.text;
  state.focus = found;
  byId("cpid").value = found || asked.text;
  document.querySelector(`#direction input[value="${asked.direction}"]`).checked = true;
  filters.set(asked);
  showTab(asked.tab);
  if (state.partial && found && !known) await load(found).catch(() => {});
  state.selected = state.model.byId.get(asked.span) || null;
  refresh();
  if (state.selected) {
    flame.select(state.selected, true);
    spanTable.pick(state.selected, true);
    describe(state.selected);
  }
}

// ---- controls ----

function adopt(records) {
  const chosen = state.selected && keyOf(state.selected);
  state.model = buildModel(records);
  state.partial ||= Boolean(records.truncated);
  state.selected = (chosen && state.model.byId.get(chosen)) || null;
  filters.draw();
  const nodes = [...state.model.cpids.values()].filter((node) => node.spans.length).slice(0, 500);
  byId("cpids").replaceChildren(...nodes.map((node) =>
    make("option", { value: node.cpid, label: describeCpid(node) })));
}

async function load(cpid) {
  try {
    adopt(await serverRecords(cpid));
    byId("token-form").hidden = true;
  } catch (error) {
    if (error instanceof Unauthorized) byId("token-form").hidden = false;
    say(error.message);
    throw error;
  }
}

// New records are looked for every few seconds; what is chosen and filtered stays.
const LIVE_MS = 2000;
let liveTimer = 0;

async function lookAgain() {
  const records = await serverRecords(state.partial ? state.focus : "");
  if (records.spans.length === state.model.spans.length && records.mergelogs.length <= state.model.cpids.size) return;
  adopt(records);
  refresh(true);
  if (state.selected && !byId("details").contains(document.activeElement)) describe(state.selected);
}

function setLive(on) {
  clearInterval(liveTimer);
  liveTimer = on ? setInterval(() => lookAgain().catch((error) => say(error.message)), LIVE_MS) : 0;
}

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").setAttribute("aria-pressed", String(dark));
  flame.draw();
}

const TABS = ["changes", "spans", "objects"];

function showTab(name, focus) {
  TABS.forEach((each) => {
    const tab = byId(`${each}-tab`);
    tab.setAttribute("aria-selected", String(each === name));
    tab.tabIndex = each === name ? 0 : -1;
    byId(`${each}-panel`).hidden = each !== name;
  });
  state.tab = name;
  [changeTable, spanTable, objectTable][TABS.indexOf(name)].draw();
  if (focus) byId(`${name}-tab`).focus();
}

function turnTo(name, focus) {
  showTab(name, focus);
  writeAddress(state);
}

function listenToTabs() {
  TABS.forEach((name, i) => {
    byId(`${name}-tab`).addEventListener("click", () => turnTo(name, false));
    byId(`${name}-tab`).addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by) turnTo(TABS[(i + by + TABS.length) % TABS.length], true);
    });
  });
}

function listen() {
  listenToTabs();
  byId("search").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = byId("cpid").value;
    const found = findCpid(state.model, text);
    if (!text.trim()) follow("");
    else if (found) follow(found);
    else if (found === "") say(`Several CPIDs begin with "${text}".`);
    else if (state.model.spans.some((span) => spanHas(span, text.trim()))) look(text.trim());
    else if (state.partial && /^[0-9a-f-]+$/i.test(text.trim())) await follow(text.trim().toLowerCase());
    else say(`No CPID begins with "${text}", and no object, controller or user has it in its name` +
      `${state.partial ? ", as far as spans were loaded" : ""}.`);
  });
  byId("all").addEventListener("click", () => follow(""));
  byId("direction").addEventListener("change", (event) => {
    state.direction = event.target.value;
    refresh();
    writeAddress(state);
  });
  byId("zoom-in").addEventListener("click", () => flame.zoom(1.6));
  byId("zoom-out").addEventListener("click", () => flame.zoom(1 / 1.6));
  byId("zoom-fit").addEventListener("click", () => flame.fit());
  byId("theme").addEventListener("click", () =>
    setTheme(document.documentElement.dataset.theme !== "dark"));
  byId("token-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    useToken(byId("token").value);
    await load("").then(restore, () => {});
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    turnTo("spans", false);
    byId("spans-panel").focus();
  });
  byId("live").addEventListener("change", (event) => setLive(event.target.checked));
  window.addEventListener("hashchange", () => restore());
  window.addEventListener("resize", () => flame.draw());
  window.addEventListener("keydown", (event) => {
    if (event.key === "Escape") byId("filters").open = false;
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) =>
    setTheme(event.matches));
}

async function start() {
  listen();
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
  const records = embeddedRecords();
  if (records) adopt(records);
  else await load("").catch(() => {});
  byId("live-label").hidden = Boolean(records);
  await restore();
}

window.fathom = { state, flame }; // for scripts and tests
start();
