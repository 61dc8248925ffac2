/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include "base/suggest.h"
#include "base/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define IN(constant) (UINT64_C(1) << COMMAND_##constant)
#define IN_ALL       ((UINT64_C(1) << COMMAND_COUNT) - 2)

const struct option option_table[OPTION_COUNT] = {
#define OPTION(member, kind, letter, name, value, initial, low, high, commands, help) \
    {OPTION_##kind, letter, name,     value, initial,                                 \
     low,           high,   commands, help,  offsetof(struct options, member)},
#include "cli/options.def"
#undef OPTION
};

/* One option as it stands on the command line. The command may come after it,
 * so values are looked at once all arguments were seen. */
struct occurrence {
    const struct option *option; /* NULL: unknown */
    const char *written;         /* "--filename" or "-f" */
    const char *value;           /* NULL: none was given */
};

struct reader {
    struct arena *arena;
    struct option_rows rows;
    const char *const *next;
    VEC(struct occurrence) occurrences;
    struct option_list operands;
    struct problems *problems;
};

static const struct place nowhere = {0};

static bool known_to(const struct option *option, enum command_index command)
{
    return option->commands >> command & 1;
}

/* Of several rows the one that the command knows, else the last. */
static const struct option *find_name(struct option_rows rows, enum command_index command,
                                      const char *name)
{
    const struct option *found = NULL;
    for (const struct option *option = rows.items; option != rows.items + rows.count; option++)
        if (strcmp(option->name, name) == 0 && !(found && known_to(found, command)))
            found = option;
    return found;
}

static const struct option *find_letter(struct option_rows rows, char letter)
{
    for (const struct option *option = rows.items; option != rows.items + rows.count; option++)
        if (option->letter == letter)
            return option;
    return NULL;
}

/* The next argument is the value, whatever it looks like. */
static const char *following_value(struct reader *reader, const struct option *option,
                                   const char *written)
{
    if (*reader->next)
        return *reader->next++;
    problem_error(reader->problems, nowhere, written, "expected %s, found nothing", option->value);
    return NULL;
}

/* The command, if it stands before what is read now. */
static enum command_index command_so_far(const struct reader *reader)
{
    struct problems unheard;
    problems_init(&unheard, reader->arena);
    return command_of(reader->operands.items, reader->operands.count, &unheard).command;
}

static void read_long(struct reader *reader, const char *argument)
{
    const char *equals = strchr(argument, '=');
    const size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
    struct occurrence seen = {.written = arena_strndup(reader->arena, argument, length)};
    seen.option = find_name(reader->rows, command_so_far(reader), seen.written + strlen("--"));
    if (equals)
        seen.value = equals + 1;
    else if (seen.option && seen.option->kind != OPTION_FLAG)
        seen.value = following_value(reader, seen.option, seen.written);
    VEC_PUSH(reader->arena, &reader->occurrences, seen);
}

/* The first letter that takes a value takes the rest of the word. */
static void read_letters(struct reader *reader, const char *argument)
{
    for (const char *letter = argument + 1; *letter; letter++) {
        struct occurrence seen = {
            .option = find_letter(reader->rows, *letter),
            .written = arena_printf(reader->arena, "-%c", *letter),
        };
        const bool takes_value = seen.option && seen.option->kind != OPTION_FLAG;
        if (takes_value && letter[1])
            seen.value = letter + (letter[1] == '=' ? 2 : 1);
        else if (takes_value)
            seen.value = following_value(reader, seen.option, seen.written);
        else if (!seen.option)
            seen.written = argument;
        VEC_PUSH(reader->arena, &reader->occurrences, seen);
        if (takes_value || !seen.option)
            return;
    }
}

static void read_arguments(struct reader *reader)
{
    bool options_over = false;
    while (*reader->next) {
        const char *argument = *reader->next++;
        if (options_over || argument[0] != '-' || !argument[1])
            VEC_PUSH(reader->arena, &reader->operands, argument);
        else if (strcmp(argument, "--") == 0)
            options_over = true;
        else if (argument[1] == '-')
            read_long(reader, argument);
        else
            read_letters(reader, argument);
    }
}

static void complain_unknown(const struct reader *reader, enum command_index command,
                             const char *written)
{
    const char *name = written + strspn(written, "-");
    struct suggestion suggestion = {.word = name};
    for (size_t i = 0; i < reader->rows.count; i++)
        if (known_to(&reader->rows.items[i], command))
            suggestion_offer(&suggestion, reader->rows.items[i].name);
    const char *subject = command == COMMAND_NONE ? "fathom" : command_table[command].name;
    if (suggestion.nearest && name[0] && name[1])
        problem_error(reader->problems, nowhere, NULL,
                      "unknown option %s for %s; did you mean --%s?", written, subject,
                      suggestion.nearest);
    else
        problem_error(reader->problems, nowhere, NULL, "unknown option %s for %s", written,
                      subject);
}

static void store_output(const struct reader *reader, const struct occurrence *seen,
                         enum command_index command, struct output_list *list)
{
    const char *equals = strchr(seen->value, '=');
    struct output output = {.format = seen->value};
    if (equals) {
        output.format = arena_strndup(reader->arena, seen->value, (size_t)(equals - seen->value));
        output.file = equals + 1;
    }
    const enum result_kind result = command_table[command].result;
    if (!format_find(result, output.format))
        problem_error(reader->problems, nowhere, seen->written, "expected %s, found \"%s\"",
                      format_names(reader->arena, result), output.format);
    else if (output.file && !*output.file)
        problem_error(reader->problems, nowhere, seen->written,
                      "expected the name of a file after \"%s\"", seen->value);
    for (uint32_t i = 0; i < list->count; i++)
        if (output.file && list->items[i].file && strcmp(output.file, list->items[i].file) == 0)
            problem_error(reader->problems, nowhere, seen->written,
                          "expected a file of its own for \"%s\", found %s, into which \"%s\" "
                          "goes already",
                          output.format, output.file, list->items[i].format);
        else if (!output.file && !list->items[i].file)
            problem_error(reader->problems, nowhere, seen->written,
                          "expected a file for \"%s\" (%s=FILE), because \"%s\" goes to standard "
                          "output already",
                          output.format, output.format, list->items[i].format);
    VEC_PUSH(reader->arena, list, output);
}

static void store_number(const struct reader *reader, const struct occurrence *seen,
                         uint64_t *number)
{
    const struct option *option = seen->option;
    char *end = NULL;
    errno = 0;
    const bool starts_well = *seen->value >= '0' && *seen->value <= '9';
    const uint64_t value = starts_well ? strtoull(seen->value, &end, 10) : 0;
    if (!starts_well || *end || errno || value < option->low || value > option->high)
        problem_error(reader->problems, nowhere, seen->written,
                      "expected a whole number from %" PRIu64 " to %" PRIu64 ", found \"%s\"",
                      option->low, option->high, seen->value);
    else
        *number = value;
}

static void store_flag(const struct reader *reader, const struct occurrence *seen, bool *flag)
{
    if (!seen->value || strcmp(seen->value, "true") == 0)
        *flag = true;
    else if (strcmp(seen->value, "false") == 0)
        *flag = false;
    else
        problem_error(reader->problems, nowhere, seen->written,
                      "expected no value (or true, or false), found \"%s\"", seen->value);
}

static void store(const struct reader *reader, const struct occurrence *seen,
                  enum command_index command, void *values)
{
    void *member = (char *)values + seen->option->offset;
    if (seen->option->kind == OPTION_FLAG) {
        store_flag(reader, seen, member);
        return;
    }
    if (!seen->value)
        return; /* the complaint was made when the value was looked for */
    switch (seen->option->kind) {
    case OPTION_TEXT: *(const char **)member = seen->value; break;
    case OPTION_LIST: VEC_PUSH(reader->arena, (struct option_list *)member, seen->value); break;
    case OPTION_NUMBER: store_number(reader, seen, member); break;
    case OPTION_OUTPUT: store_output(reader, seen, command, member); break;
    case OPTION_FLAG: break;
    }
}

static enum command_index take_command(struct reader *reader, struct command_line *line)
{
    line->operands = reader->operands;
    line->group = NULL;
    if (!reader->operands.count)
        return COMMAND_NONE;
    const struct command_choice choice =
        command_of(reader->operands.items, reader->operands.count, reader->problems);
    line->operands.items += choice.words;
    line->operands.count -= choice.words;
    line->group = choice.group;
    return choice.command;
}

bool options_read(struct arena *arena, struct option_rows rows, const char *const *arguments,
                  void *values, struct command_line *line, struct problems *problems)
{
    const uint32_t errors = problems->errors;
    struct reader reader = {.arena = arena, .rows = rows, .next = arguments, .problems = problems};
    for (size_t i = 0; i < rows.count; i++) {
        const struct occurrence initial = {&rows.items[i], "", rows.items[i].initial};
        if (initial.value)
            store(&reader, &initial, COMMAND_NONE, values);
    }
    read_arguments(&reader);
    line->command = take_command(&reader, line);
    /* With an unknown command, whose options these are is not known either. */
    const bool lost = line->command == COMMAND_NONE && problems->errors > errors;
    for (uint32_t i = 0; i < reader.occurrences.count; i++) {
        const struct occurrence *seen = &reader.occurrences.items[i];
        if (seen->option && known_to(seen->option, line->command))
            store(&reader, seen, line->command, values);
        else if (!lost)
            complain_unknown(&reader, line->command, seen->written);
    }
    const struct command *command = &command_table[line->command];
    if (line->command != COMMAND_NONE)
        for (uint32_t i = command->operands_most; i < line->operands.count; i++)
            problem_error(problems, nowhere, NULL, "unexpected argument \"%s\" for %s",
                          line->operands.items[i], command->name);
    return problems->errors == errors;
}
