/* SPDX-License-Identifier: Apache-2.0 */
#include "object/admission.h"
#include "observe/follow_internal.h"

#include <string.h>

struct rule_row {
    const char *actor;
    const char *action;
    const char *kind;
    follow_rule rule;
    const char *sees;
};

static const struct rule_row rules[] = {
#define RULE(actor, action, kind, rule, sees) {actor, action, kind, rule, sees},
#include "observe/rules.def"
#undef RULE
};

static const struct rule_row *rule_for(const struct deed *deed)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (strcmp(rules[i].actor, deed->actor) == 0 &&
            strcmp(rules[i].action, deed->action) == 0 && strcmp(rules[i].kind, deed->kind) == 0)
            return &rules[i];
    return NULL;
}

static bool matters(const struct rule_row *row, const char *kind)
{
    static const struct {
        const char *kind;
        char letter;
    } letters[] = {{"Pod", 'P'}, {"Node", 'N'}, {"PodDisruptionBudget", 'B'}};
    if (strchr(row->sees, '*'))
        return true;
    for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
        if (strcmp(letters[i].kind, kind) == 0)
            return strchr(row->sees, letters[i].letter) != NULL;
    return strchr(row->sees, 'W') != NULL;
}

/* ---- glimpses ---- */

static struct version *foreseen(const struct foresight *foresight, const struct thing *thing)
{
    for (uint32_t i = 0; foresight && i < foresight->count; i++)
        if (foresight->items[i]->thing == thing)
            return foresight->items[i];
    return NULL;
}

/* Deciders that need the time take the latest instant among the objects. */
static void add_clock(struct follower *follower, struct objects *objects, double now)
{
    struct arena *arena = &follower->scratch;
    struct object_meta *meta = ARENA_NEW(arena, struct object_meta);
    *meta = (struct object_meta){.name = "now",
                                 .namespace = "",
                                 .creation_time = restore_instant(now),
                                 .deletion_time = TIME_NONE};
    const struct object clock = {.kind = OBJECT_OTHER, .kind_name = "Clock", .meta = meta};
    objects_put(arena, objects, &clock);
}

bool glimpse_at(struct follower *follower, int64_t rv, double now,
                const struct foresight *foresight, struct glimpse *glimpse)
{
    const struct recording *recording = follower->recording;
    *glimpse = (struct glimpse){.follower = follower, .rv = rv, .now = now};
    for (uint32_t t = 0; t < recording->things.count; t++) {
        struct version *version = foreseen(foresight, recording->things.items[t]);
        if (!version)
            version = thing_at(recording->things.items[t], rv);
        if (!version)
            continue;
        const struct object *object = restore_object(&follower->restorer, version);
        if (object)
            objects_put(&follower->scratch, &glimpse->objects, object);
        else if (follower->problems->errors > 0)
            return false;
    }
    for (uint32_t i = 0; i < follower->unchanging.count; i++)
        objects_put(&follower->scratch, &glimpse->objects, &follower->unchanging.items[i]);
    objects_add_namespaces(&follower->scratch, &glimpse->objects);
    add_clock(follower, &glimpse->objects, now);
    return true;
}

bool is_of_namespace(const struct follower *follower, const struct object_meta *meta)
{
    return !meta->namespace || !*meta->namespace || !follower->namespace ||
           strcmp(meta->namespace, follower->namespace) == 0;
}

const struct object *glimpse_find(const struct glimpse *glimpse, enum object_kind kind,
                                  const char *name)
{
    for (uint32_t i = 0; i < glimpse->objects.count; i++)
        if (glimpse->objects.items[i].kind == kind &&
            strcmp(glimpse->objects.items[i].meta->name, name) == 0 &&
            is_of_namespace(glimpse->follower, glimpse->objects.items[i].meta))
            return &glimpse->objects.items[i];
    return NULL;
}

const struct value *follower_decide(struct follower *follower, const struct decider *decider,
                                    const struct glimpse *glimpse, const char *name)
{
    struct json_out json;
    struct problems problems;
    const bool of_pod = decider->asks_for_a_pod;
    problems_init(&problems, &follower->scratch);
    text_reset(&follower->answer);
    text_reset(&follower->sentences);
    json_out_init(&json, &follower->answer, 0);
    json_object_begin(&json, NULL);
    const struct decide_choice choice = {
        .pod = of_pod ? arena_printf(&follower->scratch, "%s/%s", follower->namespace, name) : NULL,
        .minor = 26};
    if (!decider->decide_objects(&follower->scratch, &glimpse->objects, &choice, &json,
                                 &follower->sentences, &problems))
        return NULL;
    json_object_end(&json);
    const struct document *document = manifest_reader_parse_json(
        follower->restorer.reader, &follower->scratch, (struct place){"decision", 1, 1},
        text_content(&follower->answer), follower->answer.length, &problems);
    const struct value *results = document ? value_find(&document->root, "result") : NULL;
    if (!results || results->kind != VALUE_SEQUENCE)
        return NULL;
    VALUE_EACH_ITEM(results, result)
    {
        const char *its_name = value_find_string(result, "name");
        const struct value *decision = value_find(result, "decision");
        const char *its_namespace = value_find_string(result, "namespace");
        if (of_pod || (its_name && its_namespace && strcmp(its_name, name) == 0 &&
                       strcmp(its_namespace, follower->namespace) == 0))
            return decision ? decision : result;
    }
    return NULL;
}

/* ---- small questions ---- */

bool list_has(const struct value *list, const char *text)
{
    if (!list || list->kind != VALUE_SEQUENCE)
        return false;
    VALUE_EACH_ITEM(list, item)
    {
        if (item->kind == VALUE_STRING && strcmp(item->text, text) == 0)
            return true;
    }
    return false;
}

bool pod_is_active(const struct pod *pod)
{
    return pod->status.phase != POD_SUCCEEDED && pod->status.phase != POD_FAILED &&
           pod->meta.deletion_time == TIME_NONE;
}

const char *controller_name(const struct object_meta *meta, const char *kind)
{
    const struct owner_reference *owner = object_meta_controller(meta);
    return owner && strcmp(owner->kind, kind) == 0 ? owner->name : NULL;
}

const char *owner_of(const struct follower *follower, const char *pod, int64_t rv)
{
    const struct thing *thing =
        recording_find(follower->recording, "Pod", follower->namespace, pod);
    const struct version *version = thing ? thing_at(thing, rv) : NULL;
    const struct value *owner = version ? value_find(version->line, "owner") : NULL;
    const char *name = NULL;
    if (owner && owner->kind == VALUE_SEQUENCE && owner->count == 2)
        value_read_string(&owner->items[1], &name);
    return name;
}

uint32_t deeds_between(const struct follower *follower, const struct deed *deed, int64_t since,
                       const char *action, const char *owner)
{
    uint32_t count = 0;
    for (const struct deed *other = deed - 1; other >= follower->recording->deeds.items; other--) {
        if (other->rv >= 0 && other->rv <= since)
            break;
        if (other->rv < 0 || other->code || other->noop || strcmp(other->actor, deed->actor) != 0 ||
            strcmp(other->action, action) != 0 || strcmp(other->kind, deed->kind) != 0 ||
            strcmp(other->namespace, deed->namespace) != 0)
            continue;
        const char *its_owner = owner_of(follower, other->name, other->rv);
        if (!its_owner) /* gone at once: it was there just before */
            its_owner = owner_of(follower, other->name, other->rv - 1);
        count += its_owner && strcmp(its_owner, owner) == 0;
    }
    return count;
}

/* ---- the walk ---- */

/* The last version committed before the deed. */
static uint32_t latest_before(const struct recording *recording, int64_t rv)
{
    uint32_t low = 0;
    uint32_t high = recording->order.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (recording->order.items[middle]->rv < rv)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The newest version of what the deed changes, for rules that demand it. */
static struct version *own_version(const struct recording *recording, const struct rule_row *row,
                                   const struct deed *deed)
{
    const char *namespace = strcmp(deed->kind, "Node") == 0 ? NULL : deed->namespace;
    const struct thing *thing = strchr(row->sees, '=')
                                    ? recording_find(recording, deed->kind, namespace, deed->name)
                                    : NULL;
    return thing ? thing_at(thing, deed->rv - 1) : NULL;
}

/* Tries views from the latest back into the past. */
static bool judge(struct follower *follower, const struct rule_row *row, const struct deed *deed,
                  double *lag)
{
    const struct recording *recording = follower->recording;
    struct version *own = own_version(recording, row, deed);
    const struct foresight foresight = {&own, own ? 1 : 0};
    uint32_t at = latest_before(recording, deed->rv);
    text_reset(&follower->would);
    *lag = 0;
    while (at > 0) {
        const struct version *last = recording->order.items[at - 1];
        struct glimpse glimpse;
        const struct arena_mark mark = arena_mark(&follower->scratch);
        if (*lag > LAG_SECONDS_MOST ||
            !glimpse_at(follower, last->rv, deed->time, &foresight, &glimpse))
            return false;
        const bool good = row->rule(follower, deed, &glimpse);
        arena_rewind(&follower->scratch, mark);
        if (good)
            return true;
        /* The view before the last change that matters. */
        do {
            const double age = deed->time - recording->order.items[at - 1]->time;
            *lag = age > *lag ? age : *lag;
            at--;
        } while (at > 0 && !matters(row, recording->order.items[at]->thing->kind));
    }
    return false;
}

static struct follow_count *count_for(struct follower *follower, struct follow_result *result,
                                      const struct deed *deed)
{
    for (uint32_t i = 0; i < result->counts.count; i++) {
        struct follow_count *count = &result->counts.items[i];
        if (strcmp(count->actor, deed->actor) == 0 && strcmp(count->action, deed->action) == 0 &&
            strcmp(count->kind, deed->kind) == 0)
            return count;
    }
    const struct follow_count count = {
        .actor = deed->actor, .action = deed->action, .kind = deed->kind};
    VEC_PUSH(follower->recording->arena, &result->counts, count);
    return &result->counts.items[result->counts.count - 1];
}

static void follow_deed(struct follower *follower, const struct deed *deed,
                        struct follow_result *result)
{
    const struct rule_row *row = rule_for(deed);
    struct follow_count *count = count_for(follower, result, deed);
    double lag;
    follower->namespace = deed->namespace;
    count->total++;
    count->judged = row != NULL;
    if (!row) {
        result->unjudged++;
        return;
    }
    result->judged++;
    if (judge(follower, row, deed, &lag)) {
        result->followed++;
        count->followed++;
        count->lag_most = lag > count->lag_most ? lag : count->lag_most;
        return;
    }
    const struct follow_stop stop = {
        deed, arena_strdup(follower->recording->arena, text_content(&follower->would))};
    VEC_PUSH(follower->recording->arena, &result->stops, stop);
}

/* Does the watch show what the deed did? */
static bool is_shown(const struct recording *recording, const struct deed *deed)
{
    const uint32_t at = latest_before(recording, deed->rv);
    return at < recording->order.count && recording->order.items[at]->rv == deed->rv;
}

/* A recording may be cut while the cluster is still busy: the last writes are
 * in the log of requests and no longer in the watch. What follows the first of
 * them cannot be judged. Missing anywhere else, they are a mistake. */
static uint32_t find_cut(const struct follower *follower)
{
    const struct recording *recording = follower->recording;
    const uint32_t count = recording->deeds.count;
    const double end = count > 0 ? recording->deeds.items[count - 1].time : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct deed *deed = &recording->deeds.items[i];
        if (deed->rv < 0 || deed->code || deed->noop || strncmp(deed->action, "event:", 6) == 0 ||
            is_shown(recording, deed))
            continue;
        if (end - deed->time > CUT_SECONDS_MOST)
            problem_error(follower->problems, value_place(deed->line), "rv",
                          "expected a watch event with rv %lld, found none", (long long)deed->rv);
        return i;
    }
    return count;
}

/* Objects of the manifests that no watch shows. */
static bool read_unchanging(struct follower *follower)
{
    struct recording *recording = follower->recording;
    static const char *const kinds[] = {"PriorityClass",    "StorageClass",
                                        "Namespace",        "Service",
                                        "PersistentVolume", "PersistentVolumeClaim"};
    for (uint32_t i = 0; i < recording->manifests.count; i++) {
        const char *kind = value_find_string(&recording->manifests.items[i].root, "kind");
        for (size_t k = 0; kind && k < sizeof(kinds) / sizeof(*kinds); k++)
            if (strcmp(kinds[k], kind) == 0 &&
                !objects_add(recording->arena, &follower->unchanging,
                             &recording->manifests.items[i], NULL, follower->problems))
                return false;
    }
    return true;
}

bool follow_recording(struct recording *recording, struct manifest_reader *reader,
                      struct follow_result *result, struct problems *problems)
{
    struct follower follower = {.recording = recording, .problems = problems};
    *result = (struct follow_result){0};
    restorer_init(&follower.restorer, recording, reader, problems);
    arena_init(&follower.scratch, recording->arena->memory);
    text_init(&follower.answer, recording->arena->memory);
    text_init(&follower.sentences, recording->arena->memory);
    text_init(&follower.would, recording->arena->memory);
    const bool good = read_unchanging(&follower);
    const uint32_t end = find_cut(&follower);
    result->cut = recording->deeds.count - end;
    for (uint32_t i = 0; good && i < end; i++) {
        const struct deed *deed = &recording->deeds.items[i];
        if (deed->rv >= 0 && !deed->code && !deed->noop)
            follow_deed(&follower, deed, result);
    }
    if (good && problems->errors == 0)
        result->end = follow_end(&follower, &result->restless);
    text_release(&follower.would);
    text_release(&follower.sentences);
    text_release(&follower.answer);
    arena_release(&follower.scratch);
    restorer_release(&follower.restorer);
    return good && problems->errors == 0;
}
