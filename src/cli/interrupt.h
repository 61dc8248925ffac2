/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_CLI_INTERRUPT_H
#define FATHOM_CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Ctrl-C and SIGTERM set the flag from now on: the first one asks for an end,
 * the second one gets it. */
const atomic_bool *interrupt_listen(void);

#endif
