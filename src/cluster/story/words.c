/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the sentences of state/actions.def. */
#include "cluster/story/words.h"
#include "base/text.h"
#include "cluster/state/actions.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/describe_parts.h"
#include "cluster/story/words_special.h"

#include <string.h>

static const char *value_of(const struct words_values *values, const char *name, size_t length)
{
    for (uint32_t i = 0; i < values->count; i++)
        if (strlen(values->items[i].name) == length &&
            memcmp(values->items[i].name, name, length) == 0)
            return values->items[i].text;
    return NULL;
}

void words_fill(const char *sentence, const struct words_values *values, struct text *text)
{
    while (*sentence) {
        const size_t plain = strcspn(sentence, "{");
        text_append(text, sentence, plain);
        sentence += plain;
        if (!*sentence)
            return;
        const size_t length = strcspn(sentence + 1, "}");
        const char *value = value_of(values, sentence + 1, length);
        text_append_string(text, value ? value : "");
        sentence += length + 2;
    }
}

/* "node a (2 web, 1 web terminating)" */
static const char *place_of(const struct described_step *described)
{
    struct text text;
    if (described->subject.node >= described->from->node_count)
        return "";
    const uint32_t config = described->from->nodes[described->subject.node].config;
    text_init(&text, described->worker->arena.memory);
    text_printf(&text, "%s (", describe_node(described->worker, config));
    describe_pods(described->worker, config_at(described->worker, config), &text);
    text_append_string(&text, ")");
    return text_keep(&text, &described->worker->scratch);
}

static const char *replicas_of(const struct described_step *described)
{
    struct text text;
    text_init(&text, described->worker->arena.memory);
    words_describe_replicas(described, &text);
    return text_keep(&text, &described->worker->scratch);
}

void words_describe(const struct described_step *described, struct text *text)
{
    const struct population *population = described->worker->population;
    const struct revision *revision =
        described->subject.revision < population->revisions.count
            ? &population->revisions.items[described->subject.revision]
            : NULL;
    const bool one = described->subject.amount == 1;
    const char *sentence = action_words((enum population_action)described->step->action)->plainly;
    if (words_describe_specially(described, text) || !sentence)
        return;
    const struct words_value items[] = {
        {"workload", revision ? revision->owner_meta->name : ""},
        {"kind",
         revision && revision->pod->meta.owner_count > 0 ? revision->pod->meta.owners[0].kind : ""},
        {"amount", arena_printf(&described->worker->scratch, "%u", described->subject.amount)},
        {"s", one ? "" : "s"},
        {"verb s", one ? "s" : ""},
        {"its", one ? "its" : "their"},
        {"place", place_of(described)},
        {"replicas", replicas_of(described)},
    };
    words_fill(sentence, &(struct words_values){items, sizeof(items) / sizeof(*items)}, text);
}
