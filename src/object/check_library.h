/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names with parameters. Events and intents are alike in form: a name from a
 * library and parameters, of which each name takes some and needs some. A
 * `struct library` says which; its schema has a row for every parameter that
 * any of them takes.
 */
#ifndef FATHOM_OBJECT_CHECK_LIBRARY_H
#define FATHOM_OBJECT_CHECK_LIBRARY_H

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
    const char
        *shape; /* of items that may be written in another way, as a JSON Schema; NULL: none */
};

/* Reads name and parameters into an initialised struct. False if there is no
 * such name; otherwise `*entry` is its number. */
bool library_decode(struct reading *reading, const struct path *path, const struct value *value,
                    const struct library *library, uint32_t *entry, void *base);
void library_encode(struct arena *scratch, struct json_out *json, const struct library *library,
                    uint32_t entry, const void *base);

#endif
