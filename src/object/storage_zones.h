/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes that exist in one zone. */
#ifndef FATHOM_OBJECT_STORAGE_ZONES_H
#define FATHOM_OBJECT_STORAGE_ZONES_H

#include "object/storage.h"

#include <stdbool.h>

/* The label of nodes that says in which zone they are. */
#define LABEL_ZONE "topology.kubernetes.io/zone"

/* Is each volume of the class made in one zone, where it stays? That is known of the disks of cloud
 * providers; those that are copied to several zones are none of these. */
bool storage_class_is_zonal(const struct storage_class *class);

#endif
