/* SPDX-License-Identifier: Apache-2.0 */
/* Pods that terminate, where nobody sees them (reduce/ends.h): which of them states keep. */
#ifndef FATHOM_CLUSTER_STATE_ENDS_H
#define FATHOM_CLUSTER_STATE_ENDS_H

#include "cluster/forward.h"

enum ends {
    /* All of them. */
    ENDS_KEPT,
    /* Those that hold room of nodes that are up, or will: the room is measured (ask/room_held.h).
     * Others are on nodes that stay down, or that are drained, which waits for them. */
    ENDS_KEPT_FOR_ROOM,
    /* None: a pod is gone as soon as it is to end. */
    ENDS_FORGOTTEN,
};

/* Forgets the pods of a successor that terminate and that states do not keep. */
void ends_forget(struct worker *worker, struct state *next);

#endif
