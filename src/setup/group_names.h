/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a group's nodes: GROUP-1, GROUP-2, ... */
#ifndef FATHOM_SETUP_GROUP_NAMES_H
#define FATHOM_SETUP_GROUP_NAMES_H

#include "setup/setup.h"

#include <stdint.h>

/* N if the name is that of the Nth node of the group, if there are enough; 0: it is not. */
int32_t group_ordinal(const struct setup_group *group, const char *name);

#endif
