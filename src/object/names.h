/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What names may look like in Kubernetes.
 *
 *   DNS label       web-1           at most 63 of a-z 0-9 -, not - at the ends
 *   DNS subdomain   web.example-1   labels joined by dots, at most 253
 *   1035 label      web-1           a DNS label that begins with a letter
 *   qualified name  example.com/App_1   keys of labels, resources, finalizers:
 *                   an optional subdomain, and 63 of A-Z a-z 0-9 - _ .
 *   label value     App_1           as the name part of those, or empty
 *   port name       http-1          at most 15 of a-z 0-9 -, a letter among them
 */
#ifndef FATHOM_OBJECT_NAMES_H
#define FATHOM_OBJECT_NAMES_H

#include "base/map.h"
#include "object/schema.h"

#include <stdbool.h>

bool name_is_dns_label(const char *text);
bool name_is_dns_subdomain(const char *text);
bool name_is_dns_1035_label(const char *text);
bool name_is_qualified(const char *text);
bool name_is_label_value(const char *text);
bool name_is_port_name(const char *text);

/* A set of names: a few are kept in an array, many in a map, so that short
 * lists cost little and long ones do not take quadratic time. */
enum { NAME_SET_FEW = 8 };

struct name_set {
    struct arena *arena;
    const char *few[NAME_SET_FEW];
    uint32_t count;
    struct map map;
};

void name_set_init(struct name_set *set, struct arena *arena);
/* False if it is there already. */
bool name_set_add(struct name_set *set, const char *name);
bool name_set_has(const struct name_set *set, const char *name);

/* Each of these reports a text that does not have the form; NULL is ignored. */
void dns_label_validate(struct reading *reading, const struct path *path, const char *text);
void dns_subdomain_validate(struct reading *reading, const struct path *path, const char *text);
void dns_1035_label_validate(struct reading *reading, const struct path *path, const char *text);
void qualified_name_validate(struct reading *reading, const struct path *path, const char *text);
void label_value_validate(struct reading *reading, const struct path *path, const char *text);
void port_name_validate(struct reading *reading, const struct path *path, const char *text);

/* Complains about a name that the set has already; NULL is no name. */
void unique_name_validate(struct reading *reading, const struct path *path, struct name_set *set,
                          const char *name);

/* "expected WANTED, found "TEXT"" */
void text_unexpected(struct reading *reading, const struct path *path, const char *text,
                     const char *wanted);

#endif
