/* SPDX-License-Identifier: Apache-2.0 */
/* Autoscalers: with the highest recommendation or without any, or by the clock with all that they
 * remember. */
#include "decide/controller/hpa.h"
#include "decide/controller/hpa_memory.h"
#include "decide/controller/hpa_object.h"
#include "twin/twin_internal.h"

bool twin_selects(const struct object *target, const struct labels *labels)
{
    const struct label_selector *selector =
        target->kind == OBJECT_DEPLOYMENT    ? target->as.deployment->selector
        : target->kind == OBJECT_REPLICA_SET ? target->as.replica_set->selector
                                             : target->as.stateful_set->selector;
    return label_selector_matches(selector, labels);
}

struct looking {
    struct hpa_sample samples[TWIN_PODS_MOST];
    struct hpa_request requests[TWIN_PODS_MOST];
    struct hpa_pod_class pods[TWIN_PODS_MOST];
    struct hpa_metric metric;
    struct hpa_input input;
};

static void look_at_pods(struct looking *looking, const struct twin *twin,
                         const struct twin_state *state, uint32_t number)
{
    const int64_t long_ago = INT64_C(86400) * NANOSECONDS_PER_SECOND;
    uint32_t count = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (!pod_is_active(pod) || !twin_selects(twin->workloads[number].setup->object,
                                                 &twin->revisions[pod->revision].pod->meta.labels))
            continue;
        const bool running = pod->stage == POD_IS_READY;
        const bool answers =
            running && condition_works((enum twin_condition)state->conditions[pod->node]);
        looking->input.status_replicas += workload_of(twin, pod) == number;
        looking->samples[count] =
            (struct hpa_sample){.state = answers ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NONE,
                                .milli = running ? twin_usage(twin, state, p) : 0};
        looking->requests[count] =
            (struct hpa_request){.milli = twin->workloads[workload_of(twin, pod)].request};
        looking->pods[count] = (struct hpa_pod_class){
            .count = 1,
            .phase = running ? POD_RUNNING : POD_PENDING,
            .readiness = twin_pod_ready(state, p) ? HPA_READY_TRUE : HPA_READY_FALSE,
            .started = true,
            .start_age = long_ago,
            .ready_age = long_ago,
            .name = "",
            .samples = &looking->samples[count],
            .requests = &looking->requests[count],
        };
        count++;
    }
    looking->input.pods = looking->pods;
    looking->input.pod_count = count;
}

static void look(struct looking *looking, const struct twin *twin, const struct twin_state *state,
                 uint32_t number)
{
    const struct twin_workload *workload = &twin->workloads[number];
    const struct horizontal_pod_autoscaler *object = workload->setup->autoscaler;
    const struct check_autoscaler *rules =
        twin->scope->check->controllers.horizontal_pod_autoscaler;
    looking->metric = (struct hpa_metric){
        .source = object->metrics[0].source,
        .target = hpa_metric_target(&object->metrics[0]),
        .target_value = object->metrics[0].target.average_utilization.value,
        .cpu = true,
    };
    looking->input = (struct hpa_input){
        .features = &twin->features,
        .flags = hpa_default_flags(),
        .spec_replicas = state->replicas[number],
        .min_replicas = workload->least,
        .max_replicas = workload->most,
        .scale_up = object->has_behavior ? &object->scale_up : NULL,
        .scale_down = object->has_behavior ? &object->scale_down : NULL,
        .metrics = &looking->metric,
        .metric_count = 1,
    };
    look_at_pods(looking, twin, state, number);
    if (rules) {
        looking->input.flags.tolerance = rules->tolerance;
        looking->input.flags.downscale_window = rules->downscale_stabilization_ns;
    }
    hpa_input_set_tolerance(&looking->input);
}

static bool is_gone(const struct twin *twin, const struct twin_state *state, uint32_t number)
{
    const struct horizontal_pod_autoscaler *object = twin->workloads[number].setup->autoscaler;
    return state->present[number] == NOBODY ||
           twin_object_deleted(twin, state, "HorizontalPodAutoscaler", object->meta.name);
}

static void set_replicas(const struct twin *twin, struct twin_state *next, uint32_t number,
                         int32_t replicas)
{
    next->replicas[number] = replicas;
    if (twin->workloads[number].kind == OBJECT_REPLICA_SET && next->present[number] != NOBODY)
        next->set_replicas[next->present[number]] = replicas;
}

/* What it will remember of the highest recommendation. What the workload has got already says
 * nothing, unless somebody takes it away again; what it has at least says nothing either. */
static int32_t remembered_after(const struct twin *twin, const struct hpa_input *input,
                                int32_t remembered, const struct hpa_decision *decision)
{
    const int64_t window =
        input->scale_down ? hpa_down_window(input) : input->flags.downscale_window;
    int32_t highest = remembered;
    if (decision->recorded && window > 0 && decision->proposed > highest)
        highest = decision->proposed;
    if (highest > input->max_replicas)
        highest = input->max_replicas;
    if (highest <= input->min_replicas)
        return 0;
    return twin->scaled || highest > decision->replicas ? highest : 0;
}

/* One sync, which remembers that at most so much was recommended, or nothing (0). */
static void sync_once(struct twin_run *run, uint32_t number, int32_t remembered)
{
    struct twin *twin = run->twin;
    struct looking looking;
    struct twin_state next = *run->state;
    struct hpa_memory memory = {.started = true};
    struct hpa_proposal proposal;
    struct hpa_decision decision;
    if (remembered > 0)
        VEC_PUSH(&twin->scratch, &memory.recommendations,
                 ((struct hpa_memory_entry){remembered, 1}));
    look(&looking, twin, run->state, number);
    hpa_decide(&looking.input, &memory, &proposal, &decision);
    next.recommended = remembered_after(twin, &looking.input, remembered, &decision);
    const bool scales = decision.replicas != run->state->replicas[number];
    if (!scales && next.recommended == run->state->recommended)
        return;
    /* Whoever is there moves on before those that come. */
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (next.pods[p].stage == POD_IS_READY && workload_of(twin, &next.pods[p]) == number &&
            next.pods[p].level % 2 == 0 &&
            next.pods[p].level / 2U + 1 < twin->workloads[number].pattern_steps)
            next.pods[p].level++;
    set_replicas(twin, &next, number, decision.replicas);
    if (scales && twin->interleaving == TWIN_FULL)
        next.unseen = 1;
    twin_emit(run, &next, scales ? TWIN_ACT_AUTOSCALE : TWIN_ACT_SYNC, about_workload(number),
              number, 0, FAST);
}

void twin_autoscale(struct twin_run *run)
{
    for (uint32_t w = 0; w < run->twin->workload_count; w++)
        if (run->twin->workloads[w].setup->autoscaler && !is_gone(run->twin, run->state, w) &&
            !(run->state->unseen && run->prompt) && !twin_kubelets_lag(run, w)) {
            sync_once(run, w, 0);
            if (run->state->recommended > 0)
                sync_once(run, w, run->state->recommended);
        }
}

/* ---- by the clock ---- */

static struct hpa_memory_list *list_of(struct hpa_memory *memory, int number)
{
    return number == 0   ? &memory->recommendations
           : number == 1 ? &memory->scale_ups
                         : &memory->scale_downs;
}

/* A sync begins a period after the last one ended, so a little later than that. */
static int64_t period_of(const struct twin *twin)
{
    return twin->clock.sync_period * twin->clock.tick + 1;
}

static struct hpa_memory recall(struct twin *twin, const struct twin_memory *from)
{
    struct hpa_memory memory = {.started = from->started};
    for (int l = 0; l < 3; l++)
        for (uint32_t i = 0; i < from->counts[l]; i++) {
            const uint32_t syncs = from->lists[l][i].syncs;
            const struct hpa_memory_entry entry = {
                from->lists[l][i].replicas,
                syncs == SYNCS_UNSET ? HPA_AGE_UNSET : (syncs + 1) * period_of(twin)};
            VEC_PUSH(&twin->scratch, list_of(&memory, l), entry);
        }
    return memory;
}

static void remember(struct twin *twin, struct twin_memory *to, struct hpa_memory *memory)
{
    *to = (struct twin_memory){.started = 1};
    for (int l = 0; l < 3; l++) {
        const struct hpa_memory_list *list = list_of(memory, l);
        if (list->count > MEMORY_MOST) {
            twin->overflow = true;
            return;
        }
        to->counts[l] = list->count;
        for (uint32_t i = 0; i < list->count; i++) {
            to->lists[l][i].replicas = list->items[i].replicas;
            to->lists[l][i].syncs = list->items[i].age >= HPA_AGE_UNSET
                                        ? SYNCS_UNSET
                                        : (uint32_t)(list->items[i].age / period_of(twin));
        }
    }
}

void twin_sync_autoscaler(struct twin_run *run, uint32_t number)
{
    struct twin *twin = run->twin;
    struct looking looking;
    struct twin_state next = *run->state;
    struct hpa_memory memory = recall(twin, &run->state->memory);
    struct hpa_proposal proposal;
    struct hpa_decision decision;
    look(&looking, twin, run->state, number);
    hpa_decide(&looking.input, &memory, &proposal, &decision);
    if (is_gone(twin, run->state, number))
        decision = (struct hpa_decision){.replicas = run->state->replicas[number]};
    hpa_memory_record(&twin->scratch, &memory, &looking.input, &decision);
    hpa_memory_bound(&memory, &looking.input);
    remember(twin, &next.memory, &memory);
    next.sync_left = twin->clock.sync_period;
    const bool changes = decision.replicas != run->state->replicas[number];
    if (changes)
        set_replicas(twin, &next, number, decision.replicas);
    twin_emit(run, &next, changes ? TWIN_ACT_AUTOSCALE : TWIN_ACT_SYNC, about_workload(number),
              number, 0, FAST);
}
