/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a pattern: what its text says, before it is compiled. */
#ifndef FATHOM_EXPRESSION_PATTERN_TREE_H
#define FATHOM_EXPRESSION_PATTERN_TREE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct character_range {
    uint32_t from;
    uint32_t to;
};

struct character_set {
    const struct character_range *ranges;
    uint32_t count;
};

enum assertion {
    ASSERT_TEXT_START,
    ASSERT_TEXT_END,
    ASSERT_LINE_START,
    ASSERT_LINE_END,
    ASSERT_WORD_BOUNDARY,
    ASSERT_NO_WORD_BOUNDARY,
};

enum pattern_node_kind {
    NODE_SET,
    NODE_ASSERT,
    NODE_SEQUENCE,
    NODE_ALTERNATIVES, /* the first ones are preferred */
    NODE_REPEAT,
};

enum { REPEAT_WITHOUT_END = -1 };

struct pattern_node {
    enum pattern_node_kind kind;
    struct pattern_node **items;
    uint32_t count;
    const struct character_set *set;
    enum assertion assertion;
    int least; /* NODE_REPEAT */
    int most;
    bool lazy; /* rather less often */
};

/* NULL: the text is no pattern, and `*why` says why. */
struct pattern_node *pattern_parse(struct arena *arena, const char *text, const char **why);

#endif
