/* SPDX-License-Identifier: Apache-2.0 */
/* `topics_page intents|events`: the page of all intents or events. docs/intents.md and
 * docs/events.md are its output; test/cli/topics_test.py compares them. */
#include "base/arena.h"
#include "report/topics.h"

#include <stdio.h>
#include <string.h>

static void write_page(struct arena *arena, enum topic_class class, struct text *text)
{
    struct topic topic;
    const bool intents = class == TOPIC_INTENT;
    text_printf(text,
                "<!-- Made by topics_page from the tables of the program: "
                "build/docs/topics_page %s > docs/%s.md -->\n"
                "# %s\n\n"
                "%s The reference of the [Check file](formats.md) has the details. "
                "`fathom help NAME` prints each of these sections.\n\n"
                "| name | what it is |\n| --- | --- |\n",
                intents ? "intents" : "events", intents ? "intents" : "events",
                intents ? "Intents" : "Events",
                intents ? "What must hold in every run of a Check."
                        : "What may happen to a cluster from outside, at any time, in a Check.");
    for (uint32_t i = 0; topic_get(class, i, &topic); i++) {
        text_printf(text, "| [%s](#", topic.name);
        for (const char *c = topic.name; *c; c++)
            text_append_char(text, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
        text_printf(text, ") | %s |\n", topic_summary(arena, &topic));
    }
    for (uint32_t i = 0; topic_get(class, i, &topic); i++)
        topic_write_markdown(arena, &topic, true, text);
}

int main(int argc, char **argv)
{
    struct memory memory;
    struct arena arena;
    struct text text;
    if (argc != 2 || (strcmp(argv[1], "intents") != 0 && strcmp(argv[1], "events") != 0)) {
        fputs("usage: topics_page intents|events\n", stderr);
        return 2;
    }
    memory_init(&memory, SIZE_MAX);
    arena_init(&arena, &memory);
    text_init(&text, &memory);
    write_page(&arena, *argv[1] == 'i' ? TOPIC_INTENT : TOPIC_EVENT, &text);
    fwrite(text_content(&text), 1, text.length, stdout);
    text_release(&text);
    arena_release(&arena);
    return 0;
}
