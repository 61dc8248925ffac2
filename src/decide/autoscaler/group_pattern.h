/* SPDX-License-Identifier: Apache-2.0 */
/* The regular expressions of the priority expander, which are Go's. */
#ifndef FATHOM_DECIDE_AUTOSCALER_GROUP_PATTERN_H
#define FATHOM_DECIDE_AUTOSCALER_GROUP_PATTERN_H

#include "base/arena.h"

#include <stdbool.h>

enum group_pattern_result {
    PATTERN_MATCHES,
    PATTERN_DIFFERS,
    PATTERN_WRONG,       /* no regular expression: Go refuses it, too */
    PATTERN_UNSUPPORTED, /* Go may understand it; we do not */
};

/* Does any part of the text match? */
enum group_pattern_result group_pattern_search(struct arena *scratch, const char *pattern,
                                               const char *text);

#endif
