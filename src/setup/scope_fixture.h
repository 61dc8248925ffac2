/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: manifests as text, understood. */
#ifndef FATHOM_SETUP_SCOPE_FIXTURE_H
#define FATHOM_SETUP_SCOPE_FIXTURE_H

#include "manifest/manifest.h"
#include "object/admission.h"
#include "setup/setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Manifests, understood; memory and arena are initialised by fixture_load. */
struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct objects objects;
    const struct check *check;
    struct scope scope;
};

static inline bool fixture_load(struct fixture *fixture, const char *manifests)
{
    const struct scope_options scope_options = {.nodes_most = INT32_MAX, .pods_most = INT64_MAX};
    struct documents documents = {0};
    struct arena *arena = &fixture->arena;
    fixture->objects = (struct objects){0};
    fixture->check = NULL;
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(arena, &fixture->memory);
    problems_init(&fixture->problems, arena);
    manifest_parse(arena, "test.yaml", manifests, strlen(manifests), &documents,
                   &fixture->problems);
    object_decode(arena, &documents, NULL, &fixture->objects, &fixture->problems);
    objects_admit(arena, &fixture->objects, &(struct admission_options){0}, &fixture->problems);
    for (uint32_t i = 0; i < fixture->objects.count; i++)
        if (fixture->objects.items[i].kind == OBJECT_CHECK)
            fixture->check = fixture->objects.items[i].as.check;
    const bool built = scope_build(arena, &fixture->objects, fixture->check, &scope_options,
                                   &fixture->scope, &fixture->problems);
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        print_message("%s\n", problem_format(arena, &fixture->problems.items[i]));
    if (built && fixture->check)
        return true;
    fail_msg("the manifests of the test are wrong");
    return false;
}

static inline void fixture_release(struct fixture *fixture)
{
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
}

#endif
