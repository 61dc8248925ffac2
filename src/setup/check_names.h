/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_SETUP_CHECK_NAMES_H
#define FATHOM_SETUP_CHECK_NAMES_H

#include "setup/setup.h"

/* Reports names of the Check, and of intents of the command line, that stand for objects of
 * several namespaces, and workloads of spec.workloads that are not there. The workloads of
 * the scope are known. */
void scope_check_names(struct arena *arena, const struct scope *scope,
                       const struct scope_options *options, struct problems *problems);

/* "Deployment/a/web and Deployment/b/web" if the name, whose kind and namespace may be left
 * out, stands for several workloads; NULL: it does not. */
const char *scope_ambiguous_workload(struct arena *arena, const struct scope *scope,
                                     const char *name);

#endif
