/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matching of selectors, after apimachinery's labels.Requirement and the
 * scheduler's component-helpers/nodeaffinity (v1.26).
 */
#include "object/selector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool contains(const struct string_list *list, const char *text)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

/* A whole number as Go's ParseInt takes it: a sign and digits, nothing else. */
static bool read_integer(const char *text, int64_t *number)
{
    const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
    if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
        return false;
    errno = 0;
    *number = strtoll(text, NULL, 10);
    return errno == 0;
}

static bool compare_matches(const struct selector_requirement *requirement, const char *label)
{
    int64_t found;
    int64_t bound;
    if (label == NULL || requirement->values.count != 1 || !read_integer(label, &found) ||
        !read_integer(requirement->values.items[0], &bound))
        return false;
    return SELECTOR_GREATER_THAN == requirement->operator? found > bound : found<bound;
}

bool selector_requirement_matches(const struct selector_requirement *requirement,
                                  const struct labels *labels)
{
    const char *label = labels_find(labels, requirement->key);
    switch (requirement->operator) {
    case SELECTOR_IN: return label != NULL && contains(&requirement->values, label);
    case SELECTOR_NOT_IN: return label == NULL || !contains(&requirement->values, label);
    case SELECTOR_EXISTS: return label != NULL;
    case SELECTOR_DOES_NOT_EXIST: return label == NULL;
    case SELECTOR_GREATER_THAN:
    case SELECTOR_LESS_THAN: return compare_matches(requirement, label);
    }
    return false;
}

static bool all_match(const struct selector_requirement *requirements, uint32_t count,
                      const struct labels *labels)
{
    for (uint32_t i = 0; i < count; i++)
        if (!selector_requirement_matches(&requirements[i], labels))
            return false;
    return true;
}

bool label_selector_matches(const struct label_selector *selector, const struct labels *labels)
{
    for (uint32_t i = 0; i < selector->match_labels.count; i++) {
        const struct label *wanted = &selector->match_labels.items[i];
        const char *found = labels_find(labels, wanted->key);
        if (found == NULL || strcmp(found, wanted->value) != 0)
            return false;
    }
    return all_match(selector->match_expressions, selector->match_expression_count, labels);
}

/* Upstream compares one field with one value; anything else is an error there,
 * and a term with an error does not match. */
static bool field_matches(const struct selector_requirement *requirement, const char *node_name)
{
    if (requirement->values.count != 1 || strcmp(requirement->key, "metadata.name") != 0)
        return false;
    bool equal = strcmp(requirement->values.items[0], node_name) == 0;
    if (SELECTOR_IN == requirement->operator)
        return equal;
    return SELECTOR_NOT_IN == requirement->operator&& !equal;
}

bool node_selector_term_matches(const struct node_selector_term *term, const struct labels *labels,
                                const char *node_name)
{
    if (term->match_expression_count == 0 && term->match_field_count == 0)
        return false;
    if (!all_match(term->match_expressions, term->match_expression_count, labels))
        return false;
    /* A node without a name has no fields, and then they are not asked for. */
    bool named = node_name != NULL && *node_name != '\0';
    for (uint32_t i = 0; i < term->match_field_count && named; i++)
        if (!field_matches(&term->match_fields[i], node_name))
            return false;
    return true;
}

bool node_selector_matches(const struct node_selector *selector, const struct labels *labels,
                           const char *node_name)
{
    for (uint32_t i = 0; i < selector->term_count; i++)
        if (node_selector_term_matches(&selector->terms[i], labels, node_name))
            return true;
    return false;
}
