/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For which numbers of nodes is the outcome of a Check known?
 *
 *     sizes_list FILE...
 *
 * Of each Check, every group of nodes is taken to have no maximum, and replicas are as in the
 * manifests. All sizes are covered by regions, as `verify` does it (verify/cover.h), whatever the
 * verdicts are. One line each, with tabs: the file; `every size`, `a million nodes`, or `up to N
 * nodes`; how many sizes were explored; their states; what is violated somewhere; the reason.
 *
 * Where the outcome is not known for all sizes, and something is violated, this is not asked any
 * more, and the rest is covered once more, as `verify` does it: `verdicts for every size`.
 */
#include "explore_size.h"

#include "twin/files.h"
#include "verify/cover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES_EACH = 40000, STATES_ALL = 200000, SIZES_MOST = 2000 };

struct covering {
    const char *why; /* it ended early; NULL: it did not */
    uint32_t sizes;
    uint64_t states;
    bool violated;
    bool tells_smallest; /* an intent that is violated is not asked any more */
    uint64_t left_out;   /* bits: intents that are not asked any more */
    struct cover_found found;
};

/* Why nothing can be covered; NULL: it can be tried. */
static const char *refuses(const struct scope *scope)
{
    if (scope->group_count == 0 || scope->group_count > SIZE_GROUPS_MOST)
        return "no groups of nodes, or more than 16";
    if (scope->start == START_OBSERVED)
        return "runs start from pods on certain nodes";
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (scope->groups[g].names || scope->groups[g].single)
            return "nodes are given by name";
    return NULL;
}

/* The scope without a maximum of nodes, and with the replicas of the manifests. */
static struct scope opened(struct arena *arena, const struct scope *scope)
{
    struct scope open = *scope;
    open.groups = arena_copy(arena, scope->groups, scope->group_count * sizeof(*open.groups));
    open.workloads =
        arena_copy(arena, scope->workloads, scope->workload_count * sizeof(*open.workloads));
    for (uint32_t g = 0; g < scope->group_count; g++)
        setup_group_open(scope->check, &open.groups[g]);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        open.workloads[w].least = open.workloads[w].most = size_replicas(&scope->workloads[w]);
    return open;
}

/* Explores the next size. False: that is not worth it, or not possible, any more. */
static bool explore_next(struct trial *trial, const struct scope *scope,
                         const struct setups *setups, struct covering *covering, struct seen *seen)
{
    const struct exploring how_to = {.states = STATES_EACH,
                                     .noted = true,
                                     .parts = covering->found.asks_parts,
                                     .left_out = covering->left_out};
    *seen = explore_setup_of(trial, scope, &setups->items[covering->sizes], how_to);
    covering->states += seen->states;
    covering->violated |= seen->violated != 0;
    if (seen->untold)
        covering->why = "there is no verdict for any size";
    else if (!seen->decided)
        covering->why = "too many states";
    else if (covering->states > STATES_ALL)
        covering->why = "too many states in all sizes together";
    else if (covering->sizes >= SIZES_MOST)
        covering->why = "too many sizes";
    covering->sizes += seen->decided;
    return !covering->why;
}

/* Every group has a maximum. */
static void list_all(struct trial *trial, struct scope *scope, struct covering *covering)
{
    struct setups setups;
    struct seen seen;
    scope->exact = true;
    scope_enumerate(&trial->arena, scope, &setups);
    while (covering->sizes < setups.count && explore_next(trial, scope, &setups, covering, &seen))
        continue;
    covering->found.complete = covering->sizes == setups.count;
    covering->found.up_to =
        covering->sizes == 0 ? 0 : setups.items[covering->sizes - 1].total_nodes;
}

static uint64_t all_intents(const struct trial *trial)
{
    const uint32_t count = trial->check->intent_count;
    return count == 0 ? 0 : UINT64_MAX >> (64 - count);
}

static void cover_all(struct trial *trial, struct covering *covering)
{
    struct scope scope = opened(&trial->arena, &trial->scope);
    struct setups setups;
    struct seen seen;
    struct cover *cover = cover_begin(&trial->arena, &scope, &setups, &covering->found);
    if (!cover)
        list_all(trial, &scope, covering);
    while (cover && covering->sizes < setups.count && !covering->why) {
        const bool goes_on = explore_next(trial, &scope, &setups, covering, &seen);
        /* What components say of one size need not be all that they say of the next. */
        if (goes_on && seen.sizes.point && !seen.components)
            covering->why = seen.sizes.why;
        if (covering->tells_smallest)
            covering->left_out |= seen.violated;
        if (covering->left_out && covering->left_out == all_intents(trial)) {
            covering->found.complete = true;
            covering->why = NULL;
            return;
        }
        if (seen.decided)
            cover_go_on(cover, &setups, &seen.sizes, &covering->found);
    }
    if (!covering->why && !covering->found.complete && !covering->found.by_proof)
        covering->why = covering->found.why;
}

static bool is_known(const struct covering *covering)
{
    return covering->found.complete || covering->found.by_proof;
}

static void print(const char *path, const struct covering *covering)
{
    const struct cover_found *found = &covering->found;
    char answer[64];
    snprintf(answer, sizeof(answer), "up to %" PRId64 " nodes", found->up_to);
    printf("%s\t%s%s\t%u\t%" PRIu64 "\t%s\t%s\n", path,
           covering->tells_smallest && is_known(covering) ? "verdicts for " : "",
           found->complete   ? "every size"
           : found->by_proof ? "a million nodes"
                             : answer,
           covering->sizes, covering->states, covering->violated ? "violated" : "holds",
           covering->why ? covering->why : "");
}

static void list_file(const char *path)
{
    struct memory memory;
    struct text text;
    struct trial trial;
    struct covering covering = {0};
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    read_text(path, &text);
    if (!trial_load(&trial, path, text_content(&text))) {
        printf("%s\tnot read\t0\t0\t\t\n", path);
    } else {
        covering.why = refuses(&trial.scope);
        if (!covering.why) {
            cover_all(&trial, &covering);
            if (!is_known(&covering) && covering.violated) {
                print(path, &covering);
                covering = (struct covering){.tells_smallest = true, .violated = true};
                cover_all(&trial, &covering);
            }
        }
        print(path, &covering);
    }
    arena_release(&trial.arena);
    text_release(&text);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++)
        list_file(argv[i]);
    return 0;
}
