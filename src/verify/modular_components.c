/* SPDX-License-Identifier: Apache-2.0 */
/* The components of a cluster, and which of them are alike. */
#include "verify/modular_internal.h"

#include <string.h>

/* Of an intent in users' own words: can it be judged workload by workload? Components are not alike
 * for it, because it may ask for names. */
static void add_reach(struct modular *modular, uint32_t number, const struct intent_class *class)
{
    const uint64_t bit = UINT64_C(1) << number;
    uint32_t *workload = &modular->workload_of_intent[number];
    if (class->reach(&modular->arena, modular->query->scope, &modular->query->intents[number],
                     workload) == REACHES_EVERYTHING)
        return;
    /* It does not ask where pods are, then. */
    modular->eligible |= bit;
    modular->placeless |= bit;
    modular->named |= bit;
}

void modular_add_intents(struct modular *modular)
{
    const struct setup_query *query = modular->query;
    const uint32_t count = query->intent_count;
    modular->intents = ARENA_ARRAY(&modular->arena, struct check_intent, count + OWN_INTENTS);
    modular->workload_of_intent = ARENA_ARRAY(&modular->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        modular->workload_of_intent[i] =
            scope_find_workload(query->scope, &query->intents[i].workload);
        const struct intent_class *class = intent_class_of(&query->intents[i]);
        modular->intents[i] = query->intents[i];
        if (class->ignores & IGNORES_OTHER_WORKLOADS || class->beside_others)
            modular->eligible |= UINT64_C(1) << i;
        const struct intent_class *judged = class->beside_others ? class->beside_others : class;
        if (judged->ignores & IGNORES_PLACES)
            modular->placeless |= UINT64_C(1) << i;
        if (class->reach)
            add_reach(modular, i, class);
        if (judged->ignores & IGNORES_OTHER_NODES)
            modular->nodeless |= UINT64_C(1) << i;
        if (class->violated_by == VIOLATED_BY_STEP || class->violated_by == VIOLATED_BY_STATE)
            modular->safety |= UINT64_C(1) << i;
    }
    modular->intents[count].kind = INTENT_NO_OSCILLATION;
    modular->intents[count + 1].kind = INTENT_DRAIN_COMPLETES;
}

static bool has_only_daemons(const struct scope_part *part)
{
    for (uint32_t w = 0; w < part->scope.workload_count; w++)
        if (part->scope.workloads[w].object->kind != OBJECT_DAEMON_SET)
            return false;
    return true;
}

/* Can images make a difference to where pods go? Nodes that have none and pull none score alike. */
static bool images_matter(const struct setup_query *query)
{
    for (uint32_t g = 0; g < query->scope->group_count; g++)
        if (query->scope->groups[g].node->status.image_count > 0)
            return true;
    return query->population->images_pulled;
}

static void add_component(struct modular *modular, const uint32_t *component_of, uint32_t number)
{
    const struct setup_query *query = modular->query;
    const struct scope *scope = query->scope;
    struct component *component = &modular->components[number];
    component->in = ARENA_ARRAY(&modular->arena, bool, scope->workload_count + 1);
    for (uint32_t w = 0; w < scope->workload_count; w++)
        component->in[w] = component_of[w] == number;
    scope_part(&modular->arena, scope, component->in, &component->part);
    component->setup = setup_part(&modular->arena, &component->part, query->setup);
    /* Where pods of a DaemonSet are nobody else asks. */
    if (has_only_daemons(&component->part))
        component->setup = scope_part_fold(&modular->arena, &component->part, component->setup,
                                           query->intents, query->intent_count);
    for (uint32_t i = 0; i < query->intent_count; i++) {
        const uint32_t workload = modular->workload_of_intent[i];
        const uint64_t asked =
            query->asked & modular->eligible & ~modular->outcome->violated & ~modular->shown;
        if (asked >> i & 1 && (workload == UINT32_MAX || component->in[workload]))
            component->asked |= UINT64_C(1) << i;
    }
    component->by_node = !(component->asked & ~modular->nodeless) &&
                         scope_part_is_by_node(&component->part, component->setup);
    component->open = component->asked;
    component->applied = component->asked;
    modular->parts->items[number].asked = component->asked;
    if (!(component->asked & modular->named)) {
        component->shape =
            component_shape(&modular->arena, scope, &component->part, component->setup,
                            images_matter(query) ? SHAPE_ALL : SHAPE_BUT_IMAGES);
        component->shape_but_requests = component_shape(&modular->arena, scope, &component->part,
                                                        component->setup, SHAPE_BUT_REQUESTS);
    }
    for (uint32_t c = 0; component->shape && c < number && !component->like; c++) {
        struct component *other = &modular->components[c];
        if (other->shape && !other->like && other->asked == component->asked &&
            strcmp(other->shape, component->shape) == 0)
            component->like = other;
    }
    if (component->like)
        modular->parts->items[number].like = number_of(modular, component->like);
}

/* Finds out what a model of the component with a pool reads of requests. It has the intents that
 * are judged there. */
static void find_requests(struct modular *modular, struct component *component)
{
    struct population_options how = setup_options(modular->query, REDUCTIONS_NEVER);
    struct others others = modular->unknown;
    struct scope scope = component->part.scope;
    const struct asked_intents asked = asked_intents(&modular->arena, modular->query,
                                                     modular_placeless(modular, component->asked));
    struct problems problems;
    problems_init(&problems, &modular->arena);
    others.pools = true;
    how.others = &others;
    if (component->requests.of || scope.start == START_CANONICAL)
        return;
    struct population *population = population_create(modular->memory, &scope, component->setup,
                                                      asked.items, asked.count, &how, &problems);
    if (!population)
        return;
    population_requests(&modular->arena, population, &component->requests);
    population_free(population);
}

static bool is_sibling(struct modular *modular, struct component *one, struct component *other)
{
    if (other->like || other->sibling || one->asked != other->asked || !one->shape_but_requests ||
        !other->shape_but_requests ||
        strcmp(one->shape_but_requests, other->shape_but_requests) != 0)
        return false;
    find_requests(modular, one);
    find_requests(modular, other);
    return one->requests.text && other->requests.text &&
           strcmp(one->requests.text, other->requests.text) == 0;
}

static void find_sibling(struct modular *modular, uint32_t number)
{
    struct component *components = modular->components;
    if (!components)
        return;
    struct component *component = &components[number];
    for (uint32_t c = 0; !component->like && c < number && !component->sibling; c++)
        if (is_sibling(modular, component, &components[c]))
            component->sibling = &components[c];
    if (component->sibling)
        modular->parts->items[number].sibling = number_of(modular, component->sibling);
}

void modular_learn(struct modular *modular, struct component *component)
{
    const struct component *like = component->like;
    parts_learn(modular->parts, number_of(modular, component));
    component->applied = like->applied;
    component->open = like->open;
    component->bounded = like->bounded;
    component->rests = like->rests;
    component->loops = like->loops;
    component->leaves = like->leaves;
    component->held = like->held;
    component->preempts_from = like->preempts_from;
}

/* What was found before the run ended may lack something: all is left to the whole, which ends at
 * once. False if there is time. */
static bool forget_if_over(struct modular *modular)
{
    if (!setup_is_over(modular->query, modular->started))
        return false;
    modular->component_count = 0;
    *modular->parts = (struct parts){.several = modular->parts->several};
    modular->parts->together = TOGETHER_UNKNOWN;
    return true;
}

bool modular_find_components(struct modular *modular)
{
    const struct setup_query *query = modular->query;
    struct population_options how = setup_options(query, REDUCTIONS_NEVER);
    struct problems problems;
    modular->component_count = 0;
    modular->parts->count = 0;
    problems_init(&problems, &modular->arena);
    struct scope empty = *query->scope;
    /* Where runs begin is of no interest, and takes a run to find out. */
    empty.start = empty.start == START_CANONICAL ? START_SETTLED : empty.start;
    struct population *population =
        population_create(modular->memory, &empty, query->setup, query->intents,
                          query->intent_count, &how, &problems);
    if (!population)
        return false;
    struct components found;
    /* As long as the outcome: it is told why workloads are coupled. */
    population_components(&modular->outcome->arena, population, modular->tied_quotas, &found);
    room_at_start_find(&modular->arena, population, found.of, found.count, &modular->at_start);
    population_free(population);
    if (forget_if_over(modular))
        return false;
    modular->parts->together = TOGETHER_COUPLED;
    modular->parts->couplings = found.couplings;
    modular->parts->coupling_count = found.coupling_count;
    if (found.count < (query->coupled_alone && !found.whole ? 1 : 2) ||
        found.resource_count > ROOM_MOST - ROOM_EXTENDED)
        return false;
    modular->parts->together = TOGETHER_NOT;
    parts_begin(modular->parts, &modular->outcome->arena, &found, query->scope->workload_count);
    modular->component_count = found.count;
    modular->nodes_back = found.nodes_back;
    modular->lowest_rank = found.lowest_rank;
    modular->priorities_differ = found.highest_rank > found.lowest_rank;
    modular->preempts_apart = found.preempts_apart;
    modular->unknown = (struct others){
        .resources = found.resources,
        .resource_count = found.resource_count,
        .unknown = true,
        .restless = true,
        .highest_rank = found.highest_rank,
        .zones_back = found.zones_back,
        .shared_quotas = found.shared_quotas,
        .uncounted = true,
    };
    modular->components = ARENA_ARRAY(&modular->arena, struct component, modular->component_count);
    for (uint32_t c = 0; c < modular->component_count; c++) {
        modular->components[c].ranks = found.ranks[c];
        if (!setup_is_over(query, modular->started))
            add_component(modular, found.of, c);
    }
    for (uint32_t c = 0; c < modular->component_count && !setup_is_over(query, modular->started);
         c++)
        find_sibling(modular, c);
    modular_begin_sizes(modular);
    return !forget_if_over(modular);
}

uint64_t modular_open(const struct modular *modular)
{
    uint64_t open = modular->query->asked;
    if (modular->component_count > 0)
        open &= ~modular->eligible;
    for (uint32_t c = 0; c < modular->component_count; c++)
        open |= modular->components[c].open;
    return open & ~modular->outcome->violated & ~modular->shown;
}
