/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the conversion share: what is found, and questions about a recording. */
#ifndef FATHOM_RECORDING_AS_CHECK_PARTS_H
#define FATHOM_RECORDING_AS_CHECK_PARTS_H

#include "recording/as_check.h"
#include "recording/control_plane.h"
#include "recording/restore_parts.h"

typedef VEC(const char *) sentences;

struct converter {
    struct arena *arena;
    struct recording *recording;
    struct restorer restorer;
    struct control_plane plane;
    int64_t beginning; /* the last commit before anything happened */
    bool observed;     /* there are pods at the beginning */
    bool has_guests;   /* users made pods that no workload owns; they are there from the start */
    sentences events;  /* in flow style */
    sentences intents;
    sentences remarks;  /* what is expressed in another way */
    sentences left_out; /* what could not be expressed */
    struct as_check *made;
};

__attribute__((format(printf, 3, 4))) void convert_add(struct converter *converter, sentences *list,
                                                       const char *format, ...);

/* ---- reading documents, whatever they have in these places ---- */

/* How many items a list has; 0: it is no list. */
static inline uint32_t items_of(const struct value *list)
{
    return list && list->kind == VALUE_SEQUENCE ? list->count : 0;
}

/* The mapping itself, or an empty one. */
static inline const struct value *mapping_of(const struct value *value)
{
    static const struct value empty = {.kind = VALUE_MAPPING};
    return value && value->kind == VALUE_MAPPING ? value : &empty;
}

/* ---- questions ---- */

/* A workload that no other object makes: Deployment, bare ReplicaSet, StatefulSet, ... */
bool is_workload(const struct version *version);
/* The version with which the Check begins: as at the beginning, or as it was made later.
 * NULL: it belongs to something else, or is nothing that a Check has. */
struct version *converter_first(const struct converter *converter, const struct thing *thing);
/* The committed write with this number; NULL: nobody knows who wrote it. */
const struct deed *converter_deed(const struct converter *converter, int64_t rv);
bool written_by(const struct deed *deed, const char *actor);
/* The last commit before the request was answered, also if it was refused. */
int64_t converter_commit(const struct converter *converter, const struct deed *deed);
/* The workload that a pod belongs to, through its ReplicaSet; NULL: none. */
const struct thing *converter_owner(const struct converter *converter,
                                    const struct version *version);
/* The workload that the object scales, if it is an autoscaler of one; NULL: none. */
const struct thing *converter_scaled(struct converter *converter, const struct thing *thing);
/* "Deployment/default/web" */
const char *converter_name(const struct converter *converter, const struct thing *thing);
double converter_end(const struct converter *converter);

/* ---- parts, in order ---- */

/* Node failures, maintenance, nodes that come and go. `taints` of a later time that stay. */
void convert_nodes(struct converter *converter);
/* The taints that users gave the node and never took; they are in the first document. */
const struct value *converter_late_taints(struct converter *converter, const struct thing *node);
/* Sizes, templates, deletions. */
void convert_workloads(struct converter *converter);
/* Pods that users deleted or evicted. */
void convert_pods(struct converter *converter);
/* What autoscalers saw. */
void convert_load(struct converter *converter);
void convert_intents(struct converter *converter);

/* The document of a version: whole, or as a manifest, without what the cluster added. */
void convert_document(struct converter *converter, const struct version *version, bool whole,
                      struct text *text);
/* A pod that no workload owns and that a user made, as it was once it ran; NULL: it is none, or
 * never got a node. */
const struct version *converter_guest(const struct converter *converter, const struct thing *pod);

#endif
