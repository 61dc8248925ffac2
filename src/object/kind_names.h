/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds that Fathom reads, by name. */
#ifndef FATHOM_OBJECT_KIND_NAMES_H
#define FATHOM_OBJECT_KIND_NAMES_H

/* OBJECT_OTHER is a kind that Fathom does not model. */
enum object_kind {
    OBJECT_OTHER,
#define OBJECT_KIND(constant, kind, member, type) constant,
#include "object/kinds.def"
#undef OBJECT_KIND
    OBJECT_KIND_COUNT
};

/* "Deployment" -> OBJECT_DEPLOYMENT; OBJECT_OTHER for what we do not know. */
enum object_kind kind_parse(const char *name);
/* The kind that a misspelt name may mean; NULL if there is none like it. */
const char *kind_suggest(const char *name);

/* "Deployment" for OBJECT_DEPLOYMENT; NULL for OBJECT_OTHER. */
const char *object_kind_name(enum object_kind kind);

#endif
