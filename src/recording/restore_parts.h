/* SPDX-License-Identifier: Apache-2.0 */
/* What the restoring of all kinds shares: reading lines, writing the common
 * parts of objects as JSON. */
#ifndef FATHOM_RECORDING_RESTORE_PARTS_H
#define FATHOM_RECORDING_RESTORE_PARTS_H

#include "base/json_out.h"
#include "recording/restore.h"

/* The member is true. */
bool line_says(const struct value *line, const char *key);
/* A text in a list; NULL: there is none. */
const char *line_item(const struct value *list, uint32_t index);

/* The version in which the object was made: its life may have gaps. */
const struct version *version_birth(const struct version *version);
/* The node that a pod is bound to, be it later; NULL: it never is. */
const char *version_bound_node(const struct version *version);
/* Since when `key` has been what it is in this version, in seconds. */
double version_since(const struct version *version, const char *key);
const char *restore_time(struct restorer *restorer, double seconds);

/* The members of a mapping but for some; the list ends with NULL. */
void restore_members(struct json_out *json, const struct value *mapping, const char *const *except);

/* The manifest whose template the pods of this owner are made from. */
const struct value *restore_owner_manifest(const struct recording *recording, const char *kind,
                                           const char *namespace, const char *name,
                                           const char *image);
const struct value *restore_template_of(const struct value *manifest);
/* A template's containers, the first with another image (NULL: its own); a
 * single one with other requests (NULL: its own). */
void restore_containers(struct json_out *json, const struct value *containers, const char *image,
                        const struct value *requests);
void restore_template(struct json_out *json, const struct value *template, const char *image,
                      const char *hash);

/* Name, namespace, UID, age and owner: members of an open `metadata`. */
void restore_identity(struct restorer *restorer, struct json_out *json,
                      const struct version *version);
void restore_condition(struct json_out *json, const char *type, const char *status,
                       const char *reason, const char *time);
/* The line's `status` with its `conditions`. */
void restore_status(struct restorer *restorer, struct json_out *json,
                    const struct version *version);

/* The members of an object; false, with a problem, if something is missing. */
bool restore_pod(struct restorer *restorer, struct json_out *json, const struct version *version);
bool restore_node(struct restorer *restorer, struct json_out *json, const struct version *version);
bool restore_replica_set(struct restorer *restorer, struct json_out *json,
                         const struct version *version);
bool restore_from_manifest(struct restorer *restorer, struct json_out *json,
                           const struct version *version);

/* The status of the pod's first container, if it ended (`spec` is the pod's). */
void restore_ending(struct restorer *restorer, struct json_out *json, const struct version *version,
                    const struct value *spec);
/* The annotations of its template, and what an Indexed Job adds; `job`: the manifest of its owner.
 */
void restore_annotations(struct restorer *restorer, struct json_out *json,
                         const struct version *version, const struct value *job,
                         const struct value *annotations);

#endif
