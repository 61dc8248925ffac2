/* SPDX-License-Identifier: Apache-2.0 */
/* What `fathom diff` found. */
#ifndef FATHOM_REPORT_COMPARE_REPORT_H
#define FATHOM_REPORT_COMPARE_REPORT_H

#include "compare/compare.h"

struct compared {
    const char *old_name; /* of the Check, with its version if they differ */
    const char *new_name;
    const struct comparison *comparison; /* NULL: only one side has it */
};

struct comparisons {
    struct compared *items;
    uint32_t count;
    uint32_t capacity;
    const char *version; /* of this program */
};

/* Equal: holds; different: violated. */
enum verdict comparisons_verdict(const struct comparisons *comparisons);

#endif
