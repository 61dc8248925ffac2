/* SPDX-License-Identifier: Apache-2.0 */
#include "report/topics.h"

#include "object/check_event.h"
#include "object/check_intent.h"
#include "object/check_library.h"
#include "report/report.h"

#include <string.h>

struct topic_row {
    const char *what;
    const char *causes; /* of an event: when to ask it */
    const char *remedies;
    const char *violated; /* a Check; "": none */
    const char *holds;
};

static const struct topic_row intent_rows[INTENT_KIND_COUNT] = {
#define INTENT_TOPIC(constant, what, causes, remedies, violated, holds) \
    [constant] = {what, causes, remedies, violated, holds},
#define EVENT_TOPIC(constant, what, when, violated, holds)
#include "report/topics.def"
#undef INTENT_TOPIC
#undef EVENT_TOPIC
};

static const struct topic_row event_rows[EVENT_KIND_COUNT] = {
#define INTENT_TOPIC(constant, what, causes, remedies, violated, holds)
#define EVENT_TOPIC(constant, what, when, violated, holds) \
    [constant] = {what, when, NULL, violated, holds},
#include "report/topics.def"
#undef INTENT_TOPIC
#undef EVENT_TOPIC
};

/* What each parameter says. */
static const struct {
    const char *name;
    const char *meaning;
} parameters[] = {
    {"aboveCpu", "the level of CPU, 90% or an amount"},
    {"after", "`settled`: only once the cluster has settled for the first time"},
    {"atMost", "how often it may happen in a run, 1 without it"},
    {"concurrent", "how many nodes at a time, 1 without it"},
    {"condition", "`MemoryPressure`, `DiskPressure` or `PIDPressure`"},
    {"drain", "`false`: the node is only cordoned"},
    {"every", "the period after which the pattern begins again"},
    {"finished", "Jobs that have finished count, too"},
    {"from", "who cannot reach the nodes: `clients`, `controlPlane` or `both`"},
    {"group", "of this node group alone"},
    {"initial", "the load before"},
    {"levels", "percentages of the request, or amounts, of which one comes"},
    {"loop", "only if it can happen again and again"},
    {"manifests", "the files that are applied"},
    {"maxRatio", "a share of traffic divided by the mean, at least 1"},
    {"maxSkew", "the largest difference between domains, 1 without it"},
    {"mode", "`always` (without it) or `eventually`"},
    {"node", "of this node alone"},
    {"nodeSelector", "labels of nodes"},
    {"object", "the object, `Kind/namespace/name`"},
    {"pattern", "`[{after, cpu}]`: what is used from when on"},
    {"recovers", "it comes back in the end"},
    {"repeats", "it is applied whenever the objects differ, for ever"},
    {"swing", "how many replicas up and down count, 1 without it"},
    {"to", "numbers, of which one is set"},
    {"topologyKey", "the label whose values are the domains"},
    {"total", "amounts of CPU, of which one comes"},
    {"value", "a number, `min`, `desired` or `desired-N`"},
    {"when", "`settled` (without it): whenever the cluster is at rest; or `always`"},
    {"workload", "of this workload alone, `Kind/namespace/name`"},
    {"zone", "this value of the label; any without it"},
};

static const char *meaning_of(enum topic_class class, const char *parameter)
{
    if (class == TOPIC_EVENT && strcmp(parameter, "when") == 0)
        return "an expression (docs/expressions.md): only in states in which it is true";
    for (size_t i = 0; i < sizeof(parameters) / sizeof(*parameters); i++)
        if (strcmp(parameters[i].name, parameter) == 0)
            return parameters[i].meaning;
    return "";
}

/* ---- finding ---- */

static const struct library *library_of(enum topic_class class)
{
    return class == TOPIC_INTENT ? &check_intent_library : &check_event_library;
}

bool topic_get(enum topic_class class, uint32_t number, struct topic *topic)
{
    const struct library *library = library_of(class);
    if (number >= library->entry_count)
        return false;
    *topic = (struct topic){class, number, library->entries[number].name};
    return true;
}

bool topic_find(const char *name, struct topic *topic)
{
    for (int class = TOPIC_INTENT; class <= TOPIC_EVENT; class ++)
        for (uint32_t i = 0; topic_get((enum topic_class) class, i, topic); i++)
            if (strcmp(topic->name, name) == 0)
                return true;
    return false;
}

static const struct topic_row *row_of(const struct topic *topic)
{
    return topic->class == TOPIC_INTENT ? &intent_rows[topic->kind] : &event_rows[topic->kind];
}

static const char *violated_text(struct arena *arena, const struct topic *topic)
{
    return arena_printf(arena, "Violated when %s.",
                        report_intent_violated((enum intent_kind)topic->kind));
}

const char *topic_summary(struct arena *arena, const struct topic *topic)
{
    const struct topic_row *row = row_of(topic);
    if (row->what)
        return row->what;
    return topic->class == TOPIC_INTENT ? violated_text(arena, topic) : "an event";
}

/* ---- writing ---- */

/* An intent in the user's own words, as people write it. */
static const char *expression_example(struct arena *arena, const char *kind, unsigned takes)
{
    if (takes & INTENT_PARAMETER_TO)
        return arena_printf(arena,
                            "- {name: mine, %s: {%s: \"pods.all(p, p.ready)\", "
                            "to: \"nodes.exists(n, n.cordoned)\"}}",
                            kind, strcmp(kind, "until") == 0 ? "hold" : "from");
    return arena_printf(arena, "- {name: mine, %s: \"pods.all(p, p.ready)\"}", kind);
}

/* How it stands in a Check, with what it needs. */
static const char *example_of(struct arena *arena, const struct topic *topic)
{
    static const struct {
        const char *name;
        const char *value;
    } values[] = {
        {"value", "2"},
        {"topologyKey", "topology.kubernetes.io/zone"},
        {"nodeSelector", "{disk: ssd}"},
        {"maxRatio", "1.5"},
        {"workload", "Deployment/default/web"},
        {"levels", "[20%, 120%]"},
        {"pattern", "[{after: 0s, cpu: 200m}, {after: 4m, cpu: 800m}]"},
        {"every", "8m"},
        {"total", "[1, 4]"},
        {"aboveCpu", "95%"},
        {"manifests", "[web-v2.yaml]"},
        {"to", "[5]"},
        {"object", "PodDisruptionBudget/default/web"},
        {"condition", "MemoryPressure"},
        {"group", "spot"},
    };
    const struct library *library = library_of(topic->class);
    const char *text = arena_printf(arena, "- {name: %s", topic->name);
    if (topic->class == TOPIC_INTENT &&
        library->entries[topic->kind].takes & INTENT_PARAMETER_EXPRESSION)
        return expression_example(arena, topic->name, library->entries[topic->kind].takes);
    for (uint32_t i = 0; i < library->parameter_count; i++)
        for (size_t v = 0; v < sizeof(values) / sizeof(*values); v++)
            if (library->entries[topic->kind].needs & library->parameters[i].bit &&
                strcmp(values[v].name, library->parameters[i].name) == 0)
                text = arena_printf(arena, "%s, %s: %s", text, values[v].name, values[v].value);
    return arena_printf(arena, "%s}", text);
}

static const char *key_of(enum topic_class class)
{
    return class == TOPIC_INTENT ? "intents" : "events";
}

/* The form in which people write an intent in their own words (object/check_expression.h). */
static void write_form(const struct topic *topic, unsigned takes, const char *format,
                       struct text *text)
{
    const bool pair = takes & INTENT_PARAMETER_TO;
    text_printf(text, format, "name", " (required)", "yours, as reports call it");
    text_printf(text, format, topic->name, " (required)",
                pair ? "the two expressions (docs/expressions.md)"
                     : "the expression (docs/expressions.md)");
    if (takes & INTENT_PARAMETER_CONDITION)
        text_printf(text, format, "when", "", "an expression: it counts only where this is true");
    if (takes & INTENT_PARAMETER_AFTER)
        text_printf(
            text, format, "after", "",
            "a duration: it counts only from so long after the beginning on (clocked time)");
    if (takes & INTENT_PARAMETER_WITHIN)
        text_printf(text, format, "within", "",
                    pair ? "a duration: so long, at most, from the first expression to the second "
                           "(clocked time)"
                         : "a duration: so long, at most, after the beginning (clocked time)");
}

/* What says the same in an expression; NULL: no expression does. test/expressions/library.py
 * compares them. */
static const char *same_as(const struct topic *topic)
{
    static const struct {
        enum intent_kind kind;
        const char *form;
    } forms[] = {
        {INTENT_CONVERGES,
         "stable: workloads.filter(w, workloads[w].exists).all(w, workloads[w].converged)"},
        {INTENT_ROLLOUT_COMPLETES,
         "stable: workloads.filter(w, workloads[w].exists).all(w, workloads[w].kind == 'Job' || "
         "workloads[w].updated)"},
        {INTENT_REPLICAS_AT_MOST,
         "always: workloads.all(w, workloads[w].pods.filter(p, !p.terminating).size() <= 3)"},
        {INTENT_DRAIN_COMPLETES,
         "leadsTo: {from: events.maintenance.active, to: \"!events.maintenance.active\"}"},
        {INTENT_NODES_AT_MOST, "always: nodes.size() <= 3"},
    };
    for (size_t i = 0; topic->class == TOPIC_INTENT && i < sizeof(forms) / sizeof(*forms); i++)
        if (forms[i].kind == (enum intent_kind)topic->kind)
            return forms[i].form;
    return NULL;
}

/* The value that the expression stands for. */
static const char *same_with(const struct topic *topic)
{
    return topic->kind == INTENT_REPLICAS_AT_MOST || topic->kind == INTENT_NODES_AT_MOST
               ? " (with value: 3)"
               : "";
}

static void write_parameters(const struct topic *topic, const char *format, struct text *text)
{
    const struct library *library = library_of(topic->class);
    const struct library_entry *entry = &library->entries[topic->kind];
    if (topic->class == TOPIC_INTENT && entry->takes & INTENT_PARAMETER_EXPRESSION) {
        write_form(topic, entry->takes, format, text);
        return;
    }
    for (uint32_t i = 0; i < library->parameter_count; i++)
        if (entry->takes & library->parameters[i].bit)
            text_printf(text, format, library->parameters[i].name,
                        entry->needs & library->parameters[i].bit ? " (required)" : "",
                        meaning_of(topic->class, library->parameters[i].name));
}

static void write_line(struct text *text, const char *heading, const char *content)
{
    if (content && *content)
        text_printf(text, "\n%s: %s\n", heading, content);
}

/* Lines of at most 80 columns, from where the text stands. */
static void wrap(struct text *text, size_t from)
{
    enum { COLUMNS = 80 };
    struct text copy;
    text_init(&copy, text->memory);
    text_append(&copy, text_content(text) + from, text->length - from);
    const char *rest = text_content(&copy);
    text->length = from;
    for (size_t column = 0; *rest;) {
        const size_t word = strcspn(rest, " \n");
        if (column > 0 && column + 1 + word > COLUMNS) {
            text_append_char(text, '\n');
            column = 0;
        } else if (column > 0) {
            text_append_char(text, ' ');
            column++;
        }
        text_append(text, rest, word);
        column += word;
        rest += word;
        if (*rest == '\n') {
            text_append_char(text, '\n');
            column = 0;
        }
        rest += *rest != '\0';
    }
    text_release(&copy);
}

void topic_write_text(struct arena *arena, const struct topic *topic, struct text *text)
{
    const struct topic_row *row = row_of(topic);
    const bool intent = topic->class == TOPIC_INTENT;
    const size_t from = text->length;
    text_printf(text, "%s: %s of a Check\n\n%s\n", topic->name, intent ? "an intent" : "an event",
                topic_summary(arena, topic));
    if (intent)
        text_printf(text, "%s\n", violated_text(arena, topic));
    write_line(text, intent ? "Usual causes" : "When to ask", row->causes);
    write_line(text, "Remedies", row->remedies);
    wrap(text, from);
    text_append_string(text, "\nParameters:\n");
    write_parameters(topic, "  %s%s: %s\n", text);
    text_printf(text, "\nIn a Check:\n  %s:\n  %s\n", key_of(topic->class),
                example_of(arena, topic));
    if (same_as(topic))
        text_printf(text, "\nAs an expression%s:\n  %s\n", same_with(topic), same_as(topic));
    write_line(text, "Violated in", row->violated);
    write_line(text, "Holds in", row->holds);
}

void topic_write_markdown(struct arena *arena, const struct topic *topic, bool in_docs,
                          struct text *text)
{
    const struct topic_row *row = row_of(topic);
    const bool intent = topic->class == TOPIC_INTENT;
    if (in_docs)
        text_printf(text, "\n## %s\n\n", topic->name);
    text_printf(text, "%s\n", topic_summary(arena, topic));
    if (intent)
        text_printf(text, "%s\n", violated_text(arena, topic));
    text_append_char(text, '\n');
    write_parameters(topic, "- `%s`%s: %s\n", text);
    text_printf(text, "\n```yaml\n%s:\n%s\n```\n", key_of(topic->class), example_of(arena, topic));
    if (same_as(topic))
        text_printf(text, "\nAs an expression%s: `%s`\n", same_with(topic), same_as(topic));
    write_line(text, intent ? "Usual causes" : "When to ask", row->causes);
    write_line(text, "Remedies", row->remedies);
    if (in_docs && row->violated && *row->violated)
        text_printf(text, "\nViolated in [%s](../%s), holds in [%s](../%s).\n", row->violated,
                    row->violated, row->holds, row->holds);
}
