/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing tables, and looking states up in them by their vector. */
#include "naive/random_system.h"

#include "base/error.h"
#include "base/hash.h"

#include <inttypes.h>
#include <string.h>

uint64_t random_next(uint64_t *seed)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return hash_word(*seed);
}

uint32_t random_below(uint64_t *seed, uint32_t bound)
{
    return (uint32_t)(random_next(seed) % bound);
}

bool random_chance(uint64_t *seed, uint32_t percent)
{
    return random_below(seed, 100) < percent;
}

/* ---- drawing ---- */

static bool same_vector(const struct random_state *a, const uint32_t *words, uint32_t length)
{
    return a->length == length && memcmp(a->words, words, length * sizeof(*words)) == 0;
}

static int find_state(const struct random_system *system, const uint32_t *words, uint32_t length)
{
    for (uint32_t i = 0; i < system->state_count; i++)
        if (same_vector(&system->states[i], words, length))
            return (int)i;
    return -1;
}

/* Adds a state whose vector is new. Few different words make likely what only
 * a careless store confuses; after some failures they may be anything. */
static void draw_state(struct random_system *system, uint64_t *seed)
{
    struct random_state state;
    uint32_t tries = 0;
    do {
        memset(&state, 0, sizeof(state));
        state.length = system->length_least +
                       random_below(seed, system->length_most - system->length_least + 1);
        for (uint32_t i = 0; i < state.length; i++)
            state.words[i] =
                tries > 8 ? (uint32_t)random_next(seed) : random_below(seed, tries > 4 ? 40 : 2);
        tries++;
    } while (find_state(system, state.words, state.length) >= 0);
    for (uint32_t atom = 0; atom < RANDOM_ATOMS; atom++)
        if (random_chance(seed, 30))
            state.atoms |= UINT64_C(1) << atom;
    state.open = (1U << random_below(seed, MODEL_GATES_MOST + 1)) - 1;
    system->states[system->state_count++] = state;
}

static uint32_t draw_fairness(const struct random_system *system, uint64_t *seed)
{
    if (system->class_count == 0 || random_chance(seed, 25))
        return random_chance(seed, 50) ? FAIRNESS_NONE : FAIRNESS_OPTIONAL;
    return random_below(seed, system->class_count);
}

/* Successors are mostly near by, which makes loops of middling length. */
static uint32_t draw_target(const struct random_system *system, uint64_t *seed, uint32_t from)
{
    if (random_chance(seed, 50))
        return random_below(seed, system->state_count);
    const uint32_t near = from + random_below(seed, 5) + system->state_count - 2;
    return near % system->state_count;
}

static void draw_edges(struct random_system *system, uint64_t *seed, uint32_t from)
{
    uint32_t count = random_below(seed, 4);
    while (count-- > 0 && system->edge_count < RANDOM_EDGES_MOST) {
        struct random_edge edge = {
            .from = from,
            .to = draw_target(system, seed, from),
            .action = random_below(seed, RANDOM_ACTIONS),
            .fairness = draw_fairness(system, seed),
        };
        for (uint32_t mark = 0; mark < RANDOM_MARKS; mark++)
            if (random_chance(seed, 20))
                edge.marks |= UINT64_C(1) << mark;
        system->edges[system->edge_count++] = edge;
    }
    /* Enabled though not explored: only where a step is left, as reductions do. */
    const bool has_step =
        system->edge_count > 0 && system->edges[system->edge_count - 1].from == from;
    if (has_step && system->class_count > 0 && random_chance(seed, 10))
        system->states[from].enabled = UINT64_C(1) << random_below(seed, system->class_count);
}

static struct literals draw_condition(uint64_t *seed, uint32_t atom_count)
{
    struct literals condition = {0};
    const uint64_t atom = UINT64_C(1) << random_below(seed, atom_count);
    if (random_chance(seed, 60))
        condition.all = atom;
    else
        condition.none = atom;
    if (random_chance(seed, 25))
        condition.none |= UINT64_C(1) << random_below(seed, atom_count);
    return condition;
}

struct property random_property(uint64_t *seed, uint32_t atom_count, uint32_t mark_count)
{
    struct property property = {
        .name = "random",
        .kind = (enum property_kind)random_below(seed, PROPERTY_NO_CYCLE + 1),
        .p = draw_condition(seed, atom_count),
        .q = draw_condition(seed, atom_count),
        .without_fairness = random_chance(seed, 30),
    };
    if (property.kind == PROPERTY_STEP_INVARIANT)
        property.marks = UINT64_C(1) << random_below(seed, mark_count);
    if (property.kind == PROPERTY_NO_CYCLE) {
        if (random_chance(seed, 40))
            property.p = (struct literals){0};
        property.marks = random_below(seed, 1U << mark_count);
        if (random_chance(seed, 40))
            property.avoids = random_below(seed, 1U << mark_count) & ~property.marks;
        if (random_chance(seed, 40))
            property.visits = random_below(seed, 1U << atom_count);
    }
    return property;
}

void random_system_draw(struct random_system *system, uint64_t seed)
{
    memset(system, 0, sizeof(*system));
    seed = hash_word(seed + 1);
    system->class_count = random_below(&seed, 5);
    system->gate_count = random_chance(&seed, 50) ? MODEL_GATES_MOST : 0;
    system->length_most = 1 + random_below(&seed, RANDOM_WORDS_MOST);
    system->length_least = random_chance(&seed, 40) ? system->length_most
                                                    : 1 + random_below(&seed, system->length_most);
    const uint32_t states = random_chance(&seed, 90) ? 1 + random_below(&seed, 24)
                                                     : 1 + random_below(&seed, RANDOM_STATES_MOST);
    for (uint32_t i = 0; i < states; i++)
        draw_state(system, &seed);
    for (uint32_t i = 0; i < states; i++)
        draw_edges(system, &seed, i);
    system->initial_count =
        random_chance(&seed, 60) ? 1 : 1 + random_below(&seed, RANDOM_INITIAL_MOST);
    for (uint32_t i = 0; i < system->initial_count; i++)
        system->initial[i] = random_below(&seed, states);
    system->property_count = 1 + random_below(&seed, RANDOM_PROPERTIES_MOST);
    for (uint32_t i = 0; i < system->property_count; i++)
        system->properties[i] = random_property(&seed, RANDOM_ATOMS, RANDOM_MARKS);
    if (random_chance(&seed, 30))
        system->finite_marks = UINT64_C(1) << random_below(&seed, RANDOM_MARKS);
}

/* ---- the model ---- */

static const struct random_state *look_up(const struct random_system *system, const uint32_t *words,
                                          uint32_t length)
{
    const int index = find_state(system, words, length);
    if (index < 0)
        bug("the engine asks about a state that was never emitted");
    return &system->states[index];
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const struct random_system *system = model->context;
    for (uint32_t i = 0; i < system->initial_count; i++) {
        const struct random_state *state = &system->states[system->initial[i]];
        step_sink_emit(sink, &(struct step){.words = state->words, .length = state->length});
    }
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    (void)worker;
    const struct random_system *system = model->context;
    const struct random_state *state = look_up(system, words, length);
    for (uint32_t i = 0; i < system->edge_count; i++) {
        const struct random_edge *edge = &system->edges[i];
        if (&system->states[edge->from] != state)
            continue;
        const struct random_state *next = &system->states[edge->to];
        step_sink_emit(sink, &(struct step){.words = next->words,
                                            .length = next->length,
                                            .action = edge->action,
                                            .fairness = edge->fairness,
                                            .marks = edge->marks});
    }
    for (uint32_t class = 0; class < system->class_count; class ++)
        if (state->enabled >> class & 1)
            step_sink_enable(sink, class);
    for (uint32_t gate = 0; gate < system->gate_count; gate++)
        if (state->open >> gate & 1)
            step_sink_open(sink, gate);
}

/* Classes are behind no gate, or one after the other behind one. */
static uint32_t class_gate(const struct model *model, uint32_t fairness_class)
{
    const uint32_t gate = fairness_class % (MODEL_GATES_MOST + 1);
    return gate < model->gate_count ? gate : GATE_NONE;
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    (void)worker;
    return look_up(model->context, words, length)->atoms;
}

const struct model *random_system_model(struct random_system *system)
{
    static const char *const actions[RANDOM_ACTIONS] = {"one", "two", "three", "four"};
    system->model = (struct model){
        .name = "random",
        .context = system,
        .length_least = system->length_least,
        .length_most = system->length_most,
        .actions = actions,
        .action_count = RANDOM_ACTIONS,
        .fairness_class_count = system->class_count,
        .class_gate = class_gate,
        .gate_count = system->gate_count,
        .atom_count = RANDOM_ATOMS,
        .mark_count = RANDOM_MARKS,
        .end_atoms = UINT64_C(1) << (RANDOM_ATOMS - 1),
        .finite_marks = system->finite_marks,
        .properties = system->properties,
        .property_count = system->property_count,
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
    };
    return &system->model;
}

/* ---- for people ---- */

static void describe_edge(const struct random_edge *edge, struct text *text)
{
    text_printf(text, "  %u -> %u", edge->from, edge->to);
    if (edge->fairness == FAIRNESS_OPTIONAL)
        text_append_string(text, " optional");
    else if (edge->fairness != FAIRNESS_NONE)
        text_printf(text, " class %u", edge->fairness);
    if (edge->marks != 0)
        text_printf(text, " marks %#" PRIx64, edge->marks);
    text_append_string(text, "\n");
}

void random_system_describe(const struct random_system *system, struct text *text)
{
    text_printf(text, "%u classes, finite marks %#" PRIx64 ", initial", system->class_count,
                system->finite_marks);
    for (uint32_t i = 0; i < system->initial_count; i++)
        text_printf(text, " %u", system->initial[i]);
    text_append_string(text, "\n");
    for (uint32_t i = 0; i < system->edge_count; i++)
        describe_edge(&system->edges[i], text);
    for (uint32_t i = 0; i < system->state_count; i++) {
        const struct random_state *state = &system->states[i];
        if (state->atoms != 0 || state->enabled != 0 || system->gate_count > 0)
            text_printf(text,
                        "  state %u: atoms %#" PRIx64 ", also enabled %#" PRIx64 ", open %#x\n", i,
                        state->atoms, state->enabled, state->open);
    }
    for (uint32_t i = 0; i < system->property_count; i++) {
        const struct property *property = &system->properties[i];
        text_printf(text,
                    "  property kind %d p %#" PRIx64 "/%#" PRIx64 " q %#" PRIx64 "/%#" PRIx64
                    " marks %#" PRIx64 " avoids %#" PRIx64 " visits %#" PRIx64 "%s\n",
                    (int)property->kind, property->p.all, property->p.none, property->q.all,
                    property->q.none, property->marks, property->avoids, property->visits,
                    property->without_fairness ? " without fairness" : "");
    }
}
