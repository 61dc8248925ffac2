/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cost of contexts and of the merge graph, without a server (that is in
 * trace_server.py).
 *
 *     trace_bench merge          nanoseconds of one merge, by what is merged
 *     trace_bench graph CPIDS    a graph of so many, in changes of 500 each:
 *                                bytes, putting, related CPIDs, roots
 */
#include "processor_time.h"
#include "tracing/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MERGES = 2000000, CHANGE = 500, QUERIES = 20000 };

static struct fathom_trace_context context_of(uint32_t ancestors)
{
    struct fathom_trace_context context = {.id = fathom_trace_id_new(),
                                           .ancestor_count = ancestors};
    for (uint32_t i = 0; i < ancestors; i++)
        context.ancestors[i] = fathom_trace_id_new();
    return context;
}

static void time_merges(const char *what, const struct fathom_trace_context *contexts, size_t count)
{
    struct fathom_trace_options options;
    fathom_trace_options_init(&options);
    options.service = "bench";
    struct fathom_tracer *tracer = fathom_tracer_create(&options, NULL, 0);
    const struct fathom_trace_id fresh = fathom_trace_id_new();
    struct fathom_trace_id sources[16];
    struct fathom_trace_context result;
    size_t source_count = 0;
    uint64_t kept = 0;
    for (int mode = 0; mode < 2; mode++) {
        options.rules.mode = (enum fathom_trace_mode)mode;
        const int64_t start_ns = processor_time_ns();
        for (int i = 0; i < MERGES; i++)
            kept += fathom_trace_merge_contexts(&options.rules, contexts, count, &fresh, &result,
                                                sources, &source_count) == FATHOM_TRACE_KEPT;
        printf("%-44s %-8s %6.0f ns\n", what, mode == FATHOM_TRACE_ORDERED ? "ordered" : "literal",
               (double)(processor_time_ns() - start_ns) / MERGES);
    }
    const int64_t start_ns = processor_time_ns();
    for (int i = 0; i < MERGES; i++)
        kept += fathom_trace_merge(tracer, contexts, count, &result) == FATHOM_TRACE_KEPT;
    printf("%-44s %-8s %6.0f ns\n", what, "tracer",
           (double)(processor_time_ns() - start_ns) / MERGES);
    if (kept == 1)
        puts("");
    fathom_tracer_free(tracer);
}

static void bench_merge(void)
{
    struct fathom_trace_context contexts[4];
    contexts[0] = context_of(8);
    contexts[1] = context_of(8);
    contexts[0].ancestors[2] = contexts[1].id;
    time_merges("2 contexts, 8 ancestors, one from the other", contexts, 2);
    contexts[2] = contexts[3] = contexts[0];
    time_merges("4 contexts, 8 ancestors, as a ReplicaSet's", contexts, 4);
    contexts[0] = context_of(8);
    time_merges("2 contexts, 8 ancestors, unrelated", contexts, 2);
}

static struct fathom_trace_id numbered(uint64_t number)
{
    struct fathom_trace_id id = {{0}};
    uint64_t mixed = number * UINT64_C(0x9E3779B97F4A7C15);
    memcpy(id.bytes, &mixed, sizeof(mixed));
    memcpy(id.bytes + 8, &number, sizeof(number));
    id.bytes[15] = 1;
    return id;
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Each merges two of the last twenty of its change. */
static void fill(struct merge_graph *graph, uint32_t count)
{
    uint64_t random = 7;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = i % CHANGE;
        const uint32_t reach = place < 20 ? place : 20;
        struct fathom_trace_id sources[2];
        struct fathom_trace_mergelog log = {numbered(i), sources, 0, i};
        const uint64_t first = reach ? 1 + next_random(&random) % reach : 0;
        const uint64_t second = reach ? 1 + next_random(&random) % reach : 0;
        if (first)
            sources[log.source_count++] = numbered(i - first);
        if (second && second != first)
            sources[log.source_count++] = numbered(i - second);
        if (merge_graph_put(graph, &log) != MERGE_ADDED)
            abort();
        merge_graph_commit(graph);
    }
}

static void bench_graph(uint32_t count)
{
    struct memory memory;
    memory_init(&memory, SIZE_MAX);
    struct merge_graph *graph = merge_graph_create(&memory);
    const int64_t start_ns = processor_time_ns();
    fill(graph, count);
    printf("put: %.0f ns each, %u CPIDs, %u edges, %.1f MiB\n",
           (double)(processor_time_ns() - start_ns) / count, merge_graph_count(graph),
           merge_graph_edge_count(graph), (double)memory.used_bytes / (1 << 20));
    uint64_t random = 11;
    uint64_t answers = 0;
    int64_t slowest_ns = 0;
    const int64_t query_ns = processor_time_ns();
    for (int i = 0; i < QUERIES; i++) {
        const struct fathom_trace_id id = numbered(next_random(&random) % count);
        const int64_t one_ns = processor_time_ns();
        answers += merge_graph_related(graph, merge_graph_find(graph, &id), UINT32_MAX).count;
        const int64_t took_ns = processor_time_ns() - one_ns;
        slowest_ns = took_ns > slowest_ns ? took_ns : slowest_ns;
    }
    printf("related: %.1f us, slowest %.1f us, %.0f CPIDs on average\n",
           (double)(processor_time_ns() - query_ns) / QUERIES / 1e3, (double)slowest_ns / 1e3,
           (double)answers / QUERIES);
    const int64_t roots_ns = processor_time_ns();
    for (int i = 0; i < QUERIES; i++) {
        const struct fathom_trace_id id = numbered(next_random(&random) % count);
        answers += merge_graph_roots(graph, merge_graph_find(graph, &id)).count;
    }
    printf("roots: %.1f us\n", (double)(processor_time_ns() - roots_ns) / QUERIES / 1e3);
    merge_graph_free(graph);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "merge") == 0) {
        bench_merge();
    } else if (argc == 3 && strcmp(argv[1], "graph") == 0) {
        bench_graph((uint32_t)strtoul(argv[2], NULL, 10));
    } else {
        fprintf(stderr, "usage: trace_bench merge | graph CPIDS\n");
        return 2;
    }
    return 0;
}
