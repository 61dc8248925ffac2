/* SPDX-License-Identifier: Apache-2.0 */
/* Files that options name to be written: whether they can be is known before the run, and none of
 * them is one of the inputs. */
#ifndef FATHOM_CLI_OUTPUTS_H
#define FATHOM_CLI_OUTPUTS_H

#include <stdbool.h>

struct session; /* cli/session.h */

/* False, after complaints, if a file of -o cannot be written, or a file of -o, --checkpoint or
 * --write-kubeconfig is one of the inputs. */
bool outputs_can_write(struct session *session);

#endif
