/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs one model of the zoo and prints what came of it, a "name value" a line,
 * for the scripts that compare with other checkers:
 *
 *     zoo_run philosophers n=3 polite=1 --property someone_eats --unfair
 *
 * Without --property the whole state space is counted and nothing judged.
 */
#include "base/clock.h"
#include "explore/explore.h"
#include "explore/zoo/zoo.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SETTINGS_MOST = 8 };

struct request {
    const char *model;
    const char *settings[SETTINGS_MOST];
    uint32_t setting_count;
    const char *property;
    bool unfair;
    uint32_t threads;
    size_t memory_bytes;
};

static bool parse(int argc, char **argv, struct request *request)
{
    *request = (struct request){.threads = 1, .memory_bytes = SIZE_MAX};
    for (int i = 1; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--unfair") == 0)
            request->unfair = true;
        else if (strcmp(argv[i], "--property") == 0 && has_value)
            request->property = argv[++i];
        else if (strcmp(argv[i], "--threads") == 0 && has_value)
            request->threads = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--memory-mib") == 0 && has_value)
            request->memory_bytes = strtoull(argv[++i], NULL, 10) << 20;
        else if (argv[i][0] != '-' && !request->model)
            request->model = argv[i];
        else if (argv[i][0] != '-' && request->setting_count < SETTINGS_MOST)
            request->settings[request->setting_count++] = argv[i];
        else
            return false;
    }
    return request->model && request->threads > 0;
}

static const struct model *build(struct arena *arena, const struct request *request)
{
    const struct zoo_entry *entry = zoo_find(request->model);
    if (!entry) {
        fprintf(stderr, "zoo_run: no model is called %s\n", request->model);
        return NULL;
    }
    const char *wrong = NULL;
    const struct model *model =
        zoo_create(arena, entry, request->settings, request->setting_count, &wrong);
    if (!model) {
        fprintf(stderr, "zoo_run: %s does not take %s\n", request->model, wrong);
        return NULL;
    }
    model = zoo_with_property(arena, model, request->property, request->unfair);
    if (!model)
        fprintf(stderr, "zoo_run: %s has no property %s\n", request->model, request->property);
    return model;
}

static void print(const struct exploration *result)
{
    const struct statistics *statistics = &result->statistics;
    printf("verdict %s\n", verdict_name(result->verdict));
    printf("complete %d\n", result->complete);
    printf("states %" PRIu64 "\n", statistics->states);
    printf("transitions %" PRIu64 "\n", statistics->transitions);
    printf("depth %" PRIu64 "\n", statistics->depth);
    printf("tree_nodes %" PRIu64 "\n", statistics->tree_nodes);
    printf("store_bytes %" PRIu64 "\n", statistics->store_bytes);
    printf("peak_bytes %" PRIu64 "\n", statistics->peak_bytes);
    printf("resident_bytes %" PRIu64 "\n", clock_peak_bytes());
    printf("seconds %.6f\n", statistics->total_seconds);
    if (result->property_count > 0 && result->properties[0].has_path)
        printf("path_steps %" PRIu32 "\n", result->properties[0].path.step_count);
}

int main(int argc, char **argv)
{
    struct request request;
    if (!parse(argc, argv, &request)) {
        fputs("usage: zoo_run MODEL [NAME=VALUE...] [--property NAME] [--unfair] [--threads N]"
              " [--memory-mib N]\n",
              stderr);
        return 2;
    }
    struct memory memory;
    memory_init(&memory, request.memory_bytes);
    struct arena arena;
    arena_init(&arena, &memory);
    const struct model *model = build(&arena, &request);
    struct exploration *result = NULL;
    if (model) {
        struct explore_options options;
        explore_options_init(&options);
        options.threads = request.threads;
        result = explore_run(model, &options, &memory);
        print(result);
        explore_free(result);
    }
    arena_release(&arena);
    return model ? 0 : 2;
}
