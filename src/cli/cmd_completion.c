/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `fathom completion SHELL`: a script that asks `fathom __complete` (complete.h) for what may come
 * next. The scripts know no names, so they fit every version of the program.
 */
#include "cli/session.h"

#include <stdio.h>
#include <string.h>

/* bash divides words at '=' and ':'; of a candidate it wants only the rest after these. */
static const char bash_script[] =
    "_fathom() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} words=() candidate directive=0 current rest\n"
    "    read -ra words <<<\"$line\"\n"
    "    [[ $line == *[[:space:]] ]] && words+=('')\n"
    "    current=${words[-1]}\n"
    "    rest=${current##*[=:]}\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r candidate; do\n"
    "        case $candidate in\n"
    "        :*) directive=${candidate#:} ;;\n"
    "        *) candidate=${candidate%%$'\\t'*}\n"
    "           COMPREPLY+=(\"${candidate:${#current} - ${#rest}}\") ;;\n"
    "        esac\n"
    "    done < <(\"${words[0]}\" __complete \"${words[@]:1}\" 2>/dev/null)\n"
    "    ((directive & 2)) && compopt -o nospace 2>/dev/null\n"
    "    ((directive & 4)) && compopt +o default 2>/dev/null\n"
    "    return 0\n"
    "}\n"
    "complete -o default -F _fathom fathom ./fathom kubectl-fathom\n";

static const char zsh_script[] =
    "#compdef fathom kubectl-fathom\n"
    "_fathom() {\n"
    "    local line directive=0 word meaning\n"
    "    local -a described plain\n"
    "    for line in \"${(@f)$(${words[1]} __complete \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\"; "
    "do\n"
    "        if [[ $line == :* ]]; then\n"
    "            directive=${line#:}\n"
    "        else\n"
    "            word=${line%%$'\\t'*}\n"
    "            meaning=${line#*$'\\t'}\n"
    "            [[ $line == *$'\\t'* ]] || meaning=\n"
    "            described+=(\"${word//:/\\\\:}${meaning:+:$meaning}\")\n"
    "        fi\n"
    "    done\n"
    "    local -a space\n"
    "    ((directive & 2)) && space=(-S '')\n"
    "    ((${#described})) && _describe -t values fathom described \"${space[@]}\"\n"
    "    ((directive & 4)) || _files\n"
    "}\n"
    "if [[ $funcstack[1] == _fathom ]]; then\n"
    "    _fathom \"$@\"\n"
    "else\n"
    "    compdef _fathom fathom kubectl-fathom\n"
    "fi\n";

static const char fish_script[] =
    "function __fathom_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l current (commandline -ct)\n"
    "    set -l answer ($words[1] __complete $words[2..-1] \"$current\" 2>/dev/null)\n"
    "    set -l directive (string replace ':' '' -- $answer[-1])\n"
    "    for line in $answer[1..-2]\n"
    "        echo -- $line\n"
    "    end\n"
    "    if test (math \"floor($directive / 4) % 2\") -eq 0\n"
    "        __fish_complete_path \"$current\"\n"
    "    end\n"
    "end\n"
    "for program in fathom kubectl-fathom\n"
    "    complete -c $program -f -a '(__fathom_complete)'\n"
    "end\n";

static const struct {
    const char *shell;
    const char *script;
} scripts[] = {
    {"bash", bash_script},
    {"fish", fish_script},
    {"zsh", zsh_script},
};

int cmd_completion(struct session *session)
{
    const struct option_list *operands = &session->line.operands;
    for (size_t i = 0; operands->count && i < sizeof(scripts) / sizeof(*scripts); i++)
        if (strcmp(operands->items[0], scripts[i].shell) == 0) {
            fputs(scripts[i].script, stdout);
            return EXIT_HOLDS;
        }
    session_say(session, "completion: expected the name of a shell (bash, fish, zsh), found %s%s%s",
                operands->count ? "\"" : "", operands->count ? operands->items[0] : "nothing",
                operands->count ? "\"" : "");
    return EXIT_INPUT;
}
