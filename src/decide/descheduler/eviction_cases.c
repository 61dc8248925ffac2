/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/descheduler/eviction_cases.h"

#include "decide/descheduler/descheduler_fixture.h"

static void check_case(struct arena *arena, const struct eviction_case *a_case)
{
    const struct features kubernetes = features_of_version(a_case->kubernetes);
    struct objects objects = {0};
    struct descheduler_result result;
    struct descheduler_outcomes outcomes;
    struct descheduler_setup setup = {.features = descheduler_features_of_version(a_case->minor),
                                      .objects = &objects,
                                      .now = (int64_t)3600 * NANOSECONDS_PER_SECOND};
    read_manifests(arena, a_case->manifest, &objects);
    setup.policy = find_policy(&objects);
    const struct kind_readers readers = descheduler_readers(setup.policy, setup.features);
    struct cluster *cluster = cluster_of_objects(arena, &kubernetes, &objects, readers, false);
    descheduler_run(arena, &setup, cluster, true, &result);
    const char *evicted = "";
    for (uint32_t i = 0; i < result.evicted.count; i++)
        evicted =
            arena_printf(arena, "%s%s ", evicted, cluster->pods[result.evicted.items[i].pod].name);
    descheduler_enumerate(arena, &setup,
                          cluster_of_objects(arena, &kubernetes, &objects, readers, true),
                          (struct descheduler_limits){0}, &outcomes);
    if (strcmp(evicted, a_case->evicted) != 0 || outcomes.items.count != a_case->outcomes)
        fail_msg("%s: evicts \"%s\" instead of \"%s\", %u outcomes instead of %u", a_case->name,
                 evicted, a_case->evicted, outcomes.items.count, a_case->outcomes);
}

void eviction_table_check(void **state)
{
    const struct eviction_table *table = *state;
    struct memory memory;
    struct arena arena;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    assert_true(table->count > 0);
    for (size_t i = 0; i < table->count; i++)
        check_case(&arena, &table->cases[i]);
    arena_release(&arena);
}
