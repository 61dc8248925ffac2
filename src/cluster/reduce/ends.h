/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods that terminate, where nobody sees them.
 *
 * That a pod has terminated is a step of its kubelet. In the pool, where it is not known which node
 * has which room (state/pool.h), that step commutes with all others: it is possible until it is
 * taken, no other step is possible only before it, and what it makes possible, the end of a drain
 * and rest, waits for nothing else of it. So it need not be interleaved: it is taken together with
 * the step by which the pod was to end, and states say nothing of pods that terminate
 * (state/ends.h).
 *
 * Who looks at such pods declares it: actors by `minds_ends`, events by LEAVES_ENDS_ALONE, intents
 * by IGNORES_ENDS. Who says nothing looks at them. docs/fidelity.md has the argument.
 */
#ifndef FATHOM_CLUSTER_REDUCE_ENDS_H
#define FATHOM_CLUSTER_REDUCE_ENDS_H

#include "cluster/forward.h"

/* Chooses for the model, whose actors are known. */
void ends_choose(struct population *population);

#endif
