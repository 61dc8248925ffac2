/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a recording that never settled repeat a cycle? It does if, without an
 * event from outside in between, the cluster returns to an earlier state: the
 * same pods except for their names, the same sizes and statuses. Every write on
 * the way is a step of the model, so the model has that cycle, too. Pods that
 * are finished do not make states different.
 *
 * What is compared is a sum of hashes over the objects, so that each version
 * costs one subtraction and one addition.
 */
#include "base/hash.h"
#include "recording/follow_internal.h"

#include <string.h>

/* Two sums with different seeds: 128 bits, which do not collide by chance. */
struct mark {
    uint64_t first;
    uint64_t second;
};

struct visit {
    const struct version *version;
    uint32_t replaced; /* pods made so far */
};

static void write_pod(struct text *text, const struct pod *pod)
{
    const struct owner_reference *owner = object_meta_controller(&pod->meta);
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    const char *revision = labels_find(&pod->meta.labels, "controller-revision-hash");
    const bool finished = pod->status.phase == POD_SUCCEEDED || pod->status.phase == POD_FAILED;
    /* A Job counts those that are finished. */
    if (finished && !(owner && strcmp(owner->kind, "Job") == 0))
        return;
    text_printf(text, "Pod %s %s/%s %s on %s phase %d ready %s deleting %d nominated %s",
                pod->meta.namespace ? pod->meta.namespace : "", owner ? owner->kind : "",
                owner ? owner->name : pod->meta.name, revision ? revision : "",
                pod->spec.node_name ? pod->spec.node_name : "", (int)pod->status.phase,
                ready ? ready->status : "", pod->meta.deletion_time != TIME_NONE,
                pod->status.nominated_node_name ? pod->status.nominated_node_name : "");
}

static void write_node(struct text *text, const struct node *node)
{
    const struct condition *ready = conditions_find(&node->status.conditions, "Ready");
    text_printf(text, "Node %s cordoned %d ready %s", node->meta.name, node->spec.unschedulable,
                ready ? ready->status : "");
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        text_printf(text, " %s:%d", node->spec.taints[i].key, (int)node->spec.taints[i].effect);
}

/* Sizes, and the numbers of the status but for those that only ever grow. */
static void write_other(struct text *text, const struct version *version)
{
    const struct value *whole = value_find(version->line, "object");
    const struct value *status = value_find(whole ? whole : version->line, "status");
    const struct value *spec = whole ? value_find(whole, "spec") : version->line;
    int64_t number = 0;
    text_printf(text, "%s %s/%s", version->thing->kind,
                version->thing->namespace ? version->thing->namespace : "", version->thing->name);
    if (value_read_integer(value_find(spec, "replicas"), &number))
        text_printf(text, " replicas %lld", (long long)number);
    if (!status || status->kind != VALUE_MAPPING)
        return;
    VALUE_EACH_MEMBER(status, member)
    {
        if (strcmp(member->key, "observedGeneration") != 0 &&
            value_read_integer(&member->value, &number) && number != 0)
            text_printf(text, " %s %lld", member->key, (long long)number);
    }
}

static struct mark mark_of(struct follower *follower, struct version *version)
{
    struct text *text = &follower->answer;
    text_reset(text);
    if (!version || version->gone)
        return (struct mark){0};
    const struct object *object = restore_object(&follower->restorer, version);
    if (!object)
        return (struct mark){0};
    if (object->kind == OBJECT_POD)
        write_pod(text, object->as.pod);
    else if (object->kind == OBJECT_NODE)
        write_node(text, object->as.node);
    else
        write_other(text, version);
    if (text->length == 0)
        return (struct mark){0};
    return (struct mark){hash_bytes(text_content(text), text->length),
                         hash_bytes_seeded(text_content(text), text->length, 1)};
}

static bool is_from_outside(const struct deed *deed)
{
    if (strcmp(deed->actor, "script") == 0)
        return strncmp(deed->name, "end", 3) != 0;
    if (deed->rv < 0 || deed->code || deed->noop)
        return false;
    return strcmp(deed->actor, "user") == 0 ||
           (strcmp(deed->actor, "kubelet") == 0 && strcmp(deed->kind, "Node") == 0);
}

static int64_t usage_in(const struct metrics_answer *answer)
{
    const struct value *pods = value_find(answer->line, "pods");
    int64_t sum = 0;
    for (uint32_t i = 0; pods && pods->kind == VALUE_SEQUENCE && i < pods->count; i++)
        for (uint32_t n = 1; pods->items[i].kind == VALUE_SEQUENCE && n < pods->items[i].count;
             n++) {
            int64_t number = 0;
            value_read_integer(&pods->items[i].items[n], &number);
            sum += number;
        }
    return sum;
}

/* The last time at which the total usage of the pods changed. The change may
 * come from outside, so no cycle may contain it. */
static double load_until(const struct recording *recording)
{
    for (uint32_t i = recording->answers.count; i > 1; i--)
        if (usage_in(&recording->answers.items[i - 1]) !=
            usage_in(&recording->answers.items[i - 2]))
            return recording->answers.items[i - 1].time;
    return 0;
}

/* The last commit at which something came from outside: a request or a change of the load. */
static int64_t left_alone_since(const struct recording *recording)
{
    const double loaded = load_until(recording);
    int64_t since = 0;
    int64_t last = 0;
    for (uint32_t i = 0; i < recording->deeds.count; i++) {
        const struct deed *deed = &recording->deeds.items[i];
        last = deed->rv > last ? deed->rv : last;
        if (is_from_outside(deed) || deed->time <= loaded)
            since = last;
    }
    return since;
}

bool follow_loop(struct follower *follower, struct follow_loop *loop)
{
    const struct recording *recording = follower->recording;
    const int64_t since = left_alone_since(recording);
    struct mark sum = {0};
    struct map seen;
    struct arena arena;
    uint32_t made = 0;
    bool found = false;
    arena_init(&arena, recording->arena->memory);
    map_init(&seen, &arena);
    for (uint32_t i = 0; i < recording->order.count; i++) {
        struct version *version = recording->order.items[i];
        struct version *before = version > version->thing->versions.items ? version - 1 : NULL;
        const struct mark old = mark_of(follower, before);
        const struct mark new = mark_of(follower, version);
        sum.first += new.first - old.first;
        sum.second += new.second - old.second;
        made +=
            strcmp(version->thing->kind, "Pod") == 0 && !version->gone && (!before || before->gone);
        if (version->rv < since)
            continue;
        struct map_entry *entry =
            map_put(&seen, arena_printf(&arena, "%llx %llx", (unsigned long long)sum.first,
                                        (unsigned long long)sum.second));
        const struct visit *visit = entry->value;
        if (visit && visit->replaced < made) {
            *loop =
                (struct follow_loop){visit->version->time, version->time, made - visit->replaced};
            found = true;
        }
        if (!visit || visit->replaced < made) {
            struct visit *latest = ARENA_NEW(&arena, struct visit);
            *latest = (struct visit){version, made};
            entry->value = latest;
        }
    }
    arena_release(&arena);
    return found;
}
