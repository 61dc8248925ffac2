/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler. Every answer of the metrics API was given to a
 * sync, so that what it remembers can be built up sync by sync. Which pods a
 * sync of the past saw is known only roughly; where it makes a difference, all
 * memories that it may have left are kept.
 */
#include "model/controller/hpa.h"
#include "model/controller/hpa_memory.h"
#include "model/controller/hpa_object.h"
#include "object/time.h"
#include "observe/follow_internal.h"

#include <string.h>

/* A sync asks once for each metric; answers so close belong to one sync. */
#define SYNC_SECONDS 0.4
/* How long after its answers a sync may write. */
#define WRITE_SECONDS 2.0

/* Flags of the controller manager that a recording may be made with: upstream's
 * defaults, and those of quick recordings. */
static const struct {
    int64_t cpu_initialization;
    int64_t initial_readiness_delay;
} flag_sets[] = {
    {INT64_C(300) * NANOSECONDS_PER_SECOND, INT64_C(30) * NANOSECONDS_PER_SECOND},
    {INT64_C(10) * NANOSECONDS_PER_SECOND, INT64_C(1) * NANOSECONDS_PER_SECOND},
};

static void write_metrics(struct follower *follower, const struct pod *pod, double time,
                          int64_t cpu_milli, int64_t memory_mebi)
{
    struct json_out json;
    text_reset(&follower->answer);
    json_out_init(&json, &follower->answer, 0);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "metrics.k8s.io/v1beta1");
    json_string(&json, "kind", "PodMetrics");
    json_object_begin(&json, "metadata");
    json_string(&json, "name", pod->meta.name);
    json_string(&json, "namespace", pod->meta.namespace);
    json_object_begin(&json, "labels"); /* the metrics API selects by them */
    for (uint32_t i = 0; i < pod->meta.labels.count; i++)
        json_string(&json, pod->meta.labels.items[i].key, pod->meta.labels.items[i].value);
    json_object_end(&json);
    json_object_end(&json);
    json_string(&json, "timestamp", time_format(&follower->scratch, restore_instant(time)));
    json_string(&json, "window", "1s");
    json_array_begin(&json, "containers");
    for (uint32_t c = 0; c < pod->spec.container_count; c++) {
        json_object_begin(&json, NULL);
        json_string(&json, "name", pod->spec.containers[c].name);
        json_object_begin(&json, "usage");
        json_string(&json, "cpu",
                    arena_printf(&follower->scratch, "%lldm", c == 0 ? (long long)cpu_milli : 0));
        json_string(
            &json, "memory",
            arena_printf(&follower->scratch, "%lldMi", c == 0 ? (long long)memory_mebi : 0));
        json_object_end(&json);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
}

/* The samples of an answer, [["web-1", 400, 50], ...], become objects. */
static bool add_samples(struct follower *follower, struct glimpse *glimpse,
                        const struct answer *answer)
{
    const struct value *pods = value_find(answer->line, "pods");
    for (uint32_t i = 0; pods && pods->kind == VALUE_SEQUENCE && i < pods->count; i++) {
        const struct value *sample = &pods->items[i];
        const char *name = NULL;
        int64_t cpu = 0;
        int64_t memory = 0;
        if (sample->kind != VALUE_SEQUENCE || sample->count < 3 ||
            !value_read_string(&sample->items[0], &name))
            continue;
        value_read_integer(&sample->items[1], &cpu);
        value_read_integer(&sample->items[2], &memory);
        const struct object *pod = glimpse_find(glimpse, OBJECT_POD, name);
        if (!pod)
            continue;
        write_metrics(follower, pod->as.pod, answer->time, cpu, memory);
        const struct document *document = manifest_reader_parse_json(
            follower->restorer.reader, &follower->scratch, (struct place){"metrics", 1, 1},
            text_content(&follower->answer), follower->answer.length, follower->problems);
        if (!document ||
            !objects_add(&follower->scratch, &glimpse->objects, document, NULL, follower->problems))
            return false;
    }
    return true;
}

static const struct horizontal_pod_autoscaler *autoscaler_of(const struct glimpse *glimpse,
                                                             const struct deed *deed)
{
    for (uint32_t i = 0; i < glimpse->objects.count; i++) {
        const struct object *object = &glimpse->objects.items[i];
        if (object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            is_of_namespace(glimpse->follower, object->meta) &&
            strcmp(object->as.horizontal_pod_autoscaler->scale_target.kind, deed->kind) == 0 &&
            strcmp(object->as.horizontal_pod_autoscaler->scale_target.name, deed->name) == 0)
            return object->as.horizontal_pod_autoscaler;
    }
    return NULL;
}

/* ---- the past ---- */

/* How far a sync of the past may have been behind, and ahead of the recorder. */
#define BEHIND_SECONDS 0.5
#define AHEAD_SECONDS  0.2
enum { MEMORIES_MOST = 16 };

/* What an autoscaler may remember after the answers before `next`. */
struct autoscaler_past {
    const char *key; /* of the target and the flags */
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

/* False if nothing can be decided. */
static bool sync_now(struct follower *follower, const struct deed *deed, struct glimpse *glimpse,
                     const struct answer *answer, uint32_t flags, const struct hpa_memory *memory,
                     struct sync *sync)
{
    const struct horizontal_pod_autoscaler *autoscaler = autoscaler_of(glimpse, deed);
    struct hpa_scale scale;
    struct problems ignored;
    problems_init(&ignored, &follower->scratch);
    if (!autoscaler ||
        !hpa_find_scale(&follower->scratch, &glimpse->objects, autoscaler, &scale, &ignored) ||
        !hpa_read_input(&follower->scratch, &glimpse->objects, autoscaler, &scale, NULL,
                        restore_instant(answer->time), 26, &sync->input, &ignored))
        return false;
    sync->input.rules.cpu_initialization = flag_sets[flags].cpu_initialization;
    sync->input.rules.initial_readiness_delay = flag_sets[flags].initial_readiness_delay;
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
static bool is_for(const struct follower *follower, const struct answer *answer,
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
        const char *kind = owner && owner->kind == VALUE_SEQUENCE && owner->count == 2
                               ? owner->items[0].text
                               : NULL;
        if (!kind)
            continue;
        const char *target = owner->items[1].text;
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
        const struct answer *answer = &recording->answers.items[i];
        if (!is_for(follower, answer, deed))
            continue;
        if (last < recording->answers.count &&
            answer->time - recording->answers.items[last].time >= SYNC_SECONDS)
            break;
        last = i;
    }
    return last;
}

/* What the autoscaler wrote because of an answer; NULL: nothing. */
static const struct deed *write_after(const struct follower *follower, const struct deed *deed,
                                      const struct answer *answer)
{
    const struct recording *recording = follower->recording;
    for (uint32_t i = 0; i < recording->deeds.count; i++) {
        const struct deed *other = &recording->deeds.items[i];
        if (other->rv >= 0 && !other->code && !other->noop && other->time >= answer->time &&
            other->time < answer->time + WRITE_SECONDS && strcmp(other->actor, deed->actor) == 0 &&
            strcmp(other->action, deed->action) == 0 && strcmp(other->kind, deed->kind) == 0 &&
            strcmp(other->name, deed->name) == 0 && strcmp(other->namespace, deed->namespace) == 0)
            return other;
    }
    return NULL;
}

static bool see(struct follower *follower, const struct answer *answer, int64_t pods, int64_t rest,
                struct glimpse *glimpse)
{
    const struct outlook outlook = {.rv = rest, .count = 1, .behind = {{"Pod", pods}}};
    return glimpse_at(follower, &outlook, answer->time, NULL, glimpse) &&
           add_samples(follower, glimpse, answer);
}

/* One more sync of the past, from what it may have remembered, with the pods
 * that it may have seen. What it wrote is known. */
static bool live_through(struct follower *follower, const struct deed *deed, uint32_t flags,
                         const struct answer *answer, struct autoscaler_past *past)
{
    const struct recording *recording = follower->recording;
    struct arena *arena = recording->arena;
    const int64_t now = heard_at(recording, answer->time);
    const int64_t oldest = heard_at(recording, answer->time - BEHIND_SECONDS);
    const int64_t newest = heard_at(recording, answer->time + AHEAD_SECONDS);
    const struct deed *written = write_after(follower, deed, answer);
    int64_t wanted = -1;
    struct autoscaler_past next = *past;
    next.count = 0;
    if (written)
        value_read_integer(value_find(written->line, "replicas"), &wanted);
    const int64_t limit = written && written->rv - 1 < newest ? written->rv - 1 : newest;
    /* First those that explain the write, if there is one; otherwise all. */
    for (int strict = written ? 1 : 0; strict >= 0 && next.count == 0; strict--)
        for (uint32_t at = versions_before(recording, limit + 1); at > 0; at--) {
            const struct version *version = recording->order.items[at - 1];
            if (version->rv < oldest)
                break;
            if (version->rv != now && strcmp(version->thing->kind, "Pod") != 0)
                continue;
            const struct arena_mark mark = arena_mark(&follower->scratch);
            struct glimpse glimpse;
            if (!see(follower, answer, version->rv, now < limit ? now : limit, &glimpse))
                return false;
            for (uint32_t i = 0; i < past->count; i++) {
                struct hpa_memory memory = copy_memory(&follower->scratch, &past->memories[i]);
                struct sync sync;
                if (past->last >= 0)
                    hpa_memory_age(&memory,
                                   (int64_t)((answer->time - past->last) * NANOSECONDS_PER_SECOND));
                if (!sync_now(follower, deed, &glimpse, answer, flags, &memory, &sync) ||
                    (strict && sync.decision.replicas != wanted))
                    continue;
                sync.decision.rescale = written != NULL;
                if (written)
                    sync.decision.replicas = (int32_t)wanted;
                hpa_memory_record(&follower->scratch, &memory, &sync.input, &sync.decision);
                remember(arena, &next, &memory);
            }
            arena_rewind(&follower->scratch, mark);
        }
    if (next.count > 0) {
        *past = next;
        past->last = answer->time;
    }
    return true;
}

static struct autoscaler_past *past_of(struct follower *follower, const struct deed *deed,
                                       uint32_t flags)
{
    struct arena *arena = follower->recording->arena;
    const char *key =
        arena_printf(arena, "%u/%s/%s/%s", flags, deed->kind, deed->namespace, deed->name);
    for (uint32_t i = 0; i < follower->pasts.count; i++)
        if (strcmp(follower->pasts.items[i]->key, key) == 0)
            return follower->pasts.items[i];
    struct autoscaler_past *past = ARENA_NEW(arena, struct autoscaler_past);
    *past = (struct autoscaler_past){.key = key, .last = -1, .count = 1};
    VEC_PUSH(arena, &follower->pasts, past);
    return past;
}

static bool explained(struct follower *follower, const struct deed *deed,
                      const struct glimpse *latest, uint32_t flags, int64_t wanted)
{
    const struct recording *recording = follower->recording;
    struct autoscaler_past *past = past_of(follower, deed, flags);
    for (;;) {
        const uint32_t at = last_of_sync(follower, deed, past->next);
        const uint32_t after =
            at < recording->answers.count ? last_of_sync(follower, deed, at + 1) : at;
        if (at == recording->answers.count ||
            recording->answers.items[at].time > deed->time + SYNC_SECONDS)
            return false;
        const struct answer *answer = &recording->answers.items[at];
        if (after < recording->answers.count &&
            recording->answers.items[after].time <= deed->time + SYNC_SECONDS) {
            if (!live_through(follower, deed, flags, answer, past))
                return false;
            past->next = at + 1;
            continue;
        }
        if (deed->time - answer->time >= WRITE_SECONDS)
            return false;
        struct glimpse glimpse;
        if (!see(follower, answer, outlook_rv(&latest->outlook, "Pod"), latest->outlook.rv,
                 &glimpse))
            return false;
        for (uint32_t i = 0; i < past->count; i++) {
            struct hpa_memory memory = copy_memory(&follower->scratch, &past->memories[i]);
            struct sync sync;
            if (past->last >= 0)
                hpa_memory_age(&memory,
                               (int64_t)((answer->time - past->last) * NANOSECONDS_PER_SECOND));
            if (!sync_now(follower, deed, &glimpse, answer, flags, &memory, &sync))
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
    for (uint32_t flags = 0; flags < sizeof(flag_sets) / sizeof(*flag_sets); flags++)
        if (explained(follower, deed, glimpse, flags, wanted))
            return true;
    follower->blind = follower->recording->answers.count == 0;
    return false;
}
