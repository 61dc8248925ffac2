/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_SCHEDULER_DEFAULT_SELECTOR_H
#define FATHOM_DECIDE_SCHEDULER_DEFAULT_SELECTOR_H

#include "decide/view.h"

/* What the services of a pod and its controller select, all together: the pods
 * that default spreading counts. NULL if that is nothing in particular. */
const struct label_selector *default_selector(struct catalog *catalog, const struct pod *pod);

#endif
