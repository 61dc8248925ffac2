/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: what happened in recorded runs is in the Check that is made of them, or is said to be
 * missing. Method: recordings of the tree, and texts that the files of their Checks must have. */
#include "recording/as_check.h"

#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXTS_MOST = 6 };

struct row {
    const char *folder;
    uint32_t left_out;
    const char *texts[TEXTS_MOST]; /* of any of its files */
};

static const struct row rows[] = {
    /* nodes */
    {"runs/s29-node-recovery", 0, {"{name: nodeFailure, node: n1, recovers: true, atMost: 1}"}},
    {"runs/s28-node-failure", 0, {"{name: nodeFailure, node: n1, recovers: false, atMost: 1}"}},
    {"runs/s52-node-deleted", 0, {"{name: delete, object: Node/n1, recovers: false, atMost: 1}"}},
    {"runs/s36-ds-update",
     0,
     {"{name: delete, object: Node/n4, recovers: true, atMost: 1}", "# - node n4 came at "}},
    {"runs/s23-cordon-imbalance-c6",
     0,
     {"{name: maintenance, node: n1, concurrent: 1, atMost: 1}",
      "{name: delete, object: \"Pod/default/web-*\", atMost: 1}"}},
    {"runs/s19-drain-ok",
     1,
     {"# - node n1 stayed cordoned to the end", "value: 5} # its budget, at its least size"}},
    {"runs/s25-noexecute",
     1,
     {"# - node n1 got the taint k=v:NoExecute at ",
      "spec:\n  taints:\n  - key: k\n    value: v\n    effect: NoExecute\n"}},
    {"runs/s39-selector-then-label", 1, {"# - node n2 got other labels at "}},
    /* workloads */
    {"runs/s13-scaledown-in-rollout",
     0,
     {"{name: apply, manifests: [apply-2.yaml]}",
      "{name: scale, workload: Deployment/default/web, to: [3], atMost: 1}", "image: \"app:v2\"",
      "- {name: rolloutCompletes}"}},
    {"runs/s60-hpa-zero-and-max",
     0,
     {"{name: scale, workload: Deployment/default/web, to: [1, 8, 0], atMost: 3}"}},
    {"runs/s51-delete-cascade", 0, {"{name: delete, object: Deployment/default/web}"}},
    {"runs/s40-never-ready", 0, {"fathom.dev/never-ready: \"true\""}},
    {"runs/s37-job-fail", 0, {"fathom.dev/outcome: fails"}},
    {"runs/s42-quota",
     2,
     {"# - ResourceQuota/default/q got another spec at ",
      "# - ResourceQuota/default/q: quotas are not modelled"}},
    /* pods */
    {"runs/s21-evict-burst", 3, {" was evicted at "}},
    {"runs/s48-desched-dup-c5",
     0,
     {"  start: observed\n", "      interval: 3s\n",
      "# - pod f1, which no workload owns, was made at ", "kind: Pod\nmetadata:\n  name: f1\n"}},
    /* autoscalers and priorities */
    {"runs/s43-hpa-cpu",
     0,
     {"initial: 400m, total: [400m, 50m], atMost: 2}", "- {name: noReplicaOscillation}"}},
    {"runs/s16-preempt", 0, {"kind: PriorityClass\nmetadata:\n  name: high\nvalue: 1000\n"}},
    /* what `fathom record` writes, of a cluster that has pods */
    {"written_runs/begins-with-pods",
     1,
     {"  start: observed\n", "{name: maintenance, node: n1, concurrent: 1, atMost: 1}",
      "kind: Pod\n", "kind: ReplicaSet\n"}},
};

static bool has_text(const struct as_check *made, const char *text)
{
    for (uint32_t i = 0; i < made->files.count; i++)
        if (strstr(made->files.items[i].content, text))
            return true;
    return false;
}

static uint32_t check_row(const struct row *row)
{
    struct memory memory;
    struct arena arena;
    struct recording recording;
    struct as_check made = {0};
    struct problems problems;
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    uint32_t wrong = 0;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    problems_init(&problems, &arena);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    const char *folder = arena_printf(&arena, "%s/test/data/%s", root ? root : ".", row->folder);
    if (!recording_read(&arena, reader, folder, 1, &recording, &problems) ||
        !recording_as_check(&recording, reader, "a", NULL, &made, &problems))
        fail_msg("%s: %s", row->folder, problem_format(&arena, &problems.items[0]));
    for (uint32_t i = 0; i < TEXTS_MOST && row->texts[i]; i++)
        if (!has_text(&made, row->texts[i])) {
            print_error("%s: no \"%s\"\n", row->folder, row->texts[i]);
            wrong++;
        }
    if (made.left_out != row->left_out) {
        print_error("%s: %u things are left out\n", row->folder, made.left_out);
        wrong++;
    }
    manifest_reader_free(reader);
    arena_release(&arena);
    return wrong;
}

static void what_happened_is_in_the_check(void **state)
{
    uint32_t wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        wrong += check_row(&rows[i]);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_happened_is_in_the_check)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
