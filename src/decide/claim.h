/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules by which controllers own, adopt and release objects, and the few
 * facts of a pod that nearly every controller asks for.
 */
#ifndef FATHOM_DECIDE_CLAIM_H
#define FATHOM_DECIDE_CLAIM_H

#include "decide/features.h"
#include "object/pod.h"

/* Equal texts; false if either is absent. */
bool claim_same_text(const char *a, const char *b);

/* The object's controller is this owner: the UID decides, or the name where a
 * manifest gives no UIDs. Both are of the same namespace. */
bool claim_owned_by(const struct object_meta *meta, const char *kind,
                    const struct object_meta *owner);

enum claim {
    CLAIM_NONE,    /* owned by another controller, or not selected */
    CLAIM_OWNED,   /* owned and selected */
    CLAIM_ADOPT,   /* without a controller, but selected */
    CLAIM_RELEASE, /* owned, but no longer selected */
};

/* How the owner with this selector (NULL: selects nothing) claims an object. An
 * owner or an orphan that is being deleted adopts nothing. */
enum claim claim_of(const struct object_meta *meta, const char *kind,
                    const struct object_meta *owner, const struct label_selector *selector);

/* The Ready condition is True. */
bool pod_is_ready(const struct pod *pod);
/* The lastTransitionTime of the Ready condition, whatever its status; TIME_NONE without one. */
int64_t pod_ready_since(const struct pod *pod);

/* An age; AGE_NONE if the instant is not known. Ages beyond AGE_MOST (73 years)
 * are cut to it, so that a few of them can be added without an overflow. */
#define AGE_NONE INT64_MIN
#define AGE_MOST (INT64_MAX / 4)
int64_t age_at(int64_t now, int64_t time);
/* A duration in nanoseconds, cut to AGE_MOST. */
int64_t duration_of_seconds(int64_t seconds);

/* Ready for minReadySeconds; until 1.33 strictly longer if that is not 0. */
bool pod_is_available(const struct features *features, bool ready, int64_t ready_age,
                      int32_t min_ready_seconds);

/* For qsort over `const char *`. */
int claim_compare_texts(const void *left, const void *right);

#endif
