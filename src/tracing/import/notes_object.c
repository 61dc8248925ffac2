/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes from objects as they are now, and from Events.
 *
 * An object tells its creation, the last write of each of its managers
 * (managedFields, to the second), and, if it is a pod, when it was bound. All
 * managers of the controller manager have one name, so the kind and the owner
 * decide which controller it was.
 */
#include "tracing/import/notes_object.h"

#include "object/meta.h"
#include "object/time.h"

#include <stdlib.h>
#include <string.h>

static int64_t instant_of(const struct value *mapping, const char *key)
{
    const char *text = value_find_string(mapping, key);
    int64_t instant = TIME_NONE;
    if (text)
        time_parse(text, &instant, NULL);
    return instant;
}

const char *notes_controller_of(const char *kind)
{
    static const char *const controllers[][2] = {
        {"Deployment", "deployment-controller"},
        {"ReplicaSet", "replicaset-controller"},
        {"StatefulSet", "statefulset-controller"},
        {"DaemonSet", "daemon-set-controller"},
        {"Job", "job-controller"},
        {"CronJob", "cronjob-controller"},
        {"HorizontalPodAutoscaler", "horizontal-pod-autoscaler"},
        {"PodDisruptionBudget", "disruption-controller"},
        {"Endpoints", "endpoint-controller"},
        {"EndpointSlice", "endpointslice-controller"},
        {"Node", "node-lifecycle"},
    };
    for (size_t i = 0; i < sizeof(controllers) / sizeof(*controllers); i++)
        if (strcmp(controllers[i][0], kind) == 0)
            return controllers[i][1];
    return "kube-controller-manager";
}

/* A controller writes the status of its own kind, and the rest of what it owns. */
static const char *actor_of(const char *manager, bool of_status, const char *kind,
                            const char *owner_kind)
{
    if (strcmp(manager, "kube-scheduler") == 0)
        return "scheduler";
    if (strcmp(manager, "kube-controller-manager") != 0)
        return manager;
    if (!of_status && owner_kind)
        return notes_controller_of(owner_kind);
    return notes_controller_of(kind);
}

static bool is_user(const char *manager)
{
    return strncmp(manager, "kubectl", 7) == 0 || strcmp(manager, "helm") == 0;
}

static struct note blank_note(uint32_t thing, int64_t when, enum note_kind kind)
{
    return (struct note){
        .start_ns = when,
        .end_ns = when,
        .version_read = NOTE_NONE,
        .version = NOTE_NONE,
        .generation = NOTE_NONE,
        .observed = NOTE_NONE,
        .thing = thing,
        .kind = (uint8_t)kind,
        .source = SOURCE_DUMP,
    };
}

static void add(struct note_collection *collection, struct note *note, const char *actor,
                const char *action, const char *key)
{
    note->actor = notes_intern(collection, actor);
    note->action = notes_intern(collection, action);
    note->id = notes_id(action, key,
                        arena_printf(collection->arena, "%s %lld", actor, (long long)note->end_ns));
    VEC_PUSH(collection->arena, &collection->notes, *note);
}

static void add_binding(struct note_collection *collection, const struct note *facts,
                        const struct value *object, const char *key)
{
    const struct value *conditions = value_find(value_find(object, "status"), "conditions");
    if (!facts->bound || !conditions || conditions->kind != VALUE_SEQUENCE)
        return;
    VALUE_EACH_ITEM(conditions, condition)
    {
        const char *type = value_find_string(condition, "type");
        const char *status = value_find_string(condition, "status");
        const int64_t when = instant_of(condition, "lastTransitionTime");
        if (!type || !status || strcmp(type, "PodScheduled") != 0 || strcmp(status, "True") != 0 ||
            when == TIME_NONE)
            continue;
        struct note note = blank_note(facts->thing, when, NOTE_WRITE);
        note.named = facts->named;
        note.owners = facts->owners;
        note.bound = true;
        add(collection, &note, "scheduler", "bind", key);
    }
}

bool notes_add_object(struct note_collection *collection, const struct value *object,
                      struct problems *problems)
{
    const struct value *metadata = value_find(object, "metadata");
    const char *kind = value_find_string(object, "kind");
    const char *name = value_find_string(metadata, "name");
    const char *namespace = value_find_string(metadata, "namespace");
    if (!kind || !name) {
        value_expected(problems, object, NULL,
                       "an audit event, an Event or an object with kind and metadata.name");
        return false;
    }
    const struct value *managers = value_find(metadata, "managedFields");
    const int64_t created = instant_of(metadata, "creationTimestamp");
    struct note facts = blank_note(notes_thing(collection, kind, namespace, name), 0, NOTE_WRITE);
    notes_take_object(collection, &facts, object);
    const struct known_thing *thing = &collection->things.items[facts.thing];
    const char *key = arena_printf(collection->arena, "%s/%s/%s %s", thing->kind, thing->namespace,
                                   thing->name, thing->uid ? thing->uid : "");
    const char *owner_kind =
        facts.owners.count > 0 ? collection->things.items[facts.owners.items[0]].kind : NULL;
    const char *creator = owner_kind ? notes_controller_of(owner_kind) : "unknown";
    bool creator_is_user = false;
    int64_t newest = TIME_NONE;
    if (managers && managers->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(managers, entry)
        {
            const int64_t when = instant_of(entry, "time");
            newest = when > newest ? when : newest;
        }
    uint32_t newest_index = UINT32_MAX;
    if (managers && managers->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(managers, entry)
        {
            const char *manager = value_find_string(entry, "manager");
            const char *subresource = value_find_string(entry, "subresource");
            const bool of_status = subresource && strcmp(subresource, "status") == 0;
            const int64_t when = instant_of(entry, "time");
            if (!manager || when == TIME_NONE)
                continue;
            const char *actor = actor_of(manager, of_status, kind, owner_kind);
            if (when == created && !of_status) {
                creator = actor;
                creator_is_user = is_user(manager);
                continue;
            }
            struct note note = blank_note(facts.thing, when, NOTE_WRITE);
            note.owners = facts.owners;
            note.named = facts.named;
            note.user = is_user(manager);
            note.terminating = false;
            if (when == newest)
                newest_index = collection->notes.count;
            add(collection, &note, actor, of_status ? "status" : "update", key);
        }
    if (created != TIME_NONE) {
        struct note note = blank_note(facts.thing, created, NOTE_WRITE);
        note.owners = facts.owners;
        note.creates = true;
        note.user = creator_is_user;
        if (newest_index == UINT32_MAX)
            newest_index = collection->notes.count;
        add(collection, &note, creator, "create", key);
    }
    /* What the object carries now was put there by its last writer, or before. */
    if (newest_index != UINT32_MAX)
        collection->notes.items[newest_index].context = facts.context;
    add_binding(collection, &facts, object, key);
    return true;
}

void notes_add_event(struct note_collection *collection, const struct value *event)
{
    const struct value *metadata = value_find(event, "metadata");
    const struct value *about = value_find(event, "involvedObject");
    const char *message = value_find_string(event, "message");
    if (!about)
        about = value_find(event, "regarding");
    if (!message)
        message = value_find_string(event, "note");
    const char *kind = value_find_string(about, "kind");
    const char *name = value_find_string(about, "name");
    const char *namespace = value_find_string(about, "namespace");
    const char *reason = value_find_string(event, "reason");
    const char *version = value_find_string(about, "resourceVersion");
    const char *component = value_find_string(value_find(event, "source"), "component");
    if (!component || !*component)
        component = value_find_string(event, "reportingController");
    if (!component || !*component)
        component = value_find_string(event, "reportingComponent");
    if (!kind || !name || !component || !*component) {
        collection->nameless++;
        return;
    }
    int64_t first = instant_of(event, "eventTime");
    if (first == TIME_NONE)
        first = instant_of(event, "firstTimestamp");
    if (first == TIME_NONE)
        first = instant_of(metadata, "creationTimestamp");
    int64_t last = instant_of(value_find(event, "series"), "lastObservedTime");
    if (last == TIME_NONE)
        last = instant_of(event, "lastTimestamp");
    if (first == TIME_NONE) {
        collection->nameless++;
        return;
    }
    struct note note =
        blank_note(notes_thing(collection, kind, namespace, name), first, NOTE_EVENT);
    note.end_ns = last != TIME_NONE && last > first ? last : first;
    note.message = notes_intern(collection, message);
    if (version && *version)
        note.version_read = strtoll(version, NULL, 10);
    if (strcmp(component, "default-scheduler") == 0)
        component = "scheduler";
    const char *own_name = value_find_string(metadata, "name");
    const char *uid = value_find_string(metadata, "uid");
    add(collection, &note, component, reason ? reason : "Event",
        uid ? uid
            : arena_printf(collection->arena, "%s/%s", namespace ? namespace : "",
                           own_name ? own_name : name));
}
