/* SPDX-License-Identifier: Apache-2.0 */
/* Types of expressions, and the classes of objects that an environment offers. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_TYPE_H
#define FATHOM_EXPRESSION_EXPRESSION_TYPE_H

#include "base/arena.h"
#include "expression/expression_value.h"

#include <stdbool.h>
#include <stdint.h>

enum expression_type_kind {
    EXPRESSION_DYN, /* known only when it is evaluated */
    EXPRESSION_NULL,
    EXPRESSION_BOOL,
    EXPRESSION_INT,
    EXPRESSION_DOUBLE,
    EXPRESSION_STRING,
    EXPRESSION_DURATION,
    EXPRESSION_QUANTITY,
    EXPRESSION_LIST,
    EXPRESSION_BAG, /* a list without an order (expression.h) */
    EXPRESSION_MAP,
    EXPRESSION_OBJECT,
};

struct expression_type {
    enum expression_type_kind kind;
    const struct expression_type *element; /* of a list, a bag, or of the values of a map */
    const struct expression_type *key;     /* of a map; NULL: string */
    const struct expression_class *class;  /* of an object */
};

/* A field of an object. */
struct expression_field {
    const char *name;
    const struct expression_type *type;
    struct expression_value (*read)(void *context, struct arena *scratch,
                                    struct expression_object object);
    const char *meaning; /* a phrase for documents and messages */
    bool optional;       /* true if an object may lack it: has() asks, and reading it fails */
};

/* What Kubernetes has and states do not keep, and what can be asked instead. */
struct expression_missing {
    const char *name;
    const char *instead;
};

struct expression_class {
    const char *name; /* "pod" */
    const struct expression_field *fields;
    uint32_t field_count;
    const struct expression_missing *missing;
    uint32_t missing_count;
    /* What a report calls the object: "zone b". NULL: "a zone". */
    const char *(*title)(void *context, struct arena *arena, struct expression_object object);
};

extern const struct expression_type expression_dyn, expression_null, expression_bool,
    expression_int, expression_double, expression_string, expression_duration, expression_quantity,
    expression_list_of_dyn, expression_list_of_int, expression_list_of_string,
    expression_map_of_dyn, expression_map_of_string, expression_any_bag;

const struct expression_field *expression_class_find(const struct expression_class *class,
                                                     const char *name);

const struct expression_type *expression_type_key(const struct expression_type *map);

/* "list(int)", "bag(pod)", "map(string, int)" */
const char *expression_type_text(struct arena *arena, const struct expression_type *type);

/* Could a value of one type be one of the other? DYN may be anything. */
bool expression_type_fits(const struct expression_type *wanted,
                          const struct expression_type *found);
/* Is it one of the values of the type? An error is of none. */
bool expression_type_has(const struct expression_type *type, struct expression_value value);
/* A type that values of both have. */
const struct expression_type *expression_type_join(struct arena *arena,
                                                   const struct expression_type *left,
                                                   const struct expression_type *right);

#endif
