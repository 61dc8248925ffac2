/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of output formats, made from formats.def.
 *
 * A writer appends one result to a text. It prints nothing; what keeps it from writing
 * becomes a problem. Writers for people leave out times, so that the same input gives
 * the same text.
 */
#ifndef FATHOM_REPORT_FORMATS_H
#define FATHOM_REPORT_FORMATS_H

#include "base/error.h"
#include "base/text.h"

/* What all writers may look at. */
struct writer_context {
    struct arena *arena;
    bool verbose; /* say more: time and memory */
    bool ascii;   /* pictures are drawn without characters beyond ASCII */
    struct problems *problems;
};

/* What must be found out for some formats, and for no others. */
enum format_needs {
    NEEDS_NOTHING = 0,
    NEEDS_PICTURES = 1 << 0,   /* the cluster after each step of a counterexample */
    NEEDS_ALL_SETUPS = 1 << 1, /* the verdicts of all setups, not the smallest violation */
    NEEDS_INPUT = 1 << 2,      /* what is needed to find the same input again */
    NEEDS_CAUSES = 1 << 3,     /* which steps each step goes back to */
    NEEDS_A_SETUP = 1 << 4,    /* one setup is looked at, which --setup may name */
    NEEDS_TRIAL = 1 << 5,      /* whether what holds does so with stronger settings, too */
};

enum result_kind {
    RESULT_NONE, /* the command has no -o */
#define RESULT(constant, type) RESULT_##constant,
#define FORMAT(result, name, needs, writer, what)
#define EXPORT(result, name, needs, writer, what)
#include "report/formats.def"
#undef RESULT
#undef FORMAT
#undef EXPORT
    RESULT_KIND_COUNT
};

typedef void format_write(const struct writer_context *how, const void *result, struct text *text);

struct format {
    enum result_kind result;
    const char *name; /* of -o */
    unsigned needs;   /* enum format_needs */
    format_write *write;
    const char *what; /* it writes, in a few words */
};

/* All rows; the last one has no name. */
extern const struct format format_table[];

/* NULL: the result has no format of this name. */
const struct format *format_find(enum result_kind result, const char *name);
/* The first of the result. */
const struct format *format_default(enum result_kind result);
/* "text|json", the default first. */
const char *format_names(struct arena *arena, enum result_kind result);

/* The results by their constants, and the writers of each. */
#define RESULT(constant, type) \
    struct type;               \
    typedef struct type result_##constant;
#define FORMAT(result, name, needs, writer, what) \
    void writer(const struct writer_context *how, const result_##result *found, struct text *text);
#define EXPORT(result, name, needs, writer, what)
#include "report/formats.def"
#undef RESULT
#undef FORMAT
#undef EXPORT

#endif
