/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/learn_scale.h"

#include "cli/input.h"
#include "cli/interrupt.h"
#include "manifest/manifest.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

/* Groups get this many nodes at first, then twice as many, up to the most. */
enum { NODES_AT_FIRST = 3, NODES_MOST = 12 };

struct failure {
    const struct verify_plan *plan;
    const struct check_intent *intent; /* NULL: none was found */
    int32_t nodes;
    int32_t pods;
    enum explore_reason ended_by; /* if none was found: EXPLORE_DECIDED: there is none */
};

struct learning {
    struct session *session;
    VEC(struct failure) failures;
    int32_t nodes;         /* the most of all smallest scales */
    int32_t pods_per_node; /* so too, of each rounded up */
    bool complete;
};

/* ---- the Checks of a folder ---- */

/* A file of the folder is an operand if it has a Check. */
static void add_operands(struct session *session, const char *folder, struct problems *problems)
{
    const struct manifest_paths paths = {.items = &folder, .count = 1, .recursive = true};
    struct documents documents = {0};
    struct option_list operands = {0};
    /* What is wrong elsewhere in the folder is none of our business. */
    struct problems ignored;
    problems_init(&ignored, &session->arena);
    manifest_load(&session->arena, &paths, &documents, &ignored);
    for (uint32_t i = 0; i < documents.count; i++) {
        const struct value *root = &documents.items[i].root;
        const char *version = value_find_string(root, "apiVersion");
        const char *kind = value_find_string(root, "kind");
        if (!version || !kind || strcmp(version, "fathom/v1") != 0 || strcmp(kind, "Check") != 0)
            continue;
        if (operands.count == 0 || strcmp(operands.items[operands.count - 1], root->file) != 0)
            VEC_PUSH(&session->arena, &operands, root->file);
    }
    if (operands.count == 0)
        problem_error(problems, (struct place){.file = folder}, "--learn-scale",
                      "expected a folder with Checks of known failures, found none");
    session->line.operands = operands;
}

/* ---- one failure ---- */

/* What the Check leaves open has no upper end but this one. */
static struct scope widen(struct session *session, const struct scope *scope, int32_t nodes_most)
{
    struct scope wide = *scope;
    wide.groups =
        arena_copy(&session->arena, scope->groups, scope->group_count * sizeof(*scope->groups));
    wide.workloads = arena_copy(&session->arena, scope->workloads,
                                scope->workload_count * sizeof(*scope->workloads));
    wide.nodes_sufficient = nodes_most;
    wide.pods_per_node_sufficient = INT32_MAX / 1024;
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (wide.groups[g].least < wide.groups[g].most)
            wide.groups[g].most =
                wide.groups[g].least < nodes_most ? nodes_most : wide.groups[g].least;
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (wide.workloads[w].least < wide.workloads[w].most)
            wide.workloads[w].most = INT32_MAX / 1024;
    return wide;
}

static bool is_open(const struct scope *scope)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (scope->groups[g].least < scope->groups[g].most)
            return true;
    return false;
}

static void look_for(struct session *session, struct verify_options *options,
                     struct failure *failure)
{
    const struct verify_plan *plan = failure->plan;
    for (int32_t most = NODES_AT_FIRST; most <= NODES_MOST; most *= 2) {
        const struct scope scope = widen(session, &plan->scope, most);
        struct verify_report found;
        verify_run(&session->arena, &session->memory, &scope, plan->intents.items,
                   plan->intents.count, options, &found);
        failure->ended_by = found.ended_by;
        for (uint32_t i = 0; i < found.result_count; i++) {
            const struct verify_result *result = &found.results[i];
            /* Above `most` nodes not all setups of that size were there. */
            if (result->verdict != VERDICT_VIOLATED ||
                (result->setup->total_nodes > most && is_open(&plan->scope)))
                continue;
            failure->intent = &plan->intents.items[i];
            failure->nodes = result->setup->total_nodes;
            failure->pods = result->setup->total_pods;
            break;
        }
        verify_release(&found);
        if (options->states_most != UINT64_MAX)
            options->states_most -=
                found.states < options->states_most ? found.states : options->states_most;
        if (failure->intent || found.ended_by != EXPLORE_DECIDED || !is_open(&plan->scope))
            return;
    }
}

/* ---- all of them ---- */

static int32_t pods_per_node(const struct failure *failure)
{
    return (failure->pods + failure->nodes - 1) / failure->nodes;
}

static void take_into_account(struct learning *learning, const struct failure *failure)
{
    if (!failure->intent) {
        learning->complete = false;
        return;
    }
    if (failure->nodes > learning->nodes)
        learning->nodes = failure->nodes;
    if (pods_per_node(failure) > learning->pods_per_node)
        learning->pods_per_node = pods_per_node(failure);
}

static const char *why_missing(struct arena *arena, const struct failure *failure)
{
    if (failure->ended_by != EXPLORE_DECIDED)
        return explore_reason_text(failure->ended_by);
    return arena_printf(arena, "no violation with up to %d nodes", NODES_MOST);
}

static void write_text(struct arena *arena, const struct learning *learning, struct text *text)
{
    for (uint32_t i = 0; i < learning->failures.count; i++) {
        const struct failure *failure = &learning->failures.items[i];
        const char *name = failure->plan->unit->name;
        if (!failure->intent) {
            text_printf(text, "%s: not learnt from: %s\n", name, why_missing(arena, failure));
            continue;
        }
        text_printf(text, "%s: %s is violated from %s and %s on: %d per node%s%s\n", name,
                    report_intent_label(arena, failure->intent),
                    report_count(arena, (uint64_t)failure->nodes, "node"),
                    report_count(arena, (uint64_t)failure->pods, "pod"), pods_per_node(failure),
                    failure->nodes == learning->nodes ? " (the most nodes)" : "",
                    pods_per_node(failure) == learning->pods_per_node ? " (the most per node)"
                                                                      : "");
    }
    if (learning->nodes == 0) {
        text_append_string(text, "\nNothing was learnt\n");
        return;
    }
    text_printf(text,
                "\nSufficient scale, twice the most of each: %d nodes, %d pods per node\n"
                "In a Check: scale: {sufficient: {nodes: %d, podsPerNode: %d}}\n",
                2 * learning->nodes, 2 * learning->pods_per_node, 2 * learning->nodes,
                2 * learning->pods_per_node);
}

static void write_json(struct arena *arena, const struct learning *learning, struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "SufficientScale");
    json_integer(&json, "nodes", INT64_C(2) * learning->nodes);
    json_integer(&json, "podsPerNode", INT64_C(2) * learning->pods_per_node);
    json_array_begin(&json, "failures");
    for (uint32_t i = 0; i < learning->failures.count; i++) {
        const struct failure *failure = &learning->failures.items[i];
        json_object_begin(&json, NULL);
        json_string(&json, "check", failure->plan->unit->name);
        json_string(&json, "file", failure->plan->unit->file);
        if (failure->intent) {
            json_string(&json, "intent", report_intent_label(arena, failure->intent));
            json_integer(&json, "nodes", failure->nodes);
            json_integer(&json, "pods", failure->pods);
            json_integer(&json, "podsPerNode", pods_per_node(failure));
        } else {
            json_null(&json, "intent");
            json_string(&json, "reason", why_missing(arena, failure));
        }
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    text_append_char(text, '\n');
}

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    if (strcmp(format, "json") == 0)
        write_json(&session->arena, answer, text);
    else
        write_text(&session->arena, answer, text);
}

static bool formats_are_known(struct session *session)
{
    for (uint32_t i = 0; i < session->options.output.count; i++) {
        const char *format = session->options.output.items[i].format;
        if (strcmp(format, "text") == 0 || strcmp(format, "json") == 0)
            continue;
        session_say(session, "-o: expected text or json with --learn-scale, found \"%s\"", format);
        return false;
    }
    return true;
}

int learn_scale(struct session *session, const struct verify_settings *settings, const char *folder)
{
    struct input input = {0};
    struct problems problems;
    struct learning learning = {.session = session, .complete = true};
    if (!formats_are_known(session))
        return EXIT_INPUT;
    problems_init(&problems, &session->arena);
    add_operands(session, folder, &problems);
    if (problems.errors > 0) {
        session_complain(session, &problems);
        return EXIT_INPUT;
    }
    bool good = session_read(session, &input_checks, &input);
    struct verify_plan *plans =
        ARENA_ARRAY(&session->arena, struct verify_plan, input.units.count + 1);
    good = verify_plans_make(&session->arena, &input, &settings->scope, plans) && good;
    if (!session_accepts(session, &input_checks, &input) || !good)
        return EXIT_INPUT;
    struct verify_options options = settings->run;
    options.exhaustive = false;
    options.stop_at_first = true;
    options.interrupted = interrupt_listen();
    for (uint32_t i = 0; i < input.units.count; i++) {
        struct failure failure = {.plan = &plans[i]};
        look_for(session, &options, &failure);
        VEC_PUSH(&session->arena, &learning.failures, failure);
        take_into_account(&learning, &failure);
    }
    if (!session_answer(session, render, &learning))
        return EXIT_INPUT;
    return learning.complete ? EXIT_HOLDS : EXIT_UNDECIDED;
}
