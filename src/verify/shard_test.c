/* SPDX-License-Identifier: Apache-2.0 */
/* Shards that are joined report what one process reports, whatever their number; shards that see
 * each other's notes explore less, and the report stays the same. */
#include "verify/whole_report.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two intents are violated, in different setups, and one is not. */
static const char violated_one_by_one[] =
    CHECK(GROUP("a", "{min: 1, max: 4}"),
          "  events: [{name: maintenance, concurrent: 1, atMost: 1, drain: true}]\n"
          "  intents: [{name: drainCompletes}, {name: podsSchedulable}, {name: replicasAtLeast, "
          "workload: "
          "Deployment/default/web, value: 1}]\n") WEB("2", "") PDB("minAvailable: 2");

struct variant {
    uint32_t jobs;
    bool exhaustive;
    uint64_t states_most;
};

static struct verify_options options_of(const struct variant *variant)
{
    struct verify_options options = unlimited();
    options.jobs = variant->jobs;
    options.exhaustive = variant->exhaustive;
    options.states_most = variant->states_most;
    options.pictures = true;
    options.population.features = features_of_version(26);
    return options;
}

static void run(struct fixture *fixture, const struct verify_options *options,
                struct memory *memory, struct text *text)
{
    struct verify_report report;
    verify_run(&fixture->arena, &fixture->memory, &fixture->scope, fixture->check->intents,
               fixture->check->intent_count, options, &report);
    whole_text(&report, memory, text);
    verify_release(&report);
}

/* What the shards find out. Gives the number of setups that they explored. */
static uint64_t run_shards(struct fixture *fixture, const struct variant *variant, uint32_t count,
                           const struct shard_notes *notes, struct known_outcomes *known)
{
    uint64_t explored = 0;
    *known = (struct known_outcomes){0};
    for (uint32_t s = 0; s < count; s++) {
        struct verify_options options = options_of(variant);
        struct shard_log *log = ARENA_NEW(&fixture->arena, struct shard_log);
        struct text text;
        log->arena = &fixture->arena;
        options.shard = (struct shard){s, count};
        options.log = log;
        options.notes = notes;
        run(fixture, &options, &fixture->memory, &text);
        text_release(&text);
        if (!known->by_setup)
            known->by_setup =
                ARENA_ARRAY(&fixture->arena, const struct shard_outcome *, log->setups + 1);
        known->setups = log->setups;
        explored += log->outcomes.count;
        for (uint32_t i = 0; i < log->outcomes.count; i++) {
            assert_int_equal(log->outcomes.items[i].setup, (uint64_t)i * count + s);
            known->by_setup[log->outcomes.items[i].setup] = &log->outcomes.items[i];
        }
    }
    return explored;
}

static void assert_join_is_whole(const char *manifests, const struct variant *variant,
                                 uint32_t count)
{
    struct fixture fixture;
    struct text expected, found;
    struct known_outcomes known;
    struct verify_options options = options_of(variant);
    assert_true(fixture_load(&fixture, manifests));
    run(&fixture, &options, &fixture.memory, &expected);
    run_shards(&fixture, variant, count, NULL, &known);
    options.known = &known;
    run(&fixture, &options, &fixture.memory, &found);
    assert_string_equal(text_content(&expected), text_content(&found));
    text_release(&expected);
    text_release(&found);
    fixture_release(&fixture);
}

static void joins_are_the_whole(void **state)
{
    static const uint32_t counts[] = {1, 2, 3, 8};
    (void)state;
    for (uint32_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        const struct variant variant = {1 + i % 3, false, UINT64_MAX};
        for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++)
            assert_join_is_whole(whole_checks[c], &variant, counts[i]);
        assert_join_is_whole(violated_one_by_one, &variant, counts[i]);
    }
}

static void every_setup_can_be_judged(void **state)
{
    const struct variant variant = {2, true, UINT64_MAX};
    (void)state;
    assert_join_is_whole(whole_checks[1], &variant, 2);
    assert_join_is_whole(violated_one_by_one, &variant, 3);
}

static void limits_on_states_end_at_the_same_setup(void **state)
{
    (void)state;
    for (uint64_t most = 10; most < 400; most += 60) {
        const struct variant variant = {1, false, most};
        assert_join_is_whole(whole_checks[1], &variant, 2);
        assert_join_is_whole(violated_one_by_one, &variant, 3);
    }
}

/* ---- what is wrong is not used ---- */

static void a_run_that_is_told_differently_is_explored_again(void **state)
{
    struct fixture fixture;
    struct text expected, found;
    struct known_outcomes known;
    const struct variant variant = {1, false, UINT64_MAX};
    struct verify_options options = options_of(&variant);
    uint32_t changed = 0;
    (void)state;
    assert_true(fixture_load(&fixture, violated_one_by_one));
    run(&fixture, &options, &fixture.memory, &expected);
    run_shards(&fixture, &variant, 2, NULL, &known);
    for (uint64_t i = 0; i < known.setups; i++)
        for (uint32_t r = 0; known.by_setup[i] && r < known.by_setup[i]->run_count; r++) {
            struct shard_run *kept = &known.by_setup[i]->runs[r];
            changed += kept->step_count > 0;
            kept->step_count -= kept->step_count > 0;
        }
    assert_true(changed > 0);
    options.known = &known;
    run(&fixture, &options, &fixture.memory, &found);
    assert_string_equal(text_content(&expected), text_content(&found));
    text_release(&expected);
    text_release(&found);
    fixture_release(&fixture);
}

static void shards_of_other_setups_are_refused(void **state)
{
    struct fixture fixture;
    struct verify_report report;
    struct known_outcomes known;
    const struct variant variant = {1, false, UINT64_MAX};
    struct verify_options options = options_of(&variant);
    (void)state;
    assert_true(fixture_load(&fixture, violated_one_by_one));
    run_shards(&fixture, &variant, 2, NULL, &known);
    known.setups--;
    options.known = &known;
    verify_run(&fixture.arena, &fixture.memory, &fixture.scope, fixture.check->intents,
               fixture.check->intent_count, &options, &report);
    assert_int_equal(report.ended_by, EXPLORE_UNRESUMED);
    assert_int_equal(verify_verdict(&report), VERDICT_UNDECIDED);
    verify_release(&report);
    fixture_release(&fixture);
}

/* ---- notes ---- */

static uint32_t empty_folder(const char *path)
{
    DIR *folder = opendir(path);
    uint32_t files = 0;
    char name[512];
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
            files++;
            unlink(name);
        }
    if (folder)
        closedir(folder);
    return files;
}

/* Of the shards of a Check whose smallest setup violates everything, those that come later explore
 * nothing. */
static void notes_stop_other_shards(void **state)
{
    static const char first_violates[] =
        CHECK(GROUP("a", "{min: 1, max: 6}"), "  intents: [{name: podsSchedulable}]\n")
            WEB("9", "      nodeSelector: {group: none}\n");
    char folder[] = "/tmp/fathom-shard-test-XXXXXX";
    struct fixture fixture;
    struct text expected, found;
    struct known_outcomes known;
    const struct variant variant = {1, false, UINT64_MAX};
    struct verify_options options = options_of(&variant);
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(fixture_load(&fixture, first_violates));
    run(&fixture, &options, &fixture.memory, &expected);
    const struct shard_notes notes = {folder, 7};
    const struct shard_notes strange = {folder, 8};
    assert_int_equal(run_shards(&fixture, &variant, 3, NULL, &known), 3);
    assert_int_equal(run_shards(&fixture, &variant, 3, &notes, &known), 1);
    options.known = &known;
    run(&fixture, &options, &fixture.memory, &found);
    assert_string_equal(text_content(&expected), text_content(&found));
    /* Notes of another run do not count. */
    assert_int_equal(run_shards(&fixture, &variant, 2, &strange, &known), 1);
    assert_int_equal(empty_folder(folder), 2);
    assert_int_equal(run_shards(&fixture, &variant, 2, &notes, &known), 1);
    empty_folder(folder);
    rmdir(folder);
    text_release(&expected);
    text_release(&found);
    fixture_release(&fixture);
}

/* A note is about larger setups than its own, and about nothing else than its own run. */
static void notes_count_for_what_they_are_about(void **state)
{
    static const char holds[] = CHECK(GROUP("a", "{min: 1, max: 6}"),
                                      "  intents: [{name: podsSchedulable}]\n") WEB("1", "");
    char folder[] = "/tmp/fathom-shard-test-XXXXXX";
    struct fixture fixture;
    struct known_outcomes known;
    const struct variant variant = {1, false, UINT64_MAX};
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(fixture_load(&fixture, holds));
    const struct shard_notes notes = {folder, 7};
    const struct shard_notes strange = {folder, 8};
    shard_notes_add(&strange, 0, 0, 0);
    shard_notes_add(&notes, 1, 0, 0); /* of another Check */
    shard_notes_add(&notes, 0, 1, 0); /* of another intent */
    const uint64_t explored = run_shards(&fixture, &variant, 2, &notes, &known);
    assert_int_equal(explored, known.setups);
    assert_true(known.setups > 4);
    shard_notes_add(&notes, 0, 0, 3);
    assert_int_equal(run_shards(&fixture, &variant, 2, &notes, &known), 4);
    assert_int_equal(empty_folder(folder), 4);
    rmdir(folder);
    fixture_release(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_are_the_whole),
        cmocka_unit_test(every_setup_can_be_judged),
        cmocka_unit_test(limits_on_states_end_at_the_same_setup),
        cmocka_unit_test(a_run_that_is_told_differently_is_explored_again),
        cmocka_unit_test(shards_of_other_setups_are_refused),
        cmocka_unit_test(notes_stop_other_shards),
        cmocka_unit_test(notes_count_for_what_they_are_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
