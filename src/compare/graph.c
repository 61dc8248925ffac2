/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of a setup: states in words without names, and steps. */
#include "base/hash.h"
#include "cluster/threads/crew.h"
#include "compare/compare.h"
#include "walk/walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- labels ---- */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_';
}

static const char *id_of(const struct compare_names *names, const char *token, size_t length)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strlen(names->names[i]) == length && strncmp(names->names[i], token, length) == 0)
            return names->ids[i];
    return NULL;
}

static void rename_tokens(const struct compare_names *names, const char *from, struct text *text)
{
    while (*from) {
        size_t length = 0;
        while (is_name_char(from[length]))
            length++;
        const char *id = length > 0 ? id_of(names, from, length) : NULL;
        if (id)
            text_append_string(text, id);
        else
            text_append(text, from, length > 0 ? length : 1);
        from += length > 0 ? length : 1;
    }
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The parts of a text between separators, sorted. */
static char *sorted(struct arena *arena, const char *text, const char *separator)
{
    VEC(const char *) parts = {0};
    struct text joined;
    for (const char *rest = text; rest;) {
        const char *end = strstr(rest, separator);
        const size_t length = end ? (size_t)(end - rest) : strlen(rest);
        VEC_PUSH(arena, &parts, arena_strndup(arena, rest, length));
        rest = end ? end + strlen(separator) : NULL;
    }
    if (parts.count > 1)
        qsort(parts.items, parts.count, sizeof(*parts.items), by_text);
    text_init(&joined, arena->memory);
    for (uint32_t i = 0; i < parts.count; i++)
        text_printf(&joined, "%s%s", i ? separator : "", parts.items[i]);
    return text_keep(&joined, arena);
}

/* Parts in an order of their own, and so are the pods of a node. */
static const char *canonical(struct arena *arena, const char *text)
{
    struct text joined;
    text_init(&joined, arena->memory);
    for (const char *rest = text; rest;) {
        const char *end = strstr(rest, "; ");
        const char *part = arena_strndup(arena, rest, end ? (size_t)(end - rest) : strlen(rest));
        const char *pods = strstr(part, ": ");
        if (pods)
            part = arena_printf(arena, "%.*s%s", (int)(pods + 2 - part), part,
                                sorted(arena, pods + 2, ", "));
        text_printf(&joined, "%s%s", part, end ? "; " : "");
        rest = end ? end + 2 : NULL;
    }
    return sorted(arena, text_keep(&joined, arena), "; ");
}

uint32_t compare_label_wanted(const char *label, const char *id)
{
    const size_t length = strlen(id);
    for (const char *part = label; part;) {
        if (strncmp(part, id, length) == 0 && strncmp(part + length, " wants ", 7) == 0)
            return (uint32_t)strtoul(part + length + 7, NULL, 10);
        part = strstr(part, "; ");
        part = part ? part + 2 : NULL;
    }
    return 0;
}

/* In one list of pods: "2 @w0, 1 @w0 starting". Behind the name of a ready pod is nothing, or what
 * it uses. */
static uint32_t ready_in(const char *pods, const char *end, const char *id)
{
    const size_t length = strlen(id);
    uint32_t ready = 0;
    while (pods && pods < end) {
        char *name = NULL;
        const uint32_t count = (uint32_t)strtoul(pods, &name, 10);
        if (*name == ' ' && strncmp(name + 1, id, length) == 0) {
            const char *behind = name + 1 + length;
            if (behind >= end || *behind == ',' || *behind == ';' || *behind == '\0' ||
                strncmp(behind, " using", 6) == 0)
                ready += count;
        }
        pods = strstr(pods, ", ");
        pods = pods ? pods + 2 : NULL;
    }
    return ready;
}

uint32_t compare_label_ready(const char *label, const char *id)
{
    uint32_t ready = 0;
    for (const char *part = label; part;) {
        const char *end = strstr(part, "; ");
        const char *stop = end ? end : part + strlen(part);
        const char *pods = strstr(part, ": ");
        char *behind = NULL;
        const uint32_t nodes = (uint32_t)strtoul(part, &behind, 10);
        if (pods && pods < stop && strncmp(behind, " x ", 3) == 0)
            ready += nodes * ready_in(pods + 2, stop, id);
        part = end ? end + 2 : NULL;
    }
    return ready;
}

/* ---- exploring ---- */

struct making {
    struct step_sink sink;
    struct compare_graph *graph;
    const struct model *model;
    struct worker *worker;
    const struct compare_names *names;
    const struct population_options *limits;
    VEC(const uint32_t *) words;
    VEC(uint32_t) lengths;
    uint32_t *slots; /* by hash: the number of a state + 1 */
    uint32_t slot_count;
    uint32_t most;
    uint32_t depth;
    struct arena scratch;
};

static const char *label_of(struct making *making, const uint32_t *words, uint32_t length)
{
    const struct arena_mark mark = arena_mark(&making->scratch);
    struct text described;
    struct text renamed;
    text_init(&described, making->graph->arena->memory);
    text_init(&renamed, making->graph->arena->memory);
    making->model->describe_state(making->model, making->worker, words, length, &described);
    rename_tokens(making->names, text_content(&described), &renamed);
    const char *label =
        arena_strdup(making->graph->arena, canonical(&making->scratch, text_content(&renamed)));
    text_release(&described);
    text_release(&renamed);
    arena_rewind(&making->scratch, mark);
    return label;
}

static uint64_t atoms_of(const struct making *making, const uint32_t *words, uint32_t length)
{
    return making->model->atoms ? making->model->atoms(making->model, making->worker, words, length)
                                : 0;
}

/* A label of a large cluster takes long, so each state asks. */
static bool must_stop(const struct making *making)
{
    return population_is_over(making->limits) || memory_is_over(making->graph->arena->memory);
}

static uint32_t find_or_add(struct making *making, const uint32_t *words, uint32_t length)
{
    struct arena *arena = making->graph->arena;
    const uint64_t hash = hash_bytes(words, length * sizeof(*words));
    uint32_t slot = (uint32_t)hash & (making->slot_count - 1);
    for (; making->slots[slot]; slot = (slot + 1) & (making->slot_count - 1)) {
        const uint32_t number = making->slots[slot] - 1;
        if (making->lengths.items[number] == length &&
            memcmp(making->words.items[number], words, length * sizeof(*words)) == 0)
            return number;
    }
    if (making->graph->states.count >= making->most || must_stop(making)) {
        making->graph->complete = false;
        return UINT32_MAX;
    }
    const struct compare_state state = {.label = label_of(making, words, length),
                                        .atoms = atoms_of(making, words, length),
                                        .depth = making->depth};
    const uint32_t *copy = arena_copy(arena, words, length * sizeof(*words));
    VEC_PUSH(arena, &making->graph->states, state);
    VEC_PUSH(arena, &making->words, copy);
    VEC_PUSH(arena, &making->lengths, length);
    making->slots[slot] = making->graph->states.count;
    return making->graph->states.count - 1;
}

static bool emit(struct step_sink *sink, const struct step *step)
{
    struct making *making = (struct making *)sink;
    const uint32_t to = find_or_add(making, step->words, step->length);
    const struct compare_edge edge = {step->action, to, step->fairness == FAIRNESS_OPTIONAL,
                                      step->marks};
    if (to != UINT32_MAX)
        VEC_PUSH(making->graph->arena, &making->graph->edges, edge);
    return making->graph->complete;
}

static bool emit_initial(struct step_sink *sink, const struct step *step)
{
    struct making *making = (struct making *)sink;
    find_or_add(making, step->words, step->length);
    return making->graph->complete;
}

static void explore(struct making *making)
{
    struct compare_graph *graph = making->graph;
    making->sink.emit = emit_initial;
    making->model->initial(making->model, making->worker, &making->sink);
    graph->initial_count = graph->states.count;
    making->sink.emit = emit;
    for (uint32_t i = 0; graph->complete && i < graph->states.count; i++) {
        graph->states.items[i].first_edge = graph->edges.count;
        making->depth = graph->states.items[i].depth + 1;
        making->model->expand(making->model, making->worker, making->words.items[i],
                              making->lengths.items[i], &making->sink);
        graph->states.items[i].edge_count = graph->edges.count - graph->states.items[i].first_edge;
    }
}

/* Did the model itself find that more may happen than what was explored? */
static bool is_doubtful(const struct population_findings *found)
{
    return found->overflowed || found->restless || found->conditions_fail ||
           found->webhooks_refuse || found->webhooks_refuse_users;
}

bool compare_graph_make(struct arena *arena, struct memory *memory, const struct compare_side *side,
                        const struct setup *setup, const struct compare_names *names, uint32_t most,
                        const struct budget *budget, struct compare_graph *graph)
{
    struct population_options manner = side->run.population;
    struct problems problems;
    struct making making = {
        .graph = graph, .names = names, .limits = &manner, .most = most, .slot_count = 16};
    *graph = (struct compare_graph){.arena = arena, .complete = true};
    problems_init(&problems, arena);
    manner.reductions = REDUCTIONS_NEVER;
    manner.interrupted = side->run.interrupted;
    manner.deadline_ns = budget->deadline_ns;
    struct crew *crew =
        crew_create(NULL, memory, &side->plan->scope, setup, side->plan->intents.items,
                    side->plan->intents.count, &manner, &problems);
    if (!crew)
        return false;
    while (making.slot_count < 2 * most)
        making.slot_count *= 2;
    making.slots = ARENA_ARRAY(arena, uint32_t, making.slot_count);
    making.worker = crew_worker(crew);
    making.model = population_worker_model(making.worker);
    arena_init(&making.scratch, memory);
    explore(&making);
    arena_release(&making.scratch);
    graph->doubtful = is_doubtful(crew_findings(crew));
    crew_free(crew);
    return graph->complete;
}
