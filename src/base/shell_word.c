/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell_word.h"

#include <string.h>

const char *shell_word(struct arena *arena, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+/.,:@%";
    if (*word && word[strspn(word, plain)] == '\0')
        return word;
    const char *quoted = "'";
    for (const char *rest = word; *rest;) {
        const size_t length = strcspn(rest, "'");
        quoted =
            arena_printf(arena, "%s%.*s%s", quoted, (int)length, rest, rest[length] ? "'\\''" : "");
        rest += length + (rest[length] != '\0');
    }
    return arena_printf(arena, "%s'", quoted);
}
