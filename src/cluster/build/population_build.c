/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the model of a setup: its parts, in the order in which they need each other. */
#include "cluster/build/population_build.h"
#include "cluster/actor/registry.h"
#include "cluster/actor/step_kubelets.h"
#include "cluster/actor/step_lifecycle.h"
#include "cluster/actor_type.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/build/build_autoscalers.h"
#include "cluster/build/build_autoscaling.h"
#include "cluster/build/build_budgets.h"
#include "cluster/build/build_claims.h"
#include "cluster/build/build_daemon_sets.h"
#include "cluster/build/build_disks.h"
#include "cluster/build/build_events.h"
#include "cluster/build/build_homes.h"
#include "cluster/build/build_images.h"
#include "cluster/build/build_jobs.h"
#include "cluster/build/build_observed.h"
#include "cluster/build/build_quotas.h"
#include "cluster/build/build_revisions.h"
#include "cluster/build/build_services.h"
#include "cluster/build/build_sizes.h"
#include "cluster/build/build_volumes.h"
#include "cluster/build/build_webhooks.h"
#include "cluster/build/build_workloads.h"
#include "cluster/build/canonical.h"
#include "cluster/build/clock.h"
#include "cluster/build/initial.h"
#include "cluster/emit.h"
#include "cluster/expand.h"
#include "cluster/intent/expression_looks.h"
#include "cluster/intent/intents.h"
#include "cluster/population.h"
#include "cluster/reduce/distinguished_node.h"
#include "cluster/reduce/ends.h"
#include "cluster/reduce/reductions.h"
#include "cluster/reduce/waits.h"
#include "cluster/state/actions.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/classes.h"
#include "cluster/state/clock.h"
#include "cluster/state/events.h"
#include "cluster/state/layout.h"
#include "cluster/state/notes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <string.h>

/* Every namespace that is used exists, whether its object was given or not. */
static void add_namespaces(struct population *population)
{
    struct surroundings *around = &population->maker->catalog->surroundings;
    for (uint32_t w = 0; w < population->scope->workload_count; w++) {
        const char *name = population->scope->workloads[w].object->meta->namespace;
        bool found = false;
        for (uint32_t n = 0; n < around->namespaces.count && !found; n++)
            found = strcmp(around->namespaces.items[n]->meta.name, name) == 0;
        if (found)
            continue;
        struct namespace_object *added = ARENA_NEW(&population->arena, struct namespace_object);
        added->meta.name = name;
        added->meta.creation_time = TIME_NONE;
        added->meta.deletion_time = TIME_NONE;
        labels_set(&population->arena, &added->meta.labels, "kubernetes.io/metadata.name", name);
        VEC_PUSH(&population->arena, &around->namespaces, added);
    }
}

/* Profiles share a queue, unless they are schedulers of their own. */
static void number_schedulers(struct population *population)
{
    const struct check *check = population->scope->check;
    population->scheduler_count = 1;
    if (!check || !check->controllers.scheduler || !check->controllers.scheduler->separate)
        return;
    population->scheduler_count = population->profiles.count;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        struct revision *revision = &population->revisions.items[r];
        const struct profile *profile =
            profiles_find(&population->profiles, revision->pod->spec.scheduler_name);
        revision->scheduler = profile ? (uint32_t)(profile - population->profiles.items) : 0;
    }
}

/* Gives controllers that remember something their words of a state (state/notes.h). */
static void number_notes(struct population *population)
{
    bool priorities_differ = false;
    for (uint32_t r = 1; r < population->revisions.count; r++)
        priorities_differ |=
            population->revisions.items[r].priority != population->revisions.items[0].priority;
    population->note_of_budgets = population->clock ? 0 : population->autoscalers.count;
    population->note_of_views =
        population->note_of_budgets +
        (population->options.budgets_lag ? population->catalog->surroundings.budgets.count : 0);
    population->note_of_jobs = population->note_of_views +
                               (population->options.sets_lag ? population->revisions.count : 0);
    population->note_of_tries = number_job_notes(population, population->note_of_jobs);
    population->note_of_homes = population->note_of_tries +
                                (priorities_differ ? (population->revisions.count + 31) / 32 : 0);
    population->note_of_backoffs = population->note_of_homes + population->home_count;
    population->note_of_templates = population->note_of_backoffs + autoscaling_may_fail(population);
    population->note_count =
        population->note_of_templates + autoscaling_has_templates(population->autoscaling);
}

/* Does something wait until the cluster rests? */
static bool something_waits_for_rest(const struct population *population)
{
    for (uint32_t a = 0; a < population->actors.count; a++)
        if (population->actors.items[a]->pace >= PACE_PERIODIC)
            return true;
    return population->clock || population->judges_rest || population->remembers_settling ||
           population->starts_settled;
}

/* Drains know which pods they have found. With clocks, where pods have other slots, they evict
 * whoever comes. */
static void let_drains_list(struct population *population)
{
    for (uint32_t e = 0; e < population->events.count; e++)
        population->drains_list |=
            event_kind_has(population->events.items[e].event->kind, EVENT_FACT_DRAINS) &&
            population->events.items[e].event->drain && !population->clock;
    population->drains_list &= population->revisions.count > 0;
}

/* The scheduler preempts only where priorities differ, and beside others it preempts nobody. With
 * clocks, where pods have other slots, it deletes whom it preempts in one step, and does not know
 * later whom it was. */
static void let_scheduler_choose(struct population *population)
{
    const struct features *features = &population->options.features;
    population->marks_victims = (features->waits_for_preempted || features->async_preemption) &&
                                notes_have_tries(population) && !population->options.others &&
                                !population->clock && population->revisions.count > 0;
    population->preempts_later = population->marks_victims && features->async_preemption;
}

/* The classes of pods that have marks. */
static void make_marked_classes(struct population *population)
{
    const uint32_t marks =
        (population->drains_list ? SLOT_LATE : 0) | (population->marks_victims ? SLOT_CHOSEN : 0);
    if (marks == 0)
        return;
    population->maker->slot_classes =
        ARENA_ARRAY(&population->arena, struct slot_classes, population->revisions.count + 1);
    class_in_slot(population->maker, 0, STAGE_READY, 0, marks);
}

static void make_model(struct population *population)
{
    /* Each word of nodes stands for one at least. */
    const uint64_t words =
        population->word_of_nodes + (uint64_t)population->total_nodes + population->pools;
    actors_choose(population);
    ends_choose(population);
    waits_choose(population);
    population->waits_for_rest = something_waits_for_rest(population);
    population->fairness_subjects = population_fairness_subjects(population);
    population->keeps_more = population_keeps_more(population);
    population->model = (struct model){
        .name = "cluster",
        .context = population,
        .length_least = population->word_of_nodes,
        .length_most = words < WORDS_MOST ? (uint32_t)words : WORDS_MOST,
        .actions = population_action_names,
        .action_count = POPULATION_ACTION_COUNT,
        .fairness_class_count = population_fairness_classes(population),
        .class_gate = population_class_gate,
        .gate_count = population->waits_for_rest ? STEP_GATE_COUNT - STEP_OF_PERIODIC : 0,
        .class_is_shared = population_class_is_shared,
        .atom_count = population->intents.count,
        .mark_count = population->intents.count + (population->options.others ? 4 : 1),
        .finite_marks = population->options.others ? intents_finite_mark(population) : 0,
        .properties = population->properties.items,
        .property_count = population->properties.count,
        .initial = population_initial,
        .expand = population_expand,
        .atoms = population_atoms,
        .describe_step = population_describe_step,
        .describe_state = population_describe_state,
        .orbit = population->options.nodes == NODES_ONE_DISTINGUISHED ? population_orbit : NULL,
    };
}

static bool add_all_workloads(struct population *population)
{
    for (uint32_t w = 0; w < population->scope->workload_count; w++) {
        if (population_must_give_up(population) || !add_workload(population, w))
            return false;
        add_effects(population, w);
        population->has_daemon_sets |= population->workloads.items[w].kind == OBJECT_DAEMON_SET;
    }
    return true;
}

static bool add_all_classes(struct population *population)
{
    enum { LOOK_EVERY = 64 };
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        if (r % LOOK_EVERY == 0 && population_must_give_up(population))
            return false;
        add_classes(population, r);
    }
    return true;
}

static struct population *give_up(struct population *population)
{
    population_free(population);
    return NULL;
}

/* Each workload takes words of every state, whatever the nodes are like. */
static bool has_room_for_states(const struct population *population, struct problems *problems)
{
    if (population->word_of_nodes < WORDS_MOST)
        return true;
    problem_error(problems, (struct place){0}, NULL,
                  "expected fewer workloads in one model, found %u: a state would have more than "
                  "%d words",
                  population->managed_count, WORDS_MOST);
    return false;
}

struct population *population_create(struct memory *memory, const struct scope *scope,
                                     const struct setup *setup, const struct check_intent *intents,
                                     uint32_t intent_count,
                                     const struct population_options *options,
                                     struct problems *problems)
{
    struct population *population = memory_allocate(memory, sizeof(*population));
    *population = (struct population){
        .memory = memory,
        .scope = scope,
        .setup = setup,
        .options = *options,
        .total_nodes = setup_total_nodes_most(scope, setup),
        .managed_count = scope->workload_count,
        .starts_settled = scope->start == START_SETTLED || scope->start == START_CANONICAL,
    };
    arena_init(&population->arena, memory);
    population->maker = maker_create(population, memory);
    population->catalog = population->maker->catalog;
    sizes_begin(population);
    catalog_surround(population->maker->catalog, scope->objects);
    claims_bind(population);
    const struct scheduler_configuration *configuration = scope_scheduler_configuration(scope);
    population->profiles = configuration ? profiles_resolve(&population->arena, configuration,
                                                            (struct place){0}, problems)
                                         : profiles_default(&population->arena);
    add_namespaces(population);
    population->autoscaling = autoscaling_create(population, problems);
    add_events_and_intents(population, intents, intent_count);
    population->taints_late = taints_may_be_late(population);
    if (!add_all_workloads(population))
        return give_up(population);
    observed_add_pods(population);
    find_budgets(population);
    choose_disks(population);
    choose_images(population);
    add_quotas(population);
    refuse_claims(population);
    add_webhooks(population);
    find_homes(population);
    if (population_must_give_up(population) || !add_all_classes(population))
        return give_up(population);
    number_schedulers(population);
    add_autoscalers(population, problems);
    add_services(population);
    population->descheduler_policy = scope_descheduler_policy(scope);
    if (scope->time == TIME_CLOCKED)
        clock_create(population);
    number_notes(population);
    lay_out(population);
    if (!has_room_for_states(population, problems))
        return give_up(population);
    reductions_choose(population);
    if (population_must_give_up(population))
        return give_up(population);
    population->admission_matters = admission_matters(population);
    population->tells_rejections = rejections_are_told(population);
    population->counts_waiting = expressions_count_waiting(population);
    population->initial = initial_state(population);
    sizes_begin_states(population);
    if (population->clock)
        clock_finish(population);
    find_daemon_places(population);
    let_drains_list(population);
    let_scheduler_choose(population);
    make_marked_classes(population);
    intents_compile(population);
    make_model(population);
    if (scope->start == START_CANONICAL)
        population->initial = canonical_start(population);
    return population->initial ? population : give_up(population);
}

bool population_resize(struct population *population, const struct setup *setup)
{
    const struct setup *before = population->setup;
    population->setup = setup;
    population->total_nodes = setup_total_nodes_most(population->scope, setup);
    if (replicas_are_wide(population) != population->wide ||
        taints_may_be_late(population) != population->taints_late) {
        population->setup = before;
        population->total_nodes = setup_total_nodes_most(population->scope, before);
        return false;
    }
    for (uint32_t w = 0; w < population->managed_count; w++)
        population->workloads.items[w].replicas = setup->replicas[w];
    for (uint32_t a = 0; a < population->autoscalers.count; a++)
        autoscaler_resize(population, &population->autoscalers.items[a]);
    lay_out(population);
    reductions_choose(population);
    initial_state_resize(population);
    make_model(population);
    return true;
}

void population_free(struct population *population)
{
    struct memory *memory = population->memory;
    population_worker_free(population->maker);
    arena_release(&population->arena);
    memory_release(memory, population, sizeof(*population));
}

const struct model *population_model(const struct population *population)
{
    return &population->model;
}
