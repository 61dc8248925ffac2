/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/follow_destinations.h"
#include "recording/follow_internal.h"

#include <string.h>

static const struct follow_rule_row rules[] = {
#define RULE(actor, action, kind, rule, sees, lag) {actor, action, kind, rule, sees, lag},
#include "recording/rules.def"
#undef RULE
};

static const struct follow_rule_row *rule_for(const struct deed *deed)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (strcmp(rules[i].actor, deed->actor) == 0 &&
            strcmp(rules[i].action, deed->action) == 0 && strcmp(rules[i].kind, deed->kind) == 0)
            return &rules[i];
    return NULL;
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
    const struct follow_rule_row *row = rule_for(deed);
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
        .node = value_find_string(deed->line, "node"),
        .would = arena_strdup(follower->recording->arena, text_content(&follower->would)),
        .undecided = follower->views_left == 0,
    };
    result->undecided += stop.undecided;
    VEC_PUSH(follower->recording->arena, &result->stops, stop);
}

/* Does the watch have the version that the request committed? True for kinds
 * that are not watched. */
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

/* A version that is replaced at once may be missing in the watch: of two
 * deletions at the same time, the watch shows one. */
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

/* All writes, with the destinations of daemons' pods as they are taken to be. */
static void follow_writes(struct follower *follower, struct follow_result *result)
{
    const struct recording *recording = follower->recording;
    const uint32_t end = find_cut(follower);
    *result = (struct follow_result){.minor = follower->features.minor,
                                     .cut = recording->deeds.count - end};
    follower->pasts.count = 0;
    for (uint32_t i = 0; i < end; i++) {
        const struct deed *deed = &recording->deeds.items[i];
        if (is_committed(deed))
            follow_deed(follower, deed, result);
    }
    if (follower->problems->errors == 0)
        result->end = follow_end(follower, &result->restless);
    if (follower->problems->errors == 0 && result->end == FOLLOW_END_BUSY &&
        result->stops.count == 0 && follow_loop(follower, &result->loop))
        result->end = FOLLOW_END_LOOPS;
}

static bool explains_all(const struct follow_result *result)
{
    return result->stops.count == 0 && result->end != FOLLOW_END_RESTLESS;
}

/* What is told of a run that is not followed is told of the likeliest choice. */
static void follow_choices(struct follower *follower, struct follow_result *result)
{
    struct destinations *destinations = destinations_guess(follower);
    follow_writes(follower, result);
    while (follower->problems->errors == 0 && !explains_all(result) &&
           destinations_next(destinations)) {
        struct follow_result other;
        follow_writes(follower, &other);
        if (explains_all(&other))
            *result = other;
    }
}

bool follow_recording(struct recording *recording, struct manifest_reader *reader,
                      const struct features *features, struct follow_result *result,
                      struct problems *problems)
{
    struct follower follower = {.recording = recording, .problems = problems};
    *result = (struct follow_result){0};
    if (!control_plane_read(recording, features, &follower.plane, problems))
        return false;
    follower.features = follower.plane.features;
    restorer_init(&follower.restorer, recording, reader, problems);
    arena_init(&follower.scratch, recording->arena->memory);
    text_init(&follower.answer, recording->arena->memory);
    text_init(&follower.sentences, recording->arena->memory);
    text_init(&follower.would, recording->arena->memory);
    const bool good = read_unchanging(&follower);
    if (good)
        follow_choices(&follower, result);
    text_release(&follower.would);
    text_release(&follower.sentences);
    text_release(&follower.answer);
    arena_release(&follower.scratch);
    restorer_release(&follower.restorer);
    return good && problems->errors == 0;
}
