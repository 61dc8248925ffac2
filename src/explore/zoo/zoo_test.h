/* SPDX-License-Identifier: Apache-2.0 */
/* What the zoo's tests share: a model from one line of text, run and freed. */
#ifndef FATHOM_EXPLORE_ZOO_ZOO_TEST_H
#define FATHOM_EXPLORE_ZOO_ZOO_TEST_H

#include "explore/explore.h"
#include "explore/zoo/zoo.h"

/* A cmocka test gets everything from here; setup and teardown make and check
 * that every byte came back. */
struct bench {
    struct memory memory;
    struct arena arena;
};

static inline void bench_init(struct bench *bench)
{
    memory_init(&bench->memory, SIZE_MAX);
    arena_init(&bench->arena, &bench->memory);
}

/* Bytes that were not given back. */
static inline size_t bench_release(struct bench *bench)
{
    arena_release(&bench->arena);
    return atomic_load(&bench->memory.used_bytes);
}

/* "philosophers n=3 polite=1" as a model; NULL if the line is wrong. */
static inline const struct model *bench_model(struct bench *bench, const char *line)
{
    char *copy = arena_strdup(&bench->arena, line);
    const char *settings[ZOO_PARAMETERS_MOST];
    uint32_t count = 0;
    char *rest = NULL;
    const char *name = strtok_r(copy, " ", &rest);
    for (char *word = strtok_r(NULL, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        settings[count++] = word;
    const struct zoo_entry *entry = name ? zoo_find(name) : NULL;
    const char *wrong = NULL;
    return entry ? zoo_create(&bench->arena, entry, settings, count, &wrong) : NULL;
}

#endif
