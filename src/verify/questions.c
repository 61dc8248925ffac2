/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/questions.h"

#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "object/node.h"
#include "object/workload.h"

#include <string.h>

#define ZONE_LABEL "topology.kubernetes.io/zone"

/* A Check has no more than so many: workloads cannot be decided by themselves with as many intents
 * as the model can count. It has room for 16 workloads with three each, and one more. */
enum { INTENTS_OF_QUESTION = 4, INTENTS_OF_CHECK = 16 * 3 + 1 };

/* What is asked of each workload; the row ends with an empty name. */
struct question_type {
    const char *name;
    const char *option; /* as --event has it; NULL: it is always asked */
    const char *words;
    const char *intents[INTENTS_OF_QUESTION + 1];
};

static const struct question_type types[QUESTION_COUNT] = {
    [QUESTION_START] = {"start",
                        NULL,
                        "everything becomes ready",
                        {"podsSchedulable=mode=eventually", "converges", "noEvictionLoop"}},
    [QUESTION_DRAIN] = {"drain",
                        "drain",
                        "any one node is drained",
                        {"drainCompletes", "neverOnDrained", "converges", "noEvictionLoop"}},
    [QUESTION_ROLLOUT] = {"rollout",
                          "rollout",
                          "the next version is rolled out",
                          {"rolloutCompletes"}},
    [QUESTION_NODE_FAILURE] = {"node failure",
                               "node-failure",
                               "any one node fails and comes back",
                               {"converges", "noEvictionLoop"}},
    [QUESTION_ZONE_OUTAGE] = {"zone outage",
                              "zone-outage",
                              "all nodes of any one zone fail and come back",
                              {"converges", "noEvictionLoop"}},
    [QUESTION_LOAD] = {"load",
                       "load",
                       "load changes between idle and twice what autoscalers aim at",
                       {"noReplicaOscillation", "podsSchedulable=mode=eventually", "converges"}},
};

const char *question_name(enum question_topic kind)
{
    return types[kind].name;
}

const char *question_words(enum question_topic kind)
{
    return types[kind].words;
}

static bool read_one(const char *text, size_t length, unsigned *asked)
{
    for (unsigned k = 0; k < QUESTION_COUNT; k++)
        if (types[k].option && strlen(types[k].option) == length &&
            strncmp(types[k].option, text, length) == 0) {
            *asked |= 1U << k;
            return true;
        }
    return false;
}

bool questions_read(const char *text, unsigned *asked, struct problems *problems)
{
    *asked = 1U << QUESTION_START;
    if (strcmp(text, "all") == 0) {
        *asked = (1U << QUESTION_COUNT) - 1;
        return true;
    }
    for (const char *item = text;; item++) {
        const size_t length = strcspn(item, ",");
        if (!read_one(item, length, asked)) {
            problem_error(problems, (struct place){0}, "--event",
                          "expected all, none, or some of drain, rollout, node-failure, "
                          "zone-outage and load, found \"%.*s\"",
                          (int)length, item);
            return false;
        }
        item += length;
        if (!*item)
            return true;
    }
}

static bool knows_zones(const struct scope *scope)
{
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_NODE && scope->objects->items[i].source &&
            labels_find(&scope->objects->items[i].meta->labels, ZONE_LABEL))
            return true;
    return false;
}

static bool concerns_any(const struct scope *scope, enum question_topic kind)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (question_concerns(kind, &scope->workloads[w]))
            return true;
    return false;
}

unsigned questions_usual(struct arena *arena, const struct objects *objects,
                         const struct scope_options *options)
{
    struct problems ignored;
    struct scope *scope = ARENA_NEW(arena, struct scope);
    problems_init(&ignored, arena);
    scope_build(arena, objects, NULL, options, scope, &ignored);
    unsigned asked = 1U << QUESTION_START | 1U << QUESTION_DRAIN | 1U << QUESTION_NODE_FAILURE;
    if (concerns_any(scope, QUESTION_ROLLOUT))
        asked |= 1U << QUESTION_ROLLOUT;
    if (concerns_any(scope, QUESTION_LOAD))
        asked |= 1U << QUESTION_LOAD;
    if (knows_zones(scope))
        asked |= 1U << QUESTION_ZONE_OUTAGE;
    return asked;
}

/* ---- intents ---- */

struct asking {
    struct arena *arena;
    enum question_topic kind;
    bool at_most; /* as of struct question_options */
    const struct scope *scope;
    VEC(struct check_intent) intents;
};

/* Others the scheduler keeps away from cordoned nodes: to ask would take states and say nothing. */
static bool may_come_to_cordoned(const struct object *object)
{
    const struct pod_spec *spec = &workload_template(object)->spec;
    return object->kind != OBJECT_DAEMON_SET &&
           (spec->node_name || tolerations_find_cordon(spec->tolerations, spec->toleration_count));
}

static bool makes_sense(const struct check_intent *intent, const struct setup_workload *workload)
{
    if (intent->kind == INTENT_NO_REPLICA_OSCILLATION && !question_follows_load(workload))
        return false;
    const struct intent_class *class = intent_class_of(intent);
    if (class->refuses_jobs && workload->object->kind == OBJECT_JOB)
        return false;
    /* A deadline may pass at any moment where only the order of steps counts. */
    if (intent->kind == INTENT_CONVERGES && workload->object->kind == OBJECT_JOB &&
        workload->object->as.job->active_deadline_seconds.set)
        return false;
    if (intent->kind == INTENT_NEVER_ON_DRAINED && !may_come_to_cordoned(workload->object))
        return false;
    /* A drain leaves the pods of DaemonSets alone. */
    return intent->kind != INTENT_DRAIN_COMPLETES || workload->object->kind != OBJECT_DAEMON_SET;
}

static void ask_of(struct asking *asking, uint32_t number)
{
    const struct setup_workload *workload = &asking->scope->workloads[number];
    const struct object *object = workload->object;
    struct problems problems;
    problems_init(&problems, asking->arena);
    for (const char *const *text = types[asking->kind].intents; *text; text++) {
        struct check_intent intent = {0};
        intent_parse_option(asking->arena, *text, &intent, &problems);
        intent.workload =
            (struct object_name){object->kind_name, object->meta->namespace, object->meta->name};
        if (!makes_sense(&intent, workload))
            continue;
        VEC_PUSH(asking->arena, &asking->intents, intent);
    }
}

/* ---- autoscalers ---- */

/* Is the autoscaler in the model while this is asked? That of a live cluster always is; of
 * manifests only where load is what it is all about. */
static bool keeps_autoscaler(const struct asking *asking, const struct setup_workload *workload)
{
    return asking->scope->start == START_OBSERVED ||
           (asking->kind == QUESTION_LOAD && question_follows_load(workload));
}

static void drop_autoscalers(const struct asking *asking, const struct objects *from,
                             struct objects *to)
{
    *to = (struct objects){0};
    for (uint32_t i = 0; i < from->count; i++) {
        const struct object *object = &from->items[i];
        bool kept = true;
        for (uint32_t w = 0; w < asking->scope->workload_count; w++)
            kept &= object->kind != OBJECT_HORIZONTAL_POD_AUTOSCALER ||
                    keeps_autoscaler(asking, &asking->scope->workloads[w]) ||
                    !autoscaler_targets(object->as.horizontal_pod_autoscaler,
                                        asking->scope->workloads[w].object);
        if (kept)
            objects_put(asking->arena, to, object);
    }
}

/* A workload whose autoscaler is left out has the fewest pods that the autoscaler allows, because
 * budgets allow least then; or the most, because nodes have least room then. */
static void fix_sizes(const struct asking *asking, struct check *check)
{
    VEC(struct check_workload) fixed = {0};
    for (uint32_t w = 0; w < asking->scope->workload_count; w++) {
        const struct setup_workload *workload = &asking->scope->workloads[w];
        const struct object *object = workload->object;
        if (!workload->autoscaler || keeps_autoscaler(asking, workload) ||
            object->kind == OBJECT_DAEMON_SET)
            continue;
        const int32_t pods = asking->at_most ? workload->autoscaler->max_replicas
                                             : workload->autoscaler->min_replicas;
        const struct check_workload size = {
            .name = {object->kind_name, object->meta->namespace, object->meta->name},
            .replicas = {true, pods > 0 ? pods : 1, pods > 0 ? pods : 1},
        };
        VEC_PUSH(asking->arena, &fixed, size);
    }
    check->workloads = fixed.items;
    check->workload_count = fixed.count;
}

/* ---- Checks ---- */

/* A plan that the run ends before: nothing of it is verified, so nothing has to be built for it but
 * what a report needs to say that it is undecided. */
static bool plan_in_vain(struct arena *arena, struct input_unit *unit, const struct check *check,
                         const struct asking *asking, struct verify_plan *plan)
{
    unit->objects = *asking->scope->objects;
    *plan = (struct verify_plan){
        .unit = unit, .check = check, .scope = *asking->scope, .in_vain = true};
    plan->scope.check = check;
    plan->scope.applied = ARENA_ARRAY(arena, struct objects, check->event_count + 1);
    for (uint32_t i = 0; i < check->intent_count; i++)
        VEC_PUSH(arena, &plan->intents, check->intents[i]);
    return true;
}

static void make(struct arena *arena, const struct input_unit *unit, const struct objects *objects,
                 const struct scope_options *options, const struct question_events *events,
                 const struct asking *asking, struct questions *questions)
{
    struct check *check = ARENA_NEW(arena, struct check);
    *check = (struct check){
        .meta = {.name = question_name(asking->kind),
                 .creation_time = TIME_NONE,
                 .deletion_time = TIME_NONE},
        .events = events->items.items,
        .event_count = events->items.count,
        .intents = asking->intents.items,
        .intent_count = asking->intents.count,
    };
    fix_sizes(asking, check);
    struct question_check question = {
        .kind = asking->kind,
        .unit = ARENA_NEW(arena, struct input_unit),
    };
    *question.unit = *unit;
    question.unit->name = question_name(asking->kind);
    problems_init(&question.unit->problems, arena);
    if (events->how->budget && budget_is_over(events->how->budget)) {
        question.made = plan_in_vain(arena, question.unit, check, asking, &question.plan);
    } else {
        drop_autoscalers(asking, objects, &question.unit->objects);
        question.made = verify_plan_ask(arena, question.unit, check, options, &question.plan);
    }
    VEC_PUSH(arena, questions, question);
}

void questions_add(struct arena *arena, enum question_topic kind, const struct input_unit *unit,
                   const struct objects *objects, const struct question_options *how,
                   const struct scope_options *options, struct questions *questions)
{
    struct problems ignored;
    struct scope *scope = ARENA_NEW(arena, struct scope);
    problems_init(&ignored, arena);
    /* Plans outlive the caller's list. */
    objects = arena_copy(arena, objects, sizeof(*objects));
    scope_build(arena, objects, NULL, options, scope, &ignored);
    struct question_events events = {.arena = arena, .scope = scope, .how = how};
    question_events_add(&events, kind);
    struct asking asking = {.arena = arena, .kind = kind, .at_most = how->at_most, .scope = scope};
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        if (!question_concerns(kind, &scope->workloads[w]) ||
            (how->only && !object_name_matches(how->only, scope->workloads[w].object)))
            continue;
        if (asking.intents.count + INTENTS_OF_QUESTION > INTENTS_OF_CHECK &&
            options->intent_count == 0) {
            make(arena, unit, objects, options, &events, &asking, questions);
            asking = (struct asking){
                .arena = arena, .kind = kind, .at_most = how->at_most, .scope = scope};
        }
        ask_of(&asking, w);
    }
    if (asking.intents.count > 0)
        make(arena, unit, objects, options, &events, &asking, questions);
}
