/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/env_inquiry.h"

#include "reconcile/env_facts.h"

bool inquiry_gave_up(const struct inquiry *inquiry, uint32_t errors, const char *what)
{
    struct environment *environment = inquiry->environment;
    if (environment->problems->errors == errors)
        environment_fail(environment, "the controller could not answer: %s", what);
    atomic_store(&environment->failed, true);
    return false;
}

bool inquiry_asks_twice(const struct environment *environment)
{
    return environment->asked <= 200 || environment->asked % 8 == 0;
}
