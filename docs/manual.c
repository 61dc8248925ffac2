/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completes the manual pages: copies their source, and puts the tables of commands
 * options and examples where it says @commands@, @options@ and @examples@. Runs while building.
 */
#include "cli/command_examples.h"
#include "cli/options.h"
#include "decide/decider.h"
#include "report/topics.h"

#include <stdio.h>
#include <string.h>

/* What scdoc would take for markup. */
static void print_escaped(const char *prose)
{
    for (; *prose; prose++) {
        if (strchr("\\_*<>#[]", *prose))
            putchar('\\');
        putchar(*prose);
        if (*prose == '\n')
            putchar('\t');
    }
}

static void print_commands(void)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        const struct command *command = &command_table[i];
        printf("*%s* ", command->name);
        print_escaped(command->operands);
        printf("\n\t");
        print_escaped(command->summary);
        printf(".\n\n\t");
        print_escaped(command->description);
        printf("\n\n");
        if (i != COMMAND_DECIDE)
            continue;
        for (const struct decider *const *decider = decider_registry; *decider; decider++) {
            printf("\t*%s*: ", (*decider)->name);
            print_escaped((*decider)->summary);
            printf("\n\n");
        }
    }
}

static void print_option_commands(const struct option *option)
{
    const char *before = " (";
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (option->commands >> i & 1) {
            printf("%s%s", before, command_table[i].name);
            before = ", ";
        }
    printf("%s\n\n", *before == ',' ? ")" : "");
}

static void print_options(void)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &option_table[i];
        if (option->letter)
            printf("*-%c*, ", option->letter);
        printf("*--%s* ", option->name);
        print_escaped(option->value ? option->value : "");
        printf("\n\t");
        print_escaped(option->help);
        if (option->initial)
            printf(", by default %s", option->initial);
        print_option_commands(option);
    }
}

static void print_examples(void)
{
    for (const struct command_example *example = command_examples; example->line; example++) {
        print_escaped(example->what);
        printf(":\n\n```\n\tfathom %s\n```\n\n", example->line);
    }
}

static void print_topics(enum topic_class class)
{
    struct memory memory;
    struct arena arena;
    struct topic topic;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    for (uint32_t i = 0; topic_get(class, i, &topic); i++) {
        printf("*%s*\n\t", topic.name);
        print_escaped(topic_summary(&arena, &topic));
        printf("\n\n");
    }
    arena_release(&arena);
}

int main(int argc, char **argv)
{
    FILE *source = argc == 2 ? fopen(argv[1], "r") : NULL;
    char line[1024];
    if (!source) {
        fputs("usage: manual SOURCE\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof(line), source)) {
        if (strcmp(line, "@commands@\n") == 0)
            print_commands();
        else if (strcmp(line, "@options@\n") == 0)
            print_options();
        else if (strcmp(line, "@examples@\n") == 0)
            print_examples();
        else if (strcmp(line, "@intents@\n") == 0)
            print_topics(TOPIC_INTENT);
        else if (strcmp(line, "@events@\n") == 0)
            print_topics(TOPIC_EVENT);
        else
            fputs(line, stdout);
    }
    fclose(source);
    return 0;
}
