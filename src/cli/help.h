/* SPDX-License-Identifier: Apache-2.0 */
/* The help, made from the tables of commands and options. */
#ifndef FATHOM_CLI_HELP_H
#define FATHOM_CLI_HELP_H

#include "cli/session.h"

#include <stdio.h>

void help_overview(struct session *session, FILE *stream);
/* The commands whose names have this first word. */
void help_group(const struct session *session, const char *group, FILE *stream);
void help_command(struct session *session, enum command_index command, FILE *stream);

/* An intent, an event, or a list of them ("intents", "events"); false if it is none of these. */
bool help_topic(struct session *session, const char *name, FILE *stream);

#endif
