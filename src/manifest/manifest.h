/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads manifests: text in, document trees out (document.h).
 *
 * Files, folders and standard input, YAML and JSON, several documents in one
 * file, and lists (`kind: List`, `kind: PodList`, ...), whose items become
 * documents of their own. Documents come in the order of the paths given;
 * files of a folder in the order of their names. Empty documents are left out.
 *
 * Whatever is wrong is reported with its place, in as many files as have
 * mistakes; a syntax error ends the reading of its file alone. Input that asks
 * for too much (limits.h) is refused at a cost in proportion to its size.
 */
#ifndef FATHOM_MANIFEST_MANIFEST_H
#define FATHOM_MANIFEST_MANIFEST_H

#include "manifest/document.h"

/* What standard input is called in messages; its path is "-". */
#define MANIFEST_STANDARD_INPUT "<stdin>"

struct manifest_paths {
    const char *const *items; /* files, folders, "-" */
    uint32_t count;
    bool recursive; /* -R: folders inside folders, too */
    bool lenient;   /* of a key given twice the last counts, and what is no mapping is left out,
                       with warnings; else both are refused */
    uint64_t bytes_most; /* that a file may have; 0: INPUT_BYTES_MOST */
};

/* Is a file of this name read when its folder is given? */
bool manifest_is_name(const char *name);

/* Appends every document to `documents` (zeroed at first), all in `arena`.
 * False if anything was wrong; what could be read is there nevertheless. */
bool manifest_load(struct arena *arena, const struct manifest_paths *paths,
                   struct documents *documents, struct problems *problems);

/* The same for a text in memory, YAML or JSON; `file` is its name in messages. */
bool manifest_parse(struct arena *arena, const char *file, const char *bytes, size_t count,
                    struct documents *documents, struct problems *problems);

/*
 * For many small texts, such as the lines of `decide --batch`: keeps its
 * working space and the table of keys from one text to the next. The trees go
 * into the arena given with each text, so that it can be rewound in between;
 * their keys live as long as the reader.
 */
struct manifest_reader;

struct manifest_reader *manifest_reader_create(struct memory *memory);
void manifest_reader_free(struct manifest_reader *reader);

/* One JSON value, strictly JSON, starting at `start` (a line of a larger file
 * gives its number). NULL if anything was wrong. */
const struct document *manifest_reader_parse_json(struct manifest_reader *reader,
                                                  struct arena *arena, struct place start,
                                                  const char *bytes, size_t count,
                                                  struct problems *problems);

#endif
