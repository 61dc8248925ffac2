/* SPDX-License-Identifier: Apache-2.0 */
/* For tests that go through versions: the features of 1.`minor`, which stay. */
#ifndef FATHOM_DECIDE_FEATURES_FIXTURE_H
#define FATHOM_DECIDE_FEATURES_FIXTURE_H

#include "decide/features.h"

static inline const struct features *version(int minor)
{
    static struct features versions[FEATURES_MINOR_LAST + 1];
    versions[minor] = features_of_version(minor);
    return &versions[minor];
}

#endif
