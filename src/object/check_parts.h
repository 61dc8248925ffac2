/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a Check, each in a file of its own.
 *
 * Events and intents are alike in form: a name from a library and parameters,
 * of which each name takes some and needs some. A `struct library` says which;
 * its schema has a row for every parameter that any of them takes.
 */
#ifndef FATHOM_OBJECT_CHECK_PARTS_H
#define FATHOM_OBJECT_CHECK_PARTS_H

#include "object/check.h"
#include "object/schema.h"

struct library_entry {
    const char *name;
    unsigned takes;
    unsigned needs;
};

struct library_parameter {
    const char *name;
    unsigned bit;
};

struct library {
    const char *what; /* "event", "intent" */
    const struct library_entry *entries;
    uint32_t entry_count;
    const struct library_parameter *parameters; /* in the order of the alphabet */
    uint32_t parameter_count;
    const struct schema *schema;
};

/* Reads name and parameters into an initialised struct. False if there is no
 * such name; otherwise `*entry` is its number. */
bool library_decode(struct reading *reading, const struct path *path, const struct value *value,
                    const struct library *library, uint32_t *entry, void *base);
void library_encode(struct arena *scratch, struct json_out *json, const struct library *library,
                    uint32_t entry, const void *base);

extern const struct field_hook check_events_hook;
extern const struct field_hook check_intents_hook;
extern const struct schema check_controllers_schema;

/* Names of groups that there are not, patterns out of order, ... */
void check_events_validate(struct reading *reading, const struct path *path,
                           const struct check *check);
void check_controllers_validate(struct reading *reading, const struct path *path,
                                const struct check *check);
/* Complains unless there is a node group of this name, or no node group at all. */
void group_name_validate(struct reading *reading, const struct path *path,
                         const struct check *check, const char *name);

/* Small types, for hooks. What is wrong is reported and the target left alone. */
void count_range_decode(struct reading *reading, const struct path *path, const struct value *value,
                        struct count_range *target);
void count_range_encode(struct json_out *json, const char *key, struct count_range range);
void object_name_decode(struct reading *reading, const struct path *path, const struct value *value,
                        struct object_name *target);
void object_name_encode(struct arena *scratch, struct json_out *json, const char *key,
                        const struct object_name *name);
/* A number of at least `least`. */
void number_decode(struct reading *reading, const struct path *path, const struct value *value,
                   double least, double *target);

#endif
