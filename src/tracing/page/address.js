// What is looked at, in the address: to be sent to somebody, and for "back". A CPID alone is its own
// address, "#5f0c...".

export function writeAddress(state) {
  const parts = new URLSearchParams();
  if (state.direction !== "forward") parts.set("direction", state.direction);
  if (state.text) parts.set("text", state.text);
  if (state.tab !== "changes") parts.set("tab", state.tab);
  const rest = String(parts);
  const hash = rest && state.focus ? `cpid=${state.focus}&${rest}` : rest || state.focus;
  if (hash !== location.hash.slice(1)) history.pushState(null, "", `#${hash}`);
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
  };
}
