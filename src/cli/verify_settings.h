/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `fathom verify`, as numbers: limits, sizes, intents. */
#ifndef FATHOM_CLI_VERIFY_SETTINGS_H
#define FATHOM_CLI_VERIFY_SETTINGS_H

#include "base/vec.h"
#include "cli/session.h"
#include "verify/verify.h"

struct verify_settings {
    struct scope_options scope;
    struct verify_options run; /* without the callbacks */
    VEC(struct check_intent) intents;
    bool tells_progress;
    uint64_t trial_ms;   /* how long what holds is tried with stronger settings; 0: not at all */
    bool trial_is_given; /* by the command line, so that this time alone limits it */
};

/* False, with problems of the command line, if a value is wrong. */
bool verify_settings_read(struct session *session, struct verify_settings *settings,
                          struct problems *problems);

/* --kubernetes-version: the second number of it. */
int kubernetes_minor_read(const struct options *options, struct problems *problems);

#endif
