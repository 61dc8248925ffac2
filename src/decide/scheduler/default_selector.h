/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_SCHEDULER_DEFAULT_SELECTOR_H
#define FATHOM_DECIDE_SCHEDULER_DEFAULT_SELECTOR_H

#include "decide/view.h"

/* The pods that default spreading counts: those that the services of the pod
 * and its controller select together. NULL if no service and no controller has
 * a selector. */
const struct label_selector *default_selector(struct catalog *catalog, const struct pod *pod);

#endif
