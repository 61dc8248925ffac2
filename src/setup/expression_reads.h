/* SPDX-License-Identifier: Apache-2.0 */
/* What an expression over the cluster may read of nodes and pods, as far as its words show. */
#ifndef FATHOM_SETUP_EXPRESSION_READS_H
#define FATHOM_SETUP_EXPRESSION_READS_H

#include "decide/reads.h"

void reads_add_expression(struct reads *reads, const char *text);

#endif
