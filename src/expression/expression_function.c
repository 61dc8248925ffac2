/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/expression_function.h"

#include "base/suggest.h"

#include <string.h>

static const struct expression_functions *const tables[] = {
    &arithmetic_functions, &relation_functions, &text_functions,       &pattern_functions,
    &list_functions,       &set_functions,      &conversion_functions, &kubernetes_functions,
};

enum { TABLE_COUNT = sizeof(tables) / sizeof(tables[0]) };

/* Where the search goes on: the table and the row behind `after`. */
static void place_behind(const struct expression_function *after, uint32_t *table, uint32_t *row)
{
    *table = 0;
    *row = 0;
    for (uint32_t i = 0; after && i < TABLE_COUNT; i++)
        if (after >= tables[i]->rows && after < tables[i]->rows + tables[i]->count) {
            *table = i;
            *row = (uint32_t)(after - tables[i]->rows) + 1;
        }
}

const struct expression_function *expression_function_next(const struct expression_function *after,
                                                           const char *name, bool is_method,
                                                           uint32_t argument_count)
{
    uint32_t table;
    uint32_t row;
    for (place_behind(after, &table, &row); table < TABLE_COUNT; table++, row = 0)
        for (; row < tables[table]->count; row++) {
            const struct expression_function *function = &tables[table]->rows[row];
            if (function->argument_count == argument_count && function->is_method == is_method &&
                strcmp(function->name, name) == 0)
                return function;
        }
    return NULL;
}

bool expression_function_takes(const struct expression_function *function,
                               const struct expression_value *arguments)
{
    for (uint32_t i = 0; i < function->argument_count; i++)
        if (!expression_type_has(function->arguments[i], arguments[i]))
            return false;
    return true;
}

bool expression_function_searches(const char *name)
{
    for (uint32_t i = 0; i < pattern_functions.count; i++)
        if (strcmp(pattern_functions.rows[i].name, name) == 0)
            return true;
    return false;
}

bool expression_function_exists(const char *name, struct suggestion *suggestion)
{
    bool exists = false;
    for (uint32_t t = 0; t < TABLE_COUNT; t++)
        for (uint32_t i = 0; i < tables[t]->count; i++) {
            exists |= strcmp(tables[t]->rows[i].name, name) == 0;
            if (suggestion)
                suggestion_offer(suggestion, tables[t]->rows[i].name);
        }
    return exists;
}
