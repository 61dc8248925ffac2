/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A volume that grows: the StatefulSet is deleted, its PersistentVolumeClaim updated,
 * the StatefulSet created again. Whether that has to be done is seen by the set's size
 * and, with `compare: claim`, by that of the claim itself.
 */
#include "fathom/parts.h"

static const struct fathom_value *claim(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {size: %v}}",
                       fathom_at(round->call, round->cr, "spec.size"));
}

static const struct fathom_value *set(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {volumeClaimTemplates: [{size: %v}]}}",
                       fathom_at(round->call, round->cr, "spec.size"));
}

enum { CLAIM, SET, PARTS };

static const struct fathom_part items[PARTS] = {
    {.kind = "PersistentVolumeClaim", .suffix = "-pvc", .make = claim, .never_updated = true},
    {.kind = "StatefulSet", .suffix = "", .make = set},
};
static const struct fathom_parts parts = {.items = items, .count = PARTS};

static struct fathom_answer look_at_claim(const struct fathom_round *round)
{
    struct fathom_answer answer = fathom_parts_get(&parts, round, CLAIM);
    answer.local = fathom_make(round->call, "{at: 'claim', part: %d}", SET);
    return answer;
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    const struct fathom_value *size = fathom_at(call, cr, "spec.size");
    bool by_claim = fathom_parameter(call, "compare") != NULL;
    int part = (int)fathom_number(call, local, "part", CLAIM);
    if (fathom_is_at(call, local, "get") && part == CLAIM && !response->error && by_claim) {
        struct fathom_answer answer = fathom_parts_step(&parts, &round, response);
        bool fits = fathom_equal(call, fathom_at(call, response->content, "spec.size"), size);
        if (!fits)
            answer.local = fathom_with(call, answer.local, "resize", fathom_make(call, "true"));
        return answer;
    }
    if (fathom_is_at(call, local, "get") && part == SET) {
        const char *path = "spec.volumeClaimTemplates[0].size";
        bool resize = fathom_truth(call, local, "resize", false) ||
                      (!response->error &&
                       !fathom_equal(call, fathom_at(call, response->content, path), size));
        if (response->error == FATHOM_NOT_FOUND && !resize)
            return fathom_parts_write(&parts, &round, SET, response);
        if (response->error == FATHOM_NOT_FOUND)
            return look_at_claim(&round);
        if (response->error)
            return fathom_end_error(&round);
        if (!resize)
            return fathom_end_done(&round);
        return (struct fathom_answer){.local = fathom_make(call, "{at: 'delete'}"),
                                      .request = {.verb = FATHOM_DELETE,
                                                  .kind = "StatefulSet",
                                                  .name_space = round.name_space,
                                                  .name = round.name}};
    }
    if (fathom_is_at(call, local, "delete"))
        return response->error ? fathom_end_error(&round) : look_at_claim(&round);
    if (fathom_is_at(call, local, "claim")) {
        if (response->error)
            return fathom_end_error(&round);
        return (struct fathom_answer){
            .local = fathom_make(call, "{at: 'resized', part: %d}", SET),
            .request = {.verb = FATHOM_UPDATE,
                        .kind = "PersistentVolumeClaim",
                        .name_space = round.name_space,
                        .name = fathom_text(call, response->content, "metadata.name", ""),
                        .object = fathom_with(call, response->content, "spec.size", size)}};
    }
    if (fathom_is_at(call, local, "resized")) {
        struct fathom_response absent = {FATHOM_NOT_FOUND, NULL};
        return response->error ? fathom_end_error(&round)
                               : fathom_parts_write(&parts, &round, SET, &absent);
    }
    return fathom_parts_step(&parts, &round, response);
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    return fathom_parts_match(&parts, call, store, cr);
}

static const char *const kinds[] = {"Simple", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "resize",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
};
