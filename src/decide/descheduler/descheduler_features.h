/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a version of the descheduler does differently: one switch for each rule
 * that changed between v0.27.1 and v0.28.1. The descheduler's versions are its
 * own; what a version of Kubernetes changes is in decide/features.h.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_FEATURES_H
#define FATHOM_DECIDE_DESCHEDULER_FEATURES_H

#include "object/object.h"

enum { DESCHEDULER_MINOR_FIRST = 27, DESCHEDULER_MINOR_LAST = 28 };

struct descheduler_features {
    int minor; /* 27 for v0.27.1; to be printed */
#define FEATURE(member, name, first, last, help) bool member;
#include "decide/descheduler/descheduler_features.def"
#undef FEATURE
};

struct descheduler_features descheduler_features_of_version(int minor);

/* Reads "0.27", "v0.28.1"; false for versions that are not modelled. */
bool descheduler_parse_version(const char *text, int *minor);

/* The version by the image of a Pod or Deployment among the objects; without
 * one the first that is modelled. */
int descheduler_version_of(const struct objects *objects);

#endif
