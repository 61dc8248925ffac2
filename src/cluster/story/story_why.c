/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why a step could be taken, in sentences: what its actor saw. The deciders that know it
 * (scheduler, descheduler) are asked again; the rest is read off the state.
 */
#include "cluster/story/story_why.h"
#include "base/saturating.h"
#include "cluster/actor/step_autoscalers.h"
#include "cluster/actor/step_descheduler.h"
#include "cluster/actor/step_scheduler.h"
#include "cluster/ask/admission.h"
#include "cluster/ask/attachments.h"
#include "cluster/ask/autoscaler_input.h"
#include "cluster/ask/budgets.h"
#include "cluster/ask/quotas.h"
#include "cluster/ask/set_views.h"
#include "cluster/ask/usage.h"
#include "cluster/ask/webhooks.h"
#include "cluster/emit.h"
#include "cluster/state/actions.h"
#include "cluster/state/events.h"
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/tally.h"
#include "cluster/state/webhooks.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_load.h"
#include "cluster/story/story_scheduling.h"
#include "cluster/story/words.h"
#include "decide/controller/kubelet.h"
#include "manifest/document.h"
#include "object/taint.h"

#include <inttypes.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void say(struct story_telling *telling,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    VEC_PUSH(telling->arena, &telling->why, arena_vprintf(telling->arena, format, arguments));
    va_end(arguments);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* The config of the nodes where it happens; NULL: it happens on none. */
static const struct node_config *entry_config(const struct story_telling *telling)
{
    return telling->entry < telling->from->node_count
               ? state_config(telling->worker, telling->from, telling->entry)
               : NULL;
}

/* ---- scheduler ---- */

static const struct decision *decide(const struct story_telling *telling)
{
    const struct view view = state_view(telling->worker, telling->from);
    return scheduler_decide(telling->worker->scheduler, &view,
                            home_class(telling->worker->population, telling->from, telling->number),
                            VIEW_NONE);
}

static void note_verdict(const struct story_telling *telling, const struct verdict *verdict)
{
    telling->told->plugin = verdict->plugin->name;
    telling->told->reason = arena_strdup(telling->arena, verdict->reason);
}

/* In a large cluster nodes that are turned down for the same reason share a line. */
static void say_shared_refusals(struct story_telling *telling, const struct decision *decision)
{
    const struct state *from = telling->from;
    const struct storyteller *teller = telling->teller;
    struct arena *scratch = &telling->worker->scratch;
    bool *said = ARENA_ARRAY(scratch, bool, decision->node_count + 1);
    for (uint32_t n = 0; n < decision->node_count && n < from->node_count; n++) {
        const struct verdict *verdict = &decision->nodes[n].verdict;
        VEC(const char *) names = {0};
        if (said[n] || !verdict->plugin)
            continue;
        for (uint32_t o = n; o < decision->node_count && o < from->node_count; o++) {
            const struct verdict *other = &decision->nodes[o].verdict;
            if (other->plugin != verdict->plugin || strcmp(other->reason, verdict->reason) != 0)
                continue;
            said[o] = true;
            for (uint32_t k = 0; k < teller->nodes.count; k++)
                if (teller->nodes.items[k].config == from->nodes[o].config)
                    VEC_PUSH(scratch, &names, teller->nodes.items[k].name);
        }
        if (names.count > 0)
            say(telling, "%s: %s: %s", story_nodes_alike(telling->arena, names.items, names.count),
                verdict->plugin->name, verdict->reason);
    }
}

/* Says what each filter refuses; the plugin that is told is the one that refuses most nodes. */
static void say_refusals(struct story_telling *telling)
{
    enum { LINES_MOST = 12 };
    const struct state *from = telling->from;
    const struct decision *decision = decide(telling);
    const bool shared = telling->teller->nodes.count > LINES_MOST;
    uint32_t most = 0;
    if (!decision)
        return;
    story_tell_scheduling(telling, decision);
    if (from->node_count == 0)
        say(telling, "there is no node");
    if (shared)
        say_shared_refusals(telling, decision);
    for (uint32_t k = 0; k < telling->teller->nodes.count; k++) {
        const struct named_node *node = &telling->teller->nodes.items[k];
        for (uint32_t n = 0; n < decision->node_count && n < from->node_count; n++) {
            const struct verdict *verdict = &decision->nodes[n].verdict;
            if (from->nodes[n].config != node->config || !verdict->plugin)
                continue;
            if (!shared)
                say(telling, "%s: %s: %s", node->name, verdict->plugin->name, verdict->reason);
            uint32_t same = 0;
            for (uint32_t o = 0; o < decision->node_count; o++)
                if (decision->nodes[o].verdict.plugin == verdict->plugin)
                    same += from->nodes[o].count;
            if (same > most) {
                most = same;
                note_verdict(telling, verdict);
            }
        }
    }
}

static void explain_unschedulable(struct story_telling *telling)
{
    if (!telling->revision->daemon_set) {
        say_refusals(telling);
        return;
    }
    /* The pod is for one node alone: what does that node lack? */
    const struct verdict *verdict =
        scheduler_refusal(telling->worker, telling->from, telling->number, telling->entry);
    if (!verdict || !verdict->plugin)
        return;
    say(telling, "%s: %s", verdict->plugin->name, verdict->reason);
    note_verdict(telling, verdict);
}

/* Those whose object is there. */
static uint32_t present_nodes(const struct story_telling *telling)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < telling->from->listed_count; n++)
        count += telling->from->nodes[n].count;
    return count;
}

static void explain_binding(struct story_telling *telling)
{
    if (telling->revision->daemon_set) {
        say(telling, "the DaemonSet made the pod for this node");
        return;
    }
    const struct decision *decision = decide(telling);
    int64_t best = 0;
    bool scores_most = false;
    if (!decision)
        return;
    story_tell_scheduling(telling, decision);
    for (uint32_t b = 0; b < decision->best_count; b++) {
        best += telling->from->nodes[decision->best[b]].count;
        scores_most |= decision->best[b] == telling->entry;
    }
    if (decision->feasible_nodes == 1)
        say(telling, "it is the only node of %u that passes the scheduler's filters",
            present_nodes(telling));
    else if (!scores_most && telling->population->image_sets.count > 0)
        say(telling,
            "it has the highest score of the %" PRIu64
            " nodes that pass the filters, if the images that it has pulled are large enough",
            decision->feasible_nodes);
    else if (best == 1)
        say(telling, "it has the highest score of the %" PRIu64 " nodes that pass the filters",
            decision->feasible_nodes);
    else
        say(telling,
            "it is one of %" PRId64 " nodes with the highest score, of %" PRIu64
            " that pass the filters: the scheduler picks any of them",
            best, decision->feasible_nodes);
}

static void explain_preemption(struct story_telling *telling)
{
    const bool for_one_node = telling->revision->daemon_set != NULL;
    say(telling, "the pod that waits has priority %d, more than theirs, and %s",
        telling->revision->priority, for_one_node ? "is for this node alone" : "fits on no node:");
    if (!for_one_node)
        say_refusals(telling);
}

/* ---- controllers of workloads ---- */

static void explain_deployment(struct story_telling *telling)
{
    const struct population *population = telling->population;
    const uint32_t workload = telling->revision->workload;
    int64_t sets = 0;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        sets += population->revisions.items[r].workload == workload &&
                telling->from->sets[r].replicas >= 0;
    say(telling, "its spec.replicas is %d, and it has %s", telling->from->replicas[workload],
        sets == 0   ? "no ReplicaSet yet"
        : sets == 1 ? "one ReplicaSet"
                    : "several ReplicaSets, one for each version of its pod template");
}

static void explain_pods(struct story_telling *telling)
{
    const int32_t replicas = telling->from->sets[telling->number].replicas;
    const uint32_t have = state_active(telling->worker, telling->from, telling->number);
    const uint32_t believed = set_believes(telling->worker, telling->from, telling->number);
    if (replicas >= 0 && believed > have)
        say(telling,
            "its spec.replicas is %d, and it has not seen yet that it has %u pod%s, not %u",
            replicas, have, plural(have), believed);
    else if (replicas >= 0)
        say(telling, "its spec.replicas is %d, and it has %u pod%s", replicas, have, plural(have));
}

/* The metric that decided: what the pods with a sample of it use and request. */
static void explain_metric(struct story_telling *telling, const struct autoscaler *autoscaler,
                           const struct hpa_input *input, uint32_t metric)
{
    const struct metric_spec *spec = &autoscaler->object->metrics[metric];
    const bool of_cpu = input->metrics[metric].cpu;
    const struct metric_sums sums = story_metric_sums(input, metric);
    const int64_t pods = sums.pods;
    const int64_t used = sums.used;
    const int64_t requested = sums.requested;
    const int64_t unit = of_cpu ? 1 : INT64_C(1000) << 20;
    const char *sign = of_cpu ? "m" : "Mi";
    const char *what = of_cpu ? "CPU" : "memory";
    const char *verb = pods == 1 ? "s" : "";
    if (input->metrics[metric].target == HPA_TARGET_UTILIZATION)
        say(telling,
            "%" PRId64 " ready pod%s use%s %" PRId64 "%s of the %" PRId64
            "%s %s requested, %" PRId64 "%%; the target is %" PRId64 "%%, within %d to %d replicas",
            pods, plural(pods), verb, used / unit, sign, requested / unit, sign, what,
            requested > 0 ? saturating_multiply(used, 100) / requested : 0,
            spec->target.average_utilization.value, autoscaler->min_replicas,
            autoscaler->max_replicas);
    else
        say(telling,
            "%" PRId64 " ready pod%s use%s %" PRId64 "%s %s; the target is %" PRId64
            "%s each, within %d to %d replicas",
            pods, plural(pods), verb, used / unit, sign, what,
            input->metrics[metric].target_value / unit, sign, autoscaler->min_replicas,
            autoscaler->max_replicas);
}

static void explain_autoscaling(struct story_telling *telling)
{
    const struct population *population = telling->population;
    for (uint32_t a = 0; a < population->autoscalers.count; a++) {
        const struct autoscaler *autoscaler = &population->autoscalers.items[a];
        const int32_t after = telling->to->replicas[autoscaler->workload];
        if (telling->from->replicas[autoscaler->workload] == after)
            continue;
        struct hpa_input input;
        const struct hpa_decision decision =
            autoscaler_decide(telling->worker, telling->from, autoscaler, &input);
        /* With clocks it remembers more than can be told here. */
        if (decision.replicas != after && !population->clock)
            continue;
        telling->told->notable = true;
        if (decision.outcome == HPA_BY_METRICS && decision.metric != HPA_NO_METRIC)
            explain_metric(telling, autoscaler, &input, decision.metric);
        else
            say(telling, "%s keeps the replicas within %d to %d", autoscaler->object->meta.name,
                autoscaler->min_replicas, autoscaler->max_replicas);
        return;
    }
}

/* ---- evictions ---- */

static void explain_descheduling(struct story_telling *telling)
{
    const char *plugins = "";
    uint64_t named = 0;
    enum descheduler_plugin plugin;
    for (uint32_t i = 0;
         descheduler_blames(telling->worker, telling->from, telling->to, i, &plugin); i++) {
        if (named >> plugin & 1)
            continue;
        named |= UINT64_C(1) << plugin;
        telling->told->plugin = descheduler_plugin_name(plugin);
        plugins = arena_printf(telling->arena, "%s%s%s", plugins, *plugins ? ", " : "",
                               descheduler_plugin_name(plugin));
    }
    if (*plugins)
        say(telling, "the policy's plugin %s asks for it", plugins);
}

static void explain_taint(struct story_telling *telling)
{
    const struct node_config *config = entry_config(telling);
    const struct pod_spec *spec = &telling->revision->pod->spec;
    for (uint32_t t = 0; config && t < config->template->node->spec.taint_count; t++) {
        const struct taint *taint = &config->template->node->spec.taints[t];
        const struct toleration *toleration =
            tolerations_find(spec->tolerations, spec->toleration_count, taint);
        if (taint->effect != TAINT_NO_EXECUTE ||
            (toleration && !toleration->toleration_seconds.set))
            continue;
        const char *name = arena_printf(telling->arena, "%s%s%s:NoExecute", taint->key,
                                        *taint->value ? "=" : "", taint->value);
        if (toleration)
            say(telling,
                "the node has the taint %s, which the pod tolerates for %" PRId64 " s only", name,
                toleration->toleration_seconds.value);
        else
            say(telling, "the node has the taint %s, which the pod does not tolerate", name);
        return;
    }
}

static void explain_drain(struct story_telling *telling)
{
    const struct surroundings *around = &telling->population->catalog->surroundings;
    for (uint32_t b = 0; b < around->budgets.count; b++) {
        const struct pod_disruption_budget *budget = around->budgets.items[b];
        if (!budget_guards(telling->population, budget, telling->number))
            continue;
        const int32_t allowed = budget_seen(telling->worker, telling->from, b).disruptions_allowed;
        say(telling, "PodDisruptionBudget %s allows %d disruption%s", budget->meta.name, allowed,
            plural(allowed));
    }
    if (telling->why.count == 0)
        say(telling, "no PodDisruptionBudget guards the pod");
}

/* ---- nodes and the world ---- */

static void explain_rejection(struct story_telling *telling)
{
    const struct kubelet_reason *reason =
        entry_config(telling)
            ? kubelet_why_rejected(telling->worker, telling->from->nodes[telling->entry].config,
                                   telling->number)
            : NULL;
    if (!reason)
        return;
    telling->teller->rejection = kubelet_reason_name(telling->arena, reason);
    say(telling, "%s",
        kubelet_reason_message(telling->arena, &telling->population->options.features, reason));
}

static void explain_multi_attach(struct story_telling *telling)
{
    const char *disk =
        disk_attached_elsewhere(telling->worker, telling->from, telling->entry, telling->number);
    if (disk)
        say(telling,
            "Multi-Attach error for %s: its access modes do not allow it on two nodes, and a pod "
            "on another node uses it",
            disk);
}

static void explain_panic(struct story_telling *telling)
{
    const struct node_config *config = entry_config(telling);
    const struct usage usage = usage_of(telling->worker, telling->from);
    if (config)
        say(telling, "its pods use %" PRId64 "m of its %" PRId64 "m CPU",
            node_cpu_used(&usage, config), config->template->allocatable.cpu_milli);
}

/* What the manifests, if it brings any, have to say about the replicas. */
static void explain_apply(struct story_telling *telling, const struct check_event *event)
{
    const struct scope *scope = telling->population->scope;
    const struct objects *applied = &scope->applied[event - scope->check->events];
    for (uint32_t i = 0; i < applied->count; i++) {
        const struct object *object = &applied->items[i];
        const struct value *spec =
            object->source ? value_find(&object->source->root, "spec") : NULL;
        if (!spec || value_find(spec, "replicas"))
            continue;
        for (uint32_t w = 0; w < scope->workload_count; w++)
            if (scope->workloads[w].object->kind == object->kind &&
                strcmp(scope->workloads[w].object->meta->name, object->meta->name) == 0 &&
                telling->from->replicas[w] != telling->to->replicas[w])
                say(telling,
                    "the manifest does not give spec.replicas, but the one applied before did: "
                    "the field goes back to its default, %d",
                    telling->to->replicas[w]);
    }
}

static void explain_event(struct story_telling *telling)
{
    const struct check_event *event = telling->event;
    telling->told->event = event;
    if (!event)
        return;
    explain_apply(telling, event);
    telling->told->notable = telling->why.count > 0;
    if (!telling->told->notable)
        say(telling, "the Check allows %s, at most %d time%s", event_kind_name(event->kind),
            event->at_most, plural(event->at_most));
}

/* The first workload whose pods would answer for the webhook; UINT32_MAX: none. */
static uint32_t who_answers(const struct population *population,
                            const struct population_webhook *webhook)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (webhook->backs[r])
            return population->revisions.items[r].workload;
    return UINT32_MAX;
}

/* Says that workloads wait for each other in a circle: the pods of each are kept out by a webhook
 * that pods of the next one would answer for. */
static void explain_circle(struct story_telling *telling, uint32_t first)
{
    enum { LONGEST = 8 };
    const struct population *population = telling->population;
    const char *text = population->workloads.items[first].setup->name;
    uint32_t workload = first;
    for (uint32_t i = 0; i < LONGEST; i++) {
        const uint32_t revision = telling->from->present[workload];
        const struct population_webhook *silent =
            revision == WORKLOAD_ABSENT ? NULL
                                        : webhook_silent(telling->worker, telling->from, revision);
        workload = silent ? who_answers(population, silent) : UINT32_MAX;
        if (workload >= population->managed_count)
            return;
        text = arena_printf(telling->arena, "%s%s waits for %s", text, i > 0 ? ", which" : "",
                            population->workloads.items[workload].setup->name);
        if (workload == first) {
            if (i > 0)
                say(telling, "%s", text);
            return;
        }
    }
}

/* What the pods of the revision wait for, that would answer for the webhook. */
static const char *what_waits(const struct story_telling *telling,
                              const struct population_webhook *silent, uint32_t revision)
{
    switch ((enum population_action)telling->step->action) {
    case ACT_CREATE_REFUSED:
        return silent->guards[revision] ? ", and its new pods wait for the same webhook" : "";
    case ACT_BINDING_REFUSED:
        return silent->refuses[REQUEST_BINDING][revision]
                   ? ", and the bindings of its pods wait for the same webhook"
                   : "";
    case ACT_SETS_REFUSED:
        return silent->refuses[REQUEST_SET_CREATE][revision] ||
                       silent->refuses[REQUEST_SET_UPDATE][revision]
                   ? ", and its ReplicaSets wait for the same webhook"
                   : "";
    default: return "";
    }
}

/* Whose pods would answer for a webhook, and whether these wait for it, too. */
static void explain_refusal(struct story_telling *telling)
{
    const struct population *population = telling->population;
    const struct population_webhook *silent = words_silent(telling);
    uint32_t told = UINT32_MAX; /* workload */
    for (uint32_t r = 0; silent && r < population->revisions.count; r++) {
        const struct revision *revision = &population->revisions.items[r];
        if (!silent->backs[r] || revision->workload == told)
            continue;
        told = revision->workload;
        say(telling, "Service %s/%s has no endpoint: no pod of %s is ready%s",
            silent->service->meta.namespace, silent->service->meta.name,
            population->workloads.items[told].setup->name, what_waits(telling, silent, r));
    }
    if (silent && telling->step->action == ACT_CREATE_REFUSED)
        explain_circle(telling, telling->revision->workload);
}

/* By action; the others need no explanation. */
static const struct explanation {
    void (*explain)(struct story_telling *telling);
    bool without_pods; /* true if it can be explained without knowing a revision */
    bool notable;      /* true if it is worth telling even in short */
} explanations[POPULATION_ACTION_COUNT] = {
    [ACT_AUTOSCALE] = {explain_autoscaling, .without_pods = true},
    [ACT_DESCHEDULE] = {explain_descheduling, .without_pods = true, .notable = true},
    [ACT_PANIC] = {explain_panic, .without_pods = true, .notable = true},
    [ACT_UNSCHEDULABLE] = {explain_unschedulable, .notable = true},
    [ACT_CREATE_REFUSED] = {explain_refusal, .notable = true},
    [ACT_EVICTION_REFUSED] = {explain_refusal, .notable = true},
    [ACT_BINDING_REFUSED] = {explain_refusal, .notable = true},
    [ACT_SETS_REFUSED] = {explain_refusal, .notable = true},
    [ACT_BIND] = {explain_binding},
    [ACT_PREEMPT] = {explain_preemption, .notable = true},
    [ACT_CHOOSE_VICTIMS] = {explain_preemption, .notable = true},
    [ACT_DEPLOYMENT_SYNC] = {explain_deployment},
    [ACT_SET_CREATE] = {explain_pods},
    [ACT_SET_DELETE] = {explain_pods},
    [ACT_REJECT] = {explain_rejection, .notable = true},
    [ACT_PRESSURE_REJECT] = {explain_rejection, .notable = true},
    [ACT_MULTI_ATTACH] = {explain_multi_attach, .notable = true},
    [ACT_TAINT_EVICT] = {explain_taint, .notable = true},
    [ACT_DRAIN_EVICT] = {explain_drain, .notable = true},
};

void story_explain(struct story_telling *telling)
{
    const struct explanation *explanation = &explanations[telling->step->action];
    if (explanation->explain && (explanation->without_pods || telling->revision)) {
        telling->told->notable = explanation->notable;
        explanation->explain(telling);
    } else if (telling->told->outside) {
        explain_event(telling);
    }
    telling->told->why = (struct string_list){telling->why.items, telling->why.count};
}
