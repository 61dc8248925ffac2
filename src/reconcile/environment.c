/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the environment: kinds, keys, properties, fairness, the model's table. */
#include "reconcile/env_facts.h"
#include "reconcile/predicates.h"

#include <stdlib.h>
#include <string.h>

/* --- Rules of custom resources --- */

static bool resource_is_valid(const struct api_kind *kind, struct arena *arena,
                              const struct datum *object, const char **why)
{
    struct environment *environment = (struct environment *)kind->context;
    const struct controller *controller = environment->controller;
    bool valid = true;
    if (controller->validate &&
        !controller->validate(controller, arena, object, &valid, why, environment->problems))
        environment_fail(environment, "the controller could not validate a custom resource");
    return valid;
}

static bool resource_may_change(const struct api_kind *kind, struct arena *arena,
                                const struct datum *object, const struct datum *before,
                                const char **why)
{
    struct environment *environment = (struct environment *)kind->context;
    const struct controller *controller = environment->controller;
    bool valid = true;
    if (controller->validate_change &&
        !controller->validate_change(controller, arena, object, before, &valid, why,
                                     environment->problems))
        environment_fail(environment, "the controller could not validate a change");
    return valid;
}

static void add_kind(struct environment *environment, const char *kind)
{
    for (uint32_t i = 0; i < environment->custom_count; i++)
        if (strcmp(environment->custom[i].kind, kind) == 0)
            return;
    if (environment->custom_count == KINDS_MOST) {
        environment_fail(environment, "the controller has more than %d custom kinds", KINDS_MOST);
        return;
    }
    environment->custom[environment->custom_count++] = (struct api_kind){
        .kind = kind,
        .custom = true,
        .valid = resource_is_valid,
        .valid_change = resource_may_change,
        .context = environment,
    };
}

/* The kinds that the controller names; if it names none, the kinds of the script that
 * are not built in. */
static void add_kinds(struct environment *environment)
{
    const struct environment_options *options = &environment->options;
    const char *const *kinds = environment->controller->custom_kinds;
    for (uint32_t i = 0; !kinds && i < options->script_count; i++)
        if (!api_kind_built_in(options->script[i].key.kind))
            add_kind(environment, options->script[i].key.kind);
    for (; kinds && *kinds; kinds++)
        add_kind(environment, *kinds);
}

/* --- The script --- */

static bool is_custom(const struct environment *environment, const char *kind)
{
    const struct api_kind *known = environment_kind(environment, kind);
    return known && known->custom;
}

static bool is_user_kind(const struct environment *environment, const char *kind)
{
    const char *const *kinds = environment->controller->user_kinds;
    for (; kinds && *kinds; kinds++)
        if (strcmp(*kinds, kind) == 0)
            return environment_kind(environment, kind) != NULL;
    return is_custom(environment, kind);
}

static int compare_keys(const void *a, const void *b)
{
    return object_key_compare(a, b);
}

static void add_resource(struct environment *environment, const struct object_key *key)
{
    for (uint32_t i = 0; i < environment->resource_count; i++)
        if (object_key_compare(&environment->resources[i], key) == 0)
            return;
    if (environment->resource_count == RESOURCES_MOST)
        environment_fail(environment, "the script has more than %d custom resources",
                         RESOURCES_MOST);
    else
        environment->resources[environment->resource_count++] = *key;
}

static void read_script(struct environment *environment)
{
    const struct environment_options *options = &environment->options;
    if (options->script_count == 0 || options->script_count > SCRIPT_MOST) {
        environment_fail(environment, "the script has %u operations, not 1 to %d",
                         options->script_count, SCRIPT_MOST);
        return;
    }
    for (uint32_t i = 0; i < options->script_count; i++) {
        const struct script_operation *operation = &options->script[i];
        if (!is_user_kind(environment, operation->key.kind)) {
            problem_error(environment->problems, operation->place, NULL,
                          "the controller does not expect users to write a \"%s\"",
                          operation->key.kind);
            atomic_store(&environment->failed, true);
            continue;
        }
        environment->script_keys[i] = shapes_key(&environment->shapes, &operation->key);
        if (is_custom(environment, operation->key.kind) && operation->verb != SCRIPT_DELETE)
            add_resource(environment, &operation->key);
    }
    qsort(environment->resources, environment->resource_count, sizeof(struct object_key),
          compare_keys);
    for (uint32_t i = 0; i < environment->resource_count; i++)
        environment->resource_keys[i] =
            shapes_key(&environment->shapes, &environment->resources[i]);
}

/* --- Properties --- */

static void name_safety_properties(struct environment *environment)
{
    const struct safety_rules *rules = environment->options.safety;
    const char *const *names = environment->controller->safety_names;
    environment->judges_safety = rules || environment->controller->safety;
    for (uint32_t i = 0; rules && i < rules->count && i < SAFETIES_MOST; i++)
        environment->safety[environment->safety_count++] = rules->items[i].name;
    for (; names && *names && environment->safety_count < SAFETIES_MOST; names++)
        environment->safety[environment->safety_count++] = *names;
}

static const char *resource_text(struct environment *environment, const struct object_key *key)
{
    return arena_printf(&environment->arena, "%s/%s/%s", key->kind, key->name_space, key->name);
}

/* Eventually stable reconciliation of each resource: no run, in the end, keeps its
 * desired state and is unmatched again and again. Then the safety properties. */
static void add_properties(struct environment *environment)
{
    const uint32_t named = environment->safety_count;
    const bool unnamed = environment->controller->safety && !environment->controller->safety_names;
    const uint32_t count = environment->resource_count + named + unnamed;
    environment->properties = ARENA_ARRAY(&environment->arena, struct property, count + 1);
    for (uint32_t i = 0; i < environment->resource_count; i++) {
        environment->properties[i] = (struct property){
            .name = resource_text(environment, &environment->resources[i]),
            .kind = PROPERTY_NO_CYCLE,
            .p = {.all = UINT64_C(1) << 2 * i},
            .visits = UINT64_C(1) << (2 * i + 1),
            .avoids = UINT64_C(1) << (MARK_CHANGED + i),
        };
    }
    for (uint32_t i = 0; i < named; i++) {
        environment->properties[environment->resource_count + i] = (struct property){
            .name = environment->safety[i],
            .kind = PROPERTY_STEP_INVARIANT,
            .marks = UINT64_C(1) << i,
        };
    }
    if (unnamed) {
        const uint64_t all = (UINT64_C(1) << MARK_CHANGED) - 1;
        environment->properties[count - 1] = (struct property){
            .name = "safety",
            .kind = PROPERTY_STEP_INVARIANT,
            .marks = all & ~((UINT64_C(1) << named) - 1),
        };
    }
    environment->model.properties = environment->properties;
    environment->model.property_count = count;
}

/* --- The model --- */

static void *worker_create(const struct model *model, struct memory *memory)
{
    struct env_worker *worker = memory_try_allocate_zeroed(memory, sizeof(*worker));
    if (!worker)
        return NULL;
    worker->environment = (struct environment *)model->context;
    worker->memory = memory;
    memo_init(&worker->memo, memory);
    return worker;
}

static void worker_free(const struct model *model, struct memory *memory, void *scratch)
{
    (void)model;
    struct env_worker *worker = scratch;
    memo_release(&worker->memo);
    memory_release(memory, worker, sizeof(*worker));
}

static const char *const action_names[ACTION_COUNT] = {
    [ACTION_USER] = "user",
    [ACTION_CRASH] = "crash",
    [ACTION_LAG] = "lag",
    [ACTION_SCHEDULE] = "schedule",
    [ACTION_RUN] = "run",
    [ACTION_CONTINUE] = "continue",
    [ACTION_END] = "end",
    [ACTION_SERVE_CONTROLLER] = "serve",
    [ACTION_SERVE_COLLECTOR] = "serve-collector",
    [ACTION_SERVE_STATUS] = "serve-status",
    [ACTION_SERVE_ORPHAN] = "serve-late",
    [ACTION_SERVE_USER] = "serve-user",
    [ACTION_FAIL_CONTROLLER] = "fail",
    [ACTION_FAIL_COLLECTOR] = "fail-collector",
    [ACTION_FAIL_STATUS] = "fail-status",
    [ACTION_FAIL_ORPHAN] = "fail-late",
    [ACTION_FAIL_USER] = "fail-user",
    [ACTION_STALE_SCHEDULE] = "stale-schedule",
    [ACTION_STALE_READ] = "stale-read",
    [ACTION_COLLECT] = "collect",
    [ACTION_REPORT_STATUS] = "report-status",
    [ACTION_STABILIZE] = "stabilize",
};

static void make_model(struct environment *environment)
{
    struct model *model = &environment->model;
    model->name = environment->controller->name;
    model->context = environment;
    model->length_least = 2;
    model->length_most = environment_length_most(environment);
    model->actions = action_names;
    model->action_count = ACTION_COUNT;
    model->fairness_class_count = 3 * environment->resource_count + environment->orphans_most +
                                  environment->options.script_count + KEYS_MOST * KEY_CLASSES;
    model->atom_count = 2 * environment->resource_count;
    model->mark_count = MARK_CHANGED + environment->resource_count;
    model->worker_create = worker_create;
    model->worker_free = worker_free;
    model->initial = environment_initial;
    model->expand = environment_expand;
    model->atoms = environment_atoms;
}

static void check_options(struct environment *environment)
{
    const struct environment_options *options = &environment->options;
    const struct controller *controller = environment->controller;
    if (options->crashes > 200 || options->failures > 200 || options->stale_reads > 200)
        environment_fail(environment, "budgets of more than 200 are not modelled");
    if (!options->match && !controller->match)
        environment_fail(environment, "neither the check nor the controller says when a custom "
                                      "resource is matched");
    environment->orphans_most = options->crashes * environment->resource_count;
    if (environment->orphans_most > ORPHANS_MOST)
        environment_fail(environment, "%u crashes of %u custom resources are too many",
                         options->crashes, environment->resource_count);
}

/* The memory of a new round and the application's state at first. */
static void ask_first(struct environment *environment)
{
    const struct controller *controller = environment->controller;
    struct arena arena;
    arena_init(&arena, environment->memory);
    const struct datum *memory = NULL;
    const uint32_t errors = environment->problems->errors;
    if (!controller->init(controller, &arena, &memory, environment->problems)) {
        if (environment->problems->errors == errors)
            environment_fail(environment, "the controller could not answer: init");
        atomic_store(&environment->failed, true);
    } else {
        const struct datum_member wrapped = {"memory", memory};
        make_part(environment, SHAPE_MEMORY, datum_object(&arena, &wrapped, 1), 0, 0,
                  &environment->answers, &environment->first_memory);
        make_part(environment, SHAPE_EXTERNAL, controller->external_initial, 0, 0,
                  &environment->answers, &environment->first_external);
    }
    arena_release(&arena);
}

struct environment *environment_create(struct memory *memory, const struct controller *controller,
                                       const struct environment_options *options,
                                       struct problems *problems)
{
    struct environment *environment = memory_allocate(memory, sizeof(*environment));
    memset(environment, 0, sizeof(*environment));
    environment->memory = memory;
    environment->controller = controller;
    environment->options = *options;
    environment->problems = problems;
    pthread_mutex_init(&environment->mutex, NULL);
    arena_init(&environment->arena, memory);
    arena_init(&environment->answers, memory);
    shapes_init(&environment->shapes, memory);
    memo_init(&environment->memo, memory);
    add_kinds(environment);
    read_script(environment);
    check_options(environment);
    name_safety_properties(environment);
    if (!environment_failed(environment))
        ask_first(environment);
    if (environment_failed(environment)) {
        environment_free(environment);
        return NULL;
    }
    make_model(environment);
    add_properties(environment);
    return environment;
}

void environment_free(struct environment *environment)
{
    if (!environment)
        return;
    struct memory *memory = environment->memory;
    memo_release(&environment->memo);
    shapes_release(&environment->shapes);
    arena_release(&environment->answers);
    arena_release(&environment->arena);
    pthread_mutex_destroy(&environment->mutex);
    memory_release(memory, environment, sizeof(*environment));
}

const struct model *environment_model(const struct environment *environment)
{
    return &environment->model;
}

uint32_t environment_resource_count(const struct environment *environment)
{
    return environment->resource_count;
}

struct object_key environment_resource(const struct environment *environment, uint32_t index)
{
    return environment->resources[index];
}

uint32_t environment_safety_count(const struct environment *environment)
{
    return environment->safety_count;
}

const char *environment_safety_name(const struct environment *environment, uint32_t index)
{
    return environment->safety[index];
}

struct object_key environment_key(const struct environment *environment, uint32_t number)
{
    return environment->shapes.keys[number];
}

struct environment_statistics environment_statistics(const struct environment *environment)
{
    return (struct environment_statistics){.questions = environment->asked,
                                           .shapes = environment->shapes.count};
}
