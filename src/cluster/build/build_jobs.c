/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the policies of a Job make of pods that are lost.
 *
 * The rules of a pod failure policy are asked by the code that the controller has (job_policy.h),
 * for every status that the pod may have then. Which exit code a container has is up to the
 * environment: if the pods may fail, any code; a container that is killed ends with 143 (SIGTERM)
 * or 137 (SIGKILL). Of the codes that no rule lists one stands for all. A rule matches a pod if it
 * matches one of its containers, so pods of which one container has failed stand for all others.
 */
#include "cluster/build/build_jobs.h"
#include "cluster/build/build_pods.h"
#include "cluster/state/job_rules.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/controller/job_controller.h"
#include "decide/pod_requests.h"

#include <string.h>

typedef VEC(int32_t) exit_codes;

static bool codes_have(const exit_codes *codes, int64_t code)
{
    for (uint32_t i = 0; i < codes->count; i++)
        if (codes->items[i] == code)
            return true;
    return false;
}

enum { CODE_MOST = 255 };

static void add_codes(struct arena *arena, exit_codes *codes, const struct exit_code_rule *rule)
{
    for (uint32_t v = 0; rule && v < rule->value_count; v++)
        if (rule->values[v] > 0 && rule->values[v] <= CODE_MOST &&
            !codes_have(codes, rule->values[v]))
            VEC_PUSH(arena, codes, (int32_t)rule->values[v]);
}

/* Every code that a rule of the policy, or of a container, lists, and one that none does. */
static exit_codes codes_that_differ(struct arena *arena, const struct job *job)
{
    const struct pod_failure_policy *policy = job->pod_failure_policy;
    const struct pod_spec *spec = &job->template.spec;
    exit_codes codes = {0};
    for (uint32_t r = 0; r < policy->rule_count; r++)
        add_codes(arena, &codes, policy->rules[r].on_exit_codes);
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (uint32_t r = 0; r < spec->containers[c].restart_code_count; r++)
            add_codes(arena, &codes, &spec->containers[c].restart_codes[r]);
    int32_t other = 1;
    while (other < CODE_MOST && codes_have(&codes, other))
        other++;
    VEC_PUSH(arena, &codes, other);
    return codes;
}

struct asking {
    struct arena *arena;
    const struct features *features;
    const struct job *job;
};

/* What the policy says of a pod with these conditions, of which one container has failed; NULL:
 * none has. */
static unsigned match_of(const struct asking *asking, const struct conditions *conditions,
                         const struct container *container, bool init, int32_t code)
{
    struct container_status status = {.state = CONTAINER_TERMINATED, .exit_code = code};
    struct pod pod = {.status.phase = POD_FAILED, .status.conditions = *conditions};
    if (container) {
        status.name = container->name;
        pod.status.container_statuses = init ? NULL : &status;
        pod.status.container_status_count = init ? 0 : 1;
        pod.status.init_container_statuses = init ? &status : NULL;
        pod.status.init_container_status_count = init ? 1 : 0;
    }
    const enum job_match match = job_policy_match(asking->features, asking->job, &pod);
    const bool counts =
        match == JOB_MATCH_COUNT ||
        (match == JOB_MATCH_FAIL_INDEX && !job_limits_indexes(asking->features, asking->job));
    return 1U << (counts ? JOB_MATCH_NONE : match);
}

/* Is the container started again when it fails with this code? Then its pod has not failed. */
static bool starts_again(const struct asking *asking, const struct container *container,
                         int32_t code)
{
    if (container_is_sidecar(asking->features, container))
        return true;
    if (!asking->features->container_restart_rules)
        return false;
    for (uint32_t r = 0; r < container->restart_code_count; r++) {
        const struct exit_code_rule *rule = &container->restart_codes[r];
        bool listed = false;
        for (uint32_t v = 0; v < rule->value_count; v++)
            listed |= rule->values[v] == code;
        if (listed != (rule->relation == EXIT_CODE_NOT_IN))
            return true;
    }
    return container->restart_policy && strcmp(container->restart_policy, "Never") != 0;
}

/* The same for each container and each of the codes. A pod that is to end starts none again. */
static unsigned matches_of(const struct asking *asking, const struct conditions *conditions,
                           const exit_codes *codes, bool ends)
{
    const struct pod_spec *spec = &asking->job->template.spec;
    unsigned matches = 0;
    for (uint32_t i = 0; i < codes->count; i++) {
        for (uint32_t c = 0; c < spec->container_count; c++)
            if (ends || !starts_again(asking, &spec->containers[c], codes->items[i]))
                matches |=
                    match_of(asking, conditions, &spec->containers[c], false, codes->items[i]);
        for (uint32_t c = 0; c < spec->init_container_count; c++)
            if (ends || !starts_again(asking, &spec->init_containers[c], codes->items[i]))
                matches |=
                    match_of(asking, conditions, &spec->init_containers[c], true, codes->items[i]);
    }
    return matches;
}

static void find_matches(const struct asking *asking, struct job_rules *rules)
{
    enum { SIGTERM_CODE = 143, SIGKILL_CODE = 137 };
    struct condition items[] = {
        {.type = "PodScheduled", .status = "True"},     {.type = "Ready", .status = "False"},
        {.type = "ContainersReady", .status = "False"}, {.type = "Initialized", .status = "True"},
        {.type = "DisruptionTarget", .status = "True"},
    };
    const struct conditions rejected = {items, 1};
    const struct conditions plain = {items, 4};
    const struct conditions disrupted = {items, 5};
    const exit_codes any = codes_that_differ(asking->arena, asking->job);
    exit_codes killed = {0};
    if (template_outcome(&asking->job->template) != OUTCOME_SUCCEEDS)
        killed = codes_that_differ(asking->arena, asking->job);
    VEC_PUSH(asking->arena, &killed, SIGTERM_CODE);
    VEC_PUSH(asking->arena, &killed, SIGKILL_CODE);
    rules->matches[LOSS_FAILED] = matches_of(asking, &plain, &any, false);
    rules->matches[LOSS_REJECTED] = match_of(asking, &rejected, NULL, false, 0);
    rules->matches[LOSS_DISRUPTED] = matches_of(asking, &disrupted, &killed, true);
    rules->matches[LOSS_DELETED] = matches_of(asking, &plain, &killed, true);
    rules->matches[LOSS_ORPHANED] = match_of(asking, &disrupted, NULL, false, 0);
}

/* Sorts the indexes by the rules of the success policy that list them. */
static void find_kinds(const struct asking *asking, struct job_rules *rules, int64_t completions)
{
    const struct success_policy *policy =
        asking->features->job_success_policy ? asking->job->success_policy : NULL;
    uint32_t *kinds = ARENA_ARRAY(asking->arena, uint32_t, (size_t)completions + 1);
    VEC(uint64_t) listings = {0}; /* by kind: a bit a rule */
    uint64_t *listed = ARENA_ARRAY(asking->arena, uint64_t, (size_t)completions + 1);
    for (uint32_t r = 0; policy && r < policy->rule_count && r < 64; r++) {
        const struct job_indexes indexes =
            job_indexes_parse(asking->arena, policy->rules[r].succeeded_indexes, completions);
        for (uint32_t i = 0; i < indexes.count; i++)
            for (int64_t index = indexes.items[i].first; index <= indexes.items[i].last; index++)
                listed[index] |= UINT64_C(1) << r;
    }
    for (int64_t index = 0; index < completions; index++) {
        uint32_t kind = 0;
        while (kind < listings.count && listings.items[kind] != listed[index])
            kind++;
        if (kind == listings.count)
            VEC_PUSH(asking->arena, &listings, listed[index]);
        kinds[index] = kind;
    }
    rules->kinds = kinds;
    rules->kind_count = listings.count > 0 ? listings.count : 1;
}

struct job_rules *job_rules_make(struct arena *arena, const struct features *features,
                                 const struct job *job, struct optional_int completions)
{
    const struct asking asking = {arena, features, job};
    const bool limits = job_limits_indexes(features, job);
    struct job_rules rules = {
        .waits_for_ends = job_replaces_only_failed(features, job),
        .limits = limits,
        .counts_failures = !limits || job->backoff_limit_given,
        .failures_most = limits ? (uint32_t)job->backoff_limit_per_index.value : 0,
        .kind_count = 1,
        .tracks = job->completion_mode == COMPLETION_INDEXED &&
                  (limits || (features->job_success_policy && job->success_policy)),
    };
    if (!rules.waits_for_ends && !rules.tracks)
        return NULL;
    for (int loss = 0; loss < JOB_LOSS_COUNT; loss++)
        rules.matches[loss] = 1U << JOB_MATCH_NONE;
    if (job->pod_failure_policy)
        find_matches(&asking, &rules);
    rules.ends_alike = rules.matches[LOSS_DISRUPTED] == rules.matches[LOSS_DELETED];
    if (rules.tracks)
        find_kinds(&asking, &rules, completions.value);
    return arena_copy(arena, &rules, sizeof(rules));
}

uint32_t number_job_notes(struct population *population, uint32_t first)
{
    for (uint32_t w = 0; w < population->managed_count; w++) {
        struct job_rules *rules = population->workloads.items[w].job_rules;
        if (!rules)
            continue;
        rules->first_note = first;
        first += job_note_count(rules);
    }
    return first;
}
