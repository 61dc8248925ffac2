/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controllers with mistakes that operators in the field have made, after the patterns of
 * Sieve (OSDI'22): they believe an outdated custom resource, or act only if they happen
 * to see something pass by. Which one is the parameter `seed`, and `fixed: true` mends it.
 *
 *     S1  a claim is deleted when its member is not wanted, by the round's idea of that
 *     S2  a custom resource that is being deleted takes the claim of its name with it,
 *         whosoever that is; mended: its own only
 *     S3  a set of another size than wanted is deleted and made anew; mended: not before
 *         the API server has confirmed that the custom resource is up to date
 *     U1  the claim of a pod goes when the pod is seen to be deleted; mended: when the
 *         pod is not wanted
 *
 * Whatever is deleted is deleted by its uid, so that a request that was late for its
 * own object does not hit another.
 */
#include "fathom/parts.h"

static bool is(struct fathom_call *call, const char *seed)
{
    return strcmp(fathom_text(call, fathom_parameter(call, "seed"), NULL, ""), seed) == 0;
}

static bool fixed(struct fathom_call *call)
{
    return fathom_truth(call, fathom_parameter(call, "fixed"), NULL, false);
}

static const struct fathom_value *set(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {replicas: %v, volumeClaimTemplates: [{size: %v}]}}",
                       fathom_at(round->call, round->cr, "spec.replicas"),
                       fathom_at(round->call, round->cr, "spec.size"));
}

/* Whose it is says an annotation: the garbage collector leaves claims alone. */
static const struct fathom_value *claim(const struct fathom_round *round)
{
    return fathom_make(round->call, "{metadata: {annotations: {owner: %v}}, spec: {size: 1}}",
                       fathom_at(round->call, round->cr, "metadata.uid"));
}

static bool is_our_claim(const struct fathom_round *round, const struct fathom_value *found)
{
    return fathom_equal(round->call, fathom_at(round->call, round->cr, "metadata.uid"),
                        fathom_at(round->call, found, "metadata.annotations.owner"));
}

static const struct fathom_value *pod(const struct fathom_round *round)
{
    return fathom_make(round->call, "{metadata: {finalizers: ['drain']}, spec: {}}");
}

static const struct fathom_part set_part = {.kind = "StatefulSet", .suffix = "", .make = set};
static const struct fathom_part claim_part = {
    .kind = "PersistentVolumeClaim", .suffix = "-1", .make = claim, .never_updated = true};
static const struct fathom_part pod_part = {
    .kind = "Pod", .suffix = "-1", .make = pod, .never_updated = true};

/* --- Requests ----------------------------------------------------------------- */

static struct fathom_answer ask(const struct fathom_round *round, const char *at,
                                const struct fathom_part *part, enum fathom_verb verb,
                                const struct fathom_value *object)
{
    struct fathom_round of = fathom_round_at(round, part);
    if (verb == FATHOM_CREATE)
        object = fathom_part_made(&of);
    if (verb == FATHOM_CREATE && part == &claim_part)
        object = fathom_with(round->call, object, "metadata.ownerReferences", NULL);
    return (struct fathom_answer){
        .local = fathom_make(round->call, "{at: %s}", at),
        .request = {.verb = verb,
                    .kind = part->kind,
                    .name_space = round->name_space,
                    .name = fathom_part_name(&of),
                    .object = verb == FATHOM_DELETE ? NULL : object,
                    .uid = verb == FATHOM_DELETE ? fathom_at(round->call, object, "metadata.uid")
                                                 : NULL}};
}

static struct fathom_answer write_resource(const struct fathom_round *round, const char *at,
                                           enum fathom_verb verb, const struct fathom_value *cr)
{
    return (struct fathom_answer){.local = fathom_make(round->call, "{at: %s}", at),
                                  .request = {.verb = verb,
                                              .kind = fathom_text(round->call, cr, "kind", ""),
                                              .name_space = round->name_space,
                                              .name = round->name,
                                              .object = cr}};
}

static struct fathom_answer end(const struct fathom_round *round,
                                const struct fathom_response *response)
{
    return response->error ? fathom_end_error(round) : fathom_end_done(round);
}

static bool at(const struct fathom_round *round, const char *where)
{
    return fathom_is_at(round->call, round->local, where);
}

/* --- The four ------------------------------------------------------------------- */

static struct fathom_answer step_s1(const struct fathom_round *round,
                                    const struct fathom_response *response)
{
    bool wanted = fathom_number(round->call, round->cr, "spec.replicas", 0) > 1;
    struct fathom_round of = fathom_round_at(round, &set_part);
    if (at(round, "start"))
        return ask(round, "set", &set_part, FATHOM_GET, NULL);
    if (at(round, "set"))
        return response->error == FATHOM_NOT_FOUND
                   ? ask(round, "claims", &set_part, FATHOM_CREATE, NULL)
               : response->error ? fathom_end_error(round)
                                 : ask(round, "claims", &set_part, FATHOM_UPDATE,
                                       fathom_part_updated(&of, response->content));
    if (at(round, "claims"))
        return response->error ? fathom_end_error(round)
                               : ask(round, "claim", &claim_part, FATHOM_GET, NULL);
    if (at(round, "claim")) {
        if (response->error == FATHOM_NOT_FOUND)
            return wanted ? ask(round, "last", &claim_part, FATHOM_CREATE, NULL)
                          : fathom_end_done(round);
        if (response->error || wanted)
            return end(round, response);
        return ask(round, "last", &claim_part, FATHOM_DELETE, response->content);
    }
    return end(round, response);
}

static struct fathom_answer let_go(const struct fathom_round *round)
{
    return write_resource(round, "last", FATHOM_UPDATE,
                          fathom_with(round->call, round->cr, "metadata.finalizers", NULL));
}

static struct fathom_answer step_s2(const struct fathom_round *round,
                                    const struct fathom_response *response)
{
    bool going = fathom_at(round->call, round->cr, "metadata.deletionTimestamp") != NULL;
    if (at(round, "start"))
        return ask(round, "claim", &claim_part, FATHOM_GET, NULL);
    if (at(round, "claim") && going) {
        if (response->error && response->error != FATHOM_NOT_FOUND)
            return fathom_end_error(round);
        bool ours = !response->error && is_our_claim(round, response->content);
        if (response->error || (fixed(round->call) && !ours))
            return let_go(round);
        return ask(round, "deleted", &claim_part, FATHOM_DELETE, response->content);
    }
    if (at(round, "claim"))
        return response->error == FATHOM_NOT_FOUND
                   ? ask(round, "last", &claim_part, FATHOM_CREATE, NULL)
               : response->error || is_our_claim(round, response->content)
                   ? end(round, response)
                   : ask(round, "last", &claim_part, FATHOM_UPDATE,
                         fathom_with(round->call, response->content, "metadata.annotations.owner",
                                     fathom_at(round->call, round->cr, "metadata.uid")));
    if (at(round, "deleted"))
        return response->error ? fathom_end_error(round) : let_go(round);
    return end(round, response);
}

static struct fathom_answer step_s3(const struct fathom_round *round,
                                    const struct fathom_response *response)
{
    struct fathom_call *call = round->call;
    if (at(round, "start"))
        return fixed(call) ? write_resource(
                                 round, "confirmed", FATHOM_UPDATE_STATUS,
                                 fathom_with(call, round->cr, "status",
                                             fathom_make(call, "{seen: %v}",
                                                         fathom_at(call, round->cr, "spec.size"))))
                           : ask(round, "set", &set_part, FATHOM_GET, NULL);
    if (at(round, "confirmed"))
        return response->error ? fathom_end_error(round)
                               : ask(round, "set", &set_part, FATHOM_GET, NULL);
    if (at(round, "set")) {
        if (response->error == FATHOM_NOT_FOUND)
            return ask(round, "last", &set_part, FATHOM_CREATE, NULL);
        if (response->error ||
            fathom_equal(call,
                         fathom_at(call, response->content, "spec.volumeClaimTemplates[0].size"),
                         fathom_at(call, round->cr, "spec.size")))
            return end(round, response);
        return ask(round, "deleted", &set_part, FATHOM_DELETE, response->content);
    }
    if (at(round, "deleted"))
        return response->error ? fathom_end_error(round)
                               : ask(round, "last", &set_part, FATHOM_CREATE, NULL);
    return end(round, response);
}

static struct fathom_answer step_u1(const struct fathom_round *round,
                                    const struct fathom_response *response)
{
    struct fathom_call *call = round->call;
    bool wanted = fathom_number(call, round->cr, "spec.replicas", 0) > 1;
    if (!response)
        return ask(round, "pod", &pod_part, FATHOM_GET, NULL);
    bool found = !response->error;
    bool absent = response->error == FATHOM_NOT_FOUND;
    if (at(round, "pod") && wanted && absent)
        return ask(round, "created", &pod_part, FATHOM_CREATE, NULL);
    if ((at(round, "pod") || at(round, "created")) && wanted && found)
        return ask(round, "claim", &claim_part, FATHOM_GET, NULL);
    if (at(round, "pod") && !wanted && (found || absent)) {
        bool going = found && fathom_at(call, response->content, "metadata.deletionTimestamp");
        if (going || (fixed(call) && absent))
            return ask(round, "claim", &claim_part, FATHOM_GET, NULL);
        return found ? ask(round, "last", &pod_part, FATHOM_DELETE, response->content)
                     : fathom_end_done(round);
    }
    if (at(round, "claim") && absent)
        return wanted ? ask(round, "last", &claim_part, FATHOM_CREATE, NULL)
                      : fathom_end_done(round);
    if (at(round, "claim") && found)
        return wanted ? fathom_end_done(round)
                      : ask(round, "last", &claim_part, FATHOM_DELETE, response->content);
    return end(round, response);
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    return is(call, "S1")   ? step_s1(&round, response)
           : is(call, "S2") ? step_s2(&round, response)
           : is(call, "S3") ? step_s3(&round, response)
                            : step_u1(&round, response);
}

/* --- What is wanted ---------------------------------------------------------------- */

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    struct fathom_round round = fathom_round_of(call, cr, NULL);
    bool wanted = fathom_number(call, cr, "spec.replicas", 0) > 1;
    const struct fathom_value *kept =
        fathom_find(call, store, "PersistentVolumeClaim", "default", "a-1");
    const struct fathom_value *running = fathom_find(call, store, "StatefulSet", "default", "a");
    if (is(call, "S2"))
        return fathom_at(call, cr, "metadata.deletionTimestamp") ||
               (kept && is_our_claim(&round, kept));
    if (is(call, "U1"))
        return wanted ? kept && fathom_find(call, store, "Pod", "default", "a-1") : !kept;
    round.part = &set_part;
    return running && fathom_part_matches(&round, running) &&
           (!is(call, "S1") || wanted == (kept != NULL));
}

static const char *const safety_names[] = {"nothing that is wanted is deleted", NULL};

static const char *safety(struct fathom_call *call, const struct fathom_store *before,
                          const struct fathom_store *after, const struct fathom_value *external)
{
    (void)external;
    const char *kind = is(call, "S3") ? "StatefulSet" : "PersistentVolumeClaim";
    const char *name = is(call, "S3") ? "a" : "a-1";
    const struct fathom_value *old = fathom_find(call, before, kind, "default", name);
    const struct fathom_value *cr = fathom_find(call, after, "Simple", "default", "a");
    if (!old || !cr || fathom_find(call, after, kind, "default", name))
        return NULL;
    struct fathom_round round = fathom_round_of(call, cr, NULL);
    bool wanted =
        is(call, "S1") ? fathom_number(call, cr, "spec.replicas", 0) > 1
        : is(call, "S2")
            ? is_our_claim(&round, old) && !fathom_at(call, cr, "metadata.deletionTimestamp")
        : is(call, "S3")
            ? fathom_equal(call, fathom_at(call, old, "spec.volumeClaimTemplates[0].size"),
                           fathom_at(call, cr, "spec.size"))
            : false;
    return wanted ? safety_names[0] : NULL;
}

static const char *const kinds[] = {"Simple", NULL};
static const char *const user_kinds[] = {"Pod", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,      .name = "sieve",
    .custom_kinds = kinds,         .user_kinds = user_kinds,
    .init = fathom_parts_init,     .step = step,
    .status = fathom_parts_status, .match = match,
    .safety_names = safety_names,  .safety = safety,
};
