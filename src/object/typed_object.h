/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An object whose kind is known: what all kinds share when they are read and
 * written. object.h finds out the kind first; an object inside another one (the
 * policy in a Check) is read by its kind's descriptor directly.
 */
#ifndef FATHOM_OBJECT_TYPED_OBJECT_H
#define FATHOM_OBJECT_TYPED_OBJECT_H

#include "object/kind.h"

/* `apiVersion` or `kind`, a text that is not empty. NULL, with the error
 * reported, if it is anything else. */
const char *type_field_read(struct reading *reading, const struct path *path,
                            const struct value *mapping, const char *name);

/* NULL if the kind has no such version. */
const struct kind_version *kind_version_find(const struct kind_type *type, const char *api_version);

/* Reads the mapping as an object of `object->kind`, which `type` describes. The
 * mapping need not say its kind and version; if it does, the kind must be this
 * one. NULL options are the usual ones. */
void typed_object_decode(struct reading *reading, const struct path *path,
                         const struct value *value, const struct kind_type *type,
                         const struct object_options *options, struct object *object);

/* The content of an object of this kind, as the API server would give it. */
void typed_object_encode(struct arena *scratch, struct json_out *json, const char *key,
                         enum object_kind kind, const struct kind_type *type, const void *content);

#endif
