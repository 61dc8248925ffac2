/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intents and events, explained: `fathom help NAME`, docs/intents.md and docs/events.md. What is
 * told of each is from the tables by which Checks are read, and from topics.def.
 */
#ifndef FATHOM_REPORT_TOPICS_H
#define FATHOM_REPORT_TOPICS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum topic_class { TOPIC_INTENT, TOPIC_EVENT };

struct topic {
    enum topic_class class;
    uint32_t kind; /* enum intent_kind or enum event_kind */
    const char *name;
};

/* The topics of a class, by number; false behind the last one. */
bool topic_get(enum topic_class class, uint32_t number, struct topic *topic);
/* By name; false if it is neither an intent nor an event. */
bool topic_find(const char *name, struct topic *topic);
/* What it is, in a sentence. */
const char *topic_summary(struct arena *arena, const struct topic *topic);

/* The whole as plain text for a screen, or as Markdown: a section of a page of docs/, or (not
 * `in_docs`) by itself, without links. */
void topic_write_text(struct arena *arena, const struct topic *topic, struct text *text);
void topic_write_markdown(struct arena *arena, const struct topic *topic, bool in_docs,
                          struct text *text);

#endif
