/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds and their names, from kinds.def. */
#include "object/kind_names.h"

#include "base/suggest.h"

#include <string.h>

static const char *const names[OBJECT_KIND_COUNT] = {
#define OBJECT_KIND(constant, kind, member, type) [constant] = kind,
#include "object/kinds.def"
#undef OBJECT_KIND
};

enum object_kind kind_parse(const char *name)
{
    for (int kind = OBJECT_OTHER + 1; kind < OBJECT_KIND_COUNT; kind++)
        if (strcmp(names[kind], name) == 0)
            return (enum object_kind)kind;
    return OBJECT_OTHER;
}

const char *kind_suggest(const char *name)
{
    struct suggestion suggestion = {.word = name};
    for (int kind = OBJECT_OTHER + 1; kind < OBJECT_KIND_COUNT; kind++)
        suggestion_offer(&suggestion, names[kind]);
    return suggestion.nearest;
}

const char *object_kind_name(enum object_kind kind)
{
    return names[kind];
}
