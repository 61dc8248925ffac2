/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line: every way to write an option, every way to get it wrong,
 * and the rules that the rows of options.def and commands.def keep.
 */
#include "cli/options.h"

#include "base/vec.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct values {
    bool all;
    bool recursive;
    struct option_list filename;
    uint64_t jobs;
    const char *name_space;
    struct output_list output;
};

enum { VERSION = 1 << COMMAND_VERSION, ANY = 1 << COMMAND_NONE | VERSION | 1 << COMMAND_HELP };

static const struct option rows[] = {
    {OPTION_FLAG, 0, "all", NULL, NULL, 0, 0, VERSION, "", offsetof(struct values, all)},
    {OPTION_LIST, 'f', "filename", "FILE", NULL, 0, 0, VERSION, "",
     offsetof(struct values, filename)},
    {OPTION_NUMBER, 'j', "jobs", "N", "3", 1, 64, VERSION, "", offsetof(struct values, jobs)},
    {OPTION_TEXT, 'n', "namespace", "NAME", NULL, 0, 0, ANY, "",
     offsetof(struct values, name_space)},
    {OPTION_OUTPUT, 'o', "output", "FORMAT[=FILE]", NULL, 0, 0, VERSION, "",
     offsetof(struct values, output)},
    {OPTION_FLAG, 'R', "recursive", NULL, NULL, 0, 0, VERSION, "",
     offsetof(struct values, recursive)},
};

struct reading {
    struct memory memory;
    struct arena arena;
    struct values values;
    struct command_line line;
    struct problems problems;
    bool good;
};

/* Words are separated by single spaces. */
static void read_line(struct reading *reading, const char *words)
{
    *reading = (struct reading){0};
    memory_init(&reading->memory, SIZE_MAX);
    arena_init(&reading->arena, &reading->memory);
    problems_init(&reading->problems, &reading->arena);
    struct option_list arguments = {0};
    for (char *word = strtok(arena_strdup(&reading->arena, words), " "); word;
         word = strtok(NULL, " "))
        VEC_PUSH(&reading->arena, &arguments, word);
    VEC_PUSH(&reading->arena, &arguments, NULL);
    const struct option_rows table = {rows, sizeof(rows) / sizeof(rows[0])};
    reading->good = options_read(&reading->arena, table, arguments.items, &reading->values,
                                 &reading->line, &reading->problems);
}

static const char *joined(struct arena *arena, const struct option_list *list)
{
    const char *all = "";
    for (uint32_t i = 0; i < list->count; i++)
        all = arena_printf(arena, "%s%s%s", all, *all ? " " : "", list->items[i]);
    return all;
}

static void every_way_to_write_an_option(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        const char *filename;
        const char *operands;
        uint64_t jobs;
        bool all;
        bool recursive;
    } cases[] = {
        {"version", "", "", 3, false, false},
        {"version --filename a -f b", "a b", "", 3, false, false},
        {"version --filename=a -fb -f=c", "a b c", "", 3, false, false},
        {"version -f -", "-", "", 3, false, false},
        {"version -f --all", "--all", "", 3, false, false},
        {"version --filename=", "", "", 3, false, false},
        {"--all -R version", "", "", 3, true, true},
        {"-Rf a version", "a", "", 3, false, true},
        {"-Rfa version", "a", "", 3, false, true},
        {"version --all=true --recursive=false", "", "", 3, true, false},
        {"version --all --all=false", "", "", 3, false, false},
        {"version --jobs 64 -j 1 -j7", "", "", 7, false, false},
        {"version -- ", "", "", 3, false, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        read_line(&reading, cases[i].words);
        if (!reading.good)
            fail_msg("%s: %s", cases[i].words, reading.problems.items[0].message);
        assert_int_equal(reading.line.command, COMMAND_VERSION);
        assert_string_equal(joined(&reading.arena, &reading.values.filename), cases[i].filename);
        assert_string_equal(joined(&reading.arena, &reading.line.operands), cases[i].operands);
        assert_int_equal(reading.values.jobs, cases[i].jobs);
        assert_int_equal(reading.values.all, cases[i].all);
        assert_int_equal(reading.values.recursive, cases[i].recursive);
        arena_release(&reading.arena);
    }
}

static void operands_may_look_like_options_after_two_dashes(void **state)
{
    (void)state;
    struct reading reading;
    read_line(&reading, "help -n x -- --all");
    assert_true(reading.good);
    assert_int_equal(reading.line.command, COMMAND_HELP);
    assert_string_equal(joined(&reading.arena, &reading.line.operands), "--all");
    assert_string_equal(reading.values.name_space, "x");
    arena_release(&reading.arena);
}

static void outputs_have_formats_and_files(void **state)
{
    (void)state;
    struct reading reading;
    read_line(&reading, "version -o text -o json=a=b.json --output=json=c");
    assert_true(reading.good);
    const struct output_list *output = &reading.values.output;
    assert_int_equal(output->count, 3);
    assert_string_equal(output->items[0].format, "text");
    assert_null(output->items[0].file);
    assert_string_equal(output->items[1].format, "json");
    assert_string_equal(output->items[1].file, "a=b.json");
    assert_string_equal(output->items[2].file, "c");
    arena_release(&reading.arena);
}

static void every_mistake_has_its_message(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        const char *message;
    } cases[] = {
        {"version --al", "unknown option --al for version; did you mean --all?"},
        {"version -all", "unknown option -all for version; did you mean --all?"},
        {"version --nothing-like-it", "unknown option --nothing-like-it for version"},
        {"version -x", "unknown option -x for version"},
        {"version -Rx", "unknown option -Rx for version"},
        {"help --all", "unknown option --all for help"},
        {"--all", "unknown option --all for fathom"},
        {"version --all=maybe", "--all: expected no value (or true, or false), found \"maybe\""},
        {"version -f", "-f: expected FILE, found nothing"},
        {"version --filename", "--filename: expected FILE, found nothing"},
        {"version -j 0", "-j: expected a whole number from 1 to 64, found \"0\""},
        {"version -j 65", "-j: expected a whole number from 1 to 64, found \"65\""},
        {"version -j -1", "-j: expected a whole number from 1 to 64, found \"-1\""},
        {"version -j 1x", "-j: expected a whole number from 1 to 64, found \"1x\""},
        {"version --jobs=", "--jobs: expected a whole number from 1 to 64, found \"\""},
        {"version -j 99999999999999999999",
         "-j: expected a whole number from 1 to 64, found \"99999999999999999999\""},
        {"version -o yaml", "-o: expected text|json, found \"yaml\""},
        {"version -o tex", "-o: expected text|json, found \"tex\""},
        {"version --output=", "--output: expected text|json, found \"\""},
        {"version -o json=", "-o: expected the name of a file after \"json=\""},
        {"version -o text -o json", "-o: expected a file for \"json\" (json=FILE), because "
                                    "\"text\" goes to standard output already"},
        {"version more", "unexpected argument \"more\" for version"},
        {"vresion", "unknown command \"vresion\"; did you mean \"version\"?"},
        {"frobnicate --all", "unknown command \"frobnicate\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading;
        read_line(&reading, cases[i].words);
        assert_false(reading.good);
        assert_int_equal(reading.problems.count, 1);
        assert_string_equal(problem_format(&reading.arena, &reading.problems.items[0]),
                            cases[i].message);
        arena_release(&reading.arena);
    }
}

static void all_mistakes_are_reported(void **state)
{
    (void)state;
    struct reading reading;
    read_line(&reading, "version --al -j 0 more -f");
    assert_false(reading.good);
    assert_int_equal(reading.problems.count, 4);
    arena_release(&reading.arena);
}

static void options_are_sorted_unique_and_explained(void **state)
{
    (void)state;
    bool letters[128] = {false};
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &option_table[i];
        if (i) {
            /* Two rows of one name are for different commands. */
            const struct option *before = &option_table[i - 1];
            const int order = strcmp(before->name, option->name);
            assert_true(order < 0 || (order == 0 && !(before->commands & option->commands)));
        }
        for (const char *c = option->name; *c; c++)
            assert_true(islower((unsigned char)*c) || *c == '-');
        if (option->letter)
            assert_false(letters[(unsigned char)option->letter]);
        letters[(unsigned char)option->letter] = option->letter != 0;
        assert_non_null(option->help);
        assert_true(*option->help);
        assert_true(option->help[strlen(option->help) - 1] != '.');
        assert_true(option->low <= option->high);
        assert_int_equal(option->value == NULL, option->kind == OPTION_FLAG);
        assert_true(option->commands != 0);
        assert_true(option->commands < UINT64_C(1) << COMMAND_COUNT);
    }
}

static void defaults_are_values_that_would_be_accepted(void **state)
{
    (void)state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    struct problems problems;
    problems_init(&problems, &arena);
    struct options options = {0};
    struct command_line line;
    static const char *const nothing[] = {NULL};
    assert_true(options_read(&arena, (struct option_rows){option_table, OPTION_COUNT}, nothing,
                             &options, &line, &problems));
    arena_release(&arena);
}

static void commands_are_complete(void **state)
{
    (void)state;
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        const struct command *command = &command_table[i];
        assert_true(*command->summary && *command->description);
        assert_int_equal(*command->operands != '\0', command->operands_most > 0);
        const bool has_output = option_table[OPTION_INDEX_output].commands >> i & 1;
        assert_int_equal(has_output, command->result != RESULT_NONE);
        for (int other = COMMAND_NONE + 1; other < i; other++)
            assert_string_not_equal(command->name, command_table[other].name);
    }
}

static void commands_may_have_names_of_two_words(void **state)
{
    (void)state;
    static const struct command table[] = {
        {0}, {"check"}, {"check fast"}, {"trace serve"}, {"trace show"},
    };
    static const struct {
        const char *words[3];
        uint32_t count;
        int command;
        uint32_t taken;
        const char *group;
        const char *message;
    } cases[] = {
        {{"check"}, 1, 1, 1, NULL, NULL},
        {{"check", "fast"}, 2, 2, 2, NULL, NULL},
        {{"check", "fast", "check"}, 3, 2, 2, NULL, NULL},
        {{"check", "file"}, 2, 1, 1, NULL, NULL},
        {{"trace", "show"}, 2, 4, 2, NULL, NULL},
        {{"trace"}, 1, 0, 0, "trace", NULL},
        {{"trace", "shwo"},
         2,
         0,
         0,
         NULL,
         "unknown command \"trace shwo\"; did you mean \"trace show\"?"},
        {{"trace serve"}, 1, 3, 1, NULL, NULL},
        {{"show"}, 1, 0, 0, NULL, "unknown command \"show\""},
        {{NULL}, 0, 0, 0, NULL, NULL},
    };
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct problems problems;
        problems_init(&problems, &arena);
        const struct command_rows given = {table, sizeof(table) / sizeof(table[0])};
        const struct command_choice choice =
            command_find(given, cases[i].words, cases[i].count, &problems);
        assert_int_equal(choice.command, cases[i].command);
        assert_int_equal(choice.words, cases[i].taken);
        assert_int_equal(choice.group != NULL, cases[i].group != NULL);
        assert_int_equal(problems.count, cases[i].message != NULL);
        if (cases[i].message)
            assert_string_equal(problems.items[0].message, cases[i].message);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_write_an_option),
        cmocka_unit_test(operands_may_look_like_options_after_two_dashes),
        cmocka_unit_test(outputs_have_formats_and_files),
        cmocka_unit_test(every_mistake_has_its_message),
        cmocka_unit_test(all_mistakes_are_reported),
        cmocka_unit_test(options_are_sorted_unique_and_explained),
        cmocka_unit_test(defaults_are_values_that_would_be_accepted),
        cmocka_unit_test(commands_are_complete),
        cmocka_unit_test(commands_may_have_names_of_two_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
