/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a version of Kubernetes does differently: one switch for each rule that
 * changed between 1.26 and 1.33, set by the version's defaults. A switch that
 * upstream has as a feature gate has the gate's name; the others are changes
 * without a gate and are named after what they change.
 *
 * Code that behaves differently by version takes a `const struct features *`
 * and asks for a switch; no other code compares minor versions.
 */
#ifndef FATHOM_DECIDE_FEATURES_H
#define FATHOM_DECIDE_FEATURES_H

#include <stdbool.h>

enum { FEATURES_MINOR_FIRST = 26, FEATURES_MINOR_LAST = 33 };

struct features {
    int minor; /* 26 for 1.26; to be printed */
#define FEATURE(member, name, first, last, help) bool member;
#include "decide/features.def"
#undef FEATURE
};

/* The defaults of version 1.`minor`; versions outside the table get the nearest. */
struct features features_of_version(int minor);

/* Reads "1.26", "v1.27.3"; false if that is no version in the table's range. */
bool features_parse_version(const char *text, int *minor);

/* Switches a feature gate by upstream's name; false if it is not one of ours. */
bool features_set(struct features *features, const char *gate, bool enabled);

#endif
