/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/names.h"

#include "base/hash.h"

#include <string.h>

enum { NAME_MOST = 253, LABEL_MOST = 63, SUFFIX_LENGTH = 5 };

static bool is_lower(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* A name of RFC 1123: labels of letters, digits and dashes, with dots between. */
bool name_is_domain(const char *name)
{
    const size_t length = strlen(name);
    if (!length || length > NAME_MOST || !is_lower(name[length - 1]))
        return false;
    bool start = true;
    for (const char *c = name; *c; c++) {
        if (start ? !is_lower(*c) : !is_lower(*c) && *c != '-' && *c != '.')
            return false;
        if (*c == '.' && !is_lower(c[-1]))
            return false;
        start = *c == '.';
    }
    return true;
}

static bool is_path_segment(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !strpbrk(name, "/%") &&
           strlen(name) <= NAME_MOST;
}

bool name_is_label(const char *name)
{
    return name_is_domain(name) && strlen(name) <= LABEL_MOST && !strchr(name, '.');
}

/* "system:metrics-server" */
static bool any_segment(const struct resource_type *type)
{
    return strcmp(type->group, "rbac.authorization.k8s.io") == 0;
}

static bool wants_label(const struct resource_type *type)
{
    return strcmp(type->kind, "Namespace") == 0 || strcmp(type->kind, "Service") == 0;
}

bool name_is_valid(const struct resource_type *type, const char *name)
{
    if (any_segment(type))
        return is_path_segment(name);
    return wants_label(type) ? name_is_label(name) : name_is_domain(name);
}

const char *name_complaint(struct arena *arena, const struct resource_type *type, const char *name)
{
    if (any_segment(type))
        return arena_printf(
            arena, "metadata.name: Invalid value: \"%s\": may not contain '/' or '%%'", name);
    if (wants_label(type))
        return arena_printf(arena,
                            "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 label must "
                            "consist of lower case alphanumeric characters or '-', and must start "
                            "and end with an alphanumeric character",
                            name);
    return arena_printf(arena,
                        "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 subdomain must "
                        "consist of lower case alphanumeric characters, '-' or '.', and must start "
                        "and end with an alphanumeric character",
                        name);
}

const char *name_generate(struct arena *arena, const char *prefix, uint64_t number)
{
    /* No vowels, so that no words come about. */
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    char suffix[SUFFIX_LENGTH + 1] = "";
    uint64_t bits = hash_word(number + 1);
    for (int i = 0; i < SUFFIX_LENGTH; i++) {
        suffix[i] = letters[bits % (sizeof(letters) - 1)];
        bits /= sizeof(letters) - 1;
    }
    return arena_printf(arena, "%.*s%s", LABEL_MOST - SUFFIX_LENGTH, prefix, suffix);
}
