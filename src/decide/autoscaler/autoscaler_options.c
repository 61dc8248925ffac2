/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/autoscaler_options.h"

#include "base/suggest.h"
#include "base/vec.h"
#include "manifest/document.h"
#include "object/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum flag_form { FLAG_SWITCH, FLAG_COUNT, FLAG_SECONDS, FLAG_RATIO, FLAG_WORDS };

struct flag {
    enum flag_form form;
    const char *name;
    size_t offset;
};

static const struct flag flags[] = {
#define FLAG(form, member, name, standard) \
    {FLAG_##form, name, offsetof(struct autoscaler_options, member)},
#include "decide/autoscaler/autoscaler_flags.def"
#undef FLAG
};

enum { FLAG_COUNT_ALL = sizeof(flags) / sizeof(flags[0]) };

bool string_list_has(const struct string_list *list, const char *word)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], word) == 0)
            return true;
    return false;
}

static struct string_list split_words(struct arena *arena, const char *text)
{
    VEC(const char *) words = {0};
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        if (length > 0)
            VEC_PUSH(arena, &words, arena_strndup(arena, text, length));
        text += length;
        text += *text == ',';
    }
    return (struct string_list){words.items, words.count};
}

void autoscaler_options_init(struct arena *arena, const struct features *features,
                             struct autoscaler_options *options)
{
#define STANDARD_SWITCH(standard)          (standard)
#define STANDARD_COUNT(standard)           (standard)
#define STANDARD_SECONDS(standard)         ((standard) * (int64_t)NANOSECONDS_PER_SECOND)
#define STANDARD_RATIO(standard)           (standard)
#define STANDARD_WORDS(standard)           split_words(arena, standard)
#define FLAG(form, member, name, standard) options->member = STANDARD_##form(standard);
#include "decide/autoscaler/autoscaler_flags.def"
#undef FLAG
    options->parallel_drain = features->autoscaler_parallel_drain;
    options->cordon = features->autoscaler_cordons;
    if (features->autoscaler_least_waste)
        options->expander = split_words(arena, "least-waste");
}

void autoscaler_options_settle(const struct features *features, struct autoscaler_options *options,
                               struct place place, struct problems *problems)
{
    if (options->parallel_drain || !features->autoscaler_parallel_only)
        return;
    options->parallel_drain = true;
    if (problems)
        problem_warning(problems, place, "parallel-drain",
                        "the autoscaler of 1.%d has no other planner: it is taken to be true",
                        features->minor);
}

static const struct flag *find_flag(const char *name)
{
    for (size_t i = 0; i < FLAG_COUNT_ALL; i++)
        if (strcmp(flags[i].name, name) == 0)
            return &flags[i];
    return NULL;
}

static bool read_seconds(const struct value *value, int64_t *nanoseconds)
{
    enum { SECONDS_MOST = 4000000 }; /* so that no sum of times overflows */
    double seconds;
    const char *text;
    if (value_read_string(value, &text)) /* as on the command line: "10m" */
        return duration_parse(text, nanoseconds, NULL) &&
               llabs(*nanoseconds) <= SECONDS_MOST * (int64_t)NANOSECONDS_PER_SECOND;
    if (!value_read_number(value, &seconds) || fabs(seconds) > SECONDS_MOST)
        return false;
    *nanoseconds = (int64_t)llround(seconds * NANOSECONDS_PER_SECOND);
    return true;
}

static bool read_count(const struct value *value, int64_t *count)
{
    enum { COUNT_MOST = 1000000000 }; /* so that no sum or product of them overflows */
    int64_t number;
    if (!value_read_integer(value, &number) || number > COUNT_MOST || number < -COUNT_MOST)
        return false;
    *count = number;
    return true;
}

static bool read_words(struct arena *arena, const struct value *value, struct string_list *words)
{
    const char *text;
    if (value_read_string(value, &text)) {
        *words = split_words(arena, text);
        return true;
    }
    if (value->kind != VALUE_SEQUENCE)
        return false;
    struct string_list list = {ARENA_ARRAY(arena, const char *, value->count + 1), 0};
    VALUE_EACH_ITEM(value, item)
    {
        if (!value_read_string(item, &list.items[list.count++]))
            return false;
    }
    *words = list;
    return true;
}

static bool read_flag(struct arena *arena, const struct flag *flag, const struct value *value,
                      struct autoscaler_options *options)
{
    void *member = (char *)options + flag->offset;
    switch (flag->form) {
    case FLAG_SWITCH: return value_read_boolean(value, member);
    case FLAG_COUNT: return read_count(value, member);
    case FLAG_SECONDS: return read_seconds(value, member);
    case FLAG_RATIO: return value_read_number(value, member);
    case FLAG_WORDS: return read_words(arena, value, member);
    }
    return false;
}

static const char *const wanted[] = {
    [FLAG_SWITCH] = "true or false",
    [FLAG_COUNT] = "a whole number",
    [FLAG_SECONDS] = "a number of seconds",
    [FLAG_RATIO] = "a number",
    [FLAG_WORDS] = "names, separated by commas",
};

static void complain_unknown(const struct value *mapping, const struct member *member,
                             const char *path, struct problems *problems)
{
    struct suggestion suggestion = {.word = member->key};
    for (size_t i = 0; i < FLAG_COUNT_ALL; i++)
        suggestion_offer(&suggestion, flags[i].name);
    problem_error(problems, member_place(mapping, member), path, "unknown flag \"%s\"%s%s%s",
                  member->key, suggestion.nearest ? "; did you mean \"" : "",
                  suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "");
}

/* Flags of the real program that decide nothing here: how long things take in the background. */
static bool decides_nothing(const char *name)
{
    static const char *const others[] = {
        "scan-interval",
        "max-nodegroup-binpacking-duration",
        "max-graceful-termination-sec",
        "node-delete-delay-after-taint",
        "daemonset-eviction-for-empty-nodes",
        "daemonset-eviction-for-occupied-nodes",
        "max-bulk-soft-taint-time",
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return false;
}

/* Is it a limit of the whole cluster, "MIN:MAX", which has a member for each of the two? */
static bool find_limits(const char *name, struct autoscaler_options *options, int64_t **least,
                        int64_t **most)
{
    const bool cores = strcmp(name, "cores-total") == 0;
    *most = cores ? &options->cores_max : &options->memory_max;
    *least = cores ? &options->cores_min : &options->memory_min;
    return cores || strcmp(name, "memory-total") == 0;
}

bool autoscaler_limits_read(const char *text, int64_t *least, int64_t *most)
{
    enum { LIMIT_MOST = 1000000000 };
    char *colon;
    char *end;
    const long long low = strtoll(text, &colon, 10);
    if (colon == text || *colon != ':')
        return false;
    const long long high = strtoll(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || low < 0 || high < low || high > LIMIT_MOST)
        return false;
    *least = low;
    *most = high;
    return true;
}

bool autoscaler_options_read(struct arena *arena, const struct value *mapping, const char *path,
                             struct autoscaler_options *options, struct problems *problems)
{
    if (value_is_null(mapping))
        return true;
    if (mapping->kind != VALUE_MAPPING) {
        value_expected(problems, mapping, path, "a mapping from flags to values");
        return false;
    }
    bool good = true;
    VALUE_EACH_MEMBER(mapping, member)
    {
        const struct flag *flag = find_flag(member->key);
        const char *text = "";
        int64_t *most;
        int64_t *least;
        const bool is_limit = find_limits(member->key, options, &least, &most);
        if ((!flag && decides_nothing(member->key)) ||
            (is_limit && value_read_string(&member->value, &text) &&
             autoscaler_limits_read(text, least, most)))
            continue;
        if (is_limit)
            value_expected(problems, &member->value,
                           arena_printf(arena, "%s.%s", path, member->key), "MIN:MAX");
        else if (!flag)
            complain_unknown(mapping, member, path, problems);
        else if (!read_flag(arena, flag, &member->value, options))
            value_expected(problems, &member->value,
                           arena_printf(arena, "%s.%s", path, member->key), wanted[flag->form]);
        else
            continue;
        good = false;
    }
    return good;
}

static bool read_text_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

bool autoscaler_options_set(struct arena *arena, struct autoscaler_options *options,
                            const char *name, const char *text, const char **why)
{
    const struct flag *flag = find_flag(name);
    if (!flag)
        return true;
    void *member = (char *)options + flag->offset;
    double number;
    *why = wanted[flag->form];
    switch (flag->form) {
    case FLAG_SWITCH:
        *(bool *)member = strcmp(text, "true") == 0;
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    case FLAG_COUNT:
        if (!read_text_number(text, &number) || fabs(number) > INT32_MAX)
            return false;
        *(int64_t *)member = (int64_t)number;
        return true;
    case FLAG_SECONDS: *why = "a duration (\"10m\")"; return duration_parse(text, member, NULL);
    case FLAG_RATIO: return read_text_number(text, member);
    case FLAG_WORDS: *(struct string_list *)member = split_words(arena, text); return true;
    }
    return false;
}
