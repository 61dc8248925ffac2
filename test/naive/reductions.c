/* SPDX-License-Identifier: Apache-2.0 */
/* The reductions must agree with the plain graph: symmetry has one state for
 * each orbit, caching changes nothing at all, partial order only leaves out. */
#include "naive/reductions.h"

#include "explore/reduce.h"

static const struct {
    unsigned flags;
    const char *name;
} combinations[] = {
    {REDUCE_SYMMETRY, "symmetry"},
    {REDUCE_ORDER, "order"},
    {REDUCE_CACHE, "cache"},
    {REDUCE_SYMMETRY | REDUCE_ORDER, "symmetry and order"},
    {REDUCE_SYMMETRY | REDUCE_CACHE, "symmetry and cache"},
    {REDUCE_ORDER | REDUCE_CACHE, "order and cache"},
    {REDUCE_SYMMETRY | REDUCE_ORDER | REDUCE_CACHE, "all reductions"},
};

/* The states of a reduced model that has nothing to judge. */
static uint64_t count_states(const struct comparison *comparison, const struct model *reduced)
{
    struct explore_options options;
    explore_options_init(&options);
    struct exploration *result = explore_run(reduced, &options, comparison->graph.arena->memory);
    const uint64_t states = result->complete ? result->statistics.states : 0;
    explore_free(result);
    return states;
}

static void compare_states(const struct comparison *comparison, const char *name, unsigned flags,
                           uint64_t states)
{
    const struct model *model = comparison->graph.model;
    const bool folds = (flags & REDUCE_SYMMETRY) != 0 && model->canonicalise;
    const bool omits = (flags & REDUCE_ORDER) != 0 && model->groups;
    const uint64_t most =
        folds ? naive_count_orbits(&comparison->graph) : comparison->graph.states.count;
    if (states > most || (!omits && states != most))
        text_printf(comparison->differences, "%s: %lu states, expected %s%lu\n", name,
                    (unsigned long)states, omits ? "at most " : "", (unsigned long)most);
}

void compare_reductions(const struct comparison *comparison)
{
    const struct model *model = comparison->graph.model;
    if (!model->canonicalise && !model->groups)
        return;
    for (size_t i = 0; i < sizeof(combinations) / sizeof(*combinations); i++) {
        const char *name = combinations[i].name;
        struct reduced reduced;
        if (reduced_init(&reduced, model, combinations[i].flags, comparison->graph.arena->memory))
            compare_reduced(comparison, name, reduced.model);
        reduced_release(&reduced);
        struct model counted = *model;
        counted.property_count = 0;
        if (reduced_init(&reduced, &counted, combinations[i].flags,
                         comparison->graph.arena->memory))
            compare_states(comparison, name, combinations[i].flags,
                           count_states(comparison, reduced.model));
        reduced_release(&reduced);
    }
}
