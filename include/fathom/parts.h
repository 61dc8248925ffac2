/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The usual shape of a controller, for plugins (controller.h): it has a list of
 * objects and brings them about one after the other,
 *
 *     get part 1 -> found: update it      -> get part 2 -> ... -> done
 *                   not found: create it
 *
 * where any other answer ends the round with an error. What is created belongs to
 * the custom resource: its only ownerReference, with controller: true. What is
 * updated keeps the metadata that was found, so that it is written only if nobody
 * else wrote meanwhile (its resource version is sent along), but for owners,
 * finalizers, labels and annotations.
 *
 * The memory is {at, part}: `at` is what was asked last (start, get, create,
 * update, status, done, error), `part` of which part; beside them is what parts want
 * to be remembered, and whatever the plugin puts there. A plugin
 * with steps of its own gives them names of its own for `at`, and calls
 * fathom_parts_step in all others.
 */
#ifndef FATHOM_PARTS_H
#define FATHOM_PARTS_H

#include "fathom/controller.h"

#include <string.h>

/* What the functions of a part are told. */
struct fathom_round {
    struct fathom_call *call;
    const struct fathom_value *cr;
    const struct fathom_value *local;
    const char *name;               /* of the custom resource */
    const char *name_space;         /* likewise */
    const struct fathom_part *part; /* the one that is asked for */
};

/* Something that the memory keeps of an object as it was found, created or updated,
 * for the parts that come after it. */
struct fathom_memo {
    const char *name; /* in the memory */
    const char *path; /* in the object: "metadata.resourceVersion" */
};

struct fathom_part {
    const char *kind;
    const char *suffix; /* of its name, after that of the custom resource */
    const char *(*named)(const struct fathom_round *round); /* not NULL: its whole name */
    /* The object as it should be: its content, labels and annotations. Kind, name,
     * namespace and owner are put in by others. NULL: it is only looked at, as if
     * never_created and never_updated. */
    const struct fathom_value *(*make)(const struct fathom_round *round);
    /* NULL: an update takes over all content that was made; or the paths that it takes
     * over, NULL at the end. */
    const char *const *updated;
    bool owned_only;    /* found, but not ours alone: the round ends with an error */
    bool never_created; /* not found: the round ends with an error */
    bool never_updated; /* found: on to the next */
    bool enough;        /* found: the round is done */
    const struct fathom_memo *remember; /* NULL, or ended by one without a name */
    const char *unmatched;              /* NULL, or a path that is not compared by match */
    const void *context;                /* the plugin's own */
};

struct fathom_parts {
    const struct fathom_part *items;
    int count;
    /* NULL, or the status that the custom resource gets at the end of a round. */
    const struct fathom_value *(*status)(const struct fathom_round *round);
};

FATHOM_UNUSED static struct fathom_round fathom_round_of(struct fathom_call *call,
                                                         const struct fathom_value *cr,
                                                         const struct fathom_value *local)
{
    return (struct fathom_round){.call = call,
                                 .cr = cr,
                                 .local = local,
                                 .name = fathom_text(call, cr, "metadata.name", ""),
                                 .name_space = fathom_text(call, cr, "metadata.namespace", "")};
}

/* The same round, about one of its parts. */
FATHOM_UNUSED static struct fathom_round fathom_round_at(const struct fathom_round *round,
                                                         const struct fathom_part *part)
{
    struct fathom_round at = *round;
    at.part = part;
    return at;
}

FATHOM_UNUSED static const char *fathom_part_name(const struct fathom_round *round)
{
    const struct fathom_part *part = round->part;
    return part->named ? part->named(round)
                       : fathom_print(round->call, "%s%s", round->name, part->suffix);
}

/* The ownerReferences of what belongs to this custom resource. */
FATHOM_UNUSED static const struct fathom_value *fathom_owners(const struct fathom_round *round)
{
    struct fathom_call *call = round->call;
    return fathom_make(call,
                       "[{apiVersion: %v, kind: %v, name: %v, uid: %v, controller: true,"
                       " blockOwnerDeletion: true}]",
                       fathom_at(call, round->cr, "apiVersion"), fathom_at(call, round->cr, "kind"),
                       fathom_at(call, round->cr, "metadata.name"),
                       fathom_at(call, round->cr, "metadata.uid"));
}

FATHOM_UNUSED static bool fathom_is_ours(const struct fathom_round *round,
                                         const struct fathom_value *object)
{
    return fathom_equal(round->call, fathom_owners(round),
                        fathom_at(round->call, object, "metadata.ownerReferences"));
}

/* The object to create. */
FATHOM_UNUSED static const struct fathom_value *fathom_part_made(const struct fathom_round *round)
{
    struct fathom_call *call = round->call;
    const struct fathom_value *object = round->part->make(round);
    object = fathom_with(call, object, "kind", fathom_make(call, "%s", round->part->kind));
    object = fathom_with(call, object, "metadata.name",
                         fathom_make(call, "%s", fathom_part_name(round)));
    object = fathom_with(call, object, "metadata.namespace",
                         fathom_at(call, round->cr, "metadata.namespace"));
    return fathom_with(call, object, "metadata.ownerReferences", fathom_owners(round));
}

FATHOM_UNUSED static bool fathom_is_content(const char *key)
{
    return strcmp(key, "metadata") != 0 && strcmp(key, "kind") != 0 &&
           strcmp(key, "apiVersion") != 0 && strcmp(key, "status") != 0;
}

/* What to write over the object that was found. */
FATHOM_UNUSED static const struct fathom_value *
fathom_part_updated(const struct fathom_round *round, const struct fathom_value *found)
{
    struct fathom_call *call = round->call;
    const struct fathom_value *made = round->part->make(round);
    const struct fathom_value *object = found;
    object = fathom_with(call, object, "metadata.ownerReferences", fathom_owners(round));
    object = fathom_with(call, object, "metadata.finalizers", NULL);
    object = fathom_with(call, object, "metadata.labels", fathom_at(call, made, "metadata.labels"));
    object = fathom_with(call, object, "metadata.annotations",
                         fathom_at(call, made, "metadata.annotations"));
    if (round->part->updated) {
        for (const char *const *path = round->part->updated; *path; path++)
            object = fathom_with(call, object, *path, fathom_at(call, made, *path));
        return object;
    }
    for (uint32_t i = 0; i < fathom_count(call, made); i++) {
        const char *key = fathom_key(call, made, i);
        if (fathom_is_content(key))
            object = fathom_with(call, object, key, fathom_item(call, made, i));
    }
    return object;
}

/* --- The round ------------------------------------------------------------ */

FATHOM_UNUSED static struct fathom_answer fathom_end(const struct fathom_round *round,
                                                     const char *how)
{
    return (struct fathom_answer){.local = fathom_make(round->call, "{at: %s}", how)};
}

FATHOM_UNUSED static struct fathom_answer fathom_end_done(const struct fathom_round *round)
{
    return fathom_end(round, "done");
}

FATHOM_UNUSED static struct fathom_answer fathom_end_error(const struct fathom_round *round)
{
    return fathom_end(round, "error");
}

/* The memory with another `at`. */
FATHOM_UNUSED static const struct fathom_value *fathom_now_at(const struct fathom_round *round,
                                                              const char *at)
{
    return fathom_with(round->call, round->local, "at", fathom_make(round->call, "%s", at));
}

/* Whether the memory is at this. */
FATHOM_UNUSED static bool fathom_is_at(struct fathom_call *call, const struct fathom_value *local,
                                       const char *at)
{
    return strcmp(fathom_text(call, local, "at", ""), at) == 0;
}

/* All parts are there: the status is written, if there is one, and the round is done.
 * The custom resource is sent as the round has seen it, so that nothing is written if
 * it has changed. */
FATHOM_UNUSED static struct fathom_answer fathom_parts_finish(const struct fathom_parts *parts,
                                                              const struct fathom_round *round)
{
    if (!parts->status)
        return fathom_end_done(round);
    return (struct fathom_answer){
        .local = fathom_make(round->call, "{at: 'status'}"),
        .request = {.verb = FATHOM_UPDATE_STATUS,
                    .kind = fathom_text(round->call, round->cr, "kind", ""),
                    .name_space = round->name_space,
                    .name = round->name,
                    .object = fathom_with(round->call, round->cr, "status", parts->status(round))}};
}

/* Asks for part number `index`; behind the last one, the round is over. */
FATHOM_UNUSED static struct fathom_answer
fathom_parts_get(const struct fathom_parts *parts, const struct fathom_round *round, int index)
{
    if (index >= parts->count)
        return fathom_parts_finish(parts, round);
    struct fathom_round at = fathom_round_at(round, &parts->items[index]);
    at.local = fathom_with(at.call, at.local, "part", fathom_make(at.call, "%d", index));
    return (struct fathom_answer){.local = fathom_now_at(&at, "get"),
                                  .request = {.verb = FATHOM_GET,
                                              .kind = at.part->kind,
                                              .name_space = at.name_space,
                                              .name = fathom_part_name(&at)}};
}

/* The memory with what a part wants to be remembered. */
FATHOM_UNUSED static const struct fathom_value *
fathom_part_remember(const struct fathom_round *round, const struct fathom_part *part,
                     const struct fathom_value *object)
{
    const struct fathom_value *local = round->local;
    for (const struct fathom_memo *memo = part->remember; memo && memo->name; memo++)
        local =
            fathom_with(round->call, local, memo->name, fathom_at(round->call, object, memo->path));
    return local;
}

/* On to the next part; `object` is this one as it is now. */
FATHOM_UNUSED static struct fathom_answer fathom_parts_next(const struct fathom_parts *parts,
                                                            const struct fathom_round *round,
                                                            int index,
                                                            const struct fathom_value *object)
{
    struct fathom_round next = *round;
    next.local = fathom_part_remember(round, &parts->items[index], object);
    return fathom_parts_get(parts, &next, index + 1);
}

/* The answer to a get is there: create it or update it. */
FATHOM_UNUSED static struct fathom_answer fathom_parts_write(const struct fathom_parts *parts,
                                                             const struct fathom_round *round,
                                                             int index,
                                                             const struct fathom_response *response)
{
    struct fathom_round at = fathom_round_at(round, &parts->items[index]);
    if (response->error == FATHOM_NOT_FOUND && at.part->make && !at.part->never_created)
        return (struct fathom_answer){.local = fathom_now_at(&at, "create"),
                                      .request = {.verb = FATHOM_CREATE,
                                                  .kind = at.part->kind,
                                                  .name_space = at.name_space,
                                                  .name = fathom_part_name(&at),
                                                  .object = fathom_part_made(&at)}};
    if (response->error || (at.part->owned_only && !fathom_is_ours(&at, response->content)))
        return fathom_end_error(round);
    if (at.part->enough)
        return fathom_end_done(round);
    if (at.part->never_updated || !at.part->make)
        return fathom_parts_next(parts, round, index, response->content);
    return (struct fathom_answer){
        .local = fathom_now_at(&at, "update"),
        .request = {.verb = FATHOM_UPDATE,
                    .kind = at.part->kind,
                    .name_space = at.name_space,
                    .name = fathom_part_name(&at),
                    .object = fathom_part_updated(&at, response->content)}};
}

FATHOM_UNUSED static struct fathom_answer fathom_parts_step(const struct fathom_parts *parts,
                                                            const struct fathom_round *round,
                                                            const struct fathom_response *response)
{
    if (fathom_is_at(round->call, round->local, "start"))
        return fathom_parts_get(parts, round, 0);
    if (!response) /* there was a request, so this is nobody's memory */
        return fathom_end_error(round);
    int index = (int)fathom_number(round->call, round->local, "part", 0);
    if (fathom_is_at(round->call, round->local, "get"))
        return fathom_parts_write(parts, round, index, response);
    if (response->error) /* of a create, an update or a status */
        return fathom_end_error(round);
    if (fathom_is_at(round->call, round->local, "status"))
        return fathom_end_done(round);
    return fathom_parts_next(parts, round, index, response->content);
}

/* --- For struct fathom_controller ------------------------------------------ */

FATHOM_UNUSED static const struct fathom_value *fathom_parts_init(struct fathom_call *call)
{
    return fathom_make(call, "{at: 'start'}");
}

FATHOM_UNUSED static enum fathom_status fathom_parts_status(struct fathom_call *call,
                                                            const struct fathom_value *local)
{
    if (fathom_is_at(call, local, "done"))
        return FATHOM_DONE;
    return fathom_is_at(call, local, "error") ? FATHOM_ERROR : FATHOM_RUNNING;
}

/* Whether this object is as its part makes it: content, labels and annotations. */
FATHOM_UNUSED static bool fathom_part_matches(const struct fathom_round *round,
                                              const struct fathom_value *found)
{
    struct fathom_call *call = round->call;
    const struct fathom_value *made = round->part->make(round);
    if (round->part->unmatched)
        made = fathom_with(call, made, round->part->unmatched,
                           fathom_at(call, found, round->part->unmatched));
    if (!fathom_equal(call, fathom_at(call, made, "metadata.labels"),
                      fathom_at(call, found, "metadata.labels")) ||
        !fathom_equal(call, fathom_at(call, made, "metadata.annotations"),
                      fathom_at(call, found, "metadata.annotations")))
        return false;
    for (uint32_t i = 0; i < fathom_count(call, made); i++) {
        const char *key = fathom_key(call, made, i);
        if (fathom_is_content(key) &&
            !fathom_equal(call, fathom_item(call, made, i), fathom_at(call, found, key)))
            return false;
    }
    return true;
}

/* Whether all parts that are made exist and are as they should be, given the versions to remember
 * that are stored now. */
FATHOM_UNUSED static bool fathom_parts_match(const struct fathom_parts *parts,
                                             struct fathom_call *call,
                                             const struct fathom_store *store,
                                             const struct fathom_value *cr)
{
    struct fathom_round round = fathom_round_of(call, cr, fathom_make(call, "{}"));
    for (int i = 0; i < parts->count; i++) {
        struct fathom_round at = fathom_round_at(&round, &parts->items[i]);
        const struct fathom_value *found =
            fathom_find(call, store, at.part->kind, at.name_space, fathom_part_name(&at));
        if (at.part->make && (!found || !fathom_part_matches(&at, found)))
            return false;
        round.local = fathom_part_remember(&round, at.part, found);
    }
    return true;
}

#endif
