/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_EXPLORE_LOSSY_H
#define FATHOM_EXPLORE_LOSSY_H

#include "explore/search.h"

/* The whole run in the modes that do not store states. */
void lossy_run(struct search *search);

#endif
