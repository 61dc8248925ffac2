/* SPDX-License-Identifier: Apache-2.0 */
/* The causes of a step: which earlier step wrote each object last. */
#include "reconcile/tell_internal.h"

#include <string.h>

void tell_add_cause(struct controller_step *step, uint32_t cause)
{
    for (uint32_t i = 0; i < step->cause_count; i++)
        if (step->causes[i] == cause)
            return;
    if (step->cause_count < STEP_CAUSES_MOST)
        step->causes[step->cause_count++] = cause;
}

uint32_t tell_writer_of(const struct run_telling *telling, const char *object)
{
    for (uint32_t i = 0; object && i < telling->writer_count; i++)
        if (strcmp(telling->writers[i].object, object) == 0)
            return telling->writers[i].step;
    return 0;
}

static void note_writer(struct run_telling *telling, const char *object, uint32_t number)
{
    uint32_t at = 0;
    while (at < telling->writer_count && strcmp(telling->writers[at].object, object) != 0)
        at++;
    if (at == WRITERS_MOST)
        return;
    telling->writers[at] = (struct tell_writer){object, number};
    if (at == telling->writer_count)
        telling->writer_count++;
}

/* The key under which a request of the garbage collector or a status controller
 * about an object is remembered. */
const char *tell_asking_about(struct run_telling *telling, bool collector, const char *object)
{
    return arena_printf(telling->arena, "%s %s", collector ? "collect" : "status", object);
}

/* Adds the steps that wrote or deleted the owners of an object last. */
void tell_add_owners(struct run_telling *telling, const struct object_key *key,
                     struct controller_step *step)
{
    const struct datum *object = tell_find(&telling->before->store, key);
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    for (uint32_t i = 0; owners && owners->kind == DATUM_LIST && i < owners->count; i++) {
        const struct object_key owner = {
            .kind = datum_text(datum_member(owners->items[i], "kind"), ""),
            .name_space = key->name_space,
            .name = datum_text(datum_member(owners->items[i], "name"), ""),
        };
        tell_add_cause(step, tell_writer_of(telling, tell_key_words(telling->arena, &owner)));
    }
}

static void note_writers(struct run_telling *telling, uint32_t number)
{
    const struct env_world *after = telling->after;
    const struct env_world *before = telling->before;
    for (uint32_t pass = 0; pass < 2; pass++) {
        const struct object_list *store = pass == 0 ? &after->store : &before->store;
        const struct object_list *other = pass == 0 ? &before->store : &after->store;
        for (uint32_t i = 0; i < store->count; i++) {
            const struct object_key key = object_key_of(store->items[i]);
            const struct datum *twin = tell_find(other, &key);
            struct differences differences = {0};
            tell_compare(telling->arena, twin, store->items[i], &differences);
            if (twin && differences.count == 0)
                continue;
            note_writer(telling, tell_key_words(telling->arena, &key), number);
        }
    }
}

void tell_remember(struct run_telling *telling, const struct path_step *made, uint32_t number)
{
    const uint32_t which = step_which(made->argument);
    switch ((enum action)made->action) {
    case ACTION_SCHEDULE:
    case ACTION_STALE_SCHEDULE:
        telling->crash_steps[which] = 0;
        if (telling->options->fuse_schedule)
            telling->round_steps[which] = number;
        else
            telling->copy_steps[which] = number;
        break;
    case ACTION_RUN:
        if (telling->options->fuse_schedule)
            telling->crash_steps[which] = 0;
        telling->round_steps[which] = number;
        break;
    case ACTION_COLLECT:
    case ACTION_REPORT_STATUS: {
        const struct object_key key = environment_key(telling->environment, which);
        note_writer(telling,
                    tell_asking_about(telling, made->action == ACTION_COLLECT,
                                      tell_key_words(telling->arena, &key)),
                    number);
        break;
    }
    case ACTION_END:
    case ACTION_SERVE_CONTROLLER:
    case ACTION_STALE_READ:
    case ACTION_FAIL_CONTROLLER: telling->round_steps[which] = number; break;
    case ACTION_CONTINUE:
        telling->round_steps[which] = number;
        telling->request_steps[which] = number;
        break;
    case ACTION_CRASH:
        telling->crash_step = number;
        for (uint32_t i = 0; i < environment_resource_count(telling->environment); i++)
            telling->crash_steps[i] = number;
        break;
    default: break;
    }
    if (!datum_equal(telling->before->external, telling->after->external))
        telling->external_step = number;
    note_writers(telling, number);
}
