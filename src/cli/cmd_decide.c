/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide CONTROLLER`: what one controller would do in this very state. */
#include "base/suggest.h"
#include "cli/decide_batch.h"
#include "cli/input.h"
#include "decide/decider.h"
#include "decide/features.h"

#include <string.h>

/* The names of all controllers, for the message that one of them is expected. */
static const char *known_controllers(struct arena *arena)
{
    const char *names = NULL;
    for (const struct decider *const *decider = decider_registry; *decider; decider++)
        names =
            arena_printf(arena, "%s%s%s", names ? names : "", names ? ", " : "", (*decider)->name);
    return names ? names : "none in this version";
}

static const struct decider *find_controller(struct session *session)
{
    const char *known = known_controllers(&session->arena);
    if (!session->line.operands.count) {
        session_say(session, "decide: expected a controller (known: %s), found nothing", known);
        return NULL;
    }
    const char *name = session->line.operands.items[0];
    const struct decider *decider = decider_find(name);
    if (decider)
        return decider;
    struct suggestion suggestion = {.word = name};
    for (const struct decider *const *other = decider_registry; *other; other++)
        suggestion_offer(&suggestion, (*other)->name);
    session_say(session, "decide: unknown controller \"%s\"%s%s%s (known: %s)", name,
                suggestion.nearest ? "; did you mean \"" : "",
                suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "",
                known);
    return NULL;
}

struct decision {
    const struct decider *decider;
    struct text json;
    struct text sentences;
};

static void render(struct session *session, const void *answer, const char *format,
                   struct text *text)
{
    (void)session;
    const struct decision *decision = answer;
    const struct text *source =
        strcmp(format, "json") == 0 ? &decision->json : &decision->sentences;
    text_append(text, text_content(source), source->length);
    if (!text->length)
        text_printf(text,
                    "Nothing to decide: none of the objects concerns the controller \"%s\".\n",
                    decision->decider->name);
}

/* False if the user chose something that there is not. */
static bool read_choice(struct session *session, const struct decider *decider,
                        struct decide_choice *choice)
{
    const struct options *options = &session->options;
    *choice = (struct decide_choice){.pod = options->pod};
    int minor;
    if (!features_parse_version(options->kubernetes_version, &minor)) {
        session_say(session, "decide: --kubernetes-version: expected 1.%d to 1.%d, found \"%s\"",
                    FEATURES_MINOR_FIRST, FEATURES_MINOR_LAST, options->kubernetes_version);
        return false;
    }
    choice->features = features_of_version(minor);
    if (choice->pod && !decider->asks_for_a_pod) {
        session_say(session, "decide: %s looks at no pod in particular: expected no --pod",
                    decider->name);
        return false;
    }
    return true;
}

static bool decide(struct session *session, struct decision *decision, struct input *input)
{
    struct decide_choice choice;
    if (!read_choice(session, decision->decider, &choice))
        return false;
    struct json_out json;
    json_out_init(&json, &decision->json, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Decision");
    json_string(&json, "controller", decision->decider->name);
    if (!decision->decider->decide_objects(&session->arena, &input->objects, &choice, &json,
                                           &decision->sentences, &input->problems))
        return false;
    json_object_end(&json);
    text_append_char(&decision->json, '\n');
    return true;
}

static int decide_from_manifests(struct session *session, const struct decider *decider)
{
    struct input input;
    struct decision decision = {.decider = decider};
    text_init(&decision.json, &session->memory);
    text_init(&decision.sentences, &session->memory);
    bool good = input_read(session, &input) && decide(session, &decision, &input);
    session_complain(session, &input.problems);
    if (good)
        good = session_answer(session, render, &decision);
    text_release(&decision.json);
    text_release(&decision.sentences);
    return good ? EXIT_HOLDS : EXIT_INPUT;
}

int cmd_decide(struct session *session)
{
    const struct decider *decider = find_controller(session);
    const struct options *options = &session->options;
    if (!decider)
        return EXIT_INPUT;
    if (!options->batch && decider->decide_objects)
        return decide_from_manifests(session, decider);
    if (!options->batch)
        session_say(session, "decide: %s answers batches only: expected --batch", decider->name);
    else if (options->filename.count)
        session_say(session, "decide: --batch reads standard input: expected no -f");
    else if (options->output.count)
        session_say(session, "decide: --batch answers in JSON lines: expected no -o");
    else
        return decide_batch(session, decider, stdin, stdout);
    return EXIT_INPUT;
}
