/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resource quantities, exactly: "100m", "1.5Gi", "2e3", "0.1".
 *
 * Upstream keeps at most nano precision (finer values are rounded away from
 * zero when read) and caps binary quantities at the range of an int64 of whole
 * units. Decimal ones it does not cap; here they are capped at 10^29, so every
 * quantity is a whole number of nano units and fits 128 bits. Nothing is ever
 * a float. The format (decimal, binary, exponent) is remembered for writing.
 */
#ifndef FATHOM_OBJECT_QUANTITY_H
#define FATHOM_OBJECT_QUANTITY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 quantity_nanos;

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

struct quantity {
    quantity_nanos nanos;
    enum quantity_format format;
};

/* Reads the text as the API server does. On failure nothing is changed and
 * `*why` (if not NULL) is set to what is wrong, a constant phrase. */
bool quantity_parse(const char *text, struct quantity *quantity, const char **why);

/* The canonical text, as the API server writes it back. */
char *quantity_format_text(struct arena *arena, struct quantity quantity);

struct quantity quantity_of(int64_t whole_units);
struct quantity quantity_of_milli(int64_t milli_units);

/* Rounded away from zero, as upstream's Value() and MilliValue(); saturating. */
int64_t quantity_value(struct quantity quantity);
int64_t quantity_milli_value(struct quantity quantity);

int quantity_compare(struct quantity a, struct quantity b);
/* Saturating. The result has a's format, but b's when a is zero. */
struct quantity quantity_add(struct quantity a, struct quantity b);

/* {cpu: 100m, memory: 64Mi}: sorted by name, each name once. */
struct resource {
    const char *name;
    struct quantity quantity;
};

struct resource_list {
    struct resource *items;
    uint32_t count;
};

/* NULL when the list has no such name (which is not the same as 0). */
const struct quantity *resource_list_find(const struct resource_list *list, const char *name);

#endif
