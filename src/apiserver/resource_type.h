/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resource types that the server knows: what a path of its API names.
 *
 * The built-in ones are a table. A CustomResourceDefinition adds another. A type
 * never changes and is never freed, so that whoever holds one (a watch) may go on
 * reading it without the lock that guards the list; a definition that is changed
 * or deleted puts another type in its place.
 */
#ifndef FATHOM_APISERVER_RESOURCE_TYPE_H
#define FATHOM_APISERVER_RESOURCE_TYPE_H

#include "kubeapi/verbs.h"

struct resource_version_served {
    const char *name;            /* "v1" */
    bool status;                 /* has the status sub-resource */
    const struct datum *columns; /* additionalPrinterColumns; NULL: none */
};

struct resource_type {
    const char *group; /* "" of the core group */
    const char *plural;
    const char *singular;
    const char *kind;
    const char *list_kind;
    const char *short_names; /* "cm" or "crd,crds"; "" for none */
    bool namespaced;
    bool counts_generations; /* metadata.generation follows the spec */
    bool out_of_service;     /* its definition was deleted */
    const struct resource_version_served
        *versions; /* the preferred one first, in which it is stored */
    uint32_t version_count;
    const struct api_kind *rules;
    uint32_t index; /* of its table in the store */
};

struct resource_types {
    struct arena *arena;
    const struct resource_type **items;
    uint32_t count;
    uint32_t capacity;
};

void resource_types_init(struct resource_types *types, struct arena *arena);

/* NULL: there is none. `version` NULL: any. `served` (may be NULL) is set to the version. */
const struct resource_type *resource_type_find(const struct resource_types *types,
                                               const char *group, const char *version,
                                               const char *plural,
                                               const struct resource_version_served **served);
bool resource_group_known(const struct resource_types *types, const char *group,
                          const char *version);

/* "v1" or "apps/v1". */
const char *resource_api_version(struct arena *arena, const struct resource_type *type,
                                 const char *version);
/* "configmaps" or "statefulsets.apps", as messages name it. */
const char *resource_qualified(struct arena *arena, const struct resource_type *type);

/* What a CustomResourceDefinition (a valid one) defines; it takes the place of a
 * type of that group and plural that is there already. */
void resource_type_define(struct resource_types *types, const struct datum *definition);
void resource_type_retire(struct resource_types *types, const struct datum *definition);

#endif
