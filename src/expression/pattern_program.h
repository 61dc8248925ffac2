/* SPDX-License-Identifier: Apache-2.0 */
/* What a pattern is compiled to (pattern_compile.c), and what searches it (pattern.c). */
#ifndef FATHOM_EXPRESSION_PATTERN_PROGRAM_H
#define FATHOM_EXPRESSION_PATTERN_PROGRAM_H

#include "expression/pattern_tree.h"

enum instruction_kind {
    INSTRUCTION_SET,   /* takes a character of the set */
    INSTRUCTION_SPLIT, /* goes on at `next`, or rather at `first` */
    INSTRUCTION_ASSERT,
    INSTRUCTION_MATCH,
};

struct instruction {
    enum instruction_kind kind;
    uint32_t next;
    uint32_t first;
    const struct character_set *set;
    enum assertion assertion;
};

enum { PATTERN_INSTRUCTIONS_MOST = 4000 };

struct pattern {
    struct instruction *instructions;
    uint32_t count;
    uint32_t start;
};

#endif
