/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of a store and of a change of it: the rules of the check, and the
 * controller's own `match` and `safety`. */
#include "reconcile/env_properties.h"

#include "reconcile/env_facts.h"
#include "reconcile/predicates.h"

#include <string.h>

static bool controller_matches(const struct inquiry *inquiry, const struct object_list *store,
                               const struct datum *resource, bool *matches)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    if (environment->options.match) {
        *matches = match_rules_hold(environment->options.match, store, resource);
        return true;
    }
    const uint32_t errors = environment->problems->errors;
    if (!controller->match(controller, inquiry->arena, store, resource, matches,
                           environment->problems))
        return inquiry_gave_up(inquiry, errors, "match");
    bool again = false;
    if (!inquiry_asks_twice(environment))
        return true;
    if (!controller->match(controller, inquiry->arena, store, resource, &again,
                           environment->problems))
        return inquiry_gave_up(inquiry, errors, "match");
    if (again != *matches) {
        environment_fail(environment,
                         "the controller answers differently to the same question (match): it "
                         "must depend on nothing but what it is given");
        return false;
    }
    return true;
}

static bool is_desired(const struct inquiry *inquiry, const struct object_list *store,
                       const struct datum *resource, bool *desired)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    const uint32_t errors = environment->problems->errors;
    *desired = true;
    if (controller->desired && !controller->desired(controller, inquiry->arena, store, resource,
                                                    desired, environment->problems))
        return inquiry_gave_up(inquiry, errors, "desired");
    return true;
}

bool inquiry_answer_store(const struct inquiry *inquiry)
{
    struct environment *environment = inquiry->environment;
    const struct object_list store = {.items = inquiry->trees, .count = inquiry->count};
    for (uint32_t i = 0; i < store.count; i++) {
        const struct object_key key = object_key_of(store.items[i]);
        for (uint32_t k = 0; k < environment->resource_count; k++) {
            if (object_key_compare(&key, &environment->resources[k]) != 0)
                continue;
            bool desired = false;
            bool matches = true;
            if (!is_desired(inquiry, &store, store.items[i], &desired))
                return false;
            if (desired && !controller_matches(inquiry, &store, store.items[i], &matches))
                return false;
            inquiry->answer->bits |= (uint64_t)desired << 2 * k;
            inquiry->answer->bits |= (uint64_t)(desired && !matches) << (2 * k + 1);
        }
    }
    return true;
}

static bool name_safety(struct environment *environment, const char *name, uint64_t *bits)
{
    uint32_t at = 0;
    while (at < environment->safety_count && strcmp(environment->safety[at], name) != 0)
        at++;
    if (at == SAFETIES_MOST) {
        environment_fail(environment, "the controller names more than %d safety properties",
                         SAFETIES_MOST);
        return false;
    }
    if (at == environment->safety_count)
        environment->safety[environment->safety_count++] = arena_strdup(&environment->arena, name);
    *bits |= UINT64_C(1) << at;
    return true;
}

/* Objects before, none, objects after, none, the application's state. */
bool inquiry_answer_safety(const struct inquiry *inquiry)
{
    struct environment *environment = inquiry->environment;
    const struct controller *controller = environment->controller;
    uint32_t border = 0;
    while (inquiry->trees[border])
        border++;
    uint32_t end = border + 1;
    while (inquiry->trees[end])
        end++;
    const struct object_list before = {.items = inquiry->trees, .count = border};
    const struct object_list after = {.items = inquiry->trees + border + 1,
                                      .count = end - border - 1};
    const struct datum *external = inquiry->trees[end + 1];
    if (environment->options.safety)
        inquiry->answer->bits =
            safety_rules_broken(environment->options.safety, &after, environment->resources,
                                environment->resource_count);
    if (!controller->safety)
        return true;
    const char *violated = NULL;
    const uint32_t errors = environment->problems->errors;
    if (!controller->safety(controller, inquiry->arena, &before, &after, external, &violated,
                            environment->problems))
        return inquiry_gave_up(inquiry, errors, "safety");
    return !violated || name_safety(environment, violated, &inquiry->answer->bits);
}
