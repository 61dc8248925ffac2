/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide CONTROLLER`: what one controller would do in this very state. */
#include "base/suggest.h"
#include "cli/decide_batch.h"
#include "cli/input.h"
#include "cli/kubernetes_features.h"
#include "decide/decider.h"
#include "report/decision.h"

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

/* False if the user chose something that there is not. */
static bool read_choice(struct session *session, const struct decider *decider,
                        struct decide_choice *choice)
{
    const struct options *options = &session->options;
    *choice = (struct decide_choice){.pod = options->pod};
    struct problems problems;
    problems_init(&problems, &session->arena);
    /* Recorded lines that state no version are of the first one, from before lines stated any. */
    choice->features = kubernetes_features_read(
        options, options->batch ? FEATURES_MINOR_FIRST : FEATURES_MINOR_LAST, &problems);
    session_complain(session, &problems);
    if (problems.errors)
        return false;
    if (choice->pod && !decider->asks_for_a_pod) {
        session_say(session, "decide: %s looks at no pod in particular: expected no --pod",
                    decider->name);
        return false;
    }
    return true;
}

static bool decide(struct session *session, const struct decider *decider,
                   const struct decide_choice *choice, const struct objects *objects,
                   struct decided *decision, struct problems *problems)
{
    struct json_out json;
    json_out_init(&json, &decision->json, 2);
    json_object_begin(&json, NULL);
    json_string(&json, "apiVersion", "fathom/v1");
    json_string(&json, "kind", "Decision");
    json_string(&json, "controller", decider->name);
    if (!decider->decide_objects(&session->arena, objects, choice, &json, &decision->sentences,
                                 problems))
        return false;
    json_object_end(&json);
    text_append_char(&decision->json, '\n');
    return true;
}

static int decide_from_manifests(struct session *session, const struct decider *decider,
                                 struct decide_choice *choice)
{
    struct input input;
    struct problems problems;
    const char *sentence;
    struct decided decision = {.controller = decider->name};
    text_init(&decision.json, &session->memory);
    text_init(&decision.sentences, &session->memory);
    session_read(session, &input_manifests, &input);
    kubernetes_features_settle(&session->arena, &session->options, &input, &choice->features,
                               &sentence);
    session_problems(session, &input_manifests, &input, &problems);
    const bool good =
        problems.errors == 0 &&
        decide(session, decider, choice, &input.units.items[0].objects, &decision, &problems);
    session_complain(session, &problems);
    const int code =
        good ? session_report(session, RESULT_DECISION, &decision, VERDICT_HOLDS) : EXIT_INPUT;
    text_release(&decision.json);
    text_release(&decision.sentences);
    return code;
}

int cmd_decide(struct session *session)
{
    const struct decider *decider = find_controller(session);
    const struct options *options = &session->options;
    struct decide_choice choice;
    if (!decider || !read_choice(session, decider, &choice))
        return EXIT_INPUT;
    if (!options->batch && decider->decide_objects)
        return decide_from_manifests(session, decider, &choice);
    if (!options->batch)
        session_say(session, "decide: %s answers batches only: expected --batch", decider->name);
    else if (options->filename.count)
        session_say(session, "decide: --batch reads standard input: expected no -f");
    else if (options->output.count)
        session_say(session, "decide: --batch answers in JSON lines: expected no -o");
    else
        return decide_batch(session, decider, &choice.features, stdin, stdout);
    return EXIT_INPUT;
}
