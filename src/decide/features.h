/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a version of Kubernetes does differently: one switch for each rule that
 * changed between 1.26 and 1.36, set by the version's defaults. A switch that
 * upstream has as a feature gate has the gate's name; the others are changes
 * without a gate and are named after what they change.
 *
 * Code that behaves differently by version takes a `const struct features *`
 * and asks for a switch; no other code compares minor versions.
 */
#ifndef FATHOM_DECIDE_FEATURES_H
#define FATHOM_DECIDE_FEATURES_H

#include "base/arena.h"

#include <limits.h>
#include <stdbool.h>

enum { FEATURES_MINOR_FIRST = 26, FEATURES_MINOR_LAST = 36, FEATURES_PATCH_NEWEST = INT_MAX };

/* The versions of the table, for messages. */
#define FEATURES_RANGE "1.26 to 1.36"

struct features {
    int minor; /* 26 for 1.26; to be printed */
    int patch; /* FEATURES_PATCH_NEWEST: none was named */
#define FEATURE(member, name, first, last, help) bool member;
#define PATCHED(member, minor, patch)
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
};

/* The defaults of the newest patch release of 1.`minor`; versions outside the
 * table get the nearest. */
struct features features_of_version(int minor);

/* The defaults of "1.26", "v1.27.3", "v1.31.5-eks-1"; false, and nothing is set, if
 * that is no version in the table's range. A text without a patch is the newest
 * patch release. */
bool features_of_text(const char *text, struct features *features);

/* "1.26", or "1.28.3" if a patch release was named; features_of_text reads it. */
const char *features_version(struct arena *arena, const struct features *features);

/* The same minor version, and all switches alike? */
bool features_equal(const struct features *left, const struct features *right);

/* Switches a feature gate by upstream's name; false if it is not one of ours. */
bool features_set(struct features *features, const char *gate, bool enabled);

#endif
