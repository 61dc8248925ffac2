// Requests to the server. The token comes in the link that `fathom ui` prints, after the #, which
// browsers do not send; it is kept for the tab, and taken out of the address.

const TOKEN_KEY = "fathom-token";

export function takeToken() {
  const found = /(?:^#|&)token=([^&]*)/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(TOKEN_KEY, decodeURIComponent(found[1]));
  const rest = location.hash.replace(/(^#|&)token=[^&]*/, "$1").replace(/^#&/, "#");
  history.replaceState(null, "", location.pathname + (rest === "#" ? "" : rest));
}

export function setToken(token) {
  sessionStorage.setItem(TOKEN_KEY, token);
}

async function ask(method, path, body) {
  const answer = await fetch(path, { method, body: body === undefined ? undefined : JSON.stringify(body),
    headers: { Authorization: `Bearer ${sessionStorage.getItem(TOKEN_KEY) || ""}` } });
  const text = await answer.text();
  if (answer.ok) return text;
  let why = text;
  try {
    why = JSON.parse(text).error;
  } catch {
    // what it said is no JSON: shown as it is
  }
  throw Object.assign(new Error(why), { status: answer.status });
}

export const askText = (path) => ask("GET", path);
export const askJson = async (path) => JSON.parse(await ask("GET", path));
export const send = async (path, body) => JSON.parse(await ask("POST", path, body));
