/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One StatefulSet, and the status of the custom resource says for how many replicas
 * it was brought about. Parameters:
 *     shortcut      a status that says what is wanted ends the round at once
 *     unversioned   updates are sent without the version that was read
 */
#include "fathom/parts.h"

static bool flag(struct fathom_call *call, const char *name)
{
    return fathom_truth(call, fathom_parameter(call, name), NULL, false);
}

static const struct fathom_value *set(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {replicas: %v}}",
                       fathom_at(round->call, round->cr, "spec.replicas"));
}

static const struct fathom_value *status(const struct fathom_round *round)
{
    return fathom_make(round->call, "{replicas: %v}",
                       fathom_at(round->call, round->cr, "spec.replicas"));
}

static const struct fathom_part items[] = {
    {.kind = "StatefulSet", .suffix = "", .make = set},
};
static const struct fathom_parts parts = {.items = items, .count = 1, .status = status};

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    if (fathom_is_at(call, local, "start") && flag(call, "shortcut") &&
        fathom_equal(call, fathom_at(call, cr, "status.replicas"),
                     fathom_at(call, cr, "spec.replicas")))
        return fathom_end_done(&round);
    struct fathom_answer answer = fathom_parts_step(&parts, &round, response);
    if (answer.request.verb == FATHOM_UPDATE && flag(call, "unversioned"))
        answer.request.object =
            fathom_with(call, answer.request.object, "metadata.resourceVersion", NULL);
    return answer;
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    return fathom_parts_match(&parts, call, store, cr);
}

static const char *const kinds[] = {"Simple", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "one-set",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
};
