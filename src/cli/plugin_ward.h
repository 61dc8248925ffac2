/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who tells that a plugin has killed the process.
 *
 * A plugin runs in the process of the command, and a process that is killed says nothing any more.
 * So the command goes on in a child, and this process waits for it: it passes signals on, ends with
 * the child's exit code, and says which plugin was at work when the child is killed.
 */
#ifndef FATHOM_CLI_PLUGIN_WARD_H
#define FATHOM_CLI_PLUGIN_WARD_H

#include "object/input.h"

/* Before the plugins of the input are loaded. Returns in the child; in this process, too, if there
 * is no plugin, or no child can be made. */
void plugin_ward_start(const struct input *input);

#endif
