/* SPDX-License-Identifier: Apache-2.0 */
/* A Check with edits: documents, objects, plan. The API server's rules count, as when they were
 * read. */
#include "object/admission.h"
#include "object/assumed_classes.h"
#include "repair/repair.h"

#include <string.h>

/* A document and those of the objects that are put beside it. */
static bool add_documents(struct repair_world *world, const struct edit_case *of,
                          const struct edit *const *edits, uint32_t count, uint32_t number,
                          struct documents *documents)
{
    struct document *changed = ARENA_NEW(&world->arena, struct document);
    bool gone;
    if (!edit_apply(&world->arena, edits, count, number, of->documents.items[number].source,
                    changed, &gone))
        return false;
    world->documents[number] = gone ? NULL : changed;
    if (!gone)
        VEC_PUSH(&world->arena, documents, *changed);
    return true;
}

static void add_objects(struct repair_world *world, const struct edit *const *edits, uint32_t count,
                        struct documents *documents)
{
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t c = 0; c < edits[e]->change_count; c++) {
            if (edits[e]->changes[c].kind != CHANGE_OBJECT)
                continue;
            const struct document document = {.root = edits[e]->changes[c].value};
            VEC_PUSH(&world->arena, documents, document);
            VEC_PUSH(&world->arena, &world->added, document);
        }
}

static void find_check(struct repair_world *world)
{
    world->unit.object = NULL;
    for (uint32_t i = 0; world->unit.root && i < world->unit.objects.count; i++)
        if (world->unit.objects.items[i].kind == OBJECT_CHECK)
            world->unit.object = &world->unit.objects.items[i];
}

/* The documents of the cluster, or of one event. */
static bool collect(struct repair_world *world, const struct edit_case *of, uint32_t event,
                    const struct edit *const *edits, uint32_t count, struct documents *documents)
{
    for (uint32_t i = 0; i < of->documents.count; i++)
        if (of->documents.items[i].event == event &&
            !add_documents(world, of, edits, count, i, documents))
            return false;
    if (event == UINT32_MAX)
        add_objects(world, edits, count, documents);
    return true;
}

static bool decode(struct repair_world *world, const struct repair_options *options,
                   const struct documents *documents)
{
    const struct object_options how = {.namespace = options->name_space};
    struct input_unit *unit = &world->unit;
    object_decode(&world->arena, documents, &how, &unit->objects, &unit->problems);
    if (!unit->root && unit->problems.errors == 0)
        objects_assume_classes(&world->arena, &unit->objects, &unit->problems);
    if (unit->problems.errors == 0)
        objects_admit(&world->arena, &unit->objects, &(struct admission_options){0},
                      &unit->problems);
    find_check(world);
    return unit->problems.errors == 0;
}

/* What events apply is read from the edited documents and not from files. */
static bool give_events(struct repair_world *world, const struct edit_case *of,
                        const struct edit *const *edits, uint32_t count)
{
    struct check *check = world->unit.object ? world->unit.object->as.check : NULL;
    for (uint32_t e = 0; check && e < check->event_count; e++) {
        struct documents *documents = ARENA_NEW(&world->arena, struct documents);
        if (check->events[e].manifests.count == 0)
            continue;
        if (!collect(world, of, e, edits, count, documents))
            return false;
        check->events[e].documents = documents;
    }
    return true;
}

bool repair_world_make(struct memory *memory, const struct edit_case *of,
                       const struct verify_plan *plan, const struct repair_options *options,
                       const struct edit *const *edits, uint32_t count, struct repair_world *world,
                       const char **why)
{
    struct documents *documents;
    *world = (struct repair_world){.unit = *plan->unit};
    arena_init(&world->arena, memory);
    documents = ARENA_NEW(&world->arena, struct documents);
    problems_init(&world->unit.problems, &world->arena);
    world->unit.objects = (struct objects){0};
    world->documents = ARENA_ARRAY(&world->arena, const struct document *, of->documents.count + 1);
    const bool good =
        collect(world, of, UINT32_MAX, edits, count, documents) &&
        decode(world, options, documents) && give_events(world, of, edits, count) &&
        verify_plan_make(&world->arena, &world->unit, &options->scope, &world->plan) &&
        world->unit.problems.errors == 0;
    *why = good || world->unit.problems.count == 0 ? NULL : world->unit.problems.items[0].message;
    return good;
}

void repair_world_release(struct repair_world *world)
{
    arena_release(&world->arena);
}
