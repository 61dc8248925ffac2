/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLUSTER_BUILD_SUPPORTS_VOLUMES_H
#define FATHOM_CLUSTER_BUILD_SUPPORTS_VOLUMES_H

struct support;

/* Reports claims that keep pods in some place in a way that is not modelled. */
void supports_volumes(const struct support *support);

#endif
