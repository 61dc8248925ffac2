// Where the records come from: this page itself, or the server that it came from.

import { byId } from "../../web/dom.js";

const TOKEN_KEY = "fathom-token";
const PAGE = 10000;

export class Unauthorized extends Error {}

export function embeddedRecords() {
  const text = byId("records").textContent.trim();
  return text ? JSON.parse(text) : null;
}

export function useToken(token) {
  sessionStorage.setItem(TOKEN_KEY, token);
}

async function ask(path) {
  const token = sessionStorage.getItem(TOKEN_KEY);
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const response = await fetch(path, { headers });
  if (response.status === 401) throw new Unauthorized("this server wants a token");
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || `the server answered ${response.status}`);
  return answer;
}

// What the server knows: of one CPID, or all of it as far as one answer goes.
export async function serverRecords(cpid) {
  const base = cpid ? `api/v1/cpids/${encodeURIComponent(cpid)}/` : "api/v1/";
  const query = `?limit=${PAGE}${cpid ? "&direction=both" : ""}`;
  const [logs, spans] = await Promise.all([ask(`${base}mergelogs${query}`), ask(`${base}spans${query}`)]);
  return { mergelogs: logs.mergelogs, spans: spans.spans,
    truncated: Boolean(logs.truncated || spans.truncated || logs.next || spans.next) };
}
