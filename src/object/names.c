/* SPDX-License-Identifier: Apache-2.0 */
#include "object/names.h"

#include <stdint.h>
#include <string.h>

enum { LABEL_MOST = 63, SUBDOMAIN_MOST = 253, PORT_NAME_MOST = 15, SHOWN_MOST = 60 };

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_lower_alphanumeric(char c)
{
    return is_lower(c) || is_digit(c);
}
static bool is_alphanumeric(char c)
{
    return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z');
}

static bool is_dns_label_of(const char *text, size_t length)
{
    if (length == 0 || !is_lower_alphanumeric(text[0]) || !is_lower_alphanumeric(text[length - 1]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_lower_alphanumeric(text[i]) && text[i] != '-')
            return false;
    return true;
}

static bool is_dns_subdomain_of(const char *text, size_t length)
{
    if (length > SUBDOMAIN_MOST)
        return false;
    for (;;) {
        const char *dot = memchr(text, '.', length);
        const size_t label = dot ? (size_t)(dot - text) : length;
        if (!is_dns_label_of(text, label))
            return false;
        if (!dot)
            return true;
        text += label + 1;
        length -= label + 1;
    }
}

bool name_is_dns_label(const char *text)
{
    const size_t length = strlen(text);
    return length <= LABEL_MOST && is_dns_label_of(text, length);
}

bool name_is_dns_subdomain(const char *text)
{
    return is_dns_subdomain_of(text, strlen(text));
}

bool name_is_dns_1035_label(const char *text)
{
    return is_lower(text[0]) && name_is_dns_label(text);
}

bool name_is_label_value(const char *text)
{
    const size_t length = strlen(text);
    if (length == 0)
        return true;
    if (length > LABEL_MOST || !is_alphanumeric(text[0]) || !is_alphanumeric(text[length - 1]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!is_alphanumeric(text[i]) && text[i] != '-' && text[i] != '_' && text[i] != '.')
            return false;
    return true;
}

bool name_is_qualified(const char *text)
{
    const char *slash = strchr(text, '/');
    const char *name = slash ? slash + 1 : text;
    if (slash && !is_dns_subdomain_of(text, (size_t)(slash - text)))
        return false;
    return *name && name_is_label_value(name);
}

bool name_is_port_name(const char *text)
{
    const size_t length = strlen(text);
    bool letter = false;
    if (length > PORT_NAME_MOST || !is_dns_label_of(text, length) || strstr(text, "--"))
        return false;
    for (size_t i = 0; i < length; i++)
        letter |= is_lower(text[i]);
    return letter;
}

void name_set_init(struct name_set *set, struct arena *arena)
{
    set->arena = arena;
    set->count = 0;
}

bool name_set_has(const struct name_set *set, const char *name)
{
    if (set->count > NAME_SET_FEW)
        return map_get(&set->map, name) != NULL;
    for (uint32_t i = 0; i < set->count; i++)
        if (strcmp(set->few[i], name) == 0)
            return true;
    return false;
}

static void map_add(struct name_set *set, const char *name)
{
    map_put(&set->map, name)->value = set;
}

bool name_set_add(struct name_set *set, const char *name)
{
    if (name_set_has(set, name))
        return false;
    if (set->count < NAME_SET_FEW)
        set->few[set->count] = name;
    if (set->count == NAME_SET_FEW) {
        map_init(&set->map, set->arena);
        for (uint32_t i = 0; i < NAME_SET_FEW; i++)
            map_add(set, set->few[i]);
    }
    if (set->count >= NAME_SET_FEW)
        map_add(set, name);
    set->count++;
    return true;
}

void unique_name_validate(struct reading *reading, const struct path *path, struct name_set *set,
                          const char *name)
{
    if (name && !name_set_add(set, name))
        reading_error(reading, path, "expected a name of its own, found \"%s\" again", name);
}

void text_unexpected(struct reading *reading, const struct path *path, const char *text,
                     const char *wanted)
{
    const size_t length = strlen(text);
    if (length <= SHOWN_MOST)
        reading_error(reading, path, "expected %s, found \"%s\"", wanted, text);
    else
        reading_error(reading, path, "expected %s, found a text of %zu characters", wanted, length);
}

static void validate(struct reading *reading, const struct path *path, const char *text,
                     bool (*is_right)(const char *text), const char *wanted)
{
    if (text && !is_right(text))
        text_unexpected(reading, path, text, wanted);
}

void dns_label_validate(struct reading *reading, const struct path *path, const char *text)
{
    validate(reading, path, text, name_is_dns_label,
             "at most 63 lower case letters, digits and '-', with none of '-' at the ends");
}

void dns_subdomain_validate(struct reading *reading, const struct path *path, const char *text)
{
    validate(reading, path, text, name_is_dns_subdomain,
             "lower case letters, digits, '-' and '.', with a letter or digit at the ends and "
             "around each '.'");
}

void dns_1035_label_validate(struct reading *reading, const struct path *path, const char *text)
{
    validate(reading, path, text, name_is_dns_1035_label,
             "at most 63 lower case letters, digits and '-', beginning with a letter and not "
             "ending with '-'");
}

void qualified_name_validate(struct reading *reading, const struct path *path, const char *text)
{
    validate(reading, path, text, name_is_qualified, "a name such as app or example.com/app");
}

void label_value_validate(struct reading *reading, const struct path *path, const char *text)
{
    validate(reading, path, text, name_is_label_value,
             "at most 63 letters, digits, '-', '_' and '.', with a letter or digit at the ends");
}

void port_name_validate(struct reading *reading, const struct path *path, const char *text)
{
    validate(reading, path, text, name_is_port_name,
             "at most 15 lower case letters, digits and single '-', a letter among them");
}
