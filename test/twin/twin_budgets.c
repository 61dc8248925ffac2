/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Budgets: the state is written down as the objects that the API server would
 * have, and `decide pdb` is asked, for the version of Kubernetes. So none of
 * the rules is here: whom a selector finds, whose scale counts, whom a budget
 * guards against an eviction.
 *
 * Where statuses lag, the eviction API is asked with those that were written last.
 */
#include "decide/controller/eviction.h"
#include "decide/decider.h"
#include "manifest/document.h"
#include "manifest/manifest.h"
#include "twin/twin_internal.h"

#include <string.h>

/* ---- the state as objects ---- */

static void put(struct twin *twin, struct objects *objects, enum object_kind kind,
                struct object_meta *meta, void *as)
{
    static const struct document nothing;
    const struct object object = {.kind = kind,
                                  .kind_name = object_kind_name(kind),
                                  .source = &nothing,
                                  .meta = meta,
                                  .as.any = as};
    objects_put(&twin->scratch, objects, &object);
}

/* The workload with as many replicas as it wants now. */
static void put_workload(const struct twin_run *run, struct objects *objects, uint32_t number)
{
    struct twin *twin = run->twin;
    const struct object *source = twin->workloads[number].setup->object;
    struct arena *arena = &twin->scratch;
    const int32_t replicas = run->state->replicas[number];
    if (source->kind == OBJECT_DEPLOYMENT) {
        struct deployment *copy = arena_copy(arena, source->as.deployment, sizeof(*copy));
        copy->replicas = replicas;
        put(twin, objects, source->kind, &copy->meta, copy);
    } else if (source->kind == OBJECT_REPLICA_SET) {
        struct replica_set *copy = arena_copy(arena, source->as.replica_set, sizeof(*copy));
        copy->replicas = replicas;
        put(twin, objects, source->kind, &copy->meta, copy);
    } else if (source->kind == OBJECT_STATEFUL_SET) {
        struct stateful_set *copy = arena_copy(arena, source->as.stateful_set, sizeof(*copy));
        copy->replicas = replicas;
        put(twin, objects, source->kind, &copy->meta, copy);
    } else if (source->kind != OBJECT_POD) {
        objects_put(arena, objects, source);
    }
}

/* The ReplicaSet of a Deployment's revision. */
static void put_set(const struct twin_run *run, struct objects *objects, uint32_t revision)
{
    struct twin *twin = run->twin;
    const struct pod *pod = twin->revisions[revision].pod;
    const struct object *owner = twin->workloads[twin->revisions[revision].workload].setup->object;
    struct replica_set *set = ARENA_NEW(&twin->scratch, struct replica_set);
    struct owner_reference *reference = ARENA_NEW(&twin->scratch, struct owner_reference);
    *reference = (struct owner_reference){.api_version = "apps/v1",
                                          .kind = "Deployment",
                                          .name = owner->meta->name,
                                          .controller = true};
    set->meta = *owner->meta;
    set->meta.name = pod->meta.owners[0].name;
    set->meta.uid = NULL;
    set->meta.owners = reference;
    set->meta.owner_count = 1;
    set->replicas = run->state->set_replicas[revision];
    put(twin, objects, OBJECT_REPLICA_SET, &set->meta, set);
}

static struct pod *put_pod(const struct twin_run *run, struct objects *objects, uint32_t revision,
                           const char *name)
{
    struct twin *twin = run->twin;
    struct pod *pod = arena_copy(&twin->scratch, twin->revisions[revision].pod, sizeof(struct pod));
    pod->meta.name = name;
    pod->status = (struct pod_status){.phase = POD_PENDING, .start_time = TIME_NONE};
    put(twin, objects, OBJECT_POD, &pod->meta, pod);
    return pod;
}

static const char *name_of(struct twin *twin, uint32_t place)
{
    return arena_printf(&twin->scratch, "pod-%u", place);
}

static void put_pods(const struct twin_run *run, struct objects *objects)
{
    struct twin *twin = run->twin;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *place = &run->state->pods[p];
        if (!pod_is_there(place))
            continue;
        struct pod *pod = put_pod(run, objects, place->revision, name_of(twin, p));
        struct condition *ready = ARENA_NEW(&twin->scratch, struct condition);
        *ready = (struct condition){.type = "Ready",
                                    .status = twin_pod_ready(run->state, p) ? "True" : "False",
                                    .last_transition_time = TIME_NONE,
                                    .last_update_time = TIME_NONE,
                                    .last_heartbeat_time = TIME_NONE};
        pod->status.conditions = (struct conditions){ready, 1};
        pod->status.phase = twin_pod_runs(twin, place) ? POD_RUNNING : POD_PENDING;
        if (place->stage == POD_TERMINATES)
            pod->meta.deletion_time = 0;
    }
    /* The pods of a Job that have come to their end are still there; one stands for all. */
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].kind == OBJECT_JOB &&
            (run->state->over[w] || run->state->succeeded[w] > 0 || run->state->failed[w] > 0 ||
             run->state->leaves[w]))
            put_pod(run, objects, twin->workloads[w].first,
                    arena_printf(&twin->scratch, "finished-%u", w))
                ->status.phase = POD_SUCCEEDED;
}

/* Budgets that are deleted are left out; those that are there come first. */
static void put_budgets(const struct twin_run *run, struct objects *objects)
{
    struct twin *twin = run->twin;
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *source = &twin->scope->objects->items[i];
        if (source->kind != OBJECT_POD_DISRUPTION_BUDGET ||
            twin_object_deleted(twin, run->state, "PodDisruptionBudget", source->meta->name))
            continue;
        struct pod_disruption_budget *copy =
            arena_copy(&twin->scratch, source->as.pod_disruption_budget, sizeof(*copy));
        put(twin, objects, source->kind, &copy->meta, copy);
    }
}

static struct objects write_down(const struct twin_run *run)
{
    struct twin *twin = run->twin;
    struct objects objects = {0};
    put_budgets(run, &objects);
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (run->state->present[w] != NOBODY)
            put_workload(run, &objects, w);
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if (twin->workloads[twin->revisions[r].workload].kind == OBJECT_DEPLOYMENT &&
            run->state->present[twin->revisions[r].workload] != NOBODY)
            put_set(run, &objects, r);
    put_pods(run, &objects);
    return objects;
}

/* ---- asking ---- */

/* The answer of `decide pdb` on the objects: a list, with an entry for each budget. */
static const struct value *ask(struct twin *twin, const struct objects *objects)
{
    struct json_out json;
    struct problems problems;
    struct text answer;
    struct text sentences;
    const struct decide_choice choice = {.features = twin->features};
    problems_init(&problems, &twin->scratch);
    text_init(&answer, twin->memory);
    text_init(&sentences, twin->memory);
    json_out_init(&json, &answer, 0);
    json_object_begin(&json, NULL);
    if (!decider_pdb.decide_objects(&twin->scratch, objects, &choice, &json, &sentences, &problems))
        bug("decide pdb does not answer");
    json_object_end(&json);
    const struct document *document =
        manifest_reader_parse_json(twin->reader, &twin->scratch, (struct place){"answer", 1, 1},
                                   text_content(&answer), answer.length, &problems);
    text_release(&answer);
    text_release(&sentences);
    if (!document)
        bug("decide pdb does not answer in JSON");
    return value_find(&document->root, "result");
}

static int32_t number_of(const struct value *status, const char *key)
{
    int64_t number = 0;
    value_read_integer(value_find(status, key), &number);
    return (int32_t)number;
}

/* As the disruption controller does, for the API server to read. */
static void write_status(struct pod_disruption_budget *budget, const struct value *status)
{
    budget->status = (struct pod_disruption_budget_status){
        .observed_generation = budget->meta.generation,
        .current_healthy = number_of(status, "currentHealthy"),
        .desired_healthy = number_of(status, "desiredHealthy"),
        .expected_pods = number_of(status, "expectedPods"),
        .disruptions_allowed = number_of(status, "disruptionsAllowed"),
    };
}

static void read_pods(struct twin_run *run, const struct value *pods)
{
    for (uint32_t i = 0; i < pods->count; i++)
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
            bool evictable = false;
            if (strcmp(value_find_string(&pods->items[i], "name"), name_of(run->twin, p)) == 0 &&
                value_read_boolean(value_find(&pods->items[i], "evictable"), &evictable))
                run->guarded[p] = !evictable;
        }
}

/* ---- statuses that lag ---- */

/* The number of the budget, among all of the Check's; NULL: there are not so many. */
static const struct object *budget_at(const struct twin *twin, uint32_t number)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++)
        if (twin->scope->objects->items[i].kind == OBJECT_POD_DISRUPTION_BUDGET && number-- == 0)
            return &twin->scope->objects->items[i];
    return NULL;
}

static uint32_t number_of_budget(const struct twin *twin, const char *name)
{
    uint32_t number = 0;
    while (strcmp(budget_at(twin, number)->meta->name, name) != 0)
        number++;
    return number;
}

static struct eviction_budget status_written(const struct twin_state *state, uint32_t number,
                                             const struct pod_disruption_budget *budget)
{
    return (struct eviction_budget){
        .current_healthy = state->written[number] & 1,
        .desired_healthy = 1,
        .disruptions_allowed = state->written[number] >> 1,
        .observed = true,
        .unhealthy_eviction_policy = budget->unhealthy_eviction_policy,
    };
}

/* What the eviction API answers; `asked`: the budget that it goes by. */
static enum eviction_rule eviction_of(const struct twin *twin, const struct twin_state *state,
                                      uint32_t place, uint32_t *asked)
{
    const struct place_of_pod *pod = &state->pods[place];
    const struct object_meta *meta = &twin->revisions[pod->revision].pod->meta;
    const struct eviction_pod seen = {
        .phase = twin_pod_runs(twin, pod) ? POD_RUNNING : POD_PENDING,
        .terminating = pod->stage == POD_TERMINATES,
        .ready = pod->stage == POD_IS_READY,
    };
    struct eviction_budget guards[BUDGETS_MOST];
    uint32_t count = 0;
    const struct object *budget;
    for (uint32_t b = 0; (budget = budget_at(twin, b)); b++)
        if (!twin_object_deleted(twin, state, "PodDisruptionBudget", budget->meta->name) &&
            eviction_budget_selects(&twin->features, budget->as.pod_disruption_budget,
                                    &meta->labels)) {
            *asked = b;
            guards[count++] = status_written(state, b, budget->as.pod_disruption_budget);
        }
    return eviction_decide(&twin->features, &seen, guards, count);
}

void twin_spend_budget(struct twin *twin, struct twin_state *next, uint32_t place)
{
    uint32_t asked = 0;
    if (twin->lags && eviction_of(twin, next, place, &asked) == EVICTION_BUDGET_SPENT)
        next->written[asked] -= 2;
}

/* The workload of the first kind of pods that the budget is about. */
static uint32_t budget_workload(const struct twin *twin, const struct pod_disruption_budget *budget)
{
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if (label_selector_matches(budget->selector, &twin->revisions[r].pod->meta.labels))
            return twin->revisions[r].workload;
    return ALL;
}

void twin_sync_budgets(struct twin_run *run)
{
    struct twin *twin = run->twin;
    if (!twin->lags || twin->catalog->surroundings.budgets.count == 0)
        return;
    const struct objects objects = write_down(run);
    const struct value *answers = ask(twin, &objects);
    for (uint32_t i = 0; i < answers->count; i++) {
        const struct value *status = value_find(&answers->items[i], "status");
        const uint32_t number = number_of_budget(twin, objects.items[i].meta->name);
        const int32_t desired = number_of(status, "desiredHealthy");
        const bool whole = desired > 0 && number_of(status, "currentHealthy") >= desired;
        struct twin_state next = *run->state;
        next.written[number] =
            (uint8_t)(2 * number_of(status, "disruptionsAllowed") + (whole ? 1 : 0));
        if (next.written[number] != run->state->written[number])
            twin_emit(run, &next, TWIN_ACT_BUDGET_SYNC, about_workload(number),
                      budget_workload(twin, budget_at(twin, number)->as.pod_disruption_budget), 0,
                      FAST);
    }
}

/* ---- asking once ---- */

/* By the statuses that were written last. */
static void ask_the_api(struct twin_run *run, const struct objects *objects)
{
    struct twin *twin = run->twin;
    uint32_t asked;
    for (uint32_t i = 0; i < run->budget_count; i++) {
        const struct pod_disruption_budget *budget = objects->items[i].as.pod_disruption_budget;
        run->budgets[i] = (struct view_budget){
            budget, status_written(run->state, number_of_budget(twin, budget->meta.name), budget)};
    }
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        run->guarded[p] = pod_is_there(&run->state->pods[p]) &&
                          !eviction_allowed(eviction_of(twin, run->state, p, &asked));
}

/* Once in a run: its state stays what it is. First the statuses are asked for, and once
 * they are written, who may be evicted. */
static void ask_once(struct twin_run *run)
{
    struct twin *twin = run->twin;
    const uint32_t most = twin->catalog->surroundings.budgets.count;
    if (run->budgets || most == 0)
        return;
    const struct objects objects = write_down(run);
    const struct value *answers = ask(twin, &objects);
    run->budgets = ARENA_ARRAY(&twin->scratch, struct view_budget, most + 1);
    run->budget_count = answers->count;
    if (twin->lags) {
        ask_the_api(run, &objects);
        return;
    }
    for (uint32_t i = 0; i < answers->count; i++) {
        struct pod_disruption_budget *budget = objects.items[i].as.pod_disruption_budget;
        write_status(budget, value_find(&answers->items[i], "status"));
        run->budgets[i] = (struct view_budget){budget, eviction_budget_of(budget)};
    }
    answers = ask(twin, &objects);
    for (uint32_t i = 0; i < answers->count; i++)
        read_pods(run, value_find(&answers->items[i], "pods"));
}

bool twin_budget_counts(struct twin *twin, const struct object *pod)
{
    struct objects objects = {0};
    for (uint32_t i = 0; i < twin->scope->objects->count; i++)
        if (twin->scope->objects->items[i].kind == OBJECT_POD_DISRUPTION_BUDGET)
            objects_put(&twin->scratch, &objects, &twin->scope->objects->items[i]);
    objects_put(&twin->scratch, &objects, pod);
    const struct value *answers = ask(twin, &objects);
    for (uint32_t i = 0; i < answers->count; i++)
        if (value_find(&answers->items[i], "pods")->count > 0)
            return true;
    return false;
}

const struct view_budget *twin_budgets(struct twin_run *run, uint32_t *count)
{
    ask_once(run);
    *count = run->budget_count;
    return run->budgets;
}

bool twin_may_evict(struct twin_run *run, uint32_t place)
{
    ask_once(run);
    return !run->guarded[place];
}
