#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The FluentBitConfig controller as a program: a FluentBitConfig becomes a Secret.
//
// One question a line on standard input, one answer a line on standard output, and no
// memory between lines: all that a round remembers travels in `local`.
import { createInterface } from "node:readline";

const keyOf = (cr) => ({
  kind: "Secret",
  namespace: cr.metadata.namespace,
  name: cr.metadata.name,
});

// Members that are undefined are left out of the answer.
const dataOf = (cr) => ({
  "fluent-bit.conf": cr.spec.fluentbitConfig,
  "parsers.conf": cr.spec.parsersConfig,
});

// The Secret as it should be; `metadata` is that of the one that was found.
function secretOf(cr, metadata) {
  const { apiVersion, kind } = cr;
  const { name, uid } = cr.metadata;
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  return { kind: "Secret", metadata: { ...metadata, ownerReferences: [owner] }, data: dataOf(cr) };
}

function step({ cr, resp, local }) {
  switch (local.at) {
    case "start":
      return { local: { at: "get" }, req: { verb: "get", key: keyOf(cr) } };
    case "get": {
      if (resp.err === "NotFound") {
        const { namespace, name } = cr.metadata;
        const obj = secretOf(cr, { namespace, name });
        return { local: { at: "create" }, req: { verb: "create", key: keyOf(cr), obj } };
      }
      if (resp.err) return { local: { at: "error" }, req: null };
      // With the version that was found: somebody else's change is not overwritten.
      const obj = secretOf(cr, resp.ok.metadata);
      return { local: { at: "update" }, req: { verb: "update", key: keyOf(cr), obj } };
    }
    default:
      return { local: { at: resp.err ? "error" : "done" }, req: null };
  }
}

function match({ cr, store }) {
  const wanted = keyOf(cr);
  const found = store.find(
    ({ kind, metadata }) =>
      kind === wanted.kind &&
      metadata.namespace === wanted.namespace &&
      metadata.name === wanted.name,
  );
  const data = dataOf(cr);
  return Boolean(found) && Object.keys(data).every((name) => found.data?.[name] === data[name]);
}

const answers = {
  init: () => ({ local: { at: "start" } }),
  step,
  status: ({ local }) => ({ done: local.at === "done", error: local.at === "error" }),
  match: (question) => ({ match: match(question) }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  console.log(JSON.stringify(answers[question.op](question)));
}
