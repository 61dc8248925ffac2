/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resource types that the server knows: what a path of its API names.
 *
 * The built-in ones are a table. A CustomResourceDefinition adds another. A type
 * never changes: a definition that is changed or deleted puts another type in its
 * place. Whoever goes on reading a type without the lock that guards the list
 * holds it; the last to let go frees it. The place of a deleted definition is
 * given to another one when nobody holds it and none of its objects is left.
 */
#ifndef FATHOM_APISERVER_RESOURCE_TYPE_H
#define FATHOM_APISERVER_RESOURCE_TYPE_H

#include "kubeapi/verbs.h"

struct resource_version_served {
    const char *name;            /* "v1" */
    bool status;                 /* has the status sub-resource */
    const struct datum *columns; /* additionalPrinterColumns; NULL: none */
};

struct resource_life;

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
    uint32_t index;             /* of its table in the store */
    uint64_t identity;          /* stays when a definition changes, and never comes again */
    struct resource_life *life; /* NULL: it is built in */
};

/* Definitions, and deleted ones that somebody still holds. */
enum { RESOURCE_DEFINITIONS_MOST = 1024 };

struct resource_types {
    struct arena *arena;
    const struct resource_type **items;
    uint32_t count;
    uint32_t capacity;
    uint32_t *object_counts; /* stored objects, by index */
    uint64_t identities;     /* given out */
};

void resource_types_init(struct resource_types *types, struct arena *arena);
void resource_types_release(struct resource_types *types);

const struct resource_type *resource_type_hold(const struct resource_type *type);
void resource_type_release(const struct resource_type *type); /* NULL: nothing */

/* NULL: there is none. `version` NULL: any. `served` (may be NULL) is set to the version. */
const struct resource_type *resource_type_find(const struct resource_types *types,
                                               const char *group, const char *version,
                                               const char *plural,
                                               const struct resource_version_served **served);
bool resource_group_known(const struct resource_types *types, const char *group,
                          const char *version);

/* Whoever held a type without the lock asks this before using its index: its definition may have
 * been deleted meanwhile, and its place given to another. */
bool resource_type_has_place(const struct resource_types *types, const struct resource_type *type);

/* "v1" or "apps/v1". */
const char *resource_api_version(struct arena *arena, const struct resource_type *type,
                                 const char *version);
/* "configmaps" or "statefulsets.apps", as messages name it. */
const char *resource_qualified(struct arena *arena, const struct resource_type *type);

/* Is there no place for what the definition defines? */
bool resource_types_full(const struct resource_types *types, const struct datum *definition);
/* What a CustomResourceDefinition (a valid one) defines; it takes the place of a
 * type of that group and plural that is there already. */
void resource_type_define(struct resource_types *types, const struct datum *definition);
void resource_type_retire(struct resource_types *types, const struct datum *definition);

#endif
