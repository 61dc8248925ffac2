/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: what the exploration of a Check finds. */
#ifndef FATHOM_CLUSTER_EXPLORED_FIXTURE_H
#define FATHOM_CLUSTER_EXPLORED_FIXTURE_H

#include "cluster/threads/crew.h"
#include "cluster/workloads_fixture.h"
#include "explore/explore.h"

struct explored {
    uint64_t states;
    enum verdict verdict; /* of all intents together */
    enum verdict first;   /* of the first intent */
    bool complete;
    struct population_findings findings;
};

/* The first setup of the Check, explored until one intent is violated, or until all are decided. */
static inline struct explored explore_first_setup(const char *manifests,
                                                  const struct population_options *how, bool all)
{
    struct fixture fixture;
    struct setups setups = {0};
    struct explore_options options;
    assert_true(fixture_load(&fixture, manifests));
    scope_enumerate(&fixture.arena, &fixture.scope, &setups);
    struct crew *crew =
        crew_create(NULL, &fixture.memory, &fixture.scope, &setups.items[0], fixture.check->intents,
                    fixture.check->intent_count, how, &fixture.problems);
    assert_non_null(crew);
    explore_options_init(&options);
    options.all = all;
    struct exploration *result = explore_run(crew_model(crew), &options, &fixture.memory);
    const struct explored explored = {result->statistics.states, result->verdict,
                                      result->properties[0].verdict, result->complete,
                                      *crew_findings(crew)};
    explore_free(result);
    crew_free(crew);
    fixture_release(&fixture);
    return explored;
}

/* As of Kubernetes 1.26, until all intents are decided. */
static inline struct explored explore_manifests(const char *manifests,
                                                struct population_options how)
{
    how.features = features_of_version(26);
    const struct explored explored = explore_first_setup(manifests, &how, true);
    assert_true(explored.complete || explored.verdict == VERDICT_VIOLATED);
    return explored;
}

#endif
