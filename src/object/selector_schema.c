/* SPDX-License-Identifier: Apache-2.0 */
/* Selectors as they are written, and what the API server refuses in them. */
#include "object/names.h"
#include "object/schemas.h"

#include <string.h>

static const struct enum_name label_operators[] = {
    {"In", SELECTOR_IN},
    {"NotIn", SELECTOR_NOT_IN},
    {"Exists", SELECTOR_EXISTS},
    {"DoesNotExist", SELECTOR_DOES_NOT_EXIST},
    {0},
};
static const struct enum_name node_operators[] = {
    {"In", SELECTOR_IN},
    {"NotIn", SELECTOR_NOT_IN},
    {"Exists", SELECTOR_EXISTS},
    {"DoesNotExist", SELECTOR_DOES_NOT_EXIST},
    {"Gt", SELECTOR_GREATER_THAN},
    {"Lt", SELECTOR_LESS_THAN},
    {0},
};

static const struct field label_requirement_fields[] = {
    FIELD_STRING("key", selector_requirement, key, FIELD_REQUIRED),
    FIELD_ENUM("operator", selector_requirement, operator, FIELD_REQUIRED, label_operators, 0),
    FIELD_STRINGS("values", selector_requirement, values, 0),
};
static const struct schema label_requirement_schema =
    SCHEMA_COMPLETE(selector_requirement, label_requirement_fields, nothing_unused);

static const struct field node_requirement_fields[] = {
    FIELD_STRING("key", selector_requirement, key, FIELD_REQUIRED),
    FIELD_ENUM("operator", selector_requirement, operator, FIELD_REQUIRED, node_operators, 0),
    FIELD_STRINGS("values", selector_requirement, values, 0),
};
static const struct schema node_requirement_schema =
    SCHEMA_COMPLETE(selector_requirement, node_requirement_fields, nothing_unused);

static const struct field label_selector_fields[] = {
    FIELD_LIST("matchExpressions", label_selector, match_expressions, match_expression_count, 0,
               label_requirement_schema),
    FIELD_LABELS("matchLabels", label_selector, match_labels),
};
const struct schema label_selector_schema =
    SCHEMA_COMPLETE(label_selector, label_selector_fields, nothing_unused);

static const struct field node_selector_term_fields[] = {
    FIELD_LIST("matchExpressions", node_selector_term, match_expressions, match_expression_count, 0,
               node_requirement_schema),
    FIELD_LIST("matchFields", node_selector_term, match_fields, match_field_count, 0,
               node_requirement_schema),
};
const struct schema node_selector_term_schema =
    SCHEMA_COMPLETE(node_selector_term, node_selector_term_fields, nothing_unused);

static const struct field node_selector_fields[] = {
    FIELD_LIST("nodeSelectorTerms", node_selector, terms, term_count, FIELD_REQUIRED,
               node_selector_term_schema),
};
const struct schema node_selector_schema =
    SCHEMA_COMPLETE(node_selector, node_selector_fields, nothing_unused);

static const char *operator_name(enum selector_operator operator)
{
    return node_operators[operator].name;
}

static bool is_whole_number(const char *text)
{
    const char *digits = *text == '-' || *text == '+' ? text + 1 : text;
    return *digits && strspn(digits, "0123456789") == strlen(digits);
}

/* How many values an operator takes. */
static void values_validate(struct reading *reading, const struct path *path,
                            const struct selector_requirement *requirement)
{
    const struct path values = path_field(path, "values");
    const char *relation = operator_name(requirement->operator);
    const uint32_t count = requirement->values.count;
    switch (requirement->operator) {
    case SELECTOR_IN:
    case SELECTOR_NOT_IN:
        if (count == 0)
            reading_error(reading, &values,
                          "expected at least one value for operator %s, found none", relation);
        break;
    case SELECTOR_EXISTS:
    case SELECTOR_DOES_NOT_EXIST:
        if (count > 0)
            reading_error(reading, &values, "expected no values for operator %s, found %u",
                          relation, count);
        break;
    case SELECTOR_GREATER_THAN:
    case SELECTOR_LESS_THAN:
        if (count != 1)
            reading_error(reading, &values, "expected one value for operator %s, found %u",
                          relation, count);
        else if (!is_whole_number(requirement->values.items[0]))
            reading_error(reading, &values, "expected a whole number for operator %s, found \"%s\"",
                          relation, requirement->values.items[0]);
        break;
    }
}

void label_selector_validate(struct reading *reading, const struct path *path,
                             const struct label_selector *selector)
{
    const struct path match_labels = path_field(path, "matchLabels");
    const struct path expressions = path_field(path, "matchExpressions");
    labels_validate(reading, &match_labels, &selector->match_labels);
    for (uint32_t i = 0; i < selector->match_expression_count; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions[i];
        const struct path item = path_item(&expressions, i);
        const struct path key = path_field(&item, "key");
        const struct path values = path_field(&item, "values");
        qualified_name_validate(reading, &key, requirement->key);
        values_validate(reading, &item, requirement);
        for (uint32_t k = 0; k < requirement->values.count; k++) {
            const struct path value = path_item(&values, k);
            label_value_validate(reading, &value, requirement->values.items[k]);
        }
    }
}

static void field_requirement_validate(struct reading *reading, const struct path *path,
                                       const struct selector_requirement *requirement)
{
    const struct path key = path_field(path, "key");
    const struct path relation = path_field(path, "operator");
    const struct path values = path_field(path, "values");
    if (requirement->key && strcmp(requirement->key, "metadata.name") != 0)
        text_unexpected(reading, &key, requirement->key, "metadata.name");
    if (requirement->operator> SELECTOR_NOT_IN)
        text_unexpected(reading, &relation, operator_name(requirement->operator), "In or NotIn");
    else if (requirement->values.count != 1)
        reading_error(reading, &values, "expected one value in matchFields, found %u",
                      requirement->values.count);
    for (uint32_t i = 0; i < requirement->values.count; i++) {
        const struct path value = path_item(&values, i);
        dns_subdomain_validate(reading, &value, requirement->values.items[i]);
    }
}

void node_selector_term_validate(struct reading *reading, const struct path *path,
                                 const struct node_selector_term *term)
{
    const struct path expressions = path_field(path, "matchExpressions");
    const struct path fields = path_field(path, "matchFields");
    for (uint32_t i = 0; i < term->match_expression_count; i++) {
        const struct path item = path_item(&expressions, i);
        const struct path key = path_field(&item, "key");
        qualified_name_validate(reading, &key, term->match_expressions[i].key);
        values_validate(reading, &item, &term->match_expressions[i]);
    }
    for (uint32_t i = 0; i < term->match_field_count; i++) {
        const struct path item = path_item(&fields, i);
        field_requirement_validate(reading, &item, &term->match_fields[i]);
    }
}

void node_selector_validate(struct reading *reading, const struct path *path,
                            const struct node_selector *selector)
{
    const struct path terms = path_field(path, "nodeSelectorTerms");
    for (uint32_t i = 0; i < selector->term_count; i++) {
        const struct path item = path_item(&terms, i);
        node_selector_term_validate(reading, &item, &selector->terms[i]);
    }
}
