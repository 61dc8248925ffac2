/* SPDX-License-Identifier: Apache-2.0 */
/* Names of objects: which are allowed, and how the server makes some. */
#ifndef FATHOM_APISERVER_NAMES_H
#define FATHOM_APISERVER_NAMES_H

#include "apiserver/resource_type.h"

/* As of RFC 1123: a subdomain, and a label of one. */
bool name_is_domain(const char *name);
bool name_is_label(const char *name);

bool name_is_valid(const struct resource_type *type, const char *name);
/* "metadata.name: Invalid value: ..." */
const char *name_complaint(struct arena *arena, const struct resource_type *type, const char *name);

/* The prefix (shortened if need be) and five letters that follow from the number. */
const char *name_generate(struct arena *arena, const char *prefix, uint64_t number);

#endif
