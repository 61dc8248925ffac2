/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a document tree from what a reader meets, in the order of the text:
 * scalars, beginnings and ends of sequences and mappings, anchors, aliases.
 * Inside a mapping keys and values alternate.
 *
 * The builder keeps the tree's invariants (document.h): it refuses keys that
 * are no scalars or are given twice, nesting and texts beyond the limits, and
 * aliases that multiply values. Functions that return false have reported a
 * problem after which the text cannot be read on; `failed` says that there was
 * any problem at all.
 *
 * Children wait on one stack until their parent ends and are then moved into
 * an array of the right size, so the tree has no slack. The stack and the
 * table of keys stay from one text to the next.
 */
#ifndef FATHOM_MANIFEST_TREE_BUILDER_H
#define FATHOM_MANIFEST_TREE_BUILDER_H

#include "base/map.h"
#include "manifest/document.h"
#include "manifest/limits.h"
#include "manifest/scalar.h"

struct tree_anchor;

/* A sequence or mapping that has begun and not ended. */
struct tree_frame {
    uint8_t kind;   /* enum value_kind */
    bool has_key;   /* of a mapping: its next value belongs to `key` */
    bool has_merge; /* of a mapping: one of its keys is tree_merge_key */
    uint32_t line;
    uint32_t column;
    uint32_t first;  /* its first child on the stack */
    uint32_t height; /* of the tallest child so far */
    const char *key; /* the last one; NULL in a sequence */
    uint32_t key_line;
    uint32_t key_column;
    struct tree_anchor *anchor; /* of this container; NULL: it has none */
    uint64_t values_before;     /* written and aliased values before it */
};

struct tree_builder {
    struct memory *memory;
    struct map keys;      /* each key once */
    struct arena scratch; /* anchors, tables of one mapping */
    bool lenient;         /* of a key that is given twice the last counts; else it is refused */

    /* The text being read. */
    struct arena *arena;
    const char *file;
    struct problems *problems;
    bool failed;
    uint32_t refusals;       /* problems that were reported */
    uint32_t duplicates;     /* keys that were given again and taken */
    uint64_t values_written; /* values in the text */
    uint64_t values_aliased; /* values that its aliases stand for */

    /* The document being built. */
    struct tree_frame frames[DOCUMENT_DEPTH_MOST];
    uint32_t depth;
    struct member *stack; /* children of all open frames; of sequences only the value counts */
    uint32_t stack_count;
    uint32_t stack_capacity;
    struct map anchors;
    struct tree_anchor *next_anchor; /* belongs to the value that comes next */
    struct value root;
};

/* A scalar as the reader met it. */
struct tree_scalar {
    enum scalar_kind kind;
    const char *text; /* NUL-terminated if it is a number */
    size_t length;
    uint32_t line;
    uint32_t column;
    bool is_merge; /* the plain `<<` that merges when it is a key */
};

void tree_builder_init(struct tree_builder *builder, struct memory *memory,
                       struct arena *keys_arena);
void tree_builder_release(struct tree_builder *builder);

void tree_builder_start_text(struct tree_builder *builder, struct arena *arena, const char *file,
                             struct problems *problems);
void tree_builder_start_document(struct tree_builder *builder);

bool tree_builder_scalar(struct tree_builder *builder, const struct tree_scalar *scalar);
bool tree_builder_begin(struct tree_builder *builder, enum value_kind kind, uint32_t line,
                        uint32_t column);
bool tree_builder_end(struct tree_builder *builder);
void tree_builder_anchor(struct tree_builder *builder, const char *name);
bool tree_builder_alias(struct tree_builder *builder, const char *name, uint32_t line,
                        uint32_t column);

#endif
