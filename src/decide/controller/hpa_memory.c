/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/hpa_memory.h"

#include "decide/controller/go_number.h"

#include <stdlib.h>

static int64_t window_of(const struct scaling_rules *rules, int64_t otherwise)
{
    if (!rules->stabilization_window_seconds.set)
        return otherwise;
    return rules->stabilization_window_seconds.value * NANOSECONDS_PER_SECOND;
}

int64_t hpa_up_window(const struct hpa_input *input)
{
    return window_of(input->scale_up, 0);
}

int64_t hpa_down_window(const struct hpa_input *input)
{
    return window_of(input->scale_down, input->flags.downscale_window);
}

static void age_list(struct hpa_memory_list *list, int64_t nanoseconds)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].age < HPA_AGE_UNSET)
            list->items[i].age += nanoseconds;
}

void hpa_memory_age(struct hpa_memory *memory, int64_t nanoseconds)
{
    age_list(&memory->recommendations, nanoseconds);
    age_list(&memory->scale_ups, nanoseconds);
    age_list(&memory->scale_downs, nanoseconds);
}

static void widen(int32_t replicas, int32_t *least, int32_t *greatest)
{
    if (replicas < *least)
        *least = replicas;
    if (replicas > *greatest)
        *greatest = replicas;
}

void hpa_memory_range(const struct hpa_memory *memory, int32_t current, int64_t window, bool edge,
                      int32_t seed, int32_t *least, int32_t *greatest)
{
    *least = seed;
    *greatest = seed;
    if (!memory->started && (edge || window > 0))
        widen(current, least, greatest);
    for (uint32_t i = 0; i < memory->recommendations.count; i++) {
        const struct hpa_memory_entry *entry = &memory->recommendations.items[i];
        if (entry->age < window || (edge && entry->age == window))
            widen(entry->replicas, least, greatest);
    }
}

int32_t hpa_memory_change(const struct hpa_memory_list *list, int64_t period)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].age < period)
            sum = go_add_int32(sum, list->items[i].replicas);
    return sum;
}

/* Puts the entry into the last slot that is older than `window`, or a new one. */
static void store(struct arena *arena, struct hpa_memory_list *list, int64_t window,
                  int32_t replicas)
{
    const struct hpa_memory_entry entry = {.replicas = replicas};
    for (uint32_t i = list->count; i-- > 0;) {
        if (list->items[i].age > window) {
            list->items[i] = entry;
            return;
        }
    }
    VEC_PUSH(arena, list, entry);
}

static int64_t longest_period(const struct scaling_rules *rules)
{
    int32_t longest = 0;
    for (uint32_t i = 0; i < rules->policy_count; i++)
        if (rules->policies[i].period_seconds > longest)
            longest = rules->policies[i].period_seconds;
    return (int64_t)longest * NANOSECONDS_PER_SECOND;
}

/* A recommendation older than this is never looked at again. */
static int64_t recommendation_window(const struct hpa_input *input)
{
    if (!input->scale_up)
        return input->flags.downscale_window;
    const int64_t up = hpa_up_window(input);
    const int64_t down = hpa_down_window(input);
    return up > down ? up : down;
}

void hpa_memory_record(struct arena *arena, struct hpa_memory *memory,
                       const struct hpa_input *input, const struct hpa_decision *decision)
{
    if (!memory->started) {
        const struct hpa_memory_entry first = {.replicas = input->spec_replicas};
        VEC_PUSH(arena, &memory->recommendations, first);
        memory->started = true;
    }
    if (decision->recorded)
        store(arena, &memory->recommendations, recommendation_window(input), decision->proposed);
    if (!decision->rescale || !input->scale_up)
        return;
    const int32_t change = go_subtract_int32(decision->replicas, input->spec_replicas);
    if (change > 0)
        store(arena, &memory->scale_ups, longest_period(input->scale_up), change);
    else
        store(arena, &memory->scale_downs, longest_period(input->scale_down),
              go_subtract_int32(0, change));
}

static int compare_ages(const void *left, const void *right)
{
    const struct hpa_memory_entry *a = left;
    const struct hpa_memory_entry *b = right;
    if (a->age != b->age)
        return a->age < b->age ? -1 : 1;
    return (a->replicas > b->replicas) - (a->replicas < b->replicas);
}

static void sort_by_age(struct hpa_memory_list *list)
{
    if (list->count > 1)
        qsort(list->items, list->count, sizeof(*list->items), compare_ages);
}

/*
 * Keeps a recommendation if all younger ones are lower (it may still be the
 * greatest of the down window) or all are higher (it may be the least of the up
 * window). A recommendation far outside of minReplicas and maxReplicas is moved
 * close to them, which does not change what the limits make of it.
 */
static void bound_recommendations(struct hpa_memory_list *list, const struct hpa_input *input)
{
    const bool edge = !input->scale_up;
    const int64_t down = edge ? input->flags.downscale_window : hpa_down_window(input);
    const int64_t up = edge ? -1 : hpa_up_window(input);
    int32_t greatest = INT32_MIN;
    int32_t least = INT32_MAX;
    uint32_t kept = 0;
    sort_by_age(list);
    for (uint32_t i = 0; i < list->count; i++) {
        struct hpa_memory_entry entry = list->items[i];
        if (entry.replicas > input->max_replicas)
            entry.replicas = go_add_int32(input->max_replicas, 1);
        if (entry.replicas < input->min_replicas)
            entry.replicas = go_subtract_int32(input->min_replicas, 1);
        const bool in_down = entry.age < down || (edge && entry.age == down);
        const bool highest = in_down && entry.replicas > greatest;
        const bool lowest = entry.age < up && entry.replicas < least;
        if (!highest && !lowest)
            continue;
        if (highest)
            greatest = entry.replicas;
        if (lowest)
            least = entry.replicas;
        list->items[kept++] = entry;
    }
    list->count = kept;
}

/*
 * Changes older than every period are forgotten, and those of one instant are
 * added up. But where the other direction's policies look back further than
 * this direction's own, an entry may be overwritten while they still count it;
 * which one, depends on the slots. Then the slots stay, and an entry that no
 * policy counts any more becomes an empty slot.
 */
static void bound_changes(struct hpa_memory_list *list, int64_t own, int64_t other)
{
    const int64_t horizon = own > other ? own : other;
    uint32_t kept = 0;
    if (own >= other)
        sort_by_age(list);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct hpa_memory_entry entry = list->items[i];
        if (own < other) {
            const struct hpa_memory_entry empty = {.age = HPA_AGE_UNSET};
            list->items[i] = entry.age >= horizon ? empty : entry;
            kept++;
        } else if (entry.age < horizon) {
            if (kept > 0 && list->items[kept - 1].age == entry.age)
                list->items[kept - 1].replicas =
                    go_add_int32(list->items[kept - 1].replicas, entry.replicas);
            else
                list->items[kept++] = entry;
        }
    }
    list->count = kept;
}

void hpa_memory_bound(struct hpa_memory *memory, const struct hpa_input *input)
{
    bound_recommendations(&memory->recommendations, input);
    if (!input->scale_up)
        return;
    const int64_t up = longest_period(input->scale_up);
    const int64_t down = longest_period(input->scale_down);
    bound_changes(&memory->scale_ups, up, down);
    bound_changes(&memory->scale_downs, down, up);
}
