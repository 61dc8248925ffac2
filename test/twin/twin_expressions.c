/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions over the twin: every pod and every node is an element of its own, whose count is 1.
 * What the fields are is written here again, from docs/expressions.md.
 */
#include "decide/pod_requests.h"
#include "expression/expression.h"
#include "twin/twin_internal.h"

#include <string.h>

/* The context of an evaluation. */
struct asked {
    const struct twin *twin;
    const struct twin_state *state;
};

static const struct expression_class pod_class, node_class, taint_class, workload_class,
    event_class;

#define OBJECT(name)                                                              \
    static const struct expression_type name##_type = {.kind = EXPRESSION_OBJECT, \
                                                       .class = &name##_class};   \
    static const struct expression_type name##_bag = {.kind = EXPRESSION_BAG,     \
                                                      .element = &name##_type}
OBJECT(pod);
OBJECT(node);
OBJECT(taint);
static const struct expression_type workload_type = {.kind = EXPRESSION_OBJECT,
                                                     .class = &workload_class},
                                    workload_map = {.kind = EXPRESSION_MAP,
                                                    .element = &workload_type},
                                    event_type = {.kind = EXPRESSION_OBJECT, .class = &event_class},
                                    event_map = {.kind = EXPRESSION_MAP, .element = &event_type},
                                    quantity_map = {.kind = EXPRESSION_MAP,
                                                    .element = &expression_quantity};

#define READER(name)                                                          \
    static struct expression_value name(void *context, struct arena *scratch, \
                                        struct expression_object object)

/* ---- pods ---- */

static bool all_pods(const struct asked *asked, uint32_t place, uint32_t number)
{
    (void)asked, (void)place, (void)number;
    return true;
}

static bool pods_on(const struct asked *asked, uint32_t place, uint32_t number)
{
    return asked->state->pods[place].node == number;
}

static bool pods_of(const struct asked *asked, uint32_t place, uint32_t number)
{
    return workload_of(asked->twin, &asked->state->pods[place]) == number;
}

static struct expression_value
collect_pods(const struct asked *asked, struct arena *scratch,
             bool (*wanted)(const struct asked *, uint32_t, uint32_t), uint32_t number)
{
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, TWIN_PODS_MOST);
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_there(&asked->state->pods[p]) && wanted(asked, p, number))
            items[count++] = expression_of_object(&pod_class, p, 0);
    return expression_of_bag(scratch, items, NULL, count);
}

static struct expression_value read_pods(void *context, struct arena *scratch)
{
    return collect_pods(context, scratch, all_pods, 0);
}

static const struct place_of_pod *place_of(const struct asked *asked,
                                           struct expression_object object)
{
    return &asked->state->pods[object.first];
}

static const struct twin_revision *revision_of(const struct asked *asked,
                                               struct expression_object object)
{
    return &asked->twin->revisions[place_of(asked, object)->revision];
}

READER(pod_ready)
{
    const struct asked *asked = context;
    (void)scratch;
    return expression_of_bool(place_of(asked, object)->stage == POD_IS_READY &&
                              twin_pod_ready(asked->state, object.first));
}

READER(pod_terminating)
{
    (void)scratch;
    return expression_of_bool(place_of(context, object)->stage == POD_TERMINATES);
}

READER(pod_phase)
{
    const struct asked *asked = context;
    (void)scratch;
    return expression_of_string(twin_pod_runs(asked->twin, place_of(asked, object)) ? "Running"
                                                                                    : "Pending");
}

READER(pod_node)
{
    const struct place_of_pod *pod = place_of(context, object);
    (void)scratch;
    return pod->stage == POD_WAITS || pod->node == NOBODY
               ? expression_absent()
               : expression_of_object(&node_class, pod->node, 0);
}

READER(pod_current)
{
    const struct asked *asked = context;
    const uint32_t workload = workload_of(asked->twin, place_of(asked, object));
    (void)scratch;
    return expression_of_bool(asked->state->present[workload] == place_of(asked, object)->revision);
}

READER(pod_labels)
{
    return expression_of_labels(scratch, &revision_of(context, object)->pod->meta.labels);
}

READER(pod_requests)
{
    const struct asked *asked = context;
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    struct expression_value *pair = ARENA_ARRAY(scratch, struct expression_value, 2);
    struct quantity quantity;
    if (pod_request(&asked->twin->features, revision_of(asked, object)->pod, "cpu", REQUESTS_HELD,
                    &quantity)) {
        pair[0] = expression_of_string("cpu");
        pair[1] = expression_of_quantity(scratch, quantity);
        *map = (struct expression_map){.keys = pair, .values = pair + 1, .count = 1};
    }
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

#define FIELD(name, type, read)               \
    {                                         \
        name, type, read, "twin's own", false \
    }
#define OPTIONAL(name, type, read)           \
    {                                        \
        name, type, read, "twin's own", true \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct expression_field pod_fields[] = {
    FIELD("ready", &expression_bool, pod_ready),
    FIELD("terminating", &expression_bool, pod_terminating),
    FIELD("phase", &expression_string, pod_phase),
    OPTIONAL("node", &node_type, pod_node),
    FIELD("current", &expression_bool, pod_current),
    FIELD("labels", &expression_map_of_string, pod_labels),
    FIELD("requests", &quantity_map, pod_requests),
};
static const struct expression_class pod_class = {
    .name = "pod", .fields = pod_fields, .field_count = COUNT(pod_fields)};

/* ---- nodes ---- */

static const struct node *node_of(const struct asked *asked, struct expression_object object)
{
    const uint32_t template = node_template_of(asked->twin, asked->state, object.first);
    return asked->twin->catalog->templates.items[template]->node;
}

static struct expression_value read_nodes(void *context, struct arena *scratch)
{
    const struct asked *asked = context;
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, TWIN_NODES_MOST);
    uint32_t count = 0;
    for (uint32_t n = 0; n < asked->twin->node_count; n++)
        if (node_is_listed(asked->state, n))
            items[count++] = expression_of_object(&node_class, n, 0);
    return expression_of_bag(scratch, items, NULL, count);
}

READER(node_ready)
{
    const struct asked *asked = context;
    (void)scratch;
    return expression_of_bool(
        condition_is_ready((enum twin_condition)asked->state->conditions[object.first]));
}

READER(node_cordoned)
{
    (void)scratch;
    return expression_of_bool(node_of(context, object)->spec.unschedulable);
}

READER(node_labels)
{
    return expression_of_labels(scratch, &node_of(context, object)->meta.labels);
}

READER(node_taints)
{
    const uint32_t count = node_of(context, object)->spec.taint_count;
    struct expression_value *items = ARENA_ARRAY(scratch, struct expression_value, count + 1);
    for (uint32_t i = 0; i < count; i++)
        items[i] = expression_of_object(&taint_class, object.first, i);
    return expression_of_bag(scratch, items, NULL, count);
}

READER(node_pods)
{
    return collect_pods(context, scratch, pods_on, object.first);
}

static const struct expression_field node_fields[] = {
    FIELD("ready", &expression_bool, node_ready),
    FIELD("cordoned", &expression_bool, node_cordoned),
    FIELD("labels", &expression_map_of_string, node_labels),
    FIELD("taints", &taint_bag, node_taints),
    FIELD("pods", &pod_bag, node_pods),
};
static const struct expression_class node_class = {
    .name = "node", .fields = node_fields, .field_count = COUNT(node_fields)};

READER(taint_key)
{
    (void)scratch;
    return expression_of_string(node_of(context, object)->spec.taints[object.second].key);
}

static const struct expression_field taint_fields[] = {FIELD("key", &expression_string, taint_key)};
static const struct expression_class taint_class = {
    .name = "taint", .fields = taint_fields, .field_count = COUNT(taint_fields)};

/* ---- workloads ---- */

static struct expression_value read_workloads(void *context, struct arena *scratch)
{
    const struct asked *asked = context;
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    struct expression_value *keys = ARENA_ARRAY(scratch, struct expression_value, WORKLOADS_MOST);
    struct expression_value *values = ARENA_ARRAY(scratch, struct expression_value, WORKLOADS_MOST);
    uint32_t count = 0;
    for (uint32_t w = 0; w < asked->twin->workload_count; w++) {
        if (is_bystander(asked->twin, w))
            continue;
        keys[count] = expression_of_string(asked->twin->workloads[w].setup->name);
        values[count++] = expression_of_object(&workload_class, w, 0);
    }
    *map = (struct expression_map){.keys = keys, .values = values, .count = count};
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

READER(workload_exists)
{
    const struct asked *asked = context;
    (void)scratch;
    return expression_of_bool(asked->state->present[object.first] != NOBODY);
}

READER(workload_wants)
{
    const struct asked *asked = context;
    (void)scratch;
    return expression_of_int(asked->state->replicas[object.first]);
}

READER(workload_ready)
{
    const struct asked *asked = context;
    int64_t ready = 0;
    (void)scratch;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        ready += pod_is_active(&asked->state->pods[p]) && pods_of(asked, p, object.first) &&
                 twin_pod_ready(asked->state, p);
    return expression_of_int(ready);
}

READER(workload_converged)
{
    const struct asked *asked = context;
    (void)scratch;
    return expression_of_bool(asked->state->present[object.first] != NOBODY &&
                              twin_converged(asked->twin, asked->state, object.first, false));
}

READER(workload_pods)
{
    return collect_pods(context, scratch, pods_of, object.first);
}

static const struct expression_field workload_fields[] = {
    FIELD("exists", &expression_bool, workload_exists),
    FIELD("replicas", &expression_int, workload_wants),
    FIELD("ready", &expression_int, workload_ready),
    FIELD("converged", &expression_bool, workload_converged),
    FIELD("pods", &pod_bag, workload_pods),
};
static const struct expression_class workload_class = {
    .name = "workload", .fields = workload_fields, .field_count = COUNT(workload_fields)};

/* ---- events ---- */

static struct expression_value read_events(void *context, struct arena *scratch)
{
    const struct asked *asked = context;
    struct expression_map *map = ARENA_NEW(scratch, struct expression_map);
    struct expression_value *keys = ARENA_ARRAY(scratch, struct expression_value, EVENTS_MOST);
    struct expression_value *values = ARENA_ARRAY(scratch, struct expression_value, EVENTS_MOST);
    *map = (struct expression_map){.keys = keys, .values = values};
    for (uint32_t e = 0; e < asked->twin->event_count; e++) {
        const enum event_kind kind = asked->twin->events[e].event->kind;
        bool known = false;
        for (uint32_t k = 0; k < map->count; k++)
            known |= values[k].object.first == (uint32_t)kind;
        if (known)
            continue;
        keys[map->count] = expression_of_string(event_kind_name(kind));
        values[map->count++] = expression_of_object(&event_class, (uint32_t)kind, 0);
    }
    return (struct expression_value){.tag = VALUE_IS_MAP, .map = map};
}

READER(event_count)
{
    const struct asked *asked = context;
    int64_t count = 0;
    (void)scratch;
    for (uint32_t e = 0; e < asked->twin->event_count; e++)
        if ((uint32_t)asked->twin->events[e].event->kind == object.first)
            count += asked->state->used[e];
    return expression_of_int(count);
}

READER(event_happened)
{
    return expression_of_bool(event_count(context, scratch, object).integer > 0);
}

READER(event_active)
{
    const struct asked *asked = context;
    bool lasts = false;
    (void)scratch;
    for (uint32_t e = 0; e < asked->twin->event_count; e++)
        lasts |= (uint32_t)asked->twin->events[e].event->kind == object.first &&
                 twin_event_lasts(asked->twin, asked->state, e);
    return expression_of_bool(lasts);
}

static const struct expression_field event_fields[] = {
    FIELD("count", &expression_int, event_count),
    FIELD("happened", &expression_bool, event_happened),
    FIELD("active", &expression_bool, event_active),
};
static const struct expression_class event_class = {
    .name = "event", .fields = event_fields, .field_count = COUNT(event_fields)};

/* ---- evaluation ---- */

static const struct expression_variable variables[] = {
    {"pods", &pod_bag, read_pods, "all pods"},
    {"nodes", &node_bag, read_nodes, "all nodes"},
    {"workloads", &workload_map, read_workloads, "workloads"},
    {"events", &event_map, read_events, "events"},
};
static const struct expression_environment environment = {variables, COUNT(variables)};

static const struct expression *compile(struct twin *twin, const char *text)
{
    struct problems problems;
    problems_init(&problems, &twin->arena);
    if (!text)
        return NULL;
    const struct expression *expression = expression_compile(
        &twin->arena, text, &environment, &expression_bool, (struct place){0}, "twin", &problems);
    if (!expression)
        bug("the twin cannot read %s: %s", text, problems.items[0].message);
    return expression;
}

void twin_compile_expressions(struct twin *twin)
{
    for (uint32_t i = 0; i < twin->intent_count; i++) {
        twin->expressions[i].first = compile(twin, twin->intents[i].expression);
        twin->expressions[i].condition = compile(twin, twin->intents[i].condition);
        twin->expressions[i].to = compile(twin, twin->intents[i].to);
    }
}

void twin_compile_condition(struct twin *twin, struct twin_event *event)
{
    event->condition = compile(twin, event->event->when);
}

static bool reads(const struct expression *expression, const char *field)
{
    return expression && expression_reads(expression, &pod_class, field);
}

static bool any(const struct twin *twin, bool (*ask)(const struct expression *, const char *),
                const char *field)
{
    bool found = false;
    for (uint32_t i = 0; i < twin->intent_count; i++)
        found |= ask(twin->expressions[i].first, field) ||
                 ask(twin->expressions[i].condition, field) || ask(twin->expressions[i].to, field);
    for (uint32_t e = 0; e < twin->event_count; e++)
        found |= ask(twin->events[e].condition, field);
    return found;
}

bool twin_reads_pods(const struct twin *twin, const char *field)
{
    return any(twin, reads, field);
}

static bool counts(const struct expression *expression, const char *field)
{
    return expression && (expression_uses(expression, field) ||
                          expression_reads(expression, &workload_class, field));
}

bool twin_counts_pods(const struct twin *twin)
{
    return any(twin, counts, "pods");
}

enum truth { NOT_TRUE, TRUE_THERE, FAILS_THERE };

static enum truth truth_of(struct twin *twin, const struct twin_state *state,
                           const struct expression *expression)
{
    struct asked asked = {twin, state};
    const struct arena_mark mark = arena_mark(&twin->scratch);
    const struct expression_value value = expression_evaluate(expression, &asked, &twin->scratch);
    arena_rewind(&twin->scratch, mark);
    return value.tag != VALUE_IS_BOOL ? FAILS_THERE : value.truth ? TRUE_THERE : NOT_TRUE;
}

bool twin_event_is_allowed(struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const struct expression *condition = twin->events[number].condition;
    return !condition || truth_of(twin, state, condition) == TRUE_THERE;
}

/* ---- times ---- */

enum { COMES_TOO_LATE = 2 }; /* of `armed` */

/* Does time count for the intent in this state? */
static bool waits_on(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    if (!state->begun || twin->clock.after[number] + twin->clock.within[number] == 0)
        return false;
    switch (twin->intents[number].kind) {
    case INTENT_EVENTUALLY:
    case INTENT_UNTIL: return state->armed[number] == 0;
    case INTENT_LEADS_TO: return state->armed[number] == 1;
    default: return true;
    }
}

/* The first time at which it is too late, or all that matters has passed. */
static uint32_t longest(const struct twin *twin, uint32_t number)
{
    const uint32_t within = twin->clock.within[number];
    return within > 0 ? within + 1 : twin->clock.after[number];
}

uint32_t twin_words_until_due(const struct twin *twin, const struct twin_state *state)
{
    uint32_t least = ALL;
    for (uint32_t i = 0; i < twin->intent_count; i++) {
        const uint32_t now = state->waited[i];
        const uint32_t limits[] = {twin->clock.after[i], longest(twin, i)};
        for (uint32_t l = 0; l < 2 && waits_on(twin, state, i); l++)
            if (now < limits[l] && limits[l] - now < least)
                least = limits[l] - now;
    }
    return least;
}

void twin_words_wait(const struct twin *twin, struct twin_state *next, uint32_t ticks)
{
    for (uint32_t i = 0; i < twin->intent_count; i++)
        if (waits_on(twin, next, i)) {
            const uint32_t then = next->waited[i] + ticks;
            next->waited[i] = (uint16_t)(then < longest(twin, i) ? then : longest(twin, i));
        }
}

static bool is_early(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    return state->waited[number] < twin->clock.after[number];
}

static bool is_late(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    return twin->clock.within[number] > 0 && state->waited[number] > twin->clock.within[number];
}

bool twin_expression_atom(struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const struct twin_expressions *own = &twin->expressions[number];
    const bool counts = !is_early(twin, state, number) && !is_late(twin, state, number);
    const bool asked =
        counts && (!own->condition || truth_of(twin, state, own->condition) != NOT_TRUE);
    switch (twin->intents[number].kind) {
    case INTENT_ALWAYS: return asked && truth_of(twin, state, own->first) != TRUE_THERE;
    case INTENT_NEVER: return asked && truth_of(twin, state, own->first) != NOT_TRUE;
    case INTENT_REACHABLE: return counts && truth_of(twin, state, own->first) == TRUE_THERE;
    case INTENT_STABLE:
    case INTENT_ALWAYS_POSSIBLE: return truth_of(twin, state, own->first) == TRUE_THERE;
    case INTENT_EVENTUALLY: return state->armed[number] != 1;
    case INTENT_LEADS_TO: return state->armed[number];
    case INTENT_UNTIL:
        return counts && !state->armed[number] && truth_of(twin, state, own->first) != TRUE_THERE;
    default: return false;
    }
}

/* Notes what comes about in the state, in time or not. */
static void note(struct twin *twin, struct twin_state *next, uint32_t number)
{
    const struct twin_expressions *own = &twin->expressions[number];
    uint8_t *armed = &next->armed[number];
    switch (twin->intents[number].kind) {
    case INTENT_EVENTUALLY:
        if (*armed == 0 && !is_early(twin, next, number))
            *armed = truth_of(twin, next, own->first) == TRUE_THERE;
        break;
    case INTENT_UNTIL: *armed |= truth_of(twin, next, own->to) == TRUE_THERE; break;
    case INTENT_LEADS_TO:
        if (truth_of(twin, next, own->to) == TRUE_THERE)
            *armed = 0;
        else
            *armed |= truth_of(twin, next, own->first) != NOT_TRUE;
        break;
    default: break;
    }
}

void twin_expression_remember(struct twin *twin, struct twin_state *next, uint32_t number)
{
    const enum intent_kind kind = twin->intents[number].kind;
    const bool waits = kind == INTENT_EVENTUALLY || kind == INTENT_LEADS_TO;
    const uint8_t before = next->armed[number];
    if (!next->begun || before == COMES_TOO_LATE)
        return;
    if (waits && waits_on(twin, next, number) && is_late(twin, next, number))
        next->armed[number] = COMES_TOO_LATE;
    else
        note(twin, next, number);
    if ((waits || kind == INTENT_UNTIL) && next->armed[number] != before)
        next->waited[number] = 0;
}
