#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The FluentBitConfig controller as a program: a FluentBitConfig becomes a Secret.

One question a line on standard input, one answer a line on standard output, and no
memory between lines: all that a round remembers travels in `local`.
"""
import json
import sys


def key_of(cr):
    metadata = cr["metadata"]
    return {"kind": "Secret", "namespace": metadata["namespace"], "name": metadata["name"]}


def data_of(cr):
    spec = cr["spec"]
    files = {
        "fluent-bit.conf": spec.get("fluentbitConfig"),
        "parsers.conf": spec.get("parsersConfig"),
    }
    return {name: text for name, text in files.items() if text is not None}


def secret_of(cr, metadata):
    """The Secret as it should be; `metadata` is that of the one that was found."""
    owner = {
        "apiVersion": cr["apiVersion"],
        "kind": cr["kind"],
        "name": cr["metadata"]["name"],
        "uid": cr["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {"kind": "Secret", "metadata": metadata | {"ownerReferences": [owner]}, "data": data_of(cr)}


def request(verb, cr, obj=None):
    return {"verb": verb, "key": key_of(cr), "obj": obj}


def step(cr, resp, local):
    """The next memory and maybe a request."""
    if local["at"] == "start":
        return {"at": "get"}, request("get", cr)
    if local["at"] == "get":
        if resp.get("err") == "NotFound":
            metadata = {"namespace": cr["metadata"]["namespace"], "name": cr["metadata"]["name"]}
            return {"at": "create"}, request("create", cr, secret_of(cr, metadata))
        if "err" in resp:
            return {"at": "error"}, None
        # With the version that was found: somebody else's change is not overwritten.
        return {"at": "update"}, request("update", cr, secret_of(cr, resp["ok"]["metadata"]))
    return {"at": "error" if "err" in resp else "done"}, None


def match(cr, store):
    for obj in store:
        metadata = obj["metadata"]
        if {"kind": obj["kind"], "namespace": metadata["namespace"], "name": metadata["name"]} == key_of(cr):
            return obj.get("data") == data_of(cr)
    return False


def answer(question):
    op = question["op"]
    if op == "init":
        return {"local": {"at": "start"}}
    if op == "step":
        local, req = step(question["cr"], question["resp"], question["local"])
        return {"local": local, "req": req}
    if op == "status":
        at = question["local"]["at"]
        return {"done": at == "done", "error": at == "error"}
    if op == "match":
        return {"match": match(question["cr"], question["store"])}
    raise ValueError("unknown question: " + op)


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
