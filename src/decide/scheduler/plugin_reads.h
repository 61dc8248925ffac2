/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the scheduler reads: all of its plugins asked together, whatever profiles
 * enable. A plugin that does not say what it reads counts as one that reads
 * everything.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_PLUGIN_READS_H
#define FATHOM_DECIDE_SCHEDULER_PLUGIN_READS_H

#include "decide/reads.h"
#include "object/object.h"

struct catalog; /* decide/view.h */
struct plugin;
struct scheduler_configuration;

/* What one plugin reads; see struct plugin_reads. */
void plugin_reads_incoming(const struct plugin *plugin, struct reads *reads,
                           const struct pod_spec *spec);
bool plugin_looks_at(const struct plugin *plugin, struct catalog *catalog, const struct pod *own,
                     const struct pod *other);

void scheduler_reads_incoming(struct reads *reads, const struct pod_spec *spec);
void scheduler_reads_placed(struct reads *reads, const struct pod_spec *spec);
void scheduler_reads_object(struct reads *reads, const struct object *object);
void scheduler_reads_configuration(struct reads *reads,
                                   const struct scheduler_configuration *configuration);

/* Does a pod like `own` go elsewhere because of where pods like `other` are? The
 * room that they take does not count. */
bool scheduler_looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other);
/* The name of the first plugin because of which it does; NULL: it does not. */
const char *scheduler_looks_by(struct catalog *catalog, const struct pod *own,
                               const struct pod *other);

/* Bits of enum plugin_reads_pod: properties of pods that at least one plugin reads. */
uint32_t scheduler_reads_pods_by(void);

/* Which nodes the objects mention. That a pod is on a node is no mention of it.
 * `incoming` is a pod that is to be scheduled and not among the objects; what it
 * mentions, by spec.nodeName too, counts as well. NULL: none. */
void scheduler_mentions(struct node_mentions *mentions, struct arena *arena,
                        const struct objects *objects, const struct pod *incoming);

#endif
