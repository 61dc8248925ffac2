/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom completion bash`: the tables of commands and options as a script. */
#include "cli/session.h"

#include <stdio.h>
#include <string.h>

static void print_options_of(enum command_index command)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!(option_table[i].commands >> command & 1))
            continue;
        printf(" --%s", option_table[i].name);
        if (option_table[i].letter)
            printf(" -%c", option_table[i].letter);
    }
}

/* Whether an earlier command's name has the same first word. */
static bool first_word_was_seen(int command)
{
    const size_t length = strcspn(command_table[command].name, " ");
    for (int i = COMMAND_NONE + 1; i < command; i++)
        if (strcspn(command_table[i].name, " ") == length &&
            strncmp(command_table[i].name, command_table[command].name, length) == 0)
            return true;
    return false;
}

/* The first words of all names, each once. */
static void print_first_words(void)
{
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (!first_word_was_seen(i))
            printf(" %.*s", (int)strcspn(command_table[i].name, " "), command_table[i].name);
}

/* After the first word alone: the second words of a group, and the options of
 * the command whose whole name it is. */
static void print_after_first_word(int command)
{
    const size_t length = strcspn(command_table[command].name, " ");
    char first[64];
    snprintf(first, sizeof(first), "%.*s", (int)length, command_table[command].name);
    printf("    %s) options='", first);
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (strcmp(command_table[i].name, first) == 0)
            print_options_of((enum command_index)i);
    printf("'; names='");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (command_in_group(&command_table[i], first))
            printf(" %s", command_in_group(&command_table[i], first));
    printf("' ;;\n");
}

/* Two words that are no command are the first one and its argument. */
static void print_bash(void)
{
    printf("_fathom() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} command= second= options= names= i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case ${COMP_WORDS[i]} in\n"
           "        -*) ;;\n"
           "        *) if [[ -z $command ]]; then command=${COMP_WORDS[i]}\n"
           "           else second=${COMP_WORDS[i]}; break; fi ;;\n"
           "        esac\n"
           "    done\n"
           "    case \"$command $second\" in\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        if (!strchr(command_table[i].name, ' '))
            continue;
        printf("    '%s') options='", command_table[i].name);
        print_options_of((enum command_index)i);
        printf("' ;;\n");
    }
    printf("    esac\n"
           "    [[ -n $options ]] || case $command in\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        if (!first_word_was_seen(i))
            print_after_first_word(i);
    printf("    '') options='");
    print_options_of(COMMAND_NONE);
    printf("'; names='");
    print_first_words();
    printf("' ;;\n"
           "    esac\n"
           "    COMPREPLY=()\n"
           "    [[ -n $second ]] && names=\n"
           "    [[ $word == -* ]] && names=$options\n"
           "    if [[ -n $names ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$names\" -- \"$word\")\n"
           "    fi\n"
           "}\n"
           "complete -o default -F _fathom fathom ./fathom kubectl-fathom\n");
}

int cmd_completion(struct session *session)
{
    const struct option_list *operands = &session->line.operands;
    if (operands->count && strcmp(operands->items[0], "bash") == 0) {
        print_bash();
        return EXIT_HOLDS;
    }
    session_say(session, "completion: expected the name of a shell (bash), found %s%s%s",
                operands->count ? "\"" : "", operands->count ? operands->items[0] : "nothing",
                operands->count ? "\"" : "");
    return EXIT_INPUT;
}
