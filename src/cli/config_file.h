/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `.fathom.yaml`: what a project wants of `fathom verify` every time (docs/formats.md). It is read
 * from the folder that the command runs in, or --config names it. What the command line says wins.
 */
#ifndef FATHOM_CLI_CONFIG_FILE_H
#define FATHOM_CLI_CONFIG_FILE_H

#include "cli/session.h"
#include "report/severity.h"

/* A violation that is accepted. */
struct exception {
    const char *intent;   /* an intent, or a question ("drain") */
    const char *workload; /* "Deployment/shop/web"; NULL: of any */
    const char *reason;
    const char *by; /* where it is said */
    bool used;
};

struct exception_list {
    struct exception *items;
    uint32_t count;
    uint32_t capacity;
};

struct config_file {
    struct option_list arguments; /* "--timeout=5m", as on the command line */
    struct severities severities;
    struct exception_list exceptions;
};

/* The usual values, if there is no file. False, with problems that have places, if it is wrong. */
bool config_file_read(struct session *session, struct config_file *config,
                      struct problems *problems);

/* An exception names an intent or a question. */
bool exception_intent_is_known(const char *name);
/* What comes nearest to it; NULL: nothing. */
const char *exception_intent_nearest(const char *name);

#endif
