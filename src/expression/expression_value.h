/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of expressions. They are immutable, may be copied as structs and live in the arena that
 * they were made in.
 */
#ifndef FATHOM_EXPRESSION_EXPRESSION_VALUE_H
#define FATHOM_EXPRESSION_EXPRESSION_VALUE_H

#include "base/arena.h"
#include "object/meta.h"
#include "object/quantity.h"

#include <stdbool.h>
#include <stdint.h>

struct expression_class;
struct expression_value;

enum expression_tag {
    VALUE_IS_ERROR, /* the first one, so that a zeroed value is no answer */
    VALUE_IS_NULL,
    VALUE_IS_BOOL,
    VALUE_IS_INT,
    VALUE_IS_DOUBLE,
    VALUE_IS_STRING,
    VALUE_IS_DURATION,
    VALUE_IS_QUANTITY,
    VALUE_IS_LIST, /* a bag, too */
    VALUE_IS_MAP,
    VALUE_IS_OBJECT,
};

/* An object of the environment; what the numbers mean is known to its class. */
struct expression_object {
    const struct expression_class *class;
    uint32_t first;
    uint32_t second;
};

/* Is told when an answer depends on how often an item is there, and not only on whether it is. */
struct expression_counting {
    /* `origin`: of the item; `several`: only whether it is there more than once makes a difference.
     */
    void (*read)(void *context, uint32_t origin, bool several);
    /* Only whether all items together are fewer than `than`, as many, or more, makes a difference.
     */
    void (*compared)(void *context, const uint32_t *origins, uint32_t count, int64_t than);
    void *context;
};

struct expression_list {
    const struct expression_value *items;
    const uint64_t *counts; /* how often each item is there; NULL: once */
    uint32_t count;
    bool bag;                                   /* true if the items have no order */
    const struct expression_counting *counting; /* NULL: nobody wants to know */
    const uint32_t *origins;                    /* by item, for whoever wants to know */
};

/* Either labels, or pairs of keys and values. */
struct expression_map {
    const struct labels *labels;
    const struct expression_value *keys;
    const struct expression_value *values;
    uint32_t count;       /* of the pairs */
    uint32_t alias_count; /* so many pairs behind them are found, but not walked over */
    bool is_written;      /* true if the text has it, who may have made it as large as it can be */
};

struct expression_value {
    enum expression_tag tag;
    union {
        bool truth;
        int64_t integer; /* of a duration: nanoseconds */
        double number;
        const char *text; /* of a string, NUL-terminated UTF-8; of an error */
        const struct quantity *quantity;
        const struct expression_list *list;
        const struct expression_map *map;
        struct expression_object object;
    };
};

static inline struct expression_value expression_of_bool(bool truth)
{
    return (struct expression_value){.tag = VALUE_IS_BOOL, .truth = truth};
}

static inline struct expression_value expression_of_int(int64_t integer)
{
    return (struct expression_value){.tag = VALUE_IS_INT, .integer = integer};
}

static inline struct expression_value expression_of_double(double number)
{
    return (struct expression_value){.tag = VALUE_IS_DOUBLE, .number = number};
}

static inline struct expression_value expression_of_string(const char *text)
{
    return (struct expression_value){.tag = VALUE_IS_STRING, .text = text};
}

static inline struct expression_value expression_of_duration(int64_t nanoseconds)
{
    return (struct expression_value){.tag = VALUE_IS_DURATION, .integer = nanoseconds};
}

static inline struct expression_value expression_of_null(void)
{
    return (struct expression_value){.tag = VALUE_IS_NULL};
}

static inline struct expression_value expression_of_object(const struct expression_class *class,
                                                           uint32_t first, uint32_t second)
{
    return (struct expression_value){.tag = VALUE_IS_OBJECT, .object = {class, first, second}};
}

/* Of an optional field that the object lacks. */
static inline struct expression_value expression_absent(void)
{
    return (struct expression_value){.tag = VALUE_IS_ERROR};
}

struct expression_value expression_of_quantity(struct arena *arena, struct quantity quantity);
struct expression_value expression_of_labels(struct arena *arena, const struct labels *labels);
/* The items and counts stay where they are. */
struct expression_value expression_of_list(struct arena *arena,
                                           const struct expression_value *items, uint32_t count);
static inline struct expression_value expression_of_bag(struct arena *arena,
                                                        const struct expression_value *items,
                                                        const uint64_t *counts, uint32_t count)
{
    struct expression_list *list =
        arena_allocate_raw(arena, sizeof(*list), _Alignof(struct expression_list));
    *list = (struct expression_list){.items = items, .counts = counts, .count = count, .bag = true};
    return (struct expression_value){.tag = VALUE_IS_LIST, .list = list};
}
/* A bag of which somebody wants to know which counts are read. */
struct expression_value expression_of_counted_bag(struct arena *arena,
                                                  const struct expression_list *bag);

/* "no such key: app" */
__attribute__((format(printf, 2, 3))) struct expression_value
expression_error(struct arena *arena, const char *format, ...);

static inline bool expression_is_true(struct expression_value value)
{
    return value.tag == VALUE_IS_BOOL && value.truth;
}

static inline uint64_t expression_count_of(const struct expression_list *list, uint32_t item)
{
    return list->counts ? list->counts[item] : 1;
}

/* How many elements it has, alike ones included; saturating. */
/* The same where an answer depends on it; `several`: only on whether it is more than one. */
static inline uint64_t expression_count_read(const struct expression_list *list, uint32_t item,
                                             bool several)
{
    if (list->counting)
        list->counting->read(list->counting->context, list->origins[item], several);
    return expression_count_of(list, item);
}

uint64_t expression_list_size(const struct expression_list *list);

/* How many values it consists of, itself included; counted up to `most`, from where on it is more.
 */
uint64_t expression_weight(struct expression_value value, uint64_t most);

/* Is it an object or a bag, or does it have one inside? Such values cannot be compared: that would
 * tell alike elements apart. */
bool expression_is_opaque(struct expression_value value);
/* Equal as `==` has it: numbers by their value, whatever their type. Not of opaque values. */
bool expression_equal(struct expression_value left, struct expression_value right);

enum expression_order { ORDER_LESS, ORDER_EQUAL, ORDER_GREATER, ORDER_NONE };
/* ORDER_NONE: they are of types that `<` does not compare, or one is not a number. */
enum expression_order expression_compare(struct expression_value left,
                                         struct expression_value right);

/* The value of a key; false: there is none. */
bool expression_map_find(const struct expression_map *map, struct expression_value key,
                         struct expression_value *found);
/* How many keys it has, and each of them. */
uint32_t expression_map_size(const struct expression_map *map);
struct expression_value expression_map_key(const struct expression_map *map, uint32_t index);

/* As it would be written: 2, 'web', [1, 2], {'a': 1}. Of lists and maps some hundred characters,
 * and
 * `...` for the rest. */
const char *expression_value_text(struct arena *arena, struct expression_value value);
/* All of it. */
const char *expression_value_whole_text(struct arena *arena, struct expression_value value);

#endif
