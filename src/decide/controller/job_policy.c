/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/job_policy.h"

#include "decide/claim.h"

#include <string.h>

static bool lists_code(const struct exit_code_rule *rule, int64_t code)
{
    for (uint32_t i = 0; i < rule->value_count; i++)
        if (rule->values[i] == code)
            return true;
    return false;
}

static bool matches_container(const struct exit_code_rule *rule,
                              const struct container_status *statuses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct container_status *status = &statuses[i];
        if (status->state == CONTAINER_TERMINATED && status->exit_code != 0 &&
            (!rule->container_name || claim_same_text(rule->container_name, status->name)) &&
            lists_code(rule, status->exit_code) != (rule->relation == EXIT_CODE_NOT_IN))
            return true;
    }
    return false;
}

static bool matches_conditions(const struct pod_failure_rule *rule,
                               const struct conditions *conditions)
{
    for (uint32_t c = 0; c < conditions->count; c++)
        for (uint32_t i = 0; i < rule->on_condition_count; i++) {
            const struct condition_pattern *pattern = &rule->on_conditions[i];
            if (claim_same_text(pattern->type, conditions->items[c].type) &&
                claim_same_text(pattern->status ? pattern->status : "True",
                                conditions->items[c].status))
                return true;
        }
    return false;
}

static bool rule_matches(const struct pod_failure_rule *rule, const struct pod_status *status)
{
    if (rule->on_exit_codes)
        return matches_container(rule->on_exit_codes, status->container_statuses,
                                 status->container_status_count) ||
               matches_container(rule->on_exit_codes, status->init_container_statuses,
                                 status->init_container_status_count);
    return matches_conditions(rule, &status->conditions);
}

enum job_match job_policy_match(const struct features *features, const struct job *job,
                                const struct pod *pod)
{
    const struct pod_failure_policy *policy = job->pod_failure_policy;
    for (uint32_t i = 0; policy && i < policy->rule_count; i++) {
        if (!rule_matches(&policy->rules[i], &pod->status))
            continue;
        switch (policy->rules[i].action) {
        case JOB_RULE_COUNT: return JOB_MATCH_COUNT;
        case JOB_RULE_IGNORE: return JOB_MATCH_IGNORE;
        case JOB_RULE_FAIL_JOB: return JOB_MATCH_FAIL_JOB;
        case JOB_RULE_FAIL_INDEX:
            /* A version that does not know limits of indexes goes on to the next rule. */
            if (features->job_limit_per_index)
                return JOB_MATCH_FAIL_INDEX;
            break;
        }
    }
    return JOB_MATCH_NONE;
}

static bool rule_is_met(struct arena *arena, const struct success_rule *rule, int64_t completions,
                        const struct job_indexes *succeeded)
{
    const int64_t count = rule->succeeded_count.value;
    if (!rule->succeeded_indexes)
        return rule->succeeded_count.set && job_indexes_total(succeeded) >= count;
    const struct job_indexes wanted =
        job_indexes_parse(arena, rule->succeeded_indexes, completions);
    if (wanted.count == 0)
        return false;
    const int64_t found = job_indexes_common(&wanted, succeeded);
    return found == job_indexes_total(&wanted) || (rule->succeeded_count.set && found >= count);
}

bool job_success_policy_met(struct arena *arena, const struct features *features,
                            const struct job *job, const struct job_indexes *succeeded)
{
    const struct success_policy *policy = job->success_policy;
    if (!features->job_success_policy || !policy || succeeded->count == 0)
        return false;
    for (uint32_t i = 0; i < policy->rule_count; i++)
        if (rule_is_met(arena, &policy->rules[i], job->completions.value, succeeded))
            return true;
    return false;
}
