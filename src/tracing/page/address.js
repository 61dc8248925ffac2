// What is looked at, in the address: to be sent to somebody, and for "back". A CPID alone is its own
// address, "#5f0c...".
import { SECOND } from "./model.js";

function addressOf(state) {
  const parts = new URLSearchParams();
  if (state.direction !== "forward") parts.set("direction", state.direction);
  if (state.text) parts.set("text", state.text);
  if (state.tab !== "changes") parts.set("tab", state.tab);
  for (const name of state.hiddenServices) parts.append("without", name);
  for (const name of state.hiddenKinds) parts.append("without-kind", name);
  if (state.from !== null) parts.set("from", String(state.from / SECOND));
  if (state.to !== null) parts.set("to", String(state.to / SECOND));
  if (state.selected) parts.set("span", `${state.selected.cpid} ${state.selected.id}`);
  const rest = String(parts);
  return rest && state.focus ? `cpid=${state.focus}&${rest}` : rest || state.focus;
}

// A place to come back to, or (passing) one that only follows what is shown.
export function writeAddress(state, passing) {
  const hash = addressOf(state);
  if (hash !== location.hash.slice(1)) history[passing ? "replaceState" : "pushState"](null, "", `#${hash}`);
}

function secondsOf(text) {
  const seconds = text === null || text === "" ? NaN : Number(text);
  return Number.isFinite(seconds) ? seconds * SECOND : null;
}

export function readAddress() {
  const hash = location.hash.slice(1);
  const parts = new URLSearchParams(hash.includes("=") ? hash : "");
  const among = (name, values) => (values.includes(parts.get(name)) ? parts.get(name) : values[0]);
  return {
    cpid: hash.includes("=") ? parts.get("cpid") || "" : hash,
    direction: among("direction", ["forward", "backward", "both"]),
    text: parts.get("text") || "",
    tab: among("tab", ["changes", "spans", "objects"]),
    hiddenServices: parts.getAll("without"),
    hiddenKinds: parts.getAll("without-kind"),
    from: secondsOf(parts.get("from")),
    to: secondsOf(parts.get("to")),
    span: parts.get("span") || "",
  };
}
