/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a service under `queueThreshold`, as properties for the core. */
#include "slo/questions.h"

#include "base/vec.h"
#include "slo/hpa_always.h"
#include "slo/hpa_judge.h"
#include "slo/hpa_loop.h"
#include "slo/threshold.h"

static const struct {
    const char *name;
    const char *text;     /* what holds */
    const char *violated; /* what happens if it does not */
} questions[SLO_QUESTION_COUNT] = {
    [SLO_OBJECTIVE] = {"objective", "no traffic that the load allows breaks the objective",
                       "traffic that the load allows breaks the objective"},
    [SLO_DEADLOCK] = {"deadlock", "there is always something that can happen next",
                      "it can get stuck: nothing can happen next"},
    [SLO_NONBLOCKING] = {"nonblocking", "it can always return to idle",
                         "it can come to where it never returns to idle"},
    [SLO_CONTROL_LOOP] = {"controlLoop",
                          "it does not scale up and down for ever while the load stays the same",
                          "it can scale up and down for ever while the load stays the same"},
    [SLO_CONTROLLABILITY] = {"controllability", "it takes all requests that the load allows",
                             "it has to refuse requests that the load allows"},
};

const char *slo_question_name(enum slo_question question)
{
    return questions[question].name;
}

const char *slo_question_text(enum slo_question question)
{
    return questions[question].text;
}

const char *slo_question_violated(enum slo_question question)
{
    return questions[question].violated;
}

const char *slo_reason_text(enum explore_reason reason)
{
    return reason == EXPLORE_OMISSION ? "neither proved nor refuted" : explore_reason_text(reason);
}

void slo_limits_init(struct slo_limits *limits)
{
    *limits =
        (struct slo_limits){.threads = 1, .states_most = UINT64_MAX, .time_most_ms = UINT64_MAX};
}

static const struct property properties[SLO_QUESTION_COUNT] = {
    [SLO_OBJECTIVE] = {.name = "objective",
                       .kind = PROPERTY_STEP_INVARIANT,
                       .marks = SLO_MARK_VIOLATED},
    [SLO_DEADLOCK] = {.name = "deadlock", .kind = PROPERTY_DEADLOCK_FREE},
    [SLO_NONBLOCKING] = {.name = "nonblocking",
                         .kind = PROPERTY_ALWAYS_POSSIBLE,
                         .p = {.all = SLO_ATOM_IDLE}},
    [SLO_CONTROL_LOOP] = {.name = "controlLoop",
                          .kind = PROPERTY_NO_CYCLE,
                          .p = {.all = SLO_ATOM_COMMITTED},
                          .marks = SLO_MARK_STARTED | SLO_MARK_DROPPED,
                          .avoids = SLO_MARK_LOAD_CHANGED},
    [SLO_CONTROLLABILITY] = {.name = "controllability",
                             .kind = PROPERTY_STEP_INVARIANT,
                             .marks = SLO_MARK_REFUSED},
};

/* Keeps the search going when all else is decided. */
static const struct property endless = {
    .name = "endless", .kind = PROPERTY_REACHABLE, .p = {.all = SLO_ATOM_NEVER}};

static struct exploration *explore(struct threshold_model *model, const struct property *list,
                                   uint32_t count, const struct slo_limits *limits,
                                   struct memory *memory)
{
    struct explore_options options;
    explore_options_init(&options);
    options.threads = limits->threads;
    options.all = count > 1;
    options.states_most = limits->states_most;
    options.time_most_ms = limits->time_most_ms;
    options.interrupted = limits->interrupted;
    model->model.properties = list;
    model->model.property_count = count;
    return explore_run(&model->model, &options, memory);
}

struct slo_verdict slo_judge(const struct slo_service *service, bool beyond,
                             const struct slo_limits *limits, struct memory *memory)
{
    if (service->rule == SLO_HORIZONTAL_POD_AUTOSCALER) {
        struct arena arena;
        arena_init(&arena, memory);
        const struct slo_verdict verdict = hpa_judge(&arena, service, limits, memory, NULL);
        arena_release(&arena);
        return verdict;
    }
    struct threshold_model model;
    const struct property list[] = {properties[SLO_OBJECTIVE], endless};
    threshold_model_init(
        &model, service,
        (struct threshold_view){.packets = !beyond && threshold_packets_pay(service)});
    struct exploration *found = explore(&model, list, beyond ? 2 : 1, limits, memory);
    if (!found)
        return (struct slo_verdict){.verdict = VERDICT_UNDECIDED, .reason = EXPLORE_MEMORY};
    const struct property_result *result = &found->properties[0];
    const struct slo_verdict verdict = {
        .verdict = beyond && !found->complete ? VERDICT_UNDECIDED : result->verdict,
        .reason = beyond && !found->complete ? found->reason : result->reason,
        .second = result->has_path ? result->path.step_count / model.steps_per_second : 0,
        .states = found->statistics.states,
        .transitions = found->statistics.transitions,
        .shortest = true,
    };
    explore_free(found);
    return verdict;
}

/* ---- timelines ---- */

static const char *words_of(uint64_t marks, bool checked)
{
    const bool asked = marks & SLO_MARK_ASKED;
    const bool dropped = marks & SLO_MARK_DROPPED;
    if (!checked)
        return NULL;
    if (asked && dropped)
        return "asks for a pod and drops one";
    return asked ? "asks for a pod" : dropped ? "drops a pod" : "leaves it as it is";
}

struct telling {
    struct arena *arena;
    const struct threshold_model *model;
    VEC(struct slo_second) seconds;
};

/* One second from this state, which is the one after it afterwards. */
static void tell_second(struct telling *telling, struct threshold_state *state, uint32_t requests)
{
    const struct slo_service *service = telling->model->service;
    const uint32_t pods = service->pods_max;
    struct slo_second told = {
        .requests = requests,
        .allowed = service->load.rates[state->position],
        .utilization = -1,
        .queue = ARENA_ARRAY(telling->arena, uint32_t, pods),
        .queue_count = pods,
    };
    /* The queues are wanted as they are in the middle of the second: what the
     * step leaves, had nothing been handled. */
    struct slo_service idle = *service;
    idle.handled = 0;
    struct threshold_state middle = *state;
    struct threshold_second second;
    middle.queue = told.queue;
    for (uint32_t i = 0; i < pods; i++)
        told.queue[i] = state->queue[i];
    threshold_step(&idle, &middle, requests, &second);
    threshold_step(service, state, requests, &second);
    told.serving = second.serving;
    told.serving_after = state->on;
    told.starting = state->creating;
    told.desired = state->on + state->creating;
    told.marks = second.marks;
    told.decision = words_of(second.marks, second.checked);
    VEC_PUSH(telling->arena, &telling->seconds, told);
}

static void tell_step(struct telling *telling, const uint32_t *words, uint32_t requests,
                      struct threshold_state *state)
{
    const struct slo_service *service = telling->model->service;
    threshold_unpack(telling->model, words, state);
    if (state->committed == 0) {
        tell_second(telling, state, requests);
        return;
    }
    do
        tell_second(telling, state, threshold_committed_requests(service, state));
    while (state->elapsed != 1);
}

static void tell(struct arena *arena, const struct threshold_model *model,
                 const struct run_path *path, struct slo_timeline *timeline)
{
    const uint32_t each = model->steps_per_second;
    struct telling telling = {.arena = arena, .model = model};
    struct threshold_state state = {.queue =
                                        ARENA_ARRAY(arena, uint32_t, model->service->pods_max)};
    for (uint32_t i = 0; i < path->step_count; i += each) {
        uint32_t requests = 0;
        if (i == path->loop_from)
            timeline->loop_from = telling.seconds.count;
        for (uint32_t step = i; step < i + each; step++)
            requests += path->steps[step].argument;
        if (path->steps[i].argument != THRESHOLD_COMMIT)
            tell_step(&telling, path->words + path->offsets[i], requests, &state);
    }
    timeline->seconds = telling.seconds.items;
    timeline->count = telling.seconds.count;
    timeline->loops = path->loops && !path->loop_rests;
}

/* ---- asking ---- */

static const char *note_on(struct arena *arena, const struct slo_answer *answer)
{
    uint32_t broken = 0;
    for (uint32_t i = answer->timeline.count; i > 0; i--)
        if (answer->timeline.seconds[i - 1].marks & SLO_MARK_VIOLATED)
            broken = i;
    if (answer->question != SLO_OBJECTIVE && answer->verdict == VERDICT_VIOLATED && broken > 0)
        return arena_printf(arena,
                            "on this way the objective is broken first, in second %u; from there "
                            "on queues count as one too long, however long they are",
                            broken);
    return NULL;
}

static void judge_autoscaler(struct arena *arena, const struct slo_service *service,
                             const struct slo_limits *limits, struct memory *memory,
                             struct slo_answer *answer)
{
    *answer = (struct slo_answer){.question = SLO_OBJECTIVE};
    const struct slo_verdict verdict = hpa_judge(arena, service, limits, memory, &answer->timeline);
    answer->verdict = verdict.verdict;
    answer->reason = verdict.reason;
    answer->states = verdict.states;
    answer->transitions = verdict.transitions;
    answer->shortest = verdict.shortest;
    if (verdict.verdict == VERDICT_UNDECIDED && verdict.reason == EXPLORE_OMISSION)
        answer->note =
            "no proof that it holds was found, and no traffic that breaks it; the service "
            "is close to its limit";
    else if (verdict.verdict == VERDICT_UNDECIDED && verdict.reason == EXPLORE_UNSUPPORTED)
        answer->note = "its numbers are beyond what this model can hold";
}

void slo_ask(struct arena *arena, const struct slo_service *service, enum slo_question question,
             const struct slo_limits *limits, struct memory *memory, struct slo_answer *answer)
{
    if (service->rule == SLO_HORIZONTAL_POD_AUTOSCALER) {
        if (question == SLO_OBJECTIVE)
            judge_autoscaler(arena, service, limits, memory, answer);
        else if (question == SLO_CONTROL_LOOP)
            hpa_loop(arena, service, limits, memory, answer);
        else
            hpa_always(arena, service, question, answer);
        return;
    }
    struct threshold_model model;
    const struct threshold_view view = {
        .refusals = question == SLO_DEADLOCK || question == SLO_CONTROLLABILITY ||
                    question == SLO_NONBLOCKING,
        .commits = question == SLO_CONTROL_LOOP,
        .packets = question != SLO_CONTROL_LOOP && threshold_packets_pay(service),
    };
    *answer = (struct slo_answer){
        .question = question, .verdict = VERDICT_UNDECIDED, .reason = EXPLORE_MEMORY};
    threshold_model_init(&model, service, view);
    struct exploration *found = explore(&model, &properties[question], 1, limits, memory);
    if (!found)
        return;
    const struct property_result *result = &found->properties[0];
    answer->verdict = result->verdict;
    answer->reason = result->reason;
    answer->states = found->statistics.states;
    answer->transitions = found->statistics.transitions;
    answer->shortest = question == SLO_OBJECTIVE;
    if (result->has_path)
        tell(arena, &model, &result->path, &answer->timeline);
    answer->note = note_on(arena, answer);
    explore_free(found);
}
