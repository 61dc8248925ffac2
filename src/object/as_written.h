/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user wrote where something stands for a custom resource (stand_ins.h): its kind, its
 * name, and the names of its fields. Messages speak of these.
 */
#ifndef FATHOM_OBJECT_AS_WRITTEN_H
#define FATHOM_OBJECT_AS_WRITTEN_H

#include "object/object.h"

/* "ScaledObject" where a HorizontalPodAutoscaler stands for one. */
const char *written_kind(const struct object *object);
const char *written_name(const struct object *object);
/* "Rollout shop/web" */
const char *written_words(struct arena *arena, const struct object *object);
/* "Rollout/shop/web" */
const char *written_object(struct arena *arena, const struct object *object);
/* "spec.minReplicaCount" for "spec.minReplicas" of that. */
const char *written_path(struct arena *arena, const struct object *object, const char *path);
/* The last part of that. */
const char *written_field(struct arena *arena, const struct object *object, const char *path);
/* The document as it is in the file; NULL: the object does not come from one. */
const struct value *written_root(const struct object *object);

#endif
