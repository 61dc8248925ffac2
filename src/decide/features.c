/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/features.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
    int first;
    int last;
} rows[] = {
#define FEATURE(member, name, first, last, help) \
    {name, offsetof(struct features, member), first, last},
#include "decide/features.def"
#undef FEATURE
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static bool *feature_at(struct features *features, size_t offset)
{
    return (bool *)((char *)features + offset);
}

struct features features_of_version(int minor)
{
    if (minor < FEATURES_MINOR_FIRST)
        minor = FEATURES_MINOR_FIRST;
    if (minor > FEATURES_MINOR_LAST)
        minor = FEATURES_MINOR_LAST;
    struct features features = {.minor = minor};
    for (size_t i = 0; i < ROW_COUNT; i++)
        *feature_at(&features, rows[i].offset) = minor >= rows[i].first && minor <= rows[i].last;
    return features;
}

bool features_parse_version(const char *text, int *minor)
{
    if (*text == 'v')
        text++;
    if (strncmp(text, "1.", 2) != 0 || text[2] < '0' || text[2] > '9')
        return false;
    char *end;
    long number = strtol(text + 2, &end, 10);
    if ((*end != '\0' && *end != '.') || number < FEATURES_MINOR_FIRST ||
        number > FEATURES_MINOR_LAST)
        return false;
    *minor = (int)number;
    return true;
}

bool features_set(struct features *features, const char *gate, bool enabled)
{
    bool is_gate = gate[0] >= 'A' && gate[0] <= 'Z';
    for (size_t i = 0; is_gate && i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, gate) == 0) {
            *feature_at(features, rows[i].offset) = enabled;
            return true;
        }
    }
    return false;
}
