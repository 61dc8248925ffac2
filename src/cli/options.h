/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line, read by the table of options.def.
 *
 * Options and operands may come in any order, before the command too; `--` ends
 * the options. `--name=value`, `--name value`, `-x value`, `-xvalue` and
 * several flags in one word (`-Rh`) are all understood. Names are never
 * abbreviated: an abbreviation that works today would become ambiguous with
 * the next row. (That is why this is not getopt_long.)
 */
#ifndef FATHOM_CLI_OPTIONS_H
#define FATHOM_CLI_OPTIONS_H

#include "base/error.h"
#include "cli/command.h"

struct option_list {
    const char **items;
    uint32_t count;
    uint32_t capacity;
};

struct output {
    const char *format;
    const char *file; /* NULL: standard output */
};

struct output_list {
    struct output *items;
    uint32_t count;
    uint32_t capacity;
};

enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_LIST, OPTION_NUMBER, OPTION_OUTPUT };

#define OPTION_TYPE_FLAG   bool
#define OPTION_TYPE_TEXT   const char *
#define OPTION_TYPE_LIST   struct option_list
#define OPTION_TYPE_NUMBER uint64_t
#define OPTION_TYPE_OUTPUT struct output_list

struct option {
    enum option_kind kind;
    char letter;
    const char *name;
    const char *value; /* what it is called in the help; NULL for flags */
    const char *initial;
    uint64_t low;
    uint64_t high;
    uint64_t commands; /* bit i: command i knows it */
    const char *help;
    size_t offset; /* of the member that holds the value */
};

struct options {
#define OPTION(member, kind, ...) OPTION_TYPE_##kind member;
#include "cli/options.def"
#undef OPTION
};

enum option_index {
#define OPTION(member, ...) OPTION_INDEX_##member,
#include "cli/options.def"
#undef OPTION
    OPTION_COUNT
};

extern const struct option option_table[OPTION_COUNT];

/* A table and the struct that its offsets mean; tests bring their own. */
struct option_rows {
    const struct option *items;
    size_t count;
};

struct command_line {
    enum command_index command;
    const char *group;           /* `fathom trace` alone: the word, and no command */
    struct option_list operands; /* without the command */
};

/* Reads `arguments` (without the program's name) into `values`. Everything that
 * is wrong becomes a problem without a place; false if anything is. The command
 * is set whenever it is known, so that the complaint can point at its help. */
bool options_read(struct arena *arena, struct option_rows rows, const char *const *arguments,
                  void *values, struct command_line *line, struct problems *problems);

#endif
