/* SPDX-License-Identifier: Apache-2.0 */
/* What a controller would do in one state (`fathom decide`): deciders write it themselves. */
#ifndef FATHOM_REPORT_DECISION_H
#define FATHOM_REPORT_DECISION_H

#include "base/text.h"

struct decided {
    const char *controller; /* its name */
    struct text json;
    struct text sentences;
};

#endif
