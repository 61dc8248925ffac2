/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Schemas (draft 7) of the kinds that Fathom reads, made from the tables by which it reads
 * them, for editors that complete and check while one writes.
 *
 * A schema takes everything that Fathom takes. It cannot say all that Fathom refuses: rules between
 * fields (requests and limits, selectors and labels) are not in the tables.
 */
#ifndef FATHOM_OBJECT_JSON_SCHEMA_H
#define FATHOM_OBJECT_JSON_SCHEMA_H

#include "base/text.h"
#include "object/object.h"

/* A schema that is written by hand, for a kind that has no table. */
struct json_schema_text {
    const char *kind;
    const char *schema; /* a JSON object */
};

/* One document of any kind: `kind` and `apiVersion` choose what applies, other kinds are free.
 * `more` has kinds without tables, up to one without a name. */
void json_schema_write_all(struct arena *arena, const struct json_schema_text *more,
                           struct text *text);
/* Documents of one kind alone; without `kind` of all. */
void json_schema_write(struct arena *arena, enum object_kind kind, struct text *text);

/* ---- what hooks read, for field_hook.shape ---- */

#define SHAPE_OBJECT_NAME "{\"type\":\"string\",\"pattern\":\"^[A-Za-z]+(/[^/]+){1,2}$\"}"
#define SHAPE_COUNT_RANGE                                                                \
    "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":0,\"maximum\":2147483647},{\"type\":" \
    "\"object\",\"required\":[\"max\"],\"properties\":{\"max\":{\"type\":\"integer\","   \
    "\"minimum\":0},\"min\":{\"type\":[\"integer\",\"null\"],\"minimum\":0}},"           \
    "\"additionalProperties\":false}]}"
/* The same of nodes, of which there may be any number. */
#define SHAPE_OPEN_COUNT_RANGE                                                           \
    "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":0,\"maximum\":2147483647},{\"type\":" \
    "\"object\",\"properties\":{\"max\":{\"type\":\"integer\",\"minimum\":0},\"min\":"   \
    "{\"type\":[\"integer\",\"null\"],\"minimum\":0}},\"additionalProperties\":false}]}"
#define SHAPE_QUANTITY "{\"$ref\":\"#/definitions/quantity\"}"
#define SHAPE_CPU_LEVEL \
    "{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^[0-9][0-9.]*%$\"}," SHAPE_QUANTITY "]}"
#define SHAPE_LIST_OF(shape) "{\"type\":\"array\",\"minItems\":1,\"items\":" shape "}"

#endif
