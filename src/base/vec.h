/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing arrays in an arena.
 *
 * A vector of any type is a struct with three members, declared where it is
 * needed: `VEC(struct pod *) pods;`. It starts out zeroed. The items live in
 * the arena given to every push; outgrown arrays stay behind in it, which
 * wastes at most as much as the vector holds.
 *
 *     VEC(const char *) names = {0};
 *     VEC_PUSH(arena, &names, "web");
 *     for (uint32_t i = 0; i < names.count; i++)
 *         puts(names.items[i]);
 */
#ifndef FATHOM_BASE_VEC_H
#define FATHOM_BASE_VEC_H

#include "base/arena.h"

#define VEC(type)          \
    struct {               \
        type *items;       \
        uint32_t count;    \
        uint32_t capacity; \
    }

/* A vector with room has items; the analyser cannot see that for itself. */
#ifdef __clang_analyzer__
#define VEC_EXPECT_ITEMS(vec)        \
    do {                             \
        if (!(vec)->items)           \
            __builtin_unreachable(); \
    } while (0)
#else
#define VEC_EXPECT_ITEMS(vec) ((void)0)
#endif

#define VEC_PUSH(arena, vec, item)                                                        \
    do {                                                                                  \
        if ((vec)->count == (vec)->capacity)                                              \
            (vec)->items =                                                                \
                vec_grow((arena), (vec)->items, &(vec)->capacity, sizeof(*(vec)->items)); \
        VEC_EXPECT_ITEMS(vec);                                                            \
        (vec)->items[(vec)->count++] = (item);                                            \
    } while (0)

/* For a copy of a vector: the next push to it moves its items. Until then both vectors share
 * the items, so neither may write to an item. */
#define VEC_SHARE(vec) ((vec)->capacity = (vec)->count)

/* Doubles the capacity (from at least 4) and gives the moved items. */
__attribute__((returns_nonnull)) void *vec_grow(struct arena *arena, void *items,
                                                uint32_t *capacity, size_t item_bytes);

#endif
