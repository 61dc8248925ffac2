/* SPDX-License-Identifier: Apache-2.0 */
/* How large a cluster may be. Larger ones are a slip of the finger, mostly, and take long to say
 * anything about; so they are refused unless they are asked for. */
#ifndef FATHOM_SETUP_LARGEST_H
#define FATHOM_SETUP_LARGEST_H

#include "setup/setup.h"

/* As large as Kubernetes supports. */
enum { LARGEST_NODES = 5000, LARGEST_PODS = 150000 };

/* Adds an error, with the place of what is too large, and gives false. */
bool scope_check_largest(const struct scope *scope, const struct scope_options *options,
                         struct problems *problems);

#endif
