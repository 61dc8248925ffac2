/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label selectors and node selectors, with every operator.
 *
 * A selector that is absent (a NULL pointer) and one that is empty (`{}`) mean
 * different things in nearly every place of the API; whoever calls decides what
 * absent means there. An empty selector matches everything, an empty node
 * selector term nothing.
 */
#ifndef FATHOM_OBJECT_SELECTOR_H
#define FATHOM_OBJECT_SELECTOR_H

#include "object/meta.h"

enum selector_operator {
    SELECTOR_IN,
    SELECTOR_NOT_IN,
    SELECTOR_EXISTS,
    SELECTOR_DOES_NOT_EXIST,
    SELECTOR_GREATER_THAN, /* node selectors only */
    SELECTOR_LESS_THAN,    /* node selectors only */
};

struct selector_requirement {
    const char *key;
    enum selector_operator operator;
    struct string_list values;
};

struct label_selector {
    struct labels match_labels;
    struct selector_requirement *match_expressions;
    uint32_t match_expression_count;
};

/* All pairs and all expressions; NotIn and DoesNotExist match an absent key. */
bool label_selector_matches(const struct label_selector *selector, const struct labels *labels);

/* Gt and Lt need label and value to be whole numbers, otherwise no match. */
bool selector_requirement_matches(const struct selector_requirement *requirement,
                                  const struct labels *labels);

struct node_selector_term {
    struct selector_requirement *match_expressions;
    uint32_t match_expression_count;
    struct selector_requirement *match_fields; /* metadata.name only */
    uint32_t match_field_count;
};

struct node_selector {
    struct node_selector_term *terms; /* any one of them */
    uint32_t term_count;
};

bool node_selector_term_matches(const struct node_selector_term *term, const struct labels *labels,
                                const char *node_name);
bool node_selector_matches(const struct node_selector *selector, const struct labels *labels,
                           const char *node_name);

#endif
