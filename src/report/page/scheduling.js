// What the scheduler's filters and scores say of nodes at one of its steps, as a table on demand.
import { make } from "../../web/dom.js";

let opened = false; // it stays open from step to step

function nodes(count) {
  return count === 1 ? "1 node" : `${count} nodes`;
}

// The name of a plugin may be broken between its words, and nowhere else.
function broken(name) {
  return name.split(/(?=[A-Z][a-z])/).flatMap((part, place) => (place > 0 ? [make("wbr"), part] : [part]));
}

function cell(tag, text, properties) {
  return make(tag, properties || {}, text);
}

function filterCell(row, columns) {
  const words = row.plugin ? `${row.plugin}: ${row.reason}` : row.reason;
  return cell("td", words, { class: "refused", colSpan: 2 + columns });
}

function rowOf(row, table) {
  const head = make("th", { scope: "row" }, row.count > 1 ? `${row.nodes} (${row.count} nodes)` : row.nodes,
    row.taken ? make("span", { class: "taken-mark" }, " taken") : row.best ? make("span", { class: "best-mark" }, " as good") : null);
  if (!row.scores) return make("tr", {}, head, filterCell(row, table.plugins.length));
  return make("tr", { class: row.taken ? "taken-row" : "" }, head, cell("td", "passed"),
    ...row.scores.map((score) => cell("td", String(score), { class: "figure" })), cell("td", String(row.total), { class: "figure total" }));
}

export function schedulingTable(table) {
  if (table === null)
    return make("p", { class: "note" }, "What the scheduler says of each node is left out at this step: the page has enough of these tables.");
  const passed = table.rows.reduce((sum, row) => sum + (row.scores ? row.count : 0), 0);
  const refused = table.rows.reduce((sum, row) => sum + (row.scores ? 0 : row.count), 0);
  const heads = ["nodes", "filters", ...table.plugins, "total"].map((words, place) => make("th", { scope: "col",
    class: place > 1 ? "figure" : "" }, ...broken(words)));
  const left = table.leftOut ? `, and ${table.leftOut} more` : "";
  return make("details", { class: "scheduling", open: opened },
    make("summary", { onclick: (event) => { opened = !event.currentTarget.parentElement.open; } }, `filters and scores of the scheduler: ${nodes(passed)} ${passed === 1 ? "passes" : "pass"}, ${nodes(refused)} ${refused === 1 ? "is" : "are"} refused${left}`),
    make("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": "filters and scores of the scheduler" },
      make("table", {}, make("thead", {}, make("tr", {}, ...(passed > 0 ? heads : heads.slice(0, 2)))),
        make("tbody", {}, ...table.rows.map((row) => rowOf(row, table))))));
}
