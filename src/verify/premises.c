/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/registry.h"
#include "verify/plan.h"
#include "verify/verify.h"

#include "cluster/intent_class.h"
#include "setup/disks.h"
#include "setup/sizes.h"

typedef VEC(const char *) sentences;

static bool has_autoscalers(const struct verify_plan *plan)
{
    for (uint32_t w = 0; w < plan->scope.workload_count; w++)
        if (plan->scope.workloads[w].autoscaler)
            return true;
    return false;
}

/* Is there a controller that acts every now and then: an autoscaler, the descheduler? */
static bool has_periodic_controllers(const struct verify_plan *plan)
{
    const struct check *check = plan->scope.check;
    return has_autoscalers(plan) || (check && check->controllers.descheduler);
}

/* What the verdict of this intent relies on; NULL: nothing, or an intent before it said so. */
static const char *premise_of(const struct verify_plan *plan, uint32_t number)
{
    const char *premise = intent_class_of(&plan->intents.items[number])->premise;
    for (uint32_t i = 0; premise && i < number; i++)
        if (intent_class_of(&plan->intents.items[i])->premise == premise)
            return NULL;
    return premise;
}

static bool something_holds(const struct verify_report *found)
{
    bool holds = false;
    for (uint32_t i = 0; i < found->result_count; i++)
        holds |= found->results[i].verdict == VERDICT_HOLDS ||
                 intent_class_of(found->results[i].intent)->asks_for_example;
    return holds;
}

/* Does an intent hold only as long as the images that nodes pull do not matter? */
static bool images_could_decide(const struct verify_report *found)
{
    return something_holds(found) && found->images_could_decide;
}

static const char *premise_of_images(const struct population_options *options)
{
    if (!options->images_pulled)
        return "nodes have the images that they report, and no others: a node that has pulled a "
               "large image gets a higher score from ImageLocality, so that pods may gather "
               "where the first of them ran (--images pulled lifts this)";
    if (options->image_bytes > 0)
        return "images whose size no node reports are as large as --images says: ImageLocality "
               "gives a higher score to nodes that have larger ones (--images pulled takes any "
               "size)";
    return "images: the pods pull too many different ones, and some of them are taken to come to "
           "no "
           "node: a node that has pulled a large image gets a higher score from ImageLocality";
}

struct string_list verify_premises(struct arena *arena, const struct verify_plan *plan,
                                   const struct population_options *options,
                                   const struct verify_report *found)
{
    sentences premises = {0};
    const char *late = population_settles_late(arena, &plan->scope);
    const char *more = population_scores_more(&plan->scope);
    if (has_periodic_controllers(plan) && options->interleaving == INTERLEAVING_SETTLED)
        VEC_PUSH(arena, &premises,
                 "settle-first: periodic controllers (autoscaler, descheduler) act once the others "
                 "have come to rest (--interleaving controllers or full lifts this)");
    if (has_periodic_controllers(plan) && options->interleaving == INTERLEAVING_CONTROLLERS)
        VEC_PUSH(arena, &premises,
                 "controllers-first: periodic controllers (autoscaler, descheduler) do not act in "
                 "the middle of what the workload controllers and the scheduler do; kubelets may "
                 "be at work (--interleaving full lifts this)");
    if (has_periodic_controllers(plan) && options->interleaving != INTERLEAVING_SETTLED)
        VEC_PUSH(arena, &premises,
                 "kubelets keep up: an autoscaler or the descheduler does not act on a workload of "
                 "which more pods terminate than it has replicas; where stopping takes longer than "
                 "their periods, pods pile up beyond what is explored");
    if (has_autoscalers(plan) && options->interleaving == INTERLEAVING_FULL)
        VEC_PUSH(arena, &premises,
                 "autoscalers act again only after the controller of their workload has seen what "
                 "they wrote (--interleaving racing lifts this)");
    if (late && options->interleaving == INTERLEAVING_SETTLED)
        VEC_PUSH(arena, &premises, late);
    if (more)
        VEC_PUSH(arena, &premises, more);
    const char *devices = population_devices_are_there(&plan->scope);
    if (devices)
        VEC_PUSH(arena, &premises, devices);
    const char *codes = population_exit_codes(&plan->scope);
    if (codes)
        VEC_PUSH(arena, &premises, codes);
    const char *prompt = population_budgets_are_prompt(&plan->scope, options);
    const char *sets = population_replica_sets_are_prompt(&plan->scope, options);
    const char *binds = population_scheduler_is_prompt(&plan->scope);
    if (images_could_decide(found))
        VEC_PUSH(arena, &premises, premise_of_images(options));
    const char *disks = premise_of_disks(arena, &plan->scope);
    if (disks)
        VEC_PUSH(arena, &premises, disks);
    const struct string_list left_out = sizes_left_out(arena, &plan->scope);
    for (uint32_t i = 0; i < left_out.count && !found->sizes.open; i++)
        VEC_PUSH(arena, &premises, left_out.items[i]);
    if (plan->scope.time == TIME_CLOCKED)
        VEC_PUSH(arena, &premises,
                 "clocked: periods and delays are as configured; binding, pulling images and "
                 "stopping take no time, and pods that begin together become ready together");
    if (prompt)
        VEC_PUSH(arena, &premises, prompt);
    if (sets && something_holds(found))
        VEC_PUSH(arena, &premises, sets);
    if (binds && something_holds(found))
        VEC_PUSH(arena, &premises, binds);
    for (uint32_t i = 0; i < plan->intents.count; i++) {
        const char *premise = premise_of(plan, i);
        if (premise)
            VEC_PUSH(arena, &premises, premise);
    }
    VEC_PUSH(arena, &premises,
             arena_printf(arena, "Kubernetes %s", features_version(arena, &options->features)));
    return (struct string_list){premises.items, premises.count};
}
