/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regular expressions with RE2's syntax and meaning, as CEL's matches() and Kubernetes' find() have
 * them. What is searched for is walked through once, whatever the pattern: the work is at most the
 * length of the text times the size of the pattern, and it is counted.
 *
 * Left out: classes of Unicode (\pL), and letters outside of ASCII after (?i).
 */
#ifndef FATHOM_EXPRESSION_PATTERN_H
#define FATHOM_EXPRESSION_PATTERN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct pattern;

/* NULL: it is none, and `*why` says why: "the group has no end". */
const struct pattern *pattern_compile(struct arena *arena, const char *text, const char **why);

/* Of how many instructions it consists. */
uint32_t pattern_size(const struct pattern *pattern);

struct pattern_match {
    const char *start;
    const char *end;
};

enum pattern_result { PATTERN_FOUND, PATTERN_NOT_FOUND, PATTERN_TOO_MUCH_WORK };

/* The first match that begins at `from`, a place in the text, or later: of those that begin there,
 * the one that the pattern prefers. Takes what it costs from `*work_left`. */
enum pattern_result pattern_find(const struct pattern *pattern, struct arena *scratch,
                                 const char *text, const char *from, uint64_t *work_left,
                                 struct pattern_match *match);

#endif
