/* SPDX-License-Identifier: Apache-2.0 */
/* Names of workloads and events in expressions: one that no state has is a slip, and no expression
 * that fails. */
#ifndef FATHOM_CLUSTER_ASK_EXPRESSION_NAMES_H
#define FATHOM_CLUSTER_ASK_EXPRESSION_NAMES_H

#include "base/error.h"
#include "expression/expression.h"

struct scope;

/* An expression over a cluster that is true or false; NULL: the problems say what is wrong.
 * `scope`: whose workloads it may name; NULL: it was looked at before. */
const struct expression *expression_of_cluster(struct arena *arena, const char *text,
                                               const struct scope *scope, struct place place,
                                               const char *path, struct problems *problems);

#endif
