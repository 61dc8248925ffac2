/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/env_facts.h"

#include <string.h>

void environment_fail(struct environment *environment, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(environment->problems->arena, format, arguments);
    va_end(arguments);
    if (!atomic_load(&environment->failed))
        problem_error(environment->problems, (struct place){0}, NULL, "%s", message);
    atomic_store(&environment->failed, true);
}

bool environment_failed(const struct environment *environment)
{
    return atomic_load(&environment->failed);
}

const atomic_bool *environment_failure(const struct environment *environment)
{
    return &environment->failed;
}

const struct api_kind *environment_kind(const struct environment *environment, const char *kind)
{
    for (uint32_t i = 0; i < environment->custom_count; i++)
        if (strcmp(environment->custom[i].kind, kind) == 0)
            return &environment->custom[i];
    return api_kind_built_in(kind);
}

int environment_resource_of(const struct environment *environment, uint32_t key)
{
    for (uint32_t i = 0; i < environment->resource_count; i++)
        if (environment->resource_keys[i] == key)
            return (int)i;
    return -1;
}
