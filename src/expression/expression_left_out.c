/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_left_out.h"

#include <stddef.h>
#include <string.h>

#define NO_DATES     "states keep no dates; after and within of an intent ask for times"
#define NO_ADDRESSES "states keep no addresses; ask labels, node or zone"
#define NO_REQUEST                                                                           \
    "it belongs to admission; here pods, nodes, zones, workloads, autoscalers, budgets and " \
    "events are asked"
#define NO_FORMAT    "join texts with +, and make them with string(...)"
#define NO_OPTIONALS "ask has(...), or `has(a.b) ? a.b : other`"
#define NO_LISTS     "ask with all, exists, filter, map, min and max"

static const struct {
    const char *name;
    const char *why;
} left_out[] = {
    {"regex", "ask matches, find and findAll"},
    {"timestamp", NO_DATES},
    {"now", NO_DATES},
    {"getDate", NO_DATES},
    {"getDayOfMonth", NO_DATES},
    {"getDayOfWeek", NO_DATES},
    {"getDayOfYear", NO_DATES},
    {"getFullYear", NO_DATES},
    {"getMonth", NO_DATES},
    {"ip", NO_ADDRESSES},
    {"isIP", NO_ADDRESSES},
    {"cidr", NO_ADDRESSES},
    {"isCIDR", NO_ADDRESSES},
    {"url", NO_ADDRESSES},
    {"isURL", NO_ADDRESSES},
    {"object", NO_REQUEST},
    {"oldObject", NO_REQUEST},
    {"request", NO_REQUEST},
    {"params", NO_REQUEST},
    {"namespaceObject", NO_REQUEST},
    {"authorizer", NO_REQUEST},
    {"variables", NO_REQUEST},
    {"format", NO_FORMAT},
    {"quote", NO_FORMAT},
    {"reverse", NO_FORMAT},
    {"optional", NO_OPTIONALS},
    {"orValue", NO_OPTIONALS},
    {"hasValue", NO_OPTIONALS},
    {"strings", NO_FORMAT},
    {"sets", "of sets there are contains, equivalent and intersects"},
    {"lists", NO_LISTS},
    {"distinct", NO_LISTS},
    {"flatten", NO_LISTS},
    {"slice", NO_LISTS},
    {"sort", NO_LISTS},
    {"math", "ask min() and max() of a list, and ?: for the rest"},
    {"uint", "numbers are int or double"},
    {"bytes", "texts are strings"},
    {"type", "has(...) and == are enough for what states have"},
    {"semver", "states keep no versions; ask labels, revision or current"},
    {"isSemver", "states keep no versions; ask labels, revision or current"},
};

const char *expression_left_out(const char *name)
{
    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
        if (strcmp(left_out[i].name, name) == 0)
            return left_out[i].why;
    return NULL;
}
