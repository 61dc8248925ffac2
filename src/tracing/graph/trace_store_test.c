/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store: what was committed is there when it is opened again, what was not
 * is not; records that come again or contradict; limits; and files that are no
 * stores. (What a kill in the middle does: test/trace.)
 */
#include "tracing/graph/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    struct memory memory;
    struct arena arena;
    char folder[64];
    char path[96];
    struct store_limits limits;
    struct trace_store *store;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    memory_init(&fixture->memory, SIZE_MAX);
    arena_init(&fixture->arena, &fixture->memory);
    /* In memory if possible: what a test waits for is the disk. */
    snprintf(fixture->folder, sizeof(fixture->folder), "/dev/shm/fathom-store-XXXXXX");
    if (!mkdtemp(fixture->folder)) {
        snprintf(fixture->folder, sizeof(fixture->folder), "/tmp/fathom-store-XXXXXX");
        assert_non_null(mkdtemp(fixture->folder));
    }
    snprintf(fixture->path, sizeof(fixture->path), "%s/store", fixture->folder);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    char name[128];
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    trace_store_close(fixture->store);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        snprintf(name, sizeof(name), "%s%s", fixture->path, endings[i]);
        unlink(name);
    }
    rmdir(fixture->folder);
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
    free(fixture);
    return 0;
}

static const char *reopen(struct fixture *fixture)
{
    const char *error = NULL;
    trace_store_close(fixture->store);
    fixture->store = trace_store_open(&fixture->memory, fixture->path, &fixture->limits,
                                      &fixture->arena, &error);
    assert_int_equal(fixture->store != NULL, error == NULL);
    return error;
}

static struct fathom_trace_id named(unsigned name)
{
    struct fathom_trace_id id = {{0}};
    id.bytes[0] = 0xFA;
    memcpy(&id.bytes[8], &name, sizeof(name));
    return id;
}

static unsigned name_of(const struct fathom_trace_id *id)
{
    unsigned name = 0;
    memcpy(&name, &id->bytes[8], sizeof(name));
    return name;
}

static void add_mergelog(struct fixture *fixture, struct record_batch *batch, unsigned cpid,
                         unsigned one, unsigned other)
{
    struct fathom_trace_id *sources = ARENA_ARRAY(&fixture->arena, struct fathom_trace_id, 2);
    struct fathom_trace_mergelog mergelog = {named(cpid), sources, 0, cpid};
    if (one)
        sources[mergelog.source_count++] = named(one);
    if (other)
        sources[mergelog.source_count++] = named(other);
    VEC_PUSH(&fixture->arena, &batch->mergelogs, mergelog);
    VEC_PUSH(&fixture->arena, &batch->mergelog_index, batch->mergelogs.count - 1);
}

static void add_span(struct fixture *fixture, struct record_batch *batch, unsigned cpid,
                     unsigned id, const char *name)
{
    const struct span_record span = {
        .cpid = named(cpid),
        .span_id = named(id),
        .start_ns = id,
        .end_ns = id + 5,
        .service = "controller",
        .name = name,
        .object = "Pod/default/web",
        .version_read = "1",
        .version_written = "2",
        .attributes = "{\"a\":1}",
    };
    VEC_PUSH(&fixture->arena, &batch->spans, span);
    VEC_PUSH(&fixture->arena, &batch->span_index, batch->spans.count - 1);
}

static struct store_put put(struct fixture *fixture, const struct record_batch *batch)
{
    struct store_put done = {0};
    assert_int_equal(trace_store_put(fixture->store, &fixture->arena, batch, &done), STORE_GOOD);
    return done;
}

static uint32_t find(struct fixture *fixture, unsigned name)
{
    const struct fathom_trace_id id = named(name);
    return merge_graph_find(trace_store_graph(fixture->store), &id);
}

static bool count_span(void *context, const struct span_record *span)
{
    assert_string_equal(span->attributes, "{\"a\":1}");
    assert_string_equal(span->object, "Pod/default/web");
    assert_int_equal(span->end_ns, span->start_ns + 5);
    ++*(unsigned *)context;
    return true;
}

static unsigned spans_of(struct fixture *fixture, unsigned name)
{
    unsigned count = 0;
    assert_true(trace_store_spans_of(fixture->store, find(fixture, name), count_span, &count));
    return count;
}

static struct record_batch published(struct fixture *fixture)
{
    struct record_batch batch = {0};
    static const unsigned logs[][3] = {{3, 1, 2}, {1, 0, 0}, {2, 0, 0}, {5, 3, 4}, {8, 0, 0}};
    for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
        add_mergelog(fixture, &batch, logs[i][0], logs[i][1], logs[i][2]);
    add_span(fixture, &batch, 1, 101, "sync");
    add_span(fixture, &batch, 1, 102, "sync");
    add_span(fixture, &batch, 9, 103, "before its mergelog");
    return batch;
}

static void expect_published(struct fixture *fixture)
{
    struct merge_graph *graph = trace_store_graph(fixture->store);
    assert_int_equal(merge_graph_count(graph), 7); /* 4 and 9 are placeholders */
    assert_int_equal(merge_graph_edge_count(graph), 4);
    assert_int_equal(merge_graph_related(graph, find(fixture, 1), 99).count, 3);
    assert_int_equal(merge_graph_roots(graph, find(fixture, 5)).count, 3);
    assert_false(merge_graph_node(graph, find(fixture, 4)).known);
    assert_true(merge_graph_node(graph, find(fixture, 3)).known);
    assert_int_equal(spans_of(fixture, 1), 2);
    assert_int_equal(spans_of(fixture, 9), 1);
    assert_int_equal(spans_of(fixture, 2), 0);
    assert_int_equal(trace_store_statistics(fixture->store).spans, 3);
}

static void what_was_committed_is_there_again(void **state)
{
    struct fixture *fixture = *state;
    assert_null(reopen(fixture));
    struct record_batch batch = published(fixture);
    assert_int_equal(put(fixture, &batch).accepted, 8);
    assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
    expect_published(fixture);
    for (int i = 0; i < 2; i++) {
        assert_null(reopen(fixture));
        expect_published(fixture);
        /* Everything again: nothing changes. */
        const struct store_put again = put(fixture, &batch);
        assert_int_equal(again.accepted, 8);
        assert_int_equal(again.refused.count, 0);
        assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
        expect_published(fixture);
    }
}

static void what_was_not_committed_is_not_there(void **state)
{
    struct fixture *fixture = *state;
    assert_null(reopen(fixture));
    struct record_batch batch = published(fixture);
    put(fixture, &batch);
    trace_store_rollback(fixture->store);
    assert_int_equal(merge_graph_count(trace_store_graph(fixture->store)), 0);
    put(fixture, &batch);
    assert_null(reopen(fixture)); /* closed within a transaction */
    assert_int_equal(merge_graph_count(trace_store_graph(fixture->store)), 0);
    assert_int_equal(trace_store_statistics(fixture->store).spans, 0);
    put(fixture, &batch);
    assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
    expect_published(fixture);
}

static void contradictions_are_refused_and_told(void **state)
{
    struct fixture *fixture = *state;
    assert_null(reopen(fixture));
    struct record_batch batch = published(fixture);
    put(fixture, &batch);
    trace_store_commit(fixture->store);
    struct record_batch wrong = {0};
    add_mergelog(fixture, &wrong, 20, 1, 0);
    add_mergelog(fixture, &wrong, 3, 1, 0);
    add_mergelog(fixture, &wrong, 4, 5, 0);
    add_span(fixture, &wrong, 1, 101, "something else");
    add_span(fixture, &wrong, 2, 101, "another CPID, another span");
    const struct store_put done = put(fixture, &wrong);
    assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
    assert_int_equal(done.accepted, 2);
    assert_int_equal(done.refused.count, 3);
    assert_int_equal(done.refused.items[0].index, 1);
    assert_string_equal(done.refused.items[0].error,
                        "cpid: it is known with other sources already");
    assert_string_equal(done.refused.items[1].error,
                        "sources: one of them comes from this CPID itself");
    assert_string_equal(done.refused.items[2].kind, "span");
    assert_string_equal(done.refused.items[2].error,
                        "spanId: another span of this CPID has it already");
}

/* A placeholder that becomes known keeps its number, and its spans. */
static void placeholders_become_known(void **state)
{
    struct fixture *fixture = *state;
    assert_null(reopen(fixture));
    struct record_batch batch = published(fixture);
    put(fixture, &batch);
    trace_store_commit(fixture->store);
    struct record_batch late = {0};
    add_mergelog(fixture, &late, 9, 4, 10);
    add_mergelog(fixture, &late, 4, 0, 0);
    put(fixture, &late);
    trace_store_commit(fixture->store);
    assert_null(reopen(fixture));
    struct merge_graph *graph = trace_store_graph(fixture->store);
    assert_true(merge_graph_node(graph, find(fixture, 9)).known);
    assert_int_equal(merge_graph_sources(graph, find(fixture, 9)).count, 2);
    assert_int_equal(spans_of(fixture, 9), 1);
    assert_int_equal(merge_graph_node(graph, find(fixture, 4)).time_ns, 4);
}

struct page {
    unsigned names[64];
    unsigned count;
};

static bool note_span(void *context, const struct span_record *span)
{
    struct page *page = context;
    page->names[page->count++] = name_of(&span->cpid) * 1000 + name_of(&span->span_id);
    return true;
}

struct node_page {
    struct merge_graph *graph;
    struct page page;
};

static bool note_node(void *context, uint32_t node)
{
    struct node_page *nodes = context;
    const struct merge_node seen = merge_graph_node(nodes->graph, node);
    nodes->page.names[nodes->page.count++] = name_of(&seen.cpid);
    return true;
}

static void everything_comes_in_pages(void **state)
{
    struct fixture *fixture = *state;
    assert_null(reopen(fixture));
    struct record_batch batch = published(fixture);
    put(fixture, &batch);
    trace_store_commit(fixture->store);
    struct page all = {0};
    struct trace_cursor cursor = {0};
    for (unsigned before = 1; before != all.count;) {
        before = all.count;
        assert_true(trace_store_spans_after(fixture->store, &cursor, 2, note_span, &all));
    }
    assert_int_equal(all.count, 3);
    assert_int_equal(all.names[0], 1101);
    assert_int_equal(all.names[2], 9103);
    struct node_page nodes = {.graph = trace_store_graph(fixture->store)};
    uint64_t after = 0;
    for (unsigned before = 1; before != nodes.page.count;) {
        before = nodes.page.count;
        assert_true(trace_store_nodes_after(fixture->store, &after, 3, note_node, &nodes));
    }
    assert_int_equal(nodes.page.count, 7);
    assert_int_equal(nodes.page.names[0], 3);
}

static void retain(struct fixture *fixture, int64_t now_ns)
{
    int rounds = 0;
    while (trace_store_retain(fixture->store, now_ns))
        assert_true(++rounds < 1000);
}

static void the_oldest_changes_go_with_their_spans(void **state)
{
    struct fixture *fixture = *state;
    fixture->limits.cpids_most = 40;
    assert_null(reopen(fixture));
    for (unsigned name = 1; name <= 100; name++) {
        struct record_batch batch = {0};
        add_mergelog(fixture, &batch, name, name % 10 ? name - 1 : 0, 0); /* chains of ten */
        add_span(fixture, &batch, name, 1000 + name, "sync");
        put(fixture, &batch);
        assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
    }
    retain(fixture, 0);
    for (int i = 0; i < 2; i++) {
        /* Whole chains have gone, since only their first has no source. */
        assert_int_equal(merge_graph_count(trace_store_graph(fixture->store)), 31);
        assert_int_equal(find(fixture, 69), MERGE_NOWHERE);
        assert_int_equal(
            merge_graph_roots(trace_store_graph(fixture->store), find(fixture, 79)).count, 1);
        assert_int_equal(trace_store_statistics(fixture->store).spans, 31);
        assert_null(reopen(fixture));
    }
}

static void what_is_too_old_goes(void **state)
{
    struct fixture *fixture = *state;
    fixture->limits.age_most_ns = 50;
    assert_null(reopen(fixture));
    struct record_batch batch = {0};
    for (unsigned name = 1; name <= 100; name++)
        add_mergelog(fixture, &batch, name, 0, 0);
    put(fixture, &batch);
    trace_store_commit(fixture->store);
    retain(fixture, 120); /* those of before 70 */
    assert_int_equal(merge_graph_count(trace_store_graph(fixture->store)), 31);
    assert_int_equal(trace_store_statistics(fixture->store).removed_cpids, 69);
}

/* A number that was removed must not come again: rows name their sources by it. */
static void removed_numbers_do_not_come_again(void **state)
{
    struct fixture *fixture = *state;
    assert_null(reopen(fixture));
    struct record_batch batch = {0};
    add_mergelog(fixture, &batch, 3, 1, 2); /* 3 comes first, then its sources */
    put(fixture, &batch);
    trace_store_commit(fixture->store);
    fixture->limits.age_most_ns = 1;
    assert_null(reopen(fixture));
    merge_graph_set_live(trace_store_graph(fixture->store), find(fixture, 1), true);
    retain(fixture, 1000);
    assert_int_equal(find(fixture, 2), MERGE_NOWHERE);
    fixture->limits.age_most_ns = 0;
    assert_null(reopen(fixture));
    struct record_batch later = {0};
    add_mergelog(fixture, &later, 7, 0, 0);
    put(fixture, &later);
    trace_store_commit(fixture->store);
    assert_null(reopen(fixture));
    assert_int_equal(merge_graph_sources(trace_store_graph(fixture->store), find(fixture, 3)).count,
                     1);
    assert_int_equal(
        merge_graph_node(trace_store_graph(fixture->store), find(fixture, 7)).target_count, 0);
}

/* Room for bytes: refused when nothing can go, kept within it when the oldest can. */
static void a_store_keeps_to_its_size(void **state)
{
    struct fixture *fixture = *state;
    fixture->limits.bytes_most = 256 << 10;
    assert_null(reopen(fixture));
    const struct arena_mark mark = arena_mark(&fixture->arena);
    enum store_outcome outcome = STORE_GOOD;
    unsigned stored = 0;
    for (unsigned name = 1; name < 4000 && outcome == STORE_GOOD; name++) {
        arena_rewind(&fixture->arena, mark);
        struct record_batch batch = {0};
        struct store_put done = {0};
        add_span(fixture, &batch, name, name, "sync");
        outcome = trace_store_put(fixture->store, &fixture->arena, &batch, &done);
        if (outcome == STORE_GOOD)
            outcome = trace_store_commit(fixture->store);
        stored += outcome == STORE_GOOD;
    }
    assert_int_equal(outcome, STORE_FULL);
    assert_int_equal(merge_graph_count(trace_store_graph(fixture->store)), stored);
    assert_string_equal(trace_store_problem(fixture->store), "database or disk is full");
    assert_null(reopen(fixture));
    assert_int_equal(merge_graph_count(trace_store_graph(fixture->store)), stored);
    retain(fixture, 0);
    const struct store_statistics after = trace_store_statistics(fixture->store);
    assert_true(after.bytes <= fixture->limits.bytes_most / 10 * 9);
    assert_true(after.cpids > stored / 2);
    struct record_batch batch = {0};
    add_span(fixture, &batch, 5000, 1, "sync");
    put(fixture, &batch);
    assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
}

static void files_that_are_no_stores_are_refused(void **state)
{
    struct fixture *fixture = *state;
    FILE *file = fopen(fixture->path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("this is not a database\n", file);
    fclose(file);
    assert_string_equal(reopen(fixture), "file is not a database");
    snprintf(fixture->path, sizeof(fixture->path), "%s/no/store", fixture->folder);
    assert_string_equal(reopen(fixture), "unable to open database file");
    snprintf(fixture->path, sizeof(fixture->path), "%s/store", fixture->folder);
}

static void memory_serves_as_well(void **state)
{
    struct fixture *fixture = *state;
    const char *error = NULL;
    fixture->store =
        trace_store_open(&fixture->memory, NULL, &fixture->limits, &fixture->arena, &error);
    assert_non_null(fixture->store);
    struct record_batch batch = published(fixture);
    put(fixture, &batch);
    trace_store_rollback(fixture->store);
    put(fixture, &batch);
    assert_int_equal(trace_store_commit(fixture->store), STORE_GOOD);
    expect_published(fixture);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_was_committed_is_there_again),
        TEST(what_was_not_committed_is_not_there),
        TEST(contradictions_are_refused_and_told),
        TEST(placeholders_become_known),
        TEST(everything_comes_in_pages),
        TEST(the_oldest_changes_go_with_their_spans),
        TEST(what_is_too_old_goes),
        TEST(removed_numbers_do_not_come_again),
        TEST(a_store_keeps_to_its_size),
        TEST(files_that_are_no_stores_are_refused),
        TEST(memory_serves_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
