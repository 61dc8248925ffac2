/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests that need an arena and nothing else: include it once, and give
 * set_up and tear_down to cmocka_run_group_tests. */
#ifndef FATHOM_OBJECT_ARENA_FIXTURE_H
#define FATHOM_OBJECT_ARENA_FIXTURE_H

#include "base/arena.h"

static struct memory memory;
static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

#endif
