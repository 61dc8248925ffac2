/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controllers with seeded mistakes, and what the checker has to say of each: the
 * verdicts, the kind of violation, the length of the shortest stem, and the numbers of
 * states and transitions.
 *
 * The numbers are those of a prototype that was written for the specification, in
 * another language and independently. It keeps a request until its answer is read,
 * renames versions in the order in which they were made, and lets only the controller's
 * own requests fail, ZooKeeper's among them, with a Timeout and nothing else; so this is
 * how they are compared. With what is on by default the verdicts must be the same; only
 * failures then make the graph larger.
 *
 * Rows without numbers are not in that table: the mistakes that were found in the field
 * by lying about the past (Sieve), each with the same controller under fewer faults and
 * mended.
 *
 *     seeds_test PLUGIN.so ...
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "explore/explore.h"
#include "reconcile/environment.h"
#include "reconcile/front/front_fixture.h"

static char **plugins;

enum { F = 1, S = 2, FS = 3 };          /* a round reads its resource at the start; no status */
enum { VIOLATED = 1, HOLDS };           /* of safety; 0: not looked at */
enum { ANY, PROGRESS, STABILITY, ESR }; /* of reconciliation: how it is violated, or holds */

struct row {
    const char *id;
    const char *plugin;
    const char *parameters;
    const char *script; /* +a create, =a update, -a delete, each with a spec */
    uint8_t crashes, failures, stale, reductions;
    uint8_t esr;
    uint8_t safety;
    uint32_t stem; /* of what is violated */
    uint32_t states, transitions;
};

#define OBJECTS3  "objects: [service, config, set], annotate: true"
#define RECREATED "+a {replicas: 3}; -a; +a {replicas: 1}"
#define TWO       "+foo {}; +foo-nodes {}"
#define SHRINKS   "+a {replicas: 3}; =a {replicas: 2}"
#define SHRINKS2  "+a {replicas: 3}; =a {replicas: 2}; =a {replicas: 1}"
#define GROWS     "+a {replicas: 1}; =a {replicas: 2}; =a {replicas: 3}"
#define BAD       "+a {replicas: 3, conf: ok}; =a {replicas: 2, conf: bad}"
#define RESIZED   "+a {size: 10}; =a {size: 15}"
#define BACK      "+a {replicas: 3}; =a {replicas: 2}; =a {replicas: 3}"
#define KEPT      "+a! {}; -a; +a! {}"

static const struct row rows[] = {
    {"ok-1", "simple", OBJECTS3, "+a {replicas: 1, conf: a}; =a {replicas: 3, conf: b}", 1, 0, 0, 0,
     ESR, 0, 0, 68174, 252274},
    {"ok-2", "simple", OBJECTS3, "+a {replicas: 1, conf: a}", 1, 1, 0, 0, ESR, 0, 0, 8962, 32626},
    {"B1", "simple", OBJECTS3 ", enough: true", "+a {replicas: 1, conf: a}", 1, 0, 0, 0, PROGRESS,
     0, 8, 558, 1681},
    {"B1-", "simple", OBJECTS3 ", enough: true", "+a {replicas: 1, conf: a}", 0, 0, 0, 0, ESR, 0, 0,
     123, 295},
    {"B2", "zk", "parentIsError: true", SHRINKS, 1, 0, 0, FS, PROGRESS, 0, 27, 4392, 8460},
    {"B2-", "zk", "parentIsError: true", "+a {replicas: 3}", 1, 0, 0, FS, ESR, 0, 0, 457, 830},
    {"B2f", "zk", "", SHRINKS, 1, 0, 0, FS, ESR, 0, 0, 4633, 8949},
    {"B3", "zk", "znodeLast: true", SHRINKS, 1, 0, 0, FS, PROGRESS, 0, 14, 4047, 7715},
    {"B4", "simple", OBJECTS3 ", storage: sent", "+a {storage: 1}; =a {storage: 2}", 0, 0, 0, 0,
     PROGRESS, 0, 19, 3262, 9245},
    {"B4h", "simple", OBJECTS3, "+a {storage: 1}; =a {storage: 2}", 0, 0, 0, 0, PROGRESS, 0, 19,
     3286, 9311},
    {"B4f", "simple", OBJECTS3 ", storage: sent, rule: true", "+a {storage: 1}; =a {storage: 2}", 0,
     0, 0, 0, ESR, 0, 0, 645, 2011},
    {"B5", "simple", "objects: [set], shrinkingIsBad: true", RECREATED, 0, 0, 0, 0, ESR, VIOLATED,
     17, 5947, 19549},
    {"B5f", "simple", "objects: [set], shrinkingIsBad: true, checkOwner: true", RECREATED, 0, 0, 0,
     0, ESR, HOLDS, 0, 3635, 12515},
    {"B5fc", "simple", "objects: [set], shrinkingIsBad: true, checkOwner: true", RECREATED, 1, 0, 0,
     FS, ESR, HOLDS, 0, 667, 1707},
    {"B6", "simple", "objects: [nodes, main]", TWO, 0, 0, 0, 0, STABILITY, 0, 24, 17779, 52072},
    {"B6f", "simple", "objects: [nodes, main], mainSuffix: -client", TWO, 0, 0, 0, 0, ESR, 0, 0,
     9215, 26880},
    {"B7", "zk", "unversioned: true, safety: told", SHRINKS2, 1, 0, 0, FS, ESR, VIOLATED, 61, 16376,
     33950},
    {"B7f", "zk", "safety: told", SHRINKS2, 1, 0, 0, FS, ESR, HOLDS, 0, 17177, 35908},
    {"B8", "zk", "unchecked: true, safety: told", SHRINKS, 1, 1, 0, FS, ANY, VIOLATED, 44, 14880,
     30832},
    {"B9", "one_set", "shortcut: true, unversioned: true", GROWS, 1, 0, 0, FS, PROGRESS, 0, 27,
     1455, 2916},
    {"B9a", "one_set", "shortcut: true", GROWS, 1, 0, 0, FS, ESR, 0, 0, 1531, 3059},
    {"B9b", "one_set", "unversioned: true", GROWS, 1, 0, 0, FS, ESR, 0, 0, 2079, 4188},
    {"B10", "zk", "", BAD, 0, 0, 0, FS, PROGRESS, 0, 21, 237, 281},
    {"B10f", "zk", "rule: true", BAD, 0, 0, 0, FS, ESR, 0, 0, 89, 133},
    {"N1", "zk", "safety: strict", SHRINKS, 1, 0, 0, FS, ESR, VIOLATED, 25, 4633, 8949},
    {"N1f", "zk", "safety: strict, direct: true", SHRINKS, 1, 0, 0, FS, ESR, HOLDS, 0, 4551, 8808},
    {"N1f, two crashes", "zk", "safety: strict, direct: true", SHRINKS, 2, 0, 0, FS, ESR, HOLDS, 0,
     34290, 95747},
    {"I2", "resize", "", RESIZED, 1, 0, 0, FS, PROGRESS, 0, 16, 827, 1528},
    {"I2-", "resize", "", RESIZED, 0, 0, 0, FS, ESR, 0, 0, 89, 106},
    {"I2f", "resize", "compare: claim", RESIZED, 1, 0, 0, FS, ESR, 0, 0, 764, 1423},
    {"U2", "ring", "", BACK, 0, 0, 0, FS, PROGRESS, 0, 23, 270, 369},
    {"U2f", "ring", "recommission: true", BACK, 0, 0, 0, FS, ESR, 0, 0, 279, 378},
    {"S1", "sieve", "seed: S1", "+a {replicas: 2}; =a {replicas: 1}; =a {replicas: 2}", 1, 0, 1, FS,
     ANY, VIOLATED, 0, 0, 0},
    {"S2", "sieve", "seed: S2", KEPT, 1, 0, 1, FS, ANY, VIOLATED, 0, 0, 0},
    {"S2-", "sieve", "seed: S2", KEPT, 1, 0, 0, FS, ESR, HOLDS, 0, 0, 0},
    {"S2f", "sieve", "seed: S2, fixed: true", KEPT, 1, 0, 1, FS, ESR, HOLDS, 0, 0, 0},
    {"S3", "sieve", "seed: S3", RESIZED, 1, 0, 1, FS, ANY, VIOLATED, 0, 0, 0},
    {"S3-", "sieve", "seed: S3", RESIZED, 1, 0, 0, FS, ESR, HOLDS, 0, 0, 0},
    {"S3f", "sieve", "seed: S3, fixed: true", RESIZED, 1, 0, 1, FS, ESR, HOLDS, 0, 0, 0},
    {"U1", "sieve", "seed: U1", "+a {replicas: 2}; =a {replicas: 1}; *", 0, 0, 0, FS, PROGRESS, 0,
     0, 0, 0},
    {"U1f", "sieve", "seed: U1, fixed: true", "+a {replicas: 2}; =a {replicas: 1}; *", 0, 0, 0, FS,
     ESR, 0, 0, 0, 0},
};

/* --- A row as a check ------------------------------------------------------------ */

struct seed {
    struct front front;
    struct script_operation script[4];
    struct environment_options options;
};

static const struct datum *yaml(struct front *front, const char *text)
{
    struct documents documents = {0};
    assert_true(
        manifest_parse(&front->arena, "seed", text, strlen(text), &documents, &front->problems));
    return datum_of_value(&front->arena, &documents.items[0].root, &front->problems);
}

/* "+a! {replicas: 1}": create a, with a finalizer and this spec. "*": the pod a-1 is
 * no longer held back. */
static void read_operation(struct seed *seed, char *text)
{
    struct front *front = &seed->front;
    struct script_operation *operation = &seed->script[seed->options.script_count++];
    text += strspn(text, " ");
    char what = *text++;
    char *spec = strchr(text, '{');
    size_t length = strcspn(text, " !;");
    const char *name = what == '*' ? "a-1" : arena_strndup(&front->arena, text, length);
    const char *kind = what == '*' ? "Pod" : "Simple";
    *operation = (struct script_operation){.verb = what == '+'   ? SCRIPT_CREATE
                                                   : what == '-' ? SCRIPT_DELETE
                                                                 : SCRIPT_UPDATE,
                                           .key = {kind, "default", name}};
    if (operation->verb != SCRIPT_DELETE)
        operation->object =
            yaml(front, arena_printf(&front->arena,
                                     "{apiVersion: v1, kind: %s, metadata: {name: %s, namespace: "
                                     "default%s}, spec: %s}",
                                     kind, name,
                                     what == '*'           ? ", finalizers: []"
                                     : text[length] == '!' ? ", finalizers: [claims]"
                                                           : "",
                                     spec ? spec : "{}"));
}

static const char *plugin_file(const char *name)
{
    for (char **plugin = plugins; *plugin; plugin++) {
        const char *slash = strrchr(*plugin, '/');
        const char *file = slash ? slash + 1 : *plugin;
        if (strncmp(file, name, strlen(name)) == 0 && strcmp(file + strlen(name), ".so") == 0)
            return *plugin;
    }
    fail_msg("no plugin %s among the arguments", name);
    return NULL;
}

static void open_seed(struct seed *seed, const struct row *row)
{
    struct front *front = &seed->front;
    memset(seed, 0, sizeof *seed);
    front_set_up(front);
    front_open(front, "seed",
               arena_printf(&front->arena, "{plugin: %s, parameters: {%s}}",
                            plugin_file(row->plugin), row->parameters));
    assert_string_equal(front_problem(front), "no problem");
    char *rest = NULL;
    char *script = arena_strdup(&front->arena, row->script);
    for (char *part = strtok_r(script, ";", &rest); part; part = strtok_r(NULL, ";", &rest))
        read_operation(seed, part);
    seed->options.script = seed->script;
    seed->options.crashes = row->crashes;
    seed->options.failures = row->failures;
    seed->options.stale_reads = row->stale;
    seed->options.fuse_schedule = (row->reductions & F) != 0;
    seed->options.no_status = (row->reductions & S) != 0;
    seed->options.external_failures = true;
}

/* --- Its verdicts ------------------------------------------------------------------ */

static uint32_t stem_of(const struct property_result *property)
{
    return property->path.loops ? property->path.loop_from : property->path.step_count;
}

static void judge_esr(const struct row *row, const struct property_result *esr, uint32_t resource,
                      bool exactly)
{
    if (row->esr == ANY)
        return;
    assert_int_equal(esr->verdict, row->esr == ESR ? VERDICT_HOLDS : VERDICT_VIOLATED);
    if (row->esr == ESR)
        return;
    bool progress = (esr->component_atoms >> (2 * resource + 1) & 1) != 0;
    assert_int_equal(progress, row->esr == PROGRESS);
    if (exactly && row->stem)
        assert_int_equal(stem_of(esr), row->stem);
}

static void judge_safety(const struct row *row, const struct property_result *safety, bool exactly)
{
    if (row->safety == 0)
        return;
    assert_int_equal(safety->verdict, row->safety == HOLDS ? VERDICT_HOLDS : VERDICT_VIOLATED);
    if (exactly && row->safety == VIOLATED && row->stem)
        assert_int_equal(stem_of(safety), row->stem);
}

/* `exactly`: the numbers, too. */
static uint64_t judge(struct seed *seed, const struct row *row, bool exactly)
{
    struct front *front = &seed->front;
    struct environment *environment =
        environment_create(&front->memory, &front->controller, &seed->options, &front->problems);
    assert_string_equal(front_problem(front), "no problem");
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.lasso_effort_most = 0;
    options.threads = 1;
    struct exploration *result =
        explore_run(environment_model(environment), &options, &front->memory);
    assert_string_equal(front_problem(front), "no problem");
    assert_true(result->complete);
    uint64_t states = result->statistics.states;
    if (exactly && row->states) {
        assert_int_equal(states, row->states);
        assert_int_equal(result->statistics.transitions, row->transitions);
    }
    uint32_t resources = environment_resource_count(environment);
    for (uint32_t i = 0; i < resources; i++)
        judge_esr(row, &result->properties[i], i, exactly);
    for (uint32_t i = 0; i < environment_safety_count(environment); i++)
        judge_safety(row, &result->properties[resources + i], exactly);
    explore_free(result);
    environment_free(environment);
    return states;
}

static void test_row(void **state)
{
    const struct row *row = *state;
    struct seed seed;
    open_seed(&seed, row);
    uint64_t states = judge(&seed, row, false);
    seed.options.keep_all = true;
    seed.options.renaming = RENAME_BY_ORDER;
    seed.options.own_failures = true;
    seed.options.one_failure = true;
    uint64_t prototype = judge(&seed, row, true);
    if (row->failures == 0)
        assert_true(states <= prototype);
    front_tear_down(&seed.front);
}

int main(int argc, char **argv)
{
    (void)argc;
    plugins = argv + 1;
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){rows[i].id, test_row, NULL, NULL, (void *)&rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
