/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `fathom verify`, as numbers: limits, sizes, intents. */
#ifndef FATHOM_CLI_VERIFY_SETTINGS_H
#define FATHOM_CLI_VERIFY_SETTINGS_H

#include "base/budget.h"
#include "base/vec.h"
#include "cli/session.h"
#include "verify/verify.h"

struct kubernetes_rules;

struct verify_settings {
    struct scope_options scope;
    struct verify_options run; /* without the callbacks */
    struct budget budget;      /* of the whole run, reading and reporting included */
    VEC(struct check_intent) intents;
    const char *kubernetes; /* where the version of a dumped cluster is from; NULL: elsewhere */
    const struct kubernetes_rules *rules; /* of each Check; NULL: those above are everybody's */
    bool tells_progress;
    uint64_t trial_ms;   /* how long what holds is tried with stronger settings; 0: not at all */
    bool trial_is_given; /* by the command line, so that this time alone limits it */
};

/* False, with problems of the command line, if a value is wrong. */
bool verify_settings_read(struct session *session, struct verify_settings *settings,
                          struct problems *problems);

/* The settings of one Check, whose version may be its own. */
struct verify_settings verify_settings_of(const struct verify_settings *settings, uint32_t check);

#endif
