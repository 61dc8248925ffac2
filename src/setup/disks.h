/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Disks: volumes that are attached to one node at a time. The attach-detach controller attaches
 * a volume to a second node only if its access modes have ReadWriteMany or ReadOnlyMany.
 */
#ifndef FATHOM_SETUP_DISKS_H
#define FATHOM_SETUP_DISKS_H

#include "base/vec.h"
#include "object/object.h"

struct pod_spec;
struct scope;
struct value;

struct disk {
    const char *name;    /* unique for each disk */
    const char *assumed; /* why the volume is assumed to need attaching although that is not known;
                            NULL: it is known */
};

typedef VEC(struct disk) disk_list;

/* Adds the disks of the volumes of a pod in this namespace. */
void disks_of_pod(struct arena *arena, const struct objects *objects, const char *namespace,
                  const struct pod_spec *spec, disk_list *disks);
/* Adds the disks of the claims that a StatefulSet makes for its pod of this name. */
void disks_of_claim_templates(struct arena *arena, const struct objects *objects,
                              const struct object *stateful_set, const char *pod, disk_list *disks);

/* The premise of a verdict if several pods may use a disk that is only assumed to
 * be one; NULL: there is none. */
const char *premise_of_disks(struct arena *arena, const struct scope *scope);

#endif
