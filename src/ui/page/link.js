// What the page shows, in the address: so that it can be sent to somebody, and "back" works. Files
// that were edited travel in it, packed.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function pack(value) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
}

function isFile(file) {
  return file && typeof file.name === "string" && typeof file.text === "string";
}

// A run to compare with, as somebody's link has it; null: it is none.
function runOf(value) {
  const { files, setup, take, every, sizes, unit } = value || {};
  const good = Array.isArray(files) && files.every((file) => typeof file === "string" || isFile(file)) && Array.isArray(take) &&
    [setup, sizes, unit || "", ...take].every((text) => typeof text === "string") && typeof every === "boolean";
  return good ? { files, setup, take, every, sizes, unit: unit || "" } : null;
}

async function unpackOr(otherwise, text) {
  try {
    return text ? await unpack(text) : otherwise;
  } catch {
    return otherwise; // a link that was cut: the rest of it still says something
  }
}

// {view, file, setup, take: [numbers], every, unit, edited: [{name, text}], run: of What if, see what_if.js}
export async function writeLink(state) {
  const parts = new URLSearchParams();
  parts.set("view", state.view);
  if (state.file) parts.set("file", state.file);
  if (state.setup) parts.set("setup", state.setup);
  if (state.take && state.take.length > 0) parts.set("take", state.take.join("."));
  if (state.every) parts.set("every", "1");
  if (state.unit) parts.set("question", state.unit);
  if (state.run) parts.set("run", await pack(state.run));
  if (state.edited && state.edited.length > 0) parts.set("edited", await pack(state.edited));
  return `#${parts}`;
}

export async function readLink(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const take = (parts.get("take") || "").split(".").filter((number) => /^\d+$/.test(number));
  const edited = await unpackOr([], parts.get("edited"));
  return { view: parts.get("view") || "edit", file: parts.get("file") || "", setup: parts.get("setup") || "",
    take, every: parts.has("every"), unit: /^\d+$/.test(parts.get("question") || "") ? parts.get("question") : "", edited: Array.isArray(edited) ? edited.filter(isFile) : [],
    run: runOf(await unpackOr(null, parts.get("run"))) };
}
