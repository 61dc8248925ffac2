/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deeds from the API server's audit log (JSON lines of audit.k8s.io/v1 Events,
 * level RequestResponse for what is of interest).
 */
#include "base/json_out.h"
#include "manifest/manifest.h"
#include "object/meta.h"
#include "recording/audit_event.h"
#include "recording/record.h"

#include <stdlib.h>
#include <string.h>

/* The part of a request that recordings need. */
struct audit_request {
    const struct value *event;
    const char *actor;
    const char *action;
    const char *kind;
    const char *namespace;
    const char *name;
    double time;
    int64_t code;
    int64_t rv; /* -1: nothing was committed */
};

/* The kinds that recordings have (docs/recordings.md). */
static bool is_watched(const char *kind)
{
    static const char *const watched[] = {
        "Pod",
        "Node",
        "Deployment",
        "ReplicaSet",
        "StatefulSet",
        "DaemonSet",
        "Job",
        "ControllerRevision",
        "HorizontalPodAutoscaler",
        "PodDisruptionBudget",
        "ResourceQuota",
    };
    for (size_t i = 0; kind && i < sizeof(watched) / sizeof(*watched); i++)
        if (strcmp(watched[i], kind) == 0)
            return true;
    return false;
}

static bool read_request(const struct value *document, int64_t start, struct audit_request *request)
{
    struct audit_event event;
    if (!audit_event_read(document, &event) || !is_watched(event.kind) || !event.name)
        return false;
    const int64_t instant = event.end_ns == TIME_NONE ? start : event.end_ns;
    *request = (struct audit_request){
        .event = document,
        .actor = event.actor ? event.actor : "user",
        .action = audit_action(&event),
        .kind = event.kind,
        .namespace = event.namespace,
        .name = event.name,
        .time = (double)(instant - start) / NANOSECONDS_PER_SECOND,
        .code = event.code,
        .rv = -1,
    };
    return true;
}

static bool is_of(const struct sighting *sighting, const struct audit_request *request)
{
    return strcmp(sighting->kind, request->kind) == 0 &&
           strcmp(sighting->name, request->name) == 0 &&
           (!sighting->namespace || !request->namespace ||
            strcmp(sighting->namespace, request->namespace) == 0);
}

/* Does this version look like what the request does? */
static bool shows(const struct sightings *sightings, uint32_t index,
                  const struct audit_request *request)
{
    const struct sighting *sighting = &sightings->items[index];
    const struct sighting *before = sighting_before(sightings, index);
    const bool deleting = sighting_field(sighting, "metadata", "deletionTimestamp") != NULL;
    const bool was_deleting =
        before && sighting_field(before, "metadata", "deletionTimestamp") != NULL;
    if (strcmp(request->action, "bind") == 0)
        return sighting_field(sighting, "spec", "nodeName") && before &&
               !sighting_field(before, "spec", "nodeName");
    if (strcmp(request->action, "evict") == 0)
        return deleting && !was_deleting;
    if (strcmp(request->action, "delete") == 0)
        return sighting->gone || (deleting && !was_deleting);
    return false;
}

/* The commit of a request: the response says it, or the version that shows it. */
static int64_t commit_of(const struct audit_request *request, const struct sightings *sightings)
{
    const struct value *response = value_find(request->event, "responseObject");
    const char *kind = value_find_string(response, "kind");
    const char *version = value_find_string(value_find(response, "metadata"), "resourceVersion");
    if (request->code >= 400)
        return -1;
    if (version && kind && strcmp(kind, request->kind) == 0)
        return strtoll(version, NULL, 10);
    int64_t nearest = -1;
    double distance = 5; /* seconds: clocks of two programs */
    for (uint32_t i = 0; i < sightings->count; i++) {
        const double difference_s = sightings->items[i].time - request->time;
        const double size = difference_s < 0 ? -difference_s : difference_s;
        if (size < distance && is_of(&sightings->items[i], request) &&
            shows(sightings, i, request)) {
            nearest = sightings->items[i].rv;
            distance = size;
        }
    }
    if (nearest < 0 && version)
        nearest = strtoll(version, NULL, 10);
    return nearest;
}

static const struct sighting *sighting_at(const struct sightings *sightings,
                                          const struct audit_request *request, uint32_t *index)
{
    for (uint32_t i = 0; i < sightings->count; i++)
        if (sightings->items[i].rv == request->rv && is_of(&sightings->items[i], request)) {
            *index = i;
            return &sightings->items[i];
        }
    return NULL;
}

/* What the rules look up: sizes, nodes, statuses, taints. */
static void write_details(struct arena *arena, struct json_out *json,
                          const struct audit_request *request, const struct sightings *sightings)
{
    uint32_t index = 0;
    const struct sighting *sighting = sighting_at(sightings, request, &index);
    const struct sighting *before = sighting ? sighting_before(sightings, index) : NULL;
    const struct value *body = value_find(request->event, "requestObject");
    const char *node = value_find_string(value_find(body, "target"), "name");
    const char *owner_kind;
    const char *owner_name;
    if (node)
        json_string(json, "node", node);
    if (!sighting)
        return;
    const struct value *replicas = sighting_field(sighting, "spec", "replicas");
    const struct value *old = before ? sighting_field(before, "spec", "replicas") : NULL;
    if (strcmp(request->action, "create") == 0 &&
        sighting_owner(sighting, &owner_kind, &owner_name))
        json_string(json, "owner", arena_printf(arena, "%s/%s", owner_kind, owner_name));
    if (replicas && (!old || strcmp(request->kind, "ReplicaSet") != 0))
        value_write_json(json, "replicas", replicas);
    if (strcmp(request->action, "status") == 0 && value_find(sighting->object, "status"))
        value_write_json(json, "status", value_find(sighting->object, "status"));
    json_object_begin(json, "change");
    if (replicas && old && !value_equal(replicas, old)) {
        json_array_begin(json, "replicas");
        value_write_json(json, NULL, old);
        value_write_json(json, NULL, replicas);
        json_array_end(json);
    }
    const struct value *phase = sighting_field(sighting, "status", "phase");
    const struct value *old_phase = before ? sighting_field(before, "status", "phase") : NULL;
    if (phase && old_phase && !value_equal(phase, old_phase)) {
        value_write_json(json, "phase", phase);
        if (sighting_field(sighting, "status", "reason"))
            value_write_json(json, "reason", sighting_field(sighting, "status", "reason"));
    }
    if (before && strcmp(request->kind, "Node") == 0) {
        const struct value *taints = sighting_field(sighting, "spec", "taints");
        const struct value *old_taints = sighting_field(before, "spec", "taints");
        json_array_begin(json, "taints");
        if (old_taints)
            value_write_json(json, NULL, old_taints);
        else
            json_raw(json, NULL, "[]");
        if (taints)
            value_write_json(json, NULL, taints);
        else
            json_raw(json, NULL, "[]");
        json_array_end(json);
    }
    json_object_end(json);
}

static void write_request(struct arena *arena, const struct audit_request *request,
                          const struct sightings *sightings, struct text *text)
{
    struct json_out json;
    json_out_init(&json, text, 0);
    json_object_begin(&json, NULL);
    json_number(&json, "t", request->time);
    if (request->rv >= 0)
        json_integer(&json, "rv", request->rv);
    else
        json_null(&json, "rv");
    json_string(&json, "actor", request->actor);
    /* An update that changes the size of a set is what is called scaling. */
    uint32_t index = 0;
    const struct sighting *sighting = sighting_at(sightings, request, &index);
    const struct sighting *before = sighting ? sighting_before(sightings, index) : NULL;
    const struct value *size = sighting ? sighting_field(sighting, "spec", "replicas") : NULL;
    const struct value *old = before ? sighting_field(before, "spec", "replicas") : NULL;
    const bool scales = strcmp(request->action, "update") == 0 && size && old &&
                        !value_equal(size, old) && strcmp(request->kind, "ReplicaSet") == 0;
    json_string(&json, "action", scales ? "scale" : request->action);
    json_string(&json, "object", arena_printf(arena, "%s/%s", request->kind, request->name));
    if (request->namespace)
        json_string(&json, "namespace", request->namespace);
    if (request->code >= 400)
        json_integer(&json, "code", request->code);
    else if (before && sighting->rv != request->rv)
        json_boolean(&json, "noop", true);
    write_details(arena, &json, request, sightings);
    json_object_end(&json);
    text_append_char(text, '\n');
}

/* Committed requests in the order of their commits, then the others by time. */
static int compare_requests(const void *left, const void *right)
{
    const struct audit_request *a = left;
    const struct audit_request *b = right;
    if ((a->rv < 0) != (b->rv < 0))
        return a->rv < 0 ? 1 : -1;
    if (a->rv != b->rv)
        return a->rv < b->rv ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

bool record_audit_deeds(struct arena *arena, struct manifest_reader *reader, const char *file,
                        const char *audit, size_t count, int64_t start,
                        const struct sightings *sightings, struct text *text,
                        struct problems *problems)
{
    VEC(struct audit_request) requests = {0};
    uint32_t number = 1;
    for (const char *line = audit; line < audit + count; number++) {
        const char *end = memchr(line, '\n', (size_t)(audit + count - line));
        const size_t length = end ? (size_t)(end - line) : (size_t)(audit + count - line);
        if (length > 0) {
            struct audit_request request;
            const struct document *document = manifest_reader_parse_json(
                reader, arena, (struct place){file, number, 1}, line, length, problems);
            if (!document)
                return false;
            if (read_request(&document->root, start, &request) && request.time >= 0) {
                request.rv = commit_of(&request, sightings);
                VEC_PUSH(arena, &requests, request);
            }
        }
        line += length + 1;
    }
    if (requests.count > 1)
        qsort(requests.items, requests.count, sizeof(*requests.items), compare_requests);
    for (uint32_t i = 0; i < requests.count; i++) {
        /* A request that changes nothing answers with a version that existed before. */
        if (i > 0 && requests.items[i].rv >= 0 && requests.items[i].rv == requests.items[i - 1].rv)
            continue;
        write_request(arena, &requests.items[i], sightings, text);
    }
    return true;
}
