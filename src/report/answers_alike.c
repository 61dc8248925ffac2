/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings that say the same of several workloads are one: the same mistake is often made in each
 * manifest of an application. They are compared by their words, without the names of what they are
 * about.
 */
#include "report/answers.h"

#include <ctype.h>
#include <string.h>

struct comparing {
    struct arena *arena;
    const struct reports *reports;
};

static const struct verify_result *result_of(const struct comparing *comparing,
                                             const struct cause *finding)
{
    return &comparing->reports->items[finding->report].found->results[finding->intent];
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("-._/", text[length])))
        length++;
    return length;
}

static bool begins_with(const char *word, size_t length, const char *name)
{
    return length >= strlen(name) && strncmp(word, name, strlen(name)) == 0;
}

/* "shop/web", "Deployment/shop/web", "web-1-1", "node-2" */
static bool is_name(const struct verify_result *result, const char *word, size_t length)
{
    const struct object_name *workload = &result->intent->workload;
    for (uint32_t n = 0; n < result->picture.node_count; n++)
        if (strlen(result->picture.nodes[n].name) == length &&
            begins_with(word, length, result->picture.nodes[n].name))
            return true;
    if (!workload->name)
        return false;
    const size_t own = strlen(workload->name);
    if (begins_with(word, length, workload->name) && (length == own || word[own] == '-'))
        return true;
    const size_t space = strlen(workload->namespace);
    for (size_t i = 0; i + space < length; i++)
        if ((i == 0 || word[i - 1] == '/') && word[i + space] == '/' &&
            strncmp(word + i, workload->namespace, space) == 0)
            return true;
    return false;
}

static const char *without_names(const struct comparing *comparing, const struct cause *finding,
                                 const char *text)
{
    const struct verify_result *result = result_of(comparing, finding);
    char *kept = arena_strdup(comparing->arena, text);
    char *end = kept;
    while (*text) {
        const size_t length = word_length(text);
        if (length > 0 && is_name(result, text, length)) {
            *end++ = '*';
        } else {
            memmove(end, text, length > 0 ? length : 1);
            end += length > 0 ? length : 1;
        }
        text += length > 0 ? length : 1;
    }
    *end = '\0';
    return kept;
}

static bool same_text(const struct comparing *comparing, const struct cause *left, const char *one,
                      const struct cause *right, const char *other)
{
    if (!one || !other)
        return one == other;
    return strcmp(without_names(comparing, left, one), without_names(comparing, right, other)) == 0;
}

static bool say_the_same(const struct comparing *comparing, const struct cause *left,
                         const struct cause *right)
{
    bool same = strcmp(comparing->reports->items[left->report].question,
                       comparing->reports->items[right->report].question) == 0 &&
                strcmp(left->title, right->title) == 0 && left->severity == right->severity &&
                left->also.count == right->also.count &&
                left->reasons.count == right->reasons.count &&
                same_text(comparing, left, left->remedy, right, right->remedy);
    for (uint32_t i = 0; same && i < left->also.count; i++)
        same = strcmp(left->also.items[i], right->also.items[i]) == 0;
    for (uint32_t i = 0; same && i < left->reasons.count; i++)
        same = same_text(comparing, left, left->reasons.items[i], right, right->reasons.items[i]);
    return same;
}

static void take(struct arena *arena, struct cause *first, const struct cause *other)
{
    const struct alike_cause alike = {
        .workload = other->workloads.items[0],
        .report = other->report,
        .intent = other->intent,
        .source = other->sources.count > 0
                      ? arena_copy(arena, other->sources.items, sizeof(*other->sources.items))
                      : NULL,
    };
    VEC_PUSH(arena, &first->alike, alike);
    for (uint32_t i = 0; i < other->workloads.count; i++)
        VEC_PUSH(arena, &first->workloads, other->workloads.items[i]);
}

void answers_group(struct arena *arena, const struct reports *reports, struct answers *answers)
{
    const struct comparing comparing = {arena, reports};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < answers->findings.count; i++) {
        const struct cause *finding = &answers->findings.items[i];
        uint32_t first = 0;
        while (first < kept && !say_the_same(&comparing, &answers->findings.items[first], finding))
            first++;
        if (first < kept)
            take(arena, &answers->findings.items[first], finding);
        else
            answers->findings.items[kept++] = *finding;
    }
    answers->findings.count = kept;
}
