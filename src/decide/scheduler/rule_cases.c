/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/rule_cases.h"

#include "decide/scheduler/plugin.h"
#include "manifest/manifest.h"
#include "object/admission.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct decided {
    struct arena *arena;
    struct text *text;
    struct catalog *catalog;
    struct view view;
};

static const char *node_name(const struct decided *decided, uint32_t entry)
{
    return decided->catalog->configs.items[decided->view.nodes[entry].config]
        ->template->node->meta.name;
}

static void summarise(struct decided *decided, const struct decision *decision,
                      const struct preemption *preemption)
{
    struct text *text = decided->text;
    if (decision->error) {
        text_printf(text, "error: %s", decision->error);
        return;
    }
    for (uint32_t i = 0; i < decision->node_count; i++) {
        const struct node_decision *node = &decision->nodes[i];
        text_printf(text, "%s%s=", i > 0 ? " " : "", node_name(decided, i));
        if (node->verdict.code == VERDICT_FEASIBLE)
            text_printf(text, "%lld", (long long)node->total);
        else
            text_append_string(text,
                               node->verdict.plugin ? node->verdict.plugin->name : "unexamined");
    }
    text_append_string(text, ";");
    for (uint32_t i = 0; i < decision->best_count; i++)
        text_printf(text, " %s", node_name(decided, decision->best[i]));
    if (!preemption)
        return;
    text_append_string(text, " evict");
    for (uint32_t i = 0; i < preemption->candidate_count; i++) {
        const struct candidate *candidate = &preemption->candidates[i];
        text_printf(text, " %s%s:", node_name(decided, candidate->entry),
                    candidate->chosen ? "" : "(no)");
        for (uint32_t v = 0; v < candidate->victim_count; v++)
            text_printf(text, "%s%s", v > 0 ? "," : "",
                        decided->catalog->pods.items[candidate->victims[v]]->pod->meta.name);
    }
    if (preemption->message)
        text_printf(text, " %s", preemption->message);
}

/* The place of the plugin among those that score; VIEW_NONE: it does not. */
static uint32_t score_place(const struct decision *decision, const char *plugin)
{
    const struct profile *profile = decision->plan->profile;
    for (uint32_t i = 0; i < profile->score_count; i++)
        if (strcmp(profile->scores[i].plugin->name, plugin) == 0)
            return i;
    return VIEW_NONE;
}

/* What one plugin says of each node. */
static void summarise_plugin(struct decided *decided, const struct decision *decision,
                             const char *plugin)
{
    struct text *text = decided->text;
    if (decision->error)
        text_printf(text, "error: %s", decision->error);
    for (uint32_t i = 0; !decision->error && i < decision->node_count; i++) {
        const struct verdict *verdict = &decision->nodes[i].verdict;
        text_printf(text, "%s%s", i > 0 ? "; " : "", node_name(decided, i));
        if (verdict->code != VERDICT_FEASIBLE) {
            const char *who = verdict->plugin ? verdict->plugin->name : "";
            const bool own = strcmp(who, plugin) == 0;
            text_printf(text, "%s%s%s", own ? ": " : "!", own || !who[0] ? "" : " ",
                        own ? verdict->reason : who);
            continue;
        }
        const uint32_t place = score_place(decision, plugin);
        bool skipped[PLUGINS_MOST];
        decision_skipped_scores(decision, &decided->view, skipped);
        if (place == VIEW_NONE)
            text_append_string(text, "=ok");
        else if (skipped[place])
            text_append_string(text, "=skipped");
        else
            text_printf(text, "=%lld", (long long)decision->nodes[i].scores[place]);
    }
}

void rule_objects(struct arena *arena, const char *manifests, struct objects *objects)
{
    struct documents documents = {0};
    struct problems problems;
    const struct admission_options options = {.no_default_tolerations = true};
    problems_init(&problems, arena);
    bool good =
        manifest_parse(arena, "case", manifests, strlen(manifests), &documents, &problems) &&
        object_decode(arena, &documents, NULL, objects, &problems) &&
        objects_admit(arena, objects, &options, &problems);
    for (uint32_t i = 0; i < problems.count; i++)
        print_message("%s\n", problem_format(arena, &problems.items[i]));
    assert_true(good);
}

struct profiles rule_profiles(struct arena *arena, const struct objects *objects)
{
    struct problems problems;
    problems_init(&problems, arena);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_SCHEDULER_CONFIGURATION)
            return profiles_resolve(arena, objects->items[i].as.scheduler_configuration,
                                    objects->items[i].place, &problems);
    return profiles_default(arena);
}

static uint32_t find_pod(const struct catalog *catalog, const char *name)
{
    for (uint32_t i = 0; i < catalog->pods.count; i++)
        if (strcmp(catalog->pods.items[i]->pod->meta.name, name) == 0)
            return i;
    fail_msg("no pod is called %s", name);
    return VIEW_NONE;
}

static void decide_case(struct arena *arena, const char *plugin, const struct rule_case *rule,
                        struct text *text)
{
    struct objects objects = {0};
    rule_objects(arena, rule->manifests, &objects);
    struct features features = features_of_version(rule->minor);
    struct decided decided = {.arena = arena, .text = text};
    decided.catalog = catalog_create(arena, &features);
    catalog_surround(decided.catalog, &objects);
    decided.view = view_of_objects(arena, decided.catalog, &objects);
    struct profiles profiles = rule_profiles(arena, &objects);
    struct scheduler *scheduler = scheduler_create(arena, decided.catalog, &profiles);
    uint32_t pod = find_pod(decided.catalog, "new");
    const char *nominated = decided.catalog->pods.items[pod]->pod->status.nominated_node_name;
    const struct decision *decision =
        scheduler_decide(scheduler, &decided.view, pod,
                         nominated ? view_find_node(&decided.view, nominated) : VIEW_NONE);
    if (!decision)
        text_append_string(text, "nobody schedules this pod");
    else if (plugin)
        summarise_plugin(&decided, decision, plugin);
    else
        summarise(&decided, decision,
                  decision->best_count == 0 ? scheduler_preempt(scheduler, &decided.view, decision)
                                            : NULL);
    scheduler_release(scheduler);
}

void rule_table_check(void **state)
{
    const struct rule_table *table = *state;
    struct memory memory;
    struct arena arena;
    struct text text;
    uint32_t wrong = 0;
    memory_init(&memory, SIZE_MAX);
    text_init(&text, &memory);
    for (size_t i = 0; i < table->count; i++) {
        const struct rule_case *rule = &table->cases[i];
        arena_init(&arena, &memory);
        text_reset(&text);
        decide_case(&arena, table->plugin, rule, &text);
        if (strcmp(text_content(&text), rule->expected) != 0) {
            print_message("%s (1.%d)\n  expected %s\n  found    %s\n", rule->name, rule->minor,
                          rule->expected, text_content(&text));
            wrong++;
        }
        arena_release(&arena);
    }
    text_release(&text);
    assert_true(table->count > 0);
    assert_int_equal(wrong, 0);
}
