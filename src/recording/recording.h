/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recorded run of a real control plane (docs/recordings.md): the manifests,
 * every version of every object in the order in which they were committed, and
 * every write request with who made it.
 *
 * A folder holds `manifests.yaml`, `scenario.json` and, for each run K,
 * `run-K.jsonl` (watch events) and `run-K.actions.jsonl`, perhaps with
 * `run-K.metrics.jsonl`; each may be compressed (`.gz`).
 */
#ifndef FATHOM_RECORDING_RECORDING_H
#define FATHOM_RECORDING_RECORDING_H

#include "base/vec.h"
#include "manifest/document.h"
#include "manifest/manifest.h"
#include "object/object.h"

/* One version of one object. */
struct version {
    int64_t rv;
    double time; /* seconds since the recording began */
    bool gone;   /* this is its deletion */
    const struct value *line;
    struct thing *thing;
    bool restored; /* `object` has been made (restore.c) */
    bool broken;   /* it could not be */
    struct object object;
};

/* An object with all its versions. If it is deleted and created again under the
 * same name, both are one thing with a gap in its versions. */
struct thing {
    const char *kind;
    const char *namespace; /* NULL: none */
    const char *name;
    const char *destined; /* of a daemon's pod that does not tell its node: the node that it is
                             taken to be for; NULL: none */
    VEC(struct version) versions;
};

/* A write request. */
struct deed {
    int64_t rv; /* -1: nothing was committed */
    double time;
    const char *actor;
    const char *action;
    const char *kind; /* of the object; "" for steps of the script */
    const char *namespace;
    const char *name;
    int64_t code; /* of a refusal; 0: none */
    bool noop;
    const struct value *line;
};

/* What the metrics API answered. */
struct metrics_answer {
    double time;
    const struct value *line;
};

/* Where the answer of /version, and run-K.version.json, has the version: "v1.36.4". */
#define RECORDING_VERSION_KEY "gitVersion"

struct recording {
    struct arena *arena;
    const char *name; /* of the run: "s01/run-1" */
    struct documents manifests;
    const struct value *scenario; /* NULL: there is none */
    const struct value *version;  /* what the API server told of itself in this run; or NULL */
    struct map index;             /* "Kind/namespace/name" -> thing */
    VEC(struct thing *) things;
    VEC(struct version *) order; /* all versions by rv */
    VEC(struct deed) deeds;      /* committed ones by rv */
    VEC(struct metrics_answer) answers;
    double ready_time; /* when the nodes were ready */
    int64_t epoch;     /* the instant at which it began, in nanoseconds */
};

/* The numbers K of the runs in a folder, ascending. False if there is none, or
 * the folder cannot be read. */
struct run_numbers {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};
bool recording_list(struct arena *arena, const char *folder, struct run_numbers *runs,
                    struct problems *problems);

bool recording_read(struct arena *arena, struct manifest_reader *reader, const char *folder,
                    uint32_t run, struct recording *recording, struct problems *problems);

struct thing *recording_find(const struct recording *recording, const char *kind,
                             const char *namespace, const char *name);

/* The version that was there right after commit `rv`; NULL: the object was not. */
struct version *thing_at(const struct thing *thing, int64_t rv);

/* The manifest of this object; NULL: none was given. Where there are several (it
 * was applied anew), the first whose pods have this image (NULL: any). */
const struct value *recording_manifest(const struct recording *recording, const char *kind,
                                       const char *name, const char *image);

/* The instant of a second of the recording, in nanoseconds. */
int64_t recording_instant(const struct recording *recording, double seconds);

/* The number of versions committed before this one. */
uint32_t versions_before(const struct recording *recording, int64_t rv);

#endif
