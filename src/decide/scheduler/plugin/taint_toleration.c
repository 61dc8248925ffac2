/* SPDX-License-Identifier: Apache-2.0 */
/* Taints keep pods away that do not tolerate them: strictly, or as a preference. */
#include "decide/scheduler/lead.h"
#include "decide/scheduler/normalise.h"
#include "decide/scheduler/plan.h"

enum { FACT_UNTOLERATED, FACT_PREFERENCES, FACT_COUNT }; /* the taint's place + 1; how many */

static void prepare(struct plan *plan, struct part *part)
{
    part->facts = plan_reserve_facts(plan, FACT_COUNT);
}

static bool prefers_to_tolerate(const struct pod_spec *spec, const struct taint *taint)
{
    for (uint32_t i = 0; i < spec->toleration_count; i++) {
        const struct toleration *toleration = &spec->tolerations[i];
        if ((toleration->effect == TAINT_EFFECT_ANY ||
             toleration->effect == TAINT_PREFER_NO_SCHEDULE) &&
            toleration_tolerates(toleration, taint))
            return true;
    }
    return false;
}

static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    (void)part;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    for (uint32_t i = 0; i < template->node->spec.taint_count; i++) {
        const struct taint *taint = &template->node->spec.taints[i];
        if (taint->effect == TAINT_PREFER_NO_SCHEDULE)
            facts[FACT_PREFERENCES] += !prefers_to_tolerate(spec, taint);
        else if (!facts[FACT_UNTOLERATED] &&
                 !tolerations_find(spec->tolerations, spec->toleration_count, taint))
            facts[FACT_UNTOLERATED] = i + 1;
    }
}

static struct verdict filter(const struct trial *trial)
{
    int64_t untolerated = trial->now->facts[trial->part->facts + FACT_UNTOLERATED];
    if (!untolerated)
        return verdict_feasible();
    const struct taint *taint = &trial->now->template->node->spec.taints[untolerated - 1];
    const char *reason = "node(s) had untolerated taint(s)";
    if (trial->texts && !trial->plan->catalog->features.taint_untold)
        reason = arena_printf(trial->texts, "node(s) had untolerated taint {%s: %s}", taint->key,
                              taint->value);
    return verdict_no(VERDICT_UNRESOLVABLE, reason);
}

static int64_t score(const struct trial *trial)
{
    return trial->now->facts[trial->part->facts + FACT_PREFERENCES];
}

static void normalise(const struct cycle *cycle, const struct part *part, int64_t *scores)
{
    (void)part;
    normalise_to_highest(cycle, scores, true);
}

static int64_t lead(const struct lead *lead)
{
    return lead_to_highest(lead, true);
}

static const struct plugin_field fields[] = {{"tolerations", NULL}, {0}};

const struct plugin plugin_taint_toleration = {
    .name = "TaintToleration",
    .mirrors = "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go @ v1.26.15",
    .weight = 3,
    .events = EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .reads = &(const struct plugin_reads){.only_room = only_room_ever},
    .fields = fields,
    .without_fields = "there are no tolerations for the taints of these nodes",
    .prepare = prepare,
    .examine = examine,
    .filter = filter,
    .score = score,
    .normalise = normalise,
    .lead = lead,
};
