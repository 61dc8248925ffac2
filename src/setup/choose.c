/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses one of all setups: the one that the user names, or the one that is most
 * like the manifests. */
#include "setup/check_names.h"
#include "setup/setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum wish_kind { WISH_NODES, WISH_PODS, WISH_GROUP, WISH_WORKLOAD };

struct size_wish {
    enum wish_kind kind;
    uint32_t index;
    long value;
};

static int64_t distance(int32_t left, int32_t right)
{
    return left < right ? (int64_t)right - left : (int64_t)left - right;
}

/* How much a setup differs from the manifests: a group without a node counts more
 * than any difference in pods. */
static int64_t strangeness(const struct scope *scope, const struct setup *setup)
{
    const int64_t much = INT64_C(1) << 40;
    int64_t total = 0;
    for (uint32_t g = 0; g < scope->group_count; g++)
        total += setup->nodes[g] == 0 ? much : 0;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        total += distance(setup->replicas[w], workload_replicas(scope->workloads[w].object));
    return total;
}

const struct setup *setups_usual(const struct scope *scope, const struct setups *setups)
{
    const struct setup *best = NULL;
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < setups->count; i++) {
        const int64_t strange = strangeness(scope, &setups->items[i]);
        if (strange < least) {
            least = strange;
            best = &setups->items[i];
        }
    }
    return best;
}

/* The name is a group's or a workload's, whose kind and namespace may be left out. */
static bool find_name(struct arena *arena, const struct scope *scope, const char *name,
                      struct size_wish *wish, struct problems *problems)
{
    wish->kind = WISH_GROUP;
    for (wish->index = 0; wish->index < scope->group_count; wish->index++)
        if (strcmp(scope->groups[wish->index].name, name) == 0)
            return true;
    const char *several = scope_ambiguous_workload(arena, scope, name);
    wish->kind = WISH_WORKLOAD;
    for (wish->index = 0; !several && wish->index < scope->workload_count; wish->index++)
        if (strcmp(scope->workloads[wish->index].name, name) == 0 ||
            strcmp(scope->workloads[wish->index].object->meta->name, name) == 0)
            return true;
    if (several)
        problem_error(problems, (struct place){0}, "--setup",
                      "%s is ambiguous: there is %s; write the whole name", name, several);
    else
        problem_error(problems, (struct place){0}, "--setup",
                      "expected nodes, pods, or the name of a node group or workload, found \"%s\"",
                      name);
    return false;
}

static bool read_wish(struct arena *arena, const struct scope *scope, const char *text,
                      size_t length, struct size_wish *wish, struct problems *problems)
{
    const char *item = arena_strndup(arena, text, length);
    const char *equals = strrchr(item, '=');
    char *end = NULL;
    errno = 0;
    wish->value = equals ? strtol(equals + 1, &end, 10) : -1;
    if (!equals || end == equals + 1 || *end || errno || wish->value < 0) {
        problem_error(problems, (struct place){0}, "--setup",
                      "expected NAME=NUMBER, such as nodes=3, found \"%s\"", item);
        return false;
    }
    const char *name = arena_strndup(arena, item, (size_t)(equals - item));
    if (strcmp(name, "nodes") == 0)
        wish->kind = WISH_NODES;
    else if (strcmp(name, "pods") == 0)
        wish->kind = WISH_PODS;
    else
        return find_name(arena, scope, name, wish, problems);
    return true;
}

static bool grants(const struct setup *setup, const struct size_wish *wish)
{
    switch (wish->kind) {
    case WISH_NODES: return setup->total_nodes == wish->value;
    case WISH_PODS: return setup->total_pods == wish->value;
    case WISH_GROUP: return setup->nodes[wish->index] == wish->value;
    case WISH_WORKLOAD: return setup->replicas[wish->index] == wish->value;
    }
    return false;
}

const struct setup *setups_choose(struct arena *arena, const struct scope *scope,
                                  const struct setups *setups, const char *text,
                                  struct problems *problems)
{
    enum { WISHES_MOST = 64 };
    struct size_wish wishes[WISHES_MOST];
    uint32_t count = 0;
    for (const char *item = text; *item; item += *item == ',') {
        const size_t length = strcspn(item, ",");
        if (count == WISHES_MOST ||
            !read_wish(arena, scope, item, length, &wishes[count++], problems))
            return NULL;
        item += length;
    }
    for (uint32_t i = 0; i < setups->count; i++) {
        bool granted = true;
        for (uint32_t w = 0; w < count; w++)
            granted &= grants(&setups->items[i], &wishes[w]);
        if (granted)
            return &setups->items[i];
    }
    problem_error(problems, (struct place){0}, "--setup",
                  "there is no setup with %s among the %u of this Check", text, setups->count);
    return NULL;
}
