/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PriorityClasses and RuntimeClasses that manifests without a Check name and do not have: they
 * belong to the cluster that the manifests are for.
 */
#ifndef FATHOM_OBJECT_ASSUMED_CLASSES_H
#define FATHOM_OBJECT_ASSUMED_CLASSES_H

#include "object/object.h"

/* Adds those that templates name, except the classes that every cluster has and those of pods that
 * a cluster has admitted. A warning says what is taken of each. */
void objects_assume_classes(struct arena *arena, struct objects *objects,
                            struct problems *problems);

#endif
