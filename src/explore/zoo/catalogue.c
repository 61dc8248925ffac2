/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the zoo, and how a model is made from texts. */
#include "explore/zoo/zoo.h"

#include <stdlib.h>

const struct zoo_entry *const zoo_entries[] = {
    &zoo_alternating_bit, &zoo_bounded_buffer,
    &zoo_broken_mutex,    &zoo_counters,
    &zoo_fairness_zoo,    &zoo_hanoi,
    &zoo_leader_election, &zoo_peterson,
    &zoo_philosophers,    &zoo_queens,
    &zoo_scramble,        &zoo_stabilising_ring,
    &zoo_token_ring,      NULL,
};

const struct zoo_entry *zoo_find(const char *name)
{
    for (const struct zoo_entry *const *entry = zoo_entries; *entry; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

static bool set_parameter(const struct zoo_entry *entry, const char *setting, int32_t *values)
{
    const char *equals = strchr(setting, '=');
    if (!equals)
        return false;
    const size_t length = (size_t)(equals - setting);
    for (int i = 0; i < ZOO_PARAMETERS_MOST && entry->parameters[i].name; i++) {
        const struct zoo_parameter *parameter = &entry->parameters[i];
        if (strncmp(parameter->name, setting, length) != 0 || parameter->name[length])
            continue;
        char *end = NULL;
        const long value = strtol(equals + 1, &end, 10);
        if (end == equals + 1 || *end || value < parameter->low || value > parameter->high)
            return false;
        values[i] = (int32_t)value;
        return true;
    }
    return false;
}

const struct model *zoo_create(struct arena *arena, const struct zoo_entry *entry,
                               const char *const *settings, uint32_t setting_count,
                               const char **wrong)
{
    int32_t values[ZOO_PARAMETERS_MOST] = {0};
    for (int i = 0; i < ZOO_PARAMETERS_MOST && entry->parameters[i].name; i++)
        values[i] = entry->parameters[i].usual;
    for (uint32_t i = 0; i < setting_count; i++) {
        if (!set_parameter(entry, settings[i], values)) {
            *wrong = settings[i];
            return NULL;
        }
    }
    return entry->create(arena, values);
}

const struct model *zoo_with_property(struct arena *arena, const struct model *model,
                                      const char *name, bool without_fairness)
{
    struct model *copy = arena_copy(arena, model, sizeof(*model));
    copy->property_count = 0;
    if (!name)
        return copy;
    for (uint32_t i = 0; i < model->property_count; i++) {
        if (strcmp(model->properties[i].name, name) != 0)
            continue;
        struct property *property = arena_copy(arena, &model->properties[i], sizeof(*property));
        property->without_fairness = without_fairness;
        copy->properties = property;
        copy->property_count = 1;
        return copy;
    }
    return NULL;
}

void zoo_initial_zero(const struct model *model, void *worker, struct step_sink *sink)
{
    (void)worker;
    const uint32_t words[ZOO_WORDS_MOST] = {0};
    step_sink_emit(sink, &(struct step){.words = words, .length = model->length_most});
}
