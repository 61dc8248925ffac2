/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler. Every answer of the metrics API belongs to a
 * sync, so the controller's memory can be reconstructed sync by sync. Which
 * pods an earlier sync saw is known only roughly; where it makes a difference,
 * all memories that the sync may have left are kept.
 */
#include "recording/follow_autoscaler.h"
#include "base/saturating.h"
#include "decide/controller/hpa.h"
#include "decide/controller/hpa_memory.h"
#include "decide/controller/hpa_object.h"
#include "recording/restore_parts.h"

#include <string.h>

/* A sync asks once for each metric; answers so close belong to one sync. */
#define SYNC_SECONDS 0.4
/* How long after its answers a sync may write, and how long before by clocks that
 * do not agree. */
#define WRITE_SECONDS 2.0
#define EARLY_SECONDS 0.1

/* Flags of the controller manager that a recording may be made with if it does not tell:
 * upstream's defaults, and those of quick recordings. */
static const struct {
    int64_t cpu_initialization;
    int64_t initial_readiness_delay;
} flag_sets[] = {
    {INT64_C(300) * NANOSECONDS_PER_SECOND, INT64_C(30) * NANOSECONDS_PER_SECOND},
    {INT64_C(10) * NANOSECONDS_PER_SECOND, INT64_C(1) * NANOSECONDS_PER_SECOND},
};

enum { FLAG_SETS = sizeof(flag_sets) / sizeof(*flag_sets) };

/* Times are written down in whole seconds, and a recording does not tell where
 * in a second it began. So there are variants of what a sync sees: with times as
 * the recorder has them, and rounded down with each of ten phases. */
enum { PHASES = 10, VARIANTS = FLAG_SETS * (1 + PHASES) };

/* ---- the past ---- */

/* How far a sync of the past may have been behind, and ahead of the recorder. */
#define BEHIND_SECONDS 0.5
#define AHEAD_SECONDS  0.2
enum { MEMORIES_MOST = 16 };

/* What an autoscaler may remember after the answers before `next`. */
struct autoscaler_past {
    const char *key; /* of the target and the variant */
    uint32_t next;
    double last; /* when the last sync was; negative: there was none */
    uint32_t count;
    struct hpa_memory memories[MEMORIES_MOST];
};

static struct hpa_memory_list copy_list(struct arena *arena, const struct hpa_memory_list *list)
{
    struct hpa_memory_list copy = *list;
    copy.capacity = list->count;
    copy.items =
        list->count > 0 ? arena_copy(arena, list->items, list->count * sizeof(*list->items)) : NULL;
    return copy;
}

static struct hpa_memory copy_memory(struct arena *arena, const struct hpa_memory *memory)
{
    return (struct hpa_memory){
        .started = memory->started,
        .recommendations = copy_list(arena, &memory->recommendations),
        .scale_ups = copy_list(arena, &memory->scale_ups),
        .scale_downs = copy_list(arena, &memory->scale_downs),
    };
}

static bool same_list(const struct hpa_memory_list *left, const struct hpa_memory_list *right)
{
    bool same = left->count == right->count;
    for (uint32_t i = 0; same && i < left->count; i++)
        same = left->items[i].replicas == right->items[i].replicas &&
               left->items[i].age == right->items[i].age;
    return same;
}

static bool same_memory(const struct hpa_memory *left, const struct hpa_memory *right)
{
    return left->started == right->started &&
           same_list(&left->recommendations, &right->recommendations) &&
           same_list(&left->scale_ups, &right->scale_ups) &&
           same_list(&left->scale_downs, &right->scale_downs);
}

static void remember(struct arena *arena, struct autoscaler_past *past,
                     const struct hpa_memory *memory)
{
    for (uint32_t i = 0; i < past->count; i++)
        if (same_memory(&past->memories[i], memory))
            return;
    if (past->count < MEMORIES_MOST)
        past->memories[past->count++] = copy_memory(arena, memory);
}

/* ---- one sync ---- */

struct sync {
    struct hpa_input input;
    struct hpa_decision decision;
};

/* The age that a time has once it is rounded down to a second. */
static int64_t rounded_age(int64_t age, int64_t now, int64_t phase)
{
    return age >= HPA_AGE_UNSET ? age : age + (now - age + phase) % NANOSECONDS_PER_SECOND;
}

static void round_input(struct arena *arena, struct hpa_input *input, int64_t now, int64_t phase)
{
    struct hpa_pod_class *pods = ARENA_ARRAY(arena, struct hpa_pod_class, input->pod_count + 1);
    for (uint32_t i = 0; i < input->pod_count; i++) {
        struct hpa_sample *samples = ARENA_ARRAY(arena, struct hpa_sample, input->metric_count + 1);
        pods[i] = input->pods[i];
        pods[i].start_age = rounded_age(pods[i].start_age, now, phase);
        pods[i].ready_age = rounded_age(pods[i].ready_age, now, phase);
        for (uint32_t m = 0; pods[i].samples && m < input->metric_count; m++) {
            samples[m] = pods[i].samples[m];
            samples[m].age = rounded_age(samples[m].age, now, phase);
        }
        if (pods[i].samples)
            pods[i].samples = samples;
    }
    input->pods = pods;
}

/* False if nothing can be decided. */
static bool sync_now(struct follower *follower, const struct deed *deed, struct glimpse *glimpse,
                     const struct metrics_answer *answer, uint32_t variant,
                     const struct hpa_memory *memory, struct sync *sync)
{
    const struct horizontal_pod_autoscaler *autoscaler = autoscaler_of(glimpse, deed);
    struct hpa_scale scale;
    struct problems ignored;
    problems_init(&ignored, &follower->scratch);
    if (!autoscaler ||
        !hpa_find_scale(&follower->scratch, &glimpse->objects, autoscaler, &scale, &ignored) ||
        !hpa_read_input(&follower->scratch, &glimpse->objects, autoscaler, &scale, NULL,
                        recording_instant(follower->recording, answer->time), &follower->features,
                        &sync->input, &ignored))
        return false;
    const uint32_t flags = variant % FLAG_SETS;
    if (follower->plane.has_flags) {
        sync->input.flags = follower->plane.autoscaler;
        hpa_input_set_tolerance(&sync->input);
    } else {
        sync->input.flags.cpu_initialization = flag_sets[flags].cpu_initialization;
        sync->input.flags.initial_readiness_delay = flag_sets[flags].initial_readiness_delay;
    }
    if (variant >= FLAG_SETS)
        round_input(&follower->scratch, &sync->input,
                    recording_instant(follower->recording, answer->time),
                    (int64_t)(variant / FLAG_SETS - 1) * (NANOSECONDS_PER_SECOND / PHASES));
    struct hpa_proposal *proposals =
        ARENA_ARRAY(&follower->scratch, struct hpa_proposal, sync->input.metric_count + 1);
    hpa_decide(&sync->input, memory, proposals, &sync->decision);
    return true;
}

/* The last commit that the recorder had heard of at that time. */
static int64_t heard_at(const struct recording *recording, double time)
{
    int64_t rv = 0;
    for (uint32_t i = 0; i < recording->order.count; i++)
        if (recording->order.items[i]->time <= time && recording->order.items[i]->rv > rv)
            rv = recording->order.items[i]->rv;
    return rv;
}

/* Other metrics of the same sync, or of other targets, come in between. */
static bool is_for(const struct follower *follower, const struct metrics_answer *answer,
                   const struct deed *deed)
{
    const struct value *pods = value_find(answer->line, "pods");
    if (!pods || pods->kind != VALUE_SEQUENCE || pods->count == 0)
        return true;
    for (uint32_t i = 0; i < pods->count; i++) {
        const char *name = NULL;
        if (pods->items[i].kind != VALUE_SEQUENCE || pods->items[i].count == 0 ||
            !value_read_string(&pods->items[i].items[0], &name))
            continue;
        const struct thing *thing =
            recording_find(follower->recording, "Pod", deed->namespace, name);
        const struct value *owner =
            thing ? value_find(thing->versions.items[0].line, "owner") : NULL;
        const char *kind = line_item(owner, 0);
        const char *target = line_item(owner, 1);
        if (!kind || !target)
            continue;
        if (strcmp(kind, "ReplicaSet") == 0 && strcmp(deed->kind, "Deployment") == 0) {
            kind = "Deployment";
            target = deployment_of_set(follower, target);
        }
        if (target && strcmp(kind, deed->kind) == 0 && strcmp(target, deed->name) == 0)
            return true;
    }
    return false;
}

/* The answer that completes the sync of answer `first`; the number of answers
 * if there is none. */
static uint32_t last_of_sync(const struct follower *follower, const struct deed *deed,
                             uint32_t first)
{
    const struct recording *recording = follower->recording;
    uint32_t last = recording->answers.count;
    for (uint32_t i = first; i < recording->answers.count; i++) {
        const struct metrics_answer *answer = &recording->answers.items[i];
        if (!is_for(follower, answer, deed))
            continue;
        if (last < recording->answers.count &&
            answer->time - recording->answers.items[last].time >= SYNC_SECONDS)
            break;
        last = i;
    }
    return last;
}

/* What the autoscaler wrote because of answer `at`; NULL: nothing. */
static const struct deed *write_after(const struct follower *follower, const struct deed *deed,
                                      uint32_t at)
{
    const struct recording *recording = follower->recording;
    const double time = recording->answers.items[at].time;
    const uint32_t next = last_of_sync(follower, deed, at + 1);
    double end = time + WRITE_SECONDS;
    if (next < recording->answers.count &&
        recording->answers.items[next].time - EARLY_SECONDS < end)
        end = recording->answers.items[next].time - EARLY_SECONDS;
    for (uint32_t i = 0; i < recording->deeds.count; i++) {
        const struct deed *other = &recording->deeds.items[i];
        if (other->rv >= 0 && !other->code && !other->noop && other->time > time - EARLY_SECONDS &&
            other->time < end && strcmp(other->actor, deed->actor) == 0 &&
            strcmp(other->action, deed->action) == 0 && strcmp(other->kind, deed->kind) == 0 &&
            strcmp(other->name, deed->name) == 0 && strcmp(other->namespace, deed->namespace) == 0)
            return other;
    }
    return NULL;
}

/* Is there no autoscaler for the target at that commit? */
static bool is_gone(struct follower *follower, const struct deed *deed, int64_t rv)
{
    const struct arena_mark mark = arena_mark(&follower->scratch);
    const struct outlook outlook = {.rv = rv};
    struct glimpse glimpse;
    const bool gone =
        glimpse_at(follower, &outlook, 0, NULL, &glimpse) && !autoscaler_of(&glimpse, deed);
    arena_rewind(&follower->scratch, mark);
    return gone;
}

/* A sync of the past, and what it wrote (-1: nothing). */
struct later {
    const struct deed *deed; /* that is judged: a later one of the same autoscaler */
    uint32_t variant;
    const struct metrics_answer *answer;
    int64_t wrote;
};

/* Adds the memories that it leaves if it saw the pods as of one commit and the
 * rest as of another; if `strict`, only where it would have written that. */
static bool live_through_seeing(struct follower *follower, const struct later *later, bool strict,
                                int64_t pods, int64_t rest, const struct autoscaler_past *past,
                                struct autoscaler_past *next)
{
    const struct arena_mark mark = arena_mark(&follower->scratch);
    struct glimpse glimpse;
    if (!autoscaler_see(follower, later->answer, pods, rest, &glimpse))
        return false;
    for (uint32_t i = 0; i < past->count; i++) {
        struct hpa_memory memory = copy_memory(&follower->scratch, &past->memories[i]);
        struct sync sync;
        if (past->last >= 0)
            hpa_memory_age(&memory, saturating_from_double((later->answer->time - past->last) *
                                                           NANOSECONDS_PER_SECOND));
        if (!sync_now(follower, later->deed, &glimpse, later->answer, later->variant, &memory,
                      &sync) ||
            (strict && sync.decision.replicas != later->wrote))
            continue;
        sync.decision.rescale = later->wrote >= 0;
        if (later->wrote >= 0)
            sync.decision.replicas = (int32_t)later->wrote;
        hpa_memory_record(&follower->scratch, &memory, &sync.input, &sync.decision);
        remember(follower->recording->arena, next, &memory);
    }
    arena_rewind(&follower->scratch, mark);
    return true;
}

/* Adds one sync of the past: from each memory that it may have had, and each
 * set of pods that it may have seen, to the memories that explain what it
 * wrote. */
static bool live_through(struct follower *follower, const struct deed *deed, uint32_t variant,
                         uint32_t number, struct autoscaler_past *past)
{
    const struct recording *recording = follower->recording;
    const struct metrics_answer *answer = &recording->answers.items[number];
    const int64_t now = heard_at(recording, answer->time);
    const int64_t oldest = heard_at(recording, answer->time - BEHIND_SECONDS);
    const int64_t newest = heard_at(recording, answer->time + AHEAD_SECONDS);
    const struct deed *written = write_after(follower, deed, number);
    int64_t wanted = -1;
    struct autoscaler_past next = *past;
    next.count = 0;
    if (written)
        value_read_integer(value_find(written->line, "replicas"), &wanted);
    if (is_gone(follower, deed, now)) {
        /* The memory of an autoscaler is lost when it is deleted. */
        *past =
            (struct autoscaler_past){.key = past->key, .next = past->next, .last = -1, .count = 1};
        return true;
    }
    const int64_t limit = written && written->rv - 1 < newest ? written->rv - 1 : newest;
    const int64_t rest = now < limit ? now : limit;
    const struct later later = {deed, variant, answer, written ? wanted : -1};
    /* First only memories that explain the write, if there is one; if there are none, all. */
    for (int strict = written ? 1 : 0; strict >= 0 && next.count == 0; strict--) {
        if (!live_through_seeing(follower, &later, strict, rest, rest, past, &next))
            return false;
        for (uint32_t at = versions_before(recording, limit + 1); at > 0; at--) {
            const struct version *version = recording->order.items[at - 1];
            if (version->rv < oldest)
                break;
            if (version->rv != rest && strcmp(version->thing->kind, "Pod") == 0 &&
                !live_through_seeing(follower, &later, strict, version->rv, rest, past, &next))
                return false;
        }
    }
    if (next.count > 0) {
        *past = next;
        past->last = answer->time;
    }
    return true;
}

static struct autoscaler_past *past_of(struct follower *follower, const struct deed *deed,
                                       uint32_t variant)
{
    struct arena *arena = follower->recording->arena;
    const char *key =
        arena_printf(arena, "%u/%s/%s/%s", variant, deed->kind, deed->namespace, deed->name);
    for (uint32_t i = 0; i < follower->pasts.count; i++)
        if (strcmp(follower->pasts.items[i]->key, key) == 0)
            return follower->pasts.items[i];
    struct autoscaler_past *past = ARENA_NEW(arena, struct autoscaler_past);
    *past = (struct autoscaler_past){.key = key, .last = -1, .count = 1};
    VEC_PUSH(arena, &follower->pasts, past);
    return past;
}

static bool explained(struct follower *follower, const struct deed *deed,
                      const struct glimpse *latest, uint32_t variant, int64_t wanted)
{
    const struct recording *recording = follower->recording;
    struct autoscaler_past *past = past_of(follower, deed, variant);
    for (;;) {
        const uint32_t at = last_of_sync(follower, deed, past->next);
        const uint32_t after =
            at < recording->answers.count ? last_of_sync(follower, deed, at + 1) : at;
        if (at == recording->answers.count ||
            recording->answers.items[at].time > deed->time + EARLY_SECONDS)
            return false;
        const struct metrics_answer *answer = &recording->answers.items[at];
        if (after < recording->answers.count &&
            recording->answers.items[after].time <= deed->time + EARLY_SECONDS) {
            if (!live_through(follower, deed, variant, at, past))
                return false;
            past->next = at + 1;
            continue;
        }
        if (deed->time - answer->time >= WRITE_SECONDS)
            return false;
        struct glimpse glimpse;
        if (!autoscaler_see(follower, answer, outlook_rv(&latest->outlook, "Pod"),
                            latest->outlook.rv, &glimpse))
            return false;
        for (uint32_t i = 0; i < past->count; i++) {
            struct hpa_memory memory = copy_memory(&follower->scratch, &past->memories[i]);
            struct sync sync;
            if (past->last >= 0)
                hpa_memory_age(&memory, saturating_from_double((answer->time - past->last) *
                                                               NANOSECONDS_PER_SECOND));
            if (!sync_now(follower, deed, &glimpse, answer, variant, &memory, &sync))
                continue;
            if (follower->would.length == 0)
                text_printf(&follower->would, "the autoscaler would scale %s to %d", deed->name,
                            sync.decision.replicas);
            if (sync.decision.replicas == wanted)
                return true;
        }
        return false;
    }
}

/* A size beyond the bounds is corrected without asking for metrics. */
static bool corrects_bounds(const struct glimpse *glimpse, const struct deed *deed, int64_t wanted)
{
    const struct horizontal_pod_autoscaler *autoscaler = autoscaler_of(glimpse, deed);
    struct hpa_scale scale;
    struct problems ignored;
    problems_init(&ignored, &glimpse->follower->scratch);
    if (!autoscaler || !hpa_find_scale(&glimpse->follower->scratch, &glimpse->objects, autoscaler,
                                       &scale, &ignored))
        return false;
    return (scale.spec_replicas > autoscaler->max_replicas && wanted == autoscaler->max_replicas) ||
           (scale.spec_replicas < autoscaler->min_replicas && scale.spec_replicas > 0 &&
            wanted == autoscaler->min_replicas);
}

bool rule_autoscale(struct follower *follower, const struct deed *deed, struct glimpse *glimpse)
{
    int64_t wanted = -1;
    value_read_integer(value_find(deed->line, "replicas"), &wanted);
    if (corrects_bounds(glimpse, deed, wanted))
        return true;
    /* One variant holds for a whole recording: the last one that explained. */
    for (uint32_t i = 0; i < VARIANTS; i++) {
        const uint32_t variant = (follower->variant + i) % VARIANTS;
        if (!explained(follower, deed, glimpse, variant, wanted))
            continue;
        follower->variant = variant;
        return true;
    }
    follower->blind = follower->recording->answers.count == 0;
    return false;
}
