/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/scheduler_cases.h"

#include "base/hash.h"
#include "manifest/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static bool read_line(gzFile file, struct text *line)
{
    char part[65536];
    text_reset(line);
    while (gzgets(file, part, sizeof(part))) {
        text_append_string(line, part);
        if (strchr(part, '\n'))
            break;
    }
    return line->length > 0;
}

/* The scenarios of 1.36 that those of 1.26 do not have. */
static const char newer[] = "new-";

static void each_of(int minor, const char *prefix, scheduler_case_visit *visit, void *context)
{
    struct memory memory;
    struct arena arena;
    struct text line;
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&line, &memory);
    struct manifest_reader *reader = manifest_reader_create(&memory);
    const char *root = getenv("FATHOM_SOURCE_ROOT");
    gzFile file = gzopen(arena_printf(&arena, "%s/test/data/conformance/sched-v1.%d-open.jsonl.gz",
                                      root ? root : ".", minor),
                         "rb");
    if (!file)
        bug("the recorded decisions cannot be opened");
    const struct features features = features_of_version(minor);
    struct arena_mark mark = arena_mark(&arena);
    while (read_line(file, &line)) {
        struct problems problems;
        struct scheduler_scenario scenario;
        problems_init(&problems, &arena);
        const struct document *document = manifest_reader_parse_json(
            reader, &arena, (struct place){"record", 1, 1}, line.content, line.length, &problems);
        if (!document ||
            !scheduler_scenario_read(&arena, &document->root, &features, &scenario, &problems))
            bug("a recorded scenario cannot be read");
        const char *id = value_find_string(&document->root, "id");
        if (strncmp(id, prefix, strlen(prefix)) == 0)
            visit(&arena, id, &scenario, context);
        arena_rewind(&arena, mark);
    }
    gzclose(file);
    manifest_reader_free(reader);
    text_release(&line);
    arena_release(&arena);
}

void scheduler_cases_each(scheduler_case_visit *visit, void *context)
{
    each_of(26, "", visit, context);
    each_of(36, newer, visit, context);
}

void scheduler_case_decide(struct arena *arena, const struct scheduler_scenario *scenario,
                           bool folded, struct scheduler_case *result)
{
    *result = (struct scheduler_case){0};
    result->catalog = catalog_create(arena, &scenario->features);
    result->profiles = profiles_default(arena);
    catalog_surround(result->catalog, &scenario->objects);
    if (folded) {
        result->folding = fold_objects(arena, result->catalog, &scenario->objects, scenario->pod);
        result->view = result->folding.view;
    } else {
        result->view = view_of_objects(arena, result->catalog, &scenario->objects);
    }
    const char *nominated = scenario->pod->status.nominated_node_name;
    uint32_t entry = nominated ? view_find_node(&result->view, nominated) : VIEW_NONE;
    uint32_t pod = class_of_pod(result->catalog, scenario->pod);
    result->scheduler = scheduler_create(arena, result->catalog, &result->profiles);
    result->decision = scheduler_decide(result->scheduler, &result->view, pod, entry);
    if (result->decision->best_count == 0)
        result->preemption = scheduler_preempt(result->scheduler, &result->view, result->decision);
}

static struct node *copy_node(struct arena *arena, const struct node *node)
{
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    if (node->meta.labels.count > 0)
        copy->meta.labels.items = arena_copy(arena, node->meta.labels.items,
                                             node->meta.labels.count * sizeof(struct label));
    copy->spec.taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 1);
    if (node->spec.taint_count > 0)
        memcpy(copy->spec.taints, node->spec.taints, node->spec.taint_count * sizeof(struct taint));
    return copy;
}

struct scheduler_scenario scheduler_case_copy(struct arena *arena,
                                              const struct scheduler_scenario *scenario)
{
    struct scheduler_scenario copy = *scenario;
    copy.pod = arena_copy(arena, scenario->pod, sizeof(*scenario->pod));
    copy.objects.capacity = scenario->objects.count;
    copy.objects.items = ARENA_ARRAY(arena, struct object, scenario->objects.count + 1);
    for (uint32_t i = 0; i < scenario->objects.count; i++) {
        struct object *object = &copy.objects.items[i];
        *object = scenario->objects.items[i];
        if (object->kind == OBJECT_NODE)
            object->as.node = copy_node(arena, object->as.node);
        else if (object->kind == OBJECT_POD)
            object->as.pod = arena_copy(arena, object->as.pod, sizeof(struct pod));
    }
    return copy;
}

const char *scheduler_case_node_name(const struct scheduler_case *result, uint32_t entry)
{
    const struct node_config *config =
        result->catalog->configs.items[result->view.nodes[entry].config];
    return config->template->node->meta.name;
}

bool scheduler_case_is_best(const struct scheduler_case *result, uint32_t entry)
{
    for (uint32_t i = 0; i < result->decision->best_count; i++)
        if (result->decision->best[i] == entry)
            return true;
    return false;
}

bool scheduler_case_same_text(const char *left, const char *right)
{
    return (!left && !right) || (left && right && strcmp(left, right) == 0);
}

bool scheduler_case_same_node(const struct node_decision *left, const struct node_decision *right,
                              uint32_t score_count)
{
    if (left->verdict.code != right->verdict.code ||
        left->verdict.plugin != right->verdict.plugin ||
        !scheduler_case_same_text(left->verdict.reason, right->verdict.reason))
        return false;
    return left->verdict.code != VERDICT_FEASIBLE ||
           memcmp(left->scores, right->scores, score_count * sizeof(*left->scores)) == 0;
}

uint32_t scheduler_case_random(uint64_t *seed, uint32_t below)
{
    *seed += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash_word(*seed) >> 32) % below;
}
