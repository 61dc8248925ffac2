/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests of deciders: a scenario as JSON, and the answer as text. */
#ifndef FATHOM_DECIDE_SCENARIO_FIXTURE_H
#define FATHOM_DECIDE_SCENARIO_FIXTURE_H

#include "decide/decider.h"
#include "manifest/manifest.h"

#include <string.h>

/* {"result":...}; the first problem if the scenario is refused. */
static inline const char *answer_by(struct memory *memory, struct arena *arena,
                                    const struct decider *decider, const struct features *features,
                                    const char *scenario)
{
    struct problems problems;
    struct text text;
    struct json_out json;
    problems_init(&problems, arena);
    text_init(&text, memory);
    json_out_init(&json, &text, 0);
    struct manifest_reader *reader = manifest_reader_create(memory);
    const struct document *document = manifest_reader_parse_json(
        reader, arena, (struct place){"scenario", 1, 1}, scenario, strlen(scenario), &problems);
    const char *answer = "";
    json_object_begin(&json, NULL);
    if (document && decider->decide_scenario(arena, &document->root, features, &json, &problems)) {
        json_object_end(&json);
        answer = arena_strdup(arena, text_content(&text));
    } else if (problems.count > 0) {
        answer = problems.items[0].message;
    }
    manifest_reader_free(reader);
    text_release(&text);
    return answer;
}

/* The same at 1.26. */
static inline const char *answer_of(struct memory *memory, struct arena *arena,
                                    const struct decider *decider, const char *scenario)
{
    const struct features features = features_of_version(26);
    return answer_by(memory, arena, decider, &features, scenario);
}

#endif
