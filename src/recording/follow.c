/* SPDX-License-Identifier: Apache-2.0 */
#include "object/admission.h"
#include "recording/follow_internal.h"

#include <string.h>

static const struct rule_row rules[] = {
#define RULE(actor, action, kind, rule, sees, lag) {actor, action, kind, rule, sees, lag},
#include "recording/rules.def"
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
                                 .creation_time = restore_instant(follower->recording, now),
                                 .deletion_time = TIME_NONE};
    const struct object clock = {.kind = OBJECT_OTHER, .kind_name = "Clock", .meta = meta};
    objects_put(arena, objects, &clock);
}

bool glimpse_at(struct follower *follower, const struct outlook *outlook, double now,
                const struct foresight *foresight, struct glimpse *glimpse)
{
    const struct recording *recording = follower->recording;
    *glimpse = (struct glimpse){.follower = follower, .outlook = *outlook, .now = now};
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        struct version *version = foreseen(foresight, thing);
        if (!version)
            version = thing_at(thing, outlook_rv(outlook, thing->kind));
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
        .features = follower->features};
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

uint32_t deeds_unseen(const struct follower *follower, const struct deed *deed,
                      const struct outlook *outlook, const char *action, const char *owner)
{
    const int64_t since = outlook_rv(outlook, deed->kind);
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
    const bool good = follow_judge(follower, row, deed, &lag);
    if (!good && follower->blind) {
        result->unjudged++;
        count->blind++;
        return;
    }
    result->judged++;
    if (good) {
        result->followed++;
        count->followed++;
        count->lag_most = lag > count->lag_most ? lag : count->lag_most;
        return;
    }
    const struct follow_stop stop = {
        .deed = deed,
        .would = arena_strdup(follower->recording->arena, text_content(&follower->would)),
        .undecided = follower->views_left == 0,
    };
    result->undecided += stop.undecided;
    VEC_PUSH(follower->recording->arena, &result->stops, stop);
}

/* Does the watch show what the deed did? Kinds that are not watched at all are
 * nobody's to show. */
static bool is_shown(const struct recording *recording, const struct deed *deed)
{
    bool watched = false;
    for (uint32_t i = 0; !watched && i < recording->things.count; i++)
        watched = strcmp(recording->things.items[i]->kind, deed->kind) == 0;
    if (!watched)
        return true;
    const uint32_t at = versions_before(recording, deed->rv);
    return at < recording->order.count && recording->order.items[at]->rv == deed->rv;
}

static bool is_committed(const struct deed *deed)
{
    return deed->rv >= 0 && !deed->code && !deed->noop;
}

/* A write that is followed at once by the next version of the same object may
 * be missing in the watch: of two deletions at one time, one shows. */
static bool is_outrun(const struct recording *recording, const struct deed *deed)
{
    const char *namespace = strcmp(deed->kind, "Node") == 0 ? NULL : deed->namespace;
    const struct thing *thing = recording_find(recording, deed->kind, namespace, deed->name);
    for (uint32_t i = 0; thing && i < thing->versions.count; i++)
        if (thing->versions.items[i].rv > deed->rv)
            return thing->versions.items[i].time - deed->time < CUT_SECONDS_MOST;
    return false;
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
        if (!is_committed(deed) || strncmp(deed->action, "event:", 6) == 0 ||
            is_shown(recording, deed) || is_outrun(recording, deed))
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
    struct follower follower = {
        .recording = recording, .features = features_of_version(26), .problems = problems};
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
        if (is_committed(deed))
            follow_deed(&follower, deed, result);
    }
    if (good && problems->errors == 0)
        result->end = follow_end(&follower, &result->restless);
    if (good && problems->errors == 0 && result->end == FOLLOW_END_BUSY &&
        result->stops.count == 0 && follow_loop(&follower, &result->loop))
        result->end = FOLLOW_END_LOOPS;
    text_release(&follower.would);
    text_release(&follower.sentences);
    text_release(&follower.answer);
    arena_release(&follower.scratch);
    restorer_release(&follower.restorer);
    return good && problems->errors == 0;
}
