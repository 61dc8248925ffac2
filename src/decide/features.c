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
#define PATCHED(member, minor, patch)
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
};

/* Rows that are on in an older minor version, too, from a patch release on. */
static const struct {
    size_t offset;
    int minor;
    int patch;
} patches[] = {
#define FEATURE(member, name, first, last, help)
#define PATCHED(member, minor, patch) {offsetof(struct features, member), minor, patch},
#include "decide/features.def"
#undef FEATURE
#undef PATCHED
};

enum {
    ROW_COUNT = sizeof(rows) / sizeof(rows[0]),
    PATCH_COUNT = sizeof(patches) / sizeof(patches[0]),
};

static bool *feature_at(struct features *features, size_t offset)
{
    return (bool *)((char *)features + offset);
}

static struct features features_of_patch(int minor, int patch)
{
    struct features features = {.minor = minor, .patch = patch};
    for (size_t i = 0; i < ROW_COUNT; i++)
        *feature_at(&features, rows[i].offset) = minor >= rows[i].first && minor <= rows[i].last;
    for (size_t i = 0; i < PATCH_COUNT; i++)
        if (minor == patches[i].minor && patch >= patches[i].patch)
            *feature_at(&features, patches[i].offset) = true;
    return features;
}

struct features features_of_version(int minor)
{
    if (minor < FEATURES_MINOR_FIRST)
        minor = FEATURES_MINOR_FIRST;
    if (minor > FEATURES_MINOR_LAST)
        minor = FEATURES_MINOR_LAST;
    return features_of_patch(minor, FEATURES_PATCH_NEWEST);
}

/* The number at *text, which is moved behind it; false if there is none. Versions have no zeros in
 * front. */
static bool read_number(const char **text, long *number)
{
    char *end;
    if (**text < '0' || **text > '9' || (**text == '0' && (*text)[1] >= '0' && (*text)[1] <= '9'))
        return false;
    *number = strtol(*text, &end, 10);
    *text = end;
    return true;
}

bool features_of_text(const char *text, struct features *features)
{
    long minor;
    long patch = FEATURES_PATCH_NEWEST;
    if (*text == 'v')
        text++;
    if (strncmp(text, "1.", 2) != 0)
        return false;
    text += 2;
    if (!read_number(&text, &minor) || minor < FEATURES_MINOR_FIRST || minor > FEATURES_MINOR_LAST)
        return false;
    if (*text == '.') {
        text++;
        if (!read_number(&text, &patch) || patch > FEATURES_PATCH_NEWEST)
            return false;
        /* "-eks-1", "+k3s1": whose build it is */
        if (*text == '-' || *text == '+')
            text += strlen(text);
    }
    if (*text != '\0')
        return false;
    *features = features_of_patch((int)minor, (int)patch);
    return true;
}

const char *features_version(struct arena *arena, const struct features *features)
{
    return features->patch == FEATURES_PATCH_NEWEST
               ? arena_printf(arena, "1.%d", features->minor)
               : arena_printf(arena, "1.%d.%d", features->minor, features->patch);
}

bool features_equal(const struct features *left, const struct features *right)
{
#define FEATURE(member, name, first, last, help) left->member == right->member &&
#define PATCHED(member, minor, patch)
    return
#include "decide/features.def"
        left->minor == right->minor;
#undef FEATURE
#undef PATCHED
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
