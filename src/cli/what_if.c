/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/what_if.h"

#include "manifest/manifest.h"

#include <string.h>

/* So many steps of controllers may come before an event that waits for them. */
enum { CATCH_UP_MOST = 64 };

struct other_run {
    const struct value *steps;
    bool rests;
};

/* ---- the other run ---- */

static bool is_simulation(const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    return kind && strcmp(kind, "Simulation") == 0;
}

static const char *member(const struct value *step, const char *key)
{
    const char *text = value_find_string(step, key);
    return text ? text : "";
}

static bool is_outside(const struct value *step)
{
    const struct value *value = value_find(step, "outside");
    bool outside = false;
    return value && value_read_boolean(value, &outside) && outside;
}

static bool read_other(struct session *session, const char *path, struct documents *documents,
                       struct other_run *run)
{
    struct problems problems;
    problems_init(&problems, &session->arena);
    const struct manifest_paths paths = {.items = &path, .count = 1};
    const bool loaded = manifest_load(&session->arena, &paths, documents, &problems);
    const struct value *root = documents->count == 1 ? &documents->items[0].root : NULL;
    const struct value *steps = root && is_simulation(root) ? value_find(root, "trace") : NULL;
    const struct value *rests = root ? value_find(root, "rests") : NULL;
    bool good = loaded && steps && steps->kind == VALUE_SEQUENCE;
    for (uint32_t i = 0; good && i < steps->count; i++)
        good = steps->items[i].kind == VALUE_MAPPING;
    if (loaded && !good)
        problem_error(&problems, root ? value_place(root) : (struct place){.file = path}, NULL,
                      "expected a simulation (fathom simulate -o json writes it)");
    *run = (struct other_run){.steps = steps};
    if (good && rests)
        (void)value_read_boolean(rests, &run->rests);
    session_complain(session, &problems);
    return good;
}

/* ---- which step is it here? ---- */

/* How much a step is like another one. An event is the same one only if it does the same. */
enum likeness { LIKE_NOTHING, LIKE_ITS_OBJECT, LIKE_ITS_DEED, LIKE_ITS_WORDS };

static enum likeness likeness_of(const struct story_step *told, const struct value *step)
{
    if (strcmp(told->actor, member(step, "actor")) != 0 ||
        strcmp(told->object, member(step, "object")) != 0 || told->outside != is_outside(step))
        return LIKE_NOTHING;
    if (strcmp(told->action, member(step, "action")) != 0)
        return told->outside ? LIKE_NOTHING : LIKE_ITS_OBJECT;
    return strcmp(told->detail, member(step, "detail")) == 0 ? LIKE_ITS_WORDS : LIKE_ITS_DEED;
}

static size_t common_start(const char *left, const char *right)
{
    size_t length = 0;
    while (left[length] && left[length] == right[length])
        length++;
    return length;
}

/* The choice that is most like the step, by the start of its words among equals. UINT32_MAX: none
 * is. */
static uint32_t find_like(const struct walk *walk, const struct value *step)
{
    struct arena arena;
    uint32_t found = UINT32_MAX;
    enum likeness best = LIKE_NOTHING;
    size_t longest = 0;
    arena_init(&arena, walk->arena->memory);
    for (uint32_t i = 0; i < walk->choices.count && best != LIKE_ITS_WORDS; i++) {
        struct story_step told;
        const struct arena_mark mark = arena_mark(&arena);
        walk_peek(walk, &arena, i, &told);
        const enum likeness like = likeness_of(&told, step);
        const size_t start = common_start(told.detail, member(step, "detail"));
        if (like > best || (like == best && like != LIKE_NOTHING && start > longest)) {
            best = like;
            longest = start;
            found = i;
        }
        arena_rewind(&arena, mark);
    }
    arena_release(&arena);
    return found;
}

/* ---- controllers go on ---- */

/* The first step of a controller that changes something; if there is none, and failures are
 * wanted, an attempt that fails. UINT32_MAX: they rest. */
static uint32_t next_of_controllers(const struct walk *walk, bool failures)
{
    uint32_t failure = UINT32_MAX;
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        const struct walk_choice *choice = &walk->choices.items[i];
        if (choice->step.fairness == FAIRNESS_OPTIONAL)
            continue;
        if (choice->changes)
            return i;
        if (failure == UINT32_MAX && !walk_was_tried(walk, i))
            failure = i;
    }
    return failures ? failure : UINT32_MAX;
}

static void take(struct simulation *simulation, uint32_t choice, uint32_t followed)
{
    simulation_take(simulation, choice);
    VEC_PUSH(simulation->walk->arena, &simulation->follows, followed);
}

static void take_back(struct simulation *simulation, uint32_t count)
{
    while (simulation->walk->steps.count > count && simulation_back(simulation))
        simulation->follows.count--;
}

/* Lets controllers go on until the event can come. UINT32_MAX: it cannot, and they have done
 * nothing. */
static uint32_t wait_for_event(struct simulation *simulation, const struct value *step,
                               uint64_t steps_most)
{
    const struct walk *walk = simulation->walk;
    const uint32_t before = walk->steps.count;
    uint32_t found = UINT32_MAX;
    while (found == UINT32_MAX && walk->steps.count < before + CATCH_UP_MOST &&
           walk->steps.count < steps_most) {
        const uint32_t next = next_of_controllers(walk, false);
        if (next == UINT32_MAX)
            break;
        take(simulation, next, 0);
        found = find_like(walk, step);
    }
    if (found == UINT32_MAX)
        take_back(simulation, before);
    return found;
}

/* ---- the whole run ---- */

static void follow(struct session *session, const struct other_run *run,
                   struct simulation *simulation)
{
    const uint64_t most = session->options.steps;
    const struct walk *walk = simulation->walk;
    for (uint32_t i = 0; i < run->steps->count && walk->steps.count < most; i++) {
        const struct value *step = &run->steps->items[i];
        uint32_t choice = find_like(walk, step);
        if (choice == UINT32_MAX && is_outside(step))
            choice = wait_for_event(simulation, step, most);
        if (choice == UINT32_MAX)
            session_say(session, "step %u of the other run does not come here: %s", i + 1,
                        member(step, "detail"));
        else
            take(simulation, choice, i + 1);
    }
    while (run->rests && walk->steps.count < most) {
        const uint32_t next = next_of_controllers(walk, true);
        if (next == UINT32_MAX)
            break;
        take(simulation, next, 0);
    }
}

bool what_if_follow(struct session *session, const char *path, struct simulation *simulation)
{
    struct documents documents = {0};
    struct other_run run;
    if (!read_other(session, path, &documents, &run))
        return false;
    follow(session, &run, simulation);
    simulation->ended = "the other run was followed (--what-if)";
    return true;
}
