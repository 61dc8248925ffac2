/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_DECIDE_SCHEDULER_DEFAULT_SELECTOR_H
#define FATHOM_DECIDE_SCHEDULER_DEFAULT_SELECTOR_H

#include "decide/view.h"

/* The pods that default spreading counts: those that the services of the pod
 * and its controller select together. NULL if no service and no controller has
 * a selector. */
const struct label_selector *default_selector(struct catalog *catalog, const struct pod *pod);

/* Makes the selectors of these pods now, once each, and gives them until they are dropped; the pods
 * do not change meanwhile. For those who compare all pods with each other. */
void default_selectors_keep(struct catalog *catalog, const struct pod *const *pods, uint32_t count);
void default_selectors_drop(struct catalog *catalog);

#endif
