/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small random clusters of the kind that the twin knows, as manifests: a Check
 * with its objects, and what an `apply` event applies.
 */
#ifndef FATHOM_TEST_TWIN_RANDOM_CHECK_H
#define FATHOM_TEST_TWIN_RANDOM_CHECK_H

#include "base/text.h"

#define APPLIED_FILE "applied.yaml"

/* Parts of a random cluster that a failing one may be without. */
enum random_part {
    PART_SECOND_WORKLOAD = 1 << 0,
    PART_SECOND_GROUP = 1 << 1,
    PART_SPREAD = 1 << 2,
    PART_ANTI_AFFINITY = 1 << 3,
    PART_TAINT = 1 << 4,
    PART_TOLERATION = 1 << 5,
    PART_AUTOSCALER = 1 << 6,
    PART_BUDGET = 1 << 7,
    PART_FAILURE = 1 << 8,
    PART_MAINTENANCE = 1 << 9,
    PART_SCALE = 1 << 10,
    PART_CPU = 1 << 11,
    PART_APPLY = 1 << 12,
    PART_PREFERENCE = 1 << 13,
    PART_TIGHT = 1 << 14,
    PART_DESCHEDULER = 1 << 15,
    PART_ALL = (1 << 16) - 1,
};

/* Only parts of `parts` are used; the same seed and parts give the same texts. */
void random_check(uint64_t seed, uint32_t parts, struct text *check, struct text *applied);

#endif
