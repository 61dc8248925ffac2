/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For which nodes the pods of DaemonSets are that are never bound.
 *
 * A daemon's pod names its node in its affinity. Recordings that leave the
 * affinity out show the node once the pod is bound. A pod that waits for room
 * until the run ends, or until it is deleted, never shows it. A run is followed
 * if some choice of nodes for these pods explains all of its writes.
 */
#ifndef FATHOM_RECORDING_FOLLOW_DESTINATIONS_H
#define FATHOM_RECORDING_FOLLOW_DESTINATIONS_H

#include "recording/follow_internal.h"

struct destinations;

/* Finds the pods, and gives each of them the node that its DaemonSet wants a pod
 * on at that moment. Allocates in the recording's arena. */
struct destinations *destinations_guess(struct follower *follower);

/* The next choice; false: all have been tried, or enough of them. */
bool destinations_next(struct destinations *destinations);

#endif
