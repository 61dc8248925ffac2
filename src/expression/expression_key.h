/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that a text gives of a map of the environment: workloads['Deployment/web'], events.drain. A
 * key that no state has is better refused than found missing in every state. */
#ifndef FATHOM_EXPRESSION_EXPRESSION_KEY_H
#define FATHOM_EXPRESSION_EXPRESSION_KEY_H

#include "expression/expression.h"

struct expression_keys {
    const char *variable;
    bool (*has)(const void *context, const char *key);
    const void *context;
    bool may_be_asked; /* a key that the text asks for, by has() or `in`, may be missing */
};

/* The first key that the text gives and that is missing; NULL: there is none. has() and `in` may
 * ask for any. */
const char *expression_missing_key(const struct expression *expression,
                                   const struct expression_keys *keys);

#endif
