/* SPDX-License-Identifier: Apache-2.0 */
/* Verifications that are interrupted again and again and gone on with from their
 * checkpoint report what an uninterrupted one reports; files that are not whole are
 * refused. */
#include "verify/checkpoint.h"
#include "verify/whole_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/fathom-resume-test-XXXXXX";

struct variant {
    uint32_t jobs;
    bool exhaustive;
    bool full;
    size_t memory_most;
};

/* One run: from the file if `resumes`, into the file if it ends early. */
static enum explore_reason run(const char *manifests, const struct variant *variant,
                               uint64_t states_most, bool resumes, struct memory *memory,
                               struct text *text)
{
    struct fixture fixture;
    struct verify_report report;
    struct verify_options options = unlimited();
    const char *problem = NULL;
    options.jobs = variant->jobs;
    options.parallel_from = 1;
    options.exhaustive = variant->exhaustive;
    options.population.interleaving = variant->full ? INTERLEAVING_FULL : INTERLEAVING_SETTLED;
    options.population.features = features_of_version(26);
    options.states_most = states_most;
    options.pictures = true;
    options.checkpoint = checkpoint_create(memory, path);
    struct checkpoint_reader *reader = resumes ? checkpoint_open(memory, path, &problem) : NULL;
    assert_null(problem);
    options.resume = reader;
    assert_true(fixture_load(&fixture, manifests));
    verify_run(&fixture.arena, &fixture.memory, &fixture.scope, fixture.check->intents,
               fixture.check->intent_count, &options, &report);
    whole_text(&report, memory, text);
    const enum explore_reason reason = report.ended_by;
    if (verify_ended_early(&report))
        assert_int_equal(checkpoint_commit(options.checkpoint), 0);
    checkpoint_free(options.checkpoint);
    if (reader)
        checkpoint_close(reader);
    verify_release(&report);
    fixture_release(&fixture);
    return reason;
}

static void compare(const char *manifests, const struct variant *variant, uint64_t first,
                    uint64_t more, uint32_t *interruptions)
{
    struct memory memory;
    struct text expected, found;
    memory_init(&memory, SIZE_MAX);
    const struct variant plain = {1, variant->exhaustive, variant->full, 0};
    assert_int_equal(run(manifests, &plain, UINT64_MAX, false, &memory, &expected),
                     EXPLORE_DECIDED);
    uint64_t most = first;
    bool resumes = false;
    while (run(manifests, variant, most, resumes, &memory, &found) != EXPLORE_DECIDED) {
        text_release(&found);
        resumes = true;
        most += more;
        ++*interruptions;
    }
    assert_string_equal(text_content(&expected), text_content(&found));
    text_release(&expected);
    text_release(&found);
    assert_int_equal(memory.used_bytes, 0);
}

static void interruptions_change_nothing(void **state)
{
    (void)state;
    uint32_t interruptions = 0;
    for (uint32_t c = 0; c < WHOLE_CHECK_COUNT; c++) {
        for (uint32_t variant = 0; variant < 4; variant++) {
            const struct variant one = {1, variant & 1, variant & 2, 0};
            const struct variant many = {3, variant & 1, variant & 2, 0};
            compare(whole_checks[c], &one, 1, 37 + 11 * variant, &interruptions);
            compare(whole_checks[c], &many, 20, 91, &interruptions);
        }
    }
    assert_true(interruptions > 60);
}

/* ---- the file ---- */

static char *read_file(size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    *length = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    assert_true(*length > 100 && *length < 1 << 20);
    return bytes;
}

static void write_file(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static const char *problem_of_file(void)
{
    struct memory memory;
    const char *problem = NULL;
    memory_init(&memory, SIZE_MAX);
    struct checkpoint_reader *reader = checkpoint_open(&memory, path, &problem);
    if (reader)
        checkpoint_close(reader);
    assert_int_equal(memory.used_bytes, 0);
    return problem;
}

static void write_checkpoint(void)
{
    struct memory memory;
    struct text text;
    const struct variant plain = {1, false, false, 0};
    memory_init(&memory, SIZE_MAX);
    assert_int_equal(run(whole_checks[0], &plain, 90, false, &memory, &text), EXPLORE_STATES);
    text_release(&text);
}

static void every_damage_is_seen(void **state)
{
    (void)state;
    size_t length;
    write_checkpoint();
    char *bytes = read_file(&length);
    assert_null(problem_of_file());
    for (size_t at = 0; at < length; at += at < 64 || at + 64 > length ? 1 : 503) {
        bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
        write_file(bytes, length);
        assert_non_null(problem_of_file());
        bytes[at] = (char)(bytes[at] ^ 1 << at % 8);
    }
    for (size_t cut = 0; cut < length; cut += cut < 64 || cut + 64 > length ? 1 : 1999) {
        write_file(bytes, cut);
        assert_non_null(problem_of_file());
    }
    free(bytes);
}

static void what_is_not_there_cannot_be_read(void **state)
{
    (void)state;
    unlink(path);
    assert_string_equal(problem_of_file(), strerror(ENOENT));
    write_file("hello", 5);
    assert_string_equal(problem_of_file(), "is no checkpoint of fathom");
}

/* A file that cannot be written, or not to its end, leaves the one before alone. */
static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    struct memory memory;
    size_t length, after;
    write_checkpoint();
    char *before = read_file(&length);
    memory_init(&memory, SIZE_MAX);
    struct checkpoint_writer *writer = checkpoint_create(&memory, "/nowhere/at/all");
    assert_null(checkpoint_begin(writer, &(struct checkpoint_part){0}));
    assert_int_equal(checkpoint_commit(writer), ENOENT);
    checkpoint_free(writer);
    writer = checkpoint_create(&memory, "/dev/full");
    struct bytes_out *out = checkpoint_begin(writer, &(struct checkpoint_part){0});
    if (out) { /* whoever is root may make files there */
        bytes_put(out, before, length);
        checkpoint_end(writer);
    }
    checkpoint_free(writer);
    /* A writer that is given up in the middle. */
    writer = checkpoint_create(&memory, path);
    out = checkpoint_begin(writer, &(struct checkpoint_part){0});
    assert_non_null(out);
    bytes_put(out, before, length / 2);
    out->error = ENOSPC;
    checkpoint_end(writer);
    assert_int_equal(checkpoint_commit(writer), ENOSPC);
    checkpoint_free(writer);
    char *now = read_file(&after);
    assert_int_equal(length, after);
    assert_memory_equal(before, now, length);
    free(before);
    free(now);
    assert_int_equal(memory.used_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interruptions_change_nothing),
        cmocka_unit_test(every_damage_is_seen),
        cmocka_unit_test(what_is_not_there_cannot_be_read),
        cmocka_unit_test(a_full_disk_loses_nothing),
    };
    const int handle = mkstemp(path);
    if (handle < 0)
        return 1;
    close(handle);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
