/* SPDX-License-Identifier: Apache-2.0 */
/* What every part of a ControllerCheck needs that is read. */
#ifndef FATHOM_RECONCILE_CHECK_READING_H
#define FATHOM_RECONCILE_CHECK_READING_H

#include "object/path.h"
#include "reconcile/check_file.h"

struct check_reading {
    struct arena *arena;
    const struct value *root;
    struct problems *problems;
};

/* ---- check_reading.c ---- */
const char *reading_text(const struct check_reading *reading, const struct path *path);
const struct value *reading_find(const struct check_reading *reading, const struct path *path);
struct place reading_place(const struct check_reading *reading, const struct path *path);
/* A mapping with no other members than these. NULL if it is not there or wrong. */
const struct value *reading_mapping(const struct check_reading *reading, const struct path *path,
                                    const char *const *known);
const struct value *reading_sequence(const struct check_reading *reading, const struct path *path);
const char *reading_string(const struct check_reading *reading, const struct path *parent,
                           const char *name, const char *fallback);
bool reading_boolean(const struct check_reading *reading, const struct path *parent,
                     const char *name, bool fallback);
uint32_t reading_budget(const struct check_reading *reading, const struct path *parent,
                        const char *name);
const struct datum *reading_datum(const struct check_reading *reading, const struct value *value);

/* ---- check_conditions.c ---- */
/* When a custom resource is matched. */
void check_read_match(const struct check_reading *reading, const struct path *spec,
                      struct controller_check *check);
/* What must never be so. */
void check_read_safety(const struct check_reading *reading, const struct path *spec,
                       struct controller_check *check);

#endif
