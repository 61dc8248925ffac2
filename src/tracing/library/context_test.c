/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts: identifiers, annotations, and the vectors of the merge rule in both
 * modes and both orders. A CPID is called by a letter here: its first byte.
 */
#include "tracing/library/context_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct fathom_trace_id named(char letter, char digit)
{
    struct fathom_trace_id id = {{0}};
    id.bytes[0] = (uint8_t)letter;
    id.bytes[1] = digit ? (uint8_t)digit : 0;
    id.bytes[15] = 1;
    return id;
}

static char *write_name(char *end, const struct fathom_trace_id *id)
{
    *end++ = (char)id->bytes[0];
    if (id->bytes[1])
        *end++ = (char)id->bytes[1];
    *end = '\0';
    return end;
}

static const char *read_name(const char *text, struct fathom_trace_id *id)
{
    const bool numbered = text[1] >= '0' && text[1] <= '9';
    *id = named(text[0], numbered ? text[1] : '\0');
    return text + 1 + numbered;
}

/* "a[b,c1]" */
static const char *read_context(const char *text, struct fathom_trace_context *context)
{
    context->ancestor_count = 0;
    text = read_name(text, &context->id);
    assert_true(*text++ == '[');
    while (*text != ']') {
        text = read_name(text, &context->ancestors[context->ancestor_count++]);
        text += *text == ',';
    }
    return text + 1;
}

static size_t read_contexts(const char *text, struct fathom_trace_context *contexts)
{
    size_t count = 0;
    while (*text) {
        text = read_context(text, &contexts[count++]);
        text += strspn(text, " ");
    }
    return count;
}

static const char *graph_of(enum fathom_trace_mode mode, const char *contexts, char *text)
{
    struct fathom_trace_context read[16];
    const size_t count = read_contexts(contexts, read);
    struct context_graph graph;
    context_graph_init(&graph, mode);
    for (size_t i = 0; i < count; i++)
        context_graph_add(&graph, &read[i]);
    assert_false(graph.failed);
    char *end = text;
    *end = '\0';
    for (uint32_t i = 0; i < graph.list_count; i++) {
        if (i)
            *end++ = ' ';
        end = write_name(end, &graph.lists[i].root);
        *end++ = '[';
        for (uint32_t j = 0; j < graph.lists[i].count; j++) {
            if (j)
                *end++ = ',';
            end = write_name(end, &graph.lists[i].ancestors[j]);
        }
        *end++ = ']';
        *end = '\0';
    }
    context_graph_release(&graph);
    return text;
}

static void vectors_of_the_graph(void **state)
{
    (void)state;
    static const struct {
        const char *contexts;
        const char *literal;
        const char *ordered;
    } vectors[] = {
        {"x[y] x[z,y]", "x[z,y]", "x[z,y]"},
        {"x[] y[]", "x[] y[]", "x[] y[]"},
        {"g[a,b] a[]", "g[a,b]", "g[a,b]"},
        {"a[] g[a,b]", "g[a,b]", "g[a,b]"},
        {"a[b] c[] b[c]", "a[c,b]", "a[b,c]"},
        /* the same three in all orders */
        {"a[b] b[c] c[]", "a[c,b]", "a[b,c]"},
        {"c[] a[b] b[c]", "a[c,b]", "a[b,c]"},
        {"b[c] a[b] c[]", "a[b,c]", "a[b,c]"},
        {"b[c] c[] a[b]", "a[b,c]", "a[b,c]"},
        {"c[] b[c] a[b]", "a[b,c]", "a[b,c]"},
        {"d[c] a[]", "d[c] a[]", "d[c] a[]"},
        {"p[q] s[t] n[p,s]", "n[p,s,q,t]", "n[p,q,s,t]"},
        {"n[p,s] p[q] s[t]", "n[t,q,p,s]", "n[p,q,s,t]"},
        {"x[o] y[o]", "x[o] y[o]", "x[o] y[o]"},
        {"", "", ""},
        {"x[a]", "x[a]", "x[a]"},
        {"x[a] x[a]", "x[a]", "x[a]"},
    };
    char text[256];
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        assert_string_equal(graph_of(FATHOM_TRACE_LITERAL, vectors[i].contexts, text),
                            vectors[i].literal);
        assert_string_equal(graph_of(FATHOM_TRACE_ORDERED, vectors[i].contexts, text),
                            vectors[i].ordered);
    }
}

/* Contexts that no library would write must not do harm. */
static void impossible_contexts_leave_a_root(void **state)
{
    (void)state;
    static const char *const contexts[] = {"x[x]", "x[] x[x]", "a[b] b[a]", "a[b] b[c] c[a]",
                                           "a[b,b] b[b]"};
    char text[256];
    for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++)
        for (int mode = 0; mode < 2; mode++)
            assert_true(*graph_of((enum fathom_trace_mode)mode, contexts[i], text));
}

struct merged {
    enum fathom_trace_merged how;
    char context[256];
    char sources[64];
};

static struct merged merge(struct fathom_trace_rules rules, const char *contexts)
{
    struct fathom_trace_context read[16];
    struct fathom_trace_context result;
    struct fathom_trace_id sources[16];
    size_t source_count = 99;
    const struct fathom_trace_id fresh = named('N', '\0');
    const size_t count = read_contexts(contexts, read);
    struct merged merged = {0};
    merged.how =
        fathom_trace_merge_contexts(&rules, read, count, &fresh, &result, sources, &source_count);
    char *end = merged.sources;
    for (size_t i = 0; i < source_count; i++)
        end = write_name(end, &sources[i]);
    if (fathom_trace_id_is_none(&result.id))
        return merged;
    end = write_name(merged.context, &result.id);
    end += sprintf(end, "[");
    for (uint32_t i = 0; i < result.ancestor_count; i++) {
        end += sprintf(end, "%s", i ? "," : "");
        end = write_name(end, &result.ancestors[i]);
    }
    sprintf(end, "]");
    return merged;
}

static void new_contexts_have_the_nearest_ancestors(void **state)
{
    (void)state;
    static const struct {
        enum fathom_trace_order order;
        uint32_t most;
        const char *context;
    } vectors[] = {
        {FATHOM_TRACE_CONCAT, 0, "N[]"},
        {FATHOM_TRACE_CONCAT, 1, "N[x]"},
        {FATHOM_TRACE_CONCAT, 2, "N[x,x1]"},
        {FATHOM_TRACE_CONCAT, 4, "N[x,x1,x2,y]"},
        {FATHOM_TRACE_CONCAT, 10, "N[x,x1,x2,y,y1,o]"},
        {FATHOM_TRACE_LEVEL, 0, "N[]"},
        {FATHOM_TRACE_LEVEL, 2, "N[x,y]"},
        {FATHOM_TRACE_LEVEL, 3, "N[x,y,x1]"},
        {FATHOM_TRACE_LEVEL, 4, "N[x,y,x1,y1]"},
        {FATHOM_TRACE_LEVEL, 10, "N[x,y,x1,y1,x2,o]"},
    };
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
        for (int mode = 0; mode < 2; mode++) {
            const struct fathom_trace_rules rules = {(enum fathom_trace_mode)mode, vectors[i].order,
                                                     vectors[i].most};
            const struct merged merged = merge(rules, "x[x1,x2] y[y1,o]");
            assert_int_equal(merged.how, FATHOM_TRACE_NEW);
            assert_string_equal(merged.context, vectors[i].context);
            assert_string_equal(merged.sources, "xy");
        }
}

static void merges_are_new_kept_or_absent(void **state)
{
    (void)state;
    const struct fathom_trace_rules rules = {FATHOM_TRACE_ORDERED, FATHOM_TRACE_CONCAT, 3};
    struct merged merged = merge(rules, "a[b] c[] b[c,d,e]");
    assert_int_equal(merged.how, FATHOM_TRACE_KEPT);
    assert_string_equal(merged.context, "a[b,c,d]");
    assert_string_equal(merged.sources, "");
    merged = merge(rules, "");
    assert_int_equal(merged.how, FATHOM_TRACE_ABSENT);
    assert_string_equal(merged.context, "");
    merged = merge(rules, "x[o] y[o] z[y]");
    assert_int_equal(merged.how, FATHOM_TRACE_NEW);
    assert_string_equal(merged.context, "N[x,o,z]"); /* z has taken y's place */
    assert_string_equal(merged.sources, "xz");
    /* What several have in common keeps its first position. */
    const struct fathom_trace_rules many = {FATHOM_TRACE_ORDERED, FATHOM_TRACE_CONCAT, 9};
    assert_string_equal(merge(many, "x[o,p] y[q,o]").context, "N[x,o,p,y,q]");
    const struct fathom_trace_rules level = {FATHOM_TRACE_ORDERED, FATHOM_TRACE_LEVEL, 9};
    assert_string_equal(merge(level, "x[o,p] y[q,o]").context, "N[x,y,o,q,p]");
}

static void absent_contexts_do_not_count_and_the_result_may_be_an_input(void **state)
{
    (void)state;
    const struct fathom_trace_rules rules = fathom_trace_rules_default();
    struct fathom_trace_context contexts[3] = {0};
    read_context("x[y]", &contexts[1]);
    struct fathom_trace_id sources[3];
    size_t count = 0;
    const struct fathom_trace_id fresh = named('N', '\0');
    assert_int_equal(
        fathom_trace_merge_contexts(&rules, contexts, 3, &fresh, &contexts[0], sources, &count),
        FATHOM_TRACE_KEPT);
    assert_true(fathom_trace_id_equal(&contexts[0].id, &contexts[1].id));
    assert_int_equal(contexts[0].ancestor_count, 1);
}

/* More roots and longer lists than the graph has room for by itself. */
static void many_contexts_are_merged(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    struct fathom_trace_context *contexts = test_calloc(MANY, sizeof(*contexts));
    struct fathom_trace_id *sources = test_calloc(MANY, sizeof(*sources));
    for (uint32_t i = 0; i < MANY; i++) {
        memcpy(&contexts[i].id.bytes[4], &i, sizeof(i));
        contexts[i].id.bytes[0] = 1;
        contexts[i].ancestor_count = i % 3 == 2 ? 2 : 0;
        for (uint32_t j = 0; j < contexts[i].ancestor_count; j++) /* the two before it */
            contexts[i].ancestors[j] = contexts[i - j - 1].id;
    }
    const struct fathom_trace_rules rules = {FATHOM_TRACE_ORDERED, FATHOM_TRACE_CONCAT, 64};
    const struct fathom_trace_id fresh = named('N', '\0');
    struct fathom_trace_context result;
    size_t count = 0;
    assert_int_equal(
        fathom_trace_merge_contexts(&rules, contexts, MANY, &fresh, &result, sources, &count),
        FATHOM_TRACE_NEW);
    assert_int_equal(count, MANY / 3);
    assert_int_equal(result.ancestor_count, 64);
    test_free(sources);
    test_free(contexts);
}

static void identifiers_are_uuids(void **state)
{
    (void)state;
    struct fathom_trace_id id;
    char text[FATHOM_TRACE_ID_TEXT];
    const char *given = "123E4567-e89b-42d3-A456-426614174000";
    assert_true(fathom_trace_id_parse(given, strlen(given), &id));
    fathom_trace_id_format(&id, text);
    assert_string_equal(text, "123e4567-e89b-42d3-a456-426614174000");
    static const char *const wrong[] = {
        "",
        "123e4567-e89b-42d3-a456-42661417400",
        "123e4567-e89b-42d3-a456-4266141740000",
        "123e4567-e89b-42d3-a456-42661417400g",
        "123e4567e89b-42d3-a456-4266141740000",
        "123e4567-e89b-42d3-a456_426614174000",
        "00000000-0000-0000-0000-000000000000",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(fathom_trace_id_parse(wrong[i], strlen(wrong[i]), &id));
    struct fathom_trace_id made[64];
    for (int i = 0; i < 64; i++) {
        made[i] = fathom_trace_id_new();
        fathom_trace_id_format(&made[i], text);
        assert_true(text[14] == '4' && strchr("89ab", text[19]));
        for (int j = 0; j < i; j++)
            assert_false(fathom_trace_id_equal(&made[i], &made[j]));
    }
}

#define A "aaaaaaaa-0000-4000-8000-000000000001"
#define B "bbbbbbbb-0000-4000-8000-000000000002"
#define C "cccccccc-0000-4000-8000-000000000003"

static void annotations_are_read_with_care(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        const char *ancestors;
        const char *traceparent;
        const char *read; /* first letters: CPID, then ancestors */
    } cases[] = {
        {A, B "," C, NULL, "abc"},
        {A, "", NULL, "a"},
        {A, NULL, NULL, "a"},
        {A, B, "00-cccccccc000040008000000000000003-00f067aa0ba902b7-01", "ab"},
        {A, B ",", NULL, "ab"},
        {A, B ",nonsense", NULL, "a"},
        {A, B ";" C, NULL, "a"},
        {A, B "," A "," B "," C, NULL, "abc"}, /* neither itself nor the same twice */
        {NULL, B, NULL, ""},
        {"nonsense", B, NULL, ""},
        {NULL, NULL, NULL, ""},
        {NULL, B, "00-cccccccc000040008000000000000003-00f067aa0ba902b7-01", "c"},
        {NULL, NULL, "cc-cccccccc000040008000000000000003-00f067aa0ba902b7-01-more", "c"},
        {NULL, NULL, "00-cccccccc000040008000000000000003-00f067aa0ba902b7-01-more", ""},
        {NULL, NULL, "ff-cccccccc000040008000000000000003-00f067aa0ba902b7-01", ""},
        {NULL, NULL, "00-00000000000000000000000000000000-00f067aa0ba902b7-01", ""},
        {NULL, NULL, "00-cccccccc000040008000000000000003-0000000000000000-01", ""},
        {NULL, NULL, "00-CCCCCCCC000040008000000000000003-00f067aa0ba902b7-01", ""},
        {NULL, NULL, "00-cccccccc000040008000000000000003-00f067aa0ba902b7", ""},
        {NULL, NULL, "", ""},
        {"nonsense", NULL, "00-cccccccc000040008000000000000003-00f067aa0ba902b7-01", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fathom_trace_annotation annotations[4] = {{"kubernetes.io/change-cause", "image"}};
        size_t count = 1;
        if (cases[i].traceparent)
            annotations[count++] = (struct fathom_trace_annotation){
                FATHOM_TRACE_ANNOTATION_TRACEPARENT, cases[i].traceparent};
        if (cases[i].ancestors)
            annotations[count++] = (struct fathom_trace_annotation){
                FATHOM_TRACE_ANNOTATION_ANCESTORS, cases[i].ancestors};
        if (cases[i].id)
            annotations[count++] =
                (struct fathom_trace_annotation){FATHOM_TRACE_ANNOTATION_ID, cases[i].id};
        struct fathom_trace_context context;
        assert_int_equal(fathom_trace_extract(annotations, count, &context), *cases[i].read != 0);
        char read[80] = "";
        char *end = read;
        for (uint32_t j = 0; *cases[i].read && j <= context.ancestor_count; j++) {
            char text[FATHOM_TRACE_ID_TEXT];
            fathom_trace_id_format(j ? &context.ancestors[j - 1] : &context.id, text);
            *end++ = text[0];
        }
        assert_string_equal(read, cases[i].read);
    }
}

static void what_was_written_is_read_again(void **state)
{
    (void)state;
    for (uint32_t count = 0; count <= FATHOM_TRACE_ANCESTORS_MOST; count++) {
        struct fathom_trace_context context = {.id = fathom_trace_id_new(),
                                               .ancestor_count = count};
        for (uint32_t i = 0; i < count; i++)
            context.ancestors[i] = fathom_trace_id_new();
        struct fathom_trace_annotations written;
        fathom_trace_inject(&context, NULL, &written);
        assert_int_equal(written.count, 2);
        assert_int_equal(strlen(written.items[1].value), count ? count * 37 - 1 : 0);
        struct fathom_trace_context read;
        assert_true(fathom_trace_extract(written.items, written.count, &read));
        assert_int_equal(read.ancestor_count, count);
        assert_memory_equal(&read.id, &context.id, sizeof(read.id));
        assert_memory_equal(read.ancestors, context.ancestors, count * sizeof(read.id));
    }
    const struct fathom_trace_context absent = {0};
    struct fathom_trace_annotations written;
    fathom_trace_inject(&absent, NULL, &written);
    assert_int_equal(written.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_the_graph),
        cmocka_unit_test(impossible_contexts_leave_a_root),
        cmocka_unit_test(new_contexts_have_the_nearest_ancestors),
        cmocka_unit_test(merges_are_new_kept_or_absent),
        cmocka_unit_test(absent_contexts_do_not_count_and_the_result_may_be_an_input),
        cmocka_unit_test(many_contexts_are_merged),
        cmocka_unit_test(identifiers_are_uuids),
        cmocka_unit_test(annotations_are_read_with_care),
        cmocka_unit_test(what_was_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
