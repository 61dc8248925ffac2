/* SPDX-License-Identifier: Apache-2.0 */
/* Does a node match? For plugins that ask about the node's labels and name. */
#ifndef FATHOM_DECIDE_SCHEDULER_NODE_MATCH_H
#define FATHOM_DECIDE_SCHEDULER_NODE_MATCH_H

#include "decide/view.h"

bool node_match_term(const struct node_selector_term *term, const struct node_template *template);
bool node_match_selector(const struct node_selector *selector,
                         const struct node_template *template);

/* The pod's node selector and its required node affinity. */
bool node_match_pod(const struct pod *pod, const struct node_template *template);

/* Does the pod tolerate all NoSchedule and NoExecute taints of the node? */
bool node_match_taints(const struct pod *pod, const struct node_template *template);

#endif
