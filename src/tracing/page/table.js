// A table of any number of rows: only those in sight are in the document, between
// two spacers. Columns sort; rows are reached with the arrow keys.

import { make } from "../../web/dom.js";

const ROW_HEIGHT = 28;
const AROUND = 12;

export class RowTable {
  // columns: {name, value(row), text(row), number, width}
  constructor(container, caption, columns, onPick) {
    this.columns = columns;
    this.onPick = onPick;
    this.rows = [];
    this.sorted = { column: -1, up: true };
    this.active = 0;
    this.picked = null;
    this.body = make("tbody", {});
    this.heads = columns.map((column, i) => make("th", { scope: "col", class: column.number ? "number" : "" },
      make("button", { type: "button", onclick: () => this.sortBy(i) }, column.name)));
    this.table = make("table", { "aria-label": caption },
      make("colgroup", {}, ...columns.map((column) => make("col", { style: `width:${column.width}` }))),
      make("thead", {}, make("tr", {}, ...this.heads)), this.body);
    this.scroller = make("div", { class: "rows" }, this.table);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.table.addEventListener("keydown", (event) => this.key(event));
    container.replaceChildren(this.scroller);
  }

  show(rows) {
    this.rows = [...rows];
    this.active = 0;
    this.applySort();
    this.scroller.scrollTop = 0;
    this.draw();
  }

  pick(row, reveal) {
    this.picked = row;
    const at = this.rows.indexOf(row);
    if (at >= 0) this.active = at;
    if (at >= 0 && reveal) this.reveal(at);
    this.draw();
  }

  reveal(at) {
    const top = at * ROW_HEIGHT;
    const sight = this.scroller.clientHeight - 2 * ROW_HEIGHT;
    if (top < this.scroller.scrollTop || top > this.scroller.scrollTop + sight)
      this.scroller.scrollTop = Math.max(0, top - sight / 2);
  }

  sortBy(column) {
    const up = this.sorted.column === column ? !this.sorted.up : true;
    this.sorted = { column, up };
    this.applySort();
    this.draw();
  }

  applySort() {
    const { column, up } = this.sorted;
    this.heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== column ? "none" : up ? "ascending" : "descending"));
    if (column < 0) return;
    const value = this.columns[column].value;
    this.rows.sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      const order = typeof left === "number" ? left - right : String(left).localeCompare(String(right));
      return up ? order : -order;
    });
  }

  draw() {
    const sight = this.scroller.clientHeight || 400;
    const from = Math.max(0, Math.floor(this.scroller.scrollTop / ROW_HEIGHT) - AROUND);
    const to = Math.min(this.rows.length, from + Math.ceil(sight / ROW_HEIGHT) + 2 * AROUND);
    const focused = this.body.contains(document.activeElement);
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    this.body.replaceChildren(this.spacer(from), ...this.rows.slice(from, to).map((row, i) =>
      this.row(row, from + i)), this.spacer(this.rows.length - to));
    if (focused) this.focusActive();
  }

  spacer(rows) {
    const cell = make("td", { colSpan: this.columns.length });
    cell.style.height = rows * ROW_HEIGHT + "px";
    return make("tr", { class: "spacer", "aria-hidden": "true" }, cell);
  }

  row(row, index) {
    const cells = this.columns.map((column) => {
      const text = String(column.text(row));
      return make("td", { class: column.number ? "number" : "", title: text }, text);
    });
    return make("tr", { class: row === this.picked ? "picked" : "", "aria-rowindex": index + 2,
      tabIndex: index === this.active ? 0 : -1,
      "aria-selected": row === this.picked ? "true" : "false",
      onclick: () => {
        this.active = index;
        this.onPick(row);
      } }, ...cells);
  }

  key(event) {
    if (!event.target.closest("tbody")) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
      Home: -this.rows.length, End: this.rows.length };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onPick(this.rows[this.active]);
    } else if (event.key in moves) {
      event.preventDefault();
      this.active = Math.min(Math.max(this.active + moves[event.key], 0), this.rows.length - 1);
      this.reveal(this.active);
      this.draw();
      this.focusActive();
    }
  }

  focusActive() {
    const row = this.body.querySelector(`tr[aria-rowindex="${this.active + 2}"]`);
    if (row) row.focus({ preventScroll: true });
  }
}
