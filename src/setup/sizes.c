/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/sizes.h"

#include "setup/size_marks.h"

#include <string.h>

enum {
    WHOLE = 100,
    SIZES_PER_PAIR = 4, /* sizes from one percentage and one allowance */
};

/* ---- what fits ---- */

static int64_t fits(int64_t amount, int64_t request, int64_t most)
{
    return request > 0 && amount / request < most ? amount / request : most;
}

/* The request of the containers together; init containers and overhead only make it
 * larger, and this is an upper bound. What is requested for the pod as a whole instead must not be
 * less, but if it is, it is the bound. */
static int64_t request_least(const struct pod_spec *spec, const char *name)
{
    const struct quantity *whole =
        spec->resources ? resource_list_find(&spec->resources->requests, name) : NULL;
    int64_t request = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *part =
            resource_list_find(&spec->containers[c].resources.requests, name);
        request += part ? quantity_milli_value(*part) : 0;
    }
    return whole && quantity_milli_value(*whole) < request ? quantity_milli_value(*whole) : request;
}

int64_t setup_node_capacity(const struct node *node, const struct pod_spec *spec)
{
    int64_t most = INT32_MAX;
    for (uint32_t r = 0; r < node->status.allocatable.count; r++) {
        const struct resource *resource = &node->status.allocatable.items[r];
        if (strcmp(resource->name, "pods") == 0) {
            most = fits(quantity_value(resource->quantity), 1, most);
            continue;
        }
        const int64_t request = request_least(spec, resource->name);
        most = fits(quantity_milli_value(resource->quantity), request, most);
    }
    return most;
}

/* The workload as it is, and as events make it. */
static void find_versions(struct arena *arena, const struct scope *scope,
                          const struct setup_workload *workload, struct sizing_workload *of)
{
    VEC_PUSH(arena, &of->versions, workload->object);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++)
            if (same_object(&scope->applied[e].items[i], workload->object))
                VEC_PUSH(arena, &of->versions, &scope->applied[e].items[i]);
}

static int64_t greater(int64_t left, int64_t right)
{
    return left > right ? left : right;
}

/* Of the version that takes the least room. */
static int64_t fitting_on(const struct sizing_workload *of, const struct node *node)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < of->versions.count; i++) {
        const struct pod_template *template = workload_template(of->versions.items[i]);
        most = greater(most, setup_node_capacity(node, &template->spec));
    }
    return most;
}

/* Pods that a rollout adds to so many. */
static int64_t surge_of(const struct sizing_workload *of, int64_t replicas)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < of->versions.count; i++) {
        const struct object *object = of->versions.items[i];
        if (object->kind != OBJECT_DEPLOYMENT ||
            object->as.deployment->strategy != DEPLOYMENT_ROLLING_UPDATE)
            continue;
        most = greater(most, int_or_percent_of(object->as.deployment->max_surge, replicas, true));
    }
    return most;
}

/* ---- sizes ---- */

static void add(struct sizes *sizes, int64_t size, int32_t most)
{
    uint32_t at = sizes->further_count;
    if (size <= sizes->dense || size > most)
        return;
    while (at > 0 && sizes->further[at - 1] > size)
        at--;
    if (at > 0 && sizes->further[at - 1] == size)
        return;
    memmove(&sizes->further[at + 1], &sizes->further[at],
            (sizes->further_count - at) * sizeof(*sizes->further));
    sizes->further[at] = (int32_t)size;
    sizes->further_count++;
}

/* Adds the number and the next one, since a rule may change between them. */
static void add_number(struct sizes *sizes, int64_t number, int32_t most)
{
    add(sizes, number, most);
    add(sizes, number + 1, most);
}

/* Where the share comes to so many pods, rounded down and rounded up. */
static void add_share(struct sizes *sizes, int64_t percent, int64_t pods, int32_t most)
{
    if (percent <= 0)
        return;
    add(sizes, (WHOLE * pods + percent - 1) / percent, most);
    add(sizes, WHOLE * pods / percent + 1, most);
}

static void add_mark(struct sizes *sizes, const struct size_marks *marks, struct size_mark mark,
                     int64_t nodes, int32_t most)
{
    const int64_t value = mark.value;
    switch (mark.kind) {
    case MARK_ALLOWANCE:
        if (!sizes->by_scale)
            add(sizes, sizes->fitting + value + 1, most);
        add_number(sizes, value, most);
        break;
    case MARK_NUMBER:
    case MARK_FEWER: add_number(sizes, value, most); break;
    case MARK_PERCENT:
        add_share(sizes, value, 1, most);
        if (!sizes->by_scale)
            add_share(sizes, value, sizes->fitting, most);
        for (uint32_t i = 0; i < marks->count; i++)
            if (marks->items[i].kind == MARK_FEWER) {
                add_share(sizes, value, marks->items[i].value, most);
                add_share(sizes, value, marks->items[i].value + INT64_C(1), most);
            }
        break;
    case MARK_EACH:
        add(sizes, value + 1, most);
        add(sizes, (value + 1) * nodes, most);
        break;
    }
}

/* Moves sizes that follow the dense ones without a gap to these. */
static void join(struct sizes *sizes)
{
    uint32_t joined = 0;
    while (joined < sizes->further_count && sizes->further[joined] == sizes->dense + 1) {
        sizes->dense++;
        joined++;
    }
    sizes->further_count -= joined;
    memmove(sizes->further, sizes->further + joined,
            sizes->further_count * sizeof(*sizes->further));
}

static bool has_most_nodes(const struct scope *scope, const int32_t *nodes)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (nodes[g] < scope->groups[g].most)
            return false;
    return true;
}

static int32_t between(int64_t least, int64_t value, int64_t most)
{
    return (int32_t)(value < least ? least : value > most ? most : value);
}

/* The last size before the first that is left out for a reason other than a number. */
static int64_t bound_of(const struct scope *scope, const struct sizing_workload *of,
                        const int32_t *nodes, int64_t enough, bool *by_scale)
{
    int64_t bound = of->sizes.fitting;
    if (!scope->fitting_only)
        bound = greater(bound + 1 + surge_of(of, bound + 1), scope->pods_per_node_sufficient);
    *by_scale = (scope->sufficient_is_given || !has_most_nodes(scope, nodes)) && enough < bound;
    return *by_scale ? enough : bound;
}

static void choose(const struct scope *scope, const struct setup_workload *workload,
                   const int32_t *nodes, struct sizing_workload *of)
{
    struct sizes *sizes = &of->sizes;
    int64_t total = 0;
    sizes->fitting = 0;
    for (uint32_t g = 0; of->fitting && g < scope->group_count; g++) {
        total += nodes[g];
        sizes->fitting += nodes[g] * of->fitting[g];
    }
    sizes->least = workload->least;
    sizes->dense = workload->most;
    sizes->further_count = 0;
    if (scope->exact || !workload->marks)
        return;
    const int64_t bound =
        bound_of(scope, of, nodes, scope->pods_per_node_sufficient * total, &sizes->by_scale);
    sizes->dense = between(workload->least, bound, workload->most);
    for (uint32_t i = 0; !scope->fitting_only && i < workload->marks->count; i++)
        add_mark(sizes, workload->marks, workload->marks->items[i], total, workload->most);
    join(sizes);
}

void sizing_choose(struct sizing *sizing, const int32_t *nodes)
{
    for (uint32_t w = 0; w < sizing->scope->workload_count; w++)
        choose(sizing->scope, &sizing->scope->workloads[w], nodes, &sizing->workloads[w]);
}

/* How many sizes the marks come to at most: an expression may have thousands. */
static size_t sizes_most(const struct size_marks *marks)
{
    size_t percentages = 0;
    size_t allowances = 0;
    for (uint32_t i = 0; marks && i < marks->count; i++) {
        percentages += marks->items[i].kind == MARK_PERCENT;
        allowances += marks->items[i].kind == MARK_FEWER;
    }
    return ((marks ? marks->count : 0) + 1 + percentages * allowances) * SIZES_PER_PAIR;
}

/* How many fit matters to ranges, and to bounds that follow them. */
static void init_workload(struct arena *arena, const struct scope *scope,
                          const struct setup_workload *workload, struct sizing_workload *of)
{
    if (!workload->marks && !workload->autoscaler_follows)
        return;
    find_versions(arena, scope, workload, of);
    of->fitting = ARENA_ARRAY(arena, int64_t, scope->group_count + 1);
    for (uint32_t g = 0; g < scope->group_count; g++)
        of->fitting[g] = fitting_on(of, scope->groups[g].node);
    of->sizes.further = ARENA_ARRAY(arena, int32_t, sizes_most(workload->marks));
}

void sizing_init(struct arena *arena, const struct scope *scope, struct sizing *sizing)
{
    *sizing = (struct sizing){
        .scope = scope,
        .workloads = ARENA_ARRAY(arena, struct sizing_workload, scope->workload_count + 1),
    };
    for (uint32_t w = 0; w < scope->workload_count; w++)
        init_workload(arena, scope, &scope->workloads[w], &sizing->workloads[w]);
}

/* ---- nodes ---- */

void nodes_choose_first(const struct scope *scope, int32_t *nodes)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        nodes[g] = scope->groups[g].least;
}

bool nodes_choose_next(const struct scope *scope, int32_t *nodes)
{
    for (uint32_t g = scope->group_count; g-- > 0;) {
        if (nodes[g] < scope->groups[g].most) {
            nodes[g]++;
            return true;
        }
        nodes[g] = scope->groups[g].least;
    }
    return false;
}

/* ---- autoscalers ---- */

struct autoscaler_bounds sizing_bounds(const struct sizing *sizing, uint32_t workload,
                                       int32_t replicas)
{
    const struct setup_workload *of = &sizing->scope->workloads[workload];
    if (!of->autoscaler)
        return (struct autoscaler_bounds){0};
    if (!of->autoscaler_follows)
        return (struct autoscaler_bounds){of->autoscaler->min_replicas,
                                          of->autoscaler->max_replicas};
    const double asked = of->autoscaler_factor * replicas;
    const int64_t fitting = sizing->workloads[workload].sizes.fitting;
    const int64_t limit = sizing->scope->exact ? INT32_MAX : fitting;
    return (struct autoscaler_bounds){
        replicas, between(replicas, asked < (double)limit ? (int64_t)asked : limit, INT32_MAX)};
}
