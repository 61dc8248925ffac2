/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs, each pod by itself. With policies each pod has its index, each index how often it has
 * failed, and each pod that is lost has every exit code of its containers: what the policy says of
 * it is asked then, and not known beforehand.
 */
#include "decide/controller/job_controller.h"
#include "twin/twin_internal.h"

#include <stdlib.h>
#include <string.h>

enum { ENDS_DISRUPTED, ENDS_DELETED, ENDS_DISOWNED };
enum { INDEX_NEW, INDEX_BEGUN, INDEX_DONE, INDEX_FAILED };
enum { GOES_ON, COMPLETE, HAS_FAILED, WILL_COMPLETE, WILL_FAIL };

static const struct job *job_of(const struct twin *twin, uint32_t workload)
{
    return twin->workloads[workload].setup->object->as.job;
}

static bool waits_for_ends(const struct twin *twin, uint32_t workload)
{
    return job_replaces_only_failed(&twin->features, job_of(twin, workload));
}

static bool limits_indexes(const struct twin *twin, uint32_t workload)
{
    return job_limits_indexes(&twin->features, job_of(twin, workload));
}

static bool tracks_indexes(const struct twin *twin, uint32_t workload)
{
    const struct job *job = job_of(twin, workload);
    return job->completion_mode == COMPLETION_INDEXED &&
           (limits_indexes(twin, workload) ||
            (twin->features.job_success_policy && job->success_policy));
}

bool twin_job_has_rules(const struct twin *twin, uint32_t workload)
{
    return twin->workloads[workload].kind == OBJECT_JOB &&
           (waits_for_ends(twin, workload) || tracks_indexes(twin, workload));
}

/* By which rules of the success policy the index is listed. */
static uint32_t kind_of_index(struct twin *twin, uint32_t workload, uint32_t index)
{
    const struct job *job = job_of(twin, workload);
    uint32_t kind = 0;
    for (uint32_t r = 0; twin->features.job_success_policy && job->success_policy &&
                         r < job->success_policy->rule_count;
         r++) {
        const struct job_indexes listed =
            job_indexes_parse(&twin->scratch, job->success_policy->rules[r].succeeded_indexes,
                              job->completions.value);
        kind |= (uint32_t)job_indexes_has(&listed, index) << r;
    }
    return kind;
}

bool twin_job_has_variants(struct twin *twin, uint32_t workload)
{
    const struct job *job = job_of(twin, workload);
    if (!tracks_indexes(twin, workload))
        return false;
    for (uint32_t i = 1; (int64_t)i < job->completions.value; i++)
        if (kind_of_index(twin, workload, i) != kind_of_index(twin, workload, 0))
            return true;
    return limits_indexes(twin, workload) && job->backoff_limit_per_index.value > 0;
}

bool twin_job_pods_are_alike(struct twin *twin, const struct place_of_pod *one,
                             const struct place_of_pod *other)
{
    const uint32_t workload = workload_of(twin, one);
    return workload == workload_of(twin, other) && tracks_indexes(twin, workload) &&
           one->failures == other->failures &&
           kind_of_index(twin, workload, one->member) ==
               kind_of_index(twin, workload, other->member);
}

/* ---- what folding leaves of it ---- */

static bool asks_for_disruptions(const struct job *job)
{
    const struct pod_failure_policy *policy = job->pod_failure_policy;
    for (uint32_t r = 0; policy && r < policy->rule_count; r++)
        for (uint32_t c = 0; c < policy->rules[r].on_condition_count; c++)
            if (strcmp(policy->rules[r].on_conditions[c].type, "DisruptionTarget") == 0)
                return true;
    return false;
}

const char *twin_job_pod_text(struct twin *twin, const struct place_of_pod *pod)
{
    const uint32_t workload = workload_of(twin, pod);
    if (!twin_job_has_rules(twin, workload))
        return "";
    uint32_t end = 0;
    if (pod->stage == POD_TERMINATES && waits_for_ends(twin, workload))
        end = 1 + (pod->ends == ENDS_DELETED && !asks_for_disruptions(job_of(twin, workload))
                       ? ENDS_DISRUPTED
                       : pod->ends);
    if (!tracks_indexes(twin, workload))
        return arena_printf(&twin->scratch, ".%u", end);
    return arena_printf(&twin->scratch, ".%u.%u.%u", end,
                        kind_of_index(twin, workload, pod->member), pod->failures);
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left;
    const uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static bool has_pod(const struct twin *twin, const struct twin_state *state, uint32_t workload,
                    uint32_t index)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_there(&state->pods[p]) && workload_of(twin, &state->pods[p]) == workload &&
            state->pods[p].member == index &&
            (state->pods[p].stage != POD_TERMINATES || waits_for_ends(twin, workload)))
            return true;
    return false;
}

void twin_job_text(struct twin *twin, const struct twin_state *state, uint32_t workload,
                   struct text *text)
{
    if (!twin_job_has_rules(twin, workload))
        return;
    text_printf(text, "j%u/%u", state->doomed[workload], state->leaves[workload]);
    uint32_t numbers[TWIN_INDEXES_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < TWIN_INDEXES_MOST && tracks_indexes(twin, workload) &&
                         (int64_t)i < job_of(twin, workload)->completions.value;
         i++) {
        const uint32_t is = state->indexes[workload][i];
        const bool retried = is == INDEX_BEGUN && !has_pod(twin, state, workload, i);
        numbers[count++] = kind_of_index(twin, workload, i) << 16 | is << 8 |
                           (retried ? 1 + state->index_failures[workload][i] : 0);
    }
    qsort(numbers, count, sizeof(*numbers), compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        text_printf(text, "/%x", numbers[i]);
    text_append_char(text, ' ');
}

/* ---- pods that are lost ---- */

/* Who says so tells how the pod ends: a bit for each match. */
static unsigned matches_of(const struct twin *twin, const struct place_of_pod *pod,
                           enum twin_action action)
{
    const uint32_t workload = workload_of(twin, pod);
    const struct job *job = job_of(twin, workload);
    const struct pod_spec *spec = &job->template.spec;
    const char *outcome = labels_find(&job->template.meta.annotations, "fathom.dev/outcome");
    const bool terminated = pod->stage == POD_TERMINATES;
    const bool collected = action == TWIN_ACT_COLLECT || action == TWIN_ACT_POD_GARBAGE;
    const bool rejected =
        !terminated && (action == TWIN_ACT_REJECT || action == TWIN_ACT_PRESSURE_REJECT ||
                        action == TWIN_ACT_EVENT_DELETE);
    const bool fails = action == TWIN_ACT_POD_FAILS;
    const bool disrupted =
        collected || (terminated ? pod->ends == ENDS_DISRUPTED : !rejected && !fails);
    struct condition condition = {.type = "DisruptionTarget", .status = "True"};
    struct pod lost = {.status.phase = POD_FAILED};
    struct container_status status = {.state = CONTAINER_TERMINATED};
    unsigned matches = 0;
    lost.status.conditions = (struct conditions){&condition, disrupted};
    if (collected || rejected)
        return 1U << job_policy_match(&twin->features, job, &lost);
    lost.status.container_statuses = &status;
    lost.status.container_status_count = 1;
    const bool any = fails || (outcome && strcmp(outcome, "succeeds") != 0);
    for (uint32_t c = 0; c < spec->container_count; c++)
        for (int32_t code = any ? 1 : 137; code <= (any ? 255 : 143); code += any ? 1 : 6) {
            status.name = spec->containers[c].name;
            status.exit_code = code;
            matches |= 1U << job_policy_match(&twin->features, job, &lost);
        }
    return matches;
}

/* The Job learns that it has lost the pod. */
static void count_loss(const struct twin *twin, struct twin_state *next,
                       const struct place_of_pod *pod, enum job_match match, bool leaves)
{
    const uint32_t workload = workload_of(twin, pod);
    const struct job *job = job_of(twin, workload);
    const bool counts = !limits_indexes(twin, workload) || job->backoff_limit_given;
    const bool ignored = match == JOB_MATCH_IGNORE;
    next->failed[workload] += counts && !ignored;
    next->doomed[workload] |= match == JOB_MATCH_FAIL_JOB;
    next->leaves[workload] |= leaves && (!counts || ignored);
    if (!tracks_indexes(twin, workload) || !limits_indexes(twin, workload) || ignored)
        return;
    if (match == JOB_MATCH_FAIL_INDEX || pod->failures >= job->backoff_limit_per_index.value)
        next->indexes[workload][pod->member] = INDEX_FAILED;
    else
        next->index_failures[workload][pod->member] = pod->failures + 1;
}

/* Does the Job lose the pod of this place by the step? */
static bool is_lost(const struct twin *twin, const struct twin_state *state,
                    const struct twin_state *next, uint32_t place)
{
    const struct place_of_pod *before = &state->pods[place];
    const struct place_of_pod *after = &next->pods[place];
    if (!pod_is_there(before))
        return false;
    const uint32_t workload = workload_of(twin, before);
    if (!twin_job_has_rules(twin, workload) || next->present[workload] == NOBODY ||
        next->over[workload] != GOES_ON)
        return false;
    if (waits_for_ends(twin, workload))
        return !pod_is_there(after) && !before->disowned;
    return before->stage != POD_TERMINATES &&
           (!pod_is_there(after) || after->stage == POD_TERMINATES);
}

static bool is_of_job_itself(enum twin_action action)
{
    switch (action) {
    case TWIN_ACT_JOB_CREATE:
    case TWIN_ACT_JOB_DELETE:
    case TWIN_ACT_POD_SUCCEEDS: return true;
    default: return false;
    }
}

static void lose(const struct twin_run *run, const struct twin_state *next, uint32_t from,
                 enum twin_action action, void (*emit)(void *context, struct twin_state *next),
                 void *context)
{
    struct twin *twin = run->twin;
    uint32_t place = from;
    while (place < TWIN_PODS_MOST && !is_lost(twin, run->state, next, place))
        place++;
    if (place == TWIN_PODS_MOST) {
        struct twin_state counted = *next;
        emit(context, &counted);
        return;
    }
    const struct place_of_pod *pod = &run->state->pods[place];
    const bool waits = waits_for_ends(twin, workload_of(twin, pod));
    const unsigned matches = waits ? matches_of(twin, pod, action) : 1U << JOB_MATCH_NONE;
    const bool leaves =
        !waits || (pod->stage != POD_TERMINATES &&
                   (action == TWIN_ACT_POD_FAILS || action == TWIN_ACT_REJECT ||
                    action == TWIN_ACT_PRESSURE_REJECT || action == TWIN_ACT_EVENT_DELETE));
    /* No rule, or one that says Count. */
    const unsigned plain = 1U << JOB_MATCH_NONE | 1U << JOB_MATCH_COUNT;
    for (int match = JOB_MATCH_NONE; match <= JOB_MATCH_FAIL_JOB; match++) {
        const bool first = match == JOB_MATCH_NONE && (matches & plain);
        const bool other =
            match != JOB_MATCH_NONE && match != JOB_MATCH_COUNT && (matches & 1U << match);
        if (!first && !other)
            continue;
        struct twin_state counted = *next;
        count_loss(twin, &counted, pod, (enum job_match)match, leaves);
        lose(run, &counted, place + 1, action, emit, context);
    }
}

void twin_job_losses(const struct twin_run *run, const struct twin_state *next,
                     enum twin_action action, void (*emit)(void *context, struct twin_state *next),
                     void *context)
{
    struct twin_state marked = *next;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        struct place_of_pod *pod = &marked.pods[p];
        if (pod_is_there(pod) && pod->stage == POD_TERMINATES &&
            run->state->pods[p].stage != POD_TERMINATES)
            pod->ends = pod->disowned                     ? ENDS_DISOWNED
                        : action == TWIN_ACT_EVENT_DELETE ? ENDS_DELETED
                                                          : ENDS_DISRUPTED;
    }
    lose(run, &marked, is_of_job_itself(action) ? TWIN_PODS_MOST : 0, action, emit, context);
}

/* ---- the controller ---- */

struct job_sync {
    struct twin_run *run;
    uint32_t workload;
    bool tracks;
    struct job_decision decision;
    struct job_pod_class pods[TWIN_PODS_MOST + 1];
    uint32_t places[TWIN_PODS_MOST];
    uint32_t count;
};

static struct job_indexes indexes_that(struct twin *twin, const struct twin_state *state,
                                       uint32_t workload, uint32_t are)
{
    const struct job_indexes none = {0};
    int64_t numbers[TWIN_INDEXES_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0; i < TWIN_INDEXES_MOST; i++)
        if (state->indexes[workload][i] == are)
            numbers[count++] = i;
    return job_indexes_with(&twin->scratch, &none, numbers, count);
}

static void decide_job(struct job_sync *sync, bool late)
{
    struct twin *twin = sync->run->twin;
    const struct twin_state *state = sync->run->state;
    const uint32_t workload = sync->workload;
    const bool waits = waits_for_ends(twin, workload);
    struct job job = *twin_spec(twin, state, workload)->as.job;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (!pod_is_there(pod) || workload_of(twin, pod) != workload)
            continue;
        const bool counted = sync->tracks && !waits && pod->stage == POD_TERMINATES;
        sync->places[sync->count] = p;
        sync->pods[sync->count++] = (struct job_pod_class){
            .count = 1,
            .phase = pod->stage == POD_IS_READY ? POD_RUNNING : POD_PENDING,
            .finalizer = !pod->disowned && !counted,
            .index = sync->tracks ? pod->member : JOB_NO_INDEX,
            .failures = pod->failures,
            .assigned = pod->node != NOBODY,
            .terminating = pod->stage == POD_TERMINATES,
            .ready = twin_pod_ready(state, p),
            .ready_age = JOB_AGE_UNSET,
            .creation_age = JOB_AGE_UNSET,
        };
    }
    if (state->doomed[workload])
        sync->pods[sync->count] = (struct job_pod_class){
            .count = 1, .phase = POD_FAILED, .index = JOB_NO_INDEX, .match = JOB_MATCH_FAIL_JOB};
    if (!sync->tracks)
        job.completion_mode = COMPLETION_NON_INDEXED;
    job.parallelism = (struct optional_int){true, state->replicas[workload]};
    const struct job_input input = {
        .features = &twin->features,
        .job = &job,
        .tracking = true,
        .started = true,
        .start_age = late ? INT64_MAX : 0,
        .succeeded = state->succeeded[workload],
        .failed = state->failed[workload],
        .target = state->over[workload] == WILL_COMPLETE ? JOB_TARGET_SUCCESS
                  : state->over[workload] == WILL_FAIL   ? JOB_TARGET_FAILURE
                                                         : JOB_NO_TARGET,
        .completed = indexes_that(twin, state, workload, INDEX_DONE),
        .failed_indexes = indexes_that(twin, state, workload, INDEX_FAILED),
        .suspension = job.suspend ? JOB_SUSPENDED : JOB_SUSPENSION_UNSET,
        .create_limit = -1,
        .pods = sync->pods,
        .pod_count = sync->count + state->doomed[workload],
    };
    job_decide(&twin->scratch, &input, &sync->decision);
}

/* From 1.31 on a Job is over when its pods are. */
static uint32_t over_after(const struct job_sync *sync)
{
    const bool waits = sync->run->twin->features.job_two_steps && !sync->decision.finished;
    if (job_finish_is_success(sync->decision.finish))
        return waits ? WILL_COMPLETE : COMPLETE;
    return waits ? WILL_FAIL : HAS_FAILED;
}

static enum twin_action end_of_job(const struct job_sync *sync)
{
    switch (sync->decision.finish) {
    case JOB_COMPLETE:
        return over_after(sync) == WILL_COMPLETE ? TWIN_ACT_JOB_SUCCEED : TWIN_ACT_JOB_COMPLETE;
    case JOB_SUCCESS_POLICY: return TWIN_ACT_JOB_SUCCESS_POLICY;
    case JOB_BACKOFF_LIMIT_EXCEEDED: return TWIN_ACT_JOB_FAIL;
    case JOB_DEADLINE_EXCEEDED: return TWIN_ACT_JOB_DEADLINE;
    case JOB_POD_FAILURE_POLICY: return TWIN_ACT_JOB_FAILURE_POLICY;
    case JOB_FAILED_INDEXES:
    case JOB_MAX_FAILED_INDEXES: return TWIN_ACT_JOB_FAILED_INDEXES;
    default: return TWIN_ACT_JOB_ENDED;
    }
}

/* Those that go for sure, and any so many of those that are tied. */
static void delete_job_pods(const struct job_sync *sync, enum twin_action action)
{
    const struct job_decision *decision = &sync->decision;
    const uint32_t workload = sync->workload;
    struct twin *twin = sync->run->twin;
    for (uint32_t chosen = 0; chosen < 1U << sync->count; chosen++) {
        struct twin_state next = *sync->run->state;
        int64_t tied = 0;
        bool good = true;
        for (uint32_t i = 0; i < sync->count; i++) {
            const bool goes = chosen >> i & 1;
            tied += decision->tied[i] && goes;
            good = good && (decision->tied[i] || goes == (decision->deletions[i] > 0));
        }
        if (!good || tied != decision->tie_deleted)
            continue;
        if (decision->finish != JOB_NOT_OVER) {
            next.over[workload] = over_after(sync);
            next.succeeded[workload] = 0;
            next.failed[workload] = 0;
            next.doomed[workload] = 0;
            next.leaves[workload] = 0;
            memset(next.indexes[workload], 0, sizeof(next.indexes[workload]));
            memset(next.index_failures[workload], 0, sizeof(next.index_failures[workload]));
        }
        for (uint32_t i = 0; i < sync->count; i++)
            if (chosen >> i & 1) {
                next.pods[sync->places[i]].disowned = 1;
                end_pod(twin, &next, sync->places[i]);
            }
        twin_emit(sync->run, &next, action, about_workload(workload), workload, 0, FAST);
    }
}

/* Pods for so many of the indexes, or without. */
static void create_pods(const struct job_sync *sync, const int64_t *indexes, uint32_t count)
{
    struct twin_run *run = sync->run;
    const uint32_t workload = sync->workload;
    const uint32_t revision = run->state->present[workload];
    for (uint32_t amount = twin_admit(run, revision, about_workload(workload), count); amount > 0;
         amount = twin_fewer(run->twin, revision, amount)) {
        struct twin_state next = *run->state;
        for (uint32_t i = 0; i < amount; i++) {
            new_pod(run->twin, &next, revision, indexes ? (uint32_t)indexes[i] : NOBODY);
            if (!indexes)
                continue;
            for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
                if (pod_is_there(&next.pods[p]) && !pod_is_there(&run->state->pods[p]) &&
                    next.pods[p].member == indexes[i])
                    next.pods[p].failures = next.index_failures[workload][indexes[i]];
            next.indexes[workload][indexes[i]] = INDEX_BEGUN;
        }
        twin_emit(run, &next, TWIN_ACT_JOB_CREATE, about_workload(workload), workload, 0, FAST);
    }
}

/* Pods whose indexes are alike come together; others may act in between. What was never begun comes
 * from the lowest index on: only its first ones that are alike come now. */
static void create_indexed(const struct job_sync *sync)
{
    struct twin *twin = sync->run->twin;
    const uint32_t workload = sync->workload;
    const uint32_t count = sync->decision.created_indexes.count;
    const int64_t *created = sync->decision.created_indexes.items;
    const uint8_t *are = sync->run->state->indexes[workload];
    const uint8_t *failures = sync->run->state->index_failures[workload];
    uint32_t kinds[TWIN_INDEXES_MOST];
    bool waits[TWIN_INDEXES_MOST] = {false};
    uint32_t first_new = count;
    for (uint32_t i = 0; i < count; i++) {
        kinds[i] = kind_of_index(twin, workload, (uint32_t)created[i]);
        if (are[created[i]] != INDEX_NEW)
            continue;
        if (first_new == count)
            first_new = i;
        waits[i] = kinds[i] != kinds[first_new] || (i > first_new && waits[i - 1]);
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t alike[TWIN_INDEXES_MOST];
        uint32_t alike_count = 0;
        for (uint32_t j = i; !waits[i] && j < count; j++)
            if ((j == i || !waits[j]) && kinds[j] == kinds[i] &&
                failures[created[j]] == failures[created[i]]) {
                alike[alike_count++] = created[j];
                waits[j] = j != i || waits[j];
            }
        if (alike_count > 0)
            create_pods(sync, alike, alike_count);
    }
}

void twin_sync_job(struct twin_run *run, uint32_t number, bool late)
{
    struct job_sync sync = {
        .run = run, .workload = number, .tracks = tracks_indexes(run->twin, number)};
    const uint32_t over = run->state->over[number];
    if (over == COMPLETE || over == HAS_FAILED)
        return;
    decide_job(&sync, late);
    const struct job_decision *decision = &sync.decision;
    if (decision->finish != JOB_NOT_OVER) {
        if (over_after(&sync) != over || decision->deleted > 0)
            delete_job_pods(&sync, end_of_job(&sync));
    } else if (decision->deleted > 0) {
        delete_job_pods(&sync, TWIN_ACT_JOB_DELETE);
    } else if (decision->created > 0 && sync.tracks) {
        create_indexed(&sync);
    } else if (decision->created > 0) {
        create_pods(&sync, NULL, (uint32_t)decision->created);
    }
}

/* Its pods run for as long as they like; that keeps nobody from resting. */
void twin_job_pods(struct twin_run *run)
{
    struct twin *twin = run->twin;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage != POD_IS_READY || kind_of(twin, pod) != OBJECT_JOB ||
            (run->state->conditions[pod->node] != UP &&
             run->state->conditions[pod->node] != CANDIDATE &&
             run->state->conditions[pod->node] != SPARE &&
             run->state->conditions[pod->node] != LEAVING &&
             run->state->conditions[pod->node] != CORDONED))
            continue;
        const uint32_t workload = workload_of(twin, pod);
        const char *outcome = labels_find(&twin->revisions[pod->revision].pod->meta.annotations,
                                          "fathom.dev/outcome");
        if (!outcome || strcmp(outcome, "fails") != 0) {
            struct twin_state next = *run->state;
            if (next.over[workload] == GOES_ON && next.present[workload] != NOBODY) {
                next.succeeded[workload]++;
                if (tracks_indexes(twin, workload))
                    next.indexes[workload][pod->member] = INDEX_DONE;
            }
            next.pods[p] = (struct place_of_pod){0};
            twin_emit(run, &next, TWIN_ACT_POD_SUCCEEDS, about_pod(p), workload, 0, IDLE);
        }
        if (outcome && strcmp(outcome, "succeeds") != 0) {
            struct twin_state next = *run->state;
            lose_pod(twin, &next, p);
            twin_emit(run, &next, TWIN_ACT_POD_FAILS, about_pod(p), workload, 0, IDLE);
        }
    }
}

void twin_job_deadlines(struct twin_run *run)
{
    for (uint32_t w = 0; w < run->twin->workload_count; w++)
        if (run->twin->workloads[w].kind == OBJECT_JOB && run->state->present[w] != NOBODY &&
            run->state->over[w] == GOES_ON) {
            const struct job *job = twin_spec(run->twin, run->state, w)->as.job;
            if (job->active_deadline_seconds.set && !job->suspend)
                twin_sync_job(run, w, true);
        }
}
