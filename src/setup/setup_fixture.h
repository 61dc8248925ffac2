/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: manifests in, a scope out. */
#ifndef FATHOM_SETUP_SETUP_FIXTURE_H
#define FATHOM_SETUP_SETUP_FIXTURE_H

#include "manifest/manifest.h"
#include "object/admission.h"
#include "setup/setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct setup_fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct objects objects;
    struct scope scope;
    bool built;
};

static inline void setup_fixture_read(struct setup_fixture *fixture, const char *manifests)
{
    struct documents documents = {0};
    const struct scope_options options = {0};
    const struct check *check = NULL;
    *fixture = (struct setup_fixture){0};
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    problems_init(&fixture->problems, &fixture->arena);
    manifest_parse(&fixture->arena, "test.yaml", manifests, strlen(manifests), &documents,
                   &fixture->problems);
    object_decode(&fixture->arena, &documents, NULL, &fixture->objects, &fixture->problems);
    objects_admit(&fixture->arena, &fixture->objects, &(struct admission_options){0},
                  &fixture->problems);
    for (uint32_t i = 0; i < fixture->objects.count; i++)
        if (fixture->objects.items[i].kind == OBJECT_CHECK)
            check = fixture->objects.items[i].as.check;
    fixture->built = scope_build(&fixture->arena, &fixture->objects, check, &options,
                                 &fixture->scope, &fixture->problems);
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        print_message("%s\n", problem_format(&fixture->arena, &fixture->problems.items[i]));
}

static inline void setup_fixture_release(struct setup_fixture *fixture)
{
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
}

#endif
