// All about one span: what it was, what caused it and what it caused.

import { make } from "../../web/dom.js";
import { formatTime } from "./model.js";

export function showDetails(container, model, span, onSelect, onFollow) {
  const started = new Date(Number(model.origin / 1000000n) + span.start / 1000);
  const rows = [
    ["Controller", span.service],
    ["Did", span.name],
    ["To", span.object],
    ["Started", `${formatTime(span.start)} (${started.toISOString()})`],
    ["Took", formatTime(span.end - span.start)],
    ["Read version", span.read],
    ["Wrote version", span.written],
    ["Step", span.attributes["mc.step"] ?? ""],
    ["Audit id", span.attributes["k8s.audit.id"] || ""],
    ["Object uid", span.attributes["k8s.object.uid"] || ""],
  ];
  const list = make("dl", {});
  for (const [name, value] of rows)
    if (value !== "") list.append(make("dt", {}, name), make("dd", {}, String(value)));
  if (span.failure)
    list.append(make("dt", {}, "Failed"), make("dd", { class: "failure" }, span.failure));
  list.append(make("dt", {}, "CPID"), make("dd", {}, make("button", { type: "button",
    onclick: () => onFollow(span.cpid), title: "Look at this change" }, make("code", {}, span.cpid))));
  const windows = span.causes.filter((cause) => cause.label === "time-window").length + span.unlisted;
  const note = windows > 1
    ? make("p", { class: "hint" }, `${windows} candidates in the time window; perhaps only one of ` +
      `them is real${span.unlisted ? `, and ${span.unlisted} are not listed` : ""}.`)
    : null;
  container.replaceChildren(list,
    make("h3", {}, span.root ? "Came from outside" : "Because of"), edges(span.causes, onSelect),
    ...(note ? [note] : []), make("h3", {}, "Led to"), edges(span.effects, onSelect));
}

function edges(list, onSelect) {
  if (!list.length) return make("p", { class: "hint" }, "nothing that is known");
  return make("ul", {}, ...list.map((edge) => make("li", {}, make("button", { type: "button",
    onclick: () => onSelect(edge.span) },
    make("span", { class: `label ${edge.label}` }, edge.label),
    ` ${edge.span.service}: ${edge.span.name} ${edge.span.objectName}`,
    make("span", { class: "hint" }, ` ${edge.rule}`)))));
}
