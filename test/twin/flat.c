/* SPDX-License-Identifier: Apache-2.0 */
#include "twin/flat.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct left_out left_out_of(const struct worker *worker)
{
    const struct population *population = worker->population;
    return (struct left_out){
        .readiness = !population->needs_readiness,
        .creation = population->creates_first,
    };
}

struct collector {
    struct step_sink sink;
    struct flat_graph *graph;
    const char *from; /* NULL: what is emitted are initial states */
    bool busy;
};

/* Only autoscalers and panics go by what pods use. */
static bool usage_matters(const struct population *population)
{
    bool matters = population->autoscalers.count > 0;
    for (uint32_t e = 0; e < population->events.count; e++)
        matters |= population->events.items[e].event->kind == EVENT_KERNEL_PANIC;
    return matters;
}

/* Pods of a revision, stage (without readiness) and level on a node. */
static uint32_t count_alike(const struct worker *worker, const struct node_config *config,
                            const struct class_info *like)
{
    const bool usage = usage_matters(worker->population);
    uint32_t count = 0;
    for (uint32_t p = 0; p < config_entry_count(config); p++) {
        const struct class_info *info = &worker->classes.items[config->pods[p].pod];
        const enum pod_stage stage = info->stage == STAGE_STARTING ? STAGE_READY : info->stage;
        if (info->revision == like->revision && stage == like->stage &&
            (info->level == like->level || !usage) && info->slot == like->slot)
            count += config->pods[p].count;
    }
    return count;
}

static const char *append_node(struct flat_graph *graph, uint32_t number, uint32_t count)
{
    const struct worker *worker = graph->worker;
    const struct population *population = worker->population;
    const struct node_config *config = worker->catalog->configs.items[number];
    const char *text = arena_printf(&graph->arena, "[%u*%u", count, config->template->id);
    for (uint32_t c = 0; c < worker->classes.count; c++) {
        const struct class_info *info = &worker->classes.items[c];
        /* The pending class stands before the others, and looks like one of them. */
        if (population->revisions.items[info->revision].pending_class == c ||
            info->stage == STAGE_STARTING || (info->level > 0 && !usage_matters(population)))
            continue;
        const uint32_t pods = count_alike(worker, config, info);
        if (pods > 0)
            text = arena_printf(&graph->arena, "%s %u:%u.%u.%u.%u", text, pods, info->revision,
                                info->stage, info->level, info->slot);
    }
    for (uint32_t n = 0; n < config->nominated_entry_count; n++)
        text = arena_printf(&graph->arena, "%s +%u:%u", text, config->nominated[n].count,
                            config->nominated[n].pod);
    return arena_printf(&graph->arena, "%s]", text);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Does the word count changes of usage that nobody reads? */
static bool is_about_usage(const struct population *population, uint32_t word)
{
    return word >= population->word_of_events &&
           word < population->word_of_events + population->events.count &&
           population->events.items[word - population->word_of_events].event->kind ==
               EVENT_CPU_CHANGE &&
           !usage_matters(population);
}

/* Equal configs apart from readiness are one entry. */
static const char *without_readiness(struct flat_graph *graph, const uint32_t *words,
                                     uint32_t length)
{
    const struct population *population = graph->worker->population;
    const uint32_t first = population->word_of_nodes;
    const struct arena_mark mark = arena_mark(&graph->worker->scratch);
    const char **nodes =
        ARENA_ARRAY(&graph->arena, const char *, population->setup->total_nodes + 1);
    uint32_t count = 0;
    const char *text = "";
    for (uint32_t w = 0; w < first; w++) {
        uint32_t word = is_about_usage(population, w) ? 0 : words[w];
        if (w == population->word_of_flags)
            word &= ~UINT32_C(0x15); /* settled once, a pod was bound, early */
        text = arena_printf(&graph->arena, "%s%x ", text, word);
    }
    for (uint32_t w = first; w < length; w++) {
        const struct view_node node = node_unpack(population, words[w]);
        for (uint32_t i = 0; i < node.count; i++)
            nodes[count++] = append_node(graph, node.config, 1);
    }
    qsort(nodes, count, sizeof(*nodes), by_text);
    for (uint32_t n = 0; n < count; n++)
        text = arena_printf(&graph->arena, "%s%s", text, nodes[n]);
    arena_rewind(&graph->worker->scratch, mark);
    return text;
}

static bool is_fast(uint32_t action)
{
    switch (action) {
    case ACT_UNSCHEDULABLE:
    case ACT_CREATE_REFUSED:
    case ACT_EVICTION_REFUSED:
    case ACT_BINDING_REFUSED:
    case ACT_SETS_REFUSED:
    case ACT_SETTLED:
    case ACT_BEGIN:
    case ACT_TAINT_EVICT:
    case ACT_NODE_RETURN:
    case ACT_AUTOSCALE:
    case ACT_DESCHEDULE:
    case ACT_TIME:
    case ACT_POD_SUCCEEDS:
    case ACT_POD_FAILS:
    case ACT_POD_GARBAGE:
    case ACT_JOB_DEADLINE: return false;
    default: return !action_has(action, IS_EVENT);
    }
}

static bool collect(struct step_sink *sink, const struct step *step)
{
    struct collector *collector = (struct collector *)sink;
    struct flat_graph *graph = collector->graph;
    char *key = arena_allocate(&graph->arena, (size_t)step->length * 8 + 1);
    for (uint32_t i = 0; i < step->length; i++)
        snprintf(key + (size_t)i * 8, 9, "%08x", step->words[i]);
    struct map_entry *entry = map_put(&graph->states, key);
    if (!entry->value) {
        if (graph->words.count >= graph->limit) {
            graph->too_large = true;
            return false;
        }
        const uint32_t *copy =
            arena_copy(&graph->arena, step->words, step->length * sizeof(uint32_t));
        entry->value = (void *)(uintptr_t)without_readiness(graph, copy, step->length);
        VEC_PUSH(&graph->arena, &graph->words, copy);
        VEC_PUSH(&graph->arena, &graph->lengths, step->length);
        map_put(&graph->reduced, entry->value)->value = graph;
    }
    if (!collector->from)
        return true;
    collector->busy |= is_fast(step->action);
    const bool of_usage = step->action == ACT_TIME || step->action == ACT_EVENT_CPU;
    if (step->action != ACT_START && (!of_usage || usage_matters(graph->worker->population)))
        map_put(&graph->edges, arena_printf(&graph->arena, "%s %s %s %" PRIx64, collector->from,
                                            population_action_verb(step->action),
                                            (const char *)entry->value, step->marks & graph->marks))
            ->value = graph;
    return true;
}

static void ignore(struct step_sink *sink, uint32_t class)
{
    (void)sink;
    (void)class;
}

void flatten(struct flat_graph *graph, struct memory *memory, struct worker *worker, uint64_t marks,
             uint32_t limit)
{
    const struct model *model = population_worker_model(worker);
    memset(graph, 0, sizeof(*graph));
    arena_init(&graph->arena, memory);
    graph->worker = worker;
    graph->marks = marks;
    graph->limit = limit;
    map_init(&graph->states, &graph->arena);
    map_init(&graph->reduced, &graph->arena);
    map_init(&graph->edges, &graph->arena);
    map_init(&graph->rests, &graph->arena);
    struct collector collector = {.sink = {collect, ignore}, .graph = graph};
    model->initial(model, worker, &collector.sink);
    for (uint32_t i = 0; i < graph->words.count && !graph->too_large; i++) {
        collector.from = without_readiness(graph, graph->words.items[i], graph->lengths.items[i]);
        collector.busy = false;
        model->expand(model, worker, graph->words.items[i], graph->lengths.items[i],
                      &collector.sink);
        if (!collector.busy)
            map_put(&graph->rests, collector.from)->value = graph;
    }
    graph->focus = worker->findings.focus;
}
