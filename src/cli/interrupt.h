/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C and SIGTERM, for all commands: something to look at, or something to wait for. */
#ifndef FATHOM_CLI_INTERRUPT_H
#define FATHOM_CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Ctrl-C and SIGTERM set the flag from now on: the first one asks for an end,
 * the second one gets it. */
const atomic_bool *interrupt_listen(void);

/* Holds them back from now on, in threads that are started later as well. */
void interrupt_hold(void);
/* Waits for one that is held back. */
void interrupt_wait(void);
/* Holds them back, and gives a descriptor that is readable once one has come. */
int interrupt_descriptor(void);

#endif
