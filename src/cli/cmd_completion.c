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

/* Words that may follow the command besides its options; "" for files. */
static void print_bash(void)
{
    printf("_fathom() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} command= words= i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac\n"
           "    done\n"
           "    case $command in\n");
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++) {
        printf("    %s) words='", command_table[i].name);
        print_options_of((enum command_index)i);
        printf("' ;;\n");
    }
    printf("    '') words='");
    print_options_of(COMMAND_NONE);
    for (int i = COMMAND_NONE + 1; i < COMMAND_COUNT; i++)
        printf(" %s", command_table[i].name);
    printf("' ;;\n"
           "    esac\n"
           "    COMPREPLY=()\n"
           "    if [[ -z $command || $word == -* ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
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
