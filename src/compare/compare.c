/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/compare.h"

#include "base/budget.h"
#include "compare/same_objects.h"
#include "setup/sizes.h"

#include <stdlib.h>
#include <string.h>

/* States of all graphs together, and of one. */
enum { STATES_OF_ALL = 400000, STATES_OF_ONE = 150000, EXAMPLES_MOST = 3, ORDERS_MOST = 24 };

struct comparing {
    struct arena *arena;
    struct memory *memory;
    struct comparison *result;
    struct budget budget;
    uint32_t *workloads; /* of NEW, by workload of OLD; UINT32_MAX: it has no counterpart */
    uint32_t *groups;
    struct compare_names old_names;
    struct compare_names new_names;
    uint64_t states_left;
};

/* ---- intents ---- */

static uint32_t find_intent(const struct comparing *comparing, const struct verify_result *result,
                            const bool *taken)
{
    const struct verify_report *new = &comparing->result->new.found;
    const char *label = intent_format_option(comparing->arena, result->intent);
    for (uint32_t i = 0; i < new->result_count; i++)
        if (!taken[i] &&
            strcmp(label, intent_format_option(comparing->arena, new->results[i].intent)) == 0)
            return i;
    return UINT32_MAX;
}

/* Have they one name? In users' own words that is what they call it, whatever it says now. */
static bool have_one_name(const struct check_intent *left, const struct check_intent *right)
{
    if (left->kind != right->kind || !left->expression != !right->expression)
        return false;
    return !left->expression ||
           (left->title && right->title && strcmp(left->title, right->title) == 0);
}

/* Those of one name, whatever workload it has now, belong together if nothing else is left. */
static uint32_t find_kind(const struct comparing *comparing, const struct verify_result *result,
                          const bool *taken)
{
    const struct verify_report *new = &comparing->result->new.found;
    for (uint32_t i = 0; i < new->result_count; i++)
        if (!taken[i] && have_one_name(new->results[i].intent, result->intent))
            return i;
    return UINT32_MAX;
}

static void match_intents(struct comparing *comparing)
{
    struct comparison *result = comparing->result;
    const uint32_t count = result->new.found.result_count;
    bool *taken = ARENA_ARRAY(comparing->arena, bool, count + 1);
    for (uint32_t i = 0; i < result->old.found.result_count; i++) {
        struct compared_intent pair = {.old = &result->old.found.results[i]};
        uint32_t other = find_intent(comparing, pair.old, taken);
        if (other == UINT32_MAX)
            other = find_kind(comparing, pair.old, taken);
        if (other != UINT32_MAX) {
            taken[other] = true;
            pair.new = &result->new.found.results[other];
        }
        VEC_PUSH(comparing->arena, &result->intents, pair);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct compared_intent pair = {.new = &result->new.found.results[i]};
        if (!taken[i])
            VEC_PUSH(comparing->arena, &result->intents, pair);
    }
}

static bool intents_differ(const struct comparison *result)
{
    for (uint32_t i = 0; i < result->intents.count; i++) {
        const struct compared_intent *pair = &result->intents.items[i];
        if (!pair->old || !pair->new || pair->old->verdict != pair->new->verdict)
            return true;
    }
    return false;
}

/* ---- counterparts ---- */

static const char *kind_of(const struct setup_workload *workload)
{
    return workload->object->kind_name;
}

/* By name; then those that are left by kind, in their order. False: one is left over. */
static bool match_workloads(struct comparing *comparing)
{
    const struct scope *old = &comparing->result->old.plan->scope;
    const struct scope *new = &comparing->result->new.plan->scope;
    bool *taken = ARENA_ARRAY(comparing->arena, bool, new->workload_count + 1);
    comparing->workloads = ARENA_ARRAY(comparing->arena, uint32_t, old->workload_count + 1);
    for (uint32_t w = 0; w < old->workload_count; w++) {
        comparing->workloads[w] = UINT32_MAX;
        for (uint32_t o = 0; o < new->workload_count; o++)
            if (!taken[o] && strcmp(old->workloads[w].name, new->workloads[o].name) == 0) {
                comparing->workloads[w] = o;
                taken[o] = true;
                break;
            }
    }
    for (uint32_t w = 0; w < old->workload_count; w++)
        for (uint32_t o = 0; comparing->workloads[w] == UINT32_MAX && o < new->workload_count; o++)
            if (!taken[o] &&
                strcmp(kind_of(&old->workloads[w]), kind_of(&new->workloads[o])) == 0) {
                comparing->workloads[w] = o;
                taken[o] = true;
            }
    bool all = old->workload_count == new->workload_count;
    for (uint32_t w = 0; w < old->workload_count; w++)
        all &= comparing->workloads[w] != UINT32_MAX;
    return all;
}

static bool match_groups(struct comparing *comparing)
{
    const struct scope *old = &comparing->result->old.plan->scope;
    const struct scope *new = &comparing->result->new.plan->scope;
    bool *taken = ARENA_ARRAY(comparing->arena, bool, new->group_count + 1);
    comparing->groups = ARENA_ARRAY(comparing->arena, uint32_t, old->group_count + 1);
    if (old->group_count != new->group_count)
        return false;
    for (uint32_t g = 0; g < old->group_count; g++) {
        comparing->groups[g] = UINT32_MAX;
        for (uint32_t o = 0; o < new->group_count; o++)
            if (!taken[o] && strcmp(old->groups[g].name, new->groups[o].name) == 0) {
                comparing->groups[g] = o;
                taken[o] = true;
                break;
            }
    }
    for (uint32_t g = 0; g < old->group_count; g++)
        for (uint32_t o = 0; comparing->groups[g] == UINT32_MAX && o < new->group_count; o++)
            if (!taken[o]) {
                comparing->groups[g] = o;
                taken[o] = true;
            }
    return true;
}

/* ---- names ---- */

static void add_name(struct comparing *comparing, struct compare_names *names, const char *name,
                     const char *id)
{
    names->names[names->count] = name;
    names->ids[names->count++] = id;
    (void)comparing;
}

static struct compare_names names_room(struct comparing *comparing, const struct scope *scope)
{
    const uint32_t count = scope->workload_count + scope->group_count;
    return (struct compare_names){
        .names = ARENA_ARRAY(comparing->arena, const char *, count + 1),
        .ids = ARENA_ARRAY(comparing->arena, const char *, count + 1),
    };
}

/* Names of both sides get the numbers of OLD. */
static void give_names(struct comparing *comparing)
{
    struct arena *arena = comparing->arena;
    const struct scope *old = &comparing->result->old.plan->scope;
    const struct scope *new = &comparing->result->new.plan->scope;
    comparing->old_names = names_room(comparing, old);
    comparing->new_names = names_room(comparing, new);
    for (uint32_t w = 0; w < old->workload_count; w++) {
        const char *id = arena_printf(arena, "@w%u", w);
        add_name(comparing, &comparing->old_names, old->workloads[w].object->meta->name, id);
        add_name(comparing, &comparing->new_names,
                 new->workloads[comparing->workloads[w]].object->meta->name, id);
    }
    for (uint32_t g = 0; g < old->group_count; g++) {
        const char *id = arena_printf(arena, "@g%u", g);
        add_name(comparing, &comparing->old_names, old->groups[g].name, id);
        add_name(comparing, &comparing->new_names, new->groups[comparing->groups[g]].name, id);
    }
}

/* Can every name be told from every other, and from the words of a state? */
static bool are_clear(const struct compare_names *names)
{
    static const char *const words[] = {"wants", "waiting", "x",    "empty",      "starting",
                                        "using", "bound",   "down", "terminating"};
    for (uint32_t i = 0; i < names->count; i++) {
        for (uint32_t j = i + 1; j < names->count; j++)
            if (strcmp(names->names[i], names->names[j]) == 0 &&
                names->ids[i][1] == names->ids[j][1])
                return false;
        for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
            if (strcmp(names->names[i], words[w]) == 0)
                return false;
    }
    return true;
}

/* ---- setups ---- */

static bool same_size(const struct comparing *comparing, const struct setup *old,
                      const struct setup *new)
{
    const struct scope *scope = &comparing->result->old.plan->scope;
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (old->nodes[g] != new->nodes[comparing->groups[g]])
            return false;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const uint32_t other = comparing->workloads[w];
        if (old->replicas[w] != new->replicas[other])
            return false;
    }
    return true;
}

static bool same_group_sizes(const struct setup_group *old, const struct setup_group *new)
{
    return old->open == new->open && old->least == new->least && old->most == new->most;
}

/* Not every size of a range is a setup, so that setups alone do not tell. */
static bool same_ranges(const struct comparing *comparing)
{
    const struct scope *old = &comparing->result->old.plan->scope;
    const struct scope *new = &comparing->result->new.plan->scope;
    for (uint32_t g = 0; g < old->group_count; g++)
        if (!same_group_sizes(&old->groups[g], &new->groups[comparing->groups[g]]))
            return false;
    for (uint32_t w = 0; w < old->workload_count; w++) {
        const struct setup_workload *other = &new->workloads[comparing->workloads[w]];
        if (old->workloads[w].least != other->least || old->workloads[w].most != other->most)
            return false;
    }
    return true;
}

/* May there be any number of nodes? */
static bool is_open(const struct scope *scope)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (scope->groups[g].open)
            return true;
    return false;
}

static const struct setup *find_setup(const struct comparing *comparing, const struct setup *old,
                                      const struct setups *setups)
{
    for (uint32_t i = 0; i < setups->count; i++)
        if (same_size(comparing, old, &setups->items[i]))
            return &setups->items[i];
    return NULL;
}

/* ---- differences ---- */

static const char *with_names(struct comparing *comparing, const char *label)
{
    const struct scope *old = &comparing->result->old.plan->scope;
    struct text text;
    text_init(&text, comparing->arena->memory);
    for (const char *at = label; *at; at++) {
        if (*at != '@') {
            text_append_char(&text, *at);
            continue;
        }
        char *end = NULL;
        const uint32_t number = (uint32_t)strtoul(at + 2, &end, 10);
        text_append_string(&text, at[1] == 'w' ? old->workloads[number].object->meta->name
                                               : old->groups[number].name);
        at = end - 1;
    }
    return text_keep(&text, comparing->arena);
}

static int by_label(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Labels of `from` that `other` has not: the first few, and how many. */
static uint32_t find_new_labels(struct comparing *comparing, const struct compare_graph *from,
                                const struct compare_graph *other, const char **examples,
                                uint32_t *example_count)
{
    const char **labels = ARENA_ARRAY(comparing->arena, const char *, other->states.count + 1);
    VEC(const char *) found = {0};
    for (uint32_t i = 0; i < other->states.count; i++)
        labels[i] = other->states.items[i].label;
    qsort(labels, other->states.count, sizeof(*labels), by_label);
    for (uint32_t i = 0; i < from->states.count; i++) {
        const char *label = from->states.items[i].label;
        bool known = bsearch(&label, labels, other->states.count, sizeof(*labels), by_label);
        for (uint32_t k = found.count; !known && k-- > 0 && found.count - k < 64;)
            known = strcmp(found.items[k], label) == 0;
        if (!known)
            VEC_PUSH(comparing->arena, &found, label);
    }
    for (uint32_t i = 0; i < found.count && i < EXAMPLES_MOST; i++)
        examples[(*example_count)++] = with_names(comparing, found.items[i]);
    return found.count;
}

/* The longest of the shortest ways back to all pods ready, over all states. */
static uint32_t longest_way_back(struct comparing *comparing, const struct compare_graph *graph,
                                 const char *id)
{
    const uint32_t count = graph->states.count;
    uint32_t *steps = ARENA_ARRAY(comparing->arena, uint32_t, count + 1);
    uint32_t longest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *label = graph->states.items[i].label;
        steps[i] =
            compare_label_ready(label, id) >= compare_label_wanted(label, id) ? 0 : UINT32_MAX;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;)
            for (uint32_t e = 0; e < graph->states.items[i].edge_count; e++) {
                const uint32_t to = graph->edges.items[graph->states.items[i].first_edge + e].to;
                if (steps[to] != UINT32_MAX && steps[to] + 1 < steps[i]) {
                    steps[i] = steps[to] + 1;
                    changed = true;
                }
            }
    }
    for (uint32_t i = 0; i < count; i++)
        longest = steps[i] > longest ? steps[i] : longest;
    return longest;
}

static void find_range(const struct compare_graph *graph, const char *id, uint32_t *least,
                       uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (uint32_t i = 0; i < graph->states.count; i++) {
        const uint32_t ready = compare_label_ready(graph->states.items[i].label, id);
        *most = ready > *most ? ready : *most;
        *least = ready < *least ? ready : *least;
    }
}

static void compare_ready(struct comparing *comparing, const struct compare_graph *old,
                          const struct compare_graph *new)
{
    const struct scope *scope = &comparing->result->old.plan->scope;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const char *id = arena_printf(comparing->arena, "@w%u", w);
        struct compared_ready ready = {.workload = scope->workloads[w].name};
        find_range(old, id, &ready.old_least, &ready.old_most);
        find_range(new, id, &ready.new_least, &ready.new_most);
        ready.old_steps = longest_way_back(comparing, old, id);
        ready.new_steps = longest_way_back(comparing, new, id);
        if (ready.old_most != ready.new_most || ready.old_steps != ready.new_steps)
            VEC_PUSH(comparing->arena, &comparing->result->ready, ready);
    }
}

static void tell_difference(struct comparing *comparing, const struct compare_graph *old,
                            const struct compare_graph *new)
{
    struct comparison *result = comparing->result;
    const char *appear[EXAMPLES_MOST];
    const char *vanish[EXAMPLES_MOST];
    uint32_t appears = 0;
    uint32_t vanishes = 0;
    result->appear_count = find_new_labels(comparing, new, old, appear, &appears);
    result->vanish_count = find_new_labels(comparing, old, new, vanish, &vanishes);
    for (uint32_t i = 0; i < appears; i++)
        VEC_PUSH(comparing->arena, &result->appear, appear[i]);
    for (uint32_t i = 0; i < vanishes; i++)
        VEC_PUSH(comparing->arena, &result->vanish, vanish[i]);
    result->old_states = old->states.count;
    result->new_states = new->states.count;
    compare_ready(comparing, old, new);
}

/* ---- one setup after the other ---- */

static bool is_over(const struct comparing *comparing)
{
    const struct verify_options *run = &comparing->result->old.run;
    struct comparison *result = comparing->result;
    if ((run->interrupted && atomic_load(run->interrupted)) || budget_is_over(&comparing->budget))
        result->unknown = "the run was ended before all setups were compared";
    else if (memory_is_over(comparing->memory))
        result->unknown = "the memory limit was reached before all setups were compared";
    else if (comparing->states_left == 0)
        result->unknown = "there are more states than can be compared";
    return result->unknown != NULL;
}

/* False: nothing more can be found out. */
static bool compare_setups(struct comparing *comparing, const struct setup *old,
                           const struct setup *new)
{
    struct comparison *result = comparing->result;
    struct compare_graph left;
    struct compare_graph right;
    struct arena scratch;
    const uint32_t most =
        comparing->states_left < STATES_OF_ONE ? (uint32_t)comparing->states_left : STATES_OF_ONE;
    arena_init(&scratch, comparing->memory);
    const bool made = compare_graph_make(&scratch, comparing->memory, &result->old, old,
                                         &comparing->old_names, most, &comparing->budget, &left) &&
                      compare_graph_make(&scratch, comparing->memory, &result->new, new,
                                         &comparing->new_names, most, &comparing->budget, &right);
    const bool equal = made && compare_graphs_equal(&scratch, &left, &right);
    if (!made) {
        if (!is_over(comparing))
            result->unknown = "a setup has more states than can be compared";
    } else if (equal && (left.doubtful || right.doubtful)) {
        result->unknown = "more may happen than what is modelled, as in undecided verdicts";
    } else if (equal) {
        const uint64_t states = (uint64_t)left.states.count + right.states.count;
        comparing->states_left -= states < comparing->states_left ? states : comparing->states_left;
        result->setups_equal++;
    } else {
        result->setup = old;
        result->new_setup = new;
        result->verdict = COMPARE_DIFFERENT;
        tell_difference(comparing, &left, &right);
    }
    arena_release(&scratch);
    return equal && !result->unknown;
}

static void compare_graphs(struct comparing *comparing)
{
    struct comparison *result = comparing->result;
    struct setups *old = ARENA_NEW(comparing->arena, struct setups);
    struct setups *new = ARENA_NEW(comparing->arena, struct setups);
    if (is_over(comparing)) /* sizes may have been left out, too */
        return;
    scope_enumerate(comparing->arena, &result->old.plan->scope, old);
    scope_enumerate(comparing->arena, &result->new.plan->scope, new);
    result->setup_count = old->count;
    result->sizes_differ = old->count != new->count || !same_ranges(comparing);
    for (uint32_t i = 0; i < old->count && !result->sizes_differ; i++)
        result->sizes_differ = !find_setup(comparing, &old->items[i], new);
    if (result->sizes_differ) {
        result->verdict = COMPARE_DIFFERENT;
        const struct setup *left = setups_usual(&result->old.plan->scope, old);
        const struct setup *right = setups_usual(&result->new.plan->scope, new);
        if (left && right)
            compare_setups(comparing, left, right);
        return;
    }
    for (uint32_t i = 0; i < old->count; i++)
        if (is_over(comparing) ||
            !compare_setups(comparing, &old->items[i], find_setup(comparing, &old->items[i], new)))
            return;
    result->left_out = sizes_left_out(comparing->arena, &result->old.plan->scope);
    if (is_open(&result->old.plan->scope))
        result->unknown = "there may be any number of nodes, and not all can be compared";
}

void compare_run(struct arena *arena, struct memory *memory, struct comparison *comparison)
{
    struct comparing comparing = {
        .arena = arena,
        .memory = memory,
        .result = comparison,
        .budget = budget_of(comparison->old.run.time_most_ms),
        .states_left = comparison->old.run.states_most < STATES_OF_ALL
                           ? comparison->old.run.states_most
                           : STATES_OF_ALL,
    };
    struct compare_side *old = &comparison->old;
    struct compare_side *new = &comparison->new;
    comparison->verdict = COMPARE_EQUAL;
    old->run.over_before = old->plan->in_vain;
    new->run.over_before = new->plan->in_vain;
    comparison->same_objects = compare_same_objects(memory, old, new);
    verify_run(arena, memory, &old->plan->scope, old->plan->intents.items, old->plan->intents.count,
               &old->run, &old->found);
    new->run.time_most_ms = budget_left_ms(&comparing.budget);
    verify_run(arena, memory, &new->plan->scope, new->plan->intents.items, new->plan->intents.count,
               &new->run, &new->found);
    match_intents(&comparing);
    if (comparison->same_objects)
        return;
    comparison->scopes_differ = !match_workloads(&comparing) | !match_groups(&comparing);
    if (comparison->scopes_differ) {
        comparison->verdict = COMPARE_DIFFERENT;
        return;
    }
    give_names(&comparing);
    if (are_clear(&comparing.old_names) && are_clear(&comparing.new_names))
        compare_graphs(&comparing);
    else
        comparison->unknown = "names of objects are words of their states, or not distinct";
    if (intents_differ(comparison))
        comparison->verdict = COMPARE_DIFFERENT;
    else if (comparison->verdict == COMPARE_EQUAL && comparison->unknown)
        comparison->verdict = COMPARE_UNKNOWN;
}

void compare_release(struct comparison *comparison)
{
    verify_release(&comparison->old.found);
    verify_release(&comparison->new.found);
}
