/* SPDX-License-Identifier: Apache-2.0 */
/* spec.podFailurePolicy and spec.successPolicy of a Job. */
#include "object/kind.h"
#include "object/workload_parts.h"

static const struct enum_name actions[] = {
    {"FailJob", JOB_RULE_FAIL_JOB},
    {"FailIndex", JOB_RULE_FAIL_INDEX},
    {"Ignore", JOB_RULE_IGNORE},
    {"Count", JOB_RULE_COUNT},
    {0},
};

static const struct enum_name operators[] = {
    {"In", EXIT_CODE_IN}, {"NotIn", EXIT_CODE_NOT_IN}, {0}};

static void values_decode(struct reading *reading, const struct path *path,
                          const struct value *value, void *base)
{
    struct exit_code_rule *rule = base;
    if (!sequence_expected(reading, path, value))
        return;
    rule->values = ARENA_ARRAY(reading->arena, int64_t, value->count + 1);
    VALUE_EACH_ITEM(value, item)
    {
        int64_t number;
        if (value_read_integer(item, &number))
            rule->values[rule->value_count++] = number;
        else
            reading_expected(reading, path, item, "whole numbers");
    }
}

static void values_encode(struct arena *scratch, struct json_out *json, const char *key,
                          const void *base)
{
    const struct exit_code_rule *rule = base;
    (void)scratch;
    json_array_begin(json, key);
    for (uint32_t i = 0; i < rule->value_count; i++)
        json_integer(json, NULL, rule->values[i]);
    json_array_end(json);
}

static const struct field_hook values_hook = {.decode = values_decode, .encode = values_encode};

static const struct field exit_code_fields[] = {
    FIELD_STRING("containerName", exit_code_rule, container_name, 0),
    FIELD_ENUM("operator", exit_code_rule, relation, FIELD_REQUIRED, operators, EXIT_CODE_IN),
    FIELD_HOOK("values", values_hook),
};
static const struct schema exit_code_schema =
    SCHEMA_COMPLETE(exit_code_rule, exit_code_fields, nothing_unused);

static const struct field condition_pattern_fields[] = {
    FIELD_STRING("status", condition_pattern, status, 0),
    FIELD_STRING("type", condition_pattern, type, FIELD_REQUIRED),
};
static const struct schema condition_pattern_schema =
    SCHEMA_COMPLETE(condition_pattern, condition_pattern_fields, nothing_unused);

static const struct field pod_failure_rule_fields[] = {
    FIELD_ENUM("action", pod_failure_rule, action, FIELD_REQUIRED, actions, JOB_RULE_COUNT),
    FIELD_POINTER("onExitCodes", pod_failure_rule, on_exit_codes, 0, exit_code_schema),
    FIELD_LIST("onPodConditions", pod_failure_rule, on_conditions, on_condition_count, 0,
               condition_pattern_schema),
};
static const struct schema pod_failure_rule_schema =
    SCHEMA_COMPLETE(pod_failure_rule, pod_failure_rule_fields, nothing_unused);

static const struct field pod_failure_policy_fields[] = {
    FIELD_LIST("rules", pod_failure_policy, rules, rule_count, 0, pod_failure_rule_schema),
};
const struct schema pod_failure_policy_schema =
    SCHEMA_COMPLETE(pod_failure_policy, pod_failure_policy_fields, nothing_unused);

static const struct field success_rule_fields[] = {
    FIELD_OPTIONAL_INT("succeededCount", success_rule, succeeded_count, 0, INT32_MAX),
    FIELD_STRING("succeededIndexes", success_rule, succeeded_indexes, 0),
};
static const struct schema success_rule_schema =
    SCHEMA_COMPLETE(success_rule, success_rule_fields, nothing_unused);

static const struct field success_policy_fields[] = {
    FIELD_LIST("rules", success_policy, rules, rule_count, 0, success_rule_schema),
};
const struct schema success_policy_schema =
    SCHEMA_COMPLETE(success_policy, success_policy_fields, nothing_unused);
