/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controllers that get, create and update their objects one after the other, with
 * mistakes to choose from.
 *
 * Parameters: `objects`, a list of
 *     service    N-svc
 *     config     ConfigMap N-cm with spec.conf
 *     set        StatefulSet N with spec.replicas, and spec.storage, which cannot change
 *     nodes      Service N-nodes for the members
 *     main       Service N<mainSuffix> for everybody
 * and which mistakes are made:
 *     enough: true          a service that is found ends the round
 *     storage: sent         an update of the set sends spec.storage, too
 *     rule: true            (no mistake) spec.storage of the custom resource is immutable
 *     checkOwner: true      (no mistake) a set of another owner is left alone
 *     annotate: true        the set carries the version of the ConfigMap
 */
#include "fathom/parts.h"

static const struct fathom_value *spec_of(const struct fathom_round *round, const char *path)
{
    return fathom_at(round->call, round->cr, path);
}

static bool flag(struct fathom_call *call, const char *name)
{
    return fathom_truth(call, fathom_parameter(call, name), NULL, false);
}

static const struct fathom_value *service(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {selector: {app: %s}}}", round->name);
}

static const struct fathom_value *config(const struct fathom_round *round)
{
    return fathom_make(round->call, "{data: {conf: %v}}", spec_of(round, "spec.conf"));
}

static const struct fathom_value *set(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: {annotations: %v}, spec: {replicas: %v,"
                       " volumeClaimTemplates: [{spec: {storage: %v}}]}}",
                       flag(round->call, "annotate")
                           ? fathom_make(round->call, "{config: %v}",
                                         fathom_at(round->call, round->local, "config"))
                           : NULL,
                       spec_of(round, "spec.replicas"), spec_of(round, "spec.storage"));
}

static const struct fathom_value *nodes(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {clusterIP: 'None', ports: [{name: 'epmd'}]}}");
}

static const struct fathom_value *main_service(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {ports: [{name: 'amqp'}]}}");
}

static const char *main_name(const struct fathom_round *round)
{
    return fathom_print(
        round->call, "%s%s", round->name,
        fathom_text(round->call, fathom_parameter(round->call, "mainSuffix"), NULL, ""));
}

static const char *const replicas[] = {"spec.replicas", NULL};
static const struct fathom_memo config_version[] = {{"config", "metadata.resourceVersion"},
                                                    {NULL, NULL}};

static const struct {
    const char *name;
    struct fathom_part part;
} known[] = {
    {"service", {.kind = "Service", .suffix = "-svc", .make = service}},
    {"config", {.kind = "ConfigMap", .suffix = "-cm", .make = config}},
    {"set", {.kind = "StatefulSet", .suffix = "", .make = set}},
    {"nodes", {.kind = "Service", .suffix = "-nodes", .make = nodes}},
    {"main", {.kind = "Service", .named = main_name, .make = main_service}},
};

enum { PARTS_MOST = 5 };

static struct fathom_parts parts_of(struct fathom_call *call, struct fathom_part *items)
{
    const struct fathom_value *objects = fathom_parameter(call, "objects");
    int count = 0;
    for (uint32_t i = 0; i < fathom_count(call, objects) && i < PARTS_MOST; i++) {
        const char *name = fathom_text(call, fathom_item(call, objects, i), NULL, "");
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            if (strcmp(known[k].name, name) == 0)
                items[count++] = known[k].part;
        if (strcmp(name, "service") == 0)
            items[count - 1].enough = flag(call, "enough");
        if (strcmp(name, "config") == 0 && flag(call, "annotate"))
            items[count - 1].remember = config_version;
        if (strcmp(name, "set") == 0) {
            bool sent =
                strcmp(fathom_text(call, fathom_parameter(call, "storage"), NULL, ""), "sent") == 0;
            items[count - 1].updated = sent ? NULL : replicas;
            items[count - 1].owned_only = flag(call, "checkOwner");
        }
    }
    return (struct fathom_parts){.items = items, .count = count};
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_part items[PARTS_MOST];
    struct fathom_parts parts = parts_of(call, items);
    struct fathom_round round = fathom_round_of(call, cr, local);
    return fathom_parts_step(&parts, &round, response);
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    struct fathom_part items[PARTS_MOST];
    struct fathom_parts parts = parts_of(call, items);
    return fathom_parts_match(&parts, call, store, cr);
}

static const char *validate_change(struct fathom_call *call, const struct fathom_value *cr,
                                   const struct fathom_value *before)
{
    return flag(call, "rule") && !fathom_equal(call, fathom_at(call, cr, "spec.storage"),
                                               fathom_at(call, before, "spec.storage"))
               ? "spec.storage: field is immutable"
               : NULL;
}

static const char *const safety_names[] = {"never shrinks", NULL};

static const char *safety(struct fathom_call *call, const struct fathom_store *before,
                          const struct fathom_store *after, const struct fathom_value *external)
{
    (void)external;
    const struct fathom_value *old = fathom_find(call, before, "StatefulSet", "default", "a");
    const struct fathom_value *now = fathom_find(call, after, "StatefulSet", "default", "a");
    return old && now && flag(call, "shrinkingIsBad") &&
                   fathom_number(call, now, "spec.replicas", 0) <
                       fathom_number(call, old, "spec.replicas", 0)
               ? safety_names[0]
               : NULL;
}

static const char *const kinds[] = {"Simple", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "simple",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
    .safety_names = safety_names,
    .safety = safety,
    .validate_change = validate_change,
};
