/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in an object something is: spec.template.spec.containers[0].image.
 *
 * A path is a chain of links that live on the stack of whoever walks the
 * object, so walking costs nothing; the text and the place in the file are
 * worked out only when there is something to report:
 *
 *     struct path containers = path_field(spec, "containers");
 *     struct path container = path_item(&containers, 0);
 *     struct path image = path_field(&container, "image");
 *
 * A link points at its parent and must not outlive it.
 */
#ifndef FATHOM_OBJECT_PATH_H
#define FATHOM_OBJECT_PATH_H

#include "manifest/document.h"

enum path_kind { PATH_ROOT, PATH_FIELD, PATH_ITEM };

struct path {
    const struct path *parent;
    const char *name; /* of a field, or the key of a map */
    uint32_t index;   /* of an item */
    enum path_kind kind;
};

extern const struct path path_root;

struct path path_field(const struct path *parent, const char *name);
struct path path_item(const struct path *parent, uint32_t index);

/* As the API server writes it; keys that are not plain words stand in brackets:
 * metadata.labels[app.kubernetes.io/name]. The root's text is "". */
char *path_text(struct arena *arena, const struct path *path);

/* The value at the path in the document; NULL when it is not there. */
const struct value *path_value(const struct value *root, const struct path *path);

/* Where the value is written or, if it is not, the innermost thing around it
 * that is. */
struct place path_place(const struct value *root, const struct path *path);

#endif
