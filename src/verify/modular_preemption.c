/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Components of which pods preempt those of others (docs/fidelity.md, priorities beside others).
 *
 * If a pod may find no node, it preempts pods of a lower priority. The rounds are gone through
 * again then, with models in which such pods may be preempted. More pods may find no node then, of
 * a higher priority: the rounds are repeated until there are none.
 */
#include "verify/modular_internal.h"

/* Are all its pods of one priority? */
static bool has_one_rank(const struct component *component)
{
    return component->ranks.lowest == component->ranks.highest;
}

bool modular_preempts_itself(const struct component *component)
{
    return component->preempts_from > component->ranks.lowest && !has_one_rank(component);
}

static uint64_t highest_that_preempts(const struct modular *modular)
{
    uint64_t from = 0;
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].preempts_from > from)
            from = modular->components[c].preempts_from;
    return from;
}

/* Can preemption be taken for a step of others that comes finitely often? Whoever preempts has to
 * come to rest, or it makes pods that preempt for ever. Pods of one component that preempt each
 * other are explored together. */
static bool is_known(const struct modular *modular)
{
    if (!modular->preempts_apart || modular->query->scope->start == START_CANONICAL)
        return false;
    for (uint32_t c = 0; c < modular->component_count; c++) {
        const struct component *component = &modular->components[c];
        if (!component->rests || modular_preempts_itself(component))
            return false;
    }
    return true;
}

void modular_forget(struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++) {
        struct component *component = &modular->components[c];
        component->bounded = false;
        component->rests = false;
        component->loops = false;
        component->leaves = false;
        component->preempts_from = 0;
        component->on_node_is_known = false;
    }
}

void modular_ask_again(struct modular *modular)
{
    for (uint32_t c = 0; c < modular->component_count; c++) {
        modular->components[c].applied |= modular->components[c].asked;
        parts_reopen(modular->parts, c, modular->components[c].asked);
    }
    modular_forget(modular);
}

bool modular_lets_preempt(struct modular *modular)
{
    const uint64_t from = highest_that_preempts(modular);
    if (!modular->priorities_differ || from <= modular_known_rank(modular) || from == UINT64_MAX ||
        !is_known(modular))
        return false;
    for (uint32_t c = 0; c < modular->component_count; c++)
        if (modular->components[c].preempts_from == from)
            modular->parts->preempts = c;
    modular_ask_again(modular);
    modular->unknown.preempted_from = from;
    return true;
}

bool modular_fills_its_places(const struct modular *modular, const struct component *component)
{
    return component->ranks.lowest <= modular->unknown.preempted_from;
}

bool modular_outranks(const struct modular *modular, const struct component *component,
                      const struct component *other)
{
    return modular->unknown.preempted_from > 0 && component->ranks.preempts &&
           has_one_rank(component) && other->ranks.highest < component->ranks.lowest;
}
