/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a recording (recording.h) from what a cluster tells: watch events as
 * kubectl prints them, and the API server's audit log if there is one.
 *
 * With an audit log every write is known with its writer. Without one, writers
 * are inferred where only one writer is possible (only the scheduler binds
 * pods); other writes, above all deletions, have no known writer and are not
 * judged.
 */
#ifndef FATHOM_RECORDING_RECORD_H
#define FATHOM_RECORDING_RECORD_H

#include "base/text.h"
#include "base/vec.h"
#include "manifest/document.h"

/* A watch event. */
struct sighting {
    int64_t rv;
    double time; /* seconds since the recording began */
    bool gone;
    bool old; /* it was there when the recording began */
    const char *kind;
    const char *namespace; /* NULL: none */
    const char *name;
    const struct value *object;
};

struct sightings {
    struct sighting *items;
    uint32_t count;
    uint32_t capacity;
};

/* `event` is {"type": ..., "object": {...}}, or an object that is just listed.
 * False, with a problem, if it is neither. What is no state of an object (a
 * bookmark) is left out. */
bool record_watch_event(struct arena *arena, const struct value *event, double time,
                        struct sightings *sightings, struct problems *problems);

/* By resource version, each once; marks what is older than the recording, which
 * began at the instant `start` (nanoseconds). */
void record_sort(struct sightings *sightings, int64_t start);

/* The lines of run-K.jsonl. */
void record_write_watch(struct arena *arena, const struct sightings *sightings, struct text *text);

/* The lines of run-K.actions.jsonl, inferred, or from the lines of an audit log
 * (JSON lines, `audit` of `count` bytes). */
void record_infer_deeds(struct arena *arena, const struct sightings *sightings, struct text *text);
struct manifest_reader;
bool record_audit_deeds(struct arena *arena, struct manifest_reader *reader, const char *file,
                        const char *audit, size_t count, int64_t start,
                        const struct sightings *sightings, struct text *text,
                        struct problems *problems);

/* ---- shared by the ways to find deeds ---- */

/* The version of the same object before this one; NULL: this is the first. */
const struct sighting *sighting_before(const struct sightings *sightings, uint32_t index);
const struct value *sighting_field(const struct sighting *sighting, const char *first,
                                   const char *second);
/* "Kind" and name of the controller that owns it; false: none. */
bool sighting_owner(const struct sighting *sighting, const char **kind, const char **name);

#endif
