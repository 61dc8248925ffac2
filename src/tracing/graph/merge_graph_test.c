/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The merge graph: the published example with what is related to what, every
 * order of arrival, records that come again or contradict, what may be removed,
 * and random histories against a graph that is simply searched.
 */
#include "tracing/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct merge_graph *graph;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    memory_init(&fixture->memory, SIZE_MAX);
    fixture->graph = merge_graph_create(&fixture->memory);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    merge_graph_free(fixture->graph);
    assert_int_equal(fixture->memory.used_bytes, 0);
    free(fixture);
    return 0;
}

/* A CPID that is called by a small number. */
static struct fathom_trace_id named(unsigned name)
{
    struct fathom_trace_id id = {{0}};
    id.bytes[0] = 0xFA;
    id.bytes[12] = (uint8_t)(name >> 24);
    id.bytes[13] = (uint8_t)(name >> 16);
    id.bytes[14] = (uint8_t)(name >> 8);
    id.bytes[15] = (uint8_t)name;
    return id;
}

static unsigned name_of(const struct fathom_trace_id *id)
{
    return (unsigned)id->bytes[12] << 24 | (unsigned)id->bytes[13] << 16 |
           (unsigned)id->bytes[14] << 8 | id->bytes[15];
}

struct log {
    unsigned cpid;
    unsigned sources[8];
};

static enum merge_put put(struct merge_graph *graph, const struct log *log, int64_t time_ns)
{
    struct fathom_trace_id sources[8];
    size_t count = 0;
    while (count < 8 && log->sources[count]) {
        sources[count] = named(log->sources[count]);
        count++;
    }
    const struct fathom_trace_mergelog mergelog = {named(log->cpid), sources, count, time_ns};
    return merge_graph_put(graph, &mergelog);
}

static uint32_t find(const struct merge_graph *graph, unsigned name)
{
    const struct fathom_trace_id id = named(name);
    return merge_graph_find(graph, &id);
}

static int compare_names(const void *one, const void *other)
{
    const unsigned a = *(const unsigned *)one;
    const unsigned b = *(const unsigned *)other;
    return (a > b) - (a < b);
}

/* "1,3,5", by name. */
static const char *names(const struct merge_graph *graph, struct merge_nodes nodes, char *text)
{
    unsigned sorted[64] = {0};
    assert_true(nodes.count <= 64);
    for (uint32_t i = 0; i < nodes.count; i++) {
        const struct merge_node node = merge_graph_node(graph, nodes.items[i]);
        sorted[i] = name_of(&node.cpid);
    }
    qsort(sorted, nodes.count, sizeof(sorted[0]), compare_names);
    char *end = text;
    *end = '\0';
    for (uint32_t i = 0; i < nodes.count; i++)
        end += sprintf(end, "%s%u", i ? "," : "", sorted[i]);
    return text;
}

static const char *everything(const struct merge_graph *graph, char *text)
{
    uint32_t all[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < merge_graph_end(graph); i++)
        if (merge_graph_node(graph, i).number)
            all[count++] = i;
    assert_int_equal(count, merge_graph_count(graph));
    return names(graph, (struct merge_nodes){all, count}, text);
}

/* Figure 7 of the paper, as table 2 tells it. */
static const struct log published[] = {
    {1, {0}}, {2, {0}}, {4, {0}}, {6, {0}}, {8, {0}}, {3, {1, 2}}, {5, {3, 4}}, {7, {2, 4, 6}},
};
enum { PUBLISHED = sizeof(published) / sizeof(published[0]) };

static void expect_published(struct merge_graph *graph)
{
    static const struct {
        const char *related;
        const char *roots;
    } table[] = {
        {NULL, NULL},   {"1,3,5", "1"}, {"2,3,5,7", "2"}, {"3,5", "1,2"}, {"4,5,7", "4"},
        {"5", "1,2,4"}, {"6,7", "6"},   {"7", "2,4,6"},   {"8", "8"},
    };
    char text[256];
    assert_int_equal(merge_graph_count(graph), 8);
    assert_int_equal(merge_graph_edge_count(graph), 7);
    for (unsigned c = 1; c <= 8; c++) {
        const uint32_t node = find(graph, c);
        assert_string_equal(names(graph, merge_graph_related(graph, node, UINT32_MAX), text),
                            table[c].related);
        assert_string_equal(names(graph, merge_graph_roots(graph, node), text), table[c].roots);
        assert_true(merge_graph_node(graph, node).known);
    }
}

static void the_published_table_is_reproduced(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    for (int i = 0; i < PUBLISHED; i++)
        assert_int_equal(put(graph, &published[i], i), MERGE_ADDED);
    expect_published(graph);
    char text[256];
    assert_string_equal(
        names(graph, merge_graph_ancestors(graph, find(graph, 5), UINT32_MAX), text), "1,2,3,4,5");
    assert_string_equal(names(graph, merge_graph_sources(graph, find(graph, 7)), text), "2,4,6");
    assert_string_equal(names(graph, merge_graph_targets(graph, find(graph, 4)), text), "5,7");
    assert_int_equal(merge_graph_related(graph, find(graph, 2), 2).count, 2);
}

/* All 40320 orders, each with every record twice. */
static void order_and_repetition_do_not_matter(void **state)
{
    struct fixture *fixture = *state;
    int order[PUBLISHED] = {0, 1, 2, 3, 4, 5, 6, 7};
    int turn[PUBLISHED] = {0};
    for (int i = 0; i < PUBLISHED;) { /* Heap's algorithm */
        if (turn[i] < i) {
            const int from = i % 2 ? turn[i] : 0;
            const int held = order[from];
            order[from] = order[i];
            order[i] = held;
            turn[i]++;
            i = 0;
            merge_graph_free(fixture->graph);
            fixture->graph = merge_graph_create(&fixture->memory);
            for (int step = 0; step < PUBLISHED; step++) {
                assert_int_equal(put(fixture->graph, &published[order[step]], order[step]),
                                 MERGE_ADDED);
                assert_int_equal(put(fixture->graph, &published[order[step / 2]], 99), MERGE_KNOWN);
            }
            expect_published(fixture->graph);
        } else {
            turn[i++] = 0;
        }
    }
}

static void contradictions_are_refused(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    for (int i = 0; i < PUBLISHED; i++)
        put(graph, &published[i], i);
    assert_int_equal(put(graph, &(struct log){3, {2, 1}}, 50), MERGE_KNOWN);
    assert_int_equal(put(graph, &(struct log){3, {1}}, 50), MERGE_CONFLICT);
    assert_int_equal(put(graph, &(struct log){3, {1, 4}}, 50), MERGE_CONFLICT);
    assert_int_equal(put(graph, &(struct log){3, {0}}, 50), MERGE_CONFLICT);
    assert_int_equal(put(graph, &(struct log){1, {2}}, 50), MERGE_CONFLICT);
    assert_int_equal(put(graph, &(struct log){9, {9}}, 50), MERGE_CYCLE);
    assert_int_equal(put(graph, &(struct log){10, {11}}, 50), MERGE_ADDED);
    assert_int_equal(put(graph, &(struct log){12, {10}}, 50), MERGE_ADDED);
    assert_int_equal(put(graph, &(struct log){11, {12}}, 50), MERGE_CYCLE);
    assert_int_equal(put(graph, &(struct log){11, {8}}, 50), MERGE_ADDED);
    assert_int_equal(find(graph, 9), MERGE_NOWHERE);
    char text[256];
    assert_string_equal(names(graph, merge_graph_related(graph, find(graph, 8), UINT32_MAX), text),
                        "8,10,11,12");
}

static void what_is_only_heard_of_is_a_placeholder(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    assert_int_equal(put(graph, &(struct log){3, {1, 2}}, 30), MERGE_ADDED);
    assert_false(merge_graph_node(graph, find(graph, 1)).known);
    assert_int_equal(merge_graph_node(graph, find(graph, 1)).time_ns, 30);
    const struct fathom_trace_id one = named(1);
    const struct fathom_trace_id four = named(4);
    assert_int_equal(merge_graph_mention(graph, &one, 40), MERGE_KNOWN);
    assert_int_equal(merge_graph_mention(graph, &four, 40), MERGE_ADDED);
    char text[256];
    assert_string_equal(names(graph, merge_graph_roots(graph, find(graph, 3)), text), "1,2");
    assert_int_equal(put(graph, &(struct log){1, {4}}, 10), MERGE_ADDED);
    assert_true(merge_graph_node(graph, find(graph, 1)).known);
    assert_int_equal(merge_graph_node(graph, find(graph, 1)).time_ns, 10);
    assert_string_equal(names(graph, merge_graph_roots(graph, find(graph, 3)), text), "2,4");
}

static void count_gone(void *context, const struct merge_node *node)
{
    char *end = (char *)context + strlen(context);
    sprintf(end, "%s%u", end == context ? "" : ",", name_of(&node->cpid));
}

static void removal_takes_what_has_no_source_left(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    for (int i = 0; i < PUBLISHED; i++)
        put(graph, &published[i], i);
    static const struct {
        unsigned remove;
        const char *gone;
        const char *left;
    } steps[] = {
        {3, "", "1,2,3,4,5,6,7,8"},
        {1, "1", "2,3,4,5,6,7,8"},
        {2, "2,3", "4,5,6,7,8"},
        {4, "4,5", "6,7,8"},
        {8, "8", "6,7"},
        {7, "", "6,7"},
        {6, "6,7", ""},
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        char gone[64] = "";
        char left[256];
        assert_int_equal(merge_graph_remove(graph, find(graph, steps[i].remove), count_gone, gone),
                         *steps[i].gone != '\0');
        assert_string_equal(gone, steps[i].gone);
        assert_string_equal(everything(graph, left), steps[i].left);
    }
    assert_int_equal(merge_graph_edge_count(graph), 0);
    assert_int_equal(merge_graph_oldest(graph), MERGE_NOWHERE);
}

/* A mergelog that comes again after a source of it was removed is still the same. */
static void removal_does_not_make_contradictions(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    for (int i = 0; i < PUBLISHED; i++)
        put(graph, &published[i], i);
    assert_true(merge_graph_remove(graph, find(graph, 1), NULL, NULL));
    assert_int_equal(put(graph, &(struct log){3, {1, 2}}, 50), MERGE_KNOWN);
    assert_int_equal(put(graph, &(struct log){3, {2}}, 50), MERGE_CONFLICT);
}

static void the_oldest_goes_first_unless_it_is_live(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    static const int64_t times[] = {50, 40, 60, 30, 70, 80, 80, 80}; /* 1 2 4 6 8 ... */
    for (int i = 0; i < PUBLISHED; i++)
        put(graph, &published[i], times[i]);
    merge_graph_set_live(graph, find(graph, 7), true); /* goes with the last of 2, 4, 6 */
    merge_graph_set_live(graph, find(graph, 1), true);
    char gone[64] = "";
    uint32_t oldest = merge_graph_oldest(graph);
    while (oldest != MERGE_NOWHERE) {
        assert_true(merge_graph_remove(graph, oldest, count_gone, gone));
        oldest = merge_graph_oldest(graph);
    }
    assert_string_equal(gone, "6,2,8");
    char left[256];
    assert_string_equal(everything(graph, left), "1,3,4,5,7");
    merge_graph_set_live(graph, find(graph, 7), false);
    assert_int_equal(merge_graph_oldest(graph), find(graph, 4));
}

static void what_is_taken_back_was_never_there(void **state)
{
    struct merge_graph *graph = ((struct fixture *)*state)->graph;
    put(graph, &(struct log){1, {0}}, 1);
    put(graph, &(struct log){3, {1, 2}}, 3);
    merge_graph_commit(graph);
    const uint64_t next = merge_graph_next_number(graph);
    put(graph, &(struct log){2, {4, 1}}, 2);
    put(graph, &(struct log){5, {3, 2, 6}}, 5);
    put(graph, &(struct log){4, {0}}, 4);
    merge_graph_rollback(graph);
    char text[256];
    assert_string_equal(everything(graph, text), "1,2,3");
    assert_int_equal(merge_graph_edge_count(graph), 2);
    assert_false(merge_graph_node(graph, find(graph, 2)).known);
    assert_int_equal(merge_graph_node(graph, find(graph, 2)).time_ns, 3);
    assert_string_equal(names(graph, merge_graph_roots(graph, find(graph, 3)), text), "1,2");
    assert_int_equal(merge_graph_node(graph, find(graph, 1)).target_count, 1);
    assert_int_equal(merge_graph_node(graph, find(graph, 3)).target_count, 0);
    assert_true(merge_graph_next_number(graph) >= next);
    assert_int_equal(put(graph, &(struct log){2, {0}}, 2), MERGE_ADDED);
    assert_int_equal(merge_graph_oldest(graph), find(graph, 1));
}

/* ---- random histories against a matrix of what comes from what ---- */

enum { MANY = 48 };

struct matrix {
    bool present[MANY + 1];
    bool known[MANY + 1];
    bool edge[MANY + 1][MANY + 1]; /* [source][target] */
    int64_t time[MANY + 1];
};

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void reach(const struct matrix *matrix, unsigned from, bool forward, bool *reached)
{
    if (reached[from])
        return;
    reached[from] = true;
    for (unsigned next = 1; next <= MANY; next++)
        if (forward ? matrix->edge[from][next] : matrix->edge[next][from])
            reach(matrix, next, forward, reached);
}

static unsigned in_degree(const struct matrix *matrix, unsigned node)
{
    unsigned count = 0;
    for (unsigned source = 1; source <= MANY; source++)
        count += matrix->edge[source][node];
    return count;
}

static void matrix_remove(struct matrix *matrix, unsigned node)
{
    matrix->present[node] = false;
    matrix->known[node] = false;
    for (unsigned target = 1; target <= MANY; target++) {
        if (!matrix->edge[node][target])
            continue;
        matrix->edge[node][target] = false;
        if (!in_degree(matrix, target))
            matrix_remove(matrix, target);
    }
}

static void expect_same(struct merge_graph *graph, const struct matrix *matrix)
{
    for (unsigned node = 1; node <= MANY; node++) {
        const uint32_t found = find(graph, node);
        assert_int_equal(found != MERGE_NOWHERE, matrix->present[node]);
        if (!matrix->present[node])
            continue;
        for (int forward = 0; forward < 2; forward++) {
            bool reached[MANY + 1] = {false};
            unsigned count = 0;
            reach(matrix, node, forward, reached);
            for (unsigned i = 1; i <= MANY; i++)
                count += reached[i];
            const struct merge_nodes nodes = forward
                                                 ? merge_graph_related(graph, found, UINT32_MAX)
                                                 : merge_graph_ancestors(graph, found, UINT32_MAX);
            assert_int_equal(nodes.count, count);
            for (uint32_t i = 0; i < nodes.count; i++) {
                const struct merge_node seen = merge_graph_node(graph, nodes.items[i]);
                assert_true(reached[name_of(&seen.cpid)]);
                assert_int_equal(seen.known, matrix->known[name_of(&seen.cpid)]);
                assert_int_equal(seen.source_count, in_degree(matrix, name_of(&seen.cpid)));
            }
        }
    }
}

static void random_put(struct merge_graph *graph, struct matrix *matrix, uint64_t *seed, int step)
{
    struct log log = {(unsigned)(next_random(seed) % MANY) + 1, {0}};
    bool chosen[MANY + 1] = {false};
    const unsigned count = (unsigned)(next_random(seed) % 4);
    for (unsigned i = 0, filled = 0; i < count; i++) {
        const unsigned source = (unsigned)(next_random(seed) % MANY) + 1;
        if (!chosen[source])
            log.sources[filled++] = source;
        chosen[source] = true;
    }
    bool reached[MANY + 1] = {false};
    reach(matrix, log.cpid, true, reached);
    bool cycle = false;
    for (unsigned i = 1; i <= MANY; i++)
        cycle |= chosen[i] && reached[i];
    const enum merge_put done = put(graph, &log, step);
    if (matrix->known[log.cpid]) {
        assert_true(done == MERGE_KNOWN || done == MERGE_CONFLICT);
        return;
    }
    assert_int_equal(done, cycle ? MERGE_CYCLE : MERGE_ADDED);
    if (cycle)
        return;
    for (unsigned i = 1; i <= MANY; i++) {
        if (!chosen[i])
            continue;
        matrix->edge[i][log.cpid] = true;
        if (!matrix->present[i])
            matrix->time[i] = step;
        matrix->present[i] = true;
    }
    matrix->present[log.cpid] = matrix->known[log.cpid] = true;
    matrix->time[log.cpid] = step;
}

static void random_removal(struct merge_graph *graph, struct matrix *matrix)
{
    unsigned oldest = 0;
    for (unsigned i = 1; i <= MANY; i++)
        if (matrix->present[i] && !in_degree(matrix, i) &&
            (!oldest || matrix->time[i] < matrix->time[oldest]))
            oldest = i;
    const uint32_t found = merge_graph_oldest(graph);
    assert_int_equal(found != MERGE_NOWHERE, oldest != 0);
    if (!oldest)
        return;
    const struct merge_node node = merge_graph_node(graph, found);
    assert_int_equal(node.time_ns, matrix->time[oldest]);
    assert_true(merge_graph_remove(graph, found, NULL, NULL));
    matrix_remove(matrix, name_of(&node.cpid));
}

static void random_histories_agree_with_a_matrix(void **state)
{
    struct fixture *fixture = *state;
    uint64_t seed = 20240131;
    for (int round = 0; round < 60; round++) {
        merge_graph_free(fixture->graph);
        fixture->graph = merge_graph_create(&fixture->memory);
        struct matrix matrix = {0};
        for (int step = 0; step < 250; step++) {
            const unsigned choice = (unsigned)(next_random(&seed) % 8);
            if (choice < 6) {
                random_put(fixture->graph, &matrix, &seed, step);
            } else if (choice < 7) {
                random_removal(fixture->graph, &matrix);
            } else {
                struct matrix copy = matrix;
                merge_graph_commit(fixture->graph);
                for (int i = 0; i < 5; i++)
                    random_put(fixture->graph, &copy, &seed, step);
                merge_graph_rollback(fixture->graph);
            }
            if (step % 25 == 0)
                expect_same(fixture->graph, &matrix);
        }
        expect_same(fixture->graph, &matrix);
    }
}

static void exhausted_memory_changes_nothing(void **state)
{
    (void)state;
    for (unsigned most = 1; most < 40; most++) {
        struct memory memory;
        memory_init(&memory, SIZE_MAX);
        memory.fail_at_call = most;
        struct merge_graph *graph = merge_graph_create(&memory);
        for (unsigned i = 1; graph && i < 400; i++) {
            const uint32_t nodes = merge_graph_count(graph);
            const uint32_t edges = merge_graph_edge_count(graph);
            if (put(graph, &(struct log){i, {i + 1000, i + 2000}}, i) == MERGE_ADDED)
                continue;
            assert_int_equal(merge_graph_count(graph), nodes);
            assert_int_equal(merge_graph_edge_count(graph), edges);
            break;
        }
        merge_graph_free(graph);
        assert_int_equal(memory.used_bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_published_table_is_reproduced, setup, teardown),
        cmocka_unit_test_setup_teardown(order_and_repetition_do_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(contradictions_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_only_heard_of_is_a_placeholder, setup, teardown),
        cmocka_unit_test_setup_teardown(removal_takes_what_has_no_source_left, setup, teardown),
        cmocka_unit_test_setup_teardown(removal_does_not_make_contradictions, setup, teardown),
        cmocka_unit_test_setup_teardown(the_oldest_goes_first_unless_it_is_live, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_taken_back_was_never_there, setup, teardown),
        cmocka_unit_test_setup_teardown(random_histories_agree_with_a_matrix, setup, teardown),
        cmocka_unit_test(exhausted_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
