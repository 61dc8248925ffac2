/* SPDX-License-Identifier: Apache-2.0 */
#include "tracing/import/counterexample.h"

#include "tracing/import/notes.h"
#include "tracing/import/records.h"

enum { STEP_NS = 1000 * 1000 };

struct labelling {
    struct change_graph *graph;
    const struct counterexample *run;
    const char *name;                      /* of the run, in all its ids */
    struct fathom_trace_context *contexts; /* by step, from 0: what it passes on */
    uint32_t span_of_start;                /* of step 0; that of the others follow */
};

static struct fathom_trace_id id_of(const struct labelling *labelling, const char *what,
                                    uint32_t step)
{
    return notes_id(what, labelling->name, arena_printf(labelling->graph->arena, "%u", step));
}

static void add_merge(const struct labelling *labelling, const struct fathom_trace_id *cpid,
                      const struct fathom_trace_id *sources, size_t count, uint32_t step)
{
    struct arena *arena = labelling->graph->arena;
    const struct change_merge merge = {
        .cpid = *cpid,
        .sources = count > 0 ? arena_copy(arena, sources, count * sizeof(*sources)) : NULL,
        .source_count = (uint32_t)count,
        .time_ns = (int64_t)step * STEP_NS,
    };
    VEC_PUSH(arena, &labelling->graph->merges, merge);
}

static struct fathom_trace_context make_root(const struct labelling *labelling, uint32_t step)
{
    const struct fathom_trace_context root = {.id = id_of(labelling, "root", step)};
    add_merge(labelling, &root.id, NULL, 0, step);
    return root;
}

/* What comes from outside needs no start to be possible: it is one itself. */
static bool is_cause(const struct counterexample_step *step, uint32_t number, uint32_t i)
{
    return step->causes[i] < number && (step->causes[i] > 0 || !step->outside);
}

/* What the step is done under: for one from outside its own root, which is merged
 * with what it met into what it passes on. */
static struct fathom_trace_id give_context(const struct labelling *labelling, uint32_t number)
{
    struct arena *arena = labelling->graph->arena;
    const struct counterexample_step *step = &labelling->run->steps[number - 1];
    struct fathom_trace_context *met =
        ARENA_ARRAY(arena, struct fathom_trace_context, step->cause_count + 1);
    struct fathom_trace_id *sources =
        ARENA_ARRAY(arena, struct fathom_trace_id, step->cause_count + 1);
    const struct fathom_trace_rules rules = fathom_trace_rules_default();
    const struct fathom_trace_id fresh = id_of(labelling, "merge", number);
    size_t count = 0;
    size_t source_count = 0;
    for (uint32_t i = 0; i < step->cause_count; i++)
        if (is_cause(step, number, i))
            met[count++] = labelling->contexts[step->causes[i]];
    if (step->outside)
        met[count++] = make_root(labelling, number);
    else if (count == 0)
        met[count++] = labelling->contexts[0];
    const struct fathom_trace_id own = met[count - 1].id;
    struct fathom_trace_context *result = &labelling->contexts[number];
    switch (
        fathom_trace_merge_contexts(&rules, met, count, &fresh, result, sources, &source_count)) {
    case FATHOM_TRACE_NEW: add_merge(labelling, &fresh, sources, source_count, number); break;
    case FATHOM_TRACE_KEPT: break;
    case FATHOM_TRACE_ABSENT:
    case FATHOM_TRACE_FAILED: bug("counterexample: contexts that cannot be merged");
    }
    return step->outside ? own : result->id;
}

static void add_span(const struct labelling *labelling, uint32_t number,
                     const struct fathom_trace_id *cpid)
{
    struct arena *arena = labelling->graph->arena;
    const struct counterexample *run = labelling->run;
    const struct counterexample_step *step = &run->steps[number - 1];
    struct change_cause *causes = ARENA_ARRAY(arena, struct change_cause, step->cause_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->cause_count; i++)
        if (is_cause(step, number, i))
            causes[count++] = (struct change_cause){
                .span = labelling->span_of_start + step->causes[i],
                .label = CHANGE_EXACT,
                .rule = "step",
            };
    const struct change_span span = {
        .cpid = *cpid,
        .id = id_of(labelling, "span", number),
        .start_ns = (int64_t)number * STEP_NS,
        .end_ns = (int64_t)(number + 1) * STEP_NS,
        .service = step->actor,
        .name = step->detail,
        .object = change_object_read(arena, step->object),
        .failure =
            number == run->step_count ? arena_printf(arena, "violation: %s", run->intent) : NULL,
        .step = number,
        .root = step->outside,
        .causes = causes,
        .cause_count = count,
    };
    VEC_PUSH(arena, &labelling->graph->spans, span);
}

static bool goes_back_to_start(const struct counterexample *run)
{
    for (uint32_t s = 0; s < run->step_count; s++) {
        const struct counterexample_step *step = &run->steps[s];
        bool caused = step->outside;
        for (uint32_t i = 0; i < step->cause_count && !step->outside; i++) {
            if (step->causes[i] == 0)
                return true;
            caused = true;
        }
        if (!caused)
            return true;
    }
    return false;
}

/* The cluster as the manifests describe it. */
static void add_start(const struct labelling *labelling)
{
    struct arena *arena = labelling->graph->arena;
    labelling->contexts[0] = make_root(labelling, 0);
    const struct change_span start = {
        .cpid = labelling->contexts[0].id,
        .id = id_of(labelling, "span", 0),
        .end_ns = STEP_NS,
        .service = "manifests",
        .name = "start",
        .object = {.name = labelling->run->check},
        .step = 0,
        .root = true,
    };
    VEC_PUSH(arena, &labelling->graph->spans, start);
}

void change_add_counterexample(struct change_graph *graph, const struct counterexample *run)
{
    struct labelling labelling = {
        .graph = graph,
        .run = run,
        .name = arena_printf(graph->arena, "%s/%s/%u", run->check, run->intent, graph->spans.count),
        .contexts =
            ARENA_ARRAY(graph->arena, struct fathom_trace_context, run->step_count + (size_t)1),
        .span_of_start = graph->spans.count,
    };
    if (goes_back_to_start(run))
        add_start(&labelling);
    else
        labelling.span_of_start--; /* steps count from 1 */
    for (uint32_t number = 1; number <= run->step_count; number++) {
        const struct fathom_trace_id cpid = give_context(&labelling, number);
        add_span(&labelling, number, &cpid);
    }
}
