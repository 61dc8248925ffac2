/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/asker.h"

#include "object/as_written.h"
#include "object/names.h"
#include "object/storage.h"
#include "setup/cron_jobs.h"

#include <string.h>

bool objects_have_kind(const struct objects *objects, enum object_kind kind)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == kind)
            return true;
    return false;
}

void asker_copy_objects(const struct asker *asker, const struct object_name *without,
                        uint32_t count, struct objects *to)
{
    const struct objects *from = &asker->unit->objects;
    *to = (struct objects){0};
    for (uint32_t i = 0; i < from->count; i++) {
        const struct object *object = &from->items[i];
        bool kept = !asker->drops_pods || object->kind != OBJECT_POD;
        for (uint32_t n = 0; n < count && kept; n++)
            kept = !object_name_matches(&without[n], object) &&
                   !(object->kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
                     strcmp(object->meta->namespace, without[n].namespace) == 0 &&
                     strcmp(object->as.horizontal_pod_autoscaler->scale_target.name,
                            without[n].name) == 0);
        if (kept)
            objects_put(&asker->session->arena, to, object);
    }
}

/* Has a cluster seen the pod? */
static bool is_live(const struct pod *pod)
{
    return pod->spec.node_name || pod->meta.uid || pod->status.phase != POD_PHASE_UNSET;
}

/* Is the controller of the pod among the objects? Then they come from a cluster. */
static bool has_owner(const struct objects *objects, const struct object *pod)
{
    const struct owner_reference *owner = object_meta_controller(pod->meta);
    for (uint32_t i = 0; owner && i < objects->count; i++)
        if (objects->items[i].meta->name && strcmp(objects->items[i].kind_name, owner->kind) == 0 &&
            strcmp(objects->items[i].meta->name, owner->name) == 0)
            return true;
    return false;
}

/* Pods that came with neither their nodes nor their controllers are manifests that say too much. */
bool objects_have_live_pods(const struct objects *objects)
{
    const bool nodes = objects_have_kind(objects, OBJECT_NODE);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD && is_live(objects->items[i].as.pod) &&
            (nodes || has_owner(objects, &objects->items[i])))
            return true;
    return false;
}

void asker_leave_out_pods(struct asker *asker)
{
    asker->drops_pods = objects_have_kind(&asker->unit->objects, OBJECT_POD) &&
                        !objects_have_live_pods(&asker->unit->objects);
    if (asker->drops_pods)
        VEC_PUSH(&asker->session->arena, &asker->assumptions,
                 "pods that no workload makes are left out: nothing replaces them");
}

bool objects_have_workload(const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (workload_template(&objects->items[i]))
            return true;
    return objects_have_live_pods(objects);
}

void asker_take_cron_jobs(struct asker *asker)
{
    struct arena *arena = &asker->session->arena;
    struct objects *objects = &asker->unit->objects;
    const struct string_list assumed = cron_jobs_assumed(arena, objects, NULL);
    for (uint32_t i = 0; i < assumed.count; i++)
        VEC_PUSH(arena, &asker->assumptions, assumed.items[i]);
    const struct objects *from =
        objects_with_cron_jobs(arena, objects, NULL, &asker->unit->problems);
    struct objects kept = {0};
    for (uint32_t i = 0; i < from->count; i++)
        if (from->items[i].kind != OBJECT_CRON_JOB)
            objects_put(arena, &kept, &from->items[i]);
    *objects = kept;
}

/* ---- claims ---- */

void asker_assume_claims(struct asker *asker)
{
    struct arena *arena = &asker->session->arena;
    struct objects *objects = &asker->unit->objects;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct pod_template *template = workload_template(&objects->items[i]);
        const char *space = objects->items[i].meta->namespace;
        for (uint32_t v = 0; template && v < template->spec.volume_count; v++) {
            const char *name = template->spec.volumes[v].claim_name;
            if (!name || objects_find(objects, OBJECT_PERSISTENT_VOLUME_CLAIM, space, name))
                continue;
            struct persistent_volume_claim *claim =
                ARENA_NEW(arena, struct persistent_volume_claim);
            *claim = (struct persistent_volume_claim){
                .meta = {.name = name,
                         .namespace = space,
                         .creation_time = TIME_NONE,
                         .deletion_time = TIME_NONE},
                .access_modes = {.items = ARENA_NEW(arena, const char *), .count = 1},
            };
            claim->access_modes.items[0] = "ReadWriteMany";
            const struct object object = {.kind = OBJECT_PERSISTENT_VOLUME_CLAIM,
                                          .api_version = "v1",
                                          .kind_name = "PersistentVolumeClaim",
                                          .meta = &claim->meta,
                                          .as.persistent_volume_claim = claim};
            VEC_PUSH(arena, &asker->claims, arena_printf(arena, "%s/%s", space, name));
            objects_put(arena, objects, &object);
        }
    }
}

/* ---- load ---- */

static bool has_event(const struct asker *asker, enum event_kind kind)
{
    for (uint32_t i = 0; i < asker->asked.count; i++) {
        const struct question_check *question = &asker->asked.items[i].question;
        for (uint32_t e = 0; question->made && e < question->plan.check->event_count; e++)
            if (question->plan.check->events[e].kind == kind)
                return true;
    }
    return false;
}

static const struct object *find_named(const struct objects *objects,
                                       const struct object_name *name)
{
    for (uint32_t i = 0; name->name && i < objects->count; i++)
        if (object_name_matches(name, &objects->items[i]))
            return &objects->items[i];
    return NULL;
}

/* Is anything asked of autoscaled workloads but how they follow their load? */
static bool asks_of_smallest(const struct asker *asker)
{
    if (!objects_have_kind(&asker->unit->objects, OBJECT_HORIZONTAL_POD_AUTOSCALER) ||
        objects_have_live_pods(&asker->unit->objects))
        return false;
    for (uint32_t i = 0; i < asker->asked.count; i++)
        if (asker->asked.items[i].question.kind != QUESTION_START &&
            asker->asked.items[i].question.kind != QUESTION_LOAD)
            return true;
    return false;
}

/* "1, 4 or 8" */
static const char *sizes_words(struct arena *arena, const struct check_event *event)
{
    const char *words = "";
    for (uint32_t i = 0; i < event->to_count; i++)
        words = arena_printf(arena, "%s%s%d", words,
                             i == 0                     ? ""
                             : i + 1 == event->to_count ? " or "
                                                        : ", ",
                             event->to[i]);
    return words;
}

/* Which sizes are tried of workloads whose autoscalers go by metrics that nobody can foresee. */
static void assume_sizes(struct asker *asker)
{
    enum { WORKLOADS_SHOWN = 4 };
    struct arena *arena = &asker->session->arena;
    const char *list = "";
    uint32_t count = 0;
    struct name_set told;
    name_set_init(&told, arena);
    for (uint32_t i = 0; i < asker->asked.count; i++) {
        const struct question_check *question = &asker->asked.items[i].question;
        for (uint32_t e = 0; question->made && e < question->plan.check->event_count; e++) {
            const struct check_event *event = &question->plan.check->events[e];
            const struct object *workload = find_named(&asker->unit->objects, &event->object);
            if (event->kind != EVENT_SCALE || !workload ||
                !name_set_add(&told, written_object(arena, workload)))
                continue;
            if (count++ < WORKLOADS_SHOWN)
                list = arena_printf(arena, "%s%s%s to %s", list, count > 1 ? ", " : "",
                                    written_object(arena, workload), sizes_words(arena, event));
        }
    }
    if (count > WORKLOADS_SHOWN)
        list = arena_printf(arena, "%s, and %u more workloads", list, count - WORKLOADS_SHOWN);
    if (count > 0)
        VEC_PUSH(arena, &asker->assumptions,
                 arena_printf(arena,
                              "an autoscaler by other metrics changes the number of pods once: %s "
                              "(other numbers within its bounds are not tried)",
                              list));
}

void asker_assume_load(struct asker *asker)
{
    if (asks_of_smallest(asker))
        VEC_PUSH(
            &asker->session->arena, &asker->assumptions,
            asker->asks_largest
                ? "autoscaled workloads have the fewest pods of their bounds in all questions but "
                  "load, and the most where something happens to nodes"
                : "autoscaled workloads have the fewest pods of their bounds in all questions "
                  "but load: then budgets allow least, but nodes have most room");
    if (has_event(asker, EVENT_LOAD))
        VEC_PUSH(&asker->session->arena, &asker->assumptions,
                 "the load of a workload that is scaled by CPU is what its autoscaler aims at, and "
                 "changes once: to idle, or to half, one and a half times or twice of that");
    assume_sizes(asker);
}
